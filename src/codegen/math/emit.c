/* SPDX-License-Identifier: Apache-2.0 */
/* emit.h on hd_builder. */
#include "codegen/math/emitter.h"
#include "codegen/widen.h"
#include "ir/number.h"
#include "ir/ops/arith.h"

static const hd_opcode opcodes[MATH_PRIMITIVE_COUNT] = {
#define X(name, opcode) [MATH_##name] = HD_OP_##opcode,
    MATH_PRIMITIVES(X)
#undef X
};

void hd_math_emitter_init(E *e, hd_builder *b, hd_type type) {
  hd_context *context = b->context;
  *e = (E){.b = b, .is64 = hd_type_is_float(hd_type_element(type), HD_F64)};
  hd_type elements[] = {
      [MATH_F] = hd_type_element(type),
      [MATH_I] = hd_type_integer(context, e->is64 ? 64 : 32, HD_SIGNLESS),
      [MATH_B] = hd_type_integer(context, 1, HD_SIGNLESS),
      [MATH_W] = hd_type_integer(context, 64, HD_SIGNLESS),
      [MATH_S] = hd_type_integer(context, 1, HD_SIGNLESS),
  };
  for (int i = 0; i <= MATH_S; ++i)
    e->types[i] = hd_type_is_shaped(type) && i != MATH_S ? hd_type_with_element(type, elements[i]) : elements[i];
}

bool hd_math_is64(const E *e) { return e->is64; }

V hd_math_prim(E *e, math_primitive op, math_type type, V a, V b, V c) {
  hd_value *operands[] = {a, b, c};
  return hd_build_one_(e->b, opcodes[op], e->types[type], operands, c ? 3 : b ? 2 : 1, NULL, 0);
}

V hd_math_compare(E *e, math_predicate predicate, V a, V b) {
  static const hd_enum_arith_cmpf_predicate floats[] = {
      [MATH_EQ] = HD_ARITH_CMPF_OEQ,  [MATH_NE] = HD_ARITH_CMPF_UNE, [MATH_LT] = HD_ARITH_CMPF_OLT,
      [MATH_LE] = HD_ARITH_CMPF_OLE,  [MATH_GT] = HD_ARITH_CMPF_OGT, [MATH_GE] = HD_ARITH_CMPF_OGE,
      [MATH_UNO] = HD_ARITH_CMPF_UNO,
  };
  static const hd_enum_arith_cmpi_predicate integers[] = {
      [MATH_IEQ] = HD_ARITH_CMPI_EQ,   [MATH_INE] = HD_ARITH_CMPI_NE,   [MATH_ILT] = HD_ARITH_CMPI_SLT,
      [MATH_IGT] = HD_ARITH_CMPI_SGT,  [MATH_IGE] = HD_ARITH_CMPI_SGE,  [MATH_IULT] = HD_ARITH_CMPI_ULT,
      [MATH_IULE] = HD_ARITH_CMPI_ULE, [MATH_IUGT] = HD_ARITH_CMPI_UGT,
  };
  if (predicate < MATH_IEQ) return hd_arith_cmpf(e->b, floats[predicate], a, b);
  return hd_arith_cmpi(e->b, integers[predicate], a, b);
}

V hd_math_const_float(E *e, double value) { return hd_build_float(e->b, e->types[MATH_F], value); }

V hd_math_const_int(E *e, math_type type, uint64_t value) {
  hd_type element = hd_type_element(e->types[type]);
  return hd_build_int(e->b, e->types[type], hd_integer_wrap(element, (int64_t)value));
}

bool hd_math_is_splat(V value, double *out) {
  hd_op *op = hd_value_op(value);
  if (op && hd_op_is(op, HD_OP_arith_extf)) op = hd_value_op(hd_operand(op, 0));
  hd_attr attr = op ? hd_value_constant(hd_result(op, 0)) : NULL;
  if (hd_attr_is(attr, HD_ATTR_FLOAT)) {
    *out = attr->floating.value;
    return true;
  }
  if (!hd_attr_is(attr, HD_ATTR_DENSE) || !attr->dense.splat || hd_type_element(attr->type)->kind != HD_TYPE_FLOAT)
    return false;
  hd_type element = hd_type_element(attr->type);
  *out = hd_float_decode(element->float_kind, (uint64_t)hd_element_load(element, hd_attr_element_data(attr, 0)));
  return true;
}

/* An i1: is any of |lanes| true? */
static V any_lane(E *e, V lanes) {
  if (!hd_type_is_shaped(lanes->type)) return lanes;
  if (hd_type_rank(lanes->type) != 1) {
    int64_t count = hd_type_num_elements(lanes->type);
    hd_type flat = hd_type_vector(hd_type_element(lanes->type), &count, 1, NULL);
    lanes = hd_build(e->b, HD_OP_vector_shape_cast, flat, lanes);
  }
  hd_attr_arg kind = {HD_NAME_kind, hd_attr_of_vector_kind(e->b->context, HD_VECTOR_KIND_OR)};
  return hd_build_one_(e->b, HD_OP_vector_reduction, e->types[MATH_S], &lanes, 1, &kind, 1);
}

enum { MAX_STATE = 8 };

static hd_builder builder_in(hd_builder *outer, hd_block *block) {
  hd_builder b = hd_builder_at_end(outer->module, block);
  b.loc = outer->loc;
  return b;
}

static void if_any(E *e, V lanes, void (*then)(E *e, math_body body, const V *args, size_t count, V *results),
                   math_body body, const V *args, size_t count, V *results) {
  hd_builder *outer = e->b;
  hd_type types[MAX_STATE];
  V inner[MAX_STATE];
  HD_ASSERT(count <= MAX_STATE);
  for (size_t i = 0; i < count; ++i) types[i] = args[i]->type;
  hd_op *op = hd_build_if(outer, any_lane(e, lanes), types, count, true);
  hd_builder b = builder_in(outer, hd_op_region(op, 0)->first);
  e->b = &b;
  then(e, body, args, count, inner);
  hd_build_yield(&b, inner, count);
  b = builder_in(outer, hd_op_region(op, 1)->first);
  hd_build_yield(&b, args, count);
  e->b = outer;
  for (size_t i = 0; i < count; ++i) results[i] = hd_result(op, (uint32_t)i);
}

static void whole(E *e, math_body body, const V *args, size_t count, V *results) {
  (void)count;
  body(e, args, results);
}

/* for lane: results[lane] = body(args[lane]) */
static void lane_by_lane(E *e, math_body body, const V *args, size_t count, V *results) {
  hd_builder *outer = e->b;
  hd_value *lanes = hd_build_index(outer, hd_type_dim(args[0]->type, 0));
  hd_op *loop = hd_build_for(outer, hd_build_index(outer, 0), lanes, hd_build_index(outer, 1), args, count);
  hd_block *block = hd_op_region(loop, 0)->first;
  hd_builder b = builder_in(outer, block);
  E scalar;
  hd_math_emitter_init(&scalar, &b, hd_type_element(e->types[MATH_F]));
  V in[MAX_STATE], out[MAX_STATE], next[MAX_STATE];
  for (size_t i = 0; i < count; ++i)
    in[i] =
        hd_emit_at_lane(&b, HD_OP_vector_extract, hd_type_element(args[i]->type), (V[]){args[i], block->args[0]}, 2);
  body(&scalar, in, out);
  for (size_t i = 0; i < count; ++i)
    next[i] =
        hd_emit_at_lane(&b, HD_OP_vector_insert, args[i]->type, (V[]){out[i], block->args[i + 1], block->args[0]}, 3);
  hd_build_yield(&b, next, count);
  for (size_t i = 0; i < count; ++i) results[i] = hd_result(loop, (uint32_t)i);
}

void hd_math_if_any(E *e, V lanes, math_body body, const V *args, size_t count, V *results) {
  if_any(e, lanes, whole, body, args, count, results);
}

void hd_math_if_any_each(E *e, V lanes, math_body body, const V *args, size_t count, V *results) {
  hd_type type = lanes->type;
  bool loops = hd_type_is_shaped(type) && hd_type_rank(type) == 1 && !type->shaped.scalable;
  if_any(e, lanes, loops ? lane_by_lane : whole, body, args, count, results);
}

void hd_math_while_any(E *e, math_condition condition, math_body body, V *values, size_t state, size_t count) {
  hd_builder *outer = e->b;
  hd_type types[MAX_STATE];
  V inner[MAX_STATE], next[MAX_STATE];
  HD_ASSERT(count <= MAX_STATE);
  for (size_t i = 0; i < state; ++i) types[i] = values[i]->type;
  hd_op *loop = hd_build_op(outer, HD_OP_scf_while, values, state, types, state, NULL, 0, 2);
  for (uint32_t region = 0; region < 2; ++region) { /* the condition, then the body, each with its own arguments */
    hd_block *block = hd_block_create(outer->module);
    for (size_t i = 0; i < count; ++i)
      inner[i] = i < state ? hd_block_add_arg(outer->module, block, types[i]) : values[i];
    hd_region_append(hd_op_region(loop, region), block);
    hd_builder b = hd_builder_at_end(outer->module, block);
    b.loc = outer->loc;
    e->b = &b;
    if (region == 0) {
      V operands[MAX_STATE + 1] = {any_lane(e, condition(e, inner))};
      for (size_t i = 0; i < state; ++i) operands[i + 1] = inner[i];
      hd_build_op(&b, HD_OP_scf_condition, operands, state + 1, NULL, 0, NULL, 0, 0);
    } else {
      body(e, inner, next);
      hd_build_yield(&b, next, state);
    }
  }
  e->b = outer;
  for (size_t i = 0; i < state; ++i) values[i] = hd_result(loop, (uint32_t)i);
}
