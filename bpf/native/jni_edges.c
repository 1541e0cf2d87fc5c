// SPDX-License-Identifier: Apache-2.0
/* The second call of the bridge that stays in here: the first is the pump, this one tells what it changed. */
#include <jni.h>

#include "engine.h"

#define TAKE 64

/*
 * Waits for changes of the table's flags, for one thread. rows[0]: losses since the start; then for each the words of
 * struct edge. The number of edges, or -1 after stop().
 */
JNIEXPORT jint JNICALL Java_io_aether_agent_bpf_Native_edges(JNIEnv *env, jclass type, jlong handle, jlongArray rows)
{
	struct engine *engine = (struct engine *)handle;
	jsize room = ((*env)->GetArrayLength(env, rows) - 1) / EDGE_WORDS;
	struct edge taken[TAKE];
	int count = edges_take(engine->edges, engine->stop, taken, room < TAKE ? room : TAKE);
	jlong lost = edges_lost(engine->edges);

	(void)type;
	(*env)->SetLongArrayRegion(env, rows, 0, 1, &lost);
	if (count > 0)
		(*env)->SetLongArrayRegion(env, rows, 1, count * EDGE_WORDS, (const jlong *)taken);
	return count;
}
