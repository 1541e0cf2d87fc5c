// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>

#include "aether_kern.h"

/* No real one has more. */
#define MAX_SYMBOLS 1000000

static const struct {
	const char *name;
	enum aether_tls_call call;
} calls[LIBRARY_CALLS] = {
	{"SSL_do_handshake", AETHER_TLS_HANDSHAKE}, {"SSL_write", AETHER_TLS_WRITE},
	{"SSL_write_ex", AETHER_TLS_WRITE},	    {"SSL_read", AETHER_TLS_READ},
	{"SSL_read_ex", AETHER_TLS_READ_EX},
};

int library_is_tls(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	/* Shaded copies have a prefix, and every unpacked one a random end. */
	return !strncmp(name, "libssl.so", 9) || strstr(name, "netty_tcnative");
}

/* Where in the file the code at this address is; 0 when it is no code. */
static __u64 file_offset(Elf *elf, __u64 address)
{
	size_t count = 0;

	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, i, &header) && header.p_type == PT_LOAD && header.p_flags & PF_X &&
		    address >= header.p_vaddr && address - header.p_vaddr < header.p_filesz)
			return address - header.p_vaddr + header.p_offset;
	}
	return 0;
}

/* Names may end with a version: SSL_read@@OPENSSL_3.0.0. */
static int is_named(const char *symbol, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(symbol, name, length) && (!symbol[length] || symbol[length] == '@');
}

static void take_symbol(Elf *elf, size_t names, const GElf_Sym *symbol, __u64 *found)
{
	const char *name;

	if (GELF_ST_TYPE(symbol->st_info) != STT_FUNC || !symbol->st_value)
		return;
	name = elf_strptr(elf, names, symbol->st_name);
	if (!name || strncmp(name, "SSL_", 4))
		return;
	for (int i = 0; i < LIBRARY_CALLS; i++) {
		if (!found[i] && is_named(name, calls[i].name))
			found[i] = file_offset(elf, symbol->st_value);
	}
}

static void take_symbols(Elf *elf, __u64 *found)
{
	for (Elf_Scn *section = elf_nextscn(elf, NULL); section; section = elf_nextscn(elf, section)) {
		GElf_Shdr header;
		Elf_Data *data;
		size_t count;

		if (!gelf_getshdr(section, &header) || !header.sh_entsize ||
		    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		count = header.sh_size / header.sh_entsize;
		data = count < MAX_SYMBOLS ? elf_getdata(section, NULL) : NULL;
		for (size_t i = 0; data && i < count; i++) {
			GElf_Sym symbol;

			if (gelf_getsym(data, i, &symbol))
				take_symbol(elf, header.sh_link, &symbol, found);
		}
	}
}

static __u32 note_build_id(Elf_Data *notes, __u8 *id, size_t size)
{
	size_t at = 0, name, description;
	GElf_Nhdr note;

	while ((at = gelf_getnote(notes, at, &note, &name, &description)) > 0) {
		const char *bytes = notes->d_buf;

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(bytes + name, "GNU", 4) &&
		    note.n_descsz && note.n_descsz <= size) {
			memcpy(id, bytes + description, note.n_descsz);
			return note.n_descsz;
		}
	}
	return 0;
}

static __u32 build_id(Elf *elf, __u8 *id, size_t size)
{
	size_t count = 0;
	__u32 length = 0;

	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count && !length; i++) {
		GElf_Phdr header;
		Elf_Data *notes;

		if (!gelf_getphdr(elf, i, &header) || header.p_type != PT_NOTE)
			continue;
		notes = elf_getdata_rawchunk(elf, header.p_offset, header.p_filesz,
					     header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
		if (notes)
			length = note_build_id(notes, id, size);
	}
	return length;
}

static int search(Elf *elf, struct library_offsets *offsets)
{
	__u64 found[LIBRARY_CALLS] = {};
	int writes = 0;

	memset(offsets, 0, sizeof(*offsets));
	take_symbols(elf, found);
	for (int i = 0; i < LIBRARY_CALLS; i++) {
		if (!found[i])
			continue;
		offsets->enter[offsets->enter_count] = found[i];
		offsets->cookies[offsets->enter_count++] = calls[i].call;
		writes += calls[i].call == AETHER_TLS_WRITE;
		if (calls[i].call == AETHER_TLS_READ || calls[i].call == AETHER_TLS_READ_EX)
			offsets->leave[offsets->leave_count++] = found[i];
	}
	return writes && offsets->leave_count ? 0 : -1;
}

static int cached(Elf *elf, struct library_cache *cache, struct library_offsets *offsets)
{
	__u8 id[sizeof(cache->builds[0].id)];
	__u32 length = build_id(elf, id, sizeof(id)), at;

	for (at = 0; length && at < LIBRARY_BUILDS; at++) {
		if (cache->builds[at].length == length && !memcmp(cache->builds[at].id, id, length)) {
			*offsets = cache->builds[at].offsets;
			return 0;
		}
	}
	if (search(elf, offsets))
		return -1;
	at = cache->next++ % LIBRARY_BUILDS;
	memcpy(cache->builds[at].id, id, length);
	cache->builds[at].length = length;
	cache->builds[at].offsets = *offsets;
	return 0;
}

int library_offsets(int fd, struct library_cache *cache, struct library_offsets *offsets)
{
	int failed = -1;
	Elf *elf;

	elf_version(EV_CURRENT);
	/* Not mapped: the owner of the file may cut it off under us. */
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		failed = cached(elf, cache, offsets);
	elf_end(elf);
	return failed;
}
