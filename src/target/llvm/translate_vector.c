/* SPDX-License-Identifier: Apache-2.0 */
/* vector ops that compute: masks, steps, bit casts, reductions, outer products; instructions of x86vector. */
#include "heddle/cpu.h"
#include "ir/ops/vector.h"
#include "target/llvm/translate.h"

/* 0, 1, 2, .. of |width| bits */
static LLVMValueRef step_constant(hd_lower *l, unsigned width, uint32_t lanes) {
  LLVMTypeRef type = LLVMIntTypeInContext(l->context, width);
  LLVMValueRef *items = hd_new_array(l->arena, LLVMValueRef, lanes);
  for (uint32_t i = 0; i < lanes; ++i) items[i] = LLVMConstInt(type, width < 64 ? i & ((1ull << width) - 1) : i, false);
  return LLVMConstVector(items, lanes);
}

static bool lower_step(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  LLVMTypeRef type = hd_lower_part_type(l, op, hd_result_type(op, 0), 0);
  if (!type) return false;
  return hd_lower_result(l, op, step_constant(l, LLVMGetIntTypeWidth(hd_lower_scalar(type)), hd_lower_lanes(type)));
}

/* i < bound for lane i, in lanes as narrow as one register of the machine wants. */
static LLVMValueRef prefix_mask(hd_lower *l, LLVMValueRef bound, uint32_t lanes) {
  LLVMBuilderRef b = l->builder;
  unsigned width = lanes <= 16 ? 32 : lanes <= 32 ? 16 : lanes <= 127 ? 8 : 32;
  LLVMValueRef zero = hd_lower_i64(l, 0), all = hd_lower_i64(l, lanes);
  bound = hd_lower_extreme(l, LLVMIntSLT, "llvm.smin", bound, all);
  bound = hd_lower_extreme(l, LLVMIntSGT, "llvm.smax", bound, zero);
  LLVMValueRef narrow = LLVMBuildTrunc(b, bound, LLVMIntTypeInContext(l->context, width), "");
  /* Signed: both sides are small, and AVX2 compares signed only. */
  return LLVMBuildICmp(b, LLVMIntSGT, hd_lower_splat(l, narrow, lanes), step_constant(l, width, lanes), "");
}

/* Lane (i, j, ..) is i < bound0 && j < bound1 && .. */
static bool lower_create_mask(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type type = hd_result_type(op, 0);
  uint32_t count = hd_lower_part_count(l, op, type), rank = type->shaped.rank;
  LLVMTypeRef part = count ? hd_lower_part_type(l, op, type, 0) : NULL;
  hd_attr sizes = self->code ? hd_vector_constant_mask_mask_dim_sizes(op) : NULL;
  if (!part) return false;
  if (self->code ? !sizes || hd_attr_count(sizes) != rank : op->operand_count != rank)
    return hd_lower_fail(l, op, "expected one bound per dim");
  LLVMValueRef *bounds = hd_new_array(l->arena, LLVMValueRef, rank + 1);
  for (uint32_t i = 0; i < rank; ++i)
    bounds[i] = sizes ? hd_lower_i64(l, hd_attr_int_at(sizes, i)) : hd_lower_operand(l, op, i);
  uint32_t lanes = hd_lower_lanes(part);
  LLVMValueRef row = rank ? prefix_mask(l, bounds[rank - 1], lanes) : LLVMConstAllOnes(part),
               none = LLVMConstNull(part);
  hd_parts *out = hd_lower_new_parts(l, count);
  for (uint32_t p = 0; p < count; ++p) {
    uint32_t rest = p;
    out->at[p] = row;
    for (uint32_t d = rank > 1 ? rank - 1 : 0; d-- > 0;) {
      uint32_t at = rest % (uint32_t)type->shaped.dims[d];
      rest /= (uint32_t)type->shaped.dims[d];
      LLVMValueRef inside = LLVMBuildICmp(l->builder, LLVMIntSGT, bounds[d], hd_lower_i64(l, at), "");
      out->at[p] = LLVMBuildSelect(l->builder, inside, out->at[p], none, "");
    }
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_bitcast(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type type = hd_result_type(op, 0);
  hd_parts *parts = hd_lower_parts(l, hd_operand(op, 0));
  hd_parts *out = hd_lower_new_parts(l, parts->count);
  if (hd_lower_part_count(l, op, type) != parts->count) return hd_lower_fail(l, op, "changes a leading dim");
  hd_type elements[] = {type->shaped.element, hd_operand_type(op, 0)->shaped.element};
  for (int i = 0; i < 2; ++i)
    if (elements[i]->kind == HD_TYPE_FLOAT && hd_type_bits(elements[i]) < 8)
      return hd_lower_fail(l, op, "is not made for floats below 8 bits");
  for (uint32_t p = 0; p < parts->count; ++p) {
    LLVMTypeRef to = hd_lower_part_type(l, op, type, p), from = LLVMTypeOf(parts->at[p]);
    if (!to) return false;
    unsigned to_bits = hd_type_bits(elements[0]) * hd_lower_lanes(to),
             from_bits = hd_type_bits(elements[1]) * hd_lower_lanes(from);
    if (elements[0]->kind == HD_TYPE_INDEX) to_bits = 64 * hd_lower_lanes(to);
    if (elements[1]->kind == HD_TYPE_INDEX) from_bits = 64 * hd_lower_lanes(from);
    if (to_bits != from_bits) return hd_lower_fail(l, op, "changes the number of bits");
    out->at[p] = LLVMBuildBitCast(l->builder, parts->at[p], to, "");
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* Reductions */

typedef struct kind_row {
  hd_enum_vector_kind kind;
  LLVMOpcode opcode;     /* 0: the intrinsic */
  const char *intrinsic; /* of two values */
  const char *reduce;    /* of one vector; integers alone */
  bool is_float;
  int extremum; /* -1: minimum, 1: maximum */
} kind_row;

static const kind_row kinds[] = {
    {HD_VECTOR_KIND_ADD, LLVMAdd, NULL, "llvm.vector.reduce.add", false},
    {HD_VECTOR_KIND_MUL, LLVMMul, NULL, "llvm.vector.reduce.mul", false},
    {HD_VECTOR_KIND_AND, LLVMAnd, NULL, "llvm.vector.reduce.and", false},
    {HD_VECTOR_KIND_OR, LLVMOr, NULL, "llvm.vector.reduce.or", false},
    {HD_VECTOR_KIND_XOR, LLVMXor, NULL, "llvm.vector.reduce.xor", false},
    {HD_VECTOR_KIND_MINSI, 0, "llvm.smin", "llvm.vector.reduce.smin", false},
    {HD_VECTOR_KIND_MAXSI, 0, "llvm.smax", "llvm.vector.reduce.smax", false},
    {HD_VECTOR_KIND_MINUI, 0, "llvm.umin", "llvm.vector.reduce.umin", false},
    {HD_VECTOR_KIND_MAXUI, 0, "llvm.umax", "llvm.vector.reduce.umax", false},
    {HD_VECTOR_KIND_ADD, LLVMFAdd, NULL, NULL, true},
    {HD_VECTOR_KIND_MUL, LLVMFMul, NULL, NULL, true},
    {HD_VECTOR_KIND_MINIMUMF, 0, NULL, NULL, true, -1},
    {HD_VECTOR_KIND_MAXIMUMF, 0, NULL, NULL, true, 1},
    {HD_VECTOR_KIND_MINNUMF, 0, "llvm.minnum", NULL, true},
    {HD_VECTOR_KIND_MAXNUMF, 0, "llvm.maxnum", NULL, true},
};

static const kind_row *find_kind(hd_enum_vector_kind kind, bool is_float) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (kinds[i].is_float == is_float && kinds[i].kind == kind) return &kinds[i];
  return NULL;
}

static LLVMValueRef combine(hd_lower *l, const kind_row *kind, LLVMFastMathFlags flags, LLVMValueRef a,
                            LLVMValueRef b) {
  if (kind->extremum) return hd_lower_extremum(l, kind->extremum > 0, a, b, flags);
  LLVMValueRef value = kind->opcode ? LLVMBuildBinOp(l->builder, kind->opcode, a, b, "")
                                    : hd_lower_intrinsic1(l, kind->intrinsic, LLVMTypeOf(a), a, b, NULL);
  return kind->is_float ? hd_lower_flagged(value, flags) : value;
}

static LLVMValueRef lane_of(hd_lower *l, LLVMValueRef vector, uint32_t i) {
  return LLVMBuildExtractElement(l->builder, vector, hd_lower_i64(l, i), "");
}

/* The maximum or minimum of a vector by one integer instruction a level: keys that are in the order of the numbers, -0
 * before +0, and a NaN at the end that wins. Null: the machine has no such instruction. */
static LLVMValueRef reduce_keys(hd_lower *l, bool is_max, LLVMValueRef x) {
  LLVMTypeRef floats = LLVMTypeOf(x), scalar = hd_lower_scalar(floats), ints, one;
  LLVMBuilderRef b = l->builder;
  bool wide = scalar == l->f64;
  if (hd_lower_lanes(floats) < 4 || (scalar != l->f32 && !(wide && l->target->vector_bits >= 512))) return NULL;
  one = wide ? l->i64 : l->i32;
  ints = hd_lower_like(floats, one);
  uint64_t most = wide ? INT64_MAX : INT32_MAX;
  LLVMValueRef bits = LLVMBuildBitCast(b, x, ints, ""), shift = hd_lower_int(ints, wide ? 63 : 31);
  LLVMValueRef flip = LLVMBuildAnd(b, LLVMBuildAShr(b, bits, shift, ""), hd_lower_int(ints, most), "");
  LLVMValueRef end = hd_lower_int(ints, is_max ? most : most + 1);
  LLVMValueRef keys =
      LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealUNO, x, x, ""), end, LLVMBuildXor(b, bits, flip, ""), "");
  LLVMValueRef key =
      hd_lower_intrinsic1(l, is_max ? "llvm.vector.reduce.smax" : "llvm.vector.reduce.smin", ints, keys, NULL, NULL);
  flip = LLVMBuildAnd(b, LLVMBuildAShr(b, key, hd_lower_int(one, wide ? 63 : 31), ""), hd_lower_int(one, most), "");
  return LLVMBuildBitCast(b, LLVMBuildXor(b, key, flip, ""), scalar, "");
}

/* Floats: with reassoc a tree of halves, the same on every machine; without it in the order of the lanes, as MLIR says.
 */
static LLVMValueRef reduce_vector(hd_lower *l, const kind_row *kind, LLVMFastMathFlags flags, LLVMValueRef acc,
                                  LLVMValueRef x) {
  uint32_t lanes = hd_lower_lanes(LLVMTypeOf(x));
  bool ordered = (kind->opcode == LLVMFAdd || kind->opcode == LLVMFMul) && !(flags & LLVMFastMathAllowReassoc);
  /* The tree is written out: the flag must not let LLVM choose another one. */
  flags &= ~(LLVMFastMathFlags)LLVMFastMathAllowReassoc;
  if (!kind->is_float) {
    LLVMValueRef value = hd_lower_intrinsic1(l, kind->reduce, LLVMTypeOf(x), x, NULL, NULL);
    return acc ? combine(l, kind, flags, acc, value) : value;
  }
  if (kind->extremum && !(flags & LLVMFastMathNoSignedZeros)) {
    LLVMValueRef value = reduce_keys(l, kind->extremum > 0, x);
    if (value) return acc ? combine(l, kind, flags, acc, value) : value;
  }
  LLVMValueRef *mask = hd_new_array(l->arena, LLVMValueRef, lanes);
  while (!ordered && lanes > 1 && lanes % 2 == 0) {
    LLVMValueRef halves[2], poison = LLVMGetPoison(LLVMTypeOf(x));
    for (uint32_t h = 0; h < 2; ++h) {
      for (uint32_t i = 0; i < lanes / 2; ++i) mask[i] = LLVMConstInt(l->i32, h * (lanes / 2) + i, false);
      halves[h] = LLVMBuildShuffleVector(l->builder, x, poison, LLVMConstVector(mask, lanes / 2), "");
    }
    x = combine(l, kind, flags, halves[0], halves[1]);
    lanes /= 2;
  }
  LLVMValueRef value = ordered ? acc : NULL;
  for (uint32_t i = 0; i < lanes; ++i)
    value = value ? combine(l, kind, flags, value, lane_of(l, x, i)) : lane_of(l, x, i);
  return !ordered && acc ? combine(l, kind, flags, acc, value) : value;
}

static bool lower_reduction(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type element = hd_type_element(hd_operand_type(op, 0));
  const kind_row *kind = find_kind(hd_vector_reduction_kind(op), element->kind == HD_TYPE_FLOAT);
  if (!kind) return hd_lower_fail(l, op, "has a kind that its elements do not fit");
  hd_parts *parts = hd_lower_parts(l, hd_operand(op, 0));
  if (parts->count != 1) return hd_lower_fail(l, op, "expected a vector of rank 1");
  bool emulated = hd_float_is_emulated(element);
  LLVMValueRef acc = op->operand_count > 1 ? hd_lower_operand(l, op, 1) : NULL, x = parts->at[0];
  if (emulated) {
    x = hd_lower_widen(l, element->float_kind, x);
    if (acc) acc = hd_lower_widen(l, element->float_kind, acc);
  }
  LLVMValueRef value = reduce_vector(l, kind, hd_lower_flags(op), acc, x);
  return hd_lower_result(l, op, emulated ? hd_lower_narrow(l, element->float_kind, value) : value);
}

/* Rank 2: along dim 0 rows meet lane by lane, along dim 1 each row is reduced. */
static bool lower_multi_reduction(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type type = hd_operand_type(op, 0), element = hd_type_element(type), out_type = hd_result_type(op, 0);
  hd_attr dims = hd_vector_multi_reduction_reduction_dims(op);
  const kind_row *kind = find_kind(hd_vector_multi_reduction_kind(op), element->kind == HD_TYPE_FLOAT);
  size_t count = dims ? hd_attr_count(dims) : 0;
  uint32_t rank = type->shaped.rank;
  if (!kind || hd_float_is_emulated(element) || rank == 0 || rank > 2 || count == 0 || count > rank)
    return hd_lower_fail(l, op, "is made for vectors of rank 1 and 2, of integers, f32 or f64");
  hd_parts *x = hd_lower_parts(l, hd_operand(op, 0)), *acc = hd_lower_parts(l, hd_operand(op, 1));
  LLVMFastMathFlags flags = hd_lower_flags(op) | LLVMFastMathAllowReassoc;
  if (count == 1 && rank == 2 && hd_attr_int_at(dims, 0) == 0) {
    hd_parts *out = hd_lower_new_parts(l, 1);
    out->at[0] = acc->at[0];
    for (uint32_t p = 0; p < x->count; ++p)
      out->at[0] = combine(l, kind, flags & ~(unsigned)LLVMFastMathAllowReassoc, out->at[0], x->at[p]);
    hd_lower_set(l, hd_result(op, 0), out);
    return true;
  }
  if (count == rank) {
    LLVMValueRef value = acc->at[0];
    for (uint32_t p = 0; p < x->count; ++p) value = reduce_vector(l, kind, flags, value, x->at[p]);
    return hd_lower_result(l, op, value);
  }
  LLVMTypeRef result = hd_lower_part_type(l, op, out_type, 0);
  if (!result || hd_lower_lanes(result) != x->count) return hd_lower_fail(l, op, "expected one result lane per row");
  LLVMValueRef out = LLVMGetPoison(result);
  for (uint32_t p = 0; p < x->count; ++p) {
    LLVMValueRef value = reduce_vector(l, kind, flags, lane_of(l, acc->at[0], p), x->at[p]);
    out = LLVMBuildInsertElement(l->builder, out, value, hd_lower_i64(l, p), "");
  }
  return hd_lower_result(l, op, out);
}

/* row i of the result = lhs[i] * rhs + acc[i], fused for floats */
static bool lower_outer_product(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type element = hd_type_element(hd_operand_type(op, 0)), rhs_type = hd_operand_type(op, 1);
  bool is_float = element->kind == HD_TYPE_FLOAT;
  if (hd_vector_outerproduct_kind(op) != HD_VECTOR_KIND_ADD || hd_float_is_emulated(element) ||
      rhs_type->kind != HD_TYPE_VECTOR)
    return hd_lower_fail(l, op, "is made for two vectors of integers, f32 or f64, added");
  LLVMValueRef lhs = hd_lower_operand(l, op, 0), rhs = hd_lower_operand(l, op, 1);
  hd_parts *acc = op->operand_count > 2 ? hd_lower_parts(l, hd_operand(op, 2)) : NULL;
  hd_parts *out = hd_lower_new_parts(l, hd_lower_lanes(LLVMTypeOf(lhs)));
  for (uint32_t p = 0; p < out->count; ++p) {
    LLVMValueRef x = hd_lower_splat(l, lane_of(l, lhs, p), hd_lower_lanes(LLVMTypeOf(rhs)));
    if (is_float && acc)
      out->at[p] = hd_lower_intrinsic1(l, "llvm.fma", LLVMTypeOf(x), x, rhs, acc->at[p]);
    else if (is_float)
      out->at[p] = LLVMBuildFMul(l->builder, x, rhs, "");
    else
      out->at[p] = LLVMBuildMul(l->builder, x, rhs, "");
    if (!is_float && acc) out->at[p] = LLVMBuildAdd(l->builder, out->at[p], acc->at[p], "");
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_avx512_dot(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  const uint64_t needed = HD_CPU_AVX512BF16 | HD_CPU_AVX512VL;
  if (l->host || (l->target->features & needed) != needed)
    return hd_lower_fail(l, op, "is for kernels of a CPU with avx512bf16");
  LLVMValueRef args[3];
  for (uint32_t i = 0; i < 3; ++i) args[i] = hd_lower_operand(l, op, i);
  uint32_t lanes = hd_lower_lanes(LLVMTypeOf(args[0]));
  LLVMTypeRef pairs = LLVMVectorType(LLVMBFloatTypeInContext(l->context), 2 * lanes);
  for (uint32_t i = 1; i < 3; ++i) args[i] = LLVMBuildBitCast(l->builder, args[i], pairs, "");
  const char *name = lanes == 16  ? "llvm.x86.avx512bf16.dpbf16ps.512"
                     : lanes == 8 ? "llvm.x86.avx512bf16.dpbf16ps.256"
                                  : "llvm.x86.avx512bf16.dpbf16ps.128";
  return hd_lower_result(l, op, hd_lower_intrinsic(l, name, NULL, 0, args, 3));
}

const hd_handler hd_handlers_vector[] = {
    {"vector.step", lower_step, 0, NULL},
    {"vector.create_mask", lower_create_mask, 0, NULL},
    {"vector.constant_mask", lower_create_mask, 1, NULL},
    {"vector.bitcast", lower_bitcast, 0, NULL},
    {"vector.reduction", lower_reduction, 0, NULL},
    {"vector.multi_reduction", lower_multi_reduction, 0, NULL},
    {"vector.outerproduct", lower_outer_product, 0, NULL},
    {"x86vector.avx512.dot", lower_avx512_dot, 0, NULL},
    {NULL, NULL, 0, NULL},
};
