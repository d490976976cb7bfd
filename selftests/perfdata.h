/* SPDX-License-Identifier: GPL-2.0 */
/* A perf.data file as bytes, read without any of perf's code. */
#ifndef PERFDATA_H
#define PERFDATA_H

#include <stdint.h>

/* Where the workload's page faults start, see workload.c. */
#define REGION_START 0x100000000000ULL

/**
 * struct perfdata - a perf.data file, mapped for reading
 * @map: the whole file
 * @size: its length in bytes
 * @blocks: what it takes on disk, in units of 512 bytes
 * @hole: offset of the first hole, @size if there is none
 * @data: offset of the first event
 * @data_end: where the header says that the events end; @data if perf never
 *	came to write that
 * @sample_type: of the first event that was recorded
 * @fd: the open file
 */
struct perfdata {
	const uint8_t *map;
	uint64_t size;
	uint64_t blocks;
	uint64_t hole;
	uint64_t data;
	uint64_t data_end;
	uint64_t sample_type;
	int fd;
};

/**
 * struct perfdata_event - one event of the data section
 * @offset: in the file
 * @type: PERF_RECORD_*
 * @size: in bytes with the header
 */
struct perfdata_event {
	uint64_t offset;
	uint32_t type;
	uint16_t size;
};

int perfdata_open(struct perfdata *pd, const char *path);
void perfdata_close(struct perfdata *pd);
int perfdata_next(const struct perfdata *pd, uint64_t *pos, uint64_t end,
		  struct perfdata_event *ev);
uint64_t perfdata_features_end(const struct perfdata *pd);
uint64_t perfdata_u64(const struct perfdata *pd, uint64_t offset);
int perfdata_sample_word(const struct perfdata *pd, uint64_t which);
int perfdata_id_word(const struct perfdata *pd, uint64_t which);

#endif /* PERFDATA_H */
