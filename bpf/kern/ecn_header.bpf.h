/* SPDX-License-Identifier: GPL-2.0-only */
/* Part of ecn: the few bytes of a segment's IP header that it looks at. */
#ifndef AETHER_ECN_HEADER_BPF_H
#define AETHER_ECN_HEADER_BPF_H

#include "shared_maps.bpf.h"

#define ETH_P_IP 0x0800
#define ETH_P_IPV6 0x86dd
#define IPPROTO_TCP 6
#define IPV4_HEADER 20
#define IPV6_HEADER 40
#define IPV4_SOURCE 12
#define IPV4_DESTINATION 16
#define IPV6_SOURCE 8
#define IPV6_DESTINATION 24

/* The field's values (RFC 3168). The two in between are the same to those who only mark. */
#define ECN_NOT_ECT 0
#define ECN_ECT_0 2
#define ECN_CE 3

/* The field of a segment whose data starts at the IP header; ECN_NOT_ECT also for what is no TCP. */
static __always_inline int ecn_field(struct __sk_buff *skb)
{
	const __u8 *data = (const __u8 *)(long)skb->data, *end = (const __u8 *)(long)skb->data_end;

	if (data + IPV4_HEADER > end)
		return ECN_NOT_ECT;
	if (skb->protocol == bpf_htons(ETH_P_IP))
		return data[9] == IPPROTO_TCP ? data[1] & 3 : ECN_NOT_ECT;
	/* An extension header in between is as good as no TCP. */
	if (skb->protocol == bpf_htons(ETH_P_IPV6))
		return data[6] == IPPROTO_TCP ? data[1] >> 4 & 3 : ECN_NOT_ECT;
	return ECN_NOT_ECT;
}

/* Where a segment whose data starts at the IP header goes to. */
static __always_inline bool ecn_destination(struct __sk_buff *skb, __u8 *addr)
{
	__u32 v4;

	if (skb->protocol == bpf_htons(ETH_P_IPV6))
		return !bpf_skb_load_bytes(skb, IPV6_DESTINATION, addr, 16);
	if (bpf_skb_load_bytes(skb, IPV4_DESTINATION, &v4, sizeof(v4)))
		return false;
	aether_map_v4(addr, v4);
	return true;
}

/* What goes over the wire as several segments passes here as one. */
static __always_inline __u32 ecn_segments(struct __sk_buff *skb)
{
	return skb->gso_segs ?: 1;
}

#endif /* AETHER_ECN_HEADER_BPF_H */
