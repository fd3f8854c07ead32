/* SPDX-License-Identifier: Apache-2.0 */
/* Regions that are functions of elements: reducers, comparators, the computation of map.
 *
 * Scalars are elements, so an elementwise op is its arithmetic. Whatever else the generator can compute at an index (a
 * sum over a broadcast scalar, an element of a table from outside) gets its buffer form here, on buffers that are only
 * names, and is generated where a scalar comes out of it.
 *
 * Branches are a choice between both sides, which are pure; where they hold regions themselves, in scalar code, they
 * are branches. A loop runs in scalar code: vector code goes lane by lane around the whole region, past lanes that do
 * not count, since on what is there it might not end. */
#include "analysis/buffer_form.h"
#include "codegen/emit/generate_ops.h"
#include "ir/ops/arith.h"
#include "ir/ops/stablehlo.h"

/* Of elements as their parts, real and imaginary. */
#define NEW_PARTS(g, T, count) hd_generator_array(g, T, 2 * (size_t)(count))

typedef struct region_code {
  hd_generator *g;
  hd_map values;  /* scalar -> hd_element */
  hd_map buffers; /* tensor -> memref that names it */
  hd_block *names;
} region_code;

static bool emit_block(region_code *r, hd_block *block, hd_element *out);

static hd_element *kept(region_code *r, hd_element element) {
  hd_element *copy = hd_new(r->g->arena, hd_element);
  *copy = element;
  return copy;
}

static void keep_value(region_code *r, hd_value *value, hd_element element) {
  hd_map_set(r->g->arena, &r->values, value, kept(r, element));
}

static bool not_compiled(hd_op *op) { return hd_op_error(op, "has no compiled path inside a reducer"); }

/* ---- tensors that are no scalars ---- */

static hd_value *new_name(region_code *r, hd_value *tensor) {
  hd_generator *g = r->g;
  hd_type type = tensor->type;
  hd_type memref = hd_type_memref(type->shaped.element, type->shaped.dims, type->shaped.rank, NULL, NULL);
  hd_value *name = hd_block_add_arg(g->b->module, r->names, memref);
  uint32_t rank = hd_type_rank(type);
  hd_dim *dims = hd_new_array(g->arena, hd_dim, rank + 1);
  for (uint32_t d = 0; d < rank; ++d) dims[d] = hd_shapes_dim(g->shapes, tensor, d);
  hd_shapes_set_dims(g->shapes, name, dims, rank);
  hd_map_set(g->arena, &r->buffers, tensor, name);
  return name;
}

/* The buffer that |tensor| is called by; null where its op has none. */
static hd_value *name_of(region_code *r, hd_value *tensor) {
  hd_value *name = hd_map_get(&r->buffers, tensor);
  hd_element *scalar = hd_map_get(&r->values, tensor);
  if (name || !scalar) return name;
  name = new_name(r, tensor);
  hd_map_set(r->g->arena, &r->g->fixed, name, scalar);
  return name;
}

/* The buffer form of |op|, as the writer of names of its results. |op| itself stays as it is. */
static bool name_results(region_code *r, hd_op *op) {
  hd_generator *g = r->g;
  hd_op *copy = hd_op_clone(g->b->module, op, g->arena, NULL);
  hd_op_append(copy, r->names);
  hd_buffer_form form;
  if (!hd_buffer_form_of(copy, g->arena, &form)) return not_compiled(op);
  hd_value **operands = hd_new_array(g->arena, hd_value *, form.inputs.len + op->result_count + (size_t)1);
  size_t count = 0;
  for (size_t i = 0; i < form.inputs.len; ++i)
    if (!(operands[count++] = name_of(r, form.inputs.data[i]))) return not_compiled(op);
  for (uint32_t i = 0; i < op->result_count; ++i) operands[count++] = new_name(r, hd_result(op, i));
  hd_builder b = hd_builder_at_end(g->b->module, r->names);
  hd_op *writer = hd_buffer_form_build(&form, &b, copy, g->arena, operands, count);
  hd_op_erase(copy);
  if (!hd_can_generate(writer)) return not_compiled(op);
  for (uint32_t i = 0; i < op->result_count; ++i)
    hd_map_set(g->arena, &g->writers, operands[form.inputs.len + i], writer);
  return true;
}

static bool emit_other(region_code *r, hd_op *op) {
  if (!name_results(r, op)) return false;
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_element element;
    if (!hd_type_is_scalar(hd_result_type(op, i))) continue;
    if (!hd_generate(r->g, hd_map_get(&r->buffers, hd_result(op, i)), hd_new_tuple(r->g, 0), &element)) return false;
    keep_value(r, hd_result(op, i), element);
  }
  return true;
}

/* ---- control flow ---- */

static bool is_region_op(hd_op *op, void *user) { return op == user || !op->region_count; }
static bool holds_regions(hd_op *op) { return !hd_walk_pre(op, is_region_op, op); }

static hd_builder builder_in(const hd_generator *g, hd_block *block) {
  hd_builder b = hd_builder_at_end(g->b->module, block);
  b.loc = g->b->loc;
  return b;
}

/* Elements of |types| from their parts. */
static void unflatten(hd_generator *g, hd_value *const *values, uint32_t count, const hd_type *types, hd_element *out) {
  hd_element *like = hd_generator_array(g, hd_element, count);
  for (uint32_t i = 0; i < count; ++i) like[i].im = types[i]->kind == HD_TYPE_COMPLEX ? values[0] : NULL;
  hd_unflatten_elements(values, count, like, out);
}

static void unflatten_results(hd_generator *g, hd_op *op, uint32_t count, const hd_type *elements, hd_element *out) {
  hd_value **values = hd_generator_array(g, hd_value *, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) values[i] = hd_result(op, i);
  unflatten(g, values, count, elements, out);
}

/* Types of the parts of elements in compute types, in scalar code. */
static uint32_t part_types(const hd_type *elements, uint32_t count, hd_type *out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; ++i) {
    out[n++] = hd_compute_type(elements[i]);
    if (elements[i]->kind == HD_TYPE_COMPLEX) out[n] = out[n - 1], ++n;
  }
  return n;
}

/* The element types of |op|'s results; false when they are not the scalars that code can carry. */
static bool scalar_results(hd_op *op, hd_type *elements) {
  for (uint32_t i = 0; i < op->result_count; ++i) {
    if (!hd_type_is_scalar(hd_result_type(op, i))) return false;
    elements[i] = hd_type_element(hd_result_type(op, i));
  }
  return true;
}

/* Is region |k| of |op| the one that runs, when none before it is? */
static hd_value *is_taken(region_code *r, hd_op *op, hd_element selector, uint32_t k) {
  if (hd_op_is(op, HD_OP_stablehlo_if)) return selector.re;
  hd_builder *b = r->g->b;
  return hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, selector.re, hd_build_int(b, selector.re->type, k));
}

/* What the regions of |op| from |k| on give, the last where no other is taken. */
static bool emit_choice(region_code *r, hd_op *op, const hd_type *elements, bool jumps, uint32_t k, hd_element *out) {
  hd_generator *g = r->g;
  hd_block *block = hd_op_region(op, k)->first;
  if (k + 1 == op->region_count) return emit_block(r, block, out);
  hd_element *selector = hd_map_get(&r->values, hd_operand(op, 0)),
             *other = hd_generator_array(g, hd_element, op->result_count);
  hd_value *taken = is_taken(r, op, *selector, k);
  if (!jumps) {
    if (!emit_block(r, block, out) || !emit_choice(r, op, elements, jumps, k + 1, other)) return false;
    for (uint32_t i = 0; i < op->result_count; ++i) out[i] = hd_emit_select(g->b, taken, out[i], other[i]);
    return true;
  }
  hd_type *types = NEW_PARTS(g, hd_type, op->result_count);
  uint32_t parts = part_types(elements, op->result_count, types);
  hd_op *branch = hd_build_if(g->b, taken, types, parts, true);
  hd_builder *outer = g->b;
  bool ok = true;
  for (uint32_t side = 0; side < 2 && ok; ++side) {
    hd_builder in = builder_in(g, hd_op_region(branch, side)->first);
    hd_value **values = NEW_PARTS(g, hd_value *, op->result_count);
    g->b = &in;
    ok = side ? emit_choice(r, op, elements, jumps, k + 1, other) : emit_block(r, block, other);
    if (ok) hd_build_yield(&in, values, hd_flatten_elements(other, op->result_count, values));
  }
  g->b = outer;
  unflatten_results(g, branch, op->result_count, elements, out);
  return ok;
}

static bool emit_branches(region_code *r, hd_op *op, hd_element *out) {
  hd_type *elements = hd_generator_array(r->g, hd_type, op->result_count);
  if (!hd_map_get(&r->values, hd_operand(op, 0)) || !op->region_count || !scalar_results(op, elements))
    return not_compiled(op);
  return emit_choice(r, op, elements, !r->g->lanes && holds_regions(op), 0, out);
}

/* scf.while on the parts of the carried scalars. */
static bool emit_while(region_code *r, hd_op *op, hd_element *out) {
  hd_generator *g = r->g;
  hd_type *elements = hd_generator_array(g, hd_type, op->result_count),
          *types = NEW_PARTS(g, hd_type, op->result_count);
  hd_element *carried = hd_generator_array(g, hd_element, op->operand_count);
  if (g->lanes || op->operand_count != op->result_count || !scalar_results(op, elements)) return not_compiled(op);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_element *init = hd_map_get(&r->values, hd_operand(op, i));
    if (!init) return not_compiled(op);
    carried[i] = *init;
  }
  uint32_t n = op->operand_count, parts = part_types(elements, n, types);
  hd_value **values = NEW_PARTS(g, hd_value *, n), **given = NEW_PARTS(g, hd_value *, n);
  hd_flatten_elements(carried, n, values);
  hd_op *loop = hd_build_op(g->b, HD_OP_scf_while, values, parts, types, parts, NULL, 0, 2);
  hd_builder *outer = g->b;
  bool ok = true;
  for (uint32_t k = 0; k < 2 && ok; ++k) { /* the condition, then the body */
    hd_block *block = hd_block_create(outer->module), *from = hd_op_region(op, k)->first;
    hd_region_append(hd_op_region(loop, k), block);
    for (uint32_t i = 0; i < parts; ++i) values[i] = hd_block_add_arg(outer->module, block, types[i]);
    unflatten(g, values, n, elements, carried);
    for (uint32_t i = 0; i < n; ++i) keep_value(r, from->args[i], carried[i]);
    hd_builder in = builder_in(g, block);
    g->b = &in;
    ok = emit_block(r, from, carried);
    if (ok && k == 0) {
      given[0] = carried[0].re;
      for (uint32_t i = 0; i < parts; ++i) given[1 + i] = values[i];
      hd_build_op(&in, HD_OP_scf_condition, given, parts + 1, NULL, 0, NULL, 0, 0);
    } else if (ok) {
      hd_build_yield(&in, values, hd_flatten_elements(carried, n, values));
    }
  }
  g->b = outer;
  unflatten_results(g, loop, n, elements, out);
  return ok;
}

/* ---- scalars ---- */

/* The elements of |op|'s operands; false when one of them is no scalar. */
static bool scalar_operands(region_code *r, hd_op *op, hd_element *operands, hd_type *types) {
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_element *known = hd_map_get(&r->values, hd_operand(op, i));
    if (!known) return false;
    operands[i] = *known;
    types[i] = hd_type_element(hd_operand_type(op, i));
  }
  return true;
}

/* An op on scalars; |*done| false: it is none. */
static bool emit_scalar(region_code *r, hd_op *op, hd_element *out, bool *done) {
  hd_generator *g = r->g;
  hd_element *operands = hd_generator_array(g, hd_element, op->operand_count);
  hd_type *types = hd_generator_array(g, hd_type, op->operand_count),
          *elements = hd_generator_array(g, hd_type, op->result_count);
  *done = scalar_results(op, elements) && scalar_operands(r, op, operands, types);
  if (!*done) return true;
  hd_attr constant = op->result_count == 1 ? hd_value_constant(hd_result(op, 0)) : NULL;
  hd_opcode opcode = hd_opcode_get(op);
  switch (opcode) {
    case HD_OP_stablehlo_optimization_barrier:
      for (uint32_t i = 0; i < op->result_count; ++i) out[i] = operands[i];
      return true;
    case HD_OP_stablehlo_broadcast_in_dim:
    case HD_OP_stablehlo_reshape:
      out[0] = operands[0];
      return true;
    case HD_OP_stablehlo_map: {
      hd_block *block = hd_op_region(op, 0)->first;
      for (uint32_t i = 0; i < block->arg_count; ++i) keep_value(r, block->args[i], operands[i]);
      return emit_block(r, block, out);
    }
    default:
      break;
  }
  if (hd_attr_is(constant, HD_ATTR_DENSE)) {
    out[0] = hd_emit_constant(g->b, elements[0], constant->dense.data, g->lanes);
    return true;
  }
  *done = op->result_count == 1 && op->operand_count && !op->region_count &&
          hd_can_emit_elementwise(opcode, types[hd_typed_operand(opcode)], elements[0]);
  return !*done || hd_emit_elementwise(g->b, op, opcode, types, operands, elements[0], g->lanes, out);
}

static bool emit_dimension_size(region_code *r, hd_op *op, hd_element *out) {
  hd_generator *g = r->g;
  hd_value *of = name_of(r, hd_operand(op, 0));
  uint32_t d = (uint32_t)hd_stablehlo_get_dimension_size_dimension(op);
  if (!of || d >= hd_type_rank(of->type)) return not_compiled(op);
  hd_value *size = hd_generate_dim(g, hd_generator_dim_of(g, of, d));
  *out = (hd_element){
      hd_build(g->b, HD_OP_arith_index_cast, hd_compute_type(hd_type_element(hd_result_type(op, 0))), size)};
  *out = hd_spread_element(g, *out);
  return true;
}

static bool emit_op(region_code *r, hd_op *op) {
  hd_element *made = hd_generator_array(r->g, hd_element, op->result_count);
  bool done = true, ok;
  if (hd_op_is(op, HD_OP_stablehlo_get_dimension_size))
    ok = emit_dimension_size(r, op, made);
  else if (hd_op_has_trait(op, HD_TRAIT(BRANCHES)))
    ok = emit_branches(r, op, made);
  else if (hd_op_has_trait(op, HD_TRAIT(WHILE)))
    ok = emit_while(r, op, made);
  else
    ok = emit_scalar(r, op, made, &done);
  if (!ok) return false;
  if (!done) return emit_other(r, op);
  for (uint32_t i = 0; i < op->result_count; ++i) keep_value(r, hd_result(op, i), made[i]);
  return true;
}

/* What the terminator gives goes to |out|. */
static bool emit_block(region_code *r, hd_block *block, hd_element *out) {
  hd_for_each_op(op, block) {
    if (!hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) {
      if (!emit_op(r, op)) return false;
      continue;
    }
    hd_type *types = hd_generator_array(r->g, hd_type, op->operand_count);
    return scalar_operands(r, op, out, types) || not_compiled(op);
  }
  return false;
}

/* ---- the whole region ---- */

/* Can emit_op do |op|? What gives the shape of a result is no value here: it has no buffer. */
static bool can_emit_op(hd_op *op, void *user) {
  (void)user;
  hd_opcode opcode = hd_opcode_get(op);
  if (hd_op_has_any_trait(op, HD_TRAIT(WHILE) | HD_TRAIT(BRANCHES)) || opcode == HD_OP_stablehlo_optimization_barrier) {
    for (uint32_t i = 0; i < op->operand_count; ++i)
      if (!hd_type_is_scalar(hd_operand_type(op, i))) return false;
    for (uint32_t i = 0; i < op->result_count; ++i)
      if (!hd_type_is_scalar(hd_result_type(op, i))) return false;
    return true;
  }
  if (opcode == HD_OP_stablehlo_get_dimension_size || opcode == HD_OP_stablehlo_select ||
      opcode == HD_OP_stablehlo_clamp)
    return true;
  return hd_op_has_any_trait(op, HD_TRAIT(ELEMENTWISE) | HD_TRAIT(CONSTANT_LIKE) | HD_TRAIT(TERMINATOR)) ||
         (hd_has_generator(opcode) && !hd_op_has_trait(op, HD_TRAIT(HLO_DYNAMIC)));
}

bool hd_can_generate_regions(const hd_op *op) {
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region((hd_op *)op, r))
      hd_for_each_op(inner, block)
        if (!hd_walk_pre(inner, can_emit_op, NULL)) return false;
  return true;
}

static bool is_no_loop(hd_op *op, void *user) {
  (void)user;
  return !hd_op_is(op, HD_OP_stablehlo_while);
}

static bool has_loop(hd_region *region) {
  hd_for_each_block(block, region)
    hd_for_each_op(op, block)
      if (!hd_walk_pre(op, is_no_loop, NULL)) return true;
  return false;
}

static bool emit_region(hd_generator *g, hd_op *op, uint32_t index, const hd_element *arguments, hd_element *out) {
  hd_block *block = hd_op_region(op, index)->first;
  region_code r = {.g = g, .names = hd_block_create(g->b->module)};
  uint32_t captures = hd_buffer_capture_count(op), own = block->arg_count - captures;
  bool ok = true;
  for (uint32_t i = 0; i < own; ++i) keep_value(&r, block->args[i], arguments[i]);
  for (uint32_t i = 0; i < captures && ok; ++i) {
    hd_value *capture = hd_buffer_capture(op, i);
    hd_element element;
    if (hd_type_rank(capture->type)) {
      hd_map_set(g->arena, &r.buffers, block->args[own + i], capture);
    } else {
      ok = hd_generate(g, capture, hd_new_tuple(g, 0), &element);
      if (ok) keep_value(&r, block->args[own + i], element);
    }
  }
  ok = ok && emit_block(&r, block, out);
  for (uint32_t i = 0; i < r.names->arg_count; ++i) hd_map_remove(&g->writers, r.names->args[i]);
  for (hd_op *last; (last = r.names->last);) hd_op_erase(last); /* what they read has no other readers by them */
  return ok;
}

/* for lane: if it counts: out[lane] = region(arguments[lane]) */
static bool emit_by_lane(hd_generator *g, hd_op *op, uint32_t index, const hd_element *arguments, hd_element *out) {
  hd_block *block = hd_op_region(op, index)->first;
  uint32_t given = block->arg_count - hd_buffer_capture_count(op), count = block->last->operand_count, lanes = g->lanes;
  hd_type *elements = hd_generator_array(g, hd_type, count), *types = NEW_PARTS(g, hd_type, count);
  for (uint32_t i = 0; i < count; ++i) elements[i] = hd_type_element(hd_operand_type(block->last, i));
  uint32_t parts = part_types(elements, count, types);
  hd_builder *outer = g->b;
  hd_value *mask = g->mask, *whole = g->whole, **results = NEW_PARTS(g, hd_value *, count),
           **made = NEW_PARTS(g, hd_value *, count);
  for (uint32_t i = 0; i < parts; ++i) {
    hd_type vector = hd_lanes_type(types[i], lanes);
    results[i] = types[i]->kind == HD_TYPE_FLOAT ? hd_build_float(outer, vector, 0) : hd_build_int(outer, vector, 0);
  }
  hd_op *loop = hd_build_for(outer, hd_build_index(outer, 0), hd_build_index(outer, lanes), hd_build_index(outer, 1),
                             results, parts);
  hd_block *body = hd_op_region(loop, 0)->first;
  hd_value *lane = body->args[0];
  hd_builder in = builder_in(g, body), some, none, *code = &in;
  hd_op *branch = NULL;
  if (mask) {
    hd_type *vectors = hd_generator_array(g, hd_type, parts);
    for (uint32_t i = 0; i < parts; ++i) vectors[i] = hd_lanes_type(types[i], lanes);
    hd_value *counts = hd_emit_at_lane(&in, HD_OP_vector_extract, hd_i1(in.context), (hd_value *[]){mask, lane}, 2);
    branch = hd_build_if(&in, counts, vectors, parts, true);
    some = builder_in(g, hd_op_region(branch, 0)->first);
    none = builder_in(g, hd_op_region(branch, 1)->first);
    hd_build_yield(&none, body->args + 1, parts);
    code = &some;
  }
  g->b = code;
  g->lanes = 0;
  g->mask = g->whole = NULL;
  hd_element *each = hd_generator_array(g, hd_element, given), *one = hd_generator_array(g, hd_element, count);
  for (uint32_t i = 0; i < given; ++i) {
    hd_value *from[2] = {arguments[i].re, arguments[i].im}, *to[2] = {NULL};
    for (uint32_t p = 0; p < 2 && from[p]; ++p)
      to[p] = hd_type_is(from[p]->type, HD_TYPE_VECTOR)
                  ? hd_emit_at_lane(code, HD_OP_vector_extract, hd_type_element(from[p]->type),
                                    (hd_value *[]){from[p], lane}, 2)
                  : from[p];
    each[i] = (hd_element){to[0], to[1]};
  }
  bool ok = emit_region(g, op, index, each, one);
  if (ok) {
    hd_flatten_elements(one, count, made);
    for (uint32_t i = 0; i < parts; ++i)
      made[i] = hd_emit_at_lane(code, HD_OP_vector_insert, results[i]->type,
                                (hd_value *[]){made[i], body->args[1 + i], lane}, 3);
    hd_build_yield(code, made, parts);
    for (uint32_t i = 0; branch && i < parts; ++i) made[i] = hd_result(branch, i);
    if (branch) hd_build_yield(&in, made, parts);
  }
  g->b = outer;
  g->lanes = lanes;
  g->mask = mask;
  g->whole = whole;
  unflatten_results(g, loop, count, elements, out);
  return ok;
}

bool hd_generate_region(hd_generator *g, hd_op *op, uint32_t r, const hd_element *arguments, hd_element *out) {
  return g->lanes && has_loop(hd_op_region(op, r)) ? emit_by_lane(g, op, r, arguments, out)
                                                   : emit_region(g, op, r, arguments, out);
}

bool hd_generate_map(hd_generator *g, hd_op *op, const hd_index_tuple *index, hd_element *out) {
  uint32_t count = hd_buffer_input_count(op) - hd_buffer_capture_count(op);
  hd_element *arguments = hd_new_array(g->arena, hd_element, count + 1);
  for (uint32_t i = 0; i < count; ++i)
    if (!hd_generate(g, hd_operand(op, i), index, &arguments[i])) return false;
  return hd_generate_region(g, op, 0, arguments, out);
}
