/* SPDX-License-Identifier: GPL-2.0-only */
/* What sched remembers: of each task how long it had waited when it was seen last, of each cgroup the waits of its
 * tasks. */
#ifndef AETHER_SCHED_TASKS_BPF_H
#define AETHER_SCHED_TASKS_BPF_H

#include "ring.bpf.h"

enum { EVENT_WAKEUP, EVENT_WAKEUP_NEW, EVENT_SWITCH };

struct sched_task {
	__u64 groups;	 /* where the kernel keeps the task's cgroups, when the next field was found out */
	__u64 cgroup;	 /* its id; 0: not watched */
	__u64 waited_ns; /* all its waits that were seen */
	__u64 sum_ns;	 /* of the last ones, which its cgroup's counts do not have yet */
	__u64 buckets;	 /* theirs, a byte for each */
	__u32 pending;	 /* how many they are */
	__u16 throttled; /* the wait that comes next is for quota */
	/* Losses of a CPU since then, by who took it: no more than waits. */
	__u16 lost_own, lost_other, lost_kernel;
};

#define MOST_PENDING 8 /* as many as there are bytes */

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

static __always_inline struct sched_task *sched_task(struct task_struct *task)
{
	struct sched_task *state = bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!state)
		aether_map_error();
	return state;
}

/* Hands what a task has gathered to its cgroup. A function of its own, as it stands in the way of what runs often. */
static __noinline void sched_hand_over(struct sched_task *state, struct aether_runq *runq)
{
#pragma clang loop unroll(disable)
	for (__u32 i = 0; i < MOST_PENDING && i < state->pending; i++) {
		__u32 bucket = state->buckets >> 8 * i & 0xff;

		barrier_var(bucket); /* the verifier cannot follow what the compiler makes of the shift and the test */
		if (bucket < AETHER_RUNQ_BUCKETS)
			runq->count[bucket]++;
	}
	runq->sum_ns += state->sum_ns;
	runq->preempted_own += state->lost_own;
	runq->preempted_other += state->lost_other;
	runq->preempted_kernel += state->lost_kernel;
	state->lost_own = state->lost_other = state->lost_kernel = 0;
	aether_count_all(EVENT_SWITCH, state->pending, bpf_ktime_get_ns());
	state->sum_ns = 0;
	state->buckets = 0;
	state->pending = 0;
}

/*
 * Whether a task is watched is found out once, and again when it has moved to another cgroup: this runs at each switch
 * of the whole machine. What it waited before it was watched is left out; a new task has waited once.
 */
static __always_inline bool sched_watched(struct sched_task *state, struct task_struct *task)
{
	struct css_set *groups = task->cgroups;

	if (state->groups != (__u64)groups) {
		struct cgroup *cgroup = groups->dfl_cgrp;
		struct aether_runq *runq = state->pending ? sched_waits(state->cgroup) : NULL;

		if (runq)
			sched_hand_over(state, runq);
		if (!state->cgroup && task->sched_info.pcount > 1)
			state->waited_ns = task->sched_info.run_delay;
		state->groups = (__u64)groups;
		state->cgroup = aether_watched(cgroup) ? cgroup->kn->id : 0;
	}
	return state->cgroup;
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
