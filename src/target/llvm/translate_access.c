/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of memrefs: addresses, loads, stores, and those of vectors, with masks and at many addresses.
 *
 * The address of element (i, j, ..) is base + offset + i * stride0 + j * stride1 ... In kernels the offset is part of
 * the pointer and strides are constants of the type; in host code both are values. */
#include "heddle/cpu.h"
#include "ir/ops/interfaces.h"
#include "target/llvm/translate.h"

static unsigned element_alignment(hd_type element) {
  size_t bytes = hd_type_element_bytes(element->kind == HD_TYPE_COMPLEX ? element->shaped.element : element);
  return bytes ? (unsigned)bytes : 1;
}

int64_t hd_lower_static_stride(hd_type type, uint32_t i) {
  hd_attr layout = type->shaped.layout;
  if (hd_attr_is(layout, HD_ATTR_STRIDED)) return i < layout->strided.rank ? layout->strided.strides[i] : HD_DYNAMIC;
  if (layout) return HD_DYNAMIC;
  int64_t stride = 1;
  for (uint32_t k = i + 1; k < type->shaped.rank; ++k) {
    int64_t dim = type->shaped.dims[k];
    if (dim < 0 || __builtin_mul_overflow(stride, dim, &stride)) return HD_DYNAMIC;
  }
  return stride;
}

LLVMValueRef hd_lower_stride(hd_lower *l, hd_op *op, hd_value *memref, uint32_t i) {
  hd_type type = memref->type;
  int64_t known = hd_lower_static_stride(type, i);
  if (known != HD_DYNAMIC) return hd_lower_i64(l, known);
  if (l->host) return hd_lower_parts(l, memref)->at[2 + type->shaped.rank + i];
  hd_lower_fail(l, op, "needs stride %u of a memref whose type does not say it", i);
  return NULL;
}

LLVMValueRef hd_lower_offset(hd_lower *l, LLVMTypeRef element, LLVMValueRef base, LLVMValueRef index) {
  if (LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) == 0) return base;
  return LLVMBuildInBoundsGEP2(l->builder, element, base, &index, 1, "");
}

/* The address of element |indices| of memref |value|; null after an error. */
static LLVMValueRef address_of(hd_lower *l, hd_op *op, hd_value *memref, hd_value *const *indices, size_t count) {
  hd_type type = memref->type;
  if (type->kind != HD_TYPE_MEMREF || count != type->shaped.rank || count > HD_MAX_RANK) {
    hd_lower_fail(l, op, "expected a ranked memref and one index per dim");
    return NULL;
  }
  LLVMTypeRef storage = hd_lower_storage(l, op, type->shaped.element);
  if (!storage) return NULL;
  hd_parts *parts = hd_lower_parts(l, memref);
  LLVMValueRef linear = l->host ? parts->at[1] : hd_lower_i64(l, 0);
  for (size_t i = 0; i < count; ++i) {
    LLVMValueRef stride = hd_lower_stride(l, op, memref, (uint32_t)i);
    if (!stride) return NULL;
    LLVMValueRef index = hd_lower_value(l, indices[i]);
    bool one = LLVMIsAConstantInt(stride) && LLVMConstIntGetSExtValue(stride) == 1;
    LLVMValueRef term = one ? index : LLVMBuildNSWMul(l->builder, index, stride, "");
    bool zero = LLVMIsAConstantInt(linear) && LLVMConstIntGetSExtValue(linear) == 0;
    linear = zero ? term : LLVMBuildNSWAdd(l->builder, linear, term, "");
  }
  return hd_lower_offset(l, storage, parts->at[0], linear);
}

LLVMValueRef hd_lower_operand_address(hd_lower *l, hd_op *op, uint32_t first) {
  hd_value *memref = hd_operand(op, first), *indices[HD_MAX_RANK];
  uint32_t rank = memref->type->kind == HD_TYPE_MEMREF ? memref->type->shaped.rank : HD_MAX_RANK + 1;
  if (rank > HD_MAX_RANK || first + 1 + rank > op->operand_count) {
    hd_lower_fail(l, op, "expected a ranked memref and one index per dim");
    return NULL;
  }
  for (uint32_t i = 0; i < rank; ++i) indices[i] = hd_operand(op, first + 1 + i);
  return address_of(l, op, memref, indices, rank);
}

LLVMValueRef hd_lower_to_storage(hd_lower *l, hd_type element, LLVMValueRef value) {
  if (element->kind != HD_TYPE_INTEGER || element->integer.width >= 8) return value;
  LLVMTypeRef type = hd_lower_like(LLVMTypeOf(value), l->i8);
  bool is_signed = element->integer.width > 1 && element->integer.signedness != HD_UNSIGNED;
  return is_signed ? LLVMBuildSExt(l->builder, value, type, "") : LLVMBuildZExt(l->builder, value, type, "");
}

LLVMValueRef hd_lower_from_storage(hd_lower *l, hd_type element, LLVMValueRef value) {
  if (element->kind != HD_TYPE_INTEGER || element->integer.width >= 8) return value;
  LLVMTypeRef type = LLVMTypeOf(value);
  if (element->integer.width == 1) return LLVMBuildICmp(l->builder, LLVMIntNE, value, LLVMConstNull(type), "");
  return LLVMBuildTrunc(l->builder, value,
                        hd_lower_like(type, LLVMIntTypeInContext(l->context, element->integer.width)), "");
}

/* `alignment` of |op|, else |otherwise|; marks non-temporal accesses. */
static void mark_access(hd_lower *l, hd_op *op, LLVMValueRef instruction, unsigned otherwise) {
  int64_t alignment = hd_attr_int_or(hd_with_alignment_alignment_if_any(op), 0);
  bool fits = alignment > 0 && alignment <= 4096 && !(alignment & (alignment - 1));
  LLVMSetAlignment(instruction, fits ? (unsigned)alignment : otherwise);
  hd_attr stream = hd_with_nontemporal_nontemporal_if_any(op);
  if (!stream || (stream->kind == HD_ATTR_INTEGER && !stream->integer)) return;
  LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(l->i32, 1, false));
  LLVMMetadataRef node = LLVMMDNodeInContext2(l->context, &one, 1);
  LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(l->context, "nontemporal", 11),
                  LLVMMetadataAsValue(l->context, node));
}

/* One element, complex ones as two. */
static bool lower_load(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  LLVMValueRef address = hd_lower_operand_address(l, op, 0);
  if (!address) return false;
  hd_type element = hd_result_type(op, 0);
  uint32_t count = hd_lower_part_count(l, op, element);
  unsigned alignment = element_alignment(element);
  hd_parts *out = hd_lower_new_parts(l, count);
  for (uint32_t p = 0; p < count; ++p) {
    LLVMTypeRef type = count == 1 ? hd_lower_storage(l, op, element) : hd_lower_part_type(l, op, element, p);
    if (!type) return false;
    LLVMValueRef value = LLVMBuildLoad2(l->builder, type, hd_lower_offset(l, type, address, hd_lower_i64(l, p)), "");
    mark_access(l, op, value, alignment);
    if (p) LLVMSetAlignment(value, alignment);
    out->at[p] = hd_lower_from_storage(l, element, value);
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_store(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  LLVMValueRef address = hd_lower_operand_address(l, op, 1);
  if (!address) return false;
  hd_type element = hd_operand_type(op, 0);
  hd_parts *parts = hd_lower_parts(l, hd_operand(op, 0));
  unsigned alignment = element_alignment(element);
  for (uint32_t p = 0; p < parts->count; ++p) {
    LLVMValueRef value = hd_lower_to_storage(l, element, parts->at[p]);
    LLVMValueRef at = hd_lower_offset(l, LLVMTypeOf(value), address, hd_lower_i64(l, p));
    LLVMValueRef store = LLVMBuildStore(l->builder, value, at);
    mark_access(l, op, store, alignment);
    if (p) LLVMSetAlignment(store, alignment);
  }
  return true;
}

/* Vectors are along the last dim, whose stride is 1; each further row of an n-D vector is one index of the dim above.
 */
static bool row_addresses(hd_lower *l, hd_op *op, hd_type vector, uint32_t first, LLVMValueRef *out, uint32_t count) {
  hd_value *memref = hd_operand(op, first);
  LLVMValueRef base = hd_lower_operand_address(l, op, first);
  if (!base) return false;
  hd_type type = memref->type;
  if (type->shaped.element != vector->shaped.element)
    return hd_lower_fail(l, op, "expected one element type in memref and vector");
  uint32_t rank = type->shaped.rank, vector_rank = vector->shaped.rank;
  if (rank && hd_lower_static_stride(type, rank - 1) != 1)
    return hd_lower_fail(l, op, "expected a memref whose last stride is 1");
  if (vector_rank > rank && vector_rank > 1)
    return hd_lower_fail(l, op, "expected a memref of at least the vector's rank");
  LLVMTypeRef storage = hd_lower_storage(l, op, type->shaped.element);
  if (!storage) return false;
  for (uint32_t p = 0; p < count; ++p) {
    LLVMValueRef linear = hd_lower_i64(l, 0);
    uint32_t rest = p;
    for (uint32_t k = vector_rank > 1 ? vector_rank - 1 : 0; k-- > 0;) {
      uint32_t at = rest % (uint32_t)vector->shaped.dims[k];
      rest /= (uint32_t)vector->shaped.dims[k];
      if (!at) continue;
      LLVMValueRef stride = hd_lower_stride(l, op, memref, rank - vector_rank + k);
      if (!stride) return false;
      linear = LLVMBuildAdd(l->builder, linear, LLVMBuildMul(l->builder, stride, hd_lower_i64(l, at), ""), "");
    }
    out[p] = hd_lower_offset(l, storage, base, linear);
  }
  return true;
}

static LLVMTypeRef storage_vector(hd_lower *l, hd_op *op, hd_type vector) {
  LLVMTypeRef part = hd_lower_part_type(l, op, vector, 0);
  LLVMTypeRef storage = part ? hd_lower_storage(l, op, vector->shaped.element) : NULL;
  return storage ? LLVMVectorType(storage, hd_lower_lanes(part)) : NULL;
}

static bool lower_vector_load(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type type = hd_result_type(op, 0);
  uint32_t count = hd_lower_part_count(l, op, type);
  LLVMTypeRef storage = count ? storage_vector(l, op, type) : NULL;
  if (!storage) return false;
  LLVMValueRef *addresses = hd_new_array(l->arena, LLVMValueRef, count);
  if (!row_addresses(l, op, type, 0, addresses, count)) return false;
  hd_parts *out = hd_lower_new_parts(l, count);
  for (uint32_t p = 0; p < count; ++p) {
    LLVMValueRef value = LLVMBuildLoad2(l->builder, storage, addresses[p], "");
    mark_access(l, op, value, element_alignment(type->shaped.element));
    out->at[p] = hd_lower_from_storage(l, type->shaped.element, value);
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

static bool lower_vector_store(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type type = hd_operand_type(op, 0);
  hd_parts *parts = hd_lower_parts(l, hd_operand(op, 0));
  LLVMValueRef *addresses = hd_new_array(l->arena, LLVMValueRef, parts->count);
  if (!row_addresses(l, op, type, 1, addresses, parts->count)) return false;
  for (uint32_t p = 0; p < parts->count; ++p) {
    LLVMValueRef store =
        LLVMBuildStore(l->builder, hd_lower_to_storage(l, type->shaped.element, parts->at[p]), addresses[p]);
    mark_access(l, op, store, element_alignment(type->shaped.element));
  }
  return true;
}

/* The masked and scattered accesses as intrinsics on storage vectors. In LLVM 22 their alignment is that of the pointer
 * argument, given as a call-site attribute. */
static LLVMValueRef masked_call(hd_lower *l, hd_op *op, const char *name, LLVMTypeRef *overloads, size_t overload_count,
                                LLVMValueRef *args, size_t arg_count, unsigned pointer, hd_type element) {
  LLVMValueRef call = hd_lower_intrinsic(l, name, overloads, overload_count, args, arg_count);
  int64_t alignment = hd_attr_int_or(hd_with_alignment_alignment_if_any(op), 0);
  bool fits = alignment > 0 && alignment <= 4096 && !(alignment & (alignment - 1));
  unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
  uint64_t value = fits ? (uint64_t)alignment : element_alignment(element);
  LLVMAddCallSiteAttribute(call, pointer + 1, LLVMCreateEnumAttribute(l->context, kind, value));
  return call;
}

static LLVMValueRef mask_part(hd_lower *l, hd_op *op, hd_value *mask, uint32_t p, LLVMTypeRef like) {
  hd_parts *parts = hd_lower_parts(l, mask);
  LLVMValueRef value = p < parts->count ? parts->at[p] : NULL;
  if (value && LLVMTypeOf(value) == hd_lower_like(like, l->i1)) return value;
  hd_lower_fail(l, op, "expected a mask of the vector's shape");
  return NULL;
}

/* Masks of i < bound, for accesses that the machine has no masked form of: LLVM would write a branch per lane. Gives
 * the number of elements, null when |mask| is no such mask. */
static LLVMValueRef prefix_count(hd_lower *l, hd_value *mask) {
  if (mask->type->shaped.rank != 1) return NULL;
  hd_op *op = hd_value_op(mask);
  if (!op || !hd_op_is(op, HD_OP_vector_create_mask)) return NULL;
  LLVMValueRef bound = hd_lower_operand(l, op, 0);
  bound = hd_lower_extreme(l, LLVMIntSLT, "llvm.smin", bound, hd_lower_i64(l, mask->type->shaped.dims[0]));
  return hd_lower_extreme(l, LLVMIntSGT, "llvm.smax", bound, hd_lower_i64(l, 0));
}

/* Will LLVM find |value| to be a constant? Its builder folds arithmetic, its passes calls (minimum, maximum) too. */
static bool is_made_of_constants(LLVMValueRef value, int depth) {
  if (LLVMIsConstant(value)) return true;
  if (!depth || !(LLVMIsACallInst(value) || LLVMIsABinaryOperator(value) || LLVMIsASelectInst(value) ||
                  LLVMIsAICmpInst(value) || LLVMIsACastInst(value)))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); ++i)
    if (!is_made_of_constants(LLVMGetOperand(value, (unsigned)i), depth - 1)) return false;
  return true;
}

static bool has_known_prefix(hd_lower *l, hd_value *mask) {
  hd_op *op = hd_value_op(mask);
  return op && hd_op_is(op, HD_OP_vector_create_mask) && is_made_of_constants(hd_lower_operand(l, op, 0), 16);
}

/* AVX2 masks loads and stores of 32 and 64 bits alone; the elements of others go through a slot of the frame by memcpy.
 */
static bool has_masked_access(hd_lower *l, hd_type element) {
  return hd_type_element_bytes(element) >= 4 || (l->target->features & HD_CPU_AVX512BW);
}
/* AVX2's gathers are no faster than loads, and LLVM leaves them alone for CPUs in general. */
static bool has_masked_gather(hd_lower *l, hd_type element) {
  return hd_type_element_bytes(element) >= 4 && (l->target->features & HD_CPU_AVX512F);
}

static void copy_elements(hd_lower *l, LLVMValueRef to, LLVMValueRef from, LLVMValueRef count, hd_type element) {
  unsigned alignment = element_alignment(element);
  LLVMValueRef bytes = LLVMBuildMul(l->builder, count, hd_lower_i64(l, (int64_t)hd_type_element_bytes(element)), "");
  LLVMBuildMemCpy(l->builder, to, alignment, from, alignment, bytes);
}

static LLVMValueRef vector_slot(hd_lower *l, LLVMTypeRef vector, hd_type element) {
  return hd_lower_alloca(l, vector, hd_lower_lanes(vector) * hd_type_element_bytes(element), 32);
}

/* base, indices.., mask, pass_thru -> vector */
static bool lower_masked_load(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_type type = hd_result_type(op, 0), element = type->shaped.element;
  uint32_t count = hd_lower_part_count(l, op, type);
  LLVMTypeRef storage = count ? storage_vector(l, op, type) : NULL;
  if (!storage) return false;
  LLVMValueRef *addresses = hd_new_array(l->arena, LLVMValueRef, count);
  if (!row_addresses(l, op, type, 0, addresses, count)) return false;
  hd_value *mask = hd_operand(op, op->operand_count - 2), *pass = hd_operand(op, op->operand_count - 1);
  hd_parts *out = hd_lower_new_parts(l, count);
  LLVMValueRef prefix = self->code || has_masked_access(l, element) ? NULL : prefix_count(l, mask);
  if (prefix) {
    LLVMValueRef slot = vector_slot(l, storage, element);
    LLVMBuildStore(l->builder, hd_lower_to_storage(l, element, hd_lower_value(l, pass)), slot);
    copy_elements(l, slot, addresses[0], prefix, element);
    out->at[0] = hd_lower_from_storage(l, element, LLVMBuildLoad2(l->builder, storage, slot, ""));
    hd_lower_set(l, hd_result(op, 0), out);
    return true;
  }
  for (uint32_t p = 0; p < count; ++p) {
    LLVMValueRef lanes = mask_part(l, op, mask, p, storage);
    if (!lanes) return false;
    LLVMValueRef other = hd_lower_to_storage(l, element, hd_lower_parts(l, pass)->at[p]);
    LLVMTypeRef overloads[] = {storage, l->ptr};
    LLVMValueRef args[] = {addresses[p], lanes, other};
    LLVMValueRef value = masked_call(l, op, self->intrinsic, overloads, self->code ? 1 : 2, args, 3, 0, element);
    out->at[p] = hd_lower_from_storage(l, element, value);
  }
  hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* base, indices.., mask, value */
static bool lower_masked_store(hd_lower *l, hd_op *op, const hd_handler *self) {
  hd_value *value = hd_operand(op, op->operand_count - 1), *mask = hd_operand(op, op->operand_count - 2);
  hd_type type = value->type, element = type->shaped.element;
  hd_parts *parts = hd_lower_parts(l, value);
  LLVMValueRef *addresses = hd_new_array(l->arena, LLVMValueRef, parts->count);
  if (!row_addresses(l, op, type, 0, addresses, parts->count)) return false;
  /* LLVM 22 writes more than the element where a vector is truncated, then stored under a constant mask of one lane. */
  bool safe = has_masked_access(l, element) && !has_known_prefix(l, mask);
  LLVMValueRef prefix = self->code || safe ? NULL : prefix_count(l, mask);
  if (prefix) {
    LLVMValueRef stored = hd_lower_to_storage(l, element, parts->at[0]),
                 slot = vector_slot(l, LLVMTypeOf(stored), element);
    LLVMBuildStore(l->builder, stored, slot);
    copy_elements(l, addresses[0], slot, prefix, element);
    return true;
  }
  for (uint32_t p = 0; p < parts->count; ++p) {
    LLVMValueRef stored = hd_lower_to_storage(l, element, parts->at[p]);
    LLVMValueRef lanes = mask_part(l, op, mask, p, LLVMTypeOf(stored));
    if (!lanes) return false;
    LLVMTypeRef overloads[] = {LLVMTypeOf(stored), l->ptr};
    LLVMValueRef args[] = {stored, addresses[p], lanes};
    masked_call(l, op, self->intrinsic, overloads, self->code ? 1 : 2, args, 3, 1, element);
  }
  return true;
}

/* A gather under the mask of the first |count| lanes without an instruction for it. When there is a
 * first lane, lanes beyond the mask read what it reads; one branch asks for that. */
static LLVMValueRef prefix_gather(hd_lower *l, hd_op *op, LLVMTypeRef storage, LLVMValueRef address,
                                  LLVMValueRef indices, LLVMValueRef mask, LLVMValueRef count, LLVMValueRef pass,
                                  hd_type element) {
  LLVMBuilderRef b = l->builder;
  LLVMTypeRef vector = LLVMTypeOf(pass);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(b), some = hd_lower_block(l, "gather"),
                    after = hd_lower_block(l, "gathered");
  LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntSGT, count, hd_lower_i64(l, 0), ""), some, after);
  LLVMPositionBuilderAtEnd(b, some);
  LLVMValueRef first =
      hd_lower_splat(l, LLVMBuildExtractElement(b, indices, hd_lower_i64(l, 0), ""), hd_lower_lanes(vector));
  LLVMValueRef safe = LLVMBuildSelect(b, mask, indices, first, "");
  LLVMValueRef pointers = LLVMBuildGEP2(b, storage, address, &safe, 1, "");
  LLVMTypeRef overloads[] = {vector, LLVMTypeOf(pointers)};
  LLVMValueRef args[] = {pointers, LLVMConstAllOnes(LLVMTypeOf(mask)), pass};
  LLVMValueRef loaded = masked_call(l, op, "llvm.masked.gather", overloads, 2, args, 3, 0, element);
  LLVMValueRef chosen = LLVMBuildSelect(b, mask, loaded, pass, "");
  LLVMBuildBr(b, after);
  LLVMPositionBuilderAtEnd(b, after);
  LLVMValueRef result = LLVMBuildPhi(b, vector, "");
  LLVMAddIncoming(result, &pass, &before, 1);
  LLVMAddIncoming(result, &chosen, &some, 1);
  return result;
}

/* gather: base, offsets.., indices, mask, pass_thru; scatter: base, offsets.., indices, mask, value. */
static bool lower_gather_scatter(hd_lower *l, hd_op *op, const hd_handler *self) {
  bool scatter = self->code;
  uint32_t n = op->operand_count;
  hd_value *base = hd_operand(op, 0), *last = hd_operand(op, n - 1), *mask = hd_operand(op, n - 2),
           *index = hd_operand(op, n - 3);
  hd_type type = last->type, element = type->shaped.element;
  if (base->type->kind != HD_TYPE_MEMREF || op->result_count != !scatter || base->type->shaped.element != element ||
      n != base->type->shaped.rank + 4)
    return hd_lower_fail(l, op, "expected a memref of the vector's element type and one offset per dim");
  uint32_t rank = base->type->shaped.rank;
  if (rank && hd_lower_static_stride(base->type, rank - 1) != 1)
    return hd_lower_fail(l, op, "expected a memref whose last stride is 1");
  LLVMValueRef address = hd_lower_operand_address(l, op, 0);
  hd_parts *indices = hd_lower_parts(l, index), *values = hd_lower_parts(l, last),
           *out = hd_lower_new_parts(l, values->count);
  LLVMTypeRef storage = hd_lower_storage(l, op, element);
  if (!address || !storage || indices->count != values->count)
    return hd_lower_fail(l, op, "expected as many indices as values");
  for (uint32_t p = 0; p < values->count; ++p) {
    LLVMValueRef value = hd_lower_to_storage(l, element, values->at[p]);
    LLVMTypeRef type_of_value = LLVMTypeOf(value);
    LLVMValueRef lanes = mask_part(l, op, mask, p, type_of_value);
    if (!lanes || hd_lower_lanes(LLVMTypeOf(indices->at[p])) != hd_lower_lanes(type_of_value))
      return hd_lower_fail(l, op, "expected as many indices as values");
    LLVMValueRef prefix =
        scatter || LLVMIsConstant(lanes) || has_masked_gather(l, element) ? NULL : prefix_count(l, mask);
    if (prefix) {
      LLVMValueRef call = prefix_gather(l, op, storage, address, indices->at[p], lanes, prefix, value, element);
      out->at[p] = hd_lower_from_storage(l, element, call);
      continue;
    }
    /* Indices are signed: a vector GEP extends them, and knows 32-bit ones, which gather best. */
    LLVMValueRef pointers = LLVMBuildGEP2(l->builder, storage, address, &indices->at[p], 1, "");
    LLVMTypeRef overloads[] = {type_of_value, LLVMTypeOf(pointers)};
    LLVMValueRef gather_args[] = {pointers, lanes, value}, scatter_args[] = {value, pointers, lanes};
    LLVMValueRef call = masked_call(l, op, self->intrinsic, overloads, 2, scatter ? scatter_args : gather_args, 3,
                                    scatter ? 1 : 0, element);
    if (!scatter) out->at[p] = hd_lower_from_storage(l, element, call);
  }
  if (!scatter) hd_lower_set(l, hd_result(op, 0), out);
  return true;
}

/* Slots and tables */

LLVMValueRef hd_lower_alloca(hd_lower *l, LLVMTypeRef type, uint64_t bytes, unsigned alignment) {
  LLVMBasicBlockRef at = LLVMGetInsertBlock(l->builder);
  LLVMPositionBuilderAtEnd(l->builder, l->entry);
  LLVMValueRef slot = LLVMBuildAlloca(l->builder, type, "");
  LLVMSetAlignment(slot, alignment);
  LLVMPositionBuilderAtEnd(l->builder, at);
  l->stack_bytes += (bytes + alignment - 1) / alignment * alignment;
  return slot;
}

const hd_handler hd_handlers_access[] = {
    {"memref.load", lower_load, 0, NULL},
    {"memref.store", lower_store, 0, NULL},
    {"vector.load", lower_vector_load, 0, NULL},
    {"vector.store", lower_vector_store, 0, NULL},
    {"vector.maskedload", lower_masked_load, 0, "llvm.masked.load"},
    {"vector.maskedstore", lower_masked_store, 0, "llvm.masked.store"},
    {"vector.expandload", lower_masked_load, 1, "llvm.masked.expandload"},
    {"vector.compressstore", lower_masked_store, 1, "llvm.masked.compressstore"},
    {"vector.gather", lower_gather_scatter, 0, "llvm.masked.gather"},
    {"vector.scatter", lower_gather_scatter, 1, "llvm.masked.scatter"},
    {NULL, NULL, 0, NULL},
};
