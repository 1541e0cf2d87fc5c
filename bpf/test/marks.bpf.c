// SPDX-License-Identifier: GPL-2.0-only
/* Switches of the agent's tests: one marks half of what it passes on, one a sixteenth. */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

static __always_inline int mark(struct __sk_buff *skb, __u32 one_of)
{
	if (bpf_get_prandom_u32() % one_of == 0)
		bpf_skb_ecn_set_ce(skb);
	return TC_ACT_OK;
}

SEC("tc/half")
int half(struct __sk_buff *skb)
{
	return mark(skb, 2);
}

SEC("tc/sixteenth")
int sixteenth(struct __sk_buff *skb)
{
	return mark(skb, 16);
}

char LICENSE[] SEC("license") = "GPL";
