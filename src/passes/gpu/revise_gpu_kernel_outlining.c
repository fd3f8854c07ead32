/* SPDX-License-Identifier: Apache-2.0 */
/* disc-revise-gpu-kernel-outlining: host buffers, which hold shapes, are passed to kernels as their elements.
 *
 *   gpu.launch_func @k::@k ... args(%s : memref<2xi32>)        %a = memref.load %s[%c0], %b = memref.load %s[%c1]
 *                                                        ->    gpu.launch_func @k::@k ... args(%a : i32, %b : i32)
 *   gpu.func @k(%s: memref<2xi32>) kernel {                    gpu.func @k(%a: i32, %b: i32) kernel {
 *     %x = memref.load %s[%i]                                    %x = arith.select %i == 1, %b, %a
 *
 * A host buffer is one without memory space. A kernel cannot read its address, so it must be of static shape (the rank
 * is known, so the shape of a shape is) and only be read; anything else is an error. Buffers of the device stay. */
#include "ir/launch_items.h"
#include "ir/ops/arith.h"
#include "ir/ops/interfaces.h"
#include "passes/passes.h"

enum { MAX_ELEMENTS = 64 };

static bool is_host(hd_type type) { return type->kind == HD_TYPE_MEMREF && !type->shaped.space; }

/* The row-major position that |load| reads. */
static hd_value *position(hd_builder *b, hd_op *load) {
  hd_type type = hd_operand_type(load, 0);
  hd_value *at = NULL;
  for (uint32_t d = 0; d < type->shaped.rank; ++d) {
    hd_value *index = hd_operand(load, 1 + d);
    if (at)
      at = hd_build(b, HD_OP_arith_addi, at->type,
                    hd_build(b, HD_OP_arith_muli, at->type, at, hd_build_index(b, type->shaped.dims[d])), index);
    else
      at = index;
  }
  return at ? at : hd_build_index(b, 0);
}

static hd_value *element(hd_builder *b, hd_op *load, hd_value *const *elements, int64_t count) {
  hd_type type = hd_operand_type(load, 0);
  int64_t linear = 0, known;
  bool constant = true;
  for (uint32_t d = 0; d < type->shaped.rank && constant; ++d) {
    constant = hd_value_constant_int(hd_operand(load, 1 + d), &known);
    if (constant) linear = linear * type->shaped.dims[d] + known;
  }
  if (constant && linear >= 0 && linear < count) return elements[linear];
  hd_value *at = position(b, load), *value = elements[0];
  for (int64_t i = 1; i < count; ++i)
    value = hd_build(b, HD_OP_arith_select, value->type, hd_arith_cmpi(b, HD_ARITH_CMPI_EQ, at, hd_build_index(b, i)),
                     elements[i], value);
  return value;
}

/* Replaces argument |a| of |kernel| by |count| scalars. */
static bool revise_kernel(hd_pass *pass, hd_op *kernel, uint32_t a, int64_t count) {
  hd_block *body = hd_op_region(kernel, 0)->first;
  hd_value *memory = body->args[a];
  hd_value *elements[MAX_ELEMENTS];
  for (int64_t i = 0; i < count; ++i)
    elements[i] = hd_block_insert_arg(pass->module, body, a + 1 + (uint32_t)i, hd_type_element(memory->type));
  while (memory->first_use) {
    hd_op *op = memory->first_use->owner;
    hd_builder b = hd_builder_before(op);
    int64_t dim;
    b.loc = op->loc;
    hd_value *value;
    if (hd_op_is(op, HD_OP_memref_load) && count)
      value = element(&b, op, elements, count);
    else if (hd_op_is(op, HD_OP_memref_dim) && hd_value_constant_int(hd_operand(op, 1), &dim) && dim >= 0 &&
             dim < memory->type->shaped.rank)
      value = hd_build_index(&b, memory->type->shaped.dims[dim]);
    else
      return hd_op_error(op, "uses a buffer in host memory, of which a kernel can only read elements");
    hd_op_replace(op, &value);
  }
  hd_block_erase_arg(body, a);
  return true;
}

static void set_type(hd_pass *pass, hd_op *kernel, uint32_t count) {
  hd_block *body = hd_op_region(kernel, 0)->first;
  hd_type *types = hd_new_array(&pass->arena, hd_type, count);
  for (uint32_t i = 0; i < count; ++i) types[i] = body->args[i]->type;
  hd_function_like_set_function_type(kernel, hd_attr_type(hd_type_function(pass->context, types, count, NULL, 0)));
}

static bool revise(hd_pass *pass, hd_op *launch, hd_map *kernels) {
  uint32_t start, count;
  hd_op_operand_range(launch, HD_LAUNCH_ARGUMENTS, &start, &count);
  hd_op *kernel = hd_symbol_resolve(launch, hd_launch_like_kernel(launch));
  if (!hd_op_is(kernel, HD_OP_gpu_func))
    return hd_op_error(launch, "expects a gpu.func as its kernel, got another symbol");
  bool any = false;
  for (uint32_t i = 0; i < count; ++i) any |= is_host(hd_operand_type(launch, start + i));
  /* A kernel is changed with its first launch; the others must pass the same. */
  bool is_new;
  hd_map_insert(&pass->arena, kernels, kernel, &is_new);
  if (!any) return true;
  hd_vec(hd_value *) operands = {0};
  for (uint32_t i = 0; i < start; ++i) hd_vec_push(&pass->arena, &operands, hd_operand(launch, i));
  hd_builder b = hd_builder_before(launch);
  b.loc = launch->loc;
  for (uint32_t i = 0; i < count; ++i) {
    hd_value *value = hd_operand(launch, start + i);
    if (!is_host(value->type)) {
      hd_vec_push(&pass->arena, &operands, value);
      continue;
    }
    int64_t elements = hd_type_num_elements(value->type);
    if (elements < 0 || elements > MAX_ELEMENTS)
      return hd_op_error(launch, "passes argument %u in host memory, expected a static shape of at most %d elements", i,
                         MAX_ELEMENTS);
    if (is_new && !revise_kernel(pass, kernel, (uint32_t)operands.len - start, elements)) return false;
    uint32_t rank = hd_type_rank(value->type);
    for (int64_t e = 0; e < elements; ++e) {
      hd_value **load = hd_new_array(&pass->arena, hd_value *, 1 + rank);
      load[0] = value;
      for (int64_t d = rank, rest = e; d-- > 0; rest /= value->type->shaped.dims[d])
        load[1 + d] = hd_build_index(&b, rest % value->type->shaped.dims[d]);
      hd_vec_push(&pass->arena, &operands,
                  hd_build_one_(&b, HD_OP_memref_load, hd_type_element(value->type), load, 1 + rank, NULL, 0));
    }
  }
  if (is_new) set_type(pass, kernel, (uint32_t)operands.len - start);
  hd_op_set_operands(launch, operands.data, operands.len);
  int32_t segments[13] = {0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, (int32_t)(operands.len - start), 0};
  hd_attr old = hd_segmented_operandSegmentSizes(launch);
  for (int i = 0; i < 13; ++i)
    if (i != 11) segments[i] = (int32_t)hd_attr_int_at(old, (size_t)i);
  hd_segmented_set_operandSegmentSizes(launch, hd_attr_i32_array(pass->context, segments, 13));
  pass->changed = true;
  return true;
}

typedef struct reviser {
  hd_pass *pass;
  hd_map kernels;
  bool ok;
} reviser;

static bool visit(hd_op *op, void *user) {
  reviser *r = user;
  if (hd_op_is(op, HD_OP_gpu_launch_func)) r->ok = revise(r->pass, op, &r->kernels);
  return r->ok;
}

bool hd_pass_revise_gpu_kernel_outlining(hd_pass *pass, hd_op *module) {
  reviser r = {.pass = pass, .ok = true};
  hd_walk_post(module, visit, &r);
  return r.ok;
}
