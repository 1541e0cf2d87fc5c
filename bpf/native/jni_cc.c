// SPDX-License-Identifier: Apache-2.0
/* The part of the bridge to io.aether.agent.bpf.Native that tells where the congestion control is used. */
#include <jni.h>
#include <stdio.h>

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
