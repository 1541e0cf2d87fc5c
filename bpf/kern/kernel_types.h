/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The few kernel structures the programs look into, with only the fields they use. The loader finds the
 * real offsets in the running kernel's BTF, so neither order nor completeness matters here; names do.
 */
#ifndef AETHER_KERNEL_TYPES_H
#define AETHER_KERNEL_TYPES_H

#include <linux/types.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct ns_common {
	unsigned int inum;
};

struct netns_ipv4 {
	__u8 sysctl_tcp_ecn;
};

struct net {
	struct ns_common ns;
	__u64 net_cookie;
	struct netns_ipv4 ipv4;
};

typedef struct {
	struct net *net;
} possible_net_t;

struct in6_addr {
	union {
		__u32 u6_addr32[4];
	} in6_u;
};

struct kernfs_node {
	__u64 id;
};

struct cgroup {
	int level;
	struct kernfs_node *kn;
	struct cgroup *ancestors[];
};

struct sock_cgroup_data {
	struct cgroup *cgroup;
};

struct sock_common {
	__u32 skc_daddr;
	__u32 skc_rcv_saddr;
	unsigned int skc_hash;
	__u16 skc_dport; /* network order */
	__u16 skc_num;	 /* host order */
	unsigned short skc_family;
	volatile unsigned char skc_state;
	possible_net_t skc_net;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
};

struct sock {
	struct sock_common __sk_common;
	__u32 sk_ack_backlog;
	__u32 sk_max_ack_backlog;
	__u8 sk_shutdown;
	struct sock_cgroup_data sk_cgrp_data;
};

struct inet_sock {
	struct sock sk;
};

struct inet_connection_sock {
	struct inet_sock icsk_inet;
	struct {
		__u8 pending;
	} icsk_ack;
};

struct minmax_sample {
	__u32 v;
};

struct minmax {
	struct minmax_sample s[3];
};

struct tcp_sock {
	struct inet_connection_sock inet_conn;
	__u32 rcv_nxt;
	__u32 copied_seq;
	__u32 snd_una;
	__u32 segs_out;
	__u32 total_retrans;
	struct minmax rtt_min;
	__u8 ecn_flags;
	__u8 bpf_sock_ops_cb_flags;
	__u32 snd_nxt;
	__u32 srtt_us;
	__u32 mss_cache;
	__u32 snd_cwnd;
	__u32 snd_ssthresh;
	__u32 delivered;
	__u32 delivered_ce;
	__u32 rcv_ooopack;
	__u64 bytes_sent;
};

struct ack_sample {
	__s32 rtt_us;
};

struct tcp_congestion_ops {
	__u32 (*ssthresh)(struct sock *sk);
	void (*cong_avoid)(struct sock *sk, __u32 ack, __u32 acked);
	void (*set_state)(struct sock *sk, __u8 state);
	void (*cwnd_event)(struct sock *sk, unsigned int event);
	void (*pkts_acked)(struct sock *sk, const struct ack_sample *sample);
	__u32 (*undo_cwnd)(struct sock *sk);
	__u32 (*min_tso_segs)(struct sock *sk);
	char name[16];
	__u32 flags;
	void (*init)(struct sock *sk);
};

struct sk_buff {
	unsigned int len;
	unsigned char *data;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct cfs_rq {
	int throttle_count;
};

struct sched_entity {
	struct cfs_rq *cfs_rq;
};

struct timerqueue_node {
	__s64 expires;
};

struct hrtimer {
	struct timerqueue_node node;
};

struct cfs_bandwidth {
	__s64 period;
	__u64 quota;
	struct hrtimer period_timer;
};

struct task_group {
	struct task_group *parent;
	struct cfs_bandwidth cfs_bandwidth;
};

/* What the scheduler itself notes of each task (CONFIG_SCHED_INFO). */
struct sched_info {
	unsigned long pcount;	      /* times that it got a CPU */
	unsigned long long run_delay; /* waits for one together, ns */
};

struct task_struct {
	unsigned int __state;
	unsigned int flags;
	int pid;
	struct sched_entity se;
	struct sched_info sched_info;
	struct task_group *sched_task_group;
	struct css_set *cgroups;
	bool throttled; /* since 6.18 */
};

/* Before 5.14. */
struct task_struct___old {
	volatile long state;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
	__u64 session_id;
	__u64 seq_num;
};

struct bpf_iter__tcp {
	struct bpf_iter_meta *meta;
	struct sock_common *sk_common;
};

#pragma clang attribute pop

/* From the kernel's headers, which cannot be included beside the structures above. */
#define AF_INET 2
#define AF_INET6 10
#define RCV_SHUTDOWN 1
#define PF_KTHREAD 0x00200000

#endif /* AETHER_KERNEL_TYPES_H */
