/* SPDX-License-Identifier: Apache-2.0 */
/* The memref dialect, and heddle's and llvm's ops on pointers. */
#include <string.h>

#include "eval/core/run.h"
#include "eval/machine/arith_ops.h"
#include "eval/machine/memory.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"
#include "ir/ops/memref.h"

static hd_status allocate(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out, bool automatic) {
  uint32_t first, count;
  hd_op_operand_range(op, 0, &first, &count);
  int64_t *sizes;
  hd_type type = hd_result_type(op, 0);
  HD_TRY(hd_eval_sizes(frame, type, in + first, count, &sizes));
  if (type->shaped.layout && !hd_attr_is(type->shaped.layout, HD_ATTR_STRIDED))
    return hd_make_status(HD_UNIMPLEMENTED, "allocates with a layout that is an affine map");
  return hd_memref_allocate(frame, type, sizes, op, automatic, out);
}
HD_EVAL_HOOK(memref_alloc) { return allocate(frame, op, in, out, false); }
HD_EVAL_HOOK(memref_alloca) { return allocate(frame, op, in, out, true); }
HD_EVAL_HOOK(memref_dealloc) { return hd_storage_free(frame, hd_memref_of(&in[0])->storage); }

static hd_status element_address(hd_eval_frame *frame, const hd_tensor *memref, const hd_tensor *indices, size_t count,
                                 char **out) {
  int64_t *index;
  hd_attr space = memref->type->shaped.space;
  bool device = hd_attr_is(space, HD_ATTR_ENUM) && space->enumerant.row == HD_ENUM_gpu_address_space;
  if (device && !frame->thread) return hd_make_status(HD_INVALID_ARGUMENT, "of the host accesses memory of the device");
  HD_TRY(hd_eval_index_operands(frame, indices, memref->type->shaped.rank, &index));
  return hd_memref_address(memref, index, count, out);
}

HD_EVAL_HOOK(memref_load) {
  char *from;
  HD_TRY(element_address(frame, &in[0], in + 1, 1, &from));
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), out));
  memcpy(hd_tensor_data(out), from, out->buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(memref_store) {
  char *to;
  HD_TRY(element_address(frame, &in[1], in + 2, 1, &to));
  HD_TRY(hd_storage_write(frame, hd_memref_of(&in[1])->storage));
  memcpy(to, hd_tensor_data(&in[0]), in[0].buffer->size);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(memref_dim) {
  int64_t i = hd_eval_int(&in[1]);
  if (i < 0 || i >= (int64_t)in[0].type->shaped.rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "dim %lld of rank %u", (long long)i, in[0].type->shaped.rank);
  return hd_eval_int_result(frame, op, 0, hd_memref_sizes(&in[0])[i], out);
}
HD_EVAL_HOOK(memref_rank) { return hd_eval_int_result(frame, op, 0, in[0].type->shaped.rank, out); }

HD_EVAL_HOOK(memref_copy) {
  hd_tensor all = {0};
  HD_TRY(hd_memref_read(frame, &in[0], &all));
  hd_status status = hd_memref_write(frame, &in[1], &all);
  hd_tensor_release(&all);
  return status;
}

/* The same memory by another type; sizes must agree with what that says. */
HD_EVAL_HOOK(memref_cast) {
  const hd_memref *m = hd_memref_of(&in[0]);
  hd_type type = hd_result_type(op, 0);
  if (type->kind != HD_TYPE_MEMREF || type->shaped.rank != in[0].type->shaped.rank)
    return hd_make_status(HD_UNIMPLEMENTED, "casts between ranks");
  return hd_memref_create(frame, type, m->storage, m->base, m->offset, hd_memref_sizes(&in[0]),
                          hd_memref_strides(&in[0]), out);
}

HD_EVAL_HOOK(memref_memory_space_cast) { return hd_eval_memref_cast(frame, op, in, out); }

HD_EVAL_HOOK(memref_assume_alignment) {
  if (op->result_count) out[0] = hd_tensor_retain(in[0]);
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(memref_reinterpret_cast) {
  int64_t *offsets, *sizes, *strides;
  size_t offset_count, size_count, stride_count;
  HD_TRY(hd_eval_mixed(frame, op, in, 1, HD_NAME_static_offsets, &offsets, &offset_count));
  HD_TRY(hd_eval_mixed(frame, op, in, 2, HD_NAME_static_sizes, &sizes, &size_count));
  HD_TRY(hd_eval_mixed(frame, op, in, 3, HD_NAME_static_strides, &strides, &stride_count));
  const hd_memref *m = hd_memref_of(&in[0]);
  hd_type type = hd_result_type(op, 0);
  if (size_count != type->shaped.rank || stride_count != size_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "sizes and strides differ from the rank");
  return hd_memref_create(frame, type, m->storage, m->base, offset_count ? offsets[0] : 0, sizes, strides, out);
}

HD_EVAL_HOOK(memref_subview) {
  int64_t *offsets, *sizes, *strides, *dims;
  size_t count;
  HD_TRY(hd_eval_mixed(frame, op, in, 1, HD_NAME_static_offsets, &offsets, &count));
  HD_TRY(hd_eval_mixed(frame, op, in, 2, HD_NAME_static_sizes, &sizes, &count));
  HD_TRY(hd_eval_mixed(frame, op, in, 3, HD_NAME_static_strides, &strides, &count));
  const hd_memref *m = hd_memref_of(&in[0]);
  hd_type type = hd_result_type(op, 0);
  uint32_t rank = in[0].type->shaped.rank, kept = 0;
  HD_TRY(hd_eval_temp(frame, 2 * (size_t)rank + 1, sizeof *dims, &dims));
  int64_t offset = m->offset;
  for (uint32_t i = 0; i < rank; ++i) {
    int64_t low, high, step, stride;
    if (sizes[i] > 0 &&
        (offsets[i] < 0 || offsets[i] >= m->dims[i] ||
         !hd_strided_span(1, &sizes[i], &strides[i], offsets[i], &low, &high) || low < 0 || high >= m->dims[i]))
      return hd_make_status(HD_INVALID_ARGUMENT, "the view reaches outside of dim %u of size %lld", i,
                            (long long)m->dims[i]);
    if (__builtin_mul_overflow(offsets[i], m->dims[rank + i], &step) || __builtin_add_overflow(offset, step, &offset) ||
        __builtin_mul_overflow(strides[i], m->dims[rank + i], &stride))
      return hd_make_status(HD_INVALID_ARGUMENT, "the view's offset or stride of dim %u overflows", i);
    bool drop = rank - i > type->shaped.rank - kept && hd_attr_int_at(hd_with_static_sizes_static_sizes(op), i) == 1;
    if (drop) continue;
    if (kept == type->shaped.rank) return hd_make_status(HD_INVALID_ARGUMENT, "the result has too few dims");
    dims[kept] = sizes[i];
    dims[rank + kept++] = stride;
  }
  return hd_memref_create(frame, type, m->storage, m->base, offset, dims, dims + rank, out);
}

HD_EVAL_HOOK(memref_view) {
  const hd_memref *m = hd_memref_of(&in[0]);
  int64_t *sizes;
  hd_type type = hd_result_type(op, 0);
  HD_TRY(hd_eval_sizes(frame, type, in + 2, op->operand_count - 2, &sizes));
  char *base;
  HD_TRY(hd_memref_place(&in[0], hd_eval_int(&in[1]), &base));
  HD_TRY(hd_memref_create(frame, type, m->storage, base, 0, sizes, NULL, out));
  return hd_memref_check(out);
}

/* Merges or splits dims of a memref whose merged dims are dense among themselves, as any are that have no element. */
static hd_status regroup(hd_eval_frame *frame, const hd_tensor *in, hd_type type, const int64_t *sizes, hd_attr groups,
                         bool collapse, hd_tensor *out) {
  const hd_memref *m = hd_memref_of(in);
  uint32_t rank = type->shaped.rank, from = in->type->shaped.rank;
  int64_t *strides;
  bool empty = false;
  for (uint32_t d = 0; d < from; ++d) empty |= !m->dims[d];
  HD_TRY(hd_eval_temp(frame, rank + 1, sizeof *strides, &strides));
  for (uint32_t g = 0; g < hd_attr_count(groups); ++g) {
    hd_attr group = groups->array.items[g];
    size_t n = hd_attr_count(group);
    if (!n) continue;
    int64_t stride = m->dims[from + (collapse ? hd_attr_int_at(group, n - 1) : g)];
    for (size_t k = n; k-- > 0;) {
      int64_t d = hd_attr_int_at(group, k);
      if (!collapse) {
        strides[d] = stride;
        if (__builtin_mul_overflow(stride, sizes[d], &stride))
          return hd_make_status(HD_INVALID_ARGUMENT, "the stride of dim %lld overflows", (long long)d);
      } else {
        if (!empty && m->dims[d] != 1 && m->dims[from + d] != stride)
          return hd_make_status(HD_INVALID_ARGUMENT, "merges dims that are not dense");
        if (__builtin_mul_overflow(stride, m->dims[d], &stride))
          return hd_make_status(HD_INVALID_ARGUMENT, "the stride of dim %lld overflows", (long long)d);
      }
    }
    if (collapse) strides[g] = m->dims[from + hd_attr_int_at(group, n - 1)];
  }
  return hd_memref_create(frame, type, m->storage, m->base, m->offset, sizes, strides, out);
}

HD_EVAL_HOOK(memref_collapse_shape) {
  hd_attr groups = hd_reassociating_reassociation(op);
  hd_type type = hd_result_type(op, 0);
  int64_t *sizes;
  HD_TRY(hd_eval_temp(frame, type->shaped.rank + 1, sizeof *sizes, &sizes));
  for (uint32_t g = 0; g < type->shaped.rank; ++g) {
    sizes[g] = 1;
    hd_attr group = groups->array.items[g];
    for (size_t k = 0; k < hd_attr_count(group); ++k)
      if (__builtin_mul_overflow(sizes[g], hd_memref_sizes(&in[0])[hd_attr_int_at(group, k)], &sizes[g]))
        return hd_make_status(HD_INVALID_ARGUMENT, "dim %u of the view overflows", g);
  }
  return regroup(frame, &in[0], type, sizes, groups, true, out);
}

HD_EVAL_HOOK(memref_expand_shape) {
  int64_t *sizes;
  size_t count;
  HD_TRY(hd_eval_mixed(frame, op, in, 1, HD_NAME_static_output_shape, &sizes, &count));
  return regroup(frame, &in[0], hd_result_type(op, 0), sizes, hd_reassociating_reassociation(op), false, out);
}

HD_EVAL_HOOK(memref_extract_aligned_pointer_as_index) {
  return hd_eval_int_result(frame, op, 0, (int64_t)(uintptr_t)hd_memref_of(&in[0])->base, out);
}

HD_EVAL_HOOK(memref_prefetch) { return HD_STATUS_OK; }

HD_EVAL_HOOK(memref_extract_strided_metadata) {
  const hd_memref *m = hd_memref_of(&in[0]);
  uint32_t rank = in[0].type->shaped.rank;
  HD_TRY(hd_memref_create(frame, hd_result_type(op, 0), m->storage, m->base, 0, NULL, NULL, &out[0]));
  HD_TRY(hd_eval_int_result(frame, op, 1, m->offset, &out[1]));
  for (uint32_t i = 0; i < 2 * rank; ++i) HD_TRY(hd_eval_int_result(frame, op, 2 + i, m->dims[i], &out[2 + i]));
  return HD_STATUS_OK;
}

/* A global is made when it is first asked for. */
HD_EVAL_HOOK(memref_get_global) {
  hd_op *global = hd_symbol_resolve(op, hd_memref_get_global_name(op));
  if (!hd_op_is(global, HD_OP_memref_global)) return hd_make_status(HD_NOT_FOUND, "there is no such global");
  hd_memory *memory = hd_frame_memory(frame);
  hd_type type = hd_result_type(op, 0);
  for (size_t i = 0; i < memory->storages.len; ++i)
    if (memory->storages.data[i]->origin == global)
      return hd_memref_create(frame, type, memory->storages.data[i], memory->storages.data[i]->data, 0,
                              type->shaped.dims, NULL, out);
  HD_TRY(hd_memref_allocate(frame, type, type->shaped.dims, global, false, out));
  hd_attr value = hd_memref_global_initial_value(global);
  bool constant = hd_memref_global_constant_attr(global) != NULL;
  hd_memref_of(out)->storage->lent = constant;
  if (!hd_attr_is(value, HD_ATTR_DENSE)) return HD_STATUS_OK;
  hd_memref_of(out)->storage->lent = false;
  hd_tensor initial = {0};
  HD_TRY(hd_tensor_from_attr(hd_frame_heap(frame), value, &initial));
  hd_status status = hd_memref_write(frame, out, &initial);
  hd_memref_of(out)->storage->lent = constant;
  hd_tensor_release(&initial);
  return status;
}

HD_EVAL_HOOK(memref_atomic_rmw) {
  char *at;
  HD_TRY(element_address(frame, &in[1], in + 2, 1, &at));
  HD_TRY(hd_storage_write(frame, hd_memref_of(&in[1])->storage));
  hd_type type = hd_result_type(op, 0);
  HD_TRY(hd_eval_value(frame, type, out));
  memcpy(hd_tensor_data(out), at, out->buffer->size);
  hd_enum_arith_atomic_rmw_kind kind = hd_memref_atomic_rmw_kind(op);
  if (kind == HD_ARITH_ATOMIC_RMW_KIND_ASSIGN) {
    memcpy(at, hd_tensor_data(&in[0]), out->buffer->size);
    return HD_STATUS_OK;
  }
  return hd_eval_combine(hd_arith_op_of_atomic_rmw(kind), type, hd_tensor_data(out), hd_tensor_data(&in[0]), at);
}

HD_EVAL_HOOK(memref_generic_atomic_rmw) {
  char *at;
  HD_TRY(element_address(frame, &in[0], in + 1, 1, &at));
  HD_TRY(hd_storage_write(frame, hd_memref_of(&in[0])->storage));
  hd_tensor old;
  HD_TRY(hd_eval_value(frame, hd_result_type(op, 0), &old));
  memcpy(hd_tensor_data(&old), at, old.buffer->size);
  hd_status status = hd_eval_region(frame, op, 0, &old, 1, out, 1);
  hd_tensor_release(&old);
  HD_TRY(status);
  memcpy(at, hd_tensor_data(out), out->buffer->size);
  return HD_STATUS_OK;
}

/* ---- pointers ---- */

HD_EVAL_HOOK(llvm_mlir_zero) {
  hd_type type = hd_result_type(op, 0);
  if (hd_is_pointer(type)) return hd_eval_pointer(frame, type, 0, out);
  HD_TRY(hd_eval_value(frame, type, out));
  memset(hd_tensor_data(out), 0, out->buffer->size);
  return HD_STATUS_OK;
}

/* A global text is in memory from when its address is first asked for, shared memory while its block runs. */
HD_EVAL_HOOK(llvm_mlir_addressof) {
  hd_op *global = hd_symbol_resolve(op, hd_llvm_mlir_addressof_global_name(op));
  hd_attr value = hd_op_is(global, HD_OP_llvm_mlir_global) ? hd_llvm_mlir_global_value(global) : NULL;
  bool is_shared = hd_op_is(global, HD_OP_llvm_mlir_global) && hd_llvm_mlir_global_addr_space(global) == 3;
  if (is_shared && !frame->thread) return hd_make_status(HD_INVALID_ARGUMENT, "is shared memory outside of a launch");
  if (!is_shared && (!hd_op_is(global, HD_OP_llvm_mlir_global) || !hd_attr_is(value, HD_ATTR_STRING)))
    return hd_make_status(HD_UNIMPLEMENTED, "is the address of something else than a global text");
  hd_memory *memory = hd_frame_memory(frame);
  hd_storage *storage = NULL;
  for (size_t i = 0; i < memory->storages.len && !storage; ++i)
    if (memory->storages.data[i]->origin == global) storage = memory->storages.data[i];
  if (!storage && is_shared) return hd_make_status(HD_INTERNAL, "is shared memory that the block has not got");
  if (!storage) {
    HD_TRY(hd_storage_create(frame, value->string->len, global, false, &storage));
    memcpy(storage->data, value->string->text, value->string->len);
    storage->lent = true;
  }
  return hd_eval_pointer(frame, hd_result_type(op, 0), (uint64_t)(uintptr_t)storage->data, out);
}

HD_EVAL_HOOK(hd_memref) {
  uint64_t address;
  if (in[0].buffer->size < sizeof address) return hd_make_status(HD_INVALID_ARGUMENT, "expected a pointer");
  memcpy(&address, hd_tensor_data(&in[0]), sizeof address);
  int64_t *sizes;
  HD_TRY(hd_eval_index_operands(frame, in + 1, op->operand_count - 1, &sizes));
  HD_TRY(hd_memref_at(frame, hd_result_type(op, 0), address, sizes, out));
  return hd_memref_check(out);
}
