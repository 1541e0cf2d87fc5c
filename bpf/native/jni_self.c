// SPDX-License-Identifier: Apache-2.0
/* The part of the bridge to io.aether.agent.bpf.Native that tells of the agent itself. */
#include <jni.h>

#include "jni_text.h"
#include "self.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_aether_agent_bpf_Native_##name

/* 0, or the error number. */
NATIVE(jint, countRuns)(JNIEnv *env, jclass type, jlong handle)
{
	(void)env, (void)type;
	return -self_count_runs((struct engine *)handle);
}

/* "feature/map" for each map that can be counted, in the order of mapStats(). */
NATIVE(jobjectArray, mapNames)(JNIEnv *env, jclass type, jlong handle)
{
	struct map_report reports[MAX_MAPS];
	int count = self_maps((const struct engine *)handle, reports);
	jobjectArray result = new_texts(env, count);

	(void)type;
	for (int i = 0; i < count; i++)
		set_text(env, result, i, reports[i].name);
	return result;
}

/* For each map: entries (-1: unknown), capacity. */
NATIVE(jlongArray, mapStats)(JNIEnv *env, jclass type, jlong handle)
{
	struct map_report reports[MAX_MAPS];
	int count = self_maps((const struct engine *)handle, reports);
	jlongArray array = (*env)->NewLongArray(env, 2 * count);

	(void)type;
	for (int i = 0; array && i < count; i++) {
		const jlong pair[] = {reports[i].entries, (jlong)reports[i].capacity};

		(*env)->SetLongArrayRegion(env, array, 2 * i, 2, pair);
	}
	return array;
}

/* For each feature, in the order of status(): see self_probes(). */
NATIVE(jlongArray, probeStats)(JNIEnv *env, jclass type, jlong handle)
{
	__u64 rows[FEATURES][SELF_ROW];
	jlongArray array = (*env)->NewLongArray(env, FEATURES * SELF_ROW);

	(void)type;
	self_probes((const struct engine *)handle, rows);
	if (array)
		(*env)->SetLongArrayRegion(env, array, 0, FEATURES * SELF_ROW, (const jlong *)rows);
	return array;
}
