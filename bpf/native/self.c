// SPDX-License-Identifier: Apache-2.0
#include "self.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

int self_count_runs(struct engine *engine)
{
	if (engine->statistics < 0)
		engine->statistics = bpf_enable_stats(BPF_STATS_RUN_TIME);
	return engine->statistics < 0 ? -errno : 0;
}

static int is_percpu(enum bpf_map_type type)
{
	return type == BPF_MAP_TYPE_PERCPU_HASH || type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

static int is_counted(enum bpf_map_type type)
{
	return type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_LRU_HASH || is_percpu(type) ||
	       type == BPF_MAP_TYPE_LPM_TRIE;
}

/* The kernel keeps no count: all of them are read, into memory that is touched only as far as there are some. */
static __s64 count_entries(const struct bpf_map *map, int cpus)
{
	__u32 count = bpf_map__max_entries(map);
	size_t value = (bpf_map__value_size(map) + 7) / 8 * 8 * (is_percpu(bpf_map__type(map)) ? cpus : 1);
	void *keys = malloc((size_t)count * bpf_map__key_size(map)), *values = malloc(count * value);
	__u64 cursor[64]; /* as large as the largest key */
	__s64 entries = -1;

	/* The end of the map is reported as ENOENT together with the count. */
	if (keys && values &&
	    (!bpf_map_lookup_batch(bpf_map__fd(map), NULL, cursor, keys, values, &count, NULL) || errno == ENOENT))
		entries = count;
	free(keys);
	free(values);
	return entries;
}

/* This one is a table in an array: see unread.c. */
static int is_unread(const struct bpf_map *map)
{
	return bpf_map__value_size(map) == sizeof(struct aether_unread_table);
}

static void report_map(const struct engine *engine, const struct bpf_map *map, struct map_report *report)
{
	report->entries = is_unread(map) ? unread_count(engine) : count_entries(map, engine->cpus);
	report->capacity = is_unread(map) ? AETHER_MAX_UNREAD : bpf_map__max_entries(map);
}

static int is_known(__u32 id, const __u32 *ids, int count)
{
	for (int i = 0; i < count; i++) {
		if (ids[i] == id)
			return 1;
	}
	return 0;
}

int self_maps(const struct engine *engine, struct map_report *reports)
{
	__u32 ids[MAX_MAPS];
	int count = 0;

	for (int i = 0; i < FEATURES; i++) {
		const struct feature *feature = &engine->features[i];
		struct bpf_map *map;

		if (!feature->object)
			continue;
		bpf_object__for_each_map (map, feature->object) {
			struct bpf_map_info info = {};
			__u32 length = sizeof(info);

			if (count == MAX_MAPS || !(is_counted(bpf_map__type(map)) || is_unread(map)) ||
			    bpf_obj_get_info_by_fd(bpf_map__fd(map), &info, &length) || is_known(info.id, ids, count))
				continue;
			ids[count] = info.id;
			snprintf(reports[count].name, sizeof(reports[count].name), "%s/%s", feature->name,
				 bpf_map__name(map));
			report_map(engine, map, &reports[count++]);
		}
	}
	return count;
}

void self_probes(const struct engine *engine, __u64 rows[FEATURES][SELF_ROW])
{
	memset(rows, 0, FEATURES * sizeof(rows[0]));
	for (int i = 0; i < FEATURES; i++) {
		struct aether_counts counts;

		if (report_counts(engine, &engine->features[i], &counts))
			continue;
		rows[i][0] = counts.ring_lost;
		rows[i][1] = counts.last_ns;
		rows[i][2] = counts.malformed;
		memcpy(&rows[i][3], counts.causes, sizeof(counts.causes));
	}
}
