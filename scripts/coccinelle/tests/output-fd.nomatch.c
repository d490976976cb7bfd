// SPDX-License-Identifier: GPL-2.0

/* These two are what all others are to call. */
ssize_t perf_data_file__write(struct perf_data_file *file, void *buf, size_t size)
{
	return writen(file->fd, buf, size);
}

off_t perf_data__seek(struct perf_data *data, off_t offset, int whence)
{
	return lseek(data->file.fd, offset, whence);
}

/* Reading does no harm, nor does a descriptor of something else. */
static int other(struct record *rec, int done_fd)
{
	int fd = perf_data__fd(&rec->data);
	struct stat st;

	if (write(done_fd, "", 1) < 0 || lseek(rec->evlist->ctl_fd.fd, 0, SEEK_SET) < 0)
		return -1;
	return fstat(fd, &st);
}
