/* SPDX-License-Identifier: GPL-2.0 */
/* The functions of lib.sh, for the tests in C. */
#ifndef SHLIB_H
#define SHLIB_H

void shlib_setup(void);
const char *shlib_file(const char *name);
int shlib_call(const char *function, ...) __attribute__((sentinel));

#endif /* SHLIB_H */
