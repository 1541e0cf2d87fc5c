// SPDX-License-Identifier: Apache-2.0
#include <bpf/bpf.h>
#include <errno.h>

#include "engine.h"

int batch_read(struct engine *engine, int map, __u32 capacity)
{
	__u32 cursor, count = capacity;

	if (map < 0)
		return 0;
	if (!bpf_map_lookup_batch(map, NULL, &cursor, engine->keys, engine->values, &count, NULL) || errno == ENOENT)
		return count;
	engine->counters.batch_errors++;
	return -1;
}
