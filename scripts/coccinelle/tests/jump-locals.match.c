// SPDX-License-Identifier: GPL-2.0

static sigjmp_buf env;

static size_t copy(char *to, const char *from, size_t size)
{
	size_t done = 0;		/* match */
	const char *end;		/* match */

	if (sigsetjmp(env, 0))
		return done;
	for (end = from + size; from < end; done++)
		*to++ = *from++;
	return done;
}
