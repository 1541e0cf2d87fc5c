/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of cc: the congestion control. To the share of marks it responds as RFC 8257 (DCTCP) says, also as a receiver,
 * who echoes each mark for what it is; to losses as RFC 5681; and as long as a receiver tells a share, the window only
 * has to be enough for the pace, and small, because the kernel bursts by it.
 */
#ifndef AETHER_CC_CONTROL_BPF_H
#define AETHER_CC_CONTROL_BPF_H

#include "cc_window.bpf.h"

#define ALPHA_GAIN 16	 /* RFC 8257, 3.3 */
#define LEAST_SEGMENTS 2 /* in one packet to the card: the kernel's own default */
#define QUEUE_SAMPLES 4
#define HEAVY_BYTES 65536 /* in one burst: an answer or a request that others wait behind */
#define CONG_NEEDS_ECN 2
#define STATE_RECOVERY 3
#define EVENT_TX_START 0
#define EVENT_LOSS 3
#define EVENT_UNMARKED 4
#define EVENT_MARKED 5
#define ACK_TIMER 2
#define ACK_NOW 16

extern void tcp_reno_cong_avoid(struct sock *sk, __u32 ack, __u32 acked) __ksym;

static __always_inline struct tcp_sock *control_tcp(struct sock *sk)
{
	return (struct tcp_sock *)sk;
}

static __always_inline struct cc_socket *control_of(struct sock *sk)
{
	return bpf_sk_storage_get(&controlled, sk, 0, 0);
}

/* The marks of a server's own queue are for the application at the other end. */
static __always_inline bool control_marks_itself(const struct cc_socket *socket, __u64 now)
{
	struct aether_level *level = socket->server ? bpf_map_lookup_elem(&ecn_levels, &socket->local) : NULL;
	__u32 zero = 0;
	__u64 *last = bpf_map_lookup_elem(&ecn_levels_last, &zero);

	return level && level->probability && last && aether_since(*last, now) < AETHER_LEVEL_VALID_NS;
}

/* Once a window. */
static __always_inline void control_weigh(const struct tcp_sock *tp, struct cc_socket *socket, __u64 now)
{
	__u32 all = tp->delivered - socket->delivered, marked = tp->delivered_ce - socket->delivered_ce;
	__u32 share;

	if ((__s32)(tp->snd_una - socket->window_end) < 0)
		return;
	if (marked > all)
		marked = all;
	share = all && !control_marks_itself(socket, now) ? marked * ALPHA_ALL / all : 0;
	socket->alpha = socket->alpha - (socket->alpha + ALPHA_GAIN - 1) / ALPHA_GAIN + share / ALPHA_GAIN;
	socket->window_end = tp->snd_nxt;
	socket->delivered = tp->delivered;
	socket->delivered_ce = tp->delivered_ce;
}

/*
 * The newest segment's time, so no delayed acknowledgement is in it, over the least. What waits for a CPU looks like a
 * queue, so the least of some samples counts.
 */
static __always_inline void control_queue(const struct tcp_sock *tp, struct cc_socket *socket, __s32 rtt)
{
	__s32 least = tp->rtt_min.s[0].v;
	__u32 queue = rtt > least ? rtt - least : 0;

	if (rtt <= 0)
		return;
	if (!socket->samples || queue < socket->least_us)
		socket->least_us = queue;
	if (++socket->samples < QUEUE_SAMPLES)
		return;
	socket->samples = 0;
	socket->queue_us = socket->least_us;
}

/*
 * A heavy flow to a server under pressure takes less than it could: nothing less up to a quarter of the limit, a
 * quarter at the limit. 0 for no restraint.
 */
static __always_inline __u64 control_yields(const struct tcp_sock *tp, const struct cc_socket *socket, __u64 now)
{
	struct aether_heard *heard;
	__u32 rtt = tp->srtt_us >> 3;

	if (socket->server || tp->bytes_sent - socket->burst < HEAVY_BYTES)
		return 0;
	heard = bpf_map_lookup_elem(&health_heard, &socket->peer);
	if (!heard || heard->health.pressure < AETHER_PRESSED || aether_since(heard->time_ns, now) > NSEC_PER_SEC)
		return 0;
	return (__u64)tp->snd_cwnd * tp->mss_cache * (1024 - 3 * heard->health.pressure) * 1000 / (rtt ?: 1);
}

SEC("struct_ops")
void BPF_PROG(aether_cc_init, struct sock *sk)
{
	struct cc_socket *socket = control_of(sk);
	struct tcp_sock *tp = control_tcp(sk);

	aether_count(EVENT_INIT, bpf_ktime_get_ns());
	if (!socket)
		return;
	socket->window = tp->snd_cwnd;
	socket->window_end = tp->snd_nxt;
	socket->delivered = tp->delivered;
	socket->delivered_ce = tp->delivered_ce;
	socket->next_expected = tp->rcv_nxt;
	socket->alpha = 0;
}

SEC("struct_ops")
__u32 BPF_PROG(aether_cc_ssth, struct sock *sk)
{
	struct cc_socket *socket = control_of(sk);
	struct tcp_sock *tp = control_tcp(sk);
	__u32 window, cut;

	aether_count(EVENT_SSTHRESH, bpf_ktime_get_ns());
	if (!socket)
		return window_halved(tp->snd_cwnd);
	window_bound(tp, socket);
	window = socket->window_before = tp->snd_cwnd;
	/* Grows as without them. */
	if (control_marks_itself(socket, bpf_ktime_get_ns()))
		return ++socket->window_before;
	cut = window * socket->alpha / (2 * ALPHA_ALL);
	return window - cut < LEAST_WINDOW ? LEAST_WINDOW : window - cut;
}

SEC("struct_ops")
void BPF_PROG(aether_cc_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
	struct cc_socket *socket = control_of(sk);
	struct tcp_sock *tp = control_tcp(sk);

	aether_count(EVENT_AVOID, bpf_ktime_get_ns());
	if (socket && socket->pace && socket->share) {
		tp->snd_cwnd = socket->window = window_paced(tp, socket);
		return;
	}
	if ((__s32)acked > 0)
		tcp_reno_cong_avoid(sk, ack, acked);
	if (socket)
		window_bound(tp, socket);
}

SEC("struct_ops")
void BPF_PROG(aether_cc_acked, struct sock *sk, const struct ack_sample *sample)
{
	struct cc_socket *socket = control_of(sk);
	struct tcp_sock *tp = control_tcp(sk);
	__u64 now = bpf_ktime_get_ns();

	aether_count(EVENT_ACKED, now);
	if (!socket)
		return;
	window_bound(tp, socket);
	control_weigh(tp, socket, now);
	control_queue(tp, socket, sample->rtt_us);
	pace_set(sk, socket, pace_of(socket, control_yields(tp, socket, now), now));
	if (socket->share && !pace_shared(socket, now))
		socket->share = 0;
}

SEC("struct_ops")
void BPF_PROG(aether_cc_state, struct sock *sk, __u8 state)
{
	struct cc_socket *socket = control_of(sk);
	struct tcp_sock *tp = control_tcp(sk);

	aether_count(EVENT_STATE, bpf_ktime_get_ns());
	if (!socket)
		return;
	window_bound(tp, socket);
	/* A loss is halved for, whatever the marks say. */
	if (state == STATE_RECOVERY && socket->state != state) {
		socket->window_before = tp->snd_cwnd;
		tp->snd_ssthresh = window_halved(tp->snd_cwnd);
	}
	socket->state = state;
}

/* As a receiver: the echo changes with the marks, and what was held back is acknowledged as it came. */
static __always_inline void control_echo(struct tcp_sock *tp, struct cc_socket *socket, bool marked)
{
	struct inet_connection_sock *icsk = &tp->inet_conn;
	__u8 flags = tp->ecn_flags & ~TCP_ECN_DEMAND_CWR;

	if (socket->marked != marked) {
		if (icsk->icsk_ack.pending & ACK_TIMER) {
			tp->ecn_flags = flags | (socket->marked ? TCP_ECN_DEMAND_CWR : 0);
			bpf_tcp_send_ack(tp, socket->next_expected);
		}
		icsk->icsk_ack.pending |= ACK_NOW;
	}
	socket->next_expected = tp->rcv_nxt;
	socket->marked = marked;
	tp->ecn_flags = flags | (marked ? TCP_ECN_DEMAND_CWR : 0);
}

SEC("struct_ops")
void BPF_PROG(aether_cc_event, struct sock *sk, unsigned int event)
{
	struct cc_socket *socket = control_of(sk);
	struct tcp_sock *tp = control_tcp(sk);

	aether_count(EVENT_EVENT, bpf_ktime_get_ns());
	if (!socket)
		return;
	window_bound(tp, socket);
	if (event == EVENT_TX_START) {
		socket->burst = tp->bytes_sent;
	} else if (event == EVENT_LOSS) {
		socket->window_before = tp->snd_cwnd;
		tp->snd_ssthresh = window_halved(tp->snd_cwnd);
	} else if (event == EVENT_MARKED || event == EVENT_UNMARKED) {
		control_echo(tp, socket, event == EVENT_MARKED);
	}
}

SEC("struct_ops")
__u32 BPF_PROG(aether_cc_undo, struct sock *sk)
{
	struct cc_socket *socket = control_of(sk);
	__u32 window = control_tcp(sk)->snd_cwnd;

	aether_count(EVENT_UNDO, bpf_ktime_get_ns());
	return socket && socket->window_before > window ? socket->window_before : window;
}

/* Asked for whenever there is something to send. */
SEC("struct_ops")
__u32 BPF_PROG(aether_cc_segs, struct sock *sk)
{
	struct cc_socket *socket = control_of(sk);

	aether_count(EVENT_SEGS, bpf_ktime_get_ns());
	if (socket)
		window_bound(control_tcp(sk), socket);
	return LEAST_SEGMENTS;
}

SEC(".struct_ops")
struct tcp_congestion_ops bpf_aether = {
	.init = (void *)aether_cc_init,
	.ssthresh = (void *)aether_cc_ssth,
	.cong_avoid = (void *)aether_cc_avoid,
	.pkts_acked = (void *)aether_cc_acked,
	.set_state = (void *)aether_cc_state,
	.cwnd_event = (void *)aether_cc_event,
	.undo_cwnd = (void *)aether_cc_undo,
	.min_tso_segs = (void *)aether_cc_segs,
	.flags = CONG_NEEDS_ECN,
	.name = AETHER_CC_NAME,
};

#endif /* AETHER_CC_CONTROL_BPF_H */
