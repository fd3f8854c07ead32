/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of equal ops are emitted once. A model of twelve equal layers has the fusions of one layer twelve times; what
 * tells them apart are the buffers they touch, which are arguments of the kernel.
 *
 * A kernel follows from its ops, written as words: opcodes, attributes, types and the symbolic dims of every value,
 * with values as numbers in the order of their first mention. Types, attributes and dims are unique, so their addresses
 * stand for them. Equal words give the kernel that is there, with the operands that have the same numbers. */
#include "passes/lowering/lowering.h"

typedef struct spelling {
  hd_lowering *ctx;
  hd_arena *arena;
  hd_vec(uint64_t) words;
  hd_vec(hd_value *) values; /* by number */
  hd_map numbers;            /* value -> number + 1 */
} spelling;

/* Distinct kernels that are written for speed alone; a model of some dozen kinds of layers has fewer.
 * What a program has beyond them is written for little code: its compile time is that of its kernels,
 * and each of so many takes little of a run. */
enum { MOST_FULL = 128 };

struct hd_made_kernel {
  hd_kernel_launch launch;
  uint32_t *numbers; /* of its operands; what is a dim has none */
};

static void put(spelling *s, uint64_t word) { hd_vec_push(s->arena, &s->words, word); }
static void put_address(spelling *s, const void *unique) { put(s, (uint64_t)(uintptr_t)unique); }

static void put_value(spelling *s, hd_value *value) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert(s->arena, &s->numbers, value, &is_new);
  if (is_new) {
    hd_vec_push(s->arena, &s->values, value);
    entry->value.i64 = (int64_t)s->values.len;
  }
  put(s, (uint64_t)entry->value.i64);
  if (!is_new) return;
  hd_shapes *shapes = s->ctx->shapes;
  put_address(s, value->type);
  const hd_value_shape *shape = hd_shapes_get(shapes, value);
  for (uint32_t d = 0; d < shape->rank; ++d) put_address(s, hd_dim_resolve(&shapes->table, shape->dims[d]));
  for (uint32_t e = 0; e < shape->element_count; ++e)
    put_address(s, hd_dim_resolve(&shapes->table, shape->elements[e]));
}

/* What a pass notes on an op for people does not make another kernel. */
static bool is_note(const hd_context *context, hd_ident name) {
  return name == hd_name_ident(context, HD_NAME_hd_node) || name == hd_name_ident(context, HD_NAME_hd_fusion_blockers);
}

static void put_op(spelling *s, hd_op *op) {
  put(s, op->info->opcode);
  put_address(s, op->name);
  put(s, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) put_value(s, hd_operand(op, i));
  hd_for_each_attr(attr, op) {
    if (is_note(hd_op_context(op), attr.name)) continue;
    put_address(s, attr.name);
    put_address(s, attr.value);
  }
  put(s, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) put_value(s, hd_result(op, i));
  put(s, op->region_count);
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r)) {
      put(s, block->arg_count);
      for (uint32_t i = 0; i < block->arg_count; ++i) put_value(s, block->args[i]);
      hd_for_each_op(inner, block) put_op(s, inner);
      put(s, UINT64_MAX);
    }
}

static void spell(spelling *s, hd_lowering *ctx, hd_emit_fn emit, const hd_kernel_ops *ops) {
  *s = (spelling){.ctx = ctx, .arena = &ctx->pass->arena};
  put(s, (uint64_t)(uintptr_t)emit);
  put(s, ops->count);
  for (size_t i = 0; i < ops->count; ++i) put_op(s, ops->ops[i]);
  for (size_t i = 0; i < ops->output_count; ++i) put_value(s, ops->outputs[i]);
  for (size_t i = 0; i < ops->output_count; ++i) { /* which memory may be one */
    hd_value *donor = hd_kernel_donor(ctx->shapes, ops->outputs[i]);
    hd_map_entry *entry = donor ? hd_map_find(&s->numbers, donor) : NULL;
    put(s, entry ? (uint64_t)entry->value.i64 : 0);
  }
}

static bool same_words(const spelling *a, const spelling *b) {
  return a->words.len == b->words.len && !memcmp(a->words.data, b->words.data, a->words.len * sizeof *a->words.data);
}

/* Keeps |launch| under |s|, unless emitting it has found more about the values of |s|, or it takes an operand that |s|
 * does not mention. */
static void keep(hd_lowering *ctx, const spelling *s, hd_emit_fn emit, const hd_kernel_ops *ops,
                 const hd_kernel_launch *launch) {
  spelling again;
  spell(&again, ctx, emit, ops);
  if (!same_words(s, &again)) return;
  struct hd_made_kernel *made = hd_new(s->arena, struct hd_made_kernel);
  made->launch = *launch;
  made->numbers = hd_new_array(s->arena, uint32_t, launch->operand_count);
  for (size_t i = 0; i < launch->operand_count; ++i) {
    if (!launch->operands[i]) continue;
    hd_map_entry *entry = hd_map_find(&s->numbers, launch->operands[i]);
    if (!entry) return;
    made->numbers[i] = (uint32_t)entry->value.i64 - 1;
  }
  size_t size = s->words.len * sizeof *s->words.data;
  hd_map_insert_bytes(s->arena, &ctx->made, s->words.data, size, NULL)->value.ptr = made;
}

bool hd_kernel_of(hd_lowering *ctx, hd_emit_fn emit, const hd_kernel_ops *ops, const char *kind, hd_op *const *told,
                  size_t told_count, hd_loc loc, hd_kernel_launch *out) {
  spelling s;
  spell(&s, ctx, emit, ops);
  hd_map_entry *entry = hd_map_find_bytes(&ctx->made, s.words.data, s.words.len * sizeof *s.words.data);
  if (entry) {
    const struct hd_made_kernel *made = entry->value.ptr;
    *out = made->launch;
    hd_value **operands = hd_new_array(s.arena, hd_value *, out->operand_count);
    for (size_t i = 0; i < out->operand_count; ++i)
      operands[i] = made->launch.operands[i] ? s.values.data[made->numbers[i]] : NULL;
    out->operands = operands;
    return true;
  }
  hd_kernel_ops all = *ops;
  all.compact = ctx->distinct++ >= MOST_FULL;
  if (!emit(ctx->shapes, &all, hd_kernel_name(ctx, kind, told, told_count), s.arena, out)) return false;
  out->func->loc = loc;
  hd_kernel_say_source(ctx, out->func, ops->ops, ops->count);
  keep(ctx, &s, emit, ops, out);
  return true;
}
