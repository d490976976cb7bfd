/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mkperfdata: what its parts share.
 */
#ifndef MKPERFDATA_H
#define MKPERFDATA_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_FILE	(1 << 20)
#define ATTR_SIZE	PERF_ATTR_SIZE_VER6

/* Ids of the two attributes. */
#define ID_A	0x101
#define ID_B	0x202

/* What all kinds of events with several attributes need in a sample. */
#define TYPE_A (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | \
		PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)
/* Everything at once: the file need not make sense to anybody. */
#define TYPE_B	((1ULL << 25) - 1 - PERF_SAMPLE_WEIGHT)
/* Of a kernel without PERF_SAMPLE_IDENTIFIER; the counter is read alone. */
#define TYPE_ID	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ID | \
		 PERF_SAMPLE_READ)

/* mkperfdata-buf.c: the file in memory, but for one hole of zeros */
extern unsigned char buf[MAX_FILE];
extern size_t fill;		/* bytes in buf */
extern int big_endian;
extern int muted;		/* do not print where things are */

void die(const char *what) __attribute__((noreturn));
uint64_t pos_of(size_t at);
uint64_t pos(void);
void mark(const char *name);
void put_at(size_t at, uint64_t value, int width);
void put16(uint64_t v);
void put32(uint64_t v);
void put64(uint64_t v);
void zeros(size_t n);
void hole(uint64_t size);
void put_bytes(const void *p, size_t n);
void put_str(const char *s, size_t align);
void put_feat_str(const char *s);
void begin(const char *name, unsigned int type, unsigned int misc);
void end(void);
void write_file(const char *path);

/* mkperfdata-events.c */
void put_attr(uint64_t sample_type);
void ev_mmap2(const char *name);
void ev_comm(void);
void ev_task(const char *name, unsigned int type);
void ev_lost_b(void);
void ev_sample_as(const char *name, uint64_t id);
void ev_sample(void);
void ev_sample_id(const char *name, uint64_t id);
void ev_sample_b(void);
void ev_round(void);
void ev_attr(const char *name, uint64_t sample_type, uint64_t id);
void ev_feature(const char *name, unsigned int feat, const char *s);
void kernel_events(void);
void user_events(void);

/* mkperfdata-features.c */
void table(unsigned int slots);
size_t next_slot(void);
void feature_begin(const char *name, unsigned int bit);
void feature_end(void);
void feature_str(const char *name, unsigned int bit);
uint64_t feature_bits(void);
void all_features(void);

#endif /* MKPERFDATA_H */
