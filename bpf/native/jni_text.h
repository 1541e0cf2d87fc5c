/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of strings for Java. */
#ifndef AETHER_JNI_TEXT_H
#define AETHER_JNI_TEXT_H

#include <jni.h>
#include <stddef.h>

static inline jobjectArray new_texts(JNIEnv *env, jsize count)
{
	jclass string = (*env)->FindClass(env, "java/lang/String");

	return string ? (*env)->NewObjectArray(env, count, string, NULL) : NULL;
}

/* Does nothing where there is no array or no memory. */
static inline void set_text(JNIEnv *env, jobjectArray array, jsize at, const char *value)
{
	jstring text = array ? (*env)->NewStringUTF(env, value) : NULL;

	if (!text)
		return;
	(*env)->SetObjectArrayElement(env, array, at, text);
	(*env)->DeleteLocalRef(env, text);
}

#endif /* AETHER_JNI_TEXT_H */
