// SPDX-License-Identifier: Apache-2.0
/* FNV-1a over the maps' definitions and their types, as the object's own type information describes them. */
#include "layout.h"

#include <bpf/btf.h>
#include <string.h>

#define FNV_PRIME 0x100000001b3ULL
#define MAX_NESTING 16

static void add(__u64 *layout, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < size; i++)
		*layout = (*layout ^ byte[i]) * FNV_PRIME;
}

static void add_number(__u64 *layout, __u64 number)
{
	add(layout, &number, sizeof(number));
}

static void add_text(__u64 *layout, const char *text)
{
	add(layout, text, strlen(text) + 1);
}

static void add_type(__u64 *layout, const struct btf *btf, __u32 id, int nesting);

static void add_members(__u64 *layout, const struct btf *btf, const struct btf_type *type, int nesting)
{
	const struct btf_member *member = btf_members(type);

	for (int i = 0; i < btf_vlen(type); i++, member++) {
		add_text(layout, btf__name_by_offset(btf, member->name_off));
		add_number(layout, btf_member_bit_offset(type, i));
		add_type(layout, btf, member->type, nesting + 1);
	}
}

static void add_type(__u64 *layout, const struct btf *btf, __u32 id, int nesting)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	while (type && (btf_is_mod(type) || btf_is_typedef(type)))
		type = btf__type_by_id(btf, type->type);
	if (!type || nesting > MAX_NESTING)
		return;
	add_number(layout, btf_kind(type));
	if (btf_is_array(type)) {
		add_number(layout, btf_array(type)->nelems);
		add_type(layout, btf, btf_array(type)->type, nesting + 1);
	} else if (!btf_is_ptr(type)) {
		add_number(layout, type->size);
	}
	if (btf_is_composite(type))
		add_members(layout, btf, type, nesting);
}

void layout_add(__u64 *layout, const struct bpf_object *object, const struct bpf_map *map)
{
	const struct btf *btf = bpf_object__btf(object);

	add_text(layout, bpf_map__name(map));
	add_number(layout, bpf_map__type(map));
	add_number(layout, bpf_map__key_size(map));
	add_number(layout, bpf_map__value_size(map));
	add_number(layout, bpf_map__max_entries(map));
	add_number(layout, bpf_map__map_flags(map));
	if (btf) {
		add_type(layout, btf, bpf_map__btf_key_type_id(map), 0);
		add_type(layout, btf, bpf_map__btf_value_type_id(map), 0);
	}
}
