/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of products: a block of threads computes a tile of the result from
 * strips of the operands in shared memory.
 *
 *   scf.parallel (%batch..., %row, %column, %thread)
 *     for k from 0 to the size of the sum in steps of |depth|:
 *       shared lhs[depth][rows], rhs[depth][columns] = elements of both, zeros beyond the sum
 *       barrier
 *       for term from 0 to depth:
 *         own += lhs[term][own rows] x rhs[term][own columns]
 *       barrier
 *     result[own rows][own columns] = own
 *
 *             columns: thread % c, then every c-th
 *            +--------------------------------+
 *    rows:   | 0 1 2 3 ... 0 1 2 3 ... 0 1 .. |  own_rows
 *    own_rows| 0 1 2 3 ... 0 1 2 3 ... 0 1 .. |
 *    of each | c c+1 ...                      |
 *            +--------------------------------+
 *
 * Warps read words of neighbouring banks of rhs, and one or two words of lhs that all their lanes take. Where an
 * operand's neighbours in memory are neighbours along the sum, a warp loads them along it and writes them across rows
 * of shared memory: with |pitch| no two lanes use the same bank.
 *
 * The sum of an element is one chain of multiply-adds in the order of its terms, whatever the tile and the sizes: bits
 * are the same from run to run. Elements are converted to the type of the sum once, where they are loaded: floats of
 * fewer bits to f32, integers to i32 at least, whose lower bits are the narrower sum.
 *
 * For rows, columns and terms beyond the result and the sum the first one is loaded, so that loads of a dot
 * need no branch: such terms are zeros in shared memory, and such results are not stored. What is around
 * the input of a convolution is not loaded. */
#include "analysis/short_dims.h"
#include "analysis/views.h"
#include "codegen/emit/emission.h"
#include "codegen/emit/generate_products.h"
#include "codegen/emit/gpu/schedules.h"
#include "ir/ops/arith.h"
#include "ir/ops/stablehlo.h"

#define L hd_generator_lanes(g)

/* One operand of the product, as far as a block needs it. */
typedef struct side {
  uint32_t number; /* of the operand */
  const uint32_t *dims;
  uint32_t count;
  int64_t size, pitch, slots; /* elements of the tile along |dims|; of a row of shared memory; that a thread loads */
  bool along;                 /* the sum's neighbours are neighbours in memory */
  bool shared_along;          /* and a row of shared memory has terms, not elements of |dims| */
  bool whole;                 /* all tiles are full */
  hd_value *extent, *first, *shared; /* of the result; of the block */
  hd_index_tuple **places;           /* of the result, for each slot: only |dims| and the batch are set */
} side;

typedef struct tiles {
  hd_gpu_frame *f;
  const hd_product *p;
  hd_gpu_tile tile;
  hd_type sum, compute; /* type of the sums as an element, and what it is computed in */
  hd_index_tuple *batch;
  hd_lane_index group;
  hd_value *thread, *column, *row, *terms; /* |terms|: of a sum */
  bool whole;                              /* sums are multiples of the depth */
  side lhs, rhs;
} tiles;

static hd_value *binary(tiles *s, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build_binary(s->f->g.b, opcode, x, y);
}

/* Sums and products of indices: all are 0 or more, and less than the size of a tile
 * above a size that is there, so none wraps. */
static hd_value *exact(tiles *s, hd_opcode opcode, hd_value *x, hd_value *y) {
  hd_builder *b = s->f->g.b;
  hd_attr_arg flags = {HD_NAME_overflowFlags, hd_attr_of_arith_overflow(b->context, HD_ARITH_OVERFLOW_NUW)};
  return hd_build_one_(b, opcode, x->type, (hd_value *[]){x, y}, 2, &flags, 1);
}

static hd_value *number(tiles *s, int64_t value) { return hd_build_index(s->f->g.b, value); }

static hd_value *plus(tiles *s, hd_value *x, int64_t y) { return y ? exact(s, HD_OP_arith_addi, x, number(s, y)) : x; }

static hd_value *times(tiles *s, hd_value *x, int64_t y) {
  return y == 1 ? x : exact(s, HD_OP_arith_muli, x, number(s, y));
}

static void barrier(tiles *s) { hd_build_op(s->f->g.b, HD_OP_gpu_barrier, NULL, 0, NULL, 0, NULL, 0, 0); }

static hd_builder inside_of(hd_builder *b, hd_op *op) {
  hd_builder in = hd_builder_at_end(b->module, hd_op_region(op, 0)->first);
  in.loc = b->loc;
  return in;
}

/* ---- which products ---- */

static bool is_summed(hd_type element) {
  return element->kind == HD_TYPE_FLOAT || (element->kind == HD_TYPE_INTEGER && element->integer.width > 1);
}

bool hd_gpu_tiles_product(hd_op *op) {
  hd_product p;
  if (!hd_product_of(op, &p)) return false;
  for (uint32_t i = 0; i < 2; ++i)
    if (!is_summed(hd_type_element(hd_operand_type(op, i)))) return false;
  return is_summed(hd_type_element(p.out->type));
}

hd_dim hd_gpu_product_size(hd_shapes *shapes, const hd_product *p, bool rows) {
  hd_dim_table *t = &shapes->table;
  if (!rows && p->feature_groups * p->batch_groups > 1) return hd_product_group_features(shapes, p);
  hd_dim size = hd_dim_const(t, 1);
  const uint32_t *dims = rows ? p->rows : p->columns;
  for (uint32_t i = 0; i < (rows ? p->row_count : p->column_count); ++i)
    size = hd_dim_mul(t, size, hd_shapes_dim(shapes, p->out, dims[i]));
  return size;
}

bool hd_gpu_is_small_product(hd_shapes *shapes, hd_op *op) {
  enum { FEW_FEATURES = 4 };
  hd_product p;
  if (!hd_product_of(op, &p) || hd_is_small_product(op)) return true;
  hd_dim features = hd_gpu_product_size(shapes, &p, false);
  return p.feature_groups * p.batch_groups > 1 && features && hd_dim_upper(features) <= FEW_FEATURES;
}

const hd_gpu_tile *hd_gpu_tile_of(const hd_gpu_target *target, hd_enum_schedule schedule) {
  return schedule == HD_SCHEDULE_TILE_LARGE || schedule == HD_SCHEDULE_TILE_LARGE_WHOLE ? &target->large
         : schedule == HD_SCHEDULE_TILE_THIN                                            ? &target->thin
                                                                                        : &target->small;
}

hd_dim hd_gpu_product_terms(hd_shapes *shapes, const hd_product *p) {
  hd_dim terms = hd_dim_const(&shapes->table, 1);
  for (uint32_t i = 0; i < p->sum_count; ++i)
    terms = hd_dim_mul(&shapes->table, terms, hd_shapes_dim(shapes, p->summed, p->sums[i]));
  return terms;
}

/* ---- places ---- */

/* What element |thread| + |slot| * threads of [.., |fast|] has for indices. */
static void slot_place(tiles *s, int64_t slot, int64_t fast, hd_value **out_slow, hd_value **out_fast) {
  int64_t threads = s->f->threads;
  if (threads % fast == 0) {
    *out_fast = binary(s, HD_OP_arith_remui, s->thread, number(s, fast));
    *out_slow = plus(s, binary(s, HD_OP_arith_divui, s->thread, number(s, fast)), slot * (threads / fast));
  } else if (fast % threads == 0) {
    *out_fast = plus(s, s->thread, slot % (fast / threads) * threads);
    *out_slow = number(s, slot / (fast / threads));
  } else {
    hd_value *linear = plus(s, s->thread, slot * threads);
    *out_fast = binary(s, HD_OP_arith_remui, linear, number(s, fast));
    *out_slow = binary(s, HD_OP_arith_divui, linear, number(s, fast));
  }
}

/* Where slot |slot| of |t| is in the tile: at which row or column, of which term. */
static void slot_of(tiles *s, const side *t, int64_t slot, hd_value **out_at, hd_value **out_term) {
  if (t->along)
    slot_place(s, slot, s->tile.depth, out_at, out_term);
  else
    slot_place(s, slot, t->size, out_term, out_at);
}

/* The index of the result for row or column |at| of |t|. */
static hd_index_tuple *place_in_result(tiles *s, const side *t, hd_value *at) {
  hd_generator *g = &s->f->g;
  hd_index_tuple *out = hd_new_tuple(g, s->batch->rank);
  for (uint32_t d = 0; d < out->rank; ++d) out->at[d] = s->batch->at[d];
  hd_gpu_place(s->f, s->p->out, t->dims, t->count, at, out);
  if (t->number == 1 && s->group.scalar) {
    hd_value *features = hd_generate_dim(g, hd_product_group_features(g->shapes, s->p));
    hd_value *first = exact(s, HD_OP_arith_muli, s->group.scalar, features);
    out->at[s->p->columns[0]] = hd_lane_scalar(exact(s, HD_OP_arith_addi, first, at));
  }
  return out;
}

/* |at| where it is less than |extent|, else 0, which is there wherever a block is. */
static hd_value *kept_inside(tiles *s, hd_value *at, hd_value *extent, hd_value **out_inside) {
  *out_inside = hd_arith_cmpi(s->f->g.b, HD_ARITH_CMPI_ULT, at, extent);
  return hd_emit_select_value(s->f->g.b, *out_inside, at, number(s, 0));
}

/* The places of all slots are computed once, before the sums. */
static void place_slots(tiles *s, side *t) {
  hd_generator *g = &s->f->g;
  t->places = hd_new_array(g->arena, hd_index_tuple *, t->slots);
  hd_value *at, *term, *inside;
  for (int64_t slot = 0; slot < t->slots; ++slot) {
    slot_of(s, t, slot, &at, &term);
    at = exact(s, HD_OP_arith_addi, t->first, at);
    t->places[slot] = place_in_result(s, t, t->whole ? at : kept_inside(s, at, t->extent, &inside));
  }
}

/* ---- from memory to shared memory ---- */

/* |value|, an element of operand |number|, as a term of the sum. */
static bool to_sum(tiles *s, uint32_t number, hd_element value, hd_value **out) {
  hd_type from = hd_type_element(hd_operand_type(s->p->op, number));
  bool ok = hd_compute_type(from) == s->compute ||
            hd_emit_elementwise(s->f->g.b, s->p->op, HD_OP_stablehlo_convert, &from, &value, s->sum, 0, &value);
  *out = value.re;
  return ok;
}

static hd_value *zero_of(tiles *s) {
  static const char none[16];
  return hd_emit_constant(s->f->g.b, s->sum, none, 0).re;
}

/* The value of |slot| of |t| for the terms from |k| on. */
static bool load_slot(tiles *s, const side *t, int64_t slot, hd_value *k, hd_value **out) {
  hd_generator *g = &s->f->g;
  hd_value *operand = hd_operand(s->p->op, t->number), *at, *term, *inside = NULL;
  slot_of(s, t, slot, &at, &term);
  term = exact(s, HD_OP_arith_addi, k, term);
  if (!s->whole) term = kept_inside(s, term, s->terms, &inside);
  hd_index_tuple *sums = hd_new_tuple(g, hd_type_rank(s->p->summed->type));
  hd_gpu_place(s->f, s->p->summed, s->p->sums, s->p->sum_count, term, sums);
  hd_lane_index terms[HD_COMPILED_MAX_RANK];
  for (uint32_t i = 0; i < s->p->sum_count; ++i) terms[i] = sums->at[s->p->sums[i]];
  hd_index_tuple *index = hd_new_tuple(g, hd_type_rank(operand->type));
  hd_product_place place = {t->number ? NULL : index, t->number ? index : NULL, {0}};
  hd_place_product(g, s->p, t->places[slot], terms, s->group.scalar ? &s->group : NULL, &place);
  hd_element value, none;
  static const char zero[16];
  none = hd_emit_constant(g->b, hd_type_element(operand->type), zero, 0);
  if (!hd_generate_guarded(g, place.inside, operand, index, none, &value) || !to_sum(s, t->number, value, out))
    return false;
  if (inside) *out = hd_emit_select_value(g->b, inside, *out, zero_of(s));
  return true;
}

static bool load_side(tiles *s, const side *t, hd_value *k, hd_value **out) {
  for (int64_t slot = 0; slot < t->slots; ++slot)
    if (!load_slot(s, t, slot, k, &out[slot])) return false;
  return true;
}

/* What neighbouring threads count comes last. */
static hd_value *place_in_shared(tiles *s, const side *t, hd_value *at, hd_value *term) {
  return t->shared_along ? exact(s, HD_OP_arith_addi, times(s, at, t->pitch), term)
                         : exact(s, HD_OP_arith_addi, times(s, term, t->pitch), at);
}

static void share_side(tiles *s, const side *t, hd_value *const *values) {
  for (int64_t slot = 0; slot < t->slots; ++slot) {
    hd_value *at, *term;
    slot_of(s, t, slot, &at, &term);
    hd_gpu_store_shared(s->f->g.b, values[slot], t->shared, place_in_shared(s, t, at, term));
  }
}

/* ---- sums ---- */

static hd_value *multiply_add(tiles *s, hd_value *x, hd_value *y, hd_value *sum) {
  hd_builder *b = s->f->g.b;
  if (s->compute->kind == HD_TYPE_FLOAT) return hd_build(b, HD_OP_math_fma, s->compute, x, y, sum);
  return hd_build_binary(b, HD_OP_arith_addi, hd_build_binary(b, HD_OP_arith_muli, x, y), sum);
}

/* Adds what is in shared memory to |own|, results of strip |strip|. */
static void sum_strip(tiles *s, int64_t strip, hd_value **own) {
  hd_builder *outer = s->f->g.b;
  const hd_gpu_tile *t = &s->tile;
  size_t count = (size_t)(t->own_rows * t->own_columns);
  hd_op *loop = hd_build_for(outer, number(s, 0), number(s, t->depth), number(s, 1), own, count);
  hd_builder body = inside_of(outer, loop);
  s->f->g.b = &body;
  hd_value *term = body.block->args[0], **rows = hd_new_array(s->f->g.arena, hd_value *, t->own_rows);
  hd_value *row = plus(s, times(s, s->row, t->own_rows), strip * t->rows * t->own_rows),
           *first = place_in_shared(s, &s->lhs, row, term);
  for (int64_t i = 0; i < t->own_rows; ++i) {
    hd_value *at = s->lhs.shared_along ? place_in_shared(s, &s->lhs, plus(s, row, i), term) : plus(s, first, i);
    rows[i] = hd_gpu_load_shared(&body, s->lhs.shared, at, s->compute);
  }
  hd_value *column = place_in_shared(s, &s->rhs, s->column, term);
  for (int64_t j = 0; j < t->own_columns; ++j) {
    hd_value *of_rhs = hd_gpu_load_shared(&body, s->rhs.shared, plus(s, column, j * t->columns), s->compute);
    for (int64_t i = 0; i < t->own_rows; ++i) {
      int64_t at = i * t->own_columns + j;
      own[at] = multiply_add(s, rows[i], of_rhs, body.block->args[1 + at]);
    }
  }
  hd_build_yield(&body, own, count);
  s->f->g.b = outer;
  for (size_t at = 0; at < count; ++at) own[at] = hd_result(loop, (uint32_t)at);
}

static bool sum_all(tiles *s, hd_value **own) {
  hd_builder *outer = s->f->g.b;
  const hd_gpu_tile *t = &s->tile;
  int64_t strip = t->own_rows * t->own_columns, count = strip * t->strips;
  for (int64_t at = 0; at < count; ++at) own[at] = zero_of(s);
  hd_op *loop = hd_build_for(outer, number(s, 0), s->terms, number(s, t->depth), own, (size_t)count);
  hd_builder body = inside_of(outer, loop);
  s->f->g.b = &body;
  hd_value **lhs = hd_new_array(s->f->g.arena, hd_value *, s->lhs.slots),
           **rhs = hd_new_array(s->f->g.arena, hd_value *, s->rhs.slots);
  if (!load_side(s, &s->lhs, body.block->args[0], lhs) || !load_side(s, &s->rhs, body.block->args[0], rhs))
    return false;
  share_side(s, &s->lhs, lhs);
  share_side(s, &s->rhs, rhs);
  barrier(s);
  for (int64_t at = 0; at < count; ++at) own[at] = body.block->args[1 + at];
  for (int64_t i = 0; i < t->strips; ++i) sum_strip(s, i, own + i * strip);
  barrier(s);
  hd_build_yield(&body, own, (size_t)count);
  s->f->g.b = outer;
  for (int64_t at = 0; at < count; ++at) own[at] = hd_result(loop, (uint32_t)at);
  return true;
}

/* ---- results ---- */

/* Stores |sum|, the result at |at|, where the one output of the kernel has it: the result or a transpose of it. */
static bool store(tiles *s, const hd_index_tuple *at, hd_value *sum) {
  hd_generator *g = &s->f->g;
  hd_value *result = s->p->out, *output = s->f->ops->outputs[0];
  hd_element value = {sum, NULL};
  hd_type element = hd_type_element(result->type);
  if (hd_compute_type(element) != s->compute &&
      !hd_emit_elementwise(g->b, s->p->op, HD_OP_stablehlo_convert, &s->sum, &value, element, 0, &value))
    return false;
  if (output == result) return hd_generate_store(g, output, at, value);
  hd_attr order = hd_stablehlo_transpose_permutation(hd_map_get(&g->writers, output));
  hd_index_tuple *moved = hd_new_tuple(g, at->rank);
  for (uint32_t d = 0; d < at->rank; ++d) moved->at[d] = at->at[hd_attr_int_at(order, d)];
  return hd_generate_store(g, output, moved, value);
}

/* The builder for what happens where |at| is one of |t|'s; |outer| where that is always so. */
static hd_builder where_inside(hd_builder *outer, const side *t, hd_value *at, bool *out_branch) {
  *out_branch = !t->whole;
  if (t->whole) return *outer;
  hd_value *inside = hd_arith_cmpi(outer, HD_ARITH_CMPI_ULT, at, t->extent);
  return inside_of(outer, hd_build_if(outer, inside, NULL, 0, false));
}

static bool store_row(tiles *s, hd_value *row, hd_value *const *columns, hd_index_tuple *const *places,
                      hd_value *const *own) {
  hd_generator *g = &s->f->g;
  hd_builder *outer = g->b;
  bool of_row, of_column, ok = true;
  hd_builder in_row = where_inside(outer, &s->lhs, row, &of_row);
  g->b = &in_row;
  hd_index_tuple *at = place_in_result(s, &s->lhs, row);
  for (int64_t j = 0; j < s->tile.own_columns && ok; ++j) {
    hd_builder in_column = where_inside(&in_row, &s->rhs, columns[j], &of_column);
    g->b = &in_column;
    hd_index_tuple *place = hd_new_tuple(g, at->rank);
    for (uint32_t d = 0; d < at->rank; ++d) place->at[d] = at->at[d];
    for (uint32_t d = 0; d < s->rhs.count; ++d) place->at[s->rhs.dims[d]] = places[j]->at[s->rhs.dims[d]];
    ok = store(s, place, own[j]);
    if (of_column)
      hd_build_yield(&in_column, NULL, 0);
    else
      in_row = in_column;
    g->b = &in_row;
  }
  if (of_row)
    hd_build_yield(&in_row, NULL, 0);
  else
    *outer = in_row;
  g->b = outer;
  return ok;
}

static bool store_all(tiles *s, hd_value *const *own) {
  const hd_gpu_tile *t = &s->tile;
  hd_value **columns = hd_new_array(s->f->g.arena, hd_value *, t->own_columns);
  hd_index_tuple **places = hd_new_array(s->f->g.arena, hd_index_tuple *, t->own_columns);
  for (int64_t j = 0; j < t->own_columns; ++j) {
    columns[j] = plus(s, exact(s, HD_OP_arith_addi, s->rhs.first, s->column), j * t->columns);
    places[j] = place_in_result(s, &s->rhs, columns[j]);
  }
  hd_value *first = exact(s, HD_OP_arith_addi, s->lhs.first, times(s, s->row, t->own_rows));
  for (int64_t i = 0; i < t->strips * t->own_rows; ++i) {
    hd_value *row = plus(s, first, i / t->own_rows * t->rows * t->own_rows + i % t->own_rows);
    if (!store_row(s, row, columns, places, own + i * t->own_columns)) return false;
  }
  return true;
}

/* ---- the kernel ---- */

/* Is the innermost dim of the operand's memory the innermost one of the sum? */
static bool lies_along(tiles *s, const hd_map *writers, uint32_t operand) {
  hd_generator *g = &s->f->g;
  hd_value *buffer = hd_operand(s->p->op, operand);
  hd_view view;
  int64_t one;
  if (!s->p->sum_count || !hd_view_of(g->shapes, writers, buffer, &view)) return false;
  return hd_dim_is_const(&g->shapes->table, view.strides[hd_product_inner_sum(s->p, operand)], &one) && one == 1;
}

/* |size|, the product of dims |dims| of |of|; where it is null, for one expression
 * of all is too large, the host multiplies. */
static hd_value *size_of(hd_generator *g, hd_dim size, hd_value *of, const uint32_t *dims, uint32_t count) {
  if (size || !count) return hd_generate_dim(g, size);
  hd_value *all = hd_generate_dim(g, hd_shapes_dim(g->shapes, of, dims[0]));
  for (uint32_t i = 1; i < count; ++i)
    all = hd_build_binary(g->b, HD_OP_arith_muli, all, hd_generate_dim(g, hd_shapes_dim(g->shapes, of, dims[i])));
  return all;
}

static void init_side(tiles *s, side *t, const hd_map *writers, hd_dim extent) {
  hd_generator *g = &s->f->g;
  enum { BANKS = 32, BANK_BYTES = 4 };
  int64_t bytes = (int64_t)hd_type_element_bytes(s->compute), lanes = BANKS * BANK_BYTES / bytes, depth = s->tile.depth;
  t->size = t->number ? s->tile.columns * s->tile.own_columns : s->tile.rows * s->tile.own_rows * s->tile.strips;
  t->slots = t->size * depth / s->f->threads;
  t->along = lies_along(s, writers, t->number);
  t->pitch = t->size;
  /* Lanes of one row of threads take one element of lhs together, wherever it is. */
  t->shared_along = t->along && !t->number && s->tile.rows == 1;
  if (t->shared_along) t->pitch = depth;
  /* Else |lanes| threads write |depth| terms of neighbours at once. */
  if (t->along && !t->shared_along)
    t->pitch = (t->size + lanes - 1) / lanes * lanes + (lanes > depth ? lanes / depth : 1);
  bool grouped = t->number && s->p->feature_groups * s->p->batch_groups > 1;
  t->extent = size_of(g, extent, s->p->out, t->dims, grouped ? 0 : t->count);
  t->whole = extent && hd_dim_divisor(&g->shapes->table, extent) % t->size == 0;
}

/* In shared memory, with what keeps banks apart; that goes where it does not fit. */
static int64_t elements_of(const tiles *s, const side *t) {
  return t->pitch * (t->shared_along ? t->size : s->tile.depth);
}

static hd_value *tiles_of(tiles *s, const side *t) {
  int64_t known;
  return hd_value_constant_int(t->extent, &known) ? number(s, (known + t->size - 1) / t->size)
                                                  : binary(s, HD_OP_arith_ceildivui, t->extent, number(s, t->size));
}

static hd_type type_of_sum(hd_context *context, hd_type element) {
  if (element->kind == HD_TYPE_INTEGER && element->integer.width < 32) return hd_i32(context);
  return element;
}

bool hd_gpu_emit_product(hd_gpu_frame *f, const hd_product *p, const hd_map *writers, hd_enum_schedule schedule) {
  hd_generator *g = &f->g;
  hd_builder *before = g->b;
  hd_dim_table *table = &g->shapes->table;
  const hd_gpu_tile *tile = hd_gpu_tile_of(f->target, schedule);
  tiles s = {.f = f, .p = p, .tile = *tile};
  s.sum = type_of_sum(before->context, hd_type_element(p->out->type));
  s.compute = hd_compute_type(s.sum);
  s.lhs = (side){.number = 0, .dims = p->rows, .count = p->row_count};
  s.rhs = (side){.number = 1, .dims = p->columns, .count = p->column_count};
  init_side(&s, &s.lhs, writers, hd_gpu_product_size(g->shapes, p, true));
  init_side(&s, &s.rhs, writers, hd_gpu_product_size(g->shapes, p, false));
  hd_dim terms = hd_gpu_product_terms(g->shapes, p);
  s.terms = size_of(g, terms, p->summed, p->sums, p->sum_count);
  s.whole = schedule == HD_SCHEDULE_TILE_LARGE_WHOLE || (terms && hd_dim_divisor(table, terms) % tile->depth == 0);
  s.rhs.whole |= schedule == HD_SCHEDULE_TILE_LARGE_WHOLE;
  if (g->failed) return false;
  hd_value *extents[HD_COMPILED_MAX_RANK + 4];
  uint32_t count = 0;
  int64_t groups = p->feature_groups * p->batch_groups;
  for (uint32_t i = 0; i < p->batch_count; ++i)
    extents[count++] = hd_generate_dim(g, hd_shapes_dim(g->shapes, p->out, p->batch[i]));
  if (groups > 1) extents[count++] = hd_build_index(before, groups);
  extents[count++] = tiles_of(&s, &s.lhs);
  extents[count++] = tiles_of(&s, &s.rhs);
  extents[count++] = hd_build_index(before, f->threads);
  hd_builder body = hd_gpu_parallel(f, extents, count, "");
  g->b = &body;
  hd_value *const *ids = body.block->args;
  s.batch = hd_new_tuple(g, hd_type_rank(p->out->type));
  for (uint32_t i = 0; i < p->batch_count; ++i) s.batch->at[p->batch[i]] = hd_lane_scalar(ids[i]);
  if (groups > 1) s.group = hd_lane_scalar(ids[p->batch_count]);
  s.lhs.first = times(&s, ids[count - 3], s.lhs.size);
  s.rhs.first = times(&s, ids[count - 2], s.rhs.size);
  s.thread = ids[count - 1];
  bool one_row = tile->rows == 1;
  s.column = one_row ? s.thread : binary(&s, HD_OP_arith_remui, s.thread, number(&s, tile->columns));
  s.row = one_row ? number(&s, 0) : binary(&s, HD_OP_arith_divui, s.thread, number(&s, tile->columns));
  if (elements_of(&s, &s.lhs) + elements_of(&s, &s.rhs) >
      f->target->shared_bytes / (int64_t)hd_type_element_bytes(s.compute)) {
    if (s.lhs.pitch > s.lhs.size && !s.lhs.shared_along) s.lhs.pitch = s.lhs.size;
    if (s.rhs.pitch > s.rhs.size) s.rhs.pitch = s.rhs.size;
  }
  s.lhs.shared = hd_gpu_shared(&body, s.compute, elements_of(&s, &s.lhs));
  s.rhs.shared = hd_gpu_shared(&body, s.compute, elements_of(&s, &s.rhs));
  place_slots(&s, &s.lhs);
  place_slots(&s, &s.rhs);
  hd_value **own = hd_new_array(g->arena, hd_value *, tile->own_rows * tile->own_columns * tile->strips);
  bool ok = sum_all(&s, own) && store_all(&s, own);
  g->b = before;
  return ok && !g->failed;
}
