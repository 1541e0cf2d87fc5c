// SPDX-License-Identifier: GPL-2.0-only
/*
 * ecn: servers mark their answers while requests wait for them, and clients count the marks of each server.
 *
 *   client                                  server
 *     | request ---------------------------> |  waits longer than it should
 *     | <------------- answer, perhaps marked |  by the level of its endpoint, weighted by the client's share
 *     | counts; the mark ends here when the server's own word explains it
 *
 * Only connections that negotiated ECN carry marks, and nothing here asks for it: a need for ECN at one end alone
 * switches it off. What cannot be marked costs the look at one byte.
 */
#include "ecn_maps.bpf.h"
#include "ecn_mark.bpf.h"

SEC("cgroup_skb/egress")
int aether_ecn_out(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	struct aether_socket *socket;
	__u64 now;

	if (!sk || ecn_field(skb) == ECN_NOT_ECT)
		return 1;
	socket = bpf_sk_storage_get(&queue_sockets, sk, 0, 0);
	if (!socket || !socket->queue.accepted)
		return 1;
	now = bpf_ktime_get_ns();
	aether_count(EVENT_OUT, now);
	ecn_send(skb, &socket->queue.local, now);
	return 1;
}

SEC("cgroup_skb/ingress")
int aether_ecn_in(struct __sk_buff *skb)
{
	struct bpf_sock *sk = skb->sk;
	struct aether_flow_socket *socket;
	struct aether_arrived *from;
	int field = ecn_field(skb);

	if (!sk || field == ECN_NOT_ECT)
		return 1;
	socket = bpf_sk_storage_get(&flow_sockets, sk, 0, 0);
	from = socket ? ecn_arrived(&socket->key) : NULL;
	if (!from)
		return 1;
	from->time_ns = bpf_ktime_get_ns();
	aether_count(EVENT_IN, from->time_ns);
	__sync_fetch_and_add(&from->able, ecn_segments(skb));
	if (field == ECN_CE)
		__sync_fetch_and_add(&from->ce, ecn_segments(skb));
	return 1;
}

#include "ecn_scrub.bpf.h"

char LICENSE[] SEC("license") = "GPL";
