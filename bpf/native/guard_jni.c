// SPDX-License-Identifier: Apache-2.0
/* The bridge to io.aether.agent.bpf.NativeGuard. Handles are pointers that KernelGuard keeps to itself. */
#include <jni.h>
#include <stdio.h>
#include <stdlib.h>

#include "guard_pins.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_aether_agent_bpf_NativeGuard_##name
#define GUARD_FIELDS 3
#define PORT_FIELDS 5

/*
 * numbers: enforce, ns between SYNs, ns of credit, entries, connections, ns between SYNs of all sources. 0 when out of
 * memory.
 */
NATIVE(jlong, open)(JNIEnv *env, jclass type, jlongArray numbers)
{
	jlong n[6] = {};
	struct guard_settings settings;

	(void)type;
	(*env)->GetLongArrayRegion(env, numbers, 0, 6, n);
	if ((*env)->ExceptionCheck(env))
		return 0;
	settings = (struct guard_settings){n[0] != 0, n[1], n[2], n[3], n[4], n[5]};
	return (jlong)guard_open(&settings);
}

NATIVE(void, addInterface)(JNIEnv *env, jclass type, jlong handle, jstring name)
{
	const char *text = (*env)->GetStringUTFChars(env, name, NULL);

	(void)type;
	if (!text)
		return;
	guard_add_port((struct guard *)handle, text);
	(*env)->ReleaseStringUTFChars(env, name, text);
}

static void put(JNIEnv *env, jobjectArray array, jsize at, const char *text)
{
	jstring string = (*env)->NewStringUTF(env, text);

	(*env)->SetObjectArrayElement(env, array, at, string);
	(*env)->DeleteLocalRef(env, string);
}

/* Before load; reason and fix, both empty when links will be pinned. */
NATIVE(jobjectArray, pin)(JNIEnv *env, jclass type, jlong handle, jstring directory, jboolean keep)
{
	const char *text = (*env)->GetStringUTFChars(env, directory, NULL);
	jobjectArray result;
	struct error error = {};

	(void)type;
	if (!text)
		return NULL;
	guard_pins_open((struct guard *)handle, text, keep, &error);
	(*env)->ReleaseStringUTFChars(env, directory, text);
	result = (*env)->NewObjectArray(env, 2, (*env)->FindClass(env, "java/lang/String"), NULL);
	if (!result)
		return NULL;
	put(env, result, 0, error.reason);
	put(env, result, 1, error.fix);
	return result;
}

NATIVE(void, load)(JNIEnv *env, jclass type, jlong handle)
{
	(void)env, (void)type;
	guard_load((struct guard *)handle);
}

NATIVE(void, attach)(JNIEnv *env, jclass type, jlong handle)
{
	(void)env, (void)type;
	guard_attach((struct guard *)handle);
}

static void put_port(JNIEnv *env, jobjectArray array, jsize at, const struct guard_port *port,
		     const char *const *states)
{
	put(env, array, at, port->name);
	put(env, array, at + 1, states[port->state]);
	put(env, array, at + 2, port->state != ATTACHED ? "" : port->native ? "native" : "generic");
	put(env, array, at + 3, port->error.reason);
	put(env, array, at + 4, port->error.fix);
}

/* State, reason and fix of the program; then name, state, hook, reason and fix of each interface. */
NATIVE(jobjectArray, status)(JNIEnv *env, jclass type, jlong handle)
{
	static const char *const states[] = {"ATTACHED", "UNSUPPORTED", "DENIED", "CONFLICT", "DISABLED"};
	const struct guard *guard = (const struct guard *)handle;
	jclass string = (*env)->FindClass(env, "java/lang/String");
	jsize size = GUARD_FIELDS + guard->port_count * PORT_FIELDS;
	jobjectArray result = string ? (*env)->NewObjectArray(env, size, string, NULL) : NULL;

	(void)type;
	if (!result)
		return NULL;
	put(env, result, 0, states[guard->state]);
	put(env, result, 1, guard->error.reason);
	put(env, result, 2, guard->error.fix);
	for (int i = 0; i < guard->port_count; i++)
		put_port(env, result, GUARD_FIELDS + i * PORT_FIELDS, &guard->ports[i], states);
	return result;
}

static struct guard_network *take_networks(JNIEnv *env, jbyteArray array, int *count)
{
	jsize size = (*env)->GetArrayLength(env, array);
	struct guard_network *networks = malloc(size + 1);

	*count = networks ? size / sizeof(*networks) : 0;
	if (networks)
		(*env)->GetByteArrayRegion(env, array, 0, size, (jbyte *)networks);
	return networks;
}

/* networks: for each, its bits, the 16 bytes of its address, and its flags. */
NATIVE(jint, enter)(JNIEnv *env, jclass type, jlong handle, jint list, jbyteArray array, jlong expires)
{
	int count, done = 0;
	struct guard_network *networks = take_networks(env, array, &count);

	(void)type;
	if (count)
		done = guard_enter((struct guard *)handle, list, networks, count, expires);
	free(networks);
	return done;
}

NATIVE(jint, takeOut)(JNIEnv *env, jclass type, jlong handle, jint list, jbyteArray array)
{
	int count, done = 0;
	struct guard_network *networks = take_networks(env, array, &count);

	(void)type;
	if (count)
		done = guard_take_out((struct guard *)handle, list, networks, count);
	free(networks);
	return done;
}

/* For each network as above, and its expiry; NULL when memory is short. */
NATIVE(jbyteArray, earlier)(JNIEnv *env, jclass type, jlong handle, jint list)
{
	const struct guard *guard = (const struct guard *)handle;
	int most = 2 * (guard->settings.entries + GUARD_MAX_MANAGEMENT), count;
	struct guard_earlier *all = malloc(most * sizeof(*all));
	jbyteArray array = NULL;

	(void)type;
	if (!all)
		return NULL;
	count = guard_earlier(guard, list, all, most);
	array = (*env)->NewByteArray(env, count * sizeof(*all));
	if (array)
		(*env)->SetByteArrayRegion(env, array, 0, count * sizeof(*all), (const jbyte *)all);
	free(all);
	return array;
}

static jlongArray to_longs(JNIEnv *env, const __u64 *values, jsize count)
{
	jlongArray array = (*env)->NewLongArray(env, count);

	if (array)
		(*env)->SetLongArrayRegion(env, array, 0, count, (const jlong *)values);
	return array;
}

/* One counter for each verdict. */
NATIVE(jlongArray, verdicts)(JNIEnv *env, jclass type, jlong handle)
{
	__u64 values[GUARD_VERDICTS];

	(void)type;
	return to_longs(env, values, guard_verdicts((const struct guard *)handle, values));
}

/* The program's answer and its mean ns; or one negative error number. */
NATIVE(jlongArray, tryPacket)(JNIEnv *env, jclass type, jlong handle, jbyteArray packet, jint repeat)
{
	jsize size = (*env)->GetArrayLength(env, packet);
	jbyte *bytes = (*env)->GetByteArrayElements(env, packet, NULL);
	__u64 values[2] = {};
	int err;

	(void)type;
	if (!bytes)
		return NULL;
	err = guard_try((const struct guard *)handle, bytes, size, repeat, values);
	(*env)->ReleaseByteArrayElements(env, packet, bytes, JNI_ABORT);
	if (err)
		values[0] = (__u64)(__s64)err;
	return to_longs(env, values, err ? 1 : 2);
}

/* Id and instructions verified. */
NATIVE(jlongArray, program)(JNIEnv *env, jclass type, jlong handle)
{
	__u64 values[2];

	(void)type;
	guard_program((const struct guard *)handle, values);
	return to_longs(env, values, 2);
}

NATIVE(void, close)(JNIEnv *env, jclass type, jlong handle)
{
	(void)env, (void)type;
	guard_close((struct guard *)handle);
}
