// SPDX-License-Identifier: Apache-2.0
/*
 * Floods a veth pair the way a network card would: with bare frames, not with what a socket makes of them.
 *
 *   flood syn|udp DEVICE MAC TARGET PORT SOURCE COUNT RATE SECONDS
 *       sends to TARGET:PORT from COUNT addresses, SOURCE being the first, RATE a second (0: as many as it can), out of
 *       DEVICE to the far end's MAC; prints how many. The far end must have native XDP or receive offload.
 *   flood offload DEVICE
 *       switches receive offload on, as network cards have it
 *   flood segment DEVICE
 *       switches all offloads off that bundle segments: each travels alone, as on a wire
 *
 * At most 60 s and a billion packets; only for namespaces made for it. Needs Linux 5.18.
 */
#include <arpa/inet.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../native/rodata.h"
#include "flood.h"

#define MAX_SECONDS 60
#define MAX_PACKETS 1000000000ULL
#define CHUNK 4096	/* a call takes some time to begin and to end, however few it sends */
#define TICK_NS 1000000 /* between chunks of a limited rate */

static int fail(const char *what, int err)
{
	fprintf(stderr, "flood: %s: %s\n", what, strerror(err));
	return 1;
}

static __u32 sum(const unsigned char *bytes, size_t size)
{
	__u32 total = 0;

	for (size_t i = 0; i < size; i += 2)
		total += bytes[i] << 8 | bytes[i + 1];
	return (total & 0xffff) + (total >> 16);
}

static __u64 now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

static int switch_offload(const char *device, __u32 command, __u32 on)
{
	struct ethtool_value value = {.cmd = command, .data = on};
	struct ifreq request = {.ifr_data = (void *)&value};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", device);
	if (fd < 0 || ioctl(fd, SIOCETHTOOL, &request))
		return fail("cannot switch an offload", errno);
	close(fd);
	return 0;
}

static int offload(const char *device)
{
	return switch_offload(device, ETHTOOL_SGRO, 1);
}

static int segment(const char *device)
{
	return switch_offload(device, ETHTOOL_SGRO, 0) || switch_offload(device, ETHTOOL_STSO, 0) ||
	       switch_offload(device, ETHTOOL_SGSO, 0);
}

/* An Ethernet frame with everything but what the program fills in. */
static int make_frame(unsigned char *frame, int tcp, const char *mac, const char *target, int port)
{
	unsigned char *ip = frame + FLOOD_ETHERNET, *segment = ip + FLOOD_IP;

	memset(frame, 0, FLOOD_SIZE);
	if (sscanf(mac, "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx", frame, frame + 1, frame + 2, frame + 3, frame + 4,
		   frame + 5) != 6)
		return -1;
	frame[6] = 2; /* an address of nobody's */
	frame[12] = 8;
	ip[0] = 0x45;
	ip[3] = FLOOD_IP + FLOOD_TCP;
	ip[8] = 64;
	ip[9] = tcp ? IPPROTO_TCP : IPPROTO_UDP;
	if (inet_pton(AF_INET, target, ip + 16) != 1)
		return -1;
	segment[2] = port >> 8;
	segment[3] = port;
	if (tcp) {
		segment[12] = 0x50;
		segment[13] = 0x02; /* SYN */
		segment[14] = 0x40; /* window */
	} else {
		segment[5] = FLOOD_TCP; /* length */
	}
	return 0;
}

static int load(const unsigned char *frame, int tcp, const char *path, const char *device, const char *source,
		int count)
{
	struct bpf_object *object = bpf_object__open_file(path, NULL);
	const unsigned char *ip = frame + FLOOD_ETHERNET;
	__u32 index = if_nametoindex(device), first, ip_sum = sum(ip, FLOOD_IP);
	__u32 tcp_sum = tcp ? sum(ip + 16, 4) + IPPROTO_TCP + FLOOD_TCP + sum(ip + FLOOD_IP, FLOOD_TCP) : 0;

	if (!object || !index || inet_pton(AF_INET, source, &first) != 1)
		return -1;
	first = ntohl(first);
	rodata_set(object, "device", &index, sizeof(index));
	rodata_set(object, "first_source", &first, sizeof(first));
	rodata_set(object, "sources", &count, sizeof(count));
	rodata_set(object, "ip_sum", &ip_sum, sizeof(ip_sum));
	rodata_set(object, "tcp_sum", &tcp_sum, sizeof(tcp_sum));
	return bpf_object__load(object) ? -1 : bpf_program__fd(bpf_object__find_program_by_name(object, "flood"));
}

/* What a limited rate could not send in time is left out. */
static int send_frames(int program, const unsigned char *frame, __u64 rate, __u64 seconds)
{
	__u64 start = now_ns(), end = start + seconds * 1000000000ULL, sent = 0, gap = rate ? 1000000000ULL / rate : 0;

	for (__u64 now = start, next = start; sent < MAX_PACKETS && now < end; now = now_ns()) {
		LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = frame, .data_size_in = FLOOD_SIZE,
			    .flags = BPF_F_TEST_XDP_LIVE_FRAMES, .repeat = CHUNK);

		if (rate && now < next) {
			nanosleep(&(struct timespec){.tv_nsec = TICK_NS}, NULL);
			continue;
		}
		if (rate) {
			__u64 due = (now - next) / gap + 1;

			options.repeat = due < CHUNK ? due : CHUNK;
			next = due < CHUNK ? next + due * gap : now + gap;
		}
		if (bpf_prog_test_run_opts(program, &options))
			return fail("cannot send", errno);
		sent += options.repeat;
	}
	printf("%llu\n", (unsigned long long)sent);
	return 0;
}

/* The program lies beside this one. */
static void find_object(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 16);

	snprintf(path + (length < 0 ? 0 : length), 16, ".bpf.o");
}

int main(int count, char **words)
{
	unsigned char frame[FLOOD_SIZE];
	char path[4096];
	int tcp, program;
	long rate, seconds;

	if (count == 3 && !strcmp(words[1], "offload"))
		return offload(words[2]);
	if (count == 3 && !strcmp(words[1], "segment"))
		return segment(words[2]);
	if (count != 10 || (strcmp(words[1], "syn") && strcmp(words[1], "udp"))) {
		fprintf(stderr, "usage: flood syn|udp DEVICE MAC TARGET PORT SOURCE COUNT RATE SECONDS | "
				"offload|segment DEVICE\n");
		return 2;
	}
	tcp = words[1][0] == 's';
	rate = atol(words[8]);
	seconds = atol(words[9]);
	if (rate < 0 || seconds < 1 || seconds > MAX_SECONDS || atoi(words[7]) < 1 ||
	    make_frame(frame, tcp, words[3], words[4], atoi(words[5])))
		return fail("wrong arguments", EINVAL);
	find_object(path, sizeof(path));
	program = load(frame, tcp, path, words[2], words[6], atoi(words[7]));
	if (program < 0)
		return fail("cannot load the program", errno);
	return send_frames(program, frame, rate, seconds);
}
