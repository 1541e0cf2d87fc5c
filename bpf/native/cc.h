/* SPDX-License-Identifier: Apache-2.0 */
/* The congestion control: what is told to it, and how it is registered and attached. */
#ifndef AETHER_CC_NATIVE_H
#define AETHER_CC_NATIVE_H

#include <linux/types.h>

#include "aether_kern.h"

#define CC_CGROUPS 8

struct cc_settings {
	char cgroups[CC_CGROUPS][4096]; /* that opted in */
	__u32 cgroup_count;
	struct aether_prefix networks[AETHER_MAX_PREFIXES]; /* of peers towards which it is used */
	__u32 network_count;
	__u32 rto_min_us;
};

struct bpf_object;
struct feature;
struct pins;
struct settings;

/* Between opening the object and loading it. */
void cc_prepare(struct bpf_object *object, const struct settings *settings);
/* Registers the control and attaches to the cgroups. 0, or -1 with the feature's state and reason set. */
int cc_attach(struct feature *feature, const struct settings *settings, const struct pins *pins);

#endif /* AETHER_CC_NATIVE_H */
