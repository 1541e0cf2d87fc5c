// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "pins.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layout.h"
#include "loader.h"
#include "pindir.h"
#include "rodata.h"

#define LAYOUT "layout"
#define CONTROL "control"

/* The value of the map "layout", which is pinned last: without it the rest is not trusted. */
struct pinned_layout {
	__u64 maps;
	__u64 cgroup; /* the maps hold what was seen of this one */
	__u32 version;
	__u32 pid;
};

/*
 * Which maps outlive the agent. Those that the programs may only read hold settings: they start afresh. So do an
 * object's constants; what belongs to another feature is pinned there.
 */
static int outlives(const struct bpf_map *map)
{
	switch (bpf_map__type(map)) {
	case BPF_MAP_TYPE_STRUCT_OPS:
	case BPF_MAP_TYPE_PROG_ARRAY:
	case BPF_MAP_TYPE_PERF_EVENT_ARRAY:
		return 0;
	default:
		return !bpf_map__is_internal(map) && !(bpf_map__map_flags(map) & BPF_F_RDONLY_PROG) &&
		       loader_owner(bpf_map__name(map)) < 0;
	}
}

static struct pinned_layout layout_of(const struct bpf_object *object, const struct watched *watched)
{
	struct pinned_layout layout = {
		.maps = LAYOUT_SEED, .cgroup = watched->id, .version = AETHER_MAPS_VERSION, .pid = getpid()};
	const struct bpf_map *map;

	bpf_object__for_each_map (map, object) {
		if (outlives(map))
			layout_add(&layout.maps, object, map);
	}
	return layout;
}

/* Of a pin in the feature's directory. */
static char *path_of(char *path, const struct pins *pins, const char *feature, const char *kind, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/%s/%s%s", pins->path, feature, kind, name) < PATH_MAX ? path : NULL;
}

static int get(const struct pins *pins, const char *feature, const char *kind, const char *name)
{
	char path[PATH_MAX];

	return path_of(path, pins, feature, kind, name) ? bpf_obj_get(path) : -1;
}

/* An earlier pin of this name is replaced in one step: there is never none. */
static int put(const struct pins *pins, const char *feature, const char *kind, const char *name, int fd)
{
	char path[PATH_MAX], fresh[PATH_MAX];

	if (!path_of(path, pins, feature, kind, name) || !path_of(fresh, pins, feature, "new_", name))
		return -ENAMETOOLONG;
	unlink(fresh); /* of an agent that was killed right here */
	if (bpf_obj_pin(fd, fresh))
		return -errno;
	return rename(fresh, path) ? -errno : 0;
}

static int fits(const struct pins *pins, const char *feature, const struct pinned_layout *wanted)
{
	struct pinned_layout found = {};
	const __u32 zero = 0;
	int fd = get(pins, feature, "", LAYOUT);
	int err = fd < 0 || bpf_map_lookup_elem(fd, &zero, &found);

	if (fd >= 0)
		close(fd);
	return !err && found.maps == wanted->maps && found.version == wanted->version && found.cgroup == wanted->cgroup;
}

static int reuse_map(const struct pins *pins, const char *feature, struct bpf_map *map)
{
	int fd = get(pins, feature, "map_", bpf_map__name(map));
	int err = fd < 0 ? -1 : bpf_map__reuse_fd(map, fd);

	if (fd >= 0)
		close(fd); /* libbpf has its own */
	return err;
}

/* One more than that of the programs which use the maps now. */
static void set_generation(struct feature *feature, struct bpf_object *object)
{
	int turn = bpf_object__find_map_fd_by_name(object, "turn");
	const __u32 zero = 0;

	if (turn < 0 || bpf_map_lookup_elem(turn, &zero, &feature->generation))
		return;
	feature->generation++;
	rodata_set(object, "generation", &feature->generation, sizeof(feature->generation));
}

void pins_reuse(struct pins *pins, struct feature *feature, struct bpf_object *object, const struct watched *watched)
{
	struct pinned_layout wanted;
	struct bpf_map *map;
	int err = 0;

	if (pins->directory < 0 || !pindir_has(pins->directory, feature->name))
		return;
	wanted = layout_of(object, watched);
	if (fits(pins, feature->name, &wanted)) {
		bpf_object__for_each_map (map, object) {
			if (!err && outlives(map))
				err = reuse_map(pins, feature->name, map);
		}
		if (!err) {
			feature->pinned = PINNED_TAKEN;
			set_generation(feature, object);
			return;
		}
	}
	pins_remove(pins, feature->name);
	feature->pinned = PINNED_REPLACED;
}

static int put_layout(const struct pins *pins, const char *feature, const struct pinned_layout *layout)
{
	const __u32 zero = 0;
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "aether_layout", sizeof(zero), sizeof(*layout), 1, NULL);
	int err = fd < 0 ? -errno : bpf_map_update_elem(fd, &zero, layout, BPF_ANY);

	if (!err)
		err = put(pins, feature, "", LAYOUT, fd);
	if (fd >= 0)
		close(fd);
	return err;
}

/* The feature goes on without. */
static void give_up(struct pins *pins, struct feature *feature, int err)
{
	feature->pinned = PINNED_NOT;
	error_set(&pins->error, "%s cannot be pinned below %s: %s", feature->name, pins->path, strerror(-err));
	error_fix(&pins->error, "make that directory writable for the agent, or set aether.agent.pin.directory");
	pins_remove(pins, feature->name);
}

void pins_maps(struct pins *pins, struct feature *feature, const struct watched *watched)
{
	struct pinned_layout layout;
	struct bpf_map *map;
	int err;

	if (pins->directory < 0)
		return;
	layout = layout_of(feature->object, watched);
	err = pindir_make(pins->directory, feature->name);
	if (feature->pinned != PINNED_TAKEN) {
		bpf_object__for_each_map (map, feature->object) {
			if (!err && outlives(map))
				err = put(pins, feature->name, "map_", bpf_map__name(map), bpf_map__fd(map));
		}
	}
	if (!err)
		err = put_layout(pins, feature->name, &layout);
	if (err)
		give_up(pins, feature, err);
	else if (feature->pinned == PINNED_NOT)
		feature->pinned = PINNED_NEW;
}

struct bpf_link *pins_relink(const struct pins *pins, const struct feature *feature, const char *name,
			     struct bpf_program *program)
{
	char path[PATH_MAX];
	struct bpf_link *link;

	if (feature->pinned != PINNED_TAKEN || !path_of(path, pins, feature->name, "link_", name))
		return NULL;
	link = bpf_link__open(path);
	/* Refused for those kinds of links that cannot change their program, and when the cgroup is gone. */
	if (!link || !bpf_link__update_program(link, program))
		return link;
	bpf_link__destroy(link);
	return NULL;
}

int pins_control(const struct pins *pins, const struct feature *feature)
{
	return feature->pinned == PINNED_TAKEN ? get(pins, feature->name, "link_", CONTROL) : -1;
}

/* Whether the feature has a link of this name; what is no link stays in any case. */
static int is_current(const char *pin, const void *context)
{
	const struct feature *feature = context;

	for (int i = 0; i < feature->link_count; i++) {
		if (!strncmp(pin, "link_", 5) && !strcmp(pin + 5, feature->link_names[i]))
			return 1;
	}
	if (feature->control && !strcmp(pin, "link_" CONTROL))
		return 1;
	return strncmp(pin, "link_", 5) != 0;
}

void pins_links(struct pins *pins, struct feature *feature)
{
	int err = 0;

	if (feature->pinned == PINNED_NOT)
		return;
	if (feature->control)
		err = put(pins, feature->name, "link_", CONTROL, feature->control);
	for (int i = 0; i < feature->link_count && !err; i++) {
		if (!bpf_link__pin_path(feature->links[i])) /* else it is an earlier agent's already */
			err = put(pins, feature->name, "link_", feature->link_names[i],
				  bpf_link__fd(feature->links[i]));
	}
	if (err)
		give_up(pins, feature, err);
	else
		pindir_empty(pins->directory, feature->name, is_current, feature);
}

void pins_remove(const struct pins *pins, const char *feature)
{
	if (pins->directory >= 0)
		pindir_remove(pins->directory, feature);
}

void pins_open(struct pins *pins)
{
	pins->directory = pins->path[0] ? pindir_open(pins->path, PINDIR_CREATE, &pins->error) : -1;
	/* Of objects that this version does not have. */
	if (pins->directory >= 0)
		pindir_prune(pins->directory, loader_knows);
}

void pins_close(struct pins *pins)
{
	if (pins->directory >= 0 && !pins->keep) {
		pindir_prune(pins->directory, NULL);
		rmdir(pins->path);
	}
	if (pins->directory >= 0)
		close(pins->directory);
	pins->directory = -1;
}

int pins_clean(const char *path, struct error *error)
{
	int directory = pindir_open(path, PINDIR_EXISTING, error), count;

	if (directory < 0)
		return error->reason[0] ? -1 : 0;
	count = pindir_prune(directory, NULL);
	rmdir(path);
	close(directory);
	return count;
}
