// SPDX-License-Identifier: Apache-2.0
/*
 * The control is registered by a link (Linux 6.4), so that it ends with the agent and can be exchanged while it is
 * used. The distribution's libbpf knows only the older way, which outlives its process; the numbers stand here for
 * older headers.
 */
#include "cc.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "aether_cc.h"
#include "cgroup.h"
#include "loader.h"
#include "refusal.h"
#include "rodata.h"

#define F_LINK (1U << 13)
#define STRUCT_OPS 44
/* A link that was let go of is freed a little later, and its name with it. */
#define TRIES 40
#define PAUSE_NS 5000000

static struct bpf_map *control_of(const struct bpf_object *object)
{
	return bpf_object__find_map_by_name(object, AETHER_CC_NAME);
}

void cc_prepare(struct bpf_object *object, const struct settings *settings)
{
	struct bpf_map *control = control_of(object);

	if (control)
		bpf_map__set_map_flags(control, bpf_map__map_flags(control) | F_LINK);
	rodata_set(object, "rto_min_us", &settings->cc.rto_min_us, 4);
}

static void allow_networks(const struct feature *feature, const struct cc_settings *settings)
{
	int map = loader_map(feature, "networks");
	const __u8 one = 1;

	for (__u32 i = 0; map >= 0 && i < settings->network_count; i++)
		bpf_map_update_elem(map, &settings->networks[i], &one, BPF_ANY);
}

static int create_link(int map)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	int link = -1;

	for (int i = 0; i < TRIES && link < 0; i++) {
		if (i)
			nanosleep(&pause, NULL);
		link = bpf_link_create(map, 0, STRUCT_OPS, NULL);
		if (link < 0 && errno != EEXIST)
			break;
	}
	return link;
}

/* An earlier agent's link goes on with this object's programs; connections keep those that they began with. */
static int take_over(const struct feature *feature, const struct pins *pins, int map)
{
	int link = pins_control(pins, feature);

	if (link < 0 || !bpf_link_update(link, map, NULL))
		return link;
	close(link);
	return -1;
}

static int refuse(struct feature *feature, int err)
{
	refusal_forget();
	refusal_load(feature, err, "cannot register the congestion control " AETHER_CC_NAME);
	if (err == EEXIST) {
		feature->state = CONFLICT;
		error_set(&feature->error, "a congestion control named " AETHER_CC_NAME " is registered already");
		error_fix(&feature->error,
			  "stop the other agent, or unregister it (bpftool struct_ops unregister name " AETHER_CC_NAME
			  ")");
	} else if (feature->state == UNSUPPORTED) {
		error_fix(&feature->error, "Linux 6.4 or newer has what it needs");
	}
	return -1;
}

static int register_control(struct feature *feature, const struct pins *pins)
{
	struct bpf_map *map = control_of(feature->object);
	/* Hands the programs over to the kernel; with F_LINK that registers nothing yet. */
	struct bpf_link *ready = map ? bpf_map__attach_struct_ops(map) : NULL;
	int link, err;

	if (!ready)
		return refuse(feature, errno);
	link = take_over(feature, pins, bpf_map__fd(map));
	if (link < 0)
		link = create_link(bpf_map__fd(map));
	err = errno;
	bpf_link__disconnect(ready);
	bpf_link__destroy(ready);
	if (link < 0)
		return refuse(feature, err);
	feature->control = link;
	return 0;
}

static int attach_cgroup(struct feature *feature, const struct bpf_program *program, const char *path,
			 const struct settings *settings, const struct pins *pins)
{
	char *name = feature->link_names[feature->link_count];
	struct watched cgroup = {.fd = -1};
	struct bpf_link *link;
	struct settings here;

	if (cgroup_open(&cgroup, path, &feature->error)) {
		feature->state = UNSUPPORTED;
		return -1;
	}
	snprintf(name, sizeof(feature->link_names[0]), "aether_cc_%llu", cgroup.id);
	link = pins_relink(pins, feature, name, (struct bpf_program *)program);
	if (!link)
		link = bpf_program__attach_cgroup(program, cgroup.fd);
	close(cgroup.fd);
	if (link) {
		feature->links[feature->link_count++] = link;
		return 0;
	}
	here = *settings;
	snprintf(here.cgroup, sizeof(here.cgroup), "%s", path);
	refusal_attach(feature, program, &here, errno);
	return -1;
}

int cc_attach(struct feature *feature, const struct settings *settings, const struct pins *pins)
{
	const struct bpf_program *program = bpf_object__find_program_by_name(feature->object, "aether_cc");

	allow_networks(feature, &settings->cc);
	if (register_control(feature, pins))
		return -1;
	for (__u32 i = 0; i < settings->cc.cgroup_count; i++) {
		if (attach_cgroup(feature, program, settings->cc.cgroups[i], settings, pins))
			return -1;
	}
	return 0;
}
