/* SPDX-License-Identifier: Apache-2.0 */
/* Types and values of Heddle's IR as LLVM's: parts, constants, intrinsics, errors. */
#include <stdarg.h>
#include <stdio.h>

#include "codegen/widen.h"
#include "ir/number.h"
#include "ir/ops/interfaces.h"
#include "target/llvm/translate.h"

/* Wider ones cost the code generator more than linear time. */
enum { MAX_VECTOR_BITS = 16384, MAX_LANES = 2048, MAX_PARTS = 512 };

bool hd_lower_fail(hd_lower *l, hd_op *op, const char *format, ...) {
  if (!hd_is_ok(l->status)) return false;
  va_list args;
  va_start(args, format);
  l->status = hd_op_unimplemented(op, format, args);
  va_end(args);
  return false;
}

bool hd_type_is_pointer(hd_type type) {
  if (hd_type_is(type, HD_TYPE_DIALECT)) return type->dialect.row == HD_TYPE_ROW_llvm_ptr;
  return hd_type_is(type, HD_TYPE_OPAQUE) && strcmp(type->opaque.dialect->text, "llvm") == 0 &&
         strncmp(type->opaque.text->text, ".ptr", 4) == 0;
}

bool hd_float_is_emulated(hd_type element) { return element && !hd_is_native(hd_kernel_types(), element); }

LLVMTypeRef hd_lower_element(hd_lower *l, hd_op *op, hd_type element) {
  switch (element->kind) {
    case HD_TYPE_INDEX:
      return l->i64;
    case HD_TYPE_INTEGER:
      switch (element->integer.width) {
        case 1:
        case 2:
        case 4:
        case 6: /* the patterns of f6E2M3FN and f6E3M2FN */
        case 8:
        case 16:
        case 32:
        case 64:
          return LLVMIntTypeInContext(l->context, element->integer.width);
        default:
          break;
      }
      hd_lower_fail(l, op, "has integers of %u bits; expected 1, 2, 4, 6, 8, 16, 32 or 64", element->integer.width);
      return NULL;
    case HD_TYPE_FLOAT:
      switch (element->float_kind) {
        case HD_F64:
          return l->f64;
        case HD_F32:
          return l->f32;
        case HD_F16:
          return l->f16;
        case HD_BF16:
          return l->i16;
        case HD_TF32:
        case HD_F80:
        case HD_F128:
          break;
        default:
          return l->i8;
      }
      break;
    default:
      if (hd_type_is_pointer(element)) return l->ptr;
  }
  hd_lower_fail(l, op, "has a type that has no machine form");
  return NULL;
}

LLVMTypeRef hd_lower_storage(hd_lower *l, hd_op *op, hd_type element) {
  if (element->kind == HD_TYPE_INTEGER && element->integer.width < 8) return l->i8;
  if (element->kind == HD_TYPE_COMPLEX) {
    LLVMTypeRef part = hd_lower_element(l, op, element->shaped.element);
    return part ? LLVMArrayType2(part, 2) : NULL;
  }
  return hd_lower_element(l, op, element);
}

uint32_t hd_lower_part_count(hd_lower *l, hd_op *op, hd_type type) {
  switch (type->kind) {
    case HD_TYPE_VECTOR: {
      uint64_t count = 1;
      for (uint32_t i = 0; i + 1 < type->shaped.rank; ++i) {
        int64_t dim = type->shaped.dims[i];
        if (dim < 1 || dim > MAX_PARTS || (count *= (uint64_t)dim) > MAX_PARTS) {
          hd_lower_fail(l, op, "has a vector of more than %d rows", MAX_PARTS);
          return 0;
        }
      }
      return (uint32_t)count;
    }
    case HD_TYPE_COMPLEX:
      return 2;
    case HD_TYPE_MEMREF:
      return l->host ? 2 + 2 * type->shaped.rank : 1;
    default:
      return 1;
  }
}

LLVMTypeRef hd_lower_part_type(hd_lower *l, hd_op *op, hd_type type, uint32_t part) {
  switch (type->kind) {
    case HD_TYPE_VECTOR: {
      LLVMTypeRef element = hd_lower_element(l, op, type->shaped.element);
      if (!element) return NULL;
      for (uint32_t i = 0; type->shaped.scalable && i < type->shaped.rank; ++i)
        if (type->shaped.scalable[i]) {
          hd_lower_fail(l, op, "has a scalable vector");
          return NULL;
        }
      int64_t lanes = type->shaped.rank ? type->shaped.dims[type->shaped.rank - 1] : 1;
      if (lanes < 1 || lanes > MAX_LANES || lanes * (int64_t)hd_type_bits(type->shaped.element) > MAX_VECTOR_BITS) {
        hd_lower_fail(l, op, "has a vector of %lld lanes; expected 1 to %d bits", (long long)lanes, MAX_VECTOR_BITS);
        return NULL;
      }
      return LLVMVectorType(element, (unsigned)lanes);
    }
    case HD_TYPE_COMPLEX:
      if (hd_type_is_float(type->shaped.element, HD_F32) || hd_type_is_float(type->shaped.element, HD_F64))
        return hd_lower_element(l, op, type->shaped.element);
      hd_lower_fail(l, op, "has complex numbers of other than f32 and f64");
      return NULL;
    case HD_TYPE_MEMREF:
      return part == 0 ? l->ptr : l->i64;
    default:
      return hd_lower_element(l, op, type);
  }
}

uint32_t hd_lower_lanes(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
}
LLVMTypeRef hd_lower_scalar(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}
LLVMTypeRef hd_lower_like(LLVMTypeRef like, LLVMTypeRef scalar) {
  uint32_t lanes = hd_lower_lanes(like);
  return lanes ? LLVMVectorType(scalar, lanes) : scalar;
}

hd_parts *hd_lower_new_parts(hd_lower *l, uint32_t count) {
  hd_parts *parts = hd_arena_zalloc(l->arena, sizeof *parts + count * sizeof(LLVMValueRef));
  parts->count = count;
  return parts;
}

void hd_lower_set(hd_lower *l, hd_value *value, hd_parts *parts) { hd_map_set(l->arena, &l->values, value, parts); }

void hd_lower_set_one(hd_lower *l, hd_value *value, LLVMValueRef part) {
  hd_parts *parts = hd_lower_new_parts(l, 1);
  parts->at[0] = part;
  hd_lower_set(l, value, parts);
}

bool hd_lower_result(hd_lower *l, hd_op *op, LLVMValueRef part) {
  hd_lower_set_one(l, hd_result(op, 0), part);
  return true;
}

hd_parts *hd_lower_parts(hd_lower *l, hd_value *value) { return hd_map_get(&l->values, value); }

LLVMValueRef hd_lower_value(hd_lower *l, hd_value *value) { return hd_lower_parts(l, value)->at[0]; }

LLVMValueRef hd_lower_i64(hd_lower *l, int64_t value) { return LLVMConstInt(l->i64, (uint64_t)value, true); }

static LLVMValueRef splat_constant(LLVMValueRef scalar, uint32_t lanes) {
  LLVMValueRef items[MAX_LANES];
  for (uint32_t i = 0; i < lanes; ++i) items[i] = scalar;
  return LLVMConstVector(items, lanes);
}

LLVMValueRef hd_lower_int(LLVMTypeRef type, uint64_t value) {
  uint32_t lanes = hd_lower_lanes(type);
  LLVMTypeRef scalar = hd_lower_scalar(type);
  unsigned width = LLVMGetIntTypeWidth(scalar);
  if (width < 64) value &= (1ull << width) - 1;
  LLVMValueRef one = LLVMConstInt(scalar, value, false);
  return lanes ? splat_constant(one, lanes) : one;
}

LLVMValueRef hd_lower_float_bits(hd_lower *l, LLVMTypeRef type, uint64_t bits) {
  uint32_t lanes = hd_lower_lanes(type);
  LLVMTypeRef scalar = hd_lower_scalar(type);
  LLVMTypeKind kind = LLVMGetTypeKind(scalar);
  LLVMTypeRef pattern = kind == LLVMHalfTypeKind ? l->i16 : kind == LLVMFloatTypeKind ? l->i32 : l->i64;
  LLVMValueRef one = LLVMConstBitCast(LLVMConstInt(pattern, bits, false), scalar);
  return lanes ? splat_constant(one, lanes) : one;
}

LLVMValueRef hd_lower_constant_element(hd_lower *l, hd_op *op, hd_type element, const void *data) {
  LLVMTypeRef type = hd_lower_element(l, op, element);
  if (!type) return NULL;
  uint64_t bits = (uint64_t)hd_element_load(element, data);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? hd_lower_int(type, bits) : hd_lower_float_bits(l, type, bits);
}

LLVMValueRef hd_lower_splat(hd_lower *l, LLVMValueRef scalar, uint32_t lanes) {
  if (LLVMIsConstant(scalar)) return splat_constant(scalar, lanes);
  LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(scalar), lanes);
  LLVMValueRef poison = LLVMGetPoison(type);
  LLVMValueRef first = LLVMBuildInsertElement(l->builder, poison, scalar, LLVMConstInt(l->i32, 0, false), "");
  return LLVMBuildShuffleVector(l->builder, first, poison, LLVMConstNull(LLVMVectorType(l->i32, lanes)), "");
}

LLVMValueRef hd_lower_intrinsic(hd_lower *l, const char *name, LLVMTypeRef *overloads, size_t overload_count,
                                LLVMValueRef *args, size_t arg_count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(l->module, id, overloads, overload_count);
  LLVMTypeRef type = LLVMIntrinsicGetType(l->context, id, overloads, overload_count);
  return LLVMBuildCall2(l->builder, type, function, args, (unsigned)arg_count, "");
}

LLVMValueRef hd_lower_intrinsic1(hd_lower *l, const char *name, LLVMTypeRef overload, LLVMValueRef a, LLVMValueRef b,
                                 LLVMValueRef c) {
  LLVMValueRef args[] = {a, b, c};
  size_t count = c ? 3 : b ? 2 : a ? 1 : 0;
  return hd_lower_intrinsic(l, name, &overload, overload ? 1 : 0, args, count);
}

LLVMValueRef hd_lower_extreme(hd_lower *l, LLVMIntPredicate is_first, const char *intrinsic, LLVMValueRef a,
                              LLVMValueRef b) {
  /* The fast selector has no intrinsics: each would be a graph of the other selector's. */
  if (l->fast && !hd_lower_lanes(LLVMTypeOf(a)))
    return LLVMBuildSelect(l->builder, LLVMBuildICmp(l->builder, is_first, a, b, ""), a, b, "");
  return hd_lower_intrinsic1(l, intrinsic, LLVMTypeOf(a), a, b, NULL);
}

LLVMFastMathFlags hd_lower_flags(hd_op *op) {
  /* MLIR's bits: reassoc 1, nnan 2, ninf 4, nsz 8, arcp 16, contract 32, afn 64; LLVM's are the same. NaN and infinity
   * are never assumed away. */
  unsigned flags = (unsigned)hd_attr_int_or(hd_with_fastmath_fastmath_if_any(op), 0);
  return flags & (LLVMFastMathAllowReassoc | LLVMFastMathNoSignedZeros | LLVMFastMathAllowReciprocal |
                  LLVMFastMathAllowContract | LLVMFastMathApproxFunc);
}

LLVMValueRef hd_lower_flagged(LLVMValueRef value, LLVMFastMathFlags flags) {
  if (flags && LLVMIsAInstruction(value) && LLVMCanValueUseFastMathFlags(value)) LLVMSetFastMathFlags(value, flags);
  return value;
}
