/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of sched: tasks that lose their CPU because their cgroup has used up its quota. */
#ifndef AETHER_SCHED_QUOTA_BPF_H
#define AETHER_SCHED_QUOTA_BPF_H

#include "sched_tasks.bpf.h"

#define NO_QUOTA (~0ULL)
#define MAX_GROUPS 8
/* The controller's default, for kernels whose timer we cannot read. */
#define PERIOD_NS 100000000ULL

/* Since 6.18 the kernel takes single tasks off the CPU, at their way back from the kernel; before, whole queues. */
static __always_inline bool sched_throttled(struct task_struct *task)
{
	if (bpf_core_field_exists(task->throttled))
		return task->throttled;
	if (bpf_core_field_exists(task->se.cfs_rq->throttle_count))
		return task->se.cfs_rq->throttle_count > 0;
	return false;
}

/* When the quota is filled up again: the next expiry of its timer, of the innermost group that has a quota. */
static __always_inline void sched_forecast(struct task_struct *task, struct aether_quota *quota, __u64 now)
{
	struct task_group *group = task->sched_task_group;
	__u64 expires = 0;

	quota->period_ns = PERIOD_NS;
	for (int i = 0; i < MAX_GROUPS && group; i++) {
		if (BPF_CORE_READ(group, cfs_bandwidth.quota) != NO_QUOTA) {
			quota->period_ns = BPF_CORE_READ(group, cfs_bandwidth.period);
			if (bpf_core_field_exists(group->cfs_bandwidth.period_timer.node.expires))
				expires = BPF_CORE_READ(group, cfs_bandwidth.period_timer.node.expires);
			break;
		}
		group = BPF_CORE_READ(group, parent);
	}
	quota->until_ns = expires > now && expires <= now + quota->period_ns ? expires : now + quota->period_ns / 2;
}

/* Once in each gap and CPU. */
static __always_inline void sched_tell(struct task_struct *task, __u64 cgroup, struct aether_runq *runq, __u64 now)
{
	struct aether_edge *edge;

	if (now < runq->told_until_ns)
		return;
	edge = aether_edge(AETHER_EDGE_QUOTA, now);
	if (!edge)
		return;
	edge->quota.cgroup = cgroup;
	sched_forecast(task, &edge->quota, now);
	runq->told_until_ns = edge->quota.until_ns;
	bpf_ringbuf_submit(edge, BPF_RB_FORCE_WAKEUP);
}

#endif /* AETHER_SCHED_QUOTA_BPF_H */
