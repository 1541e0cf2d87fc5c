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
/* Whoever waits for quota waits longer than this, so that shorter waits need no look at what the task remembers. */
#define SHORT_WAIT_NS 64000

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
	if (sched_throttled(task) && aether_my_turn())
		sched_throttle(task);
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

/* Keeps a wait; true when it should not stay here. */
static __always_inline bool sched_gather(struct sched_group *group, __u64 wait)
{
	int bucket = sched_bucket(wait / 1000);

	if (group->pending == MOST_PENDING)
		return true;
	group->sum_ns += wait;
	group->buckets = group->buckets << 8 | bucket;
	group->pending++;
	return group->pending == MOST_PENDING || bucket >= LONG_WAIT;
}

/* Whether the task's last wait was for quota: then it is counted apart. */
static __always_inline bool sched_had_no_quota(struct task_struct *task, const struct sched_group *group)
{
	struct sched_task *state = bpf_task_storage_get(&tasks, task, 0, 0);
	struct aether_runq *runq;

	if (!state || !state->throttled)
		return false;
	state->throttled = 0;
	runq = sched_waits(group->cgroup);
	if (!runq)
		return true;
	runq->throttles++;
	runq->throttled_ns += aether_since(state->waited_ns, task->sched_info.run_delay);
	return true;
}

static __always_inline void sched_without_quota(struct task_struct *task, const struct sched_group *group)
{
	struct aether_runq *runq = sched_waits(group->cgroup);

	sched_throttle(task);
	if (runq)
		sched_tell(task, group->cgroup, runq, bpf_ktime_get_ns());
}

/* A task that could go on lost its CPU. */
static __always_inline void sched_lost(struct task_struct *prev, struct task_struct *next, struct sched_group *group)
{
	if (sched_throttled(prev))
		sched_without_quota(prev, group);
	else if (next->flags & PF_KTHREAD)
		group->lost_kernel++;
	else if (next->cgroups == prev->cgroups || next->cgroups->dfl_cgrp == prev->cgroups->dfl_cgrp)
		group->lost_own++;
	else
		group->lost_other++;
}

/* The kernel's own threads are in no cgroup but the root. */
static __always_inline bool sched_of_interest(const struct task_struct *task)
{
	return task->pid && !(watched_level && task->flags & PF_KTHREAD);
}

static __always_inline void sched_left(struct sched_cpu *here, struct task_struct *prev, struct task_struct *next,
				       __u64 waited_ns, bool preempt)
{
	struct sched_group *group = sched_group(here, prev);
	__u32 left_as = sched_state(prev);
	bool full = false;
	__u64 wait;

	if (!group->watched)
		return;
	wait = aether_since(waited_ns, prev->sched_info.run_delay);
	if (wait < SHORT_WAIT_NS || !sched_had_no_quota(prev, group))
		full = sched_gather(group, wait);
	if (preempt || left_as == STATE_RUNNABLE)
		sched_lost(prev, next, group);
	if (full || left_as & STATE_DEAD)
		sched_settle(group);
}

/*
 * A wait is known when its task leaves the CPU that it waited for: the kernel has measured by then what all its waits
 * come to, and this CPU remembers what they came to before. So no clock is read, wakeups are not seen, and nothing is
 * kept with each task, which would be cold. The counts of the cgroup are cold too: a few short waits are gathered
 * before they are touched.
 */
SEC("tp_btf/sched_switch")
int BPF_PROG(aether_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u32 zero = 0;
	struct sched_cpu *here = bpf_map_lookup_elem(&cpu, &zero);
	__u64 waited_ns;
	bool known;

	if (!here || !aether_my_turn())
		return 0;
	known = here->task == (__u64)prev;
	waited_ns = here->waited_ns;
	here->task = 0;
	if (sched_of_interest(next)) {
		here->task = (__u64)next;
		here->waited_ns = next->sched_info.run_delay;
	}
	if (known)
		sched_left(here, prev, next, waited_ns, preempt);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
