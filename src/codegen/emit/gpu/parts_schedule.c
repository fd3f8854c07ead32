/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of reductions whose results are too few for a thread or a block
 * each: their elements are divided into parts.
 *
 *   scf.parallel (%k, %p, %t) = 0 to (tiles, parts, threads)
 *     rows      %k is a result. A thread has every |threads|-th element of part %p: neighbours read neighbours.
 *               Shuffles, then the warps' results through shared memory
 *     columns   %k is a tile of |width| results, a warp's lanes. A group of lanes has neighbouring elements of the
 *               part, in order; groups are combined in shared memory, neighbours first
 *     the part's result goes into the result by an atomic operation, after a loop that wrote initial values, or
 *   into a scratch buffer, whose parts a second kernel of the same kind brings together: bits depend on shapes alone.
 *
 * Rows where the last dim of more than one element is reduced, columns where it is kept; which dims those are beside it
 * does not matter. Reducers with a REDUCER row (codegen/lower.def) may be several over the same elements, and what else
 * has their shape is stored on the way. Any other function (argmax) is known to be associative alone: columns, in
 * order, whose initial value counts once. */
#include "codegen/emit/frame.h"
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/lower.h"
#include "codegen/emit/reduction.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"

enum { MAX_CELLS = 16, WANTED_BLOCKS = 1024, PER_THREAD = 16 };

typedef struct cell {
  hd_op *op;
  uint32_t number; /* of the operand and the result */
  hd_value *out, *scratch;
  hd_element like; /* of any function: the initial value */
} cell;

typedef struct parts {
  hd_gpu_frame *f;
  bool ordered, columns;
  hd_value *full;
  uint32_t rank, kept_count, gone_count, cell_count, value_count;
  uint32_t kept[HD_COMPILED_MAX_RANK], gone[HD_COMPILED_MAX_RANK];
  cell cells[MAX_CELLS];
  hd_value *results, *size, *chunk, *count; /* elements that are kept; reduced; in a part. |count|: parts */
  int64_t width, groups;                    /* columns: results of a block, groups that share each */
} parts;

static hd_dim product(parts *s, const uint32_t *dims, uint32_t count) {
  hd_dim_table *t = &s->f->g.shapes->table;
  hd_dim all = hd_dim_const(t, 1);
  for (uint32_t i = 0; i < count; ++i) all = hd_dim_mul(t, all, hd_shapes_dim(s->f->g.shapes, s->full, dims[i]));
  return all;
}

bool hd_gpu_reduces_rows(hd_shapes *shapes, const hd_op *op) {
  hd_value *full = hd_operand(op, 0);
  uint32_t d = hd_type_rank(full->type);
  while (d && hd_gpu_is_unit(shapes, full, d - 1)) --d;
  return !d || hd_attr_find_int(hd_stablehlo_reduce_dimensions(op), d - 1) >= 0;
}

hd_dim hd_gpu_reduced_size(hd_shapes *shapes, const hd_op *op) {
  hd_attr dims = hd_stablehlo_reduce_dimensions(op);
  hd_dim all = hd_dim_const(&shapes->table, 1);
  for (uint32_t i = 0; i < hd_attr_count(dims); ++i)
    all = hd_dim_mul(&shapes->table, all, hd_shapes_dim(shapes, hd_operand(op, 0), (uint32_t)hd_attr_int_at(dims, i)));
  return all;
}

bool hd_gpu_is_parts_reduction(hd_shapes *shapes, const hd_op *op) {
  enum { MOST_DIMS = 31 };                     /* the fuser compares dims as bits of a number */
  if (hd_is_atomic_reduction(op)) return true; /* rows take it along */
  if (!hd_is_simple_reduction(op) || hd_is_row_reduction(op) || hd_type_rank(hd_operand_type(op, 0)) > MOST_DIMS)
    return false;
  hd_dim size = hd_gpu_reduced_size(shapes, op);
  return !size || hd_dim_upper(size) > HD_GPU_FEW_ELEMENTS;
}

/* What the host computes: known where both are known. */
static hd_value *on_host(parts *s, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build_folded(s->f->g.b, opcode, x, y);
}

/* ---- values of a thread ---- */

static hd_value *binary(parts *s, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build_binary(s->f->g.b, opcode, x, y);
}

static hd_value *number(parts *s, int64_t value) { return hd_build_index(s->f->g.b, value); }

/* What a thread starts from: of any function, nothing yet (the last value says so). */
static void start(parts *s, hd_value **out) {
  hd_builder *b = s->f->g.b;
  hd_element elements[MAX_CELLS];
  for (uint32_t i = 0; i < s->cell_count; ++i)
    elements[i] = s->ordered ? s->cells[i].like : hd_reduction_identity(b, s->cells[i].op, 0);
  s->value_count = hd_flatten_elements(elements, s->cell_count, out);
  if (s->ordered) out[s->value_count++] = hd_build_int(b, hd_i1(b->context), 0);
}

static bool combine(parts *s, hd_value *const *x, hd_value *const *y, hd_value **out) {
  hd_generator *g = &s->f->g;
  hd_builder *b = g->b;
  if (!s->ordered) {
    for (uint32_t i = 0; i < s->cell_count; ++i) {
      hd_element value;
      if (!hd_reduction_combine(b, s->cells[i].op, (hd_element){x[i], NULL}, (hd_element){y[i], NULL}, 0, &value))
        return false;
      out[i] = value.re;
    }
    return true;
  }
  hd_element arguments[2 * MAX_CELLS], like[MAX_CELLS], results[MAX_CELLS];
  hd_value *both[2 * MAX_CELLS];
  uint32_t n = s->value_count - 1;
  for (uint32_t i = 0; i < s->cell_count; ++i) like[i] = s->cells[i].like;
  hd_unflatten_elements(x, s->cell_count, like, arguments);
  hd_unflatten_elements(y, s->cell_count, like, arguments + s->cell_count);
  if (!hd_generate_region(g, s->cells[0].op, 0, arguments, results)) return false;
  hd_flatten_elements(results, s->cell_count, both);
  for (uint32_t i = 0; i < n; ++i) {
    hd_value *one = hd_build(b, HD_OP_arith_select, x[i]->type, x[n], x[i], y[i]);
    out[i] = hd_build(b, HD_OP_arith_select, x[i]->type, hd_build(b, HD_OP_arith_andi, x[n]->type, x[n], y[n]), both[i],
                      one);
  }
  out[n] = hd_build(b, HD_OP_arith_ori, x[n]->type, x[n], y[n]);
  return true;
}

/* ---- between threads ---- */

static bool shuffle(parts *s, int64_t lanes, hd_value **values) {
  for (int64_t offset = lanes / 2; offset > 0; offset /= 2) {
    hd_value *other[2 * MAX_CELLS];
    for (uint32_t v = 0; v < s->value_count; ++v)
      other[v] = hd_gpu_shuffle(s->f->g.b, values[v], offset, s->f->target->warp);
    if (!combine(s, values, other, values)) return false;
  }
  return true;
}

static void barrier(parts *s) { hd_build_op(s->f->g.b, HD_OP_gpu_barrier, NULL, 0, NULL, 0, NULL, 0, 0); }

/* The code of a branch on |condition|; hd_build_yield ends it. */
static hd_builder branch(parts *s, hd_value *condition) {
  hd_builder *b = s->f->g.b;
  hd_op *op = hd_build_if(b, condition, NULL, 0, false);
  hd_builder then = hd_builder_at_start(b->module, hd_op_region(op, 0)->first);
  then.loc = b->loc;
  return then;
}

static bool join_rows(parts *s, hd_value *thread, hd_value **values) {
  hd_gpu_frame *f = s->f;
  int64_t warps = f->threads / f->target->warp;
  if (!shuffle(s, f->target->warp, values)) return false;
  if (warps <= 1) return true;
  hd_value *memory[2 * MAX_CELLS], *width = number(s, f->target->warp);
  for (uint32_t v = 0; v < s->value_count; ++v) memory[v] = hd_gpu_shared(f->g.b, values[v]->type, warps);
  hd_value *warp = binary(s, HD_OP_arith_divui, thread, width),
           *leads = hd_arith_cmpi(f->g.b, HD_ARITH_CMPI_EQ, binary(s, HD_OP_arith_remui, thread, width), number(s, 0));
  hd_builder then = branch(s, leads);
  for (uint32_t v = 0; v < s->value_count; ++v) hd_gpu_store_shared(&then, values[v], memory[v], warp);
  hd_build_yield(&then, NULL, 0);
  barrier(s);
  hd_value *mine = binary(s, HD_OP_arith_remui, thread, number(s, warps));
  for (uint32_t v = 0; v < s->value_count; ++v)
    values[v] = hd_gpu_load_shared(f->g.b, memory[v], mine, values[v]->type);
  return shuffle(s, warps, values);
}

/* Group 0 has the result: neighbours first, so that the order stays. */
static bool join_columns(parts *s, hd_value *thread, hd_value *group, hd_value **values) {
  hd_generator *g = &s->f->g;
  hd_builder *b = g->b;
  hd_value *memory[2 * MAX_CELLS], *other[2 * MAX_CELLS];
  for (uint32_t v = 0; v < s->value_count; ++v) memory[v] = hd_gpu_shared(b, values[v]->type, s->f->threads);
  for (uint32_t v = 0; v < s->value_count; ++v) hd_gpu_store_shared(b, values[v], memory[v], thread);
  for (int64_t step = 1; step < s->groups; step *= 2) {
    barrier(s);
    hd_value *in_pair = binary(s, HD_OP_arith_remui, group, number(s, 2 * step));
    hd_builder then = branch(s, hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, in_pair, number(s, 0)));
    g->b = &then;
    hd_value *at = binary(s, HD_OP_arith_addi, thread, number(s, step * s->width)), *mine[2 * MAX_CELLS];
    for (uint32_t v = 0; v < s->value_count; ++v) {
      mine[v] = hd_gpu_load_shared(&then, memory[v], thread, values[v]->type);
      other[v] = hd_gpu_load_shared(&then, memory[v], at, values[v]->type);
    }
    bool ok = combine(s, mine, other, mine);
    for (uint32_t v = 0; v < s->value_count && ok; ++v) hd_gpu_store_shared(&then, mine[v], memory[v], thread);
    hd_build_yield(&then, NULL, 0);
    g->b = b;
    if (!ok) return false;
  }
  for (uint32_t v = 0; v < s->value_count; ++v) values[v] = hd_gpu_load_shared(b, memory[v], thread, values[v]->type);
  return true;
}

/* ---- elements ---- */

/* The index of |linear| in |dims| of the full shape. */
static void place(parts *s, const uint32_t *dims, uint32_t count, hd_value *linear, hd_index_tuple *out) {
  hd_gpu_place(s->f, s->full, dims, count, linear, out);
}

static hd_value *scratch_place(parts *s, hd_value *result, hd_value *part) {
  hd_value *outer = s->columns ? part : result, *inner = s->columns ? result : part,
           *width = s->columns ? s->results : s->count;
  return binary(s, HD_OP_arith_addi, binary(s, HD_OP_arith_muli, outer, width), inner);
}

/* The element |position| of |result|: of the operands, or of the parts. */
static bool load(parts *s, bool second, hd_value *result, hd_value *position, hd_value **out) {
  hd_generator *g = &s->f->g;
  hd_element elements[MAX_CELLS];
  hd_index_tuple *at = hd_new_tuple(g, s->rank);
  hd_value *in_scratch = second ? scratch_place(s, result, position) : NULL;
  if (!second) {
    place(s, s->kept, s->kept_count, result, at);
    place(s, s->gone, s->gone_count, position, at);
  }
  for (uint32_t i = 0; i < s->cell_count; ++i) {
    if (second)
      elements[i] = hd_load_element(g->b, s->cells[i].scratch, &in_scratch, g->arena);
    else if (!hd_generate(g, hd_operand(s->cells[i].op, s->cells[i].number), at, &elements[i]))
      return false;
  }
  uint32_t n = hd_flatten_elements(elements, s->cell_count, out);
  if (s->ordered) out[n] = hd_build_int(g->b, hd_i1(g->b->context), 1);
  for (size_t o = 0; o < s->f->ops->output_count && !second; ++o) {
    hd_value *output = s->f->ops->outputs[o];
    bool full = hd_type_rank(output->type) == s->rank && hd_shapes_same(g->shapes, output, s->full);
    for (uint32_t i = 0; i < s->cell_count; ++i) full &= output != s->cells[i].out;
    hd_element value;
    if (full && (!hd_generate(g, output, at, &value) || !hd_generate_store(g, output, at, value))) return false;
  }
  return true;
}

typedef enum ending { INTO_RESULT, BY_ATOMICS, INTO_SCRATCH } ending;

static bool give(parts *s, ending end, hd_value *result, hd_value *part, hd_value *const *values) {
  hd_generator *g = &s->f->g;
  hd_index_tuple *all = hd_new_tuple(g, s->rank), *to = hd_new_tuple(g, s->kept_count);
  hd_element elements[MAX_CELLS], like[MAX_CELLS];
  for (uint32_t i = 0; i < s->cell_count; ++i) like[i] = s->cells[i].like;
  hd_unflatten_elements(values, s->cell_count, like, elements);
  hd_value *in_scratch = end == INTO_SCRATCH ? scratch_place(s, result, part) : NULL;
  if (!in_scratch) place(s, s->kept, s->kept_count, result, all);
  for (uint32_t i = 0; i < s->kept_count && !in_scratch; ++i) to->at[i] = all->at[s->kept[i]];
  for (uint32_t i = 0; i < s->cell_count; ++i) {
    if (in_scratch)
      hd_store_element(g->b, s->cells[i].scratch, &in_scratch, elements[i], g->arena);
    else if (end == BY_ATOMICS)
      hd_gpu_emit_atomic_at(s->f, hd_gpu_atomic_kind(s->cells[i].op), s->cells[i].out, to, elements[i]);
    else if (!hd_generate_store(g, s->cells[i].out, to, elements[i]))
      return false;
  }
  return true;
}

/* The initial values on the left. */
static bool add_initial(parts *s, hd_value **values) {
  hd_generator *g = &s->f->g;
  hd_value *initial[2 * MAX_CELLS];
  hd_element elements[MAX_CELLS];
  for (uint32_t i = 0; i < s->cell_count; ++i) {
    elements[i] = s->cells[i].like;
    if (!s->ordered && !hd_generate(g, hd_operand(s->cells[i].op, 1), hd_new_tuple(g, 0), &elements[i])) return false;
  }
  uint32_t n = hd_flatten_elements(elements, s->cell_count, initial);
  if (s->ordered) initial[n] = hd_build_int(g->b, hd_i1(g->b->context), 1);
  return combine(s, initial, values, values);
}

/* ---- kernels ---- */

static hd_value *tiles(parts *s) {
  if (!s->columns) return s->results;
  return on_host(s, HD_OP_arith_ceildivui, s->results, hd_build_index(s->f->g.b, s->width));
}

typedef struct range {
  hd_value *first, *stop, *step;
} range;

/* What thread |t| has of [begin, end). */
static range range_of(parts *s, hd_value *t, hd_value *group, hd_value *inside, hd_value *begin, hd_value *chunk,
                      hd_value *end) {
  if (!s->columns) return (range){binary(s, HD_OP_arith_addi, begin, t), end, number(s, s->f->threads)};
  hd_builder *b = s->f->g.b;
  hd_value *own = binary(s, HD_OP_arith_divui, chunk, number(s, s->groups)),
           *first = binary(s, HD_OP_arith_addi, begin, binary(s, HD_OP_arith_muli, group, own)),
           *stop = binary(s, HD_OP_arith_minui, binary(s, HD_OP_arith_addi, first, own), end);
  if (inside) stop = hd_build(b, HD_OP_arith_select, stop->type, inside, stop, number(s, 0));
  return (range){first, stop, number(s, 1)};
}

/* One kernel over |size| elements a result, in parts of |chunk|. |second|: the elements are the parts of the first. */
static bool emit_kernel(parts *s, bool second, hd_value *size, hd_value *chunk, hd_value *count, ending end,
                        const char *suffix) {
  hd_gpu_frame *f = s->f;
  hd_generator *g = &f->g;
  hd_value *values[2 * MAX_CELLS], *next[2 * MAX_CELLS], *sum[2 * MAX_CELLS];
  hd_value *extents[3] = {tiles(s), count, hd_build_index(g->b, f->threads)};
  hd_builder *outer = g->b, kernel = hd_gpu_parallel(f, extents, 3, suffix);
  g->b = &kernel;
  hd_value *result = kernel.block->args[0], *part = kernel.block->args[1], *thread = kernel.block->args[2],
           *group = NULL, *inside = NULL;
  if (s->columns) {
    hd_value *width = number(s, s->width);
    group = binary(s, HD_OP_arith_divui, thread, width);
    result = binary(s, HD_OP_arith_addi, binary(s, HD_OP_arith_muli, result, width),
                    binary(s, HD_OP_arith_remui, thread, width));
    int64_t known;
    if (!hd_value_constant_int(s->results, &known) || known % s->width)
      inside = hd_arith_cmpi(&kernel, HD_ARITH_CMPI_ULT, result, s->results);
  }
  bool ok = true;
  for (uint32_t i = 0; i < s->cell_count && s->ordered && ok; ++i)
    ok = hd_generate(g, hd_operand(s->cells[i].op, s->cell_count + i), hd_new_tuple(g, 0), &s->cells[i].like);
  if (!ok) return false;
  hd_value *begin = binary(s, HD_OP_arith_muli, part, chunk),
           *stop = binary(s, HD_OP_arith_minui, binary(s, HD_OP_arith_addi, begin, chunk), size);
  start(s, values);
  range r = range_of(s, thread, group, inside, begin, chunk, stop);
  hd_op *loop = hd_build_for(&kernel, r.first, r.stop, r.step, values, s->value_count);
  hd_block *block = hd_op_region(loop, 0)->first;
  hd_builder body = hd_builder_at_end(kernel.module, block);
  body.loc = kernel.loc;
  g->b = &body;
  ok = load(s, second, result, block->args[0], next) && combine(s, block->args + 1, next, sum);
  if (ok) hd_build_yield(&body, sum, s->value_count);
  g->b = &kernel;
  for (uint32_t v = 0; v < s->value_count; ++v) values[v] = hd_result(loop, v);
  ok = ok && (s->columns ? join_columns(s, thread, group, values) : join_rows(s, thread, values));
  if (ok && end == INTO_RESULT) ok = add_initial(s, values);
  if (ok) {
    hd_value *leads = hd_arith_cmpi(&kernel, HD_ARITH_CMPI_EQ, s->columns ? group : thread, number(s, 0));
    if (inside) leads = hd_build(&kernel, HD_OP_arith_andi, leads->type, leads, inside);
    hd_builder then = branch(s, leads);
    g->b = &then;
    ok = give(s, end, result, part, values);
    hd_build_yield(&then, NULL, 0);
  }
  g->b = outer;
  return ok && !g->failed;
}

static bool collect(parts *s) {
  hd_gpu_frame *f = s->f;
  for (size_t i = 0; i < f->ops->count; ++i) {
    hd_op *op = f->ops->ops[i];
    if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce) continue;
    bool lives = false;
    for (size_t o = 0; o < f->ops->output_count; ++o)
      for (uint32_t r = 0; r < hd_buffer_output_count(op); ++r) lives |= f->ops->outputs[o] == hd_buffer_output(op, r);
    if (!lives) continue;
    s->ordered = !hd_is_simple_reduction(op);
    for (uint32_t r = 0; r < hd_buffer_output_count(op); ++r) {
      if (s->cell_count == MAX_CELLS)
        return hd_op_error(op, "is one of more than %d reductions of a kernel", MAX_CELLS);
      s->cells[s->cell_count++] = (cell){.op = op, .number = r, .out = hd_buffer_output(op, r)};
    }
  }
  hd_op *first = s->cells[0].op;
  s->full = hd_operand(first, 0);
  s->rank = hd_type_rank(s->full->type);
  if (s->rank > HD_COMPILED_MAX_RANK)
    return hd_op_error(first, "has rank %u, expected at most %d in a kernel", s->rank, HD_COMPILED_MAX_RANK);
  for (uint32_t d = 0; d < s->rank; ++d)
    if (hd_attr_find_int(hd_stablehlo_reduce_dimensions(first), d) >= 0)
      s->gone[s->gone_count++] = d;
    else
      s->kept[s->kept_count++] = d;
  s->columns = !hd_gpu_reduces_rows(f->g.shapes, first);
  return true;
}

/* How many parts there are: enough blocks for a device, and enough for a thread to do. */
static bool divide(parts *s) {
  hd_generator *g = &s->f->g;
  hd_builder *b = g->b;
  int64_t known;
  s->results = hd_generate_dim(g, product(s, s->kept, s->kept_count));
  s->size = hd_generate_dim(g, product(s, s->gone, s->gone_count));
  if (g->failed) return false;
  s->width = s->f->target->warp;
  while (hd_value_constant_int(s->results, &known) && s->width > 1 && known <= s->width / 2) s->width /= 2;
  s->groups = s->f->threads / s->width;
  hd_value *one = hd_build_index(b, 1),
           *unit = hd_build_index(b, PER_THREAD * (s->columns ? s->groups : s->f->threads)),
           *blocks = on_host(s, HD_OP_arith_maxui, one, tiles(s)),
           *most = on_host(s, HD_OP_arith_maxui, one,
                           on_host(s, HD_OP_arith_divui, hd_build_index(b, WANTED_BLOCKS), blocks)),
           *units = on_host(s, HD_OP_arith_maxui, one, on_host(s, HD_OP_arith_ceildivui, s->size, unit));
  s->chunk = on_host(s, HD_OP_arith_muli, on_host(s, HD_OP_arith_ceildivui, units, most), unit);
  s->count = on_host(s, HD_OP_arith_ceildivui, s->size, s->chunk);
  return true;
}

static void make_scratch(parts *s) {
  hd_builder *b = s->f->g.b;
  hd_value *size = on_host(s, HD_OP_arith_muli, s->results, s->count);
  int64_t known = HD_DYNAMIC;
  int32_t dynamic = !hd_value_constant_int(size, &known);
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b->context, (int32_t[]){dynamic, 0}, 2)};
  for (uint32_t i = 0; i < s->cell_count; ++i) {
    hd_type element = hd_type_element(s->cells[i].out->type), type;
    if (element->kind == HD_TYPE_FLOAT && hd_type_bits(element) < 32) element = hd_f32(b->context);
    type = hd_type_memref(element, &known, 1, NULL, s->cells[i].out->type->shaped.space);
    s->cells[i].scratch = hd_build_one_(b, HD_OP_memref_alloc, type, &size, (size_t)dynamic, &segments, 1);
  }
}

bool hd_gpu_emit_parts(hd_gpu_frame *f, bool deterministic) {
  parts s = {.f = f};
  if (!collect(&s) || !divide(&s)) return false;
  hd_value *one = hd_build_index(f->g.b, 1);
  int64_t count;
  if (hd_value_constant_int(s.count, &count) && count <= 1)
    return emit_kernel(&s, false, s.size, s.chunk, one, INTO_RESULT, "");
  bool atomic = !deterministic && !s.ordered;
  for (uint32_t i = 0; i < s.cell_count && atomic; ++i)
    atomic = hd_gpu_atomic_kind(s.cells[i].op) != HD_ARITH_ATOMIC_RMW_KIND_NONE;
  if (atomic) {
    for (uint32_t i = 0; i < s.cell_count; ++i)
      if (!hd_gpu_emit_initialiser(f, s.cells[i].op)) return false;
    return emit_kernel(&s, false, s.size, s.chunk, s.count, BY_ATOMICS, "");
  }
  make_scratch(&s);
  hd_value *unit = hd_build_index(f->g.b, s.columns ? s.groups : f->threads),
           *units = on_host(&s, HD_OP_arith_maxui, one, on_host(&s, HD_OP_arith_ceildivui, s.count, unit));
  return emit_kernel(&s, false, s.size, s.chunk, s.count, INTO_SCRATCH, "_parts") &&
         emit_kernel(&s, true, s.count, on_host(&s, HD_OP_arith_muli, units, unit), one, INTO_RESULT, "");
}
