// SPDX-License-Identifier: Apache-2.0
#include "rest.h"

#include <errno.h>
#include <stdio.h>

/* A pool of connections that is closed and opened again does not count as quiet. */
#define QUIET_LOOKS 5

static void leave_hooks(struct feature *feature)
{
	for (int i = 0; i < feature->link_count; i++)
		bpf_link__destroy(feature->links[i]);
	feature->link_count = 0;
}

static int take_hooks(struct feature *feature, int cgroup)
{
	struct bpf_program *program;

	bpf_object__for_each_program (program, feature->object) {
		int at = feature->link_count;

		if (!loader_at_cgroup(program))
			continue;
		feature->links[at] = bpf_program__attach_cgroup(program, cgroup);
		if (!feature->links[at]) {
			int err = -errno;

			leave_hooks(feature);
			return err;
		}
		snprintf(feature->link_names[at], sizeof(feature->link_names[0]), "%s", bpf_program__name(program));
		feature->link_count++;
	}
	return 0;
}

int rest_look(struct rest *rest, int needed)
{
	struct feature *feature = rest->feature;
	int err = 0;

	rest->quiet = needed ? 0 : rest->quiet + 1;
	if (needed && !feature->link_count)
		err = take_hooks(feature, rest->cgroup);
	else if (rest->quiet > QUIET_LOOKS && feature->link_count)
		leave_hooks(feature);
	else
		return 0;
	pins_links(rest->pins, feature); /* those that are gone, too */
	return err;
}
