// SPDX-License-Identifier: Apache-2.0
#include "loader.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup.h"
#include "prepare.h"
#include "refusal.h"

#define BTF_PATH "/sys/kernel/btf/vmlinux"

extern const char aether_flow_start[], aether_flow_end[];
extern const char aether_queue_start[], aether_queue_end[];
extern const char aether_sched_start[], aether_sched_end[];
extern const char aether_health_start[], aether_health_end[];
extern const char aether_http_start[], aether_http_end[];
extern const char aether_tls_start[], aether_tls_end[];
extern const char aether_ecn_start[], aether_ecn_end[];
extern const char aether_cc_start[], aether_cc_end[];

struct source {
	const char *name;
	const char *start, *end;
	/* A program that the object can do without, and what is lost then. */
	const char *optional, *loss;
};

static const struct source sources[FEATURES] = {
	[FLOW] = {"flow", aether_flow_start, aether_flow_end, "aether_adopt",
		  "connections older than the agent are not seen (needs Linux 6.12)"},
	[QUEUE] = {"queue", aether_queue_start, aether_queue_end, NULL, NULL},
	[SCHED] = {"sched", aether_sched_start, aether_sched_end, NULL, NULL},
	[HEALTH] = {"health", aether_health_start, aether_health_end, "aether_speak",
		    "listeners and connections older than the agent tell nothing (needs Linux 6.12)"},
	[HTTP] = {"http", aether_http_start, aether_http_end, NULL, NULL},
	[TLS] = {"tls", aether_tls_start, aether_tls_end, NULL, NULL},
	[ECN] = {"ecn", aether_ecn_start, aether_ecn_end, NULL, NULL},
	[CC] = {"cc", aether_cc_start, aether_cc_end, NULL, NULL},
};

int loader_owner(const char *map)
{
	for (int i = 0; i < FEATURES; i++) {
		size_t length = strlen(sources[i].name);

		if (!strncmp(map, sources[i].name, length) && map[length] == '_')
			return i;
	}
	return -1;
}

int loader_knows(const char *feature)
{
	for (int i = 0; i < FEATURES; i++) {
		if (!strcmp(feature, sources[i].name))
			return 1;
	}
	return 0;
}

/* A map named "queue_locals" is the map "locals" of queue, if that object is attached. */
static void share_maps(struct bpf_object *object, const struct feature *features)
{
	struct bpf_map *map;

	bpf_object__for_each_map (map, object) {
		const char *name = bpf_map__name(map);
		int owner = loader_owner(name);
		int fd = owner < 0 ? -1 : loader_map(&features[owner], strchr(name, '_') + 1);

		if (fd >= 0)
			bpf_map__reuse_fd(map, fd);
	}
}

static void allow_prefixes(struct feature *feature, const struct settings *settings)
{
	int map = loader_map(feature, "prefixes");
	const __u8 one = 1;

	for (__u32 i = 0; map >= 0 && i < settings->prefix_count; i++)
		bpf_map_update_elem(map, &settings->prefixes[i], &one, BPF_ANY);
}

static struct bpf_object *open_object(const struct source *source, const struct settings *settings,
				      const struct watched *watched, const struct feature *features, int whole)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = source->name);
	struct bpf_object *object;

	refusal_forget();
	object = bpf_object__open_mem(source->start, source->end - source->start, &options);
	if (!object)
		return NULL;
	if (!whole)
		bpf_program__set_autoload(bpf_object__find_program_by_name(object, source->optional), false);
	prepare_object(object, settings, watched);
	cc_prepare(object, settings);
	share_maps(object, features);
	return object;
}

static int load(struct feature *features, enum feature_id id, const struct settings *settings,
		const struct watched *watched, struct pins *pins)
{
	struct feature *feature = &features[id];
	const struct source *source = &sources[id];
	int err = 0;

	for (int whole = 1; whole >= !source->optional; whole--) {
		feature->object = open_object(source, settings, watched, features, whole);
		if (!feature->object) {
			refusal_load(feature, errno, "cannot open the object");
			return -1;
		}
		pins_reuse(pins, feature, feature->object, watched);
		err = -bpf_object__load(feature->object);
		if (!err) {
			pins_maps(pins, feature, watched);
			allow_prefixes(feature, settings);
			if (!whole)
				error_set(&feature->error, "%s", source->loss);
			return 0;
		}
		bpf_object__close(feature->object);
		feature->object = NULL;
		if (err == EPERM)
			break;
	}
	refusal_load(feature, err, "cannot load");
	if (id == TLS && feature->state == UNSUPPORTED)
		error_fix(&feature->error, "Linux 6.6 or newer has what it needs");
	return -1;
}

static void drop(struct feature *feature)
{
	for (int i = 0; i < feature->link_count; i++)
		bpf_link__destroy(feature->links[i]);
	feature->link_count = 0;
	if (feature->control)
		close(feature->control);
	feature->control = 0;
	bpf_object__close(feature->object);
	feature->object = NULL;
}

int loader_at_cgroup(const struct bpf_program *program)
{
	enum bpf_prog_type type = bpf_program__type(program);

	return type == BPF_PROG_TYPE_SOCK_OPS || type == BPF_PROG_TYPE_CGROUP_SKB;
}

static struct bpf_link *attach_program(const struct bpf_program *program, const struct watched *watched)
{
	return loader_at_cgroup(program) ? bpf_program__attach_cgroup(program, watched->fd)
					 : bpf_program__attach(program);
}

static int attach_all(struct feature *feature, const struct settings *settings, const struct watched *watched,
		      const struct pins *pins)
{
	struct bpf_program *program;

	if (feature->name == sources[CC].name)
		return cc_attach(feature, settings, pins);
	bpf_object__for_each_program (program, feature->object) {
		const char *name = bpf_program__name(program);
		struct bpf_link *link;

		if (bpf_program__fd(program) < 0 || bpf_program__expected_attach_type(program) == BPF_TRACE_ITER)
			continue; /* iterators are attached for each run, see survey.c */
		if (prepare_in_library(program))
			continue; /* attached where one is found, see libraries.c */
		if (!strcmp(name, "aether_tls_socket"))
			continue; /* attached while one is, see libraries.c */
		if (bpf_program__type(program) == BPF_PROG_TYPE_SCHED_CLS)
			continue; /* attached where there are clients, see scrubber.c */
		link = pins_relink(pins, feature, name, program) ?: attach_program(program, watched);
		if (!link) {
			refusal_attach(feature, program, settings, errno);
			return -1;
		}
		snprintf(feature->link_names[feature->link_count], sizeof(feature->link_names[0]), "%s", name);
		feature->links[feature->link_count++] = link;
	}
	return 0;
}

/* From here on this object's programs count, and those of an earlier agent, which are still attached, do not. */
static void take_turn(const struct feature *feature)
{
	int turn = loader_map(feature, "turn");
	const __u32 zero = 0;

	if (turn >= 0)
		bpf_map_update_elem(turn, &zero, &feature->generation, BPF_ANY);
}

static void attach(struct feature *feature, const struct settings *settings, const struct watched *watched,
		   struct pins *pins)
{
	if (attach_all(feature, settings, watched, pins)) {
		drop(feature);
		return;
	}
	take_turn(feature);
	pins_links(pins, feature);
	feature->state = ATTACHED;
}

void loader_attach(struct feature *features, const struct settings *settings, struct pins *pins)
{
	struct watched watched = {.fd = -1};
	struct error error = {};
	int found = !cgroup_open(&watched, settings->cgroup, &error);

	libbpf_set_print(refusal_hear);
	pins_open(pins);
	for (int i = 0; i < FEATURES; i++) {
		struct feature *feature = &features[i];

		feature->name = sources[i].name;
		feature->state = UNSUPPORTED;
		if (!settings->enabled[i]) {
			feature->state = DISABLED;
			error_set(&feature->error, "switched off by configuration");
		} else if (!found) {
			feature->error = error;
		} else if (access(BTF_PATH, R_OK)) {
			error_set(&feature->error, "the kernel does not describe its types (%s)", BTF_PATH);
			error_fix(&feature->error, "use a kernel built with CONFIG_DEBUG_INFO_BTF");
		} else if (!load(features, i, settings, &watched, pins)) {
			attach(feature, settings, &watched, pins);
		}
		/* What an earlier agent left of it must not run on without anybody who reads it. */
		if (feature->state != ATTACHED)
			pins_remove(pins, feature->name);
	}
	if (watched.fd >= 0)
		close(watched.fd);
}

void loader_detach(struct feature *features)
{
	for (int i = 0; i < FEATURES; i++)
		drop(&features[i]);
}

int loader_map(const struct feature *feature, const char *name)
{
	return feature->object ? bpf_object__find_map_fd_by_name(feature->object, name) : -1;
}
