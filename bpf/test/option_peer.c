// SPDX-License-Identifier: Apache-2.0
/*
 * A TCP peer made by hand behind a TUN device, for the tests of the health option: it echoes what it gets, from any
 * port, with whatever bytes it is told to put among its options.
 *
 *   option_peer DEVICE       prints "ready" when the device is there; every packet routed to it is for the peer
 *   say HEX                  puts these option bytes, a multiple of four, into each of its segments from now on
 *   lose                     ignores the next segment, after counting it
 *   count                    prints how many segments came with an option of kind 254: SYNs, others
 *
 * It ends with its input. One connection at a time, IPv4 only, no retransmission.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MAX_PACKET 4096
#define EXPERIMENT 254
#define FIRST_SEQUENCE 1000

static unsigned char said[40];
static size_t said_length;
static unsigned long syns, others;
static int lost;

static uint32_t add(uint32_t sum, const void *data, size_t length)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < length; i++)
		sum += i % 2 ? byte[i] : byte[i] << 8;
	return sum;
}

static uint16_t fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum);
}

static int has_experiment(const struct tcphdr *tcp)
{
	const unsigned char *at = (const unsigned char *)(tcp + 1), *end = (const unsigned char *)tcp + tcp->doff * 4;

	while (at < end && *at != TCPOPT_EOL) {
		if (*at == EXPERIMENT)
			return 1;
		if (*at == TCPOPT_NOP)
			at++;
		else if (at + 1 < end && at[1] >= 2)
			at += at[1];
		else
			break;
	}
	return 0;
}

/* Answers the packet with the same addresses turned round, the options of the day, and its payload. */
static void answer(int tun, const struct iphdr *ip, const struct tcphdr *tcp, const void *data, size_t length)
{
	unsigned char packet[MAX_PACKET] = {};
	struct iphdr *to = (struct iphdr *)packet;
	struct tcphdr *reply = (struct tcphdr *)(to + 1);
	size_t header = sizeof(*reply) + said_length;
	uint32_t sum;

	*to = (struct iphdr){.version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_TCP};
	to->saddr = ip->daddr;
	to->daddr = ip->saddr;
	to->tot_len = htons(sizeof(*to) + header + length);
	to->check = fold(add(0, to, sizeof(*to)));
	reply->source = tcp->dest;
	reply->dest = tcp->source;
	reply->seq = tcp->syn ? htonl(FIRST_SEQUENCE) : tcp->ack_seq;
	reply->ack_seq = htonl(ntohl(tcp->seq) + length + tcp->syn + tcp->fin);
	reply->doff = header / 4;
	reply->syn = tcp->syn;
	reply->fin = tcp->fin;
	reply->ack = 1;
	reply->psh = length > 0;
	reply->window = htons(65000);
	memcpy(reply + 1, said, said_length);
	memcpy((char *)reply + header, data, length);
	sum = add(IPPROTO_TCP + header + length, &to->saddr, 8);
	reply->check = fold(add(sum, reply, header + length));
	if (write(tun, packet, sizeof(*to) + header + length) < 0)
		perror("option_peer: write");
}

static void receive(int tun)
{
	unsigned char packet[MAX_PACKET];
	ssize_t size = read(tun, packet, sizeof(packet));
	const struct iphdr *ip = (const struct iphdr *)packet;
	const struct tcphdr *tcp = (const struct tcphdr *)(packet + ip->ihl * 4);
	size_t headers, total;

	if (size < 40 || ip->version != 4 || ip->protocol != IPPROTO_TCP)
		return;
	headers = ip->ihl * 4 + tcp->doff * 4;
	total = ntohs(ip->tot_len);
	if (total > (size_t)size || headers > total)
		return;
	if (has_experiment(tcp))
		(*(tcp->syn ? &syns : &others))++;
	if (lost) {
		lost = 0;
		return;
	}
	if (tcp->syn || tcp->fin || total > headers)
		answer(tun, ip, tcp, packet + headers, total - headers);
}

static void say(const char *hex)
{
	unsigned int byte;

	for (said_length = 0; said_length < sizeof(said) && sscanf(hex, "%2x", &byte) == 1; hex += 2)
		said[said_length++] = byte;
}

static int command(void)
{
	char line[128];

	if (!fgets(line, sizeof(line), stdin))
		return -1;
	if (!strncmp(line, "say ", 4))
		say(line + 4);
	if (!strncmp(line, "lose", 4))
		lost = 1;
	printf("%lu %lu\n", syns, others);
	fflush(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
	struct pollfd from[2] = {{.fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC), .events = POLLIN},
				 {.fd = STDIN_FILENO, .events = POLLIN}};

	setvbuf(stdin, NULL, _IONBF, 0);
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", argc > 1 ? argv[1] : "");
	if (from[0].fd < 0 || ioctl(from[0].fd, TUNSETIFF, &request)) {
		perror("option_peer: /dev/net/tun");
		return 1;
	}
	puts("ready");
	fflush(stdout);
	while (poll(from, 2, -1) > 0) {
		if (from[1].revents && command())
			break;
		if (from[0].revents)
			receive(from[0].fd);
	}
	return 0;
}
