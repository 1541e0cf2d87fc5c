// SPDX-License-Identifier: Apache-2.0
/* Run-queue figures of the cgroups that own LOCAL endpoints. */
#include <bpf/bpf.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "engine.h"
#include "throttle.h"

void runq_add(struct aether_runq *sum, const struct aether_runq *part)
{
	for (int i = 0; i < AETHER_RUNQ_BUCKETS; i++)
		sum->count[i] += part->count[i];
	sum->sum_ns += part->sum_ns;
	sum->preempted_own += part->preempted_own;
	sum->preempted_other += part->preempted_other;
	sum->preempted_kernel += part->preempted_kernel;
	sum->throttles += part->throttles;
	sum->throttled_ns += part->throttled_ns;
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
	engine->loads[engine->load_count] =
		(struct load){.cgroup = cgroup, .stat = throttle_open(engine->cgroup, cgroup)};
	return engine->load_count++;
}

static void close_stat(struct load *load)
{
	if (load->stat >= 0)
		close(load->stat);
	load->stat = -1;
}

/* Forgets the cgroups whose endpoints are gone. */
static void forget_unused(struct engine *engine)
{
	for (__u32 i = 0; i < engine->load_count;) {
		int used = 0;

		for (__u32 j = 0; j < engine->local_count && !used; j++)
			used = engine->locals[j].kernel.cgroup == engine->loads[i].cgroup;
		if (used) {
			i++;
			continue;
		}
		close_stat(&engine->loads[i]);
		engine->loads[i] = engine->loads[--engine->load_count];
	}
}

void loads_close(struct engine *engine)
{
	for (__u32 i = 0; i < engine->load_count; i++)
		close_stat(&engine->loads[i]);
	engine->load_count = 0;
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

/* Several CPUs may be throttled at once: the share is cut off at the whole. */
static void sample_throttling(struct load *load, __u64 now)
{
	__u64 total, share = 0;

	if (load->stat < 0 || throttle_read(load->stat, &total))
		return;
	if (load->throttled_at && total > load->throttled_ns)
		share = (total - load->throttled_ns) * 1000 / (now - load->throttled_at);
	load->throttled_permille = share > 1000 ? 1000 : share;
	load->throttled_ns = total;
	load->throttled_at = now;
}

__u16 load_throttled(const struct load *load)
{
	return load->foretold_permille > load->throttled_permille ? load->foretold_permille : load->throttled_permille;
}

/* What is left of the period is lost: nothing of the cgroup runs before its quota is filled up. */
void loads_edge(struct engine *engine, const struct aether_quota *quota, __u64 now)
{
	int index = find(engine, quota->cgroup);
	struct load *load = index < 0 ? NULL : &engine->loads[index];
	__u64 left = clock_since(now, quota->until_ns);

	if (!load || !quota->period_ns || !left)
		return;
	load->foretold_permille = left < quota->period_ns ? left * 1000 / quota->period_ns : 1000;
	load->foretold_until_ns = quota->until_ns;
	for (__u32 i = 0; i < engine->local_count; i++) {
		if (engine->locals[i].load == index)
			engine->locals[i].dirty = engine->locals_dirty = 1;
	}
}

/* Once the gap is over, the measured share holds all of it. */
static void forget_foretold(struct load *load, __u64 now)
{
	if (load->foretold_until_ns && now < load->foretold_until_ns)
		return;
	load->foretold_until_ns = 0;
	load->foretold_permille = 0;
}

void loads_tick(struct engine *engine)
{
	forget_unused(engine);
	for (__u32 i = 0; i < engine->local_count; i++) {
		struct local *local = &engine->locals[i];

		local->load = local->kernel.cgroup ? find_or_add(engine, local->kernel.cgroup) : -1;
	}
	for (__u32 i = 0; i < engine->load_count; i++) {
		sample(engine, &engine->loads[i]);
		sample_throttling(&engine->loads[i], clock_now());
		forget_foretold(&engine->loads[i], clock_now());
	}
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
