// SPDX-License-Identifier: Apache-2.0
/* How much a local endpoint marks: ramp(q), q the worst of what a request may wait for before anybody works on it. */
#include "marks.h"

#include <bpf/bpf.h>
#include <string.h>

#include "clock.h"

/* Steps of the level: a finer one is not worth a call into the kernel. */
#define LEVEL_STEP (AETHER_LEVEL_ALL / 256)

void marks_open(struct engine *engine)
{
	const struct feature *ecn = &engine->features[ECN];
	int trusted = loader_map(ecn, "trusted");
	const __u8 one = 1;

	engine->levels_map = loader_map(ecn, "levels");
	engine->levels_last_map = loader_map(ecn, "levels_last");
	engine->markings_map = loader_map(ecn, "markings");
	engine->arrived_map = loader_map(ecn, "arrived");
	for (__u32 i = 0; trusted >= 0 && i < engine->marks.trusted_count; i++)
		bpf_map_update_elem(trusted, &engine->marks.trusted[i], &one, BPF_ANY);
}

static __u32 larger(__u32 a, __u32 b)
{
	return a > b ? a : b;
}

/* Its own queues alone: in the socket, for a CPU, in the application. Whatever it waits for elsewhere is not in here.
 */
static __u32 wait_of(const struct aether_report *report)
{
	return larger(larger(report->sojourn_us, report->stall_age_us), larger(report->runq_us, report->est_wait_us));
}

/* An application knows its service times and its objective better than a setting for all: it may raise both, not lower.
 */
static void thresholds(const struct engine *engine, const struct local *local, __u32 *from, __u32 *all)
{
	*from = larger(engine->marks.from_us, local->said.mark_from_us);
	*all = larger(larger(engine->marks.all_us, local->said.mark_all_us), *from + 1);
}

/* 0 to `whole` between the two thresholds. */
static __u32 ramp(const struct engine *engine, const struct local *local, __u32 wait, __u32 whole)
{
	__u32 from, all;

	thresholds(engine, local, &from, &all);
	if (wait <= from)
		return 0;
	return wait >= all ? whole : (__u64)(wait - from) * whole / (all - from);
}

__u8 marks_pressure(const struct engine *engine, const struct local *local, const struct aether_report *report)
{
	__u32 from, all, wait = wait_of(report);

	thresholds(engine, local, &from, &all);
	if (wait <= from)
		return local->said.pressure;
	return larger(local->said.pressure, wait >= all ? 255 : (__u64)wait * 255 / all);
}

void marks_tell(struct engine *engine, struct local *local)
{
	__u32 level = ramp(engine, local, wait_of(&local->slot->report), AETHER_LEVEL_ALL);
	struct aether_level value = {.probability = (level + LEVEL_STEP - 1) / LEVEL_STEP * LEVEL_STEP};

	if (engine->levels_map < 0 || value.probability == local->level)
		return;
	if (!bpf_map_update_elem(engine->levels_map, &local->key, &value, BPF_ANY))
		local->level = value.probability;
}

void marks_forget(struct engine *engine, const struct local *local)
{
	if (engine->levels_map < 0)
		return;
	bpf_map_delete_elem(engine->levels_map, &local->key);
	bpf_map_delete_elem(engine->markings_map, &local->key);
}

void marks_beat(struct engine *engine, __u64 now)
{
	const __u32 zero = 0;

	if (engine->levels_last_map >= 0)
		bpf_map_update_elem(engine->levels_last_map, &zero, &now, BPF_ANY);
}

/* Several processes may share an endpoint (SO_REUSEPORT): together they have so many requests, and the worst wait
 * counts. */
static void hear(void *context, __u32 netns, __u64 cgroup, __u16 port, const struct app_words *words)
{
	struct engine *engine = context;
	int index = locals_find(engine, netns, port);
	struct app_words *said;

	if (index < 0 || engine->locals[index].kernel.cgroup != cgroup)
		return;
	said = &engine->locals[index].said;
	said->time_ns = words->time_ns;
	said->running += words->running;
	said->waiting += words->waiting;
	said->est_wait_us = larger(said->est_wait_us, words->est_wait_us);
	said->mark_from_us = larger(said->mark_from_us, words->mark_from_us);
	said->mark_all_us = larger(said->mark_all_us, words->mark_all_us);
	said->pressure = larger(said->pressure, words->pressure);
}

void marks_listen(struct engine *engine, __u64 now)
{
	for (__u32 i = 0; i < engine->local_count; i++)
		engine->locals[i].said = (struct app_words){};
	apps_read(engine->apps, now, hear, engine);
}
