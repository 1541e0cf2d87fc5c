// SPDX-License-Identifier: Apache-2.0
/* Tests of the ring of edges: what is noted, what is lost, and a reader beside the writer. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "edges.h"

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                      \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

#define MANY 2000000

static struct edges *edges;
static int stop;
static struct edge taken[64];

static void begin(void)
{
	edges = edges_open();
	stop = eventfd(0, EFD_NONBLOCK);
	CHECK(edges && stop >= 0);
	edges->wanted = 1;
}

static void end(void)
{
	edges_close(edges);
	close(stop);
}

/* A peer whose only difference from the one before is in flags and number. */
static struct aether_slot slot(__u8 flags, __u32 number)
{
	struct aether_slot slot = {.kind = AETHER_PEER, .flags = flags, .port = 80, .netns = 7};

	slot.path.srtt_us = number;
	return slot;
}

static void notes_changes_only(void)
{
	struct aether_slot well = slot(0, 1), stalled = slot(AETHER_STALLED, 2), gone = slot(AETHER_GONE, 3);

	begin();
	edges_note(edges, &well, 0);
	edges_note(edges, &stalled, 0);
	edges_note(edges, &stalled, AETHER_STALLED);
	edges_drop(edges, &gone); /* stays gone */
	edges_drop(edges, &stalled);
	CHECK(edges_take(edges, stop, taken, 64) == 2);
	CHECK(taken[0].before == 0 && taken[0].after == AETHER_STALLED && taken[0].srtt_us == 2);
	CHECK(taken[1].before == AETHER_STALLED && taken[1].after == 0);
	CHECK(taken[0].port == 80 && taken[0].netns == 7 && taken[0].time_ns && taken[0].time_ns <= taken[1].time_ns);
	end();
}

static void notes_nothing_for_nobody(void)
{
	struct aether_slot stalled = slot(AETHER_STALLED, 1);

	begin();
	edges->wanted = 0;
	edges_note(edges, &stalled, 0);
	CHECK(edges->head == 0 && edges_lost(edges) == 0);
	end();
}

static void counts_what_finds_no_room(void)
{
	struct aether_slot stalled = slot(AETHER_STALLED, 1);
	int count = 0;

	begin();
	for (int i = 0; i < EDGES + 5; i++)
		edges_note(edges, &stalled, 0);
	CHECK(edges_lost(edges) == 5);
	while (edges->head != edges->tail)
		count += edges_take(edges, stop, taken, 64);
	CHECK(count == EDGES);
	end();
}

static void returns_when_stopped(void)
{
	begin();
	eventfd_write(stop, 1);
	CHECK(edges_take(edges, stop, taken, 64) == -1);
	end();
}

static void *write_many(void *unused)
{
	for (__u32 i = 1; i <= MANY; i++) {
		struct aether_slot stalled = slot(AETHER_STALLED, i);

		edges_note(edges, &stalled, 0);
		if (i % 64 == 0)
			sched_yield(); /* so that the reader falls asleep now and then */
	}
	eventfd_write(stop, 1);
	return unused;
}

/* Whatever the timing, each edge is read once and in order, or counted as lost; a missed wake-up would hang here. */
static void reader_beside_writer(void)
{
	pthread_t writer;
	__u64 read = 0, last = 0;
	int count;

	begin();
	CHECK(!pthread_create(&writer, NULL, write_many, NULL));
	while ((count = edges_take(edges, stop, taken, 64)) > 0 || edges->head != edges->tail) {
		for (int i = 0; i < count; i++) {
			CHECK(taken[i].srtt_us > last);
			last = taken[i].srtt_us;
		}
		read += count > 0 ? count : 0;
	}
	pthread_join(writer, NULL);
	CHECK(read + edges_lost(edges) == MANY);
	end();
}

int main(void)
{
	notes_changes_only();
	notes_nothing_for_nobody();
	counts_what_finds_no_room();
	returns_when_stopped();
	reader_beside_writer();
	puts("edges: 5 tests passed");
	return 0;
}
