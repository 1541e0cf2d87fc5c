// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int report_counts(const struct engine *engine, const struct feature *feature, struct aether_counts *sum)
{
	int map = loader_map(feature, "counts");
	struct aether_counts *parts = map < 0 ? NULL : calloc(engine->cpus, sizeof(*parts));
	__u32 zero = 0;

	memset(sum, 0, sizeof(*sum));
	if (!parts || bpf_map_lookup_elem(map, &zero, parts)) {
		free(parts);
		return -1;
	}
	for (int cpu = 0; cpu < engine->cpus; cpu++) {
		sum->ring_lost += parts[cpu].ring_lost;
		sum->map_errors += parts[cpu].map_errors;
		sum->malformed += parts[cpu].malformed;
		sum->unmatched += parts[cpu].unmatched;
		if (parts[cpu].last_ns > sum->last_ns)
			sum->last_ns = parts[cpu].last_ns;
		for (int i = 0; i < AETHER_EVENTS; i++)
			sum->events[i] += parts[cpu].events[i];
		for (int i = 0; i < AETHER_CAUSES; i++)
			sum->causes[i] += parts[cpu].causes[i];
	}
	free(parts);
	return 0;
}

static void report_program(const struct bpf_program *program, const struct feature *feature,
			   struct program_report *report, __u64 events)
{
	struct bpf_prog_info info = {};
	__u32 length = sizeof(info);

	snprintf(report->name, sizeof(report->name), "%s/%s", feature->name, bpf_program__name(program));
	bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &length);
	report->values[0] = info.id;
	report->values[1] = info.verified_insns;
	report->values[2] = info.run_cnt;
	report->values[3] = info.run_time_ns;
	report->values[4] = events;
}

int report_programs(const struct engine *engine, struct program_report *reports)
{
	int count = 0;

	for (int i = 0; i < FEATURES; i++) {
		const struct feature *feature = &engine->features[i];
		struct bpf_program *program;
		struct aether_counts counts;
		int event = 0;

		if (report_counts(engine, feature, &counts))
			continue;
		bpf_object__for_each_program (program, feature->object) {
			if (bpf_program__fd(program) >= 0 && count < MAX_REPORTS)
				report_program(program, feature, &reports[count++], counts.events[event]);
			event++;
		}
	}
	return count;
}

int report_counters(const struct engine *engine, __u64 *values)
{
	const struct aether_header *header = engine->table.header;
	__u64 lost = 0, errors = 0, malformed = 0, unmatched = 0, last = 0;
	struct aether_counts counts;
	int n = 0;

	for (int i = 0; i < FEATURES; i++) {
		if (report_counts(engine, &engine->features[i], &counts))
			continue;
		lost += counts.ring_lost;
		errors += counts.map_errors;
		malformed += counts.malformed;
		unmatched += counts.unmatched;
		if (counts.last_ns > last)
			last = counts.last_ns;
	}
	values[n++] = engine->counters.ticks;
	values[n++] = engine->counters.late_ticks;
	values[n++] = engine->counters.edges;
	values[n++] = engine->counters.batch_errors;
	values[n++] = lost;
	values[n++] = errors;
	values[n++] = last;
	values[n++] = header->used;
	values[n++] = header->refused;
	values[n++] = header->heartbeat_ns;
	values[n++] = malformed;
	values[n++] = engine->counters.dropped;
	values[n++] = unmatched;
	values[n++] = __atomic_load_n(&engine->scan.libraries, __ATOMIC_RELAXED);
	values[n++] = __atomic_load_n(&engine->scan.jvms, __ATOMIC_RELAXED);
	values[n++] = __atomic_load_n(&engine->scan.failures, __ATOMIC_RELAXED);
	apps_figures(engine->apps, &values[n], &values[n + 1]);
	n += 2;
	values[n++] = __atomic_load_n(&engine->scrub.interfaces, __ATOMIC_RELAXED);
	values[n++] = __atomic_load_n(&engine->scrub.failures, __ATOMIC_RELAXED);
	return n;
}

int report_latencies(const struct engine *engine, __u64 *values)
{
	__u64 edges = engine->counters.edges;
	int count = edges < LATENCIES ? edges : LATENCIES;

	for (int i = 0; i < count; i++)
		values[i] = engine->counters.latency_us[(edges - count + i) % LATENCIES];
	return count;
}

static void fill_row(__u64 *row, __u64 cgroup, const struct aether_runq *parts, int cpus)
{
	struct aether_runq sum = {};

	for (int cpu = 0; cpu < cpus; cpu++)
		runq_add(&sum, &parts[cpu]);
	row[0] = cgroup;
	row[1] = sum.sum_ns;
	row[2] = sum.preempted_own;
	row[3] = sum.preempted_other;
	row[4] = sum.preempted_kernel;
	row[5] = sum.throttles;
	row[6] = sum.throttled_ns;
	memcpy(row + 7, sum.count, sizeof(sum.count));
}

int report_runq(const struct engine *engine, __u64 **values)
{
	__u32 cursor, count = 2 * AETHER_MAX_CGROUPS;
	__u64 *keys = calloc(count, sizeof(*keys));
	struct aether_runq *parts = calloc((size_t)count * engine->cpus, sizeof(*parts));
	__u64 *rows = calloc((size_t)count * RUNQ_ROW, sizeof(*rows));

	/* The end of the map is reported as ENOENT together with a full count: only count matters. */
	if (!keys || !parts || !rows || engine->waits_map < 0)
		count = 0;
	else if (bpf_map_lookup_batch(engine->waits_map, NULL, &cursor, keys, parts, &count, NULL) && errno != ENOENT)
		count = 0;
	for (__u32 i = 0; i < count; i++)
		fill_row(rows + i * RUNQ_ROW, keys[i], parts + (size_t)i * engine->cpus, engine->cpus);
	free(keys);
	free(parts);
	*values = rows;
	return rows ? (int)(count * RUNQ_ROW) : 0;
}
