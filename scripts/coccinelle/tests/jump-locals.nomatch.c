// SPDX-License-Identifier: GPL-2.0

static sigjmp_buf env;

static size_t copy(char *to, const char *from, size_t size)
{
	volatile size_t done = 0;

	if (sigsetjmp(env, 0))
		return done;
	while (done < size) {
		to[done] = from[done];
		done++;
	}
	return done;
}

static size_t other(void)
{
	size_t done = 0;

	return done;
}
