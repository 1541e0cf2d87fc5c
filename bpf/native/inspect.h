/* SPDX-License-Identifier: Apache-2.0 */
/* What this kernel offers to this process, and who else uses it. Changes nothing. */
#ifndef AETHER_INSPECT_H
#define AETHER_INSPECT_H

#define MAX_FINDINGS 64

struct finding {
	char topic[12]; /* hook, cgroup, xdp */
	char subject[64];
	char state[16];
	char detail[320];
};

/* Each hook by loading a program of two instructions; attaches nothing. State: available, unsupported, denied. */
int inspect_hooks(struct finding *findings, int capacity);

/* Programs at the hooks of a cgroup and of those above it. State: alone (nobody else can attach) or shared. */
int inspect_cgroup(const char *cgroup, struct finding *findings, int capacity);

/* Programs at the interfaces of this network namespace. State: native, generic, offloaded or several. */
int inspect_xdp(struct finding *findings, int capacity);

/* Whether this kernel's structure has such a field. */
int inspect_field(const char *type, const char *field);

#endif /* AETHER_INSPECT_H */
