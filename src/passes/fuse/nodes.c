/* SPDX-License-Identifier: Apache-2.0 */
/* disc-fusion: a node per op of the block, what each op can be part of, and which op alone writes a buffer. */
#include "analysis/short_dims.h"
#include "codegen/emit/columns.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/structs.h"
#include "passes/fuse/fuser.h"

hd_value *hd_fuser_result_of(hd_fuser *f, uint32_t x) { return hd_buffer_output(f->nodes[x].op, 0); }

uint32_t hd_fuser_writer_of(hd_fuser *f, hd_value *buffer) {
  hd_map_entry *entry = hd_map_find(&f->writers, buffer);
  return entry && entry->value.i64 > 0 ? (uint32_t)(entry->value.i64 - 1) : UINT32_MAX;
}

const char *hd_fuser_op_name(const hd_op *op) {
  const char *dot = strchr(op->info->name, '.');
  return dot ? dot + 1 : op->info->name;
}

bool hd_is_check(const hd_op *op) {
  hd_str api = hd_op_is(op, HD_OP_hd_ral_call) ? hd_hd_ral_call_api(op) : HD_STR("");
  return hd_str_starts(api, "ral_check___") || hd_str_starts(api, "ral_print___");
}

/* Is the result of a convolution [batch, positions in order, features], which is how its tiles come? */
static bool keeps_positions(hd_op *op) {
  hd_attr n = hd_convolution_like_dimension_numbers(op), space = hd_attr_stablehlo_conv_output_spatial_dimensions(n);
  size_t count = hd_attr_count(space);
  bool keeps = hd_attr_stablehlo_conv_output_batch_dimension(n) == 0 &&
               hd_attr_stablehlo_conv_output_feature_dimension(n) == (int64_t)count + 1;
  for (size_t i = 0; i < count; ++i) keeps &= hd_attr_int_at(space, i) == (int64_t)i + 1;
  return keeps;
}

/* On the CPU, where a few rows are better added up in the kernel that uses the sum. */
static bool has_column_kernel(const hd_fuser *f, const hd_op *op) {
  enum { FEW_ROWS = 16 };
  uint32_t begin, end;
  int64_t rows;
  if (!hd_is_column_reduction(op, &begin, &end)) return false;
  hd_dim_table *t = &f->shapes->table;
  hd_dim all = hd_dim_const(t, 1);
  for (uint32_t d = begin; d < end; ++d) all = hd_dim_mul(t, all, hd_shapes_dim(f->shapes, hd_operand(op, 0), d));
  hd_column_plan plan;
  return (!hd_dim_is_const(t, all, &rows) || rows > FEW_ROWS) && hd_plan_columns(f->shapes, op, &plan);
}

/* On the CPU, where a row is an item of its kernel: does |op| reduce one row that may be long enough for several
 * threads? It is a column of single elements, whose blocks run in parallel. */
static bool is_one_long_row(const hd_fuser *f, const hd_op *op) {
  enum { LONG = 32768 };
  hd_value *x = hd_operand(op, 0);
  int64_t size;
  if (hd_type_rank(x->type) != 1 || !hd_is_row_reduction(op)) return false;
  return !hd_dim_is_const(&f->shapes->table, hd_shapes_dim(f->shapes, x, 0), &size) || size >= LONG;
}

hd_fuse_class hd_fuser_classify(const hd_fuser *f, hd_op *op) {
  if (!op->info->derived_from) return HD_FUSE_OPAQUE;
  if (hd_only_moves_indices(op)) return hd_can_generate(op) ? HD_FUSE_INLINE : HD_FUSE_OPAQUE;
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_constant:
      return hd_can_generate(op) ? HD_FUSE_INLINE : HD_FUSE_OPAQUE;
    case HD_OP_stablehlo_reduce:
      if (!f->target && hd_is_row_reduction(op) && hd_is_short_reduction(op)) return HD_FUSE_GENERATED;
      if (!f->target && is_one_long_row(f, op) && has_column_kernel(f, op)) return HD_FUSE_COLUMN_REDUCE;
      if (hd_is_row_reduction(op)) return HD_FUSE_ROW_REDUCE;
      if (f->target ? f->columns && hd_gpu_is_parts_reduction(f->shapes, op) : has_column_kernel(f, op))
        return HD_FUSE_COLUMN_REDUCE;
      return HD_FUSE_GENERATED;
    case HD_OP_stablehlo_dot:
    case HD_OP_stablehlo_dot_general:
      return !f->target && hd_is_small_product(op) && hd_can_generate(op) ? HD_FUSE_GENERATED : HD_FUSE_DOT;
    case HD_OP_stablehlo_convolution:
      return keeps_positions(op) ? HD_FUSE_DOT : HD_FUSE_OPAQUE;
    case HD_OP_stablehlo_dynamic_conv:
      return HD_FUSE_OPAQUE;
    case HD_OP_mhlo_copy:
      return HD_FUSE_OPAQUE;
    default:
      break;
  }
  if (!hd_can_generate(op)) return HD_FUSE_OPAQUE;
  return hd_is_elementwise(op) ? HD_FUSE_ELEMENTWISE : HD_FUSE_GENERATED;
}

/* Records what op |i| does to buffers. |read| and |freed| have those that an op before it reads or frees. */
static void note_accesses(hd_fuser *f, uint32_t i, hd_map *read, hd_map *freed) {
  hd_op *op = f->nodes[i].op;
  hd_accesses accesses = {0};
  if (!hd_op_is(op, HD_OP_memref_alloc)) hd_buffer_accesses(op, f->arena, &accesses);
  for (size_t a = 0; a < accesses.len; ++a) {
    hd_access access = accesses.data[a];
    if (!access.writes) hd_map_insert(f->arena, read, access.buffer, NULL);
    if (access.frees) hd_map_insert(f->arena, freed, access.buffer, NULL);
    /* A use after free is a fault of the program, which must be there after fusion too. */
    bool use_after_free = hd_map_find(freed, access.buffer) && !hd_op_has_trait(op, HD_TRAIT(FREES));
    if (use_after_free) hd_map_insert(f->arena, &f->writers, access.buffer, NULL)->value.i64 = -1;
    if (use_after_free || !access.writes || access.frees) continue;
    bool is_new;
    hd_map_entry *entry = hd_map_insert(f->arena, &f->writers, access.buffer, &is_new);
    bool local = hd_value_block(access.buffer) == op->block && !hd_map_find(read, access.buffer);
    entry->value.i64 = is_new && local ? (int64_t)i + 1 : -1;
  }
}

/* A scatter of the CPU, which alone writes its results. */
static bool is_scatter(hd_fuser *f, uint32_t x) {
  hd_op *op = f->nodes[x].op;
  if (f->target || !op->info->derived_from || hd_buffer_opcode(op) != HD_OP_stablehlo_scatter) return false;
  for (uint32_t o = 0; o < hd_buffer_output_count(op); ++o)
    if (hd_fuser_writer_of(f, hd_buffer_output(op, o)) != x) return false;
  return !hd_buffer_reads_own_output(op);
}

void hd_fuser_init_nodes(hd_fuser *f, hd_block *block) {
  hd_for_each_op(op, block) ++f->count;
  f->nodes = hd_new_array(f->arena, hd_fuse_node, f->count);
  hd_map read = {0}, freed = {0};
  uint32_t i = 0;
  hd_for_each_op(op, block) {
    f->nodes[i] = (hd_fuse_node){.op = op,
                                 .class = hd_fuser_classify(f, op),
                                 .parent = i,
                                 .first_index = i,
                                 .last_index = i,
                                 .size = 1,
                                 .next_member = UINT32_MAX,
                                 .last_member = i};
    hd_map_insert(f->arena, &f->index, op, NULL)->value.i64 = i + 1;
    note_accesses(f, i, &read, &freed);
    ++i;
  }
  /* An op that reads what it writes, or whose result another op writes too, is in no group. */
  for (uint32_t x = 0; x < f->count; ++x) {
    if (hd_buffer_reads_own_output(f->nodes[x].op)) f->nodes[x].class = HD_FUSE_OPAQUE;
    for (uint32_t o = 0; f->nodes[x].class != HD_FUSE_OPAQUE && o < hd_buffer_output_count(f->nodes[x].op); ++o)
      if (hd_fuser_writer_of(f, hd_buffer_output(f->nodes[x].op, o)) != x) f->nodes[x].class = HD_FUSE_OPAQUE;
  }
  for (uint32_t x = 0; x < f->count; ++x) f->nodes[x].reads_inline = is_scatter(f, x);
}
