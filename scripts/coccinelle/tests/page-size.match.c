// SPDX-License-Identifier: GPL-2.0

static size_t align(size_t off)
{
	size_t page = getpagesize();	/* match */

	if (off % 4096)			/* match */
		off &= ~0xfffUL;
	if (off > 4 * PAGE_SIZE)	/* match */
		return 0;
	return off - off % page;
}
