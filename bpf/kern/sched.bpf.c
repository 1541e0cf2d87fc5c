// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched: how long the tasks of each watched cgroup wait for a CPU once they could run.
 *
 * Every wait is counted, in the kernel; a task put back on the queue by preemption waits again.
 */
#include "common.bpf.h"

enum { EVENT_WAKEUP, EVENT_WAKEUP_NEW, EVENT_SWITCH };

struct sched_task {
	__u64 queued_ns; /* 0: not waiting */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct sched_task);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, AETHER_MAX_CGROUPS);
	__type(key, __u64);
	__type(value, struct aether_runq);
} waits SEC(".maps");

static const struct aether_runq no_waits;

static __always_inline struct aether_runq *sched_waits(__u64 cgroup)
{
	struct aether_runq *runq = bpf_map_lookup_elem(&waits, &cgroup);

	if (runq)
		return runq;
	bpf_map_update_elem(&waits, &cgroup, &no_waits, BPF_NOEXIST);
	runq = bpf_map_lookup_elem(&waits, &cgroup);
	if (!runq)
		aether_map_error();
	return runq;
}

static __always_inline void sched_queued(struct task_struct *task, __u64 now)
{
	struct sched_task *state = bpf_task_storage_get(&tasks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (state)
		state->queued_ns = now;
	else
		aether_map_error();
}

static __always_inline bool sched_runnable(struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return task->__state == 0;
	return ((struct task_struct___old *)task)->state == 0;
}

static __always_inline int sched_bucket(__u64 us)
{
	int bucket = 0;

#pragma unroll
	for (int i = 0; i < AETHER_RUNQ_BUCKETS - 1; i++)
		bucket += us >= (1ULL << i);
	return bucket;
}

static __always_inline void sched_waited(struct task_struct *task, __u64 wait)
{
	struct cgroup *cgroup = task->cgroups->dfl_cgrp;
	struct aether_runq *runq;

	if (!aether_watched(cgroup))
		return;
	runq = sched_waits(cgroup->kn->id);
	if (!runq)
		return;
	runq->count[sched_bucket(wait / 1000)]++;
	runq->sum_ns += wait;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(aether_wakeup, struct task_struct *task)
{
	if (aether_my_turn())
		sched_queued(task, bpf_ktime_get_ns());
	return 0;
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(aether_wakeup_new, struct task_struct *task)
{
	if (aether_my_turn())
		sched_queued(task, bpf_ktime_get_ns());
	return 0;
}

static __always_inline void sched_preempted(struct task_struct *prev, struct task_struct *next)
{
	struct cgroup *cgroup = prev->cgroups->dfl_cgrp;
	struct aether_runq *runq;

	if (!aether_watched(cgroup))
		return;
	runq = sched_waits(cgroup->kn->id);
	if (!runq)
		return;
	if (next->cgroups->dfl_cgrp->kn->id == cgroup->kn->id)
		runq->preempted_own++;
	else
		runq->preempted_foreign++;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(aether_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 now = bpf_ktime_get_ns();
	struct sched_task *state;

	if (!aether_my_turn())
		return 0;
	aether_count(EVENT_SWITCH, now);
	if (prev->pid && (preempt || sched_runnable(prev))) {
		sched_queued(prev, now);
		sched_preempted(prev, next);
	}
	if (!next->pid)
		return 0;
	state = bpf_task_storage_get(&tasks, next, 0, 0);
	if (!state || !state->queued_ns)
		return 0;
	sched_waited(next, aether_since(state->queued_ns, now));
	state->queued_ns = 0;
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
