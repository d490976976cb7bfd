// SPDX-License-Identifier: GPL-2.0

static int named(struct record *rec, struct perf_data *data)
{
	int fd = perf_data__fd(data);

	if (rec)
		return lseek(fd, 0, SEEK_CUR);		/* match */
	return write(rec->data.file.fd, "", 1);		/* match */
}

static int named_later(struct perf_data_file *file, struct mmap *map)
{
	int fd;

	fd = file->fd;
	ftruncate(fd, 0);				/* match */
	fd = map->file->fd;
	return pwrite(map->file->fd, "", 1, 0);		/* match */
}

static int direct(struct perf_data *data)
{
	struct perf_data_file *file = &data->file;

	if (fallocate(file->fd, 0, 0, 1))		/* match */
		return -1;
	if (writen(perf_data__fd(data), "", 1) < 0)	/* match */
		return -1;
	return lseek(data->dir.files[0].fd, 0, SEEK_CUR);	/* match */
}
