/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of ecn: takes a mark that is meant for the application off before TCP sees it and has the server slow down its
 * answer. Programs of cgroups may not write to a packet, and those of sockets come too late; so this one stands at the
 * interfaces of the clients' network namespaces, where it leaves anything alone but marks that a watched client counts.
 */
#ifndef AETHER_ECN_SCRUB_BPF_H
#define AETHER_ECN_SCRUB_BPF_H

#include "ecn_maps.bpf.h"

#define ETHERNET_HEADER 14
#define IPV4_CHECKSUM 10
#define PASS_ON (-1) /* TCX_NEXT: to whoever else stands here */

/* Its own pressure, as the peer told last, explains the mark; else it may be the network's, which TCP has to obey. */
static __always_inline bool ecn_ours(const struct aether_flow_key *key)
{
	struct aether_heard *heard = bpf_map_lookup_elem(&health_heard, key);
	struct aether_prefix address = {.bits = 128};

	if (heard && heard->health.pressure)
		return true;
	__builtin_memcpy(address.addr, key->addr, sizeof(address.addr));
	return bpf_map_lookup_elem(&trusted, &address) != NULL;
}

static __always_inline bool ecn_take_off(struct __sk_buff *skb, bool v6, __u8 field)
{
	__u8 clean = v6 ? (field & ~0x30) | ECN_ECT_0 << 4 : (field & ~3) | ECN_ECT_0;

	if (v6)
		return !bpf_skb_store_bytes(skb, ETHERNET_HEADER + 1, &clean, 1, BPF_F_RECOMPUTE_CSUM);
	/* Both changes together leave the header's sum as it is. */
	return !bpf_l3_csum_replace(skb, ETHERNET_HEADER + IPV4_CHECKSUM, bpf_htons(field), bpf_htons(clean), 2) &&
	       !bpf_skb_store_bytes(skb, ETHERNET_HEADER + 1, &clean, 1, 0);
}

/* The client's socket that the segment is for; to be released. */
static __always_inline struct bpf_sock *ecn_receiver(struct __sk_buff *skb, bool v6, __u32 header)
{
	struct bpf_sock_tuple tuple = {};

	if (v6) {
		if (bpf_skb_load_bytes(skb, ETHERNET_HEADER + IPV6_SOURCE, &tuple.ipv6.saddr, 32) ||
		    bpf_skb_load_bytes(skb, ETHERNET_HEADER + header, &tuple.ipv6.sport, 4))
			return NULL;
		return bpf_sk_lookup_tcp(skb, &tuple, sizeof(tuple.ipv6), BPF_F_CURRENT_NETNS, 0);
	}
	if (bpf_skb_load_bytes(skb, ETHERNET_HEADER + IPV4_SOURCE, &tuple.ipv4.saddr, 8) ||
	    bpf_skb_load_bytes(skb, ETHERNET_HEADER + header, &tuple.ipv4.sport, 4))
		return NULL;
	return bpf_sk_lookup_tcp(skb, &tuple, sizeof(tuple.ipv4), BPF_F_CURRENT_NETNS, 0);
}

static __always_inline void ecn_scrub(struct __sk_buff *skb, bool v6, __u8 field, __u32 header)
{
	struct bpf_sock *sk = ecn_receiver(skb, v6, header);
	struct aether_flow_socket *socket;
	struct aether_flow_key key;
	struct aether_arrived *from;
	bool watched;

	if (!sk)
		return;
	socket = bpf_sk_storage_get(&flow_sockets, sk, 0, 0);
	watched = socket != NULL;
	if (socket)
		key = socket->key;
	bpf_sk_release(sk);
	if (!watched || !ecn_ours(&key))
		return;
	from = ecn_arrived(&key);
	if (!from || !ecn_take_off(skb, v6, field))
		return;
	__sync_fetch_and_add(&from->ce, ecn_segments(skb));
	__sync_fetch_and_add(&from->scrubbed, ecn_segments(skb));
	aether_count(EVENT_SCRUB, bpf_ktime_get_ns());
}

SEC("tc")
int aether_ecn_scrub(struct __sk_buff *skb)
{
	bool v6 = skb->protocol == bpf_htons(ETH_P_IPV6);
	__u8 start[IPV4_HEADER];

	if ((!v6 && skb->protocol != bpf_htons(ETH_P_IP)) ||
	    bpf_skb_load_bytes(skb, ETHERNET_HEADER, start, sizeof(start)))
		return PASS_ON;
	if (v6 && start[6] == IPPROTO_TCP && (start[1] >> 4 & 3) == ECN_CE)
		ecn_scrub(skb, true, start[1], IPV6_HEADER);
	else if (!v6 && start[9] == IPPROTO_TCP && (start[1] & 3) == ECN_CE)
		ecn_scrub(skb, false, start[1], (start[0] & 15) * 4);
	return PASS_ON;
}

#endif /* AETHER_ECN_SCRUB_BPF_H */
