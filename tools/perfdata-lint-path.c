// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-lint: what kind of file is it? A file with sections, pipe mode, or
 * a directory of files.
 */
#define _GNU_SOURCE	/* asprintf */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "perfdata-lint.h"

#define PIPE_HEADER	16	/* magic, and this size */

static int lint_pipe(struct lint *l, struct input *in)
{
	const struct where w = { .path = in->path };

	l->pipe = true;
	l->data_off = PIPE_HEADER;
	l->data_size = in->size - PIPE_HEADER;
	l->data_end = in->size;
	if (!l->data_size)
		return bad_at(in, PIPE_HEADER, "no events: unfinished recording");
	if (lint_walk(l, in, l->data_off, in->size) ||
	    lint_check_attrs(l, &w))
		return -1;
	return lint_decompressed(l, in);
}

/* Return: 0: a full header, 1: pipe mode, -1: reported as bad. */
static int lint_magic(struct lint *l, struct input *in)
{
	static const uint16_t one = 1;
	const bool big_host = !*(const unsigned char *)&one;
	const unsigned char *p;

	if (in->size < PIPE_HEADER)
		return bad_at(in, in->size, "%s, too short for a header",
			      in->size ? "the file ends" : "empty file");
	p = input_at(in, 0, PIPE_HEADER);
	if (!p)
		return -1;
	/* The magic is a number, so its bytes show the byte order. */
	if (!memcmp(p, "PERFILE2", 8))
		l->big_endian = false;
	else if (!memcmp(p, "2ELIFREP", 8))
		l->big_endian = true;
	else if (!memcmp(p, "PERFFILE", 8))
		return bad_at(in, 0, "PERFFILE, the format before PERFILE2, is not supported");
	else
		return bad_at(in, 0, "no perf.data: the magic is not PERFILE2");
	l->swap = l->big_endian != big_host;
	return get_u64(l, p + 8) == PIPE_HEADER;
}

/* The data file of a directory, or a perf.data file on its own. */
static int lint_file(struct lint *l, const char *path)
{
	struct input in;
	int ret;

	if (input_open(&in, path))
		return -1;
	ret = lint_magic(l, &in);
	if (ret > 0)
		ret = lint_pipe(l, &in);
	else if (!ret)
		ret = lint_sections(l, &in);
	input_close(&in);
	return ret;
}

/* data.N of a directory: events and nothing else. */
static int lint_stream(struct lint *l, const char *path)
{
	struct input in;
	int ret;

	if (input_open(&in, path))
		return -1;
	l->comp_max = 0;
	l->data_size += in.size;
	ret = lint_walk(l, &in, 0, in.size);
	if (!ret)
		ret = lint_decompressed(l, &in);
	input_close(&in);
	return ret;
}

/* How many data.N are there? All of them have to be, from 0 on. */
static int count_streams(const char *path, unsigned long *nr)
{
	unsigned long max = 0;
	struct dirent *d;
	DIR *dir = opendir(path);

	*nr = 0;
	if (!dir)
		return bad_path(path, "cannot open: %s", strerror(errno));
	while ((d = readdir(dir))) {
		unsigned long n;
		char name[32];

		if (strncmp(d->d_name, "data.", 5))
			continue;
		n = strtoul(d->d_name + 5, NULL, 10);
		snprintf(name, sizeof(name), "data.%lu", n);
		/* perf takes whatever starts like that for events. */
		if (strcmp(name, d->d_name)) {
			closedir(dir);
			return bad_path(path, "unexpected file %.100s",
					d->d_name);
		}
		if (n > max)
			max = n;
		++*nr;
	}
	closedir(dir);
	if (*nr && max != *nr - 1)
		return bad_path(path, "%lu files named data.N, the last one is data.%lu",
				*nr, max);
	return 0;
}

static char *join(const char *dir, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

static int lint_dir_streams(struct lint *l, const char *path, unsigned long nr)
{
	unsigned long i;

	for (i = 0; i < nr; i++) {
		char name[32], tag[40], *sub;
		int ret;

		snprintf(name, sizeof(name), "data.%lu", i);
		snprintf(tag, sizeof(tag), "%s:", name);
		sub = join(path, name);
		if (!sub)
			return bad_path(path, "out of memory");
		l->events_tag = tag;
		ret = lint_stream(l, sub);
		l->events_tag = "";
		free(sub);
		if (ret)
			return -1;
	}
	return 0;
}

static int lint_dir(struct lint *l, const char *path)
{
	unsigned long nr;
	char *data;
	int ret;

	if (count_streams(path, &nr))
		return -1;
	data = join(path, "data");
	if (!data)
		return bad_path(path, "out of memory");
	ret = lint_file(l, data);
	free(data);
	if (ret)
		return -1;
	/* Readers go by the feature: without it they see the data file only. */
	if (l->dir_version > 1)
		return bad_path(path, "directory format %" PRIu64 " is not known",
				l->dir_version);
	if (l->dir_version && !nr)
		return bad_path(path, "feature DIR_FORMAT, but no data.N in the directory");
	if (!l->dir_version && nr)
		return bad_path(path, "%lu files named data.N, but no feature DIR_FORMAT",
				nr);
	return lint_dir_streams(l, path, nr);
}

/**
 * lint_path - check a perf.data file or directory
 * @l:		filled in; zeroed before by the caller, but for @l->events
 * @path:	name
 *
 * Return: 0 when it is good, or -1 with the reason reported in one line.
 */
int lint_path(struct lint *l, const char *path)
{
	struct stat st;

	l->events_tag = "";
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return lint_dir(l, path);
	return lint_file(l, path);
}
