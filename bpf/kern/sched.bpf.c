// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched: how long the tasks of each watched cgroup wait for a CPU once they could run, and for whom or what.
 *
 * Every wait is counted, in the kernel; a task put back on the queue by preemption waits again. Waiting for the CPU
 * quota is no wait in the queue: it is counted apart, and told at once.
 */
#include "sched_tasks.bpf.h"
#include "sched_quota.bpf.h"

/* Powers of two: bucket b holds [2^(b-1), 2^b) us, the last one everything longer. */
static __always_inline int sched_bucket(__u64 us)
{
	__u32 v = us >> 31 ? 0x7fffffff : us, bits, step;

	if (!v)
		return 0;
	bits = (v > 0xffff) << 4;
	v >>= bits;
	step = (v > 0xff) << 3;
	v >>= step;
	bits |= step;
	step = (v > 0xf) << 2;
	v >>= step;
	bits |= step;
	step = (v > 0x3) << 1;
	v >>= step;
	bits |= step | (v >> 1);
	return bits + 1 < AETHER_RUNQ_BUCKETS ? bits + 1 : AETHER_RUNQ_BUCKETS - 1;
}

/*
 * A woken task is cold: only its state is touched. What is known of its cgroup may be out of date; the switch that
 * gives it a CPU looks again.
 */
static __always_inline int sched_woken(struct task_struct *task)
{
	struct sched_task *state;

	if (!aether_my_turn())
		return 0;
	state = sched_task(task);
	if (!state || (state->groups && !state->cgroup))
		return 0;
	state->queued_ns = bpf_ktime_get_ns();
	state->throttled = sched_woken_throttled(task);
	return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(aether_wakeup, struct task_struct *task)
{
	return sched_woken(task);
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(aether_wakeup_new, struct task_struct *task)
{
	return sched_woken(task);
}

/* A task that could go on lost its CPU. */
static __always_inline void sched_left(struct task_struct *prev, struct task_struct *next)
{
	struct sched_task *state = sched_task(prev);
	struct aether_runq *runq;
	__u64 now;

	if (!state || !sched_watched(state, prev))
		return;
	now = bpf_ktime_get_ns();
	aether_count(EVENT_SWITCH, now);
	state->queued_ns = now;
	state->throttled = sched_throttled(prev);
	runq = sched_waits(state->cgroup);
	if (!runq)
		return;
	if (state->throttled)
		sched_tell(prev, state->cgroup, runq, now);
	else if (next->flags & PF_KTHREAD)
		runq->preempted_kernel++;
	else if (next->cgroups->dfl_cgrp->kn->id == state->cgroup)
		runq->preempted_own++;
	else
		runq->preempted_other++;
}

static __always_inline void sched_came(struct task_struct *next)
{
	struct sched_task *state = bpf_task_storage_get(&tasks, next, 0, 0);
	struct aether_runq *runq;
	__u64 now, wait;

	if (!state || !sched_watched(state, next) || !state->queued_ns)
		return;
	now = bpf_ktime_get_ns();
	wait = aether_since(state->queued_ns, now);
	state->queued_ns = 0;
	aether_count(EVENT_SWITCH, now);
	runq = sched_waits(state->cgroup);
	if (!runq)
		return;
	if (state->throttled) {
		runq->throttles++;
		runq->throttled_ns += wait;
		return;
	}
	runq->count[sched_bucket(wait / 1000)]++;
	runq->sum_ns += wait;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(aether_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	if (!aether_my_turn())
		return 0;
	if (prev->pid && (preempt || sched_runnable(prev)))
		sched_left(prev, next);
	if (next->pid)
		sched_came(next);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
