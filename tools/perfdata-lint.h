/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfdata-lint: what its parts share.
 *
 * The record layouts are written down here on purpose instead of taken from
 * tools/perf: a checker that shares its definitions with the writer shares its
 * mistakes. Only the kernel's own <linux/perf_event.h> is used, and what an
 * old copy of that header lacks is defined below.
 */
#ifndef PERFDATA_LINT_H
#define PERFDATA_LINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LINT_EVENT_HEADER	8	/* sizeof(struct perf_event_header) */
#define LINT_MAX_EVENT		65535	/* header.size is 16 bits wide */
#define LINT_TYPES		128	/* kernel types from 1, perf's from 64 */
#define LINT_USER_TYPES		64	/* first type of perf itself */
#define LINT_MAX_IDS		(1 << 22)	/* bounds memory; machines have fewer */

/* Kernel events that headers older than the running perf do not know. */
#define LINT_AUX_OUTPUT_HW_ID	21
#define LINT_CALLCHAIN_DEFERRED	22

/* Events that only perf writes. */
enum {
	LINT_HEADER_ATTR	= 64,
	LINT_HEADER_EVENT_TYPE,
	LINT_HEADER_TRACING_DATA,
	LINT_HEADER_BUILD_ID,
	LINT_FINISHED_ROUND,
	LINT_ID_INDEX,
	LINT_AUXTRACE_INFO,
	LINT_AUXTRACE,
	LINT_AUXTRACE_ERROR,
	LINT_THREAD_MAP,
	LINT_CPU_MAP,
	LINT_STAT_CONFIG,
	LINT_STAT,
	LINT_STAT_ROUND,
	LINT_EVENT_UPDATE,
	LINT_TIME_CONV,
	LINT_HEADER_FEATURE,
	LINT_COMPRESSED,
	LINT_FINISHED_INIT,
	LINT_COMPRESSED2,
	LINT_BPF_METADATA,
	LINT_SCHEDSTAT_CPU,
	LINT_SCHEDSTAT_DOMAIN,
};

/* Bits of the feature bitmap that the checker has to know by name. */
enum {
	LINT_FEAT_TRACING_DATA	= 1,
	LINT_FEAT_BUILD_ID	= 2,
	LINT_FEAT_HOSTNAME	= 3,
	LINT_FEAT_EVENT_DESC	= 12,
	LINT_FEAT_AUXTRACE	= 18,
	LINT_FEAT_STAT		= 19,
	LINT_FEAT_DIR_FORMAT	= 24,
	LINT_FEAT_BPF_PROG_INFO	= 25,
	LINT_FEAT_COMPRESSED	= 27,
	LINT_FEAT_BITS		= 256,
};

/**
 * struct input - a regular file, read through one buffer of fixed size
 * @path:	name for messages, not owned
 * @fd:		open for reading
 * @size:	bytes in the file when it was opened
 * @buf:	owned
 * @buf_off:	file offset of @buf[0]
 * @buf_len:	bytes valid in @buf
 */
struct input {
	const char *path;
	int fd;
	uint64_t size;
	unsigned char *buf;
	uint64_t buf_off;
	size_t buf_len;
};

/**
 * struct where - the place a message is about
 * @path:	file
 * @off:	offset in the file
 * @inner:	true when the event was inside a compressed record at @off
 * @inner_off:	offset in the decompressed stream
 */
struct where {
	const char *path;
	uint64_t off;
	bool inner;
	uint64_t inner_off;
};

/* What of a struct perf_event_attr decides the layout of events. */
struct lint_attr {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t regs_user;
	uint64_t regs_intr;
	bool sample_id_all;
};

struct lint_id {
	uint64_t id;
	uint32_t attr;		/* index + 1, 0: empty slot */
};

/**
 * struct lint - one FILE of the command line
 * @events:	stream for one line per event, or NULL
 * @events_tag:	put before each of these lines (data file of a directory)
 * @swap:	the file's byte order is not this machine's
 * @big_endian:	the file's byte order
 * @pipe:	pipe mode: attributes and features are events
 * @attrs:	owned
 * @nr_attrs:	entries in @attrs
 * @ids:	owned, hash table
 * @ids_size:	slots in @ids, a power of two
 * @nr_ids:	slots in use
 * @count:	events per type
 * @total:	all events, those in compressed records included
 * @data_off:	start of the data section
 * @data_size:	bytes of event data; of a directory, of all its files
 * @data_end:	end of the data section in the file
 * @lost:	sum over LOST events
 * @lost_samples: sum over LOST_SAMPLES events
 * @features:	bitmap of the features found
 * @spare_slots: slots of the feature table left by dropped features
 * @dropped_bytes: bytes at the end of the file left by a dropped feature
 * @comp_mmap_len: feature COMPRESSED: what one record may decompress to, or 0
 * @comp_max:	the most that one compressed record has made, bytes
 * @comp_max_off: file offset of that record
 * @dir_version: feature DIR_FORMAT, or 0
 * @aux_index:	file offset of the first entry of the AUX area index
 * @aux_nr:	entries there
 * @not_unzipped: compressed records not looked into, for lack of libzstd
 */
struct lint {
	FILE *events;
	const char *events_tag;
	bool swap;
	bool big_endian;
	bool pipe;
	struct lint_attr *attrs;
	size_t nr_attrs;
	struct lint_id *ids;
	size_t ids_size;
	size_t nr_ids;
	uint64_t count[LINT_TYPES];
	uint64_t total;
	uint64_t data_off;
	uint64_t data_size;
	uint64_t data_end;
	uint64_t lost;
	uint64_t lost_samples;
	uint64_t features[LINT_FEAT_BITS / 64];
	unsigned int spare_slots;
	uint64_t dropped_bytes;
	uint32_t comp_mmap_len;
	uint64_t comp_max;
	uint64_t comp_max_off;
	uint64_t dir_version;
	uint64_t aux_index;
	uint64_t aux_nr;
	uint64_t not_unzipped;
};

/* perfdata-lint-input.c */
void put_path(FILE *to, const char *path);
int bad(const struct where *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int bad_at(const struct input *in, uint64_t off, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int bad_path(const char *path, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int input_open(struct input *in, const char *path);
void input_close(struct input *in);
const void *input_at(struct input *in, uint64_t off, size_t len);
int input_peek(struct input *in, uint64_t off, void *buf, size_t len);
uint64_t input_zeros(struct input *in, uint64_t off, uint64_t end);
uint16_t get_u16(const struct lint *l, const void *p);
uint32_t get_u32(const struct lint *l, const void *p);
uint64_t get_u64(const struct lint *l, const void *p);

/* perfdata-lint-attr.c */
int lint_add_attr(struct lint *l, const struct where *w, const void *attr,
		  size_t size);
int lint_add_id(struct lint *l, const struct where *w, uint64_t id,
		size_t attr);
int lint_check_attrs(const struct lint *l, const struct where *w);
int lint_trailing_id(const struct lint *l, const struct where *w,
		     const unsigned char *ev, size_t size, size_t min);
int lint_sample(const struct lint *l, const struct where *w,
		const unsigned char *ev, size_t size);
void lint_free(struct lint *l);

/* perfdata-lint-event.c */
const char *lint_event_name(unsigned int type);
int lint_event(struct lint *l, const struct where *w, const unsigned char *ev,
	       size_t size);
int lint_walk(struct lint *l, struct input *in, uint64_t start, uint64_t end);

/* perfdata-lint-feature.c */
const char *lint_feature_name(unsigned int feat);
int lint_feature_section(struct lint *l, struct input *in, unsigned int feat,
			 uint64_t off, uint64_t size);
int lint_feature_event(struct lint *l, const struct where *w,
		       unsigned int feat, const void *data, size_t size);

/* perfdata-lint-file.c */
int lint_sections(struct lint *l, struct input *in);
int lint_decompressed(const struct lint *l, const struct input *in);

/* perfdata-lint-path.c */
int lint_path(struct lint *l, const char *path);

/* perfdata-lint-zstd.c */
struct unzip;
struct unzip *unzip_new(void);
int unzip_feed(struct unzip *u, struct lint *l, const struct where *w,
	       const void *data, size_t size);
int unzip_end(const struct unzip *u, const struct where *w);
void unzip_free(struct unzip *u);

#endif /* PERFDATA_LINT_H */
