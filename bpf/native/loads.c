// SPDX-License-Identifier: Apache-2.0
/* Run-queue figures of the cgroups that own LOCAL endpoints. */
#include <bpf/bpf.h>
#include <string.h>

#include "clock.h"
#include "engine.h"

void runq_add(struct aether_runq *sum, const struct aether_runq *part)
{
	for (int i = 0; i < AETHER_RUNQ_BUCKETS; i++)
		sum->count[i] += part->count[i];
	sum->sum_ns += part->sum_ns;
	sum->preempted_own += part->preempted_own;
	sum->preempted_foreign += part->preempted_foreign;
}

static int find(const struct engine *engine, __u64 cgroup)
{
	for (__u32 i = 0; i < engine->load_count; i++) {
		if (engine->loads[i].cgroup == cgroup)
			return i;
	}
	return -1;
}

static int find_or_add(struct engine *engine, __u64 cgroup)
{
	int index = find(engine, cgroup);

	if (index >= 0 || engine->load_count == AETHER_MAX_LOCALS)
		return index;
	engine->loads[engine->load_count] = (struct load){.cgroup = cgroup};
	return engine->load_count++;
}

/* Forgets the cgroups whose endpoints are gone. */
static void forget_unused(struct engine *engine)
{
	for (__u32 i = 0; i < engine->load_count;) {
		int used = 0;

		for (__u32 j = 0; j < engine->local_count && !used; j++)
			used = engine->locals[j].kernel.cgroup == engine->loads[i].cgroup;
		if (used)
			i++;
		else
			engine->loads[i] = engine->loads[--engine->load_count];
	}
}

static __u64 total(const struct aether_runq *runq)
{
	__u64 sum = 0;

	for (int i = 0; i < AETHER_RUNQ_BUCKETS; i++)
		sum += runq->count[i];
	return sum;
}

static struct aether_runq minus(const struct aether_runq *a, const struct aether_runq *b)
{
	struct aether_runq difference = *a;

	for (int i = 0; i < AETHER_RUNQ_BUCKETS; i++)
		difference.count[i] -= b->count[i];
	difference.sum_ns -= b->sum_ns;
	return difference;
}

/* Bucket b holds waits of [2^(b-1), 2^b) us: straight-line interpolation inside. */
static __u32 percentile_99(const struct aether_runq *runq)
{
	__u64 rank = (total(runq) * 99 + 99) / 100, below = 0;

	for (int i = 0; rank && i < AETHER_RUNQ_BUCKETS; i++) {
		__u64 low = i ? 1ULL << (i - 1) : 0, high = 1ULL << i;

		if (below + runq->count[i] >= rank)
			return low + (high - low) * (rank - below) / runq->count[i];
		below += runq->count[i];
	}
	return 0;
}

static void sample(struct engine *engine, struct load *load)
{
	struct aether_runq now = {}, recent, second;
	__u32 last = (load->next + LOAD_PERIODS - 1) % LOAD_PERIODS;

	if (engine->waits_map < 0 || runq_read(engine->waits_map, engine->cpus, load->cgroup, engine->values, &now))
		return;
	if (!load->sampled) {
		for (int i = 0; i < LOAD_PERIODS; i++)
			load->past[i] = now;
		load->sampled = 1;
	}
	recent = minus(&now, &load->past[last]);
	second = minus(&now, &load->past[load->next]);
	load->mean_us = total(&recent) ? recent.sum_ns / total(&recent) / NSEC_PER_USEC : 0;
	load->p99_us = percentile_99(&second);
	load->past[load->next] = now;
	load->next = (load->next + 1) % LOAD_PERIODS;
}

void loads_tick(struct engine *engine)
{
	forget_unused(engine);
	for (__u32 i = 0; i < engine->local_count; i++) {
		struct local *local = &engine->locals[i];

		local->load = local->kernel.cgroup ? find_or_add(engine, local->kernel.cgroup) : -1;
	}
	for (__u32 i = 0; i < engine->load_count; i++)
		sample(engine, &engine->loads[i]);
}

int runq_read(int map, int cpus, __u64 cgroup, void *buffer, struct aether_runq *sum)
{
	const struct aether_runq *parts = buffer;

	memset(sum, 0, sizeof(*sum));
	if (bpf_map_lookup_elem(map, &cgroup, buffer))
		return -1;
	for (int i = 0; i < cpus; i++)
		runq_add(sum, &parts[i]);
	return 0;
}
