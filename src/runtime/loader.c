/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "runtime/loader.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/map.h"
#include "base/status.h"

/* PC32 reaches 2 GiB either way, from anywhere to anywhere in the region. */
enum { STUB_SIZE = 16, PAGE = 4096, LONGEST_NAME = 4096 };
static const uint64_t LARGEST_REGION = 1ull << 30;

typedef enum segment { TEXT, READ_ONLY, DATA, SEGMENT_COUNT, SKIPPED = SEGMENT_COUNT } segment;

/* What generated code may call outside of its artifact. */
static const struct {
  const char *name;
  void *address;
} outside[] = {{"memcpy", (void *)memcpy}, {"memmove", (void *)memmove}, {"memset", (void *)memset}};
enum { OUTSIDE_COUNT = sizeof outside / sizeof *outside };

typedef struct place {
  segment segment;
  uint64_t offset; /* in its segment */
} place;

typedef struct object {
  const char *name;
  const uint8_t *bytes;
  uint64_t size;
  const Elf64_Shdr *sections;
  uint32_t section_count;
  place *places; /* per section */
  const Elf64_Sym *symbols;
  uint64_t symbol_count;
  const char *names; /* string table of the symbols */
  uint64_t names_size;
} object;

typedef struct function {
  uint64_t address, size;
  const char *name;
} function;

struct hd_code {
  hd_arena arena;
  uint8_t *base;
  uint64_t size;
  hd_map symbols; /* global names: address */
  function *functions;
  uint64_t function_count;
};

typedef struct load {
  hd_code *code;
  const hd_artifact_object *inputs;
  uint32_t count;
  const hd_ral_fn *ral_table;
  uint32_t ral_count;
  hd_arena scratch;
  object *objects;
  uint64_t sizes[SEGMENT_COUNT];
  uint8_t *starts[SEGMENT_COUNT];
  uint64_t stubs_at, got_at, table_at; /* offsets in TEXT, READ_ONLY, READ_ONLY */
  uint64_t got_used, got_capacity;
  hd_map got; /* address: its slot + 1 */
} load;

/* ---- reading the tables ---------------------------------------------------------------------------------------- */

static bool inside(const object *o, uint64_t offset, uint64_t size) {
  return offset <= o->size && size <= o->size - offset;
}

#define REFUSE(o, ...) hd_status_annotate(hd_make_status(HD_DATA_LOSS, __VA_ARGS__), "object '%s'", (o)->name)

static hd_status open_object(load *l, object *o, const hd_artifact_object *input) {
  o->name = input->name ? input->name : "";
  o->size = input->size;
  /* A copy, aligned for the ELF structs whatever the caller's bytes are. */
  o->bytes = (const uint8_t *)hd_arena_copy(&l->scratch, input->data, input->size);
  const Elf64_Ehdr *h = (const Elf64_Ehdr *)o->bytes;
  if (o->size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG)) return REFUSE(o, "not an ELF object");
  if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_type != ET_REL ||
      h->e_machine != EM_X86_64)
    return REFUSE(o, "expected a relocatable x86-64 object");
  if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff % 8 ||
      !inside(o, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
    return REFUSE(o, "section table out of range");
  o->sections = (const Elf64_Shdr *)(o->bytes + h->e_shoff);
  o->section_count = h->e_shnum;
  o->places = hd_new_array(&l->scratch, place, o->section_count + 1);
  for (uint32_t i = 0; i < o->section_count; ++i) {
    const Elf64_Shdr *s = &o->sections[i];
    if (s->sh_type != SHT_NOBITS && s->sh_type != SHT_NULL && !inside(o, s->sh_offset, s->sh_size))
      return REFUSE(o, "section %u out of range", i);
    if (s->sh_type != SHT_SYMTAB) continue;
    if (o->symbols) return REFUSE(o, "two symbol tables");
    if (s->sh_entsize != sizeof(Elf64_Sym) || s->sh_offset % 8 || s->sh_link >= o->section_count ||
        o->sections[s->sh_link].sh_type != SHT_STRTAB)
      return REFUSE(o, "symbol table malformed");
    const Elf64_Shdr *names = &o->sections[s->sh_link];
    o->symbols = (const Elf64_Sym *)(o->bytes + s->sh_offset);
    o->symbol_count = s->sh_size / sizeof(Elf64_Sym);
    if (!inside(o, names->sh_offset, names->sh_size)) return REFUSE(o, "symbol names out of range");
    o->names = (const char *)o->bytes + names->sh_offset;
    o->names_size = names->sh_size;
    if (!o->names_size || o->names[o->names_size - 1]) return REFUSE(o, "symbol names do not end");
  }
  return HD_STATUS_OK;
}

static hd_status symbol_name(const object *o, const Elf64_Sym *symbol, const char **out) {
  if (symbol->st_name >= o->names_size) return REFUSE(o, "symbol name out of range");
  *out = o->names + symbol->st_name;
  /* Bounds the memory that many symbols of one long name could take. */
  if (strnlen(*out, LONGEST_NAME + 1) > LONGEST_NAME)
    return REFUSE(o, "symbol name longer than %d bytes", LONGEST_NAME);
  return HD_STATUS_OK;
}

static hd_status place_section(load *l, object *o, uint32_t i) {
  const Elf64_Shdr *s = &o->sections[i];
  place *p = &o->places[i];
  p->segment = SKIPPED;
  if (s->sh_type == SHT_INIT_ARRAY || s->sh_type == SHT_FINI_ARRAY || s->sh_type == SHT_PREINIT_ARRAY)
    return REFUSE(o, "constructors are not supported");
  if (!(s->sh_flags & SHF_ALLOC)) return HD_STATUS_OK;
  if (s->sh_flags & SHF_TLS) return REFUSE(o, "thread-local data is not supported");
  /* Unwind tables and notes (their type, or the name .eh_frame as progbits) serve nobody here. */
  if (s->sh_type == SHT_X86_64_UNWIND || s->sh_type == SHT_NOTE) return HD_STATUS_OK;
  const Elf64_Ehdr *h = (const Elf64_Ehdr *)o->bytes;
  if (h->e_shstrndx < o->section_count) {
    const Elf64_Shdr *names = &o->sections[h->e_shstrndx];
    if (names->sh_type == SHT_STRTAB && s->sh_name < names->sh_size && names->sh_size - s->sh_name >= 10 &&
        !memcmp(o->bytes + names->sh_offset + s->sh_name, ".eh_frame", 10))
      return HD_STATUS_OK;
  }
  if (s->sh_type != SHT_PROGBITS && s->sh_type != SHT_NOBITS)
    return REFUSE(o, "section %u: type %u is not supported", i, s->sh_type);
  bool writable = s->sh_flags & SHF_WRITE, executable = s->sh_flags & SHF_EXECINSTR;
  if (writable && executable) return REFUSE(o, "section %u is writable and executable", i);
  uint64_t align = s->sh_addralign ? s->sh_addralign : 1;
  if (align > PAGE || (align & (align - 1)))
    return REFUSE(o, "section %u: alignment %llu", i, (unsigned long long)align);
  p->segment = executable ? TEXT : writable ? DATA : READ_ONLY;
  uint64_t *size = &l->sizes[p->segment];
  p->offset = (*size + align - 1) & ~(align - 1);
  if (s->sh_size > LARGEST_REGION || p->offset + s->sh_size > LARGEST_REGION)
    return REFUSE(o, "section %u is too large", i);
  *size = p->offset + s->sh_size;
  return HD_STATUS_OK;
}

/* ---- symbols --------------------------------------------------------------------------------------------------- */

/* The address of a symbol that this object defines. */
static hd_status defined_address(const load *l, const object *o, const Elf64_Sym *symbol, uint64_t *out) {
  if (symbol->st_shndx == SHN_ABS) {
    *out = symbol->st_value;
    return HD_STATUS_OK;
  }
  if (symbol->st_shndx >= o->section_count)
    return REFUSE(o, "symbol in section %u, which is none or common", symbol->st_shndx);
  const place *p = &o->places[symbol->st_shndx];
  if (p->segment == SKIPPED) return REFUSE(o, "symbol in section %u, which is not loaded", symbol->st_shndx);
  if (symbol->st_value > o->sections[symbol->st_shndx].sh_size) return REFUSE(o, "symbol beyond its section");
  *out = (uint64_t)(uintptr_t)(l->starts[p->segment] + p->offset + symbol->st_value);
  return HD_STATUS_OK;
}

static hd_status define_globals(load *l, const object *o, hd_map *weak) {
  hd_code *code = l->code;
  for (uint64_t i = 1; i < o->symbol_count; ++i) {
    const Elf64_Sym *symbol = &o->symbols[i];
    int type = ELF64_ST_TYPE(symbol->st_info), binding = ELF64_ST_BIND(symbol->st_info);
    if (type == STT_TLS) return REFUSE(o, "thread-local data is not supported");
    if (type == STT_GNU_IFUNC) return REFUSE(o, "ifuncs are not supported");
    if (symbol->st_shndx == SHN_UNDEF || type == STT_FILE || type == STT_SECTION) continue;
    if (binding == STB_LOCAL && type != STT_FUNC) continue;
    uint64_t address;
    const char *name;
    HD_TRY(symbol_name(o, symbol, &name));
    HD_TRY(defined_address(l, o, symbol, &address));
    if (type == STT_FUNC)
      code->functions[code->function_count++] =
          (function){address, symbol->st_size, hd_arena_copy(&code->arena, name, strlen(name))};
    if (binding == STB_LOCAL) continue;
    bool fresh;
    hd_map_entry *known = hd_map_insert_bytes(&code->arena, &code->symbols, name, strlen(name), &fresh);
    hd_map_entry *is_weak = hd_map_insert_bytes(&l->scratch, weak, name, strlen(name), NULL);
    if (!fresh && binding != STB_WEAK && !is_weak->value.i64) return REFUSE(o, "symbol '%s' is defined twice", name);
    if (!fresh && binding == STB_WEAK) continue;
    known->value.i64 = (int64_t)address;
    is_weak->value.i64 = binding == STB_WEAK;
  }
  return HD_STATUS_OK;
}

static hd_status symbol_address(const load *l, const object *o, uint64_t index, uint64_t *out) {
  if (index >= o->symbol_count)
    return REFUSE(o, "relocation against symbol %llu, which is none", (unsigned long long)index);
  const Elf64_Sym *symbol = &o->symbols[index];
  *out = 0;
  if (!index) return HD_STATUS_OK;
  if (symbol->st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) == STB_LOCAL)
    return defined_address(l, o, symbol, out);
  const char *name;
  HD_TRY(symbol_name(o, symbol, &name));
  const hd_map_entry *found = hd_map_find_bytes(&l->code->symbols, name, strlen(name));
  if (found) {
    *out = (uint64_t)found->value.i64;
    return HD_STATUS_OK;
  }
  if (!strcmp(name, "hd_ral_table")) {
    *out = (uint64_t)(uintptr_t)(l->starts[READ_ONLY] + l->table_at);
    return HD_STATUS_OK;
  }
  for (size_t i = 0; i < OUTSIDE_COUNT; ++i)
    if (!strcmp(name, outside[i].name)) {
      *out = (uint64_t)(uintptr_t)(l->starts[TEXT] + l->stubs_at + i * STUB_SIZE);
      return HD_STATUS_OK;
    }
  if (ELF64_ST_BIND(symbol->st_info) == STB_WEAK) return HD_STATUS_OK;
  return hd_status_annotate(hd_make_status(HD_FAILED_PRECONDITION, "symbol '%s' is not defined in the artifact", name),
                            "object '%s'", o->name);
}

/* ---- relocation ------------------------------------------------------------------------------------------------ */

static hd_status got_slot(load *l, const object *o, uint64_t target, uint64_t *out_address) {
  /* Address 0 (an undefined weak symbol) has no pointer key of its own. */
  uint64_t key[1] = {target};
  hd_map_entry *entry = hd_map_insert_bytes(&l->scratch, &l->got, key, sizeof key, NULL);
  if (!entry->value.i64) {
    if (l->got_used == l->got_capacity) return REFUSE(o, "got overflow");
    entry->value.i64 = (int64_t)++l->got_used;
    memcpy(l->starts[READ_ONLY] + l->got_at + 8 * (l->got_used - 1), &target, 8);
  }
  *out_address = (uint64_t)(uintptr_t)(l->starts[READ_ONLY] + l->got_at + 8 * (uint64_t)(entry->value.i64 - 1));
  return HD_STATUS_OK;
}

static bool is_got(uint32_t type) {
  return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX;
}

static hd_status relocate_one(load *l, const object *o, const Elf64_Shdr *section, uint8_t *at, const Elf64_Rela *r) {
  uint32_t type = (uint32_t)ELF64_R_TYPE(r->r_info);
  int size = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4;
  if (type == R_X86_64_NONE) return HD_STATUS_OK;
  if (r->r_offset > section->sh_size || section->sh_size - r->r_offset < (uint64_t)size)
    return REFUSE(o, "relocation at %llu, beyond its section", (unsigned long long)r->r_offset);
  uint64_t target;
  HD_TRY(symbol_address(l, o, ELF64_R_SYM(r->r_info), &target));
  if (is_got(type)) HD_TRY(got_slot(l, o, target, &target));
  at += r->r_offset;
  uint64_t place = (uint64_t)(uintptr_t)at, value = target + (uint64_t)r->r_addend;
  bool fits = true;
  switch (type) {
    case R_X86_64_64:
      break;
    case R_X86_64_PC64:
      value -= place;
      break;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      value -= place;
      fits = (int64_t)value == (int32_t)value;
      break;
    case R_X86_64_32:
      fits = value == (uint32_t)value;
      break;
    case R_X86_64_32S:
      fits = (int64_t)value == (int32_t)value;
      break;
    default:
      return REFUSE(o, "relocation type %u is not supported", type);
  }
  if (!fits)
    return REFUSE(o, "relocation type %u at %llu does not reach its symbol; compile with -fPIC", type,
                  (unsigned long long)r->r_offset);
  memcpy(at, &value, (size_t)size);
  return HD_STATUS_OK;
}

static hd_status relocate(load *l, const object *o) {
  for (uint32_t i = 0; i < o->section_count; ++i) {
    const Elf64_Shdr *s = &o->sections[i];
    if (s->sh_type != SHT_RELA && s->sh_type != SHT_REL) continue;
    if (s->sh_info >= o->section_count) return REFUSE(o, "relocations of section %u, which is none", s->sh_info);
    const place *p = &o->places[s->sh_info];
    const Elf64_Shdr *section = &o->sections[s->sh_info];
    if (p->segment == SKIPPED) continue;
    if (s->sh_type == SHT_REL || s->sh_entsize != sizeof(Elf64_Rela) || s->sh_offset % 8 ||
        section->sh_type == SHT_NOBITS)
      return REFUSE(o, "relocation section %u malformed", i);
    const Elf64_Rela *relocations = (const Elf64_Rela *)(o->bytes + s->sh_offset);
    for (uint64_t k = 0; k < s->sh_size / sizeof(Elf64_Rela); ++k)
      HD_TRY(relocate_one(l, o, section, l->starts[p->segment] + p->offset, &relocations[k]));
  }
  return HD_STATUS_OK;
}

/* ---- the region ------------------------------------------------------------------------------------------------ */

/* Adds stubs, got and table after the sections. */
static hd_status reserve(load *l) {
  for (uint32_t i = 0; i < l->count; ++i)
    for (uint32_t k = 0; k < l->objects[i].section_count; ++k) {
      const Elf64_Shdr *s = &l->objects[i].sections[k];
      if (s->sh_type != SHT_RELA || s->sh_entsize != sizeof(Elf64_Rela)) continue;
      const Elf64_Rela *relocations = (const Elf64_Rela *)(l->objects[i].bytes + (s->sh_offset & ~7ull));
      for (uint64_t r = 0; r < s->sh_size / sizeof(Elf64_Rela); ++r)
        l->got_capacity += is_got((uint32_t)ELF64_R_TYPE(relocations[r].r_info));
    }
  l->stubs_at = (l->sizes[TEXT] + 15) & ~15ull;
  l->sizes[TEXT] = l->stubs_at + OUTSIDE_COUNT * STUB_SIZE;
  l->got_at = (l->sizes[READ_ONLY] + 7) & ~7ull;
  l->table_at = l->got_at + 8 * l->got_capacity;
  l->sizes[READ_ONLY] = l->table_at + 8 * (uint64_t)l->ral_count;
  uint64_t total = 0, offsets[SEGMENT_COUNT];
  for (int i = 0; i < SEGMENT_COUNT; ++i) {
    offsets[i] = total;
    total += (l->sizes[i] + PAGE - 1) & ~(uint64_t)(PAGE - 1);
  }
  if (total > LARGEST_REGION)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "%llu bytes of code and data, expected at most %llu",
                          (unsigned long long)total, (unsigned long long)LARGEST_REGION);
  void *base = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "no memory for %llu bytes of code", (unsigned long long)total);
  l->code->base = base;
  l->code->size = total;
  for (int i = 0; i < SEGMENT_COUNT; ++i) l->starts[i] = l->code->base + offsets[i];
  return HD_STATUS_OK;
}

static void fill(load *l) {
  for (uint32_t i = 0; i < l->count; ++i)
    for (uint32_t k = 0; k < l->objects[i].section_count; ++k) {
      const Elf64_Shdr *s = &l->objects[i].sections[k];
      const place *p = &l->objects[i].places[k];
      if (p->segment != SKIPPED && s->sh_type == SHT_PROGBITS && s->sh_size)
        memcpy(l->starts[p->segment] + p->offset, l->objects[i].bytes + s->sh_offset, s->sh_size);
    }
  for (size_t i = 0; i < OUTSIDE_COUNT; ++i) {
    /* jmp *0(%rip); the address follows at +8 (the displacement of 2 skips the padding). */
    static const uint8_t jump[8] = {0xff, 0x25, 2, 0, 0, 0, 0x0f, 0x0b};
    uint8_t *stub = l->starts[TEXT] + l->stubs_at + i * STUB_SIZE;
    memcpy(stub, jump, 8);
    memcpy(stub + 8, &outside[i].address, 8);
  }
  if (l->ral_count) memcpy(l->starts[READ_ONLY] + l->table_at, l->ral_table, 8 * (size_t)l->ral_count);
}

static hd_status protect(load *l) {
  uint64_t text = (uint64_t)(l->starts[READ_ONLY] - l->starts[TEXT]),
           constants = (uint64_t)(l->starts[DATA] - l->starts[READ_ONLY]);
  if (mprotect(l->starts[TEXT], text, PROT_READ | PROT_EXEC) ||
      (constants && mprotect(l->starts[READ_ONLY], constants, PROT_READ)))
    return hd_make_status(HD_PERMISSION_DENIED, "the system refuses executable memory");
  return HD_STATUS_OK;
}

static hd_status load_guarded(void *argument) {
  load *l = argument;
  l->objects = hd_new_array(&l->scratch, object, l->count + 1);
  uint64_t functions = 0;
  for (uint32_t i = 0; i < l->count; ++i) {
    object *o = &l->objects[i];
    HD_TRY(open_object(l, o, &l->inputs[i]));
    for (uint32_t k = 0; k < o->section_count; ++k) HD_TRY(place_section(l, o, k));
    functions += o->symbol_count;
  }
  HD_TRY(reserve(l));
  l->code->functions = hd_new_array(&l->code->arena, function, functions + 1);
  hd_map weak = {0};
  for (uint32_t i = 0; i < l->count; ++i) HD_TRY(define_globals(l, &l->objects[i], &weak));
  fill(l);
  for (uint32_t i = 0; i < l->count; ++i) HD_TRY(relocate(l, &l->objects[i]));
  return protect(l);
}

hd_status hd_code_load(const hd_artifact_object *objects, uint32_t object_count, const hd_ral_fn *ral_table,
                       uint32_t ral_count, hd_code **out_code) {
  *out_code = NULL;
#if !defined(__x86_64__)
  return hd_make_status(HD_UNIMPLEMENTED, "machine code of x86-64 on another machine");
#endif
  hd_code *code = calloc(1, sizeof *code);
  if (!code) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  load l = {.code = code, .inputs = objects, .count = object_count, .ral_table = ral_table, .ral_count = ral_count};
  hd_arena_init(&code->arena, NULL);
  hd_arena_init(&l.scratch, NULL);
  hd_status status = hd_guarded_call(load_guarded, &l);
  hd_arena_free(&l.scratch);
  if (!hd_is_ok(status)) {
    hd_code_free(code);
    return status;
  }
  *out_code = code;
  return HD_STATUS_OK;
}

void hd_code_free(hd_code *code) {
  if (!code) return;
  if (code->base) munmap(code->base, code->size);
  hd_arena_free(&code->arena);
  free(code);
}

void *hd_code_symbol(const hd_code *code, const char *name) {
  const hd_map_entry *entry = hd_map_find_bytes(&code->symbols, name, strlen(name));
  return entry ? (void *)(uintptr_t)entry->value.i64 : NULL;
}

void hd_code_set_name(hd_code *code, const char *symbol, const char *name) {
  uintptr_t address = (uintptr_t)hd_code_symbol(code, symbol);
  for (uint64_t i = 0; address && i < code->function_count; ++i)
    if (code->functions[i].address == address) code->functions[i].name = name;
}

hd_status hd_code_write_perf_map(const hd_code *code) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
  int descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "a");
  if (!file && descriptor >= 0) close(descriptor);
  if (!file) return hd_make_status(HD_UNAVAILABLE, "cannot write %s", path);
  for (uint64_t i = 0; i < code->function_count; ++i)
    fprintf(file, "%llx %llx %s\n", (unsigned long long)code->functions[i].address,
            (unsigned long long)code->functions[i].size, code->functions[i].name);
  if (fclose(file)) return hd_make_status(HD_UNAVAILABLE, "cannot write %s", path);
  return HD_STATUS_OK;
}
