/* SPDX-License-Identifier: GPL-2.0-only */
/* What sched remembers: of each task since when it waits, of each cgroup the waits of its tasks. */
#ifndef AETHER_SCHED_TASKS_BPF_H
#define AETHER_SCHED_TASKS_BPF_H

#include "ring.bpf.h"

enum { EVENT_WAKEUP, EVENT_WAKEUP_NEW, EVENT_SWITCH };

struct sched_task {
	__u64 queued_ns; /* 0: not waiting */
	__u64 groups;	 /* where the kernel keeps the task's cgroups, when the next field was found out */
	__u64 cgroup;	 /* its id; 0: not watched */
	__u64 throttled; /* waits for quota */
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

static __always_inline struct sched_task *sched_task(struct task_struct *task)
{
	struct sched_task *state = bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!state)
		aether_map_error();
	return state;
}

/*
 * Whether a task is watched is found out once, and again when it has moved to another cgroup: this runs at each switch
 * of the whole machine.
 */
static __always_inline bool sched_watched(struct sched_task *state, struct task_struct *task)
{
	struct css_set *groups = task->cgroups;

	if (state->groups != (__u64)groups) {
		struct cgroup *cgroup = groups->dfl_cgrp;

		state->groups = (__u64)groups;
		state->cgroup = aether_watched(cgroup) ? cgroup->kn->id : 0;
	}
	return state->cgroup;
}

static __always_inline bool sched_runnable(struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return task->__state == 0;
	return ((struct task_struct___old *)task)->state == 0;
}

#endif /* AETHER_SCHED_TASKS_BPF_H */
