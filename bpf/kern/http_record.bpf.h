/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Part of http and tls: requests and answers, told by the first bytes of a record. A record is what was sent or
 * read at once: a segment, or the data of one call. Nothing behind its first 16 bytes is ever looked at.
 *
 *   HTTP/1   "GET /path ..."    "HTTP/1.1 200"           one request at a time
 *   HTTP/2   "PRI * HTTP/2.0"   then frames:
 *
 *            0        3      4       5         9
 *            +--------+------+-------+---------+-----
 *            | length | type | flags | stream  | HPACK: the status comes first
 *            +--------+------+-------+---------+-----
 */
#ifndef AETHER_HTTP_RECORD_BPF_H
#define AETHER_HTTP_RECORD_BPF_H

#define START_SIZE 16
#define START_LEAST 10 /* a frame with a status; requests and status lines are longer */
#define FRAME_HEADERS 1
#define FRAME_END_STREAM 0x01
#define FRAME_PADDED 0x08
#define FRAME_PRIORITY 0x20
#define FRAME_FLAGS (FRAME_END_STREAM | 0x04 | FRAME_PADDED | FRAME_PRIORITY)
/* A stream that waited this long for its answer's first byte leaves its place as the timed one. */
#define STREAM_PATIENCE_NS (30 * 1000000000ULL)

enum http_class { HTTP_NOTHING, HTTP_2XX, HTTP_4XX, HTTP_5XX, HTTP_UNKNOWN };

enum http_role { HTTP_NEITHER, HTTP_CLIENT, HTTP_SERVER };

/* The first bytes of a record, zeroes behind its end. */
struct http_start {
	__u8 bytes[START_SIZE];
};

/* What one connection is about. */
struct http_exchange {
	__u64 asked_ns; /* first byte of the request that waits for its answer; 0 */
	__u32 stream;	/* HTTP/2: the one that is timed */
	__u8 role;
	__u8 version;
	__u8 interim; /* HTTP/1: a 1xx came since */
};

#define HTTP_WORD(a, b, c, d) ((__u32)(a) | (__u32)(b) << 8 | (__u32)(c) << 16 | (__u32)(d) << 24)

static __always_inline __u32 http_word(const struct http_start *start, int at)
{
	const __u8 *b = start->bytes + at;

	return HTTP_WORD(b[0], b[1], b[2], b[3]);
}

/* A method, one space and something that can be a target: Redis' inline "GET key" is no request. */
static __always_inline bool http_target(const struct http_start *start, int space)
{
	__u8 first = start->bytes[space + 1];

	return start->bytes[space] == ' ' && (first == '/' || first == 'h' || first == '*');
}

static __always_inline bool http_is_request(const struct http_start *start)
{
	switch (http_word(start, 0)) {
	case HTTP_WORD('G', 'E', 'T', ' '):
	case HTTP_WORD('P', 'U', 'T', ' '):
		return http_target(start, 3);
	case HTTP_WORD('P', 'O', 'S', 'T'):
	case HTTP_WORD('H', 'E', 'A', 'D'):
		return http_target(start, 4);
	case HTTP_WORD('P', 'A', 'T', 'C'):
	case HTTP_WORD('T', 'R', 'A', 'C'):
		return http_target(start, 5);
	case HTTP_WORD('D', 'E', 'L', 'E'):
		return http_target(start, 6);
	case HTTP_WORD('O', 'P', 'T', 'I'):
		return http_target(start, 7);
	default:
		return false;
	}
}

static __always_inline bool http_is_preface(const struct http_start *start)
{
	return http_word(start, 0) == HTTP_WORD('P', 'R', 'I', ' ') &&
	       http_word(start, 4) == HTTP_WORD('*', ' ', 'H', 'T') &&
	       http_word(start, 8) == HTTP_WORD('T', 'P', '/', '2');
}

static __always_inline bool http_is_answer(const struct http_start *start)
{
	return http_word(start, 0) == HTTP_WORD('H', 'T', 'T', 'P') && start->bytes[4] == '/' &&
	       start->bytes[5] == '1' && start->bytes[6] == '.';
}

/* Does a client's first record begin like this? */
static __always_inline bool http_opens(const struct http_start *start)
{
	return http_is_request(start) || http_is_preface(start);
}

static __always_inline bool http_is_headers(const struct http_start *start)
{
	const __u8 *b = start->bytes;

	/* Whatever is not the start of a frame looks like one by chance only: once in 2^29. */
	return !b[0] && b[3] == FRAME_HEADERS && !(b[4] & ~FRAME_FLAGS) && !b[5] && b[8] & 1;
}

static __always_inline __u32 http_stream(const struct http_start *start)
{
	return (__u32)start->bytes[6] << 16 | (__u32)start->bytes[7] << 8 | start->bytes[8];
}

static __always_inline void http_asked(struct http_exchange *x, const struct http_start *start, __u64 now)
{
	if (http_is_preface(start)) {
		x->version = 2;
		x->asked_ns = 0;
		return;
	}
	if (x->version == 2) {
		if (!http_is_headers(start) || (x->asked_ns && aether_since(x->asked_ns, now) < STREAM_PATIENCE_NS))
			return;
		x->stream = http_stream(start);
		x->asked_ns = now;
		return;
	}
	if (!http_is_request(start) || (x->asked_ns && !x->interim))
		return; /* the rest of a request, or its repetition */
	x->version = 1;
	x->interim = 0;
	x->asked_ns = now;
}

static __always_inline enum http_class http_status(const struct http_start *start)
{
	const __u8 *b = start->bytes;

	if (b[8] != ' ' || b[10] < '0' || b[10] > '9' || b[11] < '0' || b[11] > '9')
		return HTTP_UNKNOWN;
	switch (b[9]) {
	case '1':
		return b[10] == '0' && b[11] == '1' ? HTTP_2XX : HTTP_NOTHING;
	case '2':
	case '3':
		return HTTP_2XX;
	case '4':
		return HTTP_4XX;
	case '5':
		return HTTP_5XX;
	default:
		return HTTP_UNKNOWN;
	}
}

static __always_inline enum http_class http_answered_1(struct http_exchange *x, const struct http_start *start,
						       __u64 *since)
{
	enum http_class class;

	*since = x->asked_ns;
	if (!x->asked_ns)
		return HTTP_NOTHING;
	if (!http_is_answer(start)) { /* some other protocol that begins like ours */
		x->asked_ns = 0;
		return HTTP_NOTHING;
	}
	class = http_status(start);
	x->interim = class == HTTP_NOTHING;
	if (!x->interim)
		x->asked_ns = 0;
	return class;
}

/* The static table's entries 8 to 14 are the statuses 200, 204, 206, 304, 400, 404 and 500. */
static __always_inline enum http_class http_indexed(__u8 hpack, bool ends, bool timed)
{
	if (hpack >= 0x88 && hpack <= 0x8b)
		return HTTP_2XX;
	if (hpack == 0x8c || hpack == 0x8d)
		return HTTP_4XX;
	if (hpack == 0x8e)
		return HTTP_5XX;
	/* A status spelt out, with the name from the table. */
	if ((hpack >= 0x48 && hpack <= 0x4e) || (hpack >= 0x08 && hpack <= 0x0e) || (hpack >= 0x18 && hpack <= 0x1e))
		return HTTP_UNKNOWN;
	/* The dynamic table: a status too, unless these are the trailers that end a stream. */
	if (hpack > 0xbd && (!ends || timed))
		return HTTP_UNKNOWN;
	return HTTP_NOTHING;
}

static __always_inline enum http_class http_answered_2(struct http_exchange *x, const struct http_start *start,
						       __u64 *since)
{
	__u8 flags = start->bytes[4];
	bool timed = x->asked_ns && http_stream(start) == x->stream;
	__u8 hpack = start->bytes[9];
	enum http_class class;

	*since = timed ? x->asked_ns : 0;
	if (!http_is_headers(start))
		return HTTP_NOTHING;
	if (flags & FRAME_PADDED)
		hpack = flags & FRAME_PRIORITY ? start->bytes[15] : start->bytes[10];
	else if (flags & FRAME_PRIORITY)
		hpack = start->bytes[14];
	class = http_indexed(hpack, flags & FRAME_END_STREAM, timed);
	if (class != HTTP_NOTHING && timed)
		x->asked_ns = 0;
	return class;
}

/* The class of the answer that begins here, and when it was asked for; HTTP_NOTHING if none does. */
static __always_inline enum http_class http_answered(struct http_exchange *x, const struct http_start *start,
						     __u64 *since)
{
	if (x->version == 2)
		return http_answered_2(x, start, since);
	return http_answered_1(x, start, since);
}

/* Can a record in the direction of answers be one? */
static __always_inline bool http_awaits(const struct http_exchange *x)
{
	return x->asked_ns || x->version == 2;
}

#endif /* AETHER_HTTP_RECORD_BPF_H */
