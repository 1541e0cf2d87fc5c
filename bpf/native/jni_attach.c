// SPDX-License-Identifier: Apache-2.0
/* The bridge to io.aether.agent.bpf.Native: what surrounds attaching. */
#include <jni.h>
#include <stdio.h>

#include "engine.h"
#include "inspect.h"
#include "jni_text.h"
#include "privileges.h"
#include "surveyor.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_aether_agent_bpf_Native_##name

static int copy_path(JNIEnv *env, jstring from, char *to)
{
	const char *text = (*env)->GetStringUTFChars(env, from, NULL);

	if (!text)
		return -1;
	snprintf(to, PATH_MAX, "%s", text);
	(*env)->ReleaseStringUTFChars(env, from, text);
	return 0;
}

/* Before attach(). */
NATIVE(void, pin)(JNIEnv *env, jclass type, jlong handle, jstring directory, jboolean keep)
{
	struct engine *engine = (struct engine *)handle;

	copy_path(env, directory, engine->pins.path);
	engine->pins.keep = keep;
}

/* Directory in use or an empty text, reason and fix; then, for each feature, what became of its pins. */
NATIVE(jobjectArray, pins)(JNIEnv *env, jclass type, jlong handle)
{
	static const char *const states[] = {"NOT", "NEW", "TAKEN", "REPLACED"};
	const struct engine *engine = (const struct engine *)handle;
	jobjectArray result = new_texts(env, 3 + 2 * FEATURES);

	set_text(env, result, 0, engine->pins.directory < 0 ? "" : engine->pins.path);
	set_text(env, result, 1, engine->pins.error.reason);
	set_text(env, result, 2, engine->pins.error.fix);
	for (int i = 0; i < FEATURES; i++) {
		const struct feature *feature = &engine->features[i];

		set_text(env, result, 3 + 2 * i, feature->name);
		set_text(env, result, 4 + 2 * i, states[feature->state == ATTACHED ? feature->pinned : PINNED_NOT]);
	}
	return result;
}

/* While the pump runs: why not, or an empty text; what every thread keeps; what the surveyor's keeps. */
NATIVE(jobjectArray, dropPrivileges)(JNIEnv *env, jclass type, jlong handle)
{
	__u64 kept = 0, held = privileges_held();
	struct error error = {};
	char all[128], surveyor[128];
	jobjectArray result = new_texts(env, 3);

	engine_drop_privileges((struct engine *)handle, &kept, &error);
	privileges_name(kept, all, sizeof(all));
	privileges_name(SURVEYOR_PRIVILEGES & held, surveyor, sizeof(surveyor));
	set_text(env, result, 0, error.reason);
	set_text(env, result, 1, all);
	set_text(env, result, 2, surveyor);
	return result;
}

NATIVE(void, keepPrivileges)(JNIEnv *env, jclass type, jlong privileges)
{
	privileges_keep(privileges);
}

/* Number of pins removed, reason and fix; the number is -1 when none could be. */
NATIVE(jobjectArray, clean)(JNIEnv *env, jclass type, jstring directory)
{
	struct error error = {};
	char path[PATH_MAX] = "", count[16];
	jobjectArray result = new_texts(env, 3);

	if (copy_path(env, directory, path))
		return NULL;
	snprintf(count, sizeof(count), "%d", pins_clean(path, &error));
	set_text(env, result, 0, count);
	set_text(env, result, 1, error.reason);
	set_text(env, result, 2, error.fix);
	return result;
}

/* Topic, subject, state and detail of each finding; see inspect.h. */
NATIVE(jobjectArray, inspect)(JNIEnv *env, jclass type, jstring cgroup)
{
	struct finding findings[MAX_FINDINGS];
	jobjectArray result;
	char path[PATH_MAX];
	int count = 0;

	if (copy_path(env, cgroup, path))
		return NULL;
	count += inspect_hooks(findings, MAX_FINDINGS);
	count += inspect_cgroup(path, findings + count, MAX_FINDINGS - count);
	count += inspect_xdp(findings + count, MAX_FINDINGS - count);
	result = new_texts(env, 4 * count);
	for (int i = 0; i < count; i++) {
		set_text(env, result, 4 * i, findings[i].topic);
		set_text(env, result, 4 * i + 1, findings[i].subject);
		set_text(env, result, 4 * i + 2, findings[i].state);
		set_text(env, result, 4 * i + 3, findings[i].detail);
	}
	return result;
}
