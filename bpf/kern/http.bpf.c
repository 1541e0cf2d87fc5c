// SPDX-License-Identifier: GPL-2.0-only
/*
 * http: status classes and time to first byte of plaintext HTTP, as the segments of this node's sockets show them.
 *
 * Who sends the first request is the client, so connections need not be seen from their start. An answer begins with
 * the byte that its request's acknowledgement number waits for: retransmissions and the rests of bodies are told
 * apart without reading them. Sockets that speak something else keep no state and cost the look at 16 bytes.
 */
#include "http_answers.bpf.h"
#include "socket.bpf.h"

#define ETH_P_IP 0x0800
#define ETH_P_IPV6 0x86dd
#define IPPROTO_TCP 6
#define IPV6_HEADER 40
#define TCP_HEADER 20

enum { EVENT_OUT, EVENT_IN };

/* queue's when that object is attached. */
SOCKET_STORAGE(queue_sockets, struct aether_socket);

struct http_segment {
	__u32 seq, ack;
	__u32 payload; /* offset */
	__u32 length;
};

static __always_inline __u32 http_load32(const __u8 *b)
{
	return (__u32)b[0] << 24 | (__u32)b[1] << 16 | (__u32)b[2] << 8 | b[3];
}

/* False unless this is TCP with data. */
static __always_inline bool http_parse(struct __sk_buff *skb, struct http_segment *segment)
{
	__u8 *data = (__u8 *)(long)skb->data, *end = (__u8 *)(long)skb->data_end, *tcp;
	__u32 header;

	if (data + TCP_HEADER > end)
		return false;
	if (skb->protocol == bpf_htons(ETH_P_IP) && data[9] == IPPROTO_TCP)
		header = (data[0] & 15) * 4;
	else if (skb->protocol == bpf_htons(ETH_P_IPV6) && data[6] == IPPROTO_TCP)
		header = IPV6_HEADER;
	else
		return false;
	tcp = data + header;
	if (tcp + TCP_HEADER > end)
		return false;
	segment->payload = header + (tcp[12] >> 4) * 4;
	if (skb->len <= segment->payload)
		return false;
	segment->length = skb->len - segment->payload;
	segment->seq = http_load32(tcp + 4);
	segment->ack = http_load32(tcp + 8);
	return true;
}

static __always_inline bool http_load(struct __sk_buff *skb, const struct http_segment *segment,
				      struct http_start *start)
{
	__u32 size = segment->length < START_SIZE ? segment->length : START_SIZE;

	__builtin_memset(start, 0, sizeof(*start));
	return size >= START_LEAST && !bpf_skb_load_bytes(skb, segment->payload, start->bytes, size);
}

static __always_inline struct http_socket *http_open(struct bpf_sock *sk, bool out)
{
	struct tcp_sock *tp = (struct tcp_sock *)bpf_skc_to_tcp_sock(sk);
	struct sock_common *skc;
	struct aether_socket *all;
	struct http_socket *socket;

	if (!tp)
		return NULL;
	all = bpf_sk_storage_get(&queue_sockets, sk, 0, BPF_SK_STORAGE_GET_F_CREATE);
	if (!all) {
		aether_map_error();
		return NULL;
	}
	socket = &all->http;
	skc = &tp->inet_conn.icsk_inet.sk.__sk_common;
	socket->key.netns = skc->skc_net.net->ns.inum;
	if (out) {
		aether_remote(socket->key.addr, skc);
		socket->key.port = bpf_ntohs(skc->skc_dport);
		socket->key.kind = AETHER_PEER;
		socket->exchange.role = HTTP_CLIENT;
	} else {
		socket->key.port = skc->skc_num;
		socket->key.kind = AETHER_LOCAL;
		socket->exchange.role = HTTP_SERVER;
	}
	return socket;
}

/* TCP stamps what it sends with this very clock, which costs more to read than most of what is done here. */
static __always_inline __u64 http_now(struct __sk_buff *skb, int event)
{
	return event == EVENT_OUT && skb->tstamp ? skb->tstamp : bpf_ktime_get_ns();
}

/* HTTP/2, and the change to it. */
static __always_inline void http_request_2(struct http_socket *socket, const struct http_segment *segment,
					   const struct http_start *start, int event, __u64 now)
{
	struct http_exchange *x = &socket->exchange;

	http_asked(x, start, now);
	if (http_is_preface(start))
		socket->answer_seq = segment->ack;
	if (x->asked_ns != now)
		return;
	socket->asked_seq = segment->seq;
	aether_count(event, now);
}

static __always_inline void http_request(struct __sk_buff *skb, struct http_socket *socket,
					 const struct http_segment *segment, const struct http_start *start, int event)
{
	struct http_exchange *x = &socket->exchange;
	__u64 now;

	if (socket->asked_seq && (__s32)(segment->seq - socket->asked_seq) <= 0)
		return; /* a retransmission */
	if (x->version == 2 || !http_is_request(start)) {
		if (x->version == 2 || http_is_preface(start))
			http_request_2(socket, segment, start, event, http_now(skb, event));
		return;
	}
	/* Something came since the last request: it was answered, if in a way that was not understood. */
	if (x->asked_ns && !x->interim && segment->ack == socket->answer_seq)
		return; /* the rest of a request */
	now = http_now(skb, event);
	x->version = 1;
	x->interim = 0;
	x->asked_ns = now;
	socket->asked_seq = segment->seq;
	socket->answer_seq = segment->ack;
	aether_count(event, now);
}

static __always_inline void http_answer(struct __sk_buff *skb, struct http_socket *socket,
					const struct http_segment *segment, const struct http_start *start, int event)
{
	__s32 ahead = segment->seq - socket->answer_seq;
	enum http_class class;
	__u64 now, since;

	/* Behind a gap only what is an answer beyond doubt: the expected byte may come yet. */
	if (ahead < 0 || (ahead > 0 && socket->exchange.version == 1 && !http_is_answer(start)))
		return;
	if (socket->exchange.version == 2)
		socket->answer_seq = segment->seq + segment->length;
	class = http_answered(&socket->exchange, start, &since);
	if (class == HTTP_NOTHING)
		return;
	now = http_now(skb, event);
	http_count(&socket->key, class, since, now);
	aether_count(event, now);
}

static __always_inline int http_look(struct __sk_buff *skb, bool out, int event)
{
	struct bpf_sock *sk = skb->sk;
	struct http_segment segment;
	struct aether_socket *all;
	struct http_socket *socket = NULL;
	struct http_start start;
	bool asks = true;

	if (!sk || !http_parse(skb, &segment))
		return 1;
	all = bpf_sk_storage_get(&queue_sockets, sk, 0, 0);
	if (all && all->http.exchange.role) {
		socket = &all->http;
		asks = (socket->exchange.role == HTTP_CLIENT) == out;
		if (!asks && !http_awaits(&socket->exchange))
			return 1;
	}
	if (!http_load(skb, &segment, &start))
		return 1;
	if (!socket && http_opens(&start))
		socket = http_open(sk, out);
	if (!socket)
		return 1;
	if (asks)
		http_request(skb, socket, &segment, &start, event);
	else
		http_answer(skb, socket, &segment, &start, event);
	return 1;
}

SEC("cgroup_skb/egress")
int aether_http_out(struct __sk_buff *skb)
{
	return http_look(skb, true, EVENT_OUT);
}

SEC("cgroup_skb/ingress")
int aether_http_in(struct __sk_buff *skb)
{
	return http_look(skb, false, EVENT_IN);
}

char LICENSE[] SEC("license") = "GPL";
