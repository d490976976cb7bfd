// SPDX-License-Identifier: GPL-2.0

static int cut(int fd, void *base, size_t len)
{
	int err = 0;

	while (ftruncate(fd, len)) {
		if (errno != EINTR)
			err = -errno;
	}
	if (munmap(base, len))
		err = -errno;

	/* Advice, of which nothing depends on. */
	madvise(base, len, MADV_HUGEPAGE);

	return close(fd) ? -errno : err;
}
