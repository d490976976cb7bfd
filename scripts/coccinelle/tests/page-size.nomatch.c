// SPDX-License-Identifier: GPL-2.0

#define STEP_MIN	((size_t)64 << 10)

static size_t align(size_t off)
{
	if (off > STEP_MIN)
		return 0;
	return off - off % page_size;
}
