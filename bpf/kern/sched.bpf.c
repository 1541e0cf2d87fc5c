// SPDX-License-Identifier: GPL-2.0-only
/*
 * sched: how long the tasks of each watched cgroup wait for a CPU once they could run, and for whom or what.
 *
 * Every wait is counted, in the kernel, once the task has had its CPU; a task put back on the queue by preemption waits
 * again. Waiting for the CPU quota is no wait in the queue: it is counted apart, and told at once.
 */
#include "sched_tasks.bpf.h"
#include "sched_quota.bpf.h"

/* The bucket from which on, about a millisecond, a wait is told at once. */
#define LONG_WAIT 11

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
 * Before 6.18 a task may be woken in a queue that has no quota left. On newer kernels this program is not loaded
 * (loader.c): they take single tasks off their CPU, which the switch sees.
 */
static __always_inline int sched_woken(struct task_struct *task)
{
	struct sched_task *state;

	if (!sched_throttled(task) || !aether_my_turn())
		return 0;
	state = sched_task(task);
	if (state)
		state->throttled = 1;
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

/* Keeps a wait with its task; true when it should not stay there. */
static __always_inline bool sched_gather(struct sched_task *state, __u64 wait)
{
	int bucket = sched_bucket(wait / 1000);

	if (state->pending == MOST_PENDING)
		return true;
	state->sum_ns += wait;
	state->buckets = state->buckets << 8 | bucket;
	state->pending++;
	return state->pending == MOST_PENDING || bucket >= LONG_WAIT;
}

static __always_inline void sched_had_no_quota(struct sched_task *state, __u64 wait)
{
	struct aether_runq *runq = sched_waits(state->cgroup);

	state->throttled = 0;
	if (!runq)
		return;
	runq->throttles++;
	runq->throttled_ns += wait;
}

static __always_inline void sched_without_quota(struct task_struct *task, struct sched_task *state)
{
	struct aether_runq *runq = sched_waits(state->cgroup);

	state->throttled = 1;
	if (runq)
		sched_tell(task, state->cgroup, runq, bpf_ktime_get_ns());
}

/* A task that could go on lost its CPU. */
static __always_inline void sched_lost(struct task_struct *prev, struct task_struct *next, struct sched_task *state)
{
	if (sched_throttled(prev))
		sched_without_quota(prev, state);
	else if (next->flags & PF_KTHREAD)
		state->lost_kernel++;
	else if (next->cgroups == prev->cgroups || next->cgroups->dfl_cgrp == prev->cgroups->dfl_cgrp)
		state->lost_own++;
	else
		state->lost_other++;
}

/*
 * Everything is learned from the task that leaves its CPU: what it touches is in the caches, while the one that comes
 * is cold. The kernel has measured by then how long it waited before; so no clock is compared, and wakeups are not
 * seen. The counts of the cgroup are cold too: a task gathers a few short waits before it touches them.
 */
SEC("tp_btf/sched_switch")
int BPF_PROG(aether_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	struct sched_task *state;
	struct aether_runq *runq;
	bool full = false;
	__u32 left_as;
	__u64 wait;

	/* The kernel's own threads are in no cgroup but the root. */
	if (!prev->pid || (watched_level && prev->flags & PF_KTHREAD) || !aether_my_turn())
		return 0;
	state = sched_task(prev);
	if (!state || !sched_watched(state, prev))
		return 0;
	wait = aether_since(state->waited_ns, prev->sched_info.run_delay);
	state->waited_ns = prev->sched_info.run_delay;
	left_as = sched_state(prev);
	if (state->throttled)
		sched_had_no_quota(state, wait);
	else
		full = sched_gather(state, wait);
	if (preempt || left_as == STATE_RUNNABLE)
		sched_lost(prev, next, state);
	if (!full && !(left_as & STATE_DEAD))
		return 0;
	runq = sched_waits(state->cgroup);
	if (runq)
		sched_hand_over(state, runq);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
