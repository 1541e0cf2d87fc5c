/* SPDX-License-Identifier: Apache-2.0 */
/* What the agent's own metrics tell of each object: its maps, its losses, its errors. Any thread may ask. */
#ifndef AETHER_SELF_H
#define AETHER_SELF_H

#include "engine.h"

#define MAX_MAPS 64

struct map_report {
	char name[64]; /* feature/map */
	__s64 entries; /* -1: the kernel does not let this kind be counted */
	__u64 capacity;
};

/* Has the kernel count runs and run time of all programs until the engine is closed; 0 or -errno. */
int self_count_runs(struct engine *engine);

/* Hash maps and tries; a map that several objects share is told once. */
int self_maps(const struct engine *engine, struct map_report *reports);

#define SELF_ROW (3 + AETHER_CAUSES)

/* For each feature: ring losses, last event ns, malformed options, map errors by cause. */
void self_probes(const struct engine *engine, __u64 rows[FEATURES][SELF_ROW]);

#endif /* AETHER_SELF_H */
