/* SPDX-License-Identifier: Apache-2.0 */
/* bf16-to-gpu: kernels for devices without bf16 (OpenCL's and Vulkan's SPIR-V). Elements cross from host to device as
 * i16; the kernel computes in f32 (bf16_kernels.c, codegen/widen.h), the host gives each buffer a second view (below).
 *
 *   %m = gpu.alloc () : memref<8xbf16>        %bytes = gpu.alloc () : memref<16xi8>
 *                                             %m = memref.view %bytes[%c0][] : memref<16xi8> to memref<8xbf16>
 *                                        ->   %s = memref.view %bytes[%c0][] : memref<16xi8> to memref<8xi16>
 *   gpu.launch_func ... args(%m)              gpu.launch_func ... args(%s)
 *   gpu.dealloc %m                            gpu.dealloc %bytes
 *
 * Buffers that no allocation in sight made (arguments, results of calls and control flow) are cast; what views a buffer
 * is repeated on the stored one. With |excess-precision| what is rounded and widened again at once is not rounded. */
#include "passes/gpu/bf16_to_gpu.h"

#include "analysis/buffer_deps.h"
#include "ir/launch_items.h"
#include "ir/ops/interfaces.h"
#include "passes/passes.h"

typedef struct stored_buffers {
  hd_pass *pass;
  const hd_stored_element *element;
  hd_map views; /* buffer -> its stored view */
} stored_buffers;

/* Bytes of the buffer that |alloc| makes: a number, or the product with sizes that only the run knows. */
static hd_value *byte_count(hd_builder *b, hd_type type, hd_value *const *sizes, uint32_t count, int64_t *out_bytes) {
  hd_type element = type->shaped.element;
  int64_t bytes = hd_type_is_shaped(element) ? hd_type_num_elements(element) : 1;
  bytes *= (int64_t)hd_type_element_bytes(hd_type_element(element));
  for (uint32_t d = 0; d < type->shaped.rank; ++d)
    if (type->shaped.dims[d] != HD_DYNAMIC && __builtin_mul_overflow(bytes, type->shaped.dims[d], &bytes)) return NULL;
  *out_bytes = count ? HD_DYNAMIC : bytes;
  hd_value *product = hd_build_index(b, count ? bytes : 0);
  for (uint32_t i = 0; i < count; ++i) product = hd_build_binary(b, HD_OP_arith_muli, product, sizes[i]);
  return product;
}

static hd_value *view(hd_builder *b, hd_type type, hd_value *bytes, hd_value *zero, hd_value *const *sizes,
                      uint32_t count) {
  hd_value **operands = hd_new_array(&b->module->arena, hd_value *, count + 2);
  operands[0] = bytes;
  operands[1] = zero;
  for (uint32_t i = 0; i < count; ++i) operands[2 + i] = sizes[i];
  return hd_build_one_(b, HD_OP_memref_view, type, operands, count + 2, NULL, 0);
}

/* |alloc| of bytes, with both views. */
static bool split_alloc(stored_buffers *s, hd_op *alloc, size_t sizes_item) {
  hd_type type = hd_result_type(alloc, 0), i8 = hd_type_integer(s->pass->context, 8, HD_SIGNLESS);
  if (type->shaped.layout) return hd_op_error(alloc, "allocates bf16 with a layout, expected a dense buffer");
  uint32_t first, count;
  hd_op_operand_range(alloc, sizes_item, &first, &count);
  hd_builder b = hd_builder_before(alloc);
  b.loc = alloc->loc;
  hd_value **sizes = hd_new_array(&s->pass->arena, hd_value *, count + 1);
  for (uint32_t i = 0; i < count; ++i) sizes[i] = hd_operand(alloc, first + i);
  int64_t bytes;
  hd_value *product = byte_count(&b, type, sizes, count, &bytes);
  if (!product) return hd_op_error(alloc, "allocates 2^63 bytes or more, expected fewer");
  hd_value *zero = count ? hd_build_index(&b, 0) : product;
  hd_type made = hd_type_memref(i8, &bytes, 1, NULL, type->shaped.space);
  /* The same op on bytes: its tokens, attributes and location stay. */
  hd_builder after = hd_builder_after(alloc);
  after.loc = alloc->loc;
  hd_value **operands = hd_new_array(&s->pass->arena, hd_value *, alloc->operand_count + 1);
  size_t used = 0;
  for (uint32_t i = 0; i < alloc->operand_count; ++i) {
    if (i == first && count) operands[used++] = product;
    if (i < first || i >= first + count) operands[used++] = hd_operand(alloc, i);
  }
  if (first == alloc->operand_count && count) operands[used++] = product;
  hd_value *buffer = hd_result(alloc, 0), *narrow, *stored;
  hd_op_set_operands(alloc, operands, used);
  hd_attr segments = hd_segmented_operandSegmentSizes(alloc);
  if (count > 1 && segments) {
    int32_t counts[4] = {0};
    for (size_t i = 0; i < hd_attr_count(segments) && i < 4; ++i) counts[i] = (int32_t)hd_attr_int_at(segments, i);
    counts[sizes_item] = 1;
    hd_segmented_set_operandSegmentSizes(alloc, hd_attr_i32_array(s->pass->context, counts, hd_attr_count(segments)));
  }
  narrow = view(&after, type, buffer, zero, sizes, count);
  stored = view(&after, hd_stored_form(s->element, type), buffer, zero, sizes, count);
  buffer->type = made;
  hd_use *next;
  for (hd_use *use = buffer->first_use; use; use = next) {
    next = use->next;
    bool keeps = hd_op_has_trait(use->owner, HD_TRAIT(FREES)) || use->owner == hd_value_op(narrow) ||
                 use->owner == hd_value_op(stored);
    if (!keeps) hd_op_set_operand(use->owner, use->index, narrow);
  }
  hd_map_set(&s->pass->arena, &s->views, narrow, stored);
  return true;
}

/* Ops whose result is another way to see their first operand's memory: buffers, and a buffer of a pointer. */
static bool is_view(const hd_op *op) {
  return op && (hd_op_has_trait(op, HD_TRAIT(VIEW_LIKE)) || hd_op_is(op, HD_OP_hd_memref));
}

/* The stored view of |buffer|. */
static hd_value *stored_view(stored_buffers *s, hd_value *buffer) {
  hd_map_entry *known = hd_map_find(&s->views, buffer);
  if (known) return known->value.ptr;
  hd_op *op = hd_value_op(buffer);
  hd_type type = hd_stored_form(s->element, buffer->type);
  hd_builder b = op ? hd_builder_after(op) : hd_builder_at_start(s->pass->module, hd_value_block(buffer));
  b.loc = hd_value_loc(buffer);
  hd_value *stored;
  if (is_view(op)) {
    hd_value **operands = hd_new_array(&s->pass->arena, hd_value *, op->operand_count);
    for (uint32_t i = 0; i < op->operand_count; ++i) operands[i] = hd_operand(op, i);
    if (hd_holds_narrow(s->element, operands[0]->type)) operands[0] = stored_view(s, operands[0]);
    stored = hd_result(hd_build_like(&b, op, hd_opcode_get(op), operands, op->operand_count, &type, 1), 0);
  } else {
    stored = hd_build(&b, HD_OP_builtin_unrealized_conversion_cast, type, buffer);
  }
  hd_map_set(&s->pass->arena, &s->views, buffer, stored);
  return stored;
}

static bool store_launch(stored_buffers *s, hd_op *launch) {
  uint32_t first, count;
  hd_op_operand_range(launch, HD_LAUNCH_ARGUMENTS, &first, &count);
  for (uint32_t i = first; i < first + count; ++i) {
    hd_value *value = hd_operand(launch, i);
    if (!hd_holds_narrow(s->element, value->type)) continue;
    hd_type stored = hd_stored_form(s->element, value->type);
    if (hd_holds_narrow(s->element, stored) || (value->type->kind == HD_TYPE_MEMREF && !hd_type_has_rank(value->type)))
      return hd_op_error(launch, "passes bf16 in a value that has no form of i16");
    hd_builder b = hd_builder_before(launch);
    b.loc = launch->loc;
    hd_op_set_operand(
        launch, i,
        value->type->kind == HD_TYPE_MEMREF ? stored_view(s, value) : hd_build(&b, HD_OP_arith_bitcast, stored, value));
  }
  return true;
}

static bool is_of_the_device(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_alloc); }
static bool is_launch(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_launch_func); }
static bool is_inline_launch(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_launch); }

/* Host allocations whose buffer a launch takes as it is. */
static bool is_taken(const hd_op *op) {
  if (!hd_op_is(op, HD_OP_memref_alloc) && !hd_op_is(op, HD_OP_memref_alloca)) return false;
  for (const hd_use *use = op->results[0].first_use; use; use = use->next)
    if (hd_op_is(use->owner, HD_OP_gpu_launch_func)) return true;
  return false;
}

static bool is_without_narrow(hd_op *op, void *user) {
  const hd_stored_element *element = user;
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      for (uint32_t i = 0; i < block->arg_count; ++i)
        if (hd_holds_narrow(element, block->args[i]->type)) return false;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_holds_narrow(element, hd_operand_type(op, i))) return false;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_holds_narrow(element, hd_result_type(op, i))) return false;
  return true;
}

/* Buffers of host functions get a stored view beside their own, which launches take. */
static bool store_launches(hd_pass *pass, const hd_stored_element *element, hd_op *module) {
  stored_buffers s = {.pass = pass, .element = element};
  hd_op_list inlined = hd_ops_where(module, is_inline_launch, &pass->arena);
  for (size_t i = 0; i < inlined.len; ++i)
    if (!hd_walk_pre(inlined.data[i], is_without_narrow, (void *)(uintptr_t)element))
      return hd_op_error(inlined.data[i], "computes on bf16 in place, expected a kernel of its own (gpu.launch_func)");
  hd_op_list allocs = hd_ops_where(module, is_of_the_device, &pass->arena);
  hd_op_list taken = hd_ops_where(module, is_taken, &pass->arena);
  for (size_t i = 0; i < allocs.len; ++i)
    if (hd_holds_narrow(element, hd_result_type(allocs.data[i], 0)) && !split_alloc(&s, allocs.data[i], 1))
      return false;
  for (size_t i = 0; i < taken.len; ++i)
    if (hd_holds_narrow(element, hd_result_type(taken.data[i], 0)) && !split_alloc(&s, taken.data[i], 0)) return false;
  hd_op_list launches = hd_ops_where(module, is_launch, &pass->arena);
  for (size_t i = 0; i < launches.len; ++i)
    if (!store_launch(&s, launches.data[i])) return false;
  return true;
}

/* ---- the pass ---- */

static bool is_kernel_module(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_module); }

bool hd_pass_bf16_to_gpu(hd_pass *pass, hd_op *module) {
  hd_stored_element element = {hd_type_float(pass->context, HD_BF16), hd_type_integer(pass->context, 16, HD_SIGNLESS),
                               hd_f32(pass->context)};
  if (hd_walk_pre(module, is_without_narrow, &element)) return true;
  if (!store_launches(pass, &element, module)) return false;
  hd_op_list kernels = hd_ops_where(module, is_kernel_module, &pass->arena);
  for (size_t i = 0; i < kernels.len; ++i)
    if (!hd_store_kernels(pass, &element, kernels.data[i])) return false;
  pass->changed = true;
  return true;
}
