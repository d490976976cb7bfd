// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a perf.data file for the tests: its own view of the format, so that
 * neither perf nor perfdata-lint is the only witness.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata.h"

/* Offsets in the file header, which is 104 bytes long. */
#define HEADER_SIZE 104
#define HEADER_ATTRS 24
#define HEADER_DATA 40
#define HEADER_FEATURES 72
#define FEATURE_BITS 256

/* In struct perf_event_attr. */
#define ATTR_SAMPLE_TYPE 24

/**
 * perfdata_u64() - read a number of the file
 * @pd: the open file
 * @offset: where in the file, in bytes
 *
 * Return: the number, 0 if the file ends before it does.
 */
uint64_t perfdata_u64(const struct perfdata *pd, uint64_t offset)
{
	uint64_t val;

	if (pd->size < sizeof(val) || offset > pd->size - sizeof(val))
		return 0;
	memcpy(&val, pd->map + offset, sizeof(val));
	return val;
}

/**
 * perfdata_open() - map a file and read its header
 * @pd: filled in; release with perfdata_close()
 * @path: of the file
 *
 * Return: 0, or a negative errno: -EINVAL for a file that is no perf.data.
 */
int perfdata_open(struct perfdata *pd, const char *path)
{
	struct stat st;
	void *map;
	off_t hole;

	memset(pd, 0, sizeof(*pd));
	pd->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (pd->fd < 0)
		return -errno;
	if (fstat(pd->fd, &st))
		goto fail;
	pd->size = st.st_size;
	pd->blocks = st.st_blocks;
	pd->hole = pd->size;
	errno = EINVAL;
	if (pd->size < HEADER_SIZE)
		goto fail;
	hole = lseek(pd->fd, 0, SEEK_HOLE);
	if (hole >= 0)
		pd->hole = hole;
	map = mmap(NULL, pd->size, PROT_READ, MAP_SHARED, pd->fd, 0);
	if (map == MAP_FAILED)
		goto fail;
	pd->map = map;

	pd->data = perfdata_u64(pd, HEADER_DATA);
	pd->data_end = pd->data + perfdata_u64(pd, HEADER_DATA + 8);
	pd->sample_type = perfdata_u64(pd, perfdata_u64(pd, HEADER_ATTRS) +
						   ATTR_SAMPLE_TYPE);
	if (!memcmp(pd->map, "PERFILE2", 8) && pd->data >= HEADER_SIZE &&
	    pd->data_end >= pd->data)
		return 0;
	munmap(map, pd->size);
	pd->map = NULL;
	errno = EINVAL;
fail:
	close(pd->fd);
	return -errno;
}

/**
 * perfdata_close() - release what perfdata_open() took
 * @pd: the open file
 */
void perfdata_close(struct perfdata *pd)
{
	munmap((void *)pd->map, pd->size);
	close(pd->fd);
}

/**
 * perfdata_next() - step to the next event
 * @pd: the open file
 * @pos: where it must start; moved to the end of the event
 * @end: where the events end
 * @ev: filled in, also with what is there when that is no event
 *
 * Return: 1 for an event, 0 at @end, -EINVAL if there is no event at @pos,
 * -ENODATA if it goes on behind @end or behind the end of the file.
 */
int perfdata_next(const struct perfdata *pd, uint64_t *pos, uint64_t end,
		  struct perfdata_event *ev)
{
	struct perf_event_header hdr;

	ev->offset = *pos;
	ev->type = 0;
	ev->size = 0;
	if (*pos == end)
		return 0;
	if (end > pd->size)
		end = pd->size;
	if (*pos > end || end - *pos < sizeof(hdr))
		return -ENODATA;
	memcpy(&hdr, pd->map + *pos, sizeof(hdr));
	ev->type = hdr.type;
	ev->size = hdr.size;
	if (!hdr.type || hdr.size < sizeof(hdr))
		return -EINVAL;
	if (hdr.size > end - *pos)
		return -ENODATA;
	*pos += hdr.size;
	return 1;
}

/**
 * perfdata_features_end() - where the last feature section ends
 * @pd: the open file
 *
 * Return: the offset in bytes; the end of the data if there is no feature.
 */
uint64_t perfdata_features_end(const struct perfdata *pd)
{
	uint64_t table = pd->data_end;
	uint64_t last = pd->data_end;
	unsigned int bit;

	for (bit = 0; bit < FEATURE_BITS; bit++) {
		uint64_t end;

		if (!(perfdata_u64(pd, HEADER_FEATURES + bit / 64 * 8) >>
			      bit % 64 &
		      1))
			continue;
		end = perfdata_u64(pd, table) + perfdata_u64(pd, table + 8);
		table += 16;
		if (last < table)
			last = table;
		if (last < end)
			last = end;
	}
	return last;
}

/**
 * perfdata_sample_word() - where a sample keeps a value
 * @pd: the open file
 * @which: PERF_SAMPLE_IP, _TID, _TIME or _ADDR
 *
 * Return: the index in units of 8 bytes behind the event's header, -ENOENT if
 * samples do not have it.
 */
int perfdata_sample_word(const struct perfdata *pd, uint64_t which)
{
	static const uint64_t order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,	  PERF_SAMPLE_TID,
		PERF_SAMPLE_TIME,	PERF_SAMPLE_ADDR,
	};
	unsigned int i, word = 0;

	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!(pd->sample_type & order[i]))
			continue;
		if (order[i] == which)
			return word;
		word++;
	}
	return -ENOENT;
}

/**
 * perfdata_id_word() - where an event that is no sample keeps a value
 * @pd: the open file
 * @which: PERF_SAMPLE_TID or _TIME
 *
 * Return: the index in units of 8 bytes, counted back from the event's end
 * (1 is the last word), -ENOENT if the events do not have it.
 */
int perfdata_id_word(const struct perfdata *pd, uint64_t which)
{
	static const uint64_t back[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_CPU,  PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_ID,		PERF_SAMPLE_TIME, PERF_SAMPLE_TID,
	};
	unsigned int i, word = 0;

	for (i = 0; i < sizeof(back) / sizeof(back[0]); i++) {
		if (!(pd->sample_type & back[i]))
			continue;
		word++;
		if (back[i] == which)
			return word;
	}
	return -ENOENT;
}
