/* SPDX-License-Identifier: GPL-2.0-only */
/* What sched remembers: of each CPU which task came to it last, of each cgroup the waits of its tasks. */
#ifndef AETHER_SCHED_TASKS_BPF_H
#define AETHER_SCHED_TASKS_BPF_H

#include "ring.bpf.h"

enum { EVENT_WAKEUP, EVENT_WAKEUP_NEW, EVENT_SWITCH };

#define MOST_PENDING 8	 /* as many as there are bytes in the field for them */
#define GROUPS_OF_CPU 16 /* a power of two */

/* The last short waits of a cgroup's tasks on one CPU, which its counts do not have yet. */
struct sched_group {
	__u64 cgroup; /* its id; 0: free */
	__u64 sum_ns;
	__u64 buckets; /* theirs, a byte for each */
	__u32 pending; /* how many they are */
	__u16 watched;
	/* Losses of a CPU since then, by who took it: no more than waits. */
	__u16 lost_own, lost_other, lost_kernel;
};

struct sched_cpu {
	__u64 task;	 /* who has the CPU; 0: nobody of interest */
	__u64 waited_ns; /* all its waits before the last one */
	struct sched_group groups[GROUPS_OF_CPU];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct sched_cpu);
} cpu SEC(".maps");

/* A task that lost its CPU for want of quota. */
struct sched_task {
	__u64 waited_ns; /* all its waits until then */
	__u64 throttled; /* the one that comes next is for quota */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct sched_task);
} tasks SEC(".maps");

/* Cgroups come and go, and nobody tells: those that are gone make room by being the least recently used. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_PERCPU_HASH);
	__uint(max_entries, 2 * AETHER_MAX_CGROUPS);
	__type(key, __u64);
	__type(value, struct aether_runq);
} waits SEC(".maps");

static const struct aether_runq no_waits;

static __always_inline struct aether_runq *sched_waits(__u64 cgroup)
{
	struct aether_runq *runq = bpf_map_lookup_elem(&waits, &cgroup);
	long error;

	if (runq)
		return runq;
	error = bpf_map_update_elem(&waits, &cgroup, &no_waits, BPF_NOEXIST);
	runq = bpf_map_lookup_elem(&waits, &cgroup);
	if (!runq)
		aether_map_failed(error);
	return runq;
}

/* Hands what was gathered to the cgroup. A function of its own, as it stands in the way of what runs often. */
static __noinline void sched_hand_over(struct sched_group *group, struct aether_runq *runq)
{
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < MOST_PENDING && i < group->pending; i++) {
		__u32 bucket = group->buckets >> 8 * i & 0xff;

		barrier_var(bucket); /* the verifier cannot follow what the compiler makes of the shift and the test */
		if (bucket < AETHER_RUNQ_BUCKETS)
			runq->count[bucket]++;
	}
	runq->sum_ns += group->sum_ns;
	runq->preempted_own += group->lost_own;
	runq->preempted_other += group->lost_other;
	runq->preempted_kernel += group->lost_kernel;
	group->lost_own = group->lost_other = group->lost_kernel = 0;
	aether_count_all(EVENT_SWITCH, group->pending, bpf_ktime_get_ns());
	group->sum_ns = 0;
	group->buckets = 0;
	group->pending = 0;
}

static __noinline void sched_settle(struct sched_group *group)
{
	struct aether_runq *runq = sched_waits(group->cgroup);

	if (runq)
		sched_hand_over(group, runq);
}

/*
 * What this CPU gathers for the task's cgroup; nothing where that is not watched, which is found out once for as long
 * as the cgroup keeps its place. Known by the cgroup's number, which no later one gets.
 */
static __always_inline struct sched_group *sched_group(struct sched_cpu *here, struct task_struct *task)
{
	struct cgroup *cgroup = task->cgroups->dfl_cgrp;
	__u64 id = cgroup->kn->id;
	struct sched_group *group = &here->groups[id & (GROUPS_OF_CPU - 1)];

	if (group->cgroup != id) {
		if (group->pending)
			sched_settle(group);
		__builtin_memset(group, 0, sizeof(*group));
		group->cgroup = id;
		group->watched = aether_watched(cgroup);
	}
	return group;
}

static __always_inline void sched_throttle(struct task_struct *task)
{
	struct sched_task *state = bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!state) {
		aether_map_error();
		return;
	}
	state->waited_ns = task->sched_info.run_delay;
	state->throttled = 1;
}

#define STATE_RUNNABLE 0
#define STATE_DEAD 0x80 /* switched out for good */

static __always_inline __u32 sched_state(struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return ((struct task_struct___old *)task)->state;
}

#endif /* AETHER_SCHED_TASKS_BPF_H */
