/* SPDX-License-Identifier: GPL-2.0-only */
/* What is behind the IP header. */
#ifndef AETHER_GUARD_SEGMENT_BPF_H
#define AETHER_GUARD_SEGMENT_BPF_H

#include <linux/icmpv6.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>

#include "guard_maps.bpf.h"

/* As many as RFC 8200's order has without IPsec's; each one more is dearer to verify. */
#define MAX_EXTENSIONS 5
#define NEIGHBOUR_FIRST 133 /* router solicitation ... */
#define NEIGHBOUR_LAST 137  /* ... redirect */
#define NEIGHBOUR_HOPS 255  /* cannot have come from another network */
#define TCP_FIN 0x01
#define TCP_SYN 0x02
#define TCP_RST 0x04
#define TCP_ACK 0x10
#define TCP_FLAGS_AT 13

enum guard_kind {
	KIND_OTHER,
	KIND_SYN,	/* asks for a connection */
	KIND_TCP,	/* any other segment */
	KIND_LATER,	/* a fragment without the transport's header */
	KIND_NEIGHBOUR, /* discovery */
	KIND_TRUNCATED,
	KIND_MALFORMED,
	KIND_EXTENSIONS,
};

struct guard_segment {
	enum guard_kind kind;
	__u8 reset;
	__u16 source_port, target_port; /* of TCP, network order */
};

struct guard_fragment_header {
	__u8 next, reserved;
	__u16 offset; /* network order, in 8 bytes; its last bit: more follow */
	__u32 id;
};

/*
 * room is what the IP header leaves for the transport; what lies behind it in the frame is padding, and not of the
 * segment. 0: unknown, as in the large frames that receive offload makes.
 */
static __always_inline enum guard_kind guard_tcp(struct guard_segment *segment, void *at, void *end, __u32 room,
						 bool fragment)
{
	struct tcphdr *tcp = at;
	__u8 flags;

	/* A first fragment that hides the flags in the next one is made by hand. */
	if ((void *)(tcp + 1) > end || (room && room < sizeof(*tcp)))
		return fragment ? KIND_MALFORMED : KIND_TRUNCATED;
	flags = ((__u8 *)at)[TCP_FLAGS_AT];
	if (tcp->doff < 5)
		return KIND_MALFORMED;
	if (room && room < tcp->doff * 4u)
		return fragment ? KIND_MALFORMED : KIND_TRUNCATED;
	if (!(flags & (TCP_SYN | TCP_RST | TCP_ACK)) || ((flags & TCP_SYN) && (flags & (TCP_FIN | TCP_RST))))
		return KIND_MALFORMED;
	segment->source_port = tcp->source;
	segment->target_port = tcp->dest;
	segment->reset = flags & TCP_RST;
	return (flags & (TCP_SYN | TCP_ACK)) == TCP_SYN ? KIND_SYN : KIND_TCP;
}

/* One that starts at byte 8 replaces the flags of the first when both are put together. */
static __always_inline enum guard_kind guard_later(__u8 protocol, __u16 offset)
{
	return protocol == IPPROTO_TCP && offset == 1 ? KIND_MALFORMED : KIND_LATER;
}

static __always_inline void guard_read4(struct guard_segment *segment, struct iphdr *ip, void *end)
{
	__u32 header = ip->ihl * 4u, total = bpf_ntohs(ip->tot_len);
	__u16 fragment = bpf_ntohs(ip->frag_off);

	if (ip->version != 4 || header < sizeof(*ip) || (total && total < header))
		segment->kind = KIND_MALFORMED;
	else if ((void *)ip + header > end)
		segment->kind = KIND_TRUNCATED;
	else if (fragment & 0x1fff)
		segment->kind = guard_later(ip->protocol, fragment & 0x1fff);
	else if (ip->protocol == IPPROTO_TCP && total == header)
		segment->kind = KIND_TRUNCATED;
	else if (ip->protocol == IPPROTO_TCP)
		segment->kind =
			guard_tcp(segment, (void *)ip + header, end, total ? total - header : 0, fragment & 0x2000);
}

static __always_inline enum guard_kind guard_icmp6(struct ipv6hdr *ip, void *at, void *end)
{
	struct icmp6hdr *icmp = at;

	if ((void *)(icmp + 1) > end)
		return KIND_TRUNCATED;
	if (ip->hop_limit == NEIGHBOUR_HOPS && icmp->icmp6_type >= NEIGHBOUR_FIRST &&
	    icmp->icmp6_type <= NEIGHBOUR_LAST)
		return KIND_NEIGHBOUR;
	return KIND_OTHER;
}

/* Not the authentication header: like encrypted packets, such ones are the business of whoever holds the keys. */
static __always_inline bool guard_is_extension(__u8 next)
{
	return next == IPPROTO_HOPOPTS || next == IPPROTO_ROUTING || next == IPPROTO_FRAGMENT ||
	       next == IPPROTO_DSTOPTS;
}

static __always_inline void guard_read6(struct guard_segment *segment, struct ipv6hdr *ip, void *end)
{
	__u32 payload = bpf_ntohs(ip->payload_len), used = 0;
	void *at = ip + 1;
	__u8 next = ip->nexthdr;
	bool fragment = false;

	if (ip->version != 6) {
		segment->kind = KIND_MALFORMED;
		return;
	}
#pragma unroll
	for (int i = 0; i < MAX_EXTENSIONS && guard_is_extension(next); i++) {
		struct guard_fragment_header *header = at;
		__u32 length;

		if ((void *)(header + 1) > end) {
			segment->kind = fragment ? KIND_MALFORMED : KIND_TRUNCATED;
			return;
		}
		length = (header->reserved + 1u) * 8u;
		if (next == IPPROTO_FRAGMENT) {
			__u16 offset = bpf_ntohs(header->offset);

			if (offset >> 3) {
				segment->kind = guard_later(header->next, offset >> 3);
				return;
			}
			length = sizeof(*header);
			fragment = true; /* or whole: the same rules will do */
		}
		next = header->next;
		used += length;
		at += length;
	}
	if (guard_is_extension(next))
		segment->kind = KIND_EXTENSIONS;
	else if (next != IPPROTO_TCP && next != IPPROTO_ICMPV6)
		segment->kind = KIND_OTHER;
	else if (payload && payload <= used)
		segment->kind = fragment ? KIND_MALFORMED : KIND_TRUNCATED;
	else if (next == IPPROTO_TCP)
		segment->kind = guard_tcp(segment, at, end, payload ? payload - used : 0, fragment);
	else
		segment->kind = guard_icmp6(ip, at, end);
}

#endif /* AETHER_GUARD_SEGMENT_BPF_H */
