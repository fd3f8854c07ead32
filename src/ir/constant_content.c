/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/constant_content.h"

#include "base/element_types.h"
#include "base/strbuf.h"
#include "ir/element_types.h"

static const char *type_code(hd_arena *arena, hd_type type) {
  hd_element_type element = hd_element_type_of(type->shaped.element);
  if (element == HD_ELEMENT_INVALID) return NULL;
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  hd_strbuf_puts(&text, hd_element_info_of(element)->ral_name);
  for (uint32_t d = 0; d < type->shaped.rank; ++d)
    hd_strbuf_printf(&text, "%s%lld", d ? "x" : "_", (long long)type->shaped.dims[d]);
  return hd_strbuf_text(&text);
}

bool hd_constant_content_of(hd_arena *arena, hd_attr value, hd_constant_content *out) {
  *out = (hd_constant_content){value->dense.data, value->dense.size};
  out->type = type_code(arena, value->type);
  if (!out->type) return false;
  if (value->dense.splat) {
    size_t element = out->size;
    out->size = (size_t)hd_type_num_elements(value->type) * element;
    char *all = hd_arena_alloc(arena, out->size);
    for (size_t at = 0; at < out->size; at += element) memcpy(all + at, value->dense.data, element);
    out->data = all;
  }
  char hex[33];
  out->hash = hd_hash128_of(out->data, out->size);
  hd_hash128_hex(&out->hash, hex);
  out->name = hd_arena_printf(arena, "%s_%s", hex, out->type);
  return true;
}
