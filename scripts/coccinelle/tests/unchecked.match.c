// SPDX-License-Identifier: GPL-2.0

static void cut(int fd, void *base, size_t len)
{
	if (len)
		ftruncate(fd, len);		/* match */
	munmap(base, len);			/* match */
	close(fd);				/* match */
}
