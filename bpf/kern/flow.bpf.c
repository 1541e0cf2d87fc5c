// SPDX-License-Identifier: GPL-2.0-only
/*
 * flow: what the sockets of this node's clients know about the path to each remote endpoint.
 *
 * Only sockets that connected are followed; their remote port is a server's, so ephemeral ports never
 * become endpoints. Sockets that were open before are adopted by the iterator.
 */
#include "ring.bpf.h"

#define NSEC_PER_USEC 1000ULL
#define MIN_HALF_WINDOW_NS (5 * 1000000000ULL)
#define SOL_TCP 6
#define TCP_BPF_SOCK_OPS_CB_FLAGS 1008 /* since 6.12 */
#define FLOW_FLAGS (BPF_SOCK_OPS_RTT_CB_FLAG | BPF_SOCK_OPS_STATE_CB_FLAG | BPF_SOCK_OPS_RETRANS_CB_FLAG)
#define FLOW_OPS                                                                                                       \
	(1U << BPF_SOCK_OPS_TCP_CONNECT_CB | 1U << BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB | 1U << BPF_SOCK_OPS_RTT_CB |    \
	 1U << BPF_SOCK_OPS_RETRANS_CB | 1U << BPF_SOCK_OPS_STATE_CB)

enum { EVENT_FLOW, EVENT_ADOPT };

const volatile __u32 congested_rtt_us = 50000;
const volatile __u32 congested_floor_us = 2000;
const volatile __u32 congested_factor = 8;
/* The longest that a receiver holds back an acknowledgement, with its timer's slack. */
const volatile __u32 delayed_ack_us = 50000;

#include "flow_calm.bpf.h"

SOCKET_STORAGE(sockets, struct aether_flow_socket);

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, AETHER_MAX_PEERS);
	__type(key, struct aether_flow_key);
	__type(value, struct aether_flow);
} peers SEC(".maps");

/* Listening ports met by the iterator, which visits listeners first: their children did not connect. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4 * AETHER_MAX_LOCALS);
	__type(key, struct aether_local_key);
	__type(value, __u8);
} listening SEC(".maps");

static const struct aether_flow no_flow;

static __always_inline void flow_changed(const struct aether_flow_key *key, __u64 now)
{
	struct aether_edge *edge = aether_edge(AETHER_EDGE_PEER, now);

	if (!edge)
		return;
	edge->peer = *key;
	bpf_ringbuf_submit(edge, BPF_RB_FORCE_WAKEUP);
}

/* A new one is told: the pump looks for those that it does not know from time to time only. */
static __always_inline struct aether_flow *flow_peer(const struct aether_flow_key *key, __u64 now)
{
	struct aether_flow *flow = bpf_map_lookup_elem(&peers, key);
	long error;

	if (flow)
		return flow;
	error = bpf_map_update_elem(&peers, key, &no_flow, BPF_NOEXIST);
	flow = bpf_map_lookup_elem(&peers, key);
	if (!flow) {
		aether_map_failed(error);
		return NULL;
	}
	flow->time_ns = now;
	flow_changed(key, now);
	return flow;
}

static __always_inline __u32 flow_minimum(struct aether_flow *flow, __u32 sample, __u64 now)
{
	__u64 age = aether_since(flow->window_ns, now);

	if (age > MIN_HALF_WINDOW_NS) {
		flow->min_us[1] = age > 2 * MIN_HALF_WINDOW_NS ? 0 : flow->min_us[0];
		flow->min_us[0] = 0;
		flow->window_ns = now;
	}
	if (!flow->min_us[0] || sample < flow->min_us[0])
		flow->min_us[0] = sample;
	return flow->min_us[1] && flow->min_us[1] < flow->min_us[0] ? flow->min_us[1] : flow->min_us[0];
}

/*
 * A sample is never below the path's round trip, but the answer to a small request is often also its
 * acknowledgement, so it may be above by the server's whole service time, up to the delayed-ACK timer.
 * The path's round trip therefore lies in [sample - delayed_ack, sample]; only a handshake or an
 * acknowledgement of more than one segment is exact. The estimate moves by half (down) or a quarter (up) of
 * what it takes to enter the interval, and rests inside: a slow server alone never looks like a congested path.
 */
static __always_inline void flow_rtt(struct aether_flow *flow, __u32 sample, bool exact)
{
	__u32 low = exact ? sample : sample > delayed_ack_us ? sample - delayed_ack_us : 0;
	__u32 rtt = flow->rtt_us;

	if (rtt > sample)
		rtt -= (rtt - sample + 1) / 2;
	else if (rtt < low)
		rtt += (low - rtt + 3) / 4;
	flow->rtt_us = rtt;
}

static __always_inline void flow_judge(struct aether_flow *flow, const struct aether_flow_key *key, __u32 minimum,
				       __u64 now)
{
	__u64 threshold = (__u64)minimum * congested_factor;

	if (threshold > congested_rtt_us)
		threshold = congested_rtt_us;
	if (threshold < congested_floor_us)
		threshold = congested_floor_us;
	if (!flow->congested_since_ns && flow->rtt_us > threshold)
		flow->congested_since_ns = now;
	else if (flow->congested_since_ns && flow->rtt_us < threshold / 2)
		flow->congested_since_ns = 0;
	else
		return;
	flow_changed(key, now);
}

static __always_inline void flow_sample(struct bpf_sock_ops *ops, struct aether_flow_socket *socket, __u64 now)
{
	struct aether_flow *flow = flow_peer(&socket->key, now);
	__u32 sample = ops->args[0] ?: ops->srtt_us >> 3;
	__u32 una = ops->snd_una;
	__u32 segs = ops->segs_out;
	bool exact = ops->args[0] && (ops->state == BPF_TCP_SYN_SENT || una - socket->snd_una > ops->mss_cache);

	if (!flow)
		return;
	__sync_fetch_and_add(&flow->segs_out, segs - socket->segs_out);
	socket->segs_out = segs;
	socket->snd_una = una;
	flow->cwnd = ops->snd_cwnd;
	flow->in_flight_bytes = ops->snd_nxt - una;
	flow->time_ns = now;
	if (!sample)
		return;
	if (!flow->rtt_samples)
		flow->rtt_us = sample;
	flow->rtt_samples++;
	flow_rtt(flow, sample, exact);
	flow_judge(flow, &socket->key, flow_minimum(flow, sample, now), now);
	flow_note(ops, flow);
}

static __always_inline void flow_count(struct aether_flow_socket *socket, int change, __u64 now)
{
	struct aether_flow *flow;

	if (socket->counted == (change > 0))
		return;
	socket->counted = change > 0;
	flow = flow_peer(&socket->key, now);
	if (!flow)
		return;
	__sync_fetch_and_add(&flow->connections, change);
	if (socket->ecn)
		__sync_fetch_and_add(&flow->ecn_connections, change);
	flow->time_ns = now;
}

static __always_inline void flow_retransmit(struct aether_flow_socket *socket, __u32 state, __u32 segments, __u64 now)
{
	struct aether_flow *flow = flow_peer(&socket->key, now);

	if (!flow)
		return;
	if (state == BPF_TCP_SYN_SENT)
		__sync_fetch_and_add(&flow->syn_retrans, 1);
	else
		__sync_fetch_and_add(&flow->retrans, segments);
	flow->time_ns = now;
}

static __always_inline void flow_key(struct aether_flow_key *key, struct bpf_sock_ops *ops, struct tcp_sock *tp)
{
	__u32 *addr = (__u32 *)key->addr;

	addr[0] = ops->remote_ip6[0];
	addr[1] = ops->remote_ip6[1];
	addr[2] = ops->remote_ip6[2];
	addr[3] = ops->remote_ip6[3];
	key->netns = tp->inet_conn.icsk_inet.sk.__sk_common.skc_net.net->ns.inum;
	key->port = bpf_ntohl(ops->remote_port);
	key->pad = 0;
}

static __always_inline struct aether_flow_socket *flow_connect(struct bpf_sock_ops *ops, struct bpf_sock *sk)
{
	struct tcp_sock *tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(sk);
	struct aether_flow_socket *socket;

	if (!tp)
		return NULL;
	socket = bpf_sk_storage_get(&sockets, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!socket) {
		aether_map_error();
		return NULL;
	}
	flow_key(&socket->key, ops, tp);
	socket->snd_una = ops->snd_una;
	socket->segs_out = ops->segs_out;
	bpf_sock_ops_cb_flags_set(ops, ops->bpf_sock_ops_cb_flags | FLOW_FLAGS);
	return socket;
}

static __always_inline void flow_established(struct bpf_sock *sk, struct aether_flow_socket *socket, __u64 now)
{
	socket->ecn = aether_has_ecn((struct tcp_sock *)bpf_skc_to_tcp_sock(sk));
	flow_count(socket, 1, now);
}

SEC("sockops")
int aether_flow(struct bpf_sock_ops *ops)
{
	struct bpf_sock *sk = ops->sk;
	struct aether_flow_socket *socket;
	__u32 op = ops->op;
	__u64 now;

	/* First, as there are several of those that belong to health for each segment. */
	if (op > BPF_SOCK_OPS_RTT_CB || !(FLOW_OPS >> op & 1) || !sk)
		return 1;
	if (op == BPF_SOCK_OPS_RTT_CB && flow_skips(ops))
		return 1;
	socket = bpf_sk_storage_get(&sockets, sk, 0, 0);
	/* The second is for a handshake that the attachment fell into. */
	if (op == BPF_SOCK_OPS_TCP_CONNECT_CB || (op == BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB && !socket))
		socket = flow_connect(ops, sk);
	if (!socket)
		return 1;
	now = bpf_ktime_get_ns();
	aether_count(EVENT_FLOW, now);
	if (op == BPF_SOCK_OPS_RTT_CB)
		flow_sample(ops, socket, now);
	else if (op == BPF_SOCK_OPS_RETRANS_CB)
		flow_retransmit(socket, ops->state, ops->args[1], now);
	else if (op == BPF_SOCK_OPS_ACTIVE_ESTABLISHED_CB)
		flow_established(sk, socket, now);
	else if (op == BPF_SOCK_OPS_STATE_CB && ops->args[0] == BPF_TCP_ESTABLISHED)
		flow_count(socket, -1, now);
	return 1;
}

#include "flow_adopt.bpf.h"

char LICENSE[] SEC("license") = "GPL";
