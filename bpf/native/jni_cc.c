// SPDX-License-Identifier: Apache-2.0
/* The part of the bridge to io.aether.agent.bpf.Native that tells where the congestion control is used. */
#include <bpf/bpf.h>
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>

#include "aether_cc.h"
#include "engine.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_aether_agent_bpf_Native_##name

static void copy_cgroups(JNIEnv *env, jobjectArray from, struct cc_settings *settings)
{
	jsize count = (*env)->GetArrayLength(env, from);

	for (jsize i = 0; i < count && settings->cgroup_count < CC_CGROUPS; i++) {
		jstring path = (*env)->GetObjectArrayElement(env, from, i);
		const char *text = path ? (*env)->GetStringUTFChars(env, path, NULL) : NULL;

		if (!text)
			continue;
		snprintf(settings->cgroups[settings->cgroup_count++], sizeof(settings->cgroups[0]), "%s", text);
		(*env)->ReleaseStringUTFChars(env, path, text);
	}
}

/* Before attach(). networks: as the prefixes for open(). */
NATIVE(void, control)
(JNIEnv *env, jclass type, jlong handle, jobjectArray cgroups, jbyteArray networks, jlong rto_min_us)
{
	struct cc_settings *settings = &((struct engine *)handle)->settings.cc;
	struct aether_prefix *prefix = settings->networks;
	jsize size = (*env)->GetArrayLength(env, networks);

	(void)type;
	copy_cgroups(env, cgroups, settings);
	settings->rto_min_us = rto_min_us;
	for (jsize at = 0; at + 17 <= size && prefix < settings->networks + AETHER_MAX_PREFIXES; at += 17, prefix++) {
		jbyte bits = 0;

		(*env)->GetByteArrayRegion(env, networks, at, 1, &bits);
		(*env)->GetByteArrayRegion(env, networks, at + 1, 16, (jbyte *)prefix->addr);
		prefix->bits = (__u8)bits;
	}
	settings->network_count = prefix - settings->networks;
}

/* Connections taken, connections left, words heard, timeouts of servers' connections. */
NATIVE(jlongArray, controlStats)(JNIEnv *env, jclass type, jlong handle)
{
	const struct engine *engine = (const struct engine *)handle;
	int map = loader_map(&engine->features[CC], "control_counts");
	struct aether_cc_counts *parts = calloc(engine->cpus, sizeof(*parts));
	jlongArray array = (*env)->NewLongArray(env, 4);
	const __u32 zero = 0;
	jlong sum[4] = {};

	(void)type;
	if (parts && map >= 0 && !bpf_map_lookup_elem(map, &zero, parts)) {
		for (int cpu = 0; cpu < engine->cpus; cpu++) {
			sum[0] += parts[cpu].taken;
			sum[1] += parts[cpu].left;
			sum[2] += parts[cpu].words;
			sum[3] += parts[cpu].timeouts;
		}
	}
	free(parts);
	if (array)
		(*env)->SetLongArrayRegion(env, array, 0, 4, sum);
	return array;
}
