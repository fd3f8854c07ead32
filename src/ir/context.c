/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/context.h"

#include <stdlib.h>
#include <string.h>

void hd_context_release(hd_context *context) {
  if (!context) return;
  hd_arena_free(&context->arena);
  free(context);
}

hd_ident hd_ident_get(hd_context *context, hd_str text) {
  hd_map_entry *entry = hd_map_find_bytes(&context->idents, text.data, text.len);
  if (entry) return entry->value.ptr;
  struct hd_ident_storage *ident = hd_arena_alloc(&context->arena, sizeof *ident + text.len + 1);
  ident->hash = hd_hash_bytes(text.data, text.len, 0);
  ident->len = (uint32_t)text.len;
  ident->name = HD_NAME_NONE;
  if (text.len) memcpy(ident->text, text.data, text.len);
  ident->text[text.len] = 0;
  hd_map_insert_bytes(&context->arena, &context->idents, text.data, text.len, NULL)->value.ptr = ident;
  return ident;
}
