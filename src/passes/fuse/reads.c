/* SPDX-License-Identifier: Apache-2.0 */
/* disc-fusion: how the members of one group read the results of another: at their own indices, one number per row, or
 * at other indices, which needs memory between the two. */
#include "ir/ops/stablehlo.h"
#include "passes/fuse/fuser.h"

bool hd_fuser_dim_is_one(hd_fuser *f, hd_value *buffer, uint32_t d) {
  int64_t one;
  return hd_dim_is_const(&f->shapes->table, hd_shapes_dim(f->shapes, buffer, d), &one) && one == 1;
}

bool hd_fuser_is_row_shaped(hd_fuser *f, hd_value *buffer, hd_value *full, uint32_t first_reduced) {
  uint32_t rank = hd_type_rank(buffer->type);
  if (rank < first_reduced) return false;
  for (uint32_t d = 0; d < rank; ++d) {
    if (d >= first_reduced
            ? !hd_fuser_dim_is_one(f, buffer, d)
            : !hd_dim_equal(&f->shapes->table, hd_shapes_dim(f->shapes, buffer, d), hd_shapes_dim(f->shapes, full, d)))
      return false;
  }
  return true;
}

/* The index map from |op|'s result to its first operand; null where it has none, or more than one. */
static const hd_index_map *index_map_of(hd_fuser *f, hd_op *op) {
  if (!f->indexing) f->indexing = hd_indexing_create(f->arena, f->pass->context, f->shapes);
  bool is_new;
  hd_map_entry *entry = hd_map_insert(f->arena, &f->moves, op, &is_new);
  if (!is_new) return entry->value.ptr;
  hd_index_maps *maps = hd_new_array(f->arena, hd_index_maps, op->operand_count);
  bool is_move = hd_index_output_to_input(f->indexing, op, 0, maps) && hd_only_moves_indices(op);
  entry->value.ptr = is_move && maps[0].len == 1 ? maps[0].data[0] : NULL;
  return entry->value.ptr;
}

/* Does |op| read its first operand, one number per row, at the row of its own index? */
static bool stays_in_row(hd_fuser *f, hd_op *op, uint32_t first_reduced) {
  const hd_index_map *move = index_map_of(f, op);
  if (!move || move->range_count || move->runtime_count || move->dim_count < first_reduced) return false;
  for (uint32_t d = 0; d < move->result_count; ++d) {
    hd_affine at = move->results[d];
    bool same = d < first_reduced && at->kind == HD_AFFINE_DIM && at->value == d;
    if (!same && !hd_fuser_dim_is_one(f, hd_operand(op, 0), d)) return false;
  }
  return true;
}

/* The node at the end of the chain of inline ops that |buffer| is read through, where each keeps a row's number in its
 * row; UINT32_MAX: one does not. */
static uint32_t row_producer(hd_fuser *f, hd_value *buffer, hd_value *full, uint32_t first_reduced) {
  for (;;) {
    uint32_t w = hd_fuser_writer_of(f, buffer);
    if (w == UINT32_MAX || f->nodes[w].class != HD_FUSE_INLINE) return w;
    hd_op *op = f->nodes[w].op;
    hd_value *operand = hd_buffer_input_count(op) ? hd_operand(op, 0) : NULL;
    if (!operand || !hd_fuser_is_row_shaped(f, operand, full, first_reduced) || !stays_in_row(f, op, first_reduced))
      return UINT32_MAX;
    if (!hd_fuser_is_row_shaped(f, buffer, full, first_reduced) && !hd_shapes_same(f->shapes, buffer, full))
      return UINT32_MAX;
    buffer = operand;
  }
}

bool hd_fuser_reads_directly(hd_fuser *f, uint32_t x, uint32_t g) {
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
    uint32_t w = hd_fuser_writer_of(f, hd_operand(op, i));
    if (w != UINT32_MAX && f->nodes[w].class != HD_FUSE_INLINE && hd_fuser_find(f, w) == g) return true;
  }
  return false;
}

typedef struct all_reads {
  uint32_t group;
  bool ok;
} all_reads;

static bool check_direct(hd_fuser *f, uint32_t producer, hd_value *buffer, bool direct, void *user) {
  (void)buffer;
  all_reads *r = user;
  if (hd_fuser_find(f, producer) == r->group && !direct) r->ok = false;
  return true;
}

bool hd_fuser_reads_only_directly(hd_fuser *f, uint32_t x, uint32_t g) {
  if (!f->nodes[x].reads_through) return true;
  all_reads r = {g, true};
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i)
    hd_fuser_for_each_producer(f, hd_operand(op, i), true, check_direct, &r);
  return r.ok;
}

bool hd_fuser_reads_only_by_rows(hd_fuser *f, uint32_t x, uint32_t g, hd_value *full, uint32_t first_reduced) {
  if (!f->nodes[x].reads_through) return true;
  hd_op *op = f->nodes[x].op;
  for (uint32_t i = 0; i < hd_buffer_input_count(op); ++i) {
    hd_value *operand = hd_operand(op, i);
    all_reads r = {g, true};
    hd_fuser_for_each_producer(f, operand, true, check_direct, &r);
    if (r.ok) continue; /* not through an inline op */
    uint32_t w = row_producer(f, operand, full, first_reduced);
    if (w == UINT32_MAX || hd_fuser_find(f, w) != g) return false;
  }
  return true;
}

uint32_t hd_fuser_generated_reader(hd_fuser *f, uint32_t group, uint32_t other) {
  for (uint32_t m = f->nodes[group].has_generated ? group : UINT32_MAX; m != UINT32_MAX; m = f->nodes[m].next_member) {
    if (f->nodes[m].class != HD_FUSE_GENERATED && f->nodes[m].class != HD_FUSE_DOT) continue;
    for (uint32_t i = 0; i < f->nodes[m].producer_count; ++i)
      if (hd_fuser_find(f, f->nodes[m].producers[i]) == other) return m;
  }
  return UINT32_MAX;
}

bool hd_fuser_starts_from(hd_fuser *f, uint32_t group, uint32_t other) {
  for (uint32_t m = group; m != UINT32_MAX; m = f->nodes[m].next_member) {
    hd_op *op = f->nodes[m].op;
    if (f->nodes[m].class != HD_FUSE_ROW_REDUCE && f->nodes[m].class != HD_FUSE_COLUMN_REDUCE) continue;
    uint32_t inputs = hd_buffer_input_count(op);
    all_reads r = {other, true};
    for (uint32_t i = inputs / 2; i < inputs; ++i)
      hd_fuser_for_each_producer(f, hd_operand(op, i), false, check_direct, &r);
    if (!r.ok) return true;
  }
  return false;
}

bool hd_fuser_reads_columns(hd_fuser *f, uint32_t group, uint32_t other) {
  if (!f->nodes[other].has_columns) return false;
  for (uint32_t m = group; m != UINT32_MAX; m = f->nodes[m].next_member)
    for (uint32_t i = 0; i < f->nodes[m].producer_count; ++i) {
      uint32_t producer = f->nodes[m].producers[i];
      if (f->nodes[producer].class == HD_FUSE_COLUMN_REDUCE && hd_fuser_find(f, producer) == other) return true;
    }
  return false;
}
