// SPDX-License-Identifier: Apache-2.0
/* The part of the bridge to io.aether.agent.bpf.Native that tells how answers are marked. */
#include <jni.h>

#include "marks.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_aether_agent_bpf_Native_##name

/* Before attach(). numbers: mark from us, mark all us, scrub, ask; prefixes as for open(). */
NATIVE(void, marks)(JNIEnv *env, jclass type, jlong handle, jlongArray numbers, jbyteArray prefixes)
{
	struct engine *engine = (struct engine *)handle;
	struct mark_settings *marks = &engine->marks;
	struct aether_prefix *prefix = marks->trusted;
	jsize size = (*env)->GetArrayLength(env, prefixes);
	jlong n[4];

	(void)type;
	(*env)->GetLongArrayRegion(env, numbers, 0, 4, n);
	if ((*env)->ExceptionCheck(env))
		return;
	marks->from_us = n[0];
	marks->all_us = n[1];
	marks->scrub = n[2] != 0;
	engine->settings.ask_ecn = n[3] != 0;
	for (jsize at = 0; at + 17 <= size && prefix < marks->trusted + AETHER_MAX_PREFIXES; at += 17, prefix++) {
		jbyte bits = 0;

		(*env)->GetByteArrayRegion(env, prefixes, at, 1, &bits);
		(*env)->GetByteArrayRegion(env, prefixes, at + 1, 16, (jbyte *)prefix->addr);
		prefix->bits = (__u8)bits;
	}
	marks->trusted_count = prefix - marks->trusted;
}
