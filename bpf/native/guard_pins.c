// SPDX-License-Identifier: Apache-2.0
#include "guard_pins.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pindir.h"

#define PART "guard"

static int path_of(const struct guard *guard, int interface, char *path)
{
	return guard->pins < 0 ||
	       snprintf(path, PATH_MAX, "%s/" PART "/link_%d", guard->pins_path, interface) >= PATH_MAX;
}

int guard_pins_open(struct guard *guard, const char *path, int keep, struct error *error)
{
	snprintf(guard->pins_path, sizeof(guard->pins_path), "%s", path);
	guard->pins_keep = keep;
	guard->pins = pindir_open_part(path, PART, error);
	return guard->pins < 0 ? -1 : 0;
}

int guard_pins_take(const struct guard *guard, int interface)
{
	char path[PATH_MAX];

	return path_of(guard, interface, path) ? -1 : bpf_obj_get(path);
}

int guard_pins_put(const struct guard *guard, int interface, int link)
{
	char path[PATH_MAX];

	if (path_of(guard, interface, path))
		return 0;
	unlink(path); /* of an interface that had this index before */
	return bpf_obj_pin(link, path) ? -errno : 0;
}

static int list_path(const struct guard *guard, const char *kind, const char *name, char *path)
{
	return guard->pins < 0 ||
	       snprintf(path, PATH_MAX, "%s/" PART "/%s_%s", guard->pins_path, kind, name) >= PATH_MAX;
}

int guard_pins_list(const struct guard *guard, const char *name)
{
	char path[PATH_MAX];

	return list_path(guard, "map", name, path) ? -1 : bpf_obj_get(path);
}

void guard_pins_put_list(const struct guard *guard, const char *name, int map)
{
	char path[PATH_MAX], fresh[PATH_MAX];

	if (list_path(guard, "map", name, path) || list_path(guard, "new", name, fresh))
		return;
	unlink(fresh); /* of an agent that was killed right here */
	if (!bpf_obj_pin(map, fresh))
		rename(fresh, path);
}

static int is_current(const char *pin, const void *context)
{
	const struct guard *guard = context;
	int interface;

	if (!strncmp(pin, "map_", 4))
		return 1;
	for (int i = 0; i < guard->port_count; i++) {
		if (guard->ports[i].link >= 0 && sscanf(pin, "link_%d", &interface) == 1 &&
		    interface == guard->ports[i].interface)
			return 1;
	}
	return 0;
}

void guard_pins_prune(const struct guard *guard)
{
	int whole;

	if (guard->pins < 0)
		return;
	whole = openat(guard->pins, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (whole < 0)
		return;
	pindir_empty(whole, PART, is_current, guard);
	close(whole);
}

void guard_pins_close(struct guard *guard)
{
	if (guard->pins < 0)
		return;
	if (!guard->pins_keep) {
		int whole = openat(guard->pins, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (whole >= 0) {
			pindir_remove(whole, PART);
			close(whole);
		}
		rmdir(guard->pins_path); /* unless there are the pins of other objects */
	}
	close(guard->pins);
	guard->pins = -1;
}
