// SPDX-License-Identifier: Apache-2.0
#include "rodata.h"

#include <bpf/btf.h>
#include <string.h>

/* Offset of the variable in the object's read-only section, found in its own type information. */
static long variable_offset(const struct bpf_object *object, const char *name)
{
	const struct btf *btf = bpf_object__btf(object);
	int id = btf ? btf__find_by_name_kind(btf, ".rodata", BTF_KIND_DATASEC) : -1;
	const struct btf_type *section = id < 0 ? NULL : btf__type_by_id(btf, id);
	const struct btf_var_secinfo *variable;

	if (!section)
		return -1;
	variable = btf_var_secinfos(section);
	for (int i = 0; i < btf_vlen(section); i++, variable++) {
		const struct btf_type *type = btf__type_by_id(btf, variable->type);

		if (!strcmp(btf__name_by_offset(btf, type->name_off), name))
			return variable->offset;
	}
	return -1;
}

void rodata_set(struct bpf_object *object, const char *name, const void *value, size_t size)
{
	long offset = variable_offset(object, name);
	struct bpf_map *map;

	if (offset < 0)
		return;
	bpf_object__for_each_map (map, object) {
		const char *map_name = bpf_map__name(map);
		const char *suffix = strrchr(map_name, '.');
		size_t length = 0;
		void *memory = bpf_map__is_internal(map) ? (void *)bpf_map__initial_value(map, &length) : NULL;

		if (memory && suffix && !strcmp(suffix, ".rodata") && offset + size <= length)
			memcpy((char *)memory + offset, value, size);
	}
}
