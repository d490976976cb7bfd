// SPDX-License-Identifier: GPL-2.0

static sigjmp_buf env;

static bool copy(void *to, const void *from, size_t size, int save)
{
	if (sigsetjmp(env, 1))		/* match */
		return false;
	if (sigsetjmp(env, save))	/* match */
		return false;
	memcpy(to, from, size);
	return true;
}
