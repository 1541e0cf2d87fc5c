// SPDX-License-Identifier: Apache-2.0
/* The bridge to io.aether.agent.bpf.Native. Handles are pointers that KernelProbes keeps to itself. */
#include <jni.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "engine.h"
#include "jni_text.h"
#include "report.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_io_aether_agent_bpf_Native_##name

/* ProbesUnavailableException(reason, fix). */
static void throw_unavailable(JNIEnv *env, const struct error *error)
{
	jclass type = (*env)->FindClass(env, "io/aether/agent/bpf/ProbesUnavailableException");
	jmethodID create;
	jstring reason, fix;

	if (!type)
		return;
	create = (*env)->GetMethodID(env, type, "<init>", "(Ljava/lang/String;Ljava/lang/String;)V");
	reason = (*env)->NewStringUTF(env, error->reason);
	fix = (*env)->NewStringUTF(env, error->fix);
	if (create && reason && fix)
		(*env)->Throw(env, (*env)->NewObject(env, type, create, reason, fix));
}

static void copy_text(JNIEnv *env, jstring from, char *to, size_t size)
{
	const char *text = (*env)->GetStringUTFChars(env, from, NULL);

	to[0] = '\0';
	if (!text)
		return;
	snprintf(to, size, "%s", text);
	(*env)->ReleaseStringUTFChars(env, from, text);
}

static jlongArray to_longs(JNIEnv *env, const __u64 *values, jsize count)
{
	jlongArray array = (*env)->NewLongArray(env, count);

	if (array)
		(*env)->SetLongArrayRegion(env, array, 0, count, (const jlong *)values);
	return array;
}

/* prefixes: for each, the length of the prefix and the 16 bytes of the address. */
static void copy_prefixes(JNIEnv *env, jbyteArray from, struct settings *settings)
{
	struct aether_prefix *prefix = settings->prefixes;
	jsize size = (*env)->GetArrayLength(env, from);

	for (jsize at = 0; at + 17 <= size && prefix < settings->prefixes + AETHER_MAX_PREFIXES; at += 17, prefix++) {
		jbyte bits = 0;

		(*env)->GetByteArrayRegion(env, from, at, 1, &bits);
		(*env)->GetByteArrayRegion(env, from, at + 1, 16, (jbyte *)prefix->addr);
		prefix->bits = (__u8)bits;
	}
	settings->prefix_count = prefix - settings->prefixes;
}

/*
 * numbers: slots, congested RTT us, its floor us, its factor, delayed ACK us, stall ns, health's ACK delay us, node
 * reports, flow, queue, sched, health, http, tls, ecn, cc.
 */
NATIVE(jlong, open)
(JNIEnv *env, jclass type, jstring table, jstring cgroup, jlongArray numbers, jbyteArray prefixes)
{
	struct settings settings = {};
	struct error error = {};
	struct engine *engine;
	char path[4096];
	jlong n[8 + FEATURES];

	(void)type;
	(*env)->GetLongArrayRegion(env, numbers, 0, 8 + FEATURES, n);
	if ((*env)->ExceptionCheck(env))
		return 0;
	copy_text(env, table, path, sizeof(path));
	copy_text(env, cgroup, settings.cgroup, sizeof(settings.cgroup));
	settings.congested_rtt_us = n[1];
	settings.congested_floor_us = n[2];
	settings.congested_factor = n[3];
	settings.delayed_ack_us = n[4];
	settings.stall_after_ns = n[5];
	settings.ack_delay_us = n[6];
	settings.node_reports = n[7] != 0;
	for (int i = 0; i < FEATURES; i++)
		settings.enabled[i] = n[8 + i] != 0;
	copy_prefixes(env, prefixes, &settings);
	engine = engine_open(&settings, path, n[0], &error);
	if (!engine)
		throw_unavailable(env, &error);
	return (jlong)engine;
}

NATIVE(void, attach)(JNIEnv *env, jclass type, jlong handle)
{
	(void)env, (void)type;
	engine_attach((struct engine *)handle);
}

/* For each feature: name, state, reason, fix. */
NATIVE(jobjectArray, status)(JNIEnv *env, jclass type, jlong handle)
{
	static const char *const states[] = {"ATTACHED", "UNSUPPORTED", "DENIED", "CONFLICT", "DISABLED"};
	const struct engine *engine = (const struct engine *)handle;
	jobjectArray result = new_texts(env, 4 * FEATURES);

	(void)type;
	for (int i = 0; i < 4 * FEATURES; i++) {
		const struct feature *feature = &engine->features[i / 4];
		const char *const texts[] = {feature->name, states[feature->state], feature->error.reason,
					     feature->error.fix};

		set_text(env, result, i, texts[i % 4]);
	}
	return result;
}

/* "feature/program" for each loaded program, in the order of programStats(). */
NATIVE(jobjectArray, programNames)(JNIEnv *env, jclass type, jlong handle)
{
	struct program_report reports[MAX_REPORTS];
	int count = report_programs((const struct engine *)handle, reports);
	jobjectArray result = new_texts(env, count);

	(void)type;
	for (int i = 0; i < count; i++)
		set_text(env, result, i, reports[i].name);
	return result;
}

/* For each loaded program: id, instructions verified, runs, run time ns (both 0 unless the kernel counts), events. */
NATIVE(jlongArray, programStats)(JNIEnv *env, jclass type, jlong handle)
{
	struct program_report reports[MAX_REPORTS];
	int count = report_programs((const struct engine *)handle, reports);
	__u64 values[MAX_REPORTS * 5];

	(void)type;
	for (int i = 0; i < count; i++)
		memcpy(&values[i * 5], reports[i].values, sizeof(reports[i].values));
	return to_longs(env, values, count * 5);
}

/* See report_counters(). */
NATIVE(jlongArray, counters)(JNIEnv *env, jclass type, jlong handle)
{
	__u64 values[MAX_COUNTERS];

	(void)type;
	return to_longs(env, values, report_counters((const struct engine *)handle, values));
}

/* The latest times from an edge in the kernel to the written slot, in us, newest last. */
NATIVE(jlongArray, latencies)(JNIEnv *env, jclass type, jlong handle)
{
	__u64 values[LATENCIES];

	(void)type;
	return to_longs(env, values, report_latencies((const struct engine *)handle, values));
}

/* For each cgroup: id, sum ns, preempted by its own, by others, by the kernel, throttles, throttled ns, buckets. */
NATIVE(jlongArray, runQueue)(JNIEnv *env, jclass type, jlong handle)
{
	jlongArray result = NULL;
	__u64 *values = NULL;
	int count = report_runq((const struct engine *)handle, &values);

	(void)type;
	result = to_longs(env, values, count);
	free(values);
	return result;
}

/* Returns when stop() was called. */
NATIVE(jint, pump)(JNIEnv *env, jclass type, jlong handle)
{
	(void)env, (void)type;
	return pump_run((struct engine *)handle);
}

NATIVE(void, stop)(JNIEnv *env, jclass type, jlong handle)
{
	(void)env, (void)type;
	eventfd_write(((struct engine *)handle)->stop, 1);
}

/* After the pump's return only. */
NATIVE(void, close)(JNIEnv *env, jclass type, jlong handle)
{
	(void)env, (void)type;
	engine_close((struct engine *)handle);
}

/* Offsets and sizes of the table's layout, in the order that the test beside Native lists. */
NATIVE(jintArray, abi)(JNIEnv *env, jclass type)
{
#define AT(type, field) (jint) offsetof(struct type, field)
	const jint values[] = {
		AETHER_ABI_VERSION,
		AETHER_HEADER_SIZE,
		AETHER_SLOT_SIZE,
		AETHER_MAX_PROBE,
		AT(aether_header, magic),
		AT(aether_header, abi_version),
		AT(aether_header, header_size),
		AT(aether_header, slot_count),
		AT(aether_header, slot_size),
		AT(aether_header, boot_id),
		AT(aether_header, writer_pid),
		AT(aether_header, used),
		AT(aether_header, start_ns),
		AT(aether_header, heartbeat_ns),
		AT(aether_header, refused),
		AT(aether_slot, seq),
		AT(aether_slot, kind),
		AT(aether_slot, flags),
		AT(aether_slot, port),
		AT(aether_slot, netns),
		AT(aether_slot, addr),
		AT(aether_slot, path.time_ns),
		AT(aether_slot, path.srtt_us),
		AT(aether_slot, path.min_rtt_us),
		AT(aether_slot, path.cwnd),
		AT(aether_slot, path.in_flight_bytes),
		AT(aether_slot, path.connections),
		AT(aether_slot, path.retrans_permille),
		AT(aether_slot, path.segs_out),
		AT(aether_slot, path.retrans),
		AT(aether_slot, path.syn_retrans),
		AT(aether_slot, path.rtt_samples),
		AT(aether_slot, path.congested_since_ns),
		AT(aether_slot, queue.time_ns),
		AT(aether_slot, queue.sojourn_us),
		AT(aether_slot, queue.sojourn_max_us),
		AT(aether_slot, queue.unread),
		AT(aether_slot, queue.accept_queue),
		AT(aether_slot, queue.accept_max),
		AT(aether_slot, queue.connections),
		AT(aether_slot, queue.cgroup),
		AT(aether_slot, queue.reads),
		AT(aether_slot, queue.arrivals),
		AT(aether_slot, report.time_ns),
		AT(aether_slot, report.stalled_since_ns),
		AT(aether_slot, report.stall_age_us),
		AT(aether_slot, report.sojourn_us),
		AT(aether_slot, report.runq_us),
		AT(aether_slot, report.runq_p99_us),
		AT(aether_slot, report.throttled_permille),
		AT(aether_slot, report.pressure),
		AT(aether_slot, report.source),
		AT(aether_slot, report.in_flight),
		AT(aether_slot, report.waiting),
		AT(aether_slot, report.est_wait_us),
		AT(aether_slot, http.time_ns),
		AT(aether_slot, http.ttfb_us),
		AT(aether_slot, http.rate),
		AT(aether_slot, http.class_2xx),
		AT(aether_slot, http.class_4xx),
		AT(aether_slot, http.class_5xx),
		AT(aether_slot, http.unknown),
		AT(aether_slot, ecn.time_ns),
		AT(aether_slot, ecn.ce),
		AT(aether_slot, ecn.ect),
		AT(aether_slot, ecn.ce_permille),
		AT(aether_slot, ecn.able_permille),
		AT(aether_slot, ecn.rungs),
	};
#undef AT
	jsize count = sizeof(values) / sizeof(values[0]);
	jintArray array = (*env)->NewIntArray(env, count);

	(void)type;
	if (array)
		(*env)->SetIntArrayRegion(env, array, 0, count, values);
	return array;
}
