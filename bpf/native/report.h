/* SPDX-License-Identifier: Apache-2.0 */
/* Figures about the programs and the pump itself, for the agent's own metrics. Any thread may ask. */
#ifndef AETHER_REPORT_H
#define AETHER_REPORT_H

#include "engine.h"

#define MAX_REPORTS (FEATURES * MAX_LINKS)
#define MAX_COUNTERS 24
#define RUNQ_ROW (7 + AETHER_RUNQ_BUCKETS)

struct program_report {
	char name[64];	 /* feature/program */
	__u64 values[5]; /* id, verified instructions, runs, run time ns, events */
};

int report_programs(const struct engine *engine, struct program_report *reports);

/*
 * ticks, late ticks, edges, batch errors, ring losses, map errors, last event ns, used slots, refused slots,
 * heartbeat ns, malformed options, dropped edges, unmatched answers, libraries, JVMs, failed libraries,
 * files of applications, refused ones, interfaces scrubbed, interfaces that cannot be.
 */
int report_counters(const struct engine *engine, __u64 *values);

/* An object's counters, summed over the CPUs; -1 when it did not load. */
int report_counts(const struct engine *engine, const struct feature *feature, struct aether_counts *sum);

int report_latencies(const struct engine *engine, __u64 *values);

/* Allocates *values: one row for each cgroup. */
int report_runq(const struct engine *engine, __u64 **values);

#endif /* AETHER_REPORT_H */
