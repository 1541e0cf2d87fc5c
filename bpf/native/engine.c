// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "engine.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "marks.h"
#include "privileges.h"
#include "survey.h"

#define VALUES_SIZE (AETHER_MAX_PEERS * sizeof(struct aether_flow))
#define KEYS_SIZE (AETHER_MAX_PEERS * sizeof(struct aether_flow_key))

_Static_assert(VALUES_SIZE >= AETHER_MAX_PEERS * sizeof(struct aether_heard), "heard fits");
_Static_assert(VALUES_SIZE >= AETHER_MAX_LOCALS * sizeof(struct aether_local), "locals fit");
_Static_assert(VALUES_SIZE >= AETHER_MAX_HTTP * sizeof(struct aether_answers), "answers fit");
_Static_assert(KEYS_SIZE >= AETHER_MAX_HTTP * sizeof(struct aether_http_key), "their keys fit");

struct engine *engine_open(const struct settings *settings, const char *table, __u32 slots, struct error *error)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine) {
		error_set(error, "out of memory");
		return NULL;
	}
	engine->settings = *settings;
	engine->statistics = -1;
	engine->peers_map = engine->locals_map = -1;
	engine->served_map = engine->waits_map = engine->heard_map = engine->heard_last_map = engine->own_map = -1;
	engine->own_all_map = -1;
	engine->pins.directory = -1;
	engine->answers_map = -1;
	engine->levels_map = engine->levels_last_map = engine->markings_map = engine->arrived_map = -1;
	engine->marks = (struct mark_settings){.from_us = 5000, .all_us = 20000, .scrub = 1};
	engine->cpus = libbpf_num_possible_cpus();
	engine->cgroup = open(settings->cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	engine->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (table_open(&engine->table, table, slots, error)) {
		engine_close(engine);
		return NULL;
	}
	engine->apps = apps_open(table, settings->cgroup, &engine->apps_error);
	engine->edges = edges_open();
	engine->peers = calloc(engine->table.mask + 1, sizeof(*engine->peers));
	engine->live = calloc(engine->table.mask + 1, sizeof(*engine->live));
	engine->keys = malloc(KEYS_SIZE);
	engine->values = malloc(VALUES_SIZE);
	if (engine->edges && engine->peers && engine->live && engine->keys && engine->values && engine->stop >= 0)
		return engine;
	error_set(error, "cannot prepare the pump: %s", strerror(errno));
	engine_close(engine);
	return NULL;
}

static void adopt(struct feature *feature, const char *program)
{
	int missed = feature->state == ATTACHED ? survey(feature->object, program) : 0;

	if (missed <= 0)
		return;
	error_set(&feature->error, "older connections of other network namespaces are not seen");
	error_fix(&feature->error, "give the agent CAP_SYS_ADMIN, CAP_SYS_PTRACE and the host's processes");
}

/* What the object lacks though it is attached. */
static void check_ecn(struct engine *engine)
{
	struct feature *ecn = &engine->features[ECN];

	if (ecn->state != ATTACHED)
		return;
	if (!engine->apps)
		ecn->error = engine->apps_error;
	else if (engine->features[QUEUE].state != ATTACHED || engine->features[FLOW].state != ATTACHED)
		error_set(&ecn->error, "servers mark nothing without queue, clients count nothing without flow");
}

void engine_attach(struct engine *engine)
{
	const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
	struct feature *flow = &engine->features[FLOW], *queue = &engine->features[QUEUE];
	struct feature *health = &engine->features[HEALTH];

	/* Kernels before 5.11 charge maps to this limit; elsewhere, and without the right, it changes nothing. */
	setrlimit(RLIMIT_MEMLOCK, &unlimited);
	loader_attach(engine->features, &engine->settings, &engine->pins);
	engine->peers_map = loader_map(flow, "peers");
	engine->locals_map = loader_map(queue, "locals");
	unread_open(engine);
	engine->served_map = loader_map(queue, "served");
	engine->waits_map = loader_map(&engine->features[SCHED], "waits");
	engine->heard_map = loader_map(health, "heard");
	engine->heard_last_map = loader_map(health, "heard_last");
	engine->own_map = loader_map(health, "own");
	engine->own_all_map = loader_map(health, "own_all");
	engine->answers_map = loader_map(&engine->features[HTTP], "answers");
	if (engine->answers_map < 0)
		engine->answers_map = loader_map(&engine->features[TLS], "http_answers");
	scanner_check(&engine->features[TLS]);
	marks_open(engine);
	check_ecn(engine);
	adopt(flow, "aether_adopt");
	adopt(queue, "aether_survey");
	adopt(health, "aether_speak");
}

/* What the pump does all the time. Kernels before 5.19 want CAP_BPF for it where unprivileged bpf() is switched off. */
static int use_maps(void *context)
{
	const struct engine *engine = context;
	char key[64];

	for (int i = 0; i < FEATURES; i++) {
		int map = loader_map(&engine->features[i], "counts");

		if (map >= 0 && bpf_map_get_next_key(map, NULL, key) && errno == EPERM)
			return -1;
	}
	return 0;
}

int engine_drop_privileges(struct engine *engine, __u64 *kept, struct error *error)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	for (int i = 0; i < 2000 && !__atomic_load_n(&engine->hurried, __ATOMIC_ACQUIRE); i++)
		nanosleep(&moment, NULL);
	*kept = 0;
	if (privileges_try(0, use_maps, engine))
		*kept = privileges_try(PRIVILEGE(CAP_BPF), use_maps, engine) ? PRIVILEGE(CAP_SYS_ADMIN)
									     : PRIVILEGE(CAP_BPF);
	return privileges_drop(*kept, error);
}

void engine_close(struct engine *engine)
{
	unread_close(engine);
	loader_detach(engine->features);
	pins_close(&engine->pins);
	loads_close(engine);
	table_close(&engine->table);
	apps_close(engine->apps);
	edges_close(engine->edges);
	if (engine->stop >= 0)
		close(engine->stop);
	if (engine->cgroup >= 0)
		close(engine->cgroup);
	if (engine->statistics >= 0)
		close(engine->statistics);
	free(engine->peers);
	free(engine->live);
	free(engine->keys);
	free(engine->values);
	free(engine);
}
