/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/lowering/lowering.h"

#include <stdio.h>
#include <string.h>

#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "passes/lowering/ral_call.h"

static hd_value *symbol_value(void *user, const hd_atom *symbol) {
  hd_builder *b = user;
  const hd_symbol_origin *origin = symbol->origin;
  if (origin->value->type->kind == HD_TYPE_INDEX) return origin->value;
  if (origin->value->type->kind != HD_TYPE_MEMREF) return NULL;
  hd_type index = hd_type_index(b->context);
  if (origin->kind != HD_SYMBOL_ELEMENT)
    return hd_symbol_from_dim(b, origin,
                              hd_build(b, HD_OP_memref_dim, index, origin->value, hd_build_index(b, origin->index)));
  return NULL;
}

hd_value *hd_host_dim_once(hd_lowering *ctx, hd_builder *b, hd_dim dim, hd_op *op, hd_map *cache) {
  hd_value *value = dim ? hd_dim_materialize(ctx->shapes, b, dim, cache, symbol_value, b) : NULL;
  if (!value) hd_op_error(op, "has a size that is not known where it is launched");
  return value;
}

hd_value *hd_host_dim(hd_lowering *ctx, hd_builder *b, hd_dim dim, hd_op *op) {
  hd_map alone = {0};
  return hd_host_dim_once(ctx, b, dim, op, b->block == ctx->here ? &ctx->here_dims : &alone);
}

hd_value *hd_host_as_word(hd_lowering *ctx, hd_builder *b, hd_value *value) {
  hd_type i64 = hd_i64(b->context);
  if (b->block != ctx->here) return hd_build(b, HD_OP_arith_index_cast, i64, value);
  hd_map_entry *entry = hd_map_insert(&ctx->pass->arena, &ctx->here_words, value, NULL);
  if (!entry->value.ptr) entry->value.ptr = hd_build(b, HD_OP_arith_index_cast, i64, value);
  return entry->value.ptr;
}

/* The same as an i64. */
static hd_value *host_word(hd_lowering *ctx, hd_builder *b, hd_dim dim, hd_op *op) {
  hd_value *value = hd_host_dim(ctx, b, dim, op);
  return value ? hd_host_as_word(ctx, b, value) : NULL;
}

hd_value *hd_host_index(hd_lowering *ctx, hd_builder *b, int64_t value) {
  return hd_host_dim(ctx, b, hd_dim_const(&ctx->shapes->table, value), NULL);
}

hd_value *hd_host_table(hd_lowering *ctx, hd_builder *b, const hd_dim *dims, hd_value *const *values, uint32_t count,
                        hd_op *op) {
  hd_arena *arena = &ctx->pass->arena;
  const void **key = hd_new_array(arena, const void *, count);
  for (uint32_t i = 0; i < count; ++i)
    key[i] = values && values[i] ? (const void *)values[i] : hd_dim_resolve(&ctx->shapes->table, dims[i]);
  size_t size = count * sizeof *key;
  hd_map_entry *entry = b->block == ctx->here ? hd_map_find_bytes(&ctx->here_tables, key, size) : NULL;
  if (entry) return entry->value.ptr;
  hd_value *table = hd_words_area(b, count ? count : 1);
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *word = values && values[i] ? hd_host_as_word(ctx, b, values[i]) : host_word(ctx, b, dims[i], op);
    if (!word) return NULL;
    hd_build0(b, HD_OP_memref_store, word, table, hd_host_index(ctx, b, i));
  }
  if (b->block == ctx->here) hd_map_insert_bytes(arena, &ctx->here_tables, key, size, NULL)->value.ptr = table;
  return table;
}

/* What a launch must move to store past the caches. */
static hd_value *stream_bytes(hd_lowering *ctx) {
  if (!ctx->stream_bytes) {
    hd_builder b = hd_builder_at_start(ctx->func->module, hd_op_region(ctx->func, 0)->first);
    b.loc = ctx->func->loc;
    hd_type index = hd_type_index(b.context);
    ctx->stream_bytes = hd_build_ral_call(&b, "ral_stream_bytes___pvoid___i64", index, NULL, 0);
  }
  return ctx->stream_bytes;
}

hd_value **hd_launch_words(hd_lowering *ctx, hd_builder *b, const hd_kernel_launch *launch, hd_op *op) {
  hd_value **words = hd_new_array(&ctx->pass->arena, hd_value *, launch->operand_count + 2);
  for (size_t i = 0; i < launch->operand_count; ++i) {
    words[2 + i] = launch->operands[i] ? launch->operands[i]
                   : launch->dims[i]   ? hd_host_dim(ctx, b, launch->dims[i], op)
                                       : stream_bytes(ctx);
    if (!words[2 + i]) return NULL;
  }
  return words;
}

bool hd_launch_kernel(hd_lowering *ctx, hd_builder *b, const hd_kernel_launch *launch, hd_op *op) {
  hd_value **words = hd_launch_words(ctx, b, launch, op);
  if (!words) return false;
  words[0] = hd_host_dim(ctx, b, launch->extent, op);
  words[1] = hd_host_dim(ctx, b, launch->grain, op);
  if (!words[0] || !words[1]) return false;
  hd_attr_arg kernel = {HD_NAME_kernel, hd_attr_symbol(b->context, hd_symbol_name(launch->func), NULL, 0)};
  hd_build_op(b, HD_OP_hd_launch, words, launch->operand_count + 2, NULL, 0, &kernel, 1, 0);
  return true;
}

/* Appends up to three names of |ops|, each once; ops that only move elements are left out unless |moves|. */
static unsigned put_op_names(hd_strbuf *name, hd_op *const *ops, size_t count, bool moves) {
  enum { SHOWN = 3 };
  const char *shown[SHOWN];
  unsigned n = 0;
  for (size_t i = 0; i < count && n < SHOWN; ++i) {
    const char *op = strchr(hd_op_info_of(ops[i]->info->opcode)->name, '.') + 1;
    bool seen = hd_buffer_opcode(ops[i]) == HD_OP_stablehlo_constant || (hd_discardable_inline(ops[i]) && !moves);
    for (unsigned k = 0; k < n && !seen; ++k) seen = !strcmp(shown[k], op);
    if (seen) continue;
    shown[n++] = op;
    hd_strbuf_printf(name, "_%s", op);
  }
  return n;
}

const char *hd_kernel_name(hd_lowering *ctx, const char *kind, hd_op *const *ops, size_t count) {
  hd_strbuf name;
  hd_strbuf_init(&name, &ctx->pass->arena);
  hd_strbuf_puts(&name, kind);
  if (!put_op_names(&name, ops, count, false)) put_op_names(&name, ops, count, true);
  hd_strbuf_printf(&name, "_%u", ctx->kernels++);
  return hd_strbuf_text(&name);
}

void hd_kernel_say_source(hd_lowering *ctx, hd_op *func, hd_op *const *ops, size_t count) {
  enum { SHOWN = 12 };
  hd_strbuf text;
  hd_strbuf_init(&text, &ctx->pass->arena);
  size_t shown = 0, left = 0;
  for (size_t i = 0; i < count; ++i) {
    if (hd_discardable_inline(ops[i])) continue;
    if (shown == SHOWN)
      ++left;
    else
      hd_strbuf_printf(&text, "%s%s", shown++ ? ", " : "", strchr(hd_op_info_of(ops[i]->info->opcode)->name, '.') + 1);
  }
  if (left) hd_strbuf_printf(&text, " and %zu more", left);
  hd_discardable_set_source(func, hd_strbuf_text(&text));
}

hd_op *hd_empty_fusion(hd_builder b, hd_enum_kind kind) {
  hd_op *fusion = hd_build_op(&b, HD_OP_lmhlo_fusion, NULL, 0, NULL, 0, NULL, 0, 1);
  hd_discardable_set_kind(fusion, kind);
  hd_discardable_set_outputs(fusion, 0);
  hd_block *body = hd_block_create(b.module);
  hd_region_append(hd_op_region(fusion, 0), body);
  hd_builder end = hd_builder_at_end(b.module, body);
  end.loc = b.loc;
  hd_build_op(&end, HD_OP_lmhlo_terminator, NULL, 0, NULL, 0, NULL, 0, 0);
  return fusion;
}

hd_op *hd_wrap_in_fusion(hd_op *op, hd_enum_kind kind) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_op *fusion = hd_empty_fusion(b, kind);
  hd_op_move_before(op, hd_op_region(fusion, 0)->first->last);
  return fusion;
}

bool hd_lower_by(hd_lowering *ctx, hd_op *op, const hd_kernel_set *set, const char *kind, hd_emit_fn emit) {
  if (!set->outputs.len) { /* nobody reads what it writes */
    hd_op_erase(op);
    return true;
  }
  hd_kernel_ops ops = {set->ops.data, set->ops.len, set->outputs.data, set->outputs.len};
  hd_kernel_launch launch = {0};
  if (!hd_kernel_of(ctx, emit, &ops, kind, set->ops.data, set->ops.len, op->loc, &launch)) return false;
  hd_builder b = hd_builder_before(op);
  if (!hd_launch_kernel(ctx, &b, &launch, op)) return false;
  hd_op_erase(op);
  return true;
}

hd_value *hd_words_area(hd_builder *b, int64_t count) {
  hd_type type = hd_type_memref(hd_i64(b->context), (int64_t[]){count}, 1, NULL, NULL);
  return hd_build_one_(b, HD_OP_memref_alloca, type, NULL, 0,
                       &(hd_attr_arg){HD_NAME_operandSegmentSizes, hd_attr_i32_array(b->context, (int32_t[]){0, 0}, 2)},
                       1);
}
