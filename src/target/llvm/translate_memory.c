/* SPDX-License-Identifier: Apache-2.0 */
/* memref: stack slots, constant tables, sizes and views, whose parts translate_access.c reads. */
#include "heddle/cpu.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/memref.h"
#include "target/llvm/translate.h"

/* The parts of a dense memref of static shape at |pointer|. */
static hd_parts *dense_parts(hd_lower *l, hd_type type, LLVMValueRef pointer) {
  hd_parts *parts = hd_lower_new_parts(l, l->host ? 2 + 2 * type->shaped.rank : 1);
  parts->at[0] = pointer;
  if (!l->host) return parts;
  parts->at[1] = hd_lower_i64(l, 0);
  for (uint32_t i = 0; i < type->shaped.rank; ++i) {
    parts->at[2 + i] = hd_lower_i64(l, type->shaped.dims[i]);
    parts->at[2 + type->shaped.rank + i] = hd_lower_i64(l, hd_lower_static_stride(type, i));
  }
  return parts;
}

static bool lower_alloca(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type type = hd_result_type(op, 0);
  int64_t count = hd_type_num_elements(type);
  if (op->operand_count || count < 0 || type->shaped.layout)
    return hd_lower_fail(l, op, "expected a static shape without layout");
  size_t size = hd_type_element_bytes(type->shaped.element);
  if (!size || count > HD_CPU_STACK_LIMIT)
    return hd_lower_fail(l, op, "needs more than %d bytes of stack", HD_CPU_STACK_LIMIT);
  LLVMTypeRef storage = hd_lower_storage(l, op, type->shaped.element);
  if (!storage) return false;
  LLVMValueRef slot =
      hd_lower_alloca(l, LLVMArrayType2(storage, (uint64_t)(count ? count : 1)), (uint64_t)count * size, 64);
  hd_lower_set(l, hd_result(op, 0), dense_parts(l, type, slot));
  return true;
}

static bool lower_get_global(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_op *global = hd_symbol_resolve(op, hd_memref_get_global_name(op));
  hd_attr value = global ? hd_memref_global_initial_value(global) : NULL;
  hd_type type = hd_result_type(op, 0);
  int64_t count = hd_type_num_elements(type);
  if (!hd_attr_is(value, HD_ATTR_DENSE) || count < 0 || count > (1 << 20) || type->shaped.layout)
    return hd_lower_fail(l, op, "expected a constant global of at most a million elements");
  LLVMValueRef table = hd_map_get(&l->globals, global);
  if (!table) {
    size_t size = hd_type_element_bytes(type->shaped.element);
    char *bytes = hd_arena_zalloc(l->arena, (size_t)count * size + 1);
    for (int64_t i = 0; i < count; ++i) memcpy(bytes + (size_t)i * size, hd_attr_element_data(value, (size_t)i), size);
    LLVMValueRef data = LLVMConstStringInContext2(l->context, bytes, (size_t)count * size, true);
    table = LLVMAddGlobal(l->module, LLVMTypeOf(data), "table");
    LLVMSetInitializer(table, data);
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetAlignment(table, 64);
    hd_map_set(l->arena, &l->globals, global, table);
  }
  hd_lower_set(l, hd_result(op, 0), dense_parts(l, type, table));
  return true;
}

static bool lower_dim(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_value *memref = hd_operand(op, 0);
  hd_type type = memref->type;
  LLVMValueRef index = hd_lower_operand(l, op, 1);
  if (type->kind != HD_TYPE_MEMREF || !LLVMIsAConstantInt(index))
    return hd_lower_fail(l, op, "expected a ranked memref and a constant dim");
  uint64_t dim = LLVMConstIntGetZExtValue(index);
  if (dim >= type->shaped.rank)
    return hd_lower_fail(l, op, "reads dim %llu of a memref of rank %u", (unsigned long long)dim, type->shaped.rank);
  if (type->shaped.dims[dim] >= 0) return hd_lower_result(l, op, hd_lower_i64(l, type->shaped.dims[dim]));
  if (!l->host) return hd_lower_fail(l, op, "reads an unknown dim in a kernel; pass it as an index argument");
  return hd_lower_result(l, op, hd_lower_parts(l, memref)->at[2 + dim]);
}

/* Views */

static bool lower_cast(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type from = hd_operand_type(op, 0), to = hd_result_type(op, 0);
  if (from->kind != HD_TYPE_MEMREF || to->kind != HD_TYPE_MEMREF || from->shaped.rank != to->shaped.rank)
    return hd_lower_fail(l, op, "expected two memrefs of one rank");
  if (!l->host)
    for (uint32_t i = 0; i < to->shaped.rank; ++i)
      if (hd_lower_static_stride(from, i) != hd_lower_static_stride(to, i) &&
          hd_lower_static_stride(to, i) != HD_DYNAMIC)
        return hd_lower_fail(l, op, "changes the strides of a kernel's memref");
  hd_lower_set(l, hd_result(op, 0), hd_lower_parts(l, hd_operand(op, 0)));
  return true;
}

typedef struct mixed { /* a list of static values, HD_DYNAMIC where the next operand is */
  hd_attr values;
  uint32_t next;
} mixed;

static LLVMValueRef mixed_at(hd_lower *l, hd_op *op, mixed *list, uint32_t i) {
  int64_t value = hd_attr_int_at(list->values, i);
  return value == HD_DYNAMIC ? hd_lower_operand(l, op, list->next++) : hd_lower_i64(l, value);
}

static bool take_lists(hd_lower *l, hd_op *op, uint32_t rank, mixed lists[3]) {
  static const hd_name names[] = {HD_NAME_static_offsets, HD_NAME_static_sizes, HD_NAME_static_strides};
  uint32_t at = 1;
  for (int k = 0; k < 3; ++k) {
    lists[k] = (mixed){hd_op_attr_get(op, names[k]), at};
    if (!lists[k].values) return hd_lower_fail(l, op, "lacks %s", hd_name_text(names[k]));
    size_t count = hd_attr_count(lists[k].values);
    if (k && count != rank) return hd_lower_fail(l, op, "expected %u entries in %s", rank, hd_name_text(names[k]));
    for (size_t i = 0; i < count; ++i) at += hd_attr_int_at(lists[k].values, i) == HD_DYNAMIC;
  }
  return at == op->operand_count || hd_lower_fail(l, op, "has a wrong number of offsets, sizes and strides");
}

/* A memref of the result's type from its pointer, offset, sizes and strides. In a kernel the offset goes into the
 * pointer, and the type must say the strides. */
static bool set_view(hd_lower *l, hd_op *op, LLVMValueRef pointer, LLVMValueRef offset, LLVMValueRef *sizes,
                     LLVMValueRef *strides) {
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = type->shaped.rank;
  if (l->host) {
    hd_parts *parts = hd_lower_new_parts(l, 2 + 2 * rank);
    parts->at[0] = pointer;
    parts->at[1] = offset;
    for (uint32_t i = 0; i < rank; ++i) {
      parts->at[2 + i] = sizes[i];
      parts->at[2 + rank + i] = strides[i];
    }
    hd_lower_set(l, hd_result(op, 0), parts);
    return true;
  }
  for (uint32_t i = 0; i < rank; ++i)
    if (hd_lower_static_stride(type, i) == HD_DYNAMIC)
      return hd_lower_fail(l, op, "makes a memref whose stride %u is not static", i);
  LLVMTypeRef storage = hd_lower_storage(l, op, type->shaped.element);
  if (!storage) return false;
  hd_lower_set_one(l, hd_result(op, 0), hd_lower_offset(l, storage, pointer, offset));
  return true;
}

static bool lower_reinterpret_cast(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = type->shaped.rank;
  mixed lists[3];
  if (rank > HD_MAX_RANK || hd_operand_type(op, 0)->kind != HD_TYPE_MEMREF)
    return hd_lower_fail(l, op, "expected ranked memrefs");
  if (!take_lists(l, op, rank, lists)) return false;
  if (hd_attr_count(lists[0].values) != 1) return hd_lower_fail(l, op, "expected one offset");
  LLVMValueRef sizes[HD_MAX_RANK], strides[HD_MAX_RANK], offset = mixed_at(l, op, &lists[0], 0);
  for (uint32_t i = 0; i < rank; ++i)
    sizes[i] = mixed_at(l, op, &lists[1], i), strides[i] = mixed_at(l, op, &lists[2], i);
  /* The offset counts from the base pointer, whatever the source's own offset; a kernel's pointer is the base. */
  return set_view(l, op, hd_lower_operand(l, op, 0), offset, sizes, strides);
}

static bool lower_subview(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_value *source = hd_operand(op, 0);
  hd_type from = source->type, to = hd_result_type(op, 0);
  uint32_t rank = from->shaped.rank;
  mixed lists[3];
  if (rank > HD_MAX_RANK || from->kind != HD_TYPE_MEMREF || to->shaped.rank > rank)
    return hd_lower_fail(l, op, "expected ranked memrefs");
  if (!take_lists(l, op, rank, lists)) return false;
  if (hd_attr_count(lists[0].values) != rank) return hd_lower_fail(l, op, "expected one offset per dim");
  hd_parts *parts = hd_lower_parts(l, source);
  LLVMValueRef sizes[HD_MAX_RANK], strides[HD_MAX_RANK], offset = l->host ? parts->at[1] : hd_lower_i64(l, 0);
  uint32_t kept = 0, drop = rank - to->shaped.rank;
  for (uint32_t i = 0; i < rank; ++i) {
    LLVMValueRef stride = hd_lower_stride(l, op, source, i);
    if (!stride) return false;
    LLVMValueRef start = mixed_at(l, op, &lists[0], i), size = mixed_at(l, op, &lists[1], i),
                 step = mixed_at(l, op, &lists[2], i);
    offset = LLVMBuildAdd(l->builder, offset, LLVMBuildMul(l->builder, start, stride, ""), "");
    /* Dropped dims have the static size 1; the first ones that the result has no room for. */
    bool unit = hd_attr_int_at(lists[1].values, i) == 1;
    bool wanted = kept < to->shaped.rank && to->shaped.dims[kept] == 1;
    if (drop && unit && !wanted) {
      --drop;
      continue;
    }
    if (kept == to->shaped.rank) return hd_lower_fail(l, op, "drops a dim whose size is not 1");
    sizes[kept] = size;
    strides[kept++] = LLVMBuildMul(l->builder, stride, step, "");
  }
  return set_view(l, op, parts->at[0], offset, sizes, strides);
}

/* base buffer, offset, sizes, strides */
static bool lower_metadata(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  hd_value *source = hd_operand(op, 0);
  uint32_t rank = source->type->shaped.rank;
  if (!l->host || source->type->kind != HD_TYPE_MEMREF || op->result_count != 2 + 2 * rank)
    return hd_lower_fail(l, op, "is for host code, and ranked memrefs");
  hd_parts *parts = hd_lower_parts(l, source), *base = hd_lower_new_parts(l, 2);
  base->at[0] = parts->at[0];
  base->at[1] = hd_lower_i64(l, 0);
  hd_lower_set(l, hd_result(op, 0), base);
  for (uint32_t i = 1; i < op->result_count; ++i) hd_lower_set_one(l, hd_result(op, i), parts->at[i]);
  return true;
}

static bool lower_pointer_as_index(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  return hd_lower_result(l, op, LLVMBuildPtrToInt(l->builder, hd_lower_operand(l, op, 0), l->i64, ""));
}

static bool lower_assume_alignment(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  /* Alignment is said where memory is accessed, by the op's own attribute. */
  hd_lower_set(l, hd_result(op, 0), hd_lower_parts(l, hd_operand(op, 0)));
  return true;
}

static bool lower_prefetch(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)self;
  LLVMValueRef address = hd_lower_operand_address(l, op, 0);
  if (!address) return false;
  int64_t locality = hd_attr_int_or(hd_prefetch_like_localityHint_attr(op), 3);
  if (locality < 0 || locality > 3) return hd_lower_fail(l, op, "expected a locality of 0 to 3");
  LLVMValueRef args[] = {address, LLVMConstInt(l->i32, hd_prefetch_like_isWrite(op), false),
                         LLVMConstInt(l->i32, (uint64_t)locality, false), LLVMConstInt(l->i32, 1, false)};
  hd_lower_intrinsic(l, "llvm.prefetch", &l->ptr, 1, args, 4);
  return true;
}

static bool lower_nothing(hd_lower *l, hd_op *op, const hd_handler *self) {
  (void)l, (void)op, (void)self;
  return true;
}

const hd_handler hd_handlers_memory[] = {
    {"memref.alloca", lower_alloca, 0, NULL},
    {"memref.get_global", lower_get_global, 0, NULL},
    {"memref.dim", lower_dim, 0, NULL},
    {"memref.cast", lower_cast, 0, NULL},
    {"memref.memory_space_cast", lower_cast, 0, NULL},
    {"memref.reinterpret_cast", lower_reinterpret_cast, 0, NULL},
    {"memref.subview", lower_subview, 0, NULL},
    {"memref.extract_strided_metadata", lower_metadata, 0, NULL},
    {"memref.extract_aligned_pointer_as_index", lower_pointer_as_index, 0, NULL},
    {"memref.assume_alignment", lower_assume_alignment, 0, NULL},
    {"memref.prefetch", lower_prefetch, 0, NULL},
    {"memref.global", lower_nothing, 0, NULL},
    {NULL, NULL, 0, NULL},
};
