// SPDX-License-Identifier: GPL-2.0-only
/*
 * The switch of the incast benchmark: marks what passes to a token bucket filter while more than a threshold waits
 * there. It stands before the filter and cannot see its queue, so it keeps the same account: what came, less what the
 * rate has taken since; what would not fit is dropped there and does not count.
 */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

#include "incast.h"

struct account {
	struct bpf_spin_lock lock;
	__u32 pad;
	__u64 time_ns;
	__s64 waiting; /* bytes; below zero: tokens */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct account);
} accounts SEC(".maps");

static __always_inline __s64 enter(struct account *account, __u64 now, __u32 length)
{
	__u64 gone;

	bpf_spin_lock(&account->lock);
	gone = now > account->time_ns ? (now - account->time_ns) * INCAST_BYTES_PER_US / 1000 : 0;
	account->time_ns = now;
	account->waiting = gone > INCAST_LIMIT + INCAST_BURST ? -INCAST_BURST : account->waiting - (__s64)gone;
	if (account->waiting < -INCAST_BURST)
		account->waiting = -INCAST_BURST;
	if (account->waiting + length <= INCAST_LIMIT)
		account->waiting += length;
	gone = account->waiting > 0 ? account->waiting : 0;
	bpf_spin_unlock(&account->lock);
	return gone;
}

SEC("tc")
int incast_mark(struct __sk_buff *skb)
{
	__u32 zero = 0;
	struct account *account = bpf_map_lookup_elem(&accounts, &zero);

	if (account && enter(account, bpf_ktime_get_ns(), skb->len) > INCAST_THRESHOLD)
		bpf_skb_ecn_set_ce(skb);
	return TC_ACT_OK;
}

char LICENSE[] SEC("license") = "GPL";
