// SPDX-License-Identifier: GPL-2.0-only
/* Gives each frame of a test run the next source and port, and sends it out. */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/tcp.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "flood.h"

const volatile __u32 device = 0;
const volatile __u32 first_source = 0; /* host order */
const volatile __u32 sources = 1;
/* Of everything but the source's address and port; tcp_sum is 0 where there is no sum to keep. */
const volatile __u32 ip_sum = 0;
const volatile __u32 tcp_sum = 0;

__u32 sent;

static __always_inline __u16 folded(__u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return bpf_htons(~sum);
}

SEC("xdp")
int flood(struct xdp_md *ctx)
{
	void *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;
	struct iphdr *ip = data + FLOOD_ETHERNET;
	struct tcphdr *tcp = data + FLOOD_ETHERNET + FLOOD_IP;
	__u32 n = sent++, source = first_source + n % sources, port = FLOOD_FIRST_PORT + n / sources % FLOOD_PORTS;

	if (data + FLOOD_SIZE > end)
		return XDP_ABORTED;
	ip->saddr = bpf_htonl(source);
	ip->check = folded(ip_sum + (source >> 16) + (source & 0xffff));
	tcp->source = bpf_htons(port);
	if (tcp_sum)
		tcp->check = folded(tcp_sum + (source >> 16) + (source & 0xffff) + port);
	return bpf_redirect(device, 0);
}

char LICENSE[] SEC("license") = "GPL";
