/* SPDX-License-Identifier: Apache-2.0 */
/* The callee side of bf16-to-gpu: a gpu.module on elements of i16.
 *
 *   %2 = memref.load %a[%i] : memref<8xbf16>       %2 = memref.load %a[%i] : memref<8xi16>
 *   %3 = arith.addf %2, %2 : bf16             ->   %3 = arith.bitcast %2 : i16 to bf16
 *   memref.store %3, %a[%i]                        %4 = arith.extf %3 : bf16 to f32
 *                                                  ...
 *                                                  %7 = arith.addf %4, %6 : f32
 *                                                  %8 = arith.truncf %7 : f32 to bf16
 *                                                  %9 = arith.bitcast %8 : bf16 to i16
 *                                                  memref.store %9, %a[%i] : memref<8xi16>
 *
 * What computes (hd_computes_on_elements) is widened and rounded; what only moves elements gets other
 * types, so that the bits of NaNs stay. Values of narrow type are listed first, with the operands that are
 * to be widened, since types change under way. */
#include "ir/ops/arith.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/memref.h"
#include "passes/gpu/bf16_to_gpu.h"

typedef struct narrow_operand {
  hd_op *op;
  uint32_t index;
  hd_type type;
} narrow_operand;

typedef struct kernels {
  hd_pass *pass;
  const hd_stored_element *element;
  hd_vec(hd_value *) moved;        /* get their stored form */
  hd_vec(narrow_operand) operands; /* of ops that compute */
  hd_vec(narrow_operand) results;
  hd_vec(hd_op *) atomics;
} kernels;

bool hd_holds_narrow(const hd_stored_element *element, hd_type type) {
  if (type == element->narrow) return true;
  if (hd_type_is_shaped(type) || type->kind == HD_TYPE_COMPLEX) return hd_holds_narrow(element, type->shaped.element);
  bool holds = false;
  if (type->kind == HD_TYPE_FUNCTION || type->kind == HD_TYPE_TUPLE) {
    for (uint32_t i = 0; i < type->function.in_count && !holds; ++i)
      holds = hd_holds_narrow(element, type->function.ins[i]);
    for (uint32_t i = 0; type->kind == HD_TYPE_FUNCTION && i < type->function.out_count && !holds; ++i)
      holds = hd_holds_narrow(element, type->function.outs[i]);
  }
  for (uint32_t i = 0; type->kind == HD_TYPE_DIALECT && i < type->dialect.param_count && !holds; ++i)
    holds = hd_attr_is(type->dialect.params[i], HD_ATTR_TYPE) &&
            hd_holds_narrow(element, type->dialect.params[i]->type_value);
  return holds;
}

/* ---- what is there ---- */

static bool list_value(kernels *k, hd_op *op, hd_value *value, const char *what) {
  if (!hd_holds_narrow(k->element, value->type)) return true;
  if (hd_holds_narrow(k->element, hd_stored_form(k->element, value->type)) || value->type->kind == HD_TYPE_TENSOR)
    return hd_op_error(op, "has %s with bf16 in a type that has no form of i16", what);
  hd_vec_push(&k->pass->arena, &k->moved, value);
  return true;
}

/* Dialects whose ops say nothing about what elements mean, but where they compute. */
static bool is_known(const hd_op *op) {
  static const char *const dialects[] = {"arith.", "math.", "vector.", "memref.", "gpu.",
                                         "scf.",   "cf.",   "func.",   "affine.", "ub."};
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; ++i)
    if (hd_str_starts(hd_ident_str(op->name), dialects[i])) return true;
  return false;
}

static bool is_atomic_sum(const hd_op *op) {
  return hd_op_is(op, HD_OP_memref_atomic_rmw) && hd_memref_atomic_rmw_kind(op) != HD_ARITH_ATOMIC_RMW_KIND_ASSIGN;
}

static bool list_op(hd_op *op, void *user) {
  kernels *k = user;
  bool narrow = false, computes = hd_computes_on_elements(op);
  for (uint32_t r = 0; r < op->region_count; ++r)
    for (hd_block *block = hd_op_region(op, r)->first; block; block = block->next)
      for (uint32_t i = 0; i < block->arg_count; ++i)
        if (!list_value(k, op, block->args[i], "an argument")) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_type type = hd_operand_type(op, i);
    if (!hd_holds_narrow(k->element, type)) continue;
    narrow = true;
    if (computes && type->kind != HD_TYPE_MEMREF)
      hd_vec_push(&k->pass->arena, &k->operands, ((narrow_operand){op, i, type}));
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type type = hd_result_type(op, i);
    if (!hd_holds_narrow(k->element, type)) continue;
    narrow = true;
    if (!computes || type->kind == HD_TYPE_MEMREF) {
      if (!list_value(k, op, hd_result(op, i), "a result")) return false;
    } else {
      hd_vec_push(&k->pass->arena, &k->results, ((narrow_operand){op, i, type}));
    }
  }
  bool combines = computes && op->region_count && hd_op_region(op, 0)->first;
  bool is_masked =
      computes && hd_op_is(hd_op_parent(op), HD_OP_vector_mask); /* a mask is of one op, not of conversions */
  if (narrow && (combines || is_masked || !is_known(op)))
    return hd_op_error(op, "has no form on bf16 that is kept as i16");
  if (narrow && is_atomic_sum(op)) hd_vec_push(&k->pass->arena, &k->atomics, op);
  bool is_declared = hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE)) && op->region_count && !hd_op_region(op, 0)->first;
  hd_attr type = is_declared ? hd_function_like_function_type(op) : NULL;
  if (type && hd_holds_narrow(k->element, type->type_value))
    return hd_op_error(op, "takes bf16 and is defined elsewhere, expected its body");
  return true;
}

/* ---- attributes ---- */

static hd_type stored_signature(kernels *k, hd_type type) {
  if (type->kind != HD_TYPE_FUNCTION) return hd_stored_form(k->element, type);
  uint32_t in_count = type->function.in_count, out_count = type->function.out_count;
  hd_type *types = hd_new_array(&k->pass->arena, hd_type, in_count + out_count + 1);
  for (uint32_t i = 0; i < in_count; ++i) types[i] = hd_stored_form(k->element, type->function.ins[i]);
  for (uint32_t i = 0; i < out_count; ++i) types[in_count + i] = hd_stored_form(k->element, type->function.outs[i]);
  return hd_type_function(k->pass->context, types, in_count, types + in_count, out_count);
}

/* The same bits; null where |attr| has no bf16. */
static hd_attr stored_attr(kernels *k, hd_attr attr) {
  if (hd_attr_is(attr, HD_ATTR_TYPE))
    return hd_holds_narrow(k->element, attr->type_value) ? hd_attr_type(stored_signature(k, attr->type_value)) : NULL;
  if (hd_attr_is(attr, HD_ATTR_FLOAT) && attr->type == k->element->narrow)
    return hd_attr_integer(k->element->stored, (int16_t)attr->floating.bits);
  if (!hd_attr_is(attr, HD_ATTR_DENSE) || hd_type_element(attr->type) != k->element->narrow) return NULL;
  return hd_attr_dense(hd_type_with_element(attr->type, k->element->stored), attr->dense.data, attr->dense.size,
                       attr->dense.splat);
}

static bool store_attrs(hd_op *op, void *user) {
  kernels *k = user;
  hd_op_attr_list attrs = hd_op_all_attrs(op, &k->pass->arena);
  for (size_t i = 0; i < attrs.len; ++i) {
    hd_attr stored = stored_attr(k, attrs.data[i].value);
    if (stored) hd_op_attr_set_ident(op, attrs.data[i].name, stored);
  }
  return true;
}

/* ---- atomics ---- */

static const struct {
  hd_enum_arith_atomic_rmw_kind kind;
  hd_opcode opcode;
} combiners[] = {{HD_ARITH_ATOMIC_RMW_KIND_ADDF, HD_OP_arith_addf},
                 {HD_ARITH_ATOMIC_RMW_KIND_MULF, HD_OP_arith_mulf},
                 {HD_ARITH_ATOMIC_RMW_KIND_MAXIMUMF, HD_OP_arith_maximumf},
                 {HD_ARITH_ATOMIC_RMW_KIND_MINIMUMF, HD_OP_arith_minimumf},
                 {HD_ARITH_ATOMIC_RMW_KIND_MAXNUMF, HD_OP_arith_maxnumf},
                 {HD_ARITH_ATOMIC_RMW_KIND_MINNUMF, HD_OP_arith_minnumf}};

/* No device adds i16 as bf16: the element is exchanged until nobody came between. */
static bool exchange_until_done(kernels *k, hd_op *op) {
  hd_opcode combine = HD_OP_arith_addf;
  bool found = false;
  for (size_t i = 0; i < sizeof combiners / sizeof *combiners && !found; ++i)
    if ((found = combiners[i].kind == hd_memref_atomic_rmw_kind(op))) combine = combiners[i].opcode;
  if (!found) return hd_op_error(op, "expected an atomic of floats, got another kind");
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value *operands[1 + HD_MAX_RANK]; /* the buffer and its indices */
  if (op->operand_count > 2 + HD_MAX_RANK)
    return hd_op_error(op, "has more indices than expected, at most %d", HD_MAX_RANK);
  hd_value *value = hd_emit_widened(&b, k->element, hd_operand(op, 0), k->element->narrow);
  for (uint32_t i = 1; i < op->operand_count; ++i) operands[i - 1] = hd_operand(op, i);
  hd_op *loop = hd_build_op(&b, HD_OP_memref_generic_atomic_rmw, operands, op->operand_count - 1, &k->element->stored,
                            1, NULL, 0, 1);
  hd_block *body = hd_block_create(k->pass->module);
  hd_region_append(hd_op_region(loop, 0), body);
  hd_value *old = hd_block_add_arg(k->pass->module, body, k->element->stored);
  hd_builder in = hd_builder_at_end(k->pass->module, body);
  in.loc = op->loc;
  hd_value *sum =
      hd_build(&in, combine, k->element->wide, hd_emit_widened(&in, k->element, old, k->element->narrow), value);
  hd_build0(&in, HD_OP_memref_atomic_yield, hd_emit_rounded(&in, k->element, sum));
  hd_op_replace(op, (hd_value *[]){hd_result(loop, 0)});
  return true;
}

/* ---- what is left of it ---- */

static bool is_same_bitcast(const hd_op *op) {
  return hd_op_is(op, HD_OP_arith_bitcast) && hd_operand_type(op, 0) == hd_result_type(op, 0);
}

static bool is_widening(const hd_op *op) { return hd_op_is(op, HD_OP_arith_extf); }

/* f32 -> bf16 -> i16 -> bf16 -> f32 becomes the first. */
static void drop_roundings(kernels *k, hd_op *module) {
  static const hd_opcode chain[] = {HD_OP_arith_bitcast, HD_OP_arith_bitcast, HD_OP_arith_truncf};
  hd_op_list widenings = hd_ops_where(module, is_widening, &k->pass->arena);
  for (size_t i = 0; i < widenings.len; ++i) {
    hd_op *op = widenings.data[i], *at = op;
    for (size_t c = 0; c < 3 && at; ++c) {
      at = hd_value_op(hd_operand(at, 0));
      if (!hd_op_is(at, chain[c])) at = NULL;
    }
    if (at && hd_operand_type(at, 0) == hd_result_type(op, 0)) hd_op_replace(op, (hd_value *[]){hd_operand(at, 0)});
  }
  hd_op_erase_dead_inside(module);
}

bool hd_store_kernels(hd_pass *pass, const hd_stored_element *element, hd_op *module) {
  kernels k = {.pass = pass, .element = element};
  if (!hd_walk_pre(module, list_op, &k)) return false;
  if (!k.results.len && !k.operands.len && !k.moved.len) return true; /* attributes are of it where values are */
  for (size_t i = 0; i < k.results.len; ++i) hd_round_result(element, k.results.data[i].op, k.results.data[i].index);
  for (size_t i = 0; i < k.operands.len; ++i)
    hd_widen_operand(element, k.operands.data[i].op, k.operands.data[i].index, k.operands.data[i].type);
  for (size_t i = 0; i < k.results.len; ++i) hd_round_once(k.results.data[i].op);
  for (size_t i = 0; i < k.moved.len; ++i) k.moved.data[i]->type = hd_stored_form(element, k.moved.data[i]->type);
  hd_walk_pre(module, store_attrs, &k);
  for (size_t i = 0; i < k.atomics.len; ++i)
    if (!exchange_until_done(&k, k.atomics.data[i])) return false;
  hd_op_list same = hd_ops_where(module, is_same_bitcast, &pass->arena);
  for (size_t i = 0; i < same.len; ++i) hd_op_replace(same.data[i], (hd_value *[]){hd_operand(same.data[i], 0)});
  if (hd_option_bool(pass, "excess-precision")) drop_roundings(&k, module);
  return true;
}
