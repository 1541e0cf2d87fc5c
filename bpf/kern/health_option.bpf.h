/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of health: the option itself, and with whom it is exchanged. */
#ifndef AETHER_HEALTH_OPTION_BPF_H
#define AETHER_HEALTH_OPTION_BPF_H

#include "health_maps.bpf.h"

#define ENOENT 2
#define ENOMSG 42

enum health_load { HEALTH_FOUND, HEALTH_ABSENT, HEALTH_MALFORMED };

static __always_inline bool health_allows(const struct aether_prefix *host)
{
	return bpf_map_lookup_elem(&prefixes, host);
}

static __always_inline bool health_allowed(struct bpf_sock_ops *ops)
{
	struct aether_prefix host = {.bits = 128};
	__u32 *addr = (__u32 *)host.addr;

	addr[0] = ops->remote_ip6[0];
	addr[1] = ops->remote_ip6[1];
	addr[2] = ops->remote_ip6[2];
	addr[3] = ops->remote_ip6[3];
	return health_allows(&host);
}

static __always_inline bool health_valid(const struct aether_health *health)
{
	bool stalled = health->flags & AETHER_OPTION_STALLED;

	return (health->flags & AETHER_OPTION_VERSION_MASK) == AETHER_OPTION_VERSION && stalled == !!health->stall &&
	       health->in_flight <= AETHER_IN_FLIGHT_MAX;
}

static __always_inline enum health_load health_load(struct bpf_sock_ops *ops, struct aether_health *health, __u64 flags)
{
	/* For kinds with an identifier the search takes its length where the option's stands. */
	__u8 option[AETHER_OPTION_SIZE] = {AETHER_OPTION_KIND, 4, AETHER_OPTION_EXID_0, AETHER_OPTION_EXID_1};
	int length = bpf_load_hdr_opt(ops, option, sizeof(option), flags);
	struct aether_counts *c;

	if (length == sizeof(option)) {
		__builtin_memcpy(health, option + 4, sizeof(*health));
		if (health_valid(health))
			return HEALTH_FOUND;
	}
	if (length == -ENOMSG || length == -ENOENT)
		return HEALTH_ABSENT;
	c = aether_counts();
	if (c)
		c->malformed++;
	return HEALTH_MALFORMED;
}

static __always_inline int health_store(struct bpf_sock_ops *ops, const struct aether_health *health)
{
	__u8 option[AETHER_OPTION_SIZE] = {AETHER_OPTION_KIND, AETHER_OPTION_SIZE, AETHER_OPTION_EXID_0,
					   AETHER_OPTION_EXID_1};

	__builtin_memcpy(option + 4, health, sizeof(*health));
	return bpf_store_hdr_opt(ops, option, sizeof(option), 0);
}

static __always_inline __u32 health_bits(const struct aether_health *health)
{
	__u32 bits;

	__builtin_memcpy(&bits, health, sizeof(bits));
	return bits;
}

static __always_inline struct tcp_sock *health_tcp(struct bpf_sock *sk)
{
	return (struct tcp_sock *)bpf_skc_to_tcp_sock(sk);
}

static __always_inline __u32 health_netns(const struct tcp_sock *tp)
{
	return tp->inet_conn.icsk_inet.sk.__sk_common.skc_net.net->ns.inum;
}

static __always_inline struct health_namespace health_namespace(const struct tcp_sock *tp)
{
	struct net *net = tp->inet_conn.icsk_inet.sk.__sk_common.skc_net.net;

	return (struct health_namespace){.inum = net->ns.inum, .tcp_ecn = net->ipv4.sysctl_tcp_ecn};
}

static __always_inline void health_flags(struct bpf_sock_ops *ops, __u32 set, __u32 clear)
{
	bpf_sock_ops_cb_flags_set(ops, (ops->bpf_sock_ops_cb_flags & ~clear) | set);
}

#endif /* AETHER_HEALTH_OPTION_BPF_H */
