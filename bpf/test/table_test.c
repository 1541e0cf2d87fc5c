// SPDX-License-Identifier: Apache-2.0
/* Tests of the table's writer: chains with tombstones, refusals, readers beside the writer; and of the option's
 * numbers. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aether_kern.h"
#include "table.h"

#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                      \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

static char path[] = "/tmp/aether-table-XXXXXX/health";

static struct aether_key key(int number)
{
	struct aether_key key = {.netns = 4026531840, .port = 1000 + number, .kind = AETHER_PEER};

	key.addr[15] = number;
	return key;
}

static void open_table(struct table *table, __u32 slots)
{
	struct error error = {};

	if (table_open(table, path, slots, &error)) {
		fprintf(stderr, "%s\n", error.reason);
		exit(1);
	}
}

static void finds_what_it_took(void)
{
	struct table table = {};
	struct aether_key a = key(1), b = key(2);

	open_table(&table, 64);
	CHECK(!table_find(&table, &a));
	CHECK(table_take(&table, &a) == table_take(&table, &a));
	CHECK(table_take(&table, &b) != table_find(&table, &a));
	CHECK(table.header->used == 2);
	b.kind = AETHER_LOCAL;
	CHECK(!table_find(&table, &b));
	table_close(&table);
}

static void counts_refusals_when_full(void)
{
	struct table table = {};

	open_table(&table, 64);
	for (int i = 0; i < 64; i++) {
		struct aether_key k = key(i);

		CHECK(table_take(&table, &k));
	}
	struct aether_key more = key(100);
	CHECK(!table_take(&table, &more));
	CHECK(table.header->refused == 1 && table.header->used == 64);
	table_close(&table);
}

/* However keys come and go, those present are found and those absent are not. */
static void keeps_chains_whole(void)
{
	struct table table = {};
	char present[48] = {};

	open_table(&table, 64);
	srand(7);
	for (int step = 0; step < 100000; step++) {
		int i = rand() % 48;
		struct aether_key k = key(i);

		if (present[i])
			table_remove(&table, table_find(&table, &k));
		else
			CHECK(table_take(&table, &k));
		present[i] ^= 1;
		k = key(rand() % 48);
		CHECK(!table_find(&table, &k) == !present[k.addr[15]]);
	}
	for (int i = 0; i < 48; i++) {
		struct aether_key k = key(i);

		if (present[i])
			table_remove(&table, table_find(&table, &k));
	}
	CHECK(table.header->used == 0);
	table_close(&table);
}

struct race {
	struct aether_slot *slot;
	int stop;
};

static void *write_pairs(void *argument)
{
	struct race *race = argument;

	for (__u32 i = 0; !__atomic_load_n(&race->stop, __ATOMIC_RELAXED); i++) {
		slot_begin(race->slot);
		race->slot->path.srtt_us = i;
		race->slot->path.min_rtt_us = i;
		slot_end(race->slot);
	}
	return NULL;
}

static void readers_never_see_half_a_write(void)
{
	struct table table = {};
	struct aether_key k = key(1);
	struct race race = {};
	int whole = 0;
	pthread_t writer;

	open_table(&table, 64);
	race.slot = table_take(&table, &k);
	CHECK(!pthread_create(&writer, NULL, write_pairs, &race));
	for (int i = 0; i < 1000000; i++) {
		__u32 seq = __atomic_load_n(&race.slot->seq, __ATOMIC_ACQUIRE);
		__u32 a = *(volatile __u32 *)&race.slot->path.srtt_us;
		__u32 b = *(volatile __u32 *)&race.slot->path.min_rtt_us;

		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (seq % 2 || seq != __atomic_load_n(&race.slot->seq, __ATOMIC_RELAXED))
			continue;
		CHECK(a == b);
		whole++;
	}
	__atomic_store_n(&race.stop, 1, __ATOMIC_RELAXED);
	pthread_join(writer, NULL);
	CHECK(whole > 0);
	table_close(&table);
}

static void refuses_a_living_writer(void)
{
	struct table table = {}, second = {};
	struct error error = {};

	open_table(&table, 64);
	CHECK(table_open(&second, path, 64, &error) && strstr(error.reason, "another agent"));
	table_close(&table);
	open_table(&second, 64);
	table_close(&second);
}

static void quantised_counts_keep_their_size(void)
{
	__u8 before = 0;

	for (__u64 n = 0; n <= 0xffffffffULL; n += 1 + n / 7) {
		__u8 q = aether_quantise(n);
		__u32 back = aether_unquantise(q);

		CHECK(q >= before && q <= AETHER_IN_FLIGHT_MAX);
		CHECK(back <= n && n - back <= n / 3);
		before = q;
	}
	CHECK(aether_quantise(0xffffffffU) == AETHER_IN_FLIGHT_MAX);
}

int main(void)
{
	char *slash = strrchr(path, '/');

	*slash = '\0';
	CHECK(mkdtemp(path));
	*slash = '/';
	finds_what_it_took();
	counts_refusals_when_full();
	keeps_chains_whole();
	readers_never_see_half_a_write();
	refuses_a_living_writer();
	quantised_counts_keep_their_size();
	unlink(path);
	*slash = '\0';
	rmdir(path);
	puts("table: 6 tests passed");
	return 0;
}
