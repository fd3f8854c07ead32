/* SPDX-License-Identifier: Apache-2.0 */
/* The last gate: an object may refer to memcpy, memmove, memset, hd_ral_table and what the program declares; anything
 * else (a function of libm or of the compiler's library) is code that could never be loaded. */
#include <elf.h>
#include <string.h>

#include "target/llvm/codegen.h"

static bool is_known(const char *name, const char *const *externals, size_t count) {
  static const char *const known[] = {"", "memcpy", "memmove", "memset", "hd_ral_table", "_GLOBAL_OFFSET_TABLE_"};
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strcmp(name, known[i]) == 0) return true;
  for (size_t i = 0; i < count; ++i)
    if (strcmp(externals[i], name) == 0) return true;
  return false;
}

hd_status hd_object_check(const void *data, size_t size, const char *const *externals, size_t external_count) {
  const char *bytes = data;
  const Elf64_Ehdr *header = data;
  if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_shoff + (uint64_t)header->e_shnum * sizeof(Elf64_Shdr) > size)
    return hd_make_status(HD_INTERNAL, "the code generator wrote no ELF object");
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(bytes + sections[i].sh_offset);
    const char *names = bytes + sections[sections[i].sh_link].sh_offset;
    for (size_t s = 1; s < sections[i].sh_size / sizeof *symbols; ++s)
      if (symbols[s].st_shndx == SHN_UNDEF && !is_known(names + symbols[s].st_name, externals, external_count))
        return hd_make_status(HD_UNIMPLEMENTED,
                              "code generation needs the function '%s', which does not exist at run time",
                              names + symbols[s].st_name);
  }
  return HD_STATUS_OK;
}
