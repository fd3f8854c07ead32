/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of transposes: tiles of 32 by 32 elements go through shared memory, so that memory is read along the
 * last dim of what is transposed and written along the last dim of the result.
 *
 *   scf.parallel (%outer..., %tp, %tq, %t) = 0 to (outer dims, tiles of dim p, tiles of the last dim q, threads)
 *     %x = %t % 32, %y = %t / 32
 *     for k: shared[%y + 8k][%x] = transposed[.., p: %tp * 32 + %x, .., q: %tq * 32 + %y + 8k]      inside of the shape
 *     barrier
 *     for k: transposed[.., p: %tp * 32 + %y + 8k, .., q: %tq * 32 + %x] = shared[%x][%y + 8k], and the roots there
 *
 * where dim p of the result is the last one of the operand. Dims that are before p or q in operand and result
 * alike count with it as one. Rows of a tile are an odd number of words apart, one more than they have: what a
 * warp reads of 32 rows is in 32 banks. What is stored to a transposed buffer tells what the roots' loads of it
 * are; nothing else reads it. Several transposes that move the same dim share the tiles, whose elements are of the
 * type that memory has: they keep every bit. */
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/own_index.h"
#include "codegen/widen.h"
#include "ir/ops/arith.h"
#include "ir/ops/stablehlo.h"

enum { TILE = 32 };

static bool has_shape_of(hd_shapes *shapes, hd_value *a, hd_value *b) {
  return hd_type_rank(a->type) == hd_type_rank(b->type) && hd_shapes_same(shapes, a, b);
}

/* The first of the dims up to |last| that are in this order in every operand, and not before |least|. */
static uint32_t first_of(const hd_gpu_transposes *t, uint32_t last, uint32_t least) {
  uint32_t first = last;
  for (bool all = true; first > least && all;) {
    for (uint32_t i = 0; i < t->count && all; ++i) {
      hd_attr order = t->orders[i];
      all = hd_attr_int_at(order, first) == hd_attr_int_at(order, first - 1) + 1;
    }
    first -= all;
  }
  return first;
}

hd_dim hd_gpu_transposed_size(hd_shapes *shapes, hd_value *root, uint32_t first, uint32_t last) {
  hd_dim size = hd_shapes_dim(shapes, root, first);
  while (first < last) size = hd_dim_mul(&shapes->table, size, hd_shapes_dim(shapes, root, ++first));
  return size;
}

bool hd_gpu_find_transposes(hd_shapes *shapes, const hd_kernel_ops *ops, hd_arena *arena, hd_gpu_transposes *out) {
  *out = (hd_gpu_transposes){0};
  if (!ops->output_count) return false;
  hd_value *root = ops->outputs[0];
  uint32_t rank = hd_type_rank(root->type);
  if (rank < 2 || rank > HD_COMPILED_MAX_RANK) return false;
  for (size_t o = 1; o < ops->output_count; ++o)
    if (!has_shape_of(shapes, ops->outputs[o], root)) return false;
  for (size_t i = 0; i < ops->count; ++i) {
    hd_op *op = ops->ops[i];
    if (hd_buffer_opcode(op) != HD_OP_stablehlo_transpose) continue;
    hd_value *buffer = hd_buffer_output(op, 0);
    hd_attr order = hd_stablehlo_transpose_permutation(op);
    hd_type element = hd_type_element(buffer->type);
    bool is_number = element->kind == HD_TYPE_FLOAT || element->kind == HD_TYPE_INTEGER;
    if (!is_number || !has_shape_of(shapes, buffer, root) || hd_attr_int_at(order, rank - 1) == rank - 1 ||
        !hd_is_read_at_own_index(shapes, ops, buffer, arena))
      continue;
    int64_t dim = hd_attr_find_int(order, rank - 1);
    if (dim < 0 || (out->count && out->dim != dim) || out->count == HD_GPU_MAX_TRANSPOSES) return false;
    out->dim = (uint32_t)dim;
    out->orders[out->count] = order;
    out->buffers[out->count++] = buffer;
  }
  if (!out->count) return false;
  out->first_q = first_of(out, rank - 1, out->dim + 1);
  out->first_p = first_of(out, out->dim, 0);
  return true;
}

typedef struct tiles {
  hd_gpu_frame *f;
  const hd_gpu_transposes *t;
  uint32_t rank;
  hd_index_tuple *outer; /* of the dims that are not in a tile */
  hd_value *first_p, *first_q, *x, *y;
  hd_value *shared[HD_GPU_MAX_TRANSPOSES];
  hd_type types[HD_GPU_MAX_TRANSPOSES];
} tiles;

static hd_value *op_of(hd_builder *b, hd_opcode opcode, hd_value *x, int64_t y) {
  return hd_build_binary(b, opcode, x, hd_build_index(b, y));
}

/* Of dims |first| to |last|, which count as one: where |at| of it is. */
static void take_apart(tiles *s, uint32_t first, uint32_t last, hd_value *at, hd_index_tuple *index) {
  hd_generator *g = &s->f->g;
  for (uint32_t d = last; d > first; --d) {
    hd_value *size = hd_generate_dim(g, hd_shapes_dim(g->shapes, s->f->ops->outputs[0], d));
    index->at[d] = hd_lane_scalar(hd_build_binary(g->b, HD_OP_arith_remui, at, size));
    at = hd_build_binary(g->b, HD_OP_arith_divui, at, size);
  }
  index->at[first] = hd_lane_scalar(at);
}

/* The indices of the element at |p|, |q| of the tile, and whether it is in the shape. */
static hd_index_tuple *index_at(tiles *s, hd_value *p, hd_value *q, hd_value **out_inside) {
  hd_generator *g = &s->f->g;
  hd_builder *b = g->b;
  hd_value *root = s->f->ops->outputs[0], *at[2] = {hd_build_binary(b, HD_OP_arith_addi, s->first_p, p),
                                                    hd_build_binary(b, HD_OP_arith_addi, s->first_q, q)};
  uint32_t firsts[2] = {s->t->first_p, s->t->first_q}, dims[2] = {s->t->dim, s->rank - 1};
  hd_index_tuple *index = hd_new_tuple(g, s->rank);
  for (uint32_t d = 0; d < s->rank; ++d) index->at[d] = s->outer->at[d];
  *out_inside = NULL;
  for (int i = 0; i < 2; ++i) {
    take_apart(s, firsts[i], dims[i], at[i], index);
    hd_value *size = hd_generate_dim(g, hd_gpu_transposed_size(g->shapes, root, firsts[i], dims[i]));
    hd_value *inside = hd_arith_cmpi(b, HD_ARITH_CMPI_ULT, at[i], size);
    *out_inside = *out_inside ? hd_build_binary(b, HD_OP_arith_andi, *out_inside, inside) : inside;
  }
  return index;
}

/* Elements from row to row of a tile in shared memory: a word of four bytes more than a row has. */
static int64_t pitch_of(const hd_value *buffer) {
  int64_t bytes = (int64_t)hd_type_element_bytes(hd_type_element(buffer->type));
  return TILE + (bytes < 4 ? 4 / bytes : 1);
}

/* Element |row|, |column| of a tile of |buffer|. */
static hd_value *place(hd_builder *b, const hd_value *buffer, hd_value *row, hd_value *column) {
  return hd_build_binary(b, HD_OP_arith_addi, op_of(b, HD_OP_arith_muli, row, pitch_of(buffer)), column);
}

static hd_builder inside_of(hd_builder *b, hd_op *branch) {
  hd_builder in = hd_builder_at_end(b->module, hd_op_region(branch, 0)->first);
  in.loc = b->loc;
  return in;
}

/* Row |row| of the tile comes from memory. */
static bool read_row(tiles *s, hd_value *row) {
  hd_generator *g = &s->f->g;
  hd_builder *b = g->b;
  hd_value *inside, *to[HD_GPU_MAX_TRANSPOSES];
  for (uint32_t i = 0; i < s->t->count; ++i) to[i] = place(b, s->t->buffers[i], row, s->x);
  hd_index_tuple *at = index_at(s, s->x, row, &inside);
  hd_builder in = inside_of(b, hd_build_if(b, inside, NULL, 0, false));
  bool ok = true;
  g->b = &in;
  for (uint32_t i = 0; i < s->t->count && ok; ++i) {
    hd_element value;
    ok = hd_generate(g, s->t->buffers[i], at, &value);
    if (!ok) break;
    hd_value *stored = hd_emit_narrow(&in, hd_type_element(s->t->buffers[i]->type), value, g->lanes).re;
    if (!s->shared[i]) {
      s->types[i] = stored->type;
      s->shared[i] = hd_gpu_shared(b, stored->type, TILE * pitch_of(s->t->buffers[i]));
      hd_op_move_before(hd_value_op(s->shared[i]), b->block->first);
    }
    hd_gpu_store_shared(&in, stored, s->shared[i], to[i]);
  }
  hd_build_yield(&in, NULL, 0);
  g->b = b;
  return ok;
}

/* Column |column| of the tile is a part of a row of the roots. */
static bool write_column(tiles *s, hd_value *column) {
  hd_generator *g = &s->f->g;
  hd_builder *b = g->b;
  hd_value *inside, *from[HD_GPU_MAX_TRANSPOSES];
  for (uint32_t i = 0; i < s->t->count; ++i) from[i] = place(b, s->t->buffers[i], s->x, column);
  hd_index_tuple *at = index_at(s, column, s->x, &inside);
  hd_builder in = inside_of(b, hd_build_if(b, inside, NULL, 0, false));
  size_t count = s->f->ops->output_count;
  hd_element *values = hd_new_array(g->arena, hd_element, count);
  bool ok = true;
  g->b = &in;
  for (uint32_t i = 0; i < s->t->count && ok; ++i) {
    hd_element *value = hd_new(g->arena, hd_element),
               stored = {hd_gpu_load_shared(&in, s->shared[i], from[i], s->types[i])};
    *value = hd_emit_widen(&in, hd_type_element(s->t->buffers[i]->type), stored, g->lanes);
    ok = hd_generate_store(g, s->t->buffers[i], at, *value);
    hd_map_set(g->arena, &g->fixed, s->t->buffers[i], value);
  }
  for (size_t o = 0; o < count && ok; ++o) ok = hd_generate(g, s->f->ops->outputs[o], at, &values[o]);
  for (size_t o = 0; o < count && ok; ++o) {
    bool is_stored = false;
    for (uint32_t i = 0; i < s->t->count; ++i) is_stored |= s->t->buffers[i] == s->f->ops->outputs[o];
    if (!is_stored) ok = hd_generate_store(g, s->f->ops->outputs[o], at, values[o]);
  }
  for (uint32_t i = 0; i < s->t->count; ++i) hd_map_remove(&g->fixed, s->t->buffers[i]);
  hd_build_yield(&in, NULL, 0);
  g->b = b;
  return ok;
}

bool hd_gpu_emit_transposes(hd_gpu_frame *f, const hd_gpu_transposes *t) {
  hd_generator *g = &f->g;
  hd_value *root = f->ops->outputs[0], *extents[HD_COMPILED_MAX_RANK + 1];
  tiles s = {.f = f, .t = t, .rank = hd_type_rank(root->type)};
  for (uint32_t d = 0; d < s.rank; ++d) {
    bool of_p = d >= t->first_p && d <= t->dim, of_q = d >= t->first_q, counts = d == t->dim || d == s.rank - 1;
    int64_t known;
    if ((of_p || of_q) && !counts) {
      extents[d] = hd_build_index(g->b, 1);
      continue;
    }
    extents[d] = hd_generate_dim(g, hd_gpu_transposed_size(g->shapes, root,
                                                           of_p   ? t->first_p
                                                           : of_q ? t->first_q
                                                                  : d,
                                                           d));
    if (!counts) continue;
    extents[d] = hd_value_constant_int(extents[d], &known) ? hd_build_index(g->b, (known + TILE - 1) / TILE)
                                                           : op_of(g->b, HD_OP_arith_ceildivui, extents[d], TILE);
  }
  extents[s.rank] = hd_build_index(g->b, f->threads);
  hd_builder *before = g->b, body = hd_gpu_parallel(f, extents, s.rank + 1, "");
  g->b = &body;
  hd_value *const *ids = body.block->args;
  s.outer = hd_new_tuple(g, s.rank);
  for (uint32_t d = 0; d < s.rank; ++d) s.outer->at[d] = hd_lane_scalar(ids[d]);
  s.first_p = op_of(&body, HD_OP_arith_muli, ids[t->dim], TILE);
  s.first_q = op_of(&body, HD_OP_arith_muli, ids[s.rank - 1], TILE);
  s.x = op_of(&body, HD_OP_arith_remui, ids[s.rank], TILE);
  s.y = op_of(&body, HD_OP_arith_divui, ids[s.rank], TILE);
  int64_t rows = f->threads / TILE;
  bool ok = true;
  for (int64_t k = 0; k < TILE && ok; k += rows) ok = read_row(&s, op_of(&body, HD_OP_arith_addi, s.y, k));
  hd_build_op(&body, HD_OP_gpu_barrier, NULL, 0, NULL, 0, NULL, 0, 0);
  for (int64_t k = 0; k < TILE && ok; k += rows) ok = write_column(&s, op_of(&body, HD_OP_arith_addi, s.y, k));
  g->b = before;
  return ok && !g->failed;
}
