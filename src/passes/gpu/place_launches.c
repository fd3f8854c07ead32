/* SPDX-License-Identifier: Apache-2.0 */
/* place-launches: host functions that launch kernels of their own become what the pipelines of devices have
 * before launches are calls of the runtime.
 *
 *   %m = gpu.alloc () : memref<8xbf16>                 %m = memref.alloc() : memref<8xbf16, #gpu.address_space<global>>
 *   memref.copy %a, %m                                 "lmhlo.copy"(%a, %m)
 *   %t = gpu.launch_func async @k::@f ... args(%m)  -> gpu.launch_func @k_f::@f ... args(%m)
 *   gpu.wait [%t]   gpu.dealloc %m
 *   gpu.module @k { gpu.func @f(memref<8xbf16>) ...    gpu.module @k_f { gpu.func @f(memref<8xbf16, global>) ... }
 *                   gpu.func @g ... }                  gpu.module @k_g { gpu.func @g ... }
 *
 * Buffers without a memory space lie on the device, but for those that the host alone loads from and stores to; of what
 * both want the host moves an element at a time, which is right and slow. Copies go by what lies where. Numbers that
 * the entry takes and gives are buffers of one element, as the runtime has them. What the entry writes of its arguments
 * is a copy, a result where it has no buffers as results. A stream is in order, so tokens say nothing and go; frees are
 * disc-buffer-deallocation's, which follows. A gpu.module has one kernel, of a name that no other has, and where all
 * launches of a kernel have blocks of one known size it says so. */
#include "analysis/buffer_places.h"
#include "ir/address_space.h"
#include "ir/launch_items.h"
#include "ir/ops/discardable.h"
#include "ir/ops/enums.h"
#include "ir/ops/interfaces.h"
#include "passes/gpu/entry_arguments.h"
#include "passes/gpu/host_elements.h"
#include "passes/gpu/kernel_modules.h"
#include "passes/passes.h"

enum { ALLOC_SIZES = 1 }; /* item of gpu.alloc */

typedef struct placer {
  hd_pass *pass;
  hd_vec(hd_value *) allocated; /* by gpu.alloc */
} placer;

/* ---- ops of the host without tokens ---------------------------------------------------------------------------- */

static bool plain_alloc(placer *p, hd_op *op) {
  uint32_t first, count;
  hd_op_operand_range(op, ALLOC_SIZES, &first, &count);
  if (first + count != op->operand_count) return hd_op_error(op, "has symbols of a layout, expected a dense buffer");
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value **sizes = hd_new_array(&p->pass->arena, hd_value *, count + 1);
  for (uint32_t i = 0; i < count; ++i) sizes[i] = hd_operand(op, first + i);
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b.context, (int32_t[]){(int32_t)count, 0}, 2)};
  hd_value *made = hd_build_one_(&b, HD_OP_memref_alloc, hd_result_type(op, 0), sizes, count, &segments, 1);
  hd_value_replace_uses(hd_result(op, 0), made);
  hd_vec_push(&p->pass->arena, &p->allocated, made);
  return true;
}

/* Operands |to|, |from| of |op|. */
static bool copy_plainly(hd_op *op, uint32_t to, uint32_t from) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value *target = hd_operand(op, to), *source = hd_operand(op, from);
  if (target->type->shaped.layout || source->type->shaped.layout)
    return hd_op_error(op, "copies a buffer with strides, expected dense ones");
  hd_build0(&b, HD_OP_lmhlo_copy, source, target);
  return true;
}

static void plain_launch(hd_op *op) {
  uint32_t tokens, first, count;
  hd_op_operand_range(op, HD_LAUNCH_TOKENS, &first, &tokens);
  hd_op_operand_range(op, HD_LAUNCH_OBJECT, &first, &count);
  if (!tokens && !count && !op->result_count) return;
  int32_t segments[HD_LAUNCH_ITEMS];
  hd_attr old = hd_segmented_operandSegmentSizes(op);
  for (size_t i = 0; i < HD_LAUNCH_ITEMS; ++i) segments[i] = (int32_t)hd_attr_int_at(old, i);
  segments[HD_LAUNCH_TOKENS] = segments[HD_LAUNCH_OBJECT] = 0;
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value **operands = hd_new_array(&b.module->arena, hd_value *, first - tokens + 1);
  for (uint32_t i = tokens; i < first; ++i) operands[i - tokens] = hd_operand(op, i);
  hd_op *made = hd_build_like(&b, op, HD_OP_gpu_launch_func, operands, first - tokens, NULL, 0);
  hd_op_attr_set(made, HD_NAME_operandSegmentSizes, hd_attr_i32_array(b.context, segments, HD_LAUNCH_ITEMS));
  if (op->result_count) return; /* erased with the token's other ends */
  hd_op_erase(op);
}

static bool plain_memcpy(placer *p, hd_op *op) {
  (void)p;
  return copy_plainly(op, op->operand_count - 2, op->operand_count - 1);
}

static bool plain_copy(placer *p, hd_op *op) {
  (void)p;
  return copy_plainly(op, 1, 0);
}

static bool plain_memset(placer *p, hd_op *op) {
  (void)p;
  return hd_op_error(op, "fills a buffer, which has no compiled path: expected a kernel that does");
}

/* What takes the place of each; null: nothing does here. */
static const struct {
  hd_opcode opcode;
  bool (*plain)(placer *p, hd_op *op);
} host_ops[] = {
    {HD_OP_gpu_alloc, plain_alloc},   {HD_OP_gpu_dealloc, NULL},    {HD_OP_gpu_memcpy, plain_memcpy},
    {HD_OP_gpu_memset, plain_memset}, {HD_OP_gpu_wait, NULL},       {HD_OP_gpu_launch_func, NULL},
    {HD_OP_memref_copy, plain_copy},  {HD_OP_memref_dealloc, NULL},
};
enum { HOST_OPS = sizeof host_ops / sizeof *host_ops };

static size_t find_host_op(const hd_op *op) {
  size_t i = 0;
  while (i < HOST_OPS && !hd_op_is(op, host_ops[i].opcode)) ++i;
  return i;
}

static bool is_on_the_host(const hd_op *op) { return find_host_op(op) < HOST_OPS; }

/* Tokens that control flow carries stay with what makes them: it would have to be built anew. */
static bool has_plain_uses(hd_op *op) {
  for (uint32_t i = 0; i < op->result_count; ++i)
    hd_for_each_use(use, hd_result(op, i))
      if (!is_on_the_host(use->owner))
        return hd_op_error(use->owner, "takes a token of '%s', which nothing but ops of the dialect gpu may",
                           op->info->name);
  return true;
}

static bool make_plain(placer *p, hd_op *func) {
  hd_op_list ops = hd_ops_where(func, is_on_the_host, &p->pass->arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i];
    bool launches = hd_op_is(op, HD_OP_gpu_launch_func);
    bool (*plain)(placer *, hd_op *) = host_ops[find_host_op(op)].plain;
    if (plain && !plain(p, op)) return false;
    if (!has_plain_uses(op)) return false;
    if (launches) {
      bool stays = !op->result_count;
      plain_launch(op);
      if (stays) ops.data[i] = NULL;
    }
  }
  for (size_t i = ops.len; i-- > 0;)
    if (ops.data[i]) hd_op_erase(ops.data[i]);
  return true;
}

/* ---- where buffers lie ----------------------------------------------------------------------------------------- */

static hd_type on_the_device(hd_context *context, hd_type t) {
  if (t->kind != HD_TYPE_MEMREF || t->shaped.space || !hd_type_has_rank(t)) return t;
  hd_attr space = hd_attr_of_gpu_address_space(context, HD_GPU_ADDRESS_SPACE_GLOBAL);
  return hd_type_memref(t->shaped.element, t->shaped.dims, t->shaped.rank, t->shaped.layout, space);
}

static bool is_launch(const hd_op *op) { return hd_op_is(op, HD_OP_gpu_launch_func); }
static bool is_host_alloc(const hd_op *op) {
  return hd_op_is(op, HD_OP_memref_alloc) && !hd_result_type(op, 0)->shaped.space;
}

static void set_signature(hd_pass *pass, hd_op *func) {
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_type type = hd_function_like_function_type(func)->type_value;
  uint32_t in_count = type->function.in_count, out_count = type->function.out_count;
  hd_type *ins = hd_new_array(&pass->arena, hd_type, in_count + 1);
  const hd_type *outs = type->function.outs;
  for (uint32_t i = 0; i < in_count; ++i) ins[i] = entry->args[i]->type;
  hd_for_each_block(block, hd_op_region(func, 0)) {
    if (!hd_op_is(block->last, HD_OP_func_return)) continue;
    out_count = block->last->operand_count;
    hd_type *types = hd_new_array(&pass->arena, hd_type, out_count + 1);
    for (uint32_t i = 0; i < out_count; ++i) types[i] = hd_operand_type(block->last, i);
    outs = types;
  }
  hd_function_like_set_function_type(func,
                                     hd_attr_type(hd_type_function(pass->context, ins, in_count, outs, out_count)));
}

static bool is_return(const hd_op *op) { return hd_op_is(op, HD_OP_func_return); }

static bool is_taken_alloca(const hd_op *op) {
  return hd_op_is(op, HD_OP_memref_alloca) &&
         hd_is_in_address_space(hd_result_type(op, 0), HD_GPU_ADDRESS_SPACE_GLOBAL);
}

static void want_operands(hd_buffer_places *places, hd_op_list ops) {
  for (size_t i = 0; i < ops.len; ++i)
    for (uint32_t k = 0; k < ops.data[i]->operand_count; ++k)
      hd_buffer_place_set(places, hd_operand(ops.data[i], k), HD_PLACEMENT_DEVICE, ops.data[i]);
}

static bool place_buffers(placer *p, hd_op *func) {
  hd_pass *pass = p->pass;
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_buffer_places *places = hd_buffer_places_of_launches(func, &pass->arena);
  want_operands(places, hd_ops_where(func, is_launch, &pass->arena));
  want_operands(places, hd_ops_where(func, is_return, &pass->arena));
  for (size_t i = 0; i < p->allocated.len; ++i)
    hd_buffer_place_set(places, p->allocated.data[i], HD_PLACEMENT_DEVICE, hd_value_op(p->allocated.data[i]));
  for (uint32_t i = 0; i < entry->arg_count; ++i)
    hd_buffer_place_set(places, entry->args[i], HD_PLACEMENT_DEVICE, func);
  for (size_t i = 0; i < places->values.len; ++i) {
    hd_value *value = places->values.data[i];
    if (hd_buffer_place(places, value) != HD_PLACEMENT_HOST) value->type = on_the_device(pass->context, value->type);
  }
  hd_op_list taken = hd_ops_where(func, is_taken_alloca, &pass->arena);
  for (size_t i = 0; i < taken.len; ++i) {
    hd_builder b = hd_builder_before(taken.data[i]);
    b.loc = taken.data[i]->loc;
    hd_type type = hd_result_type(taken.data[i], 0);
    uint32_t count = taken.data[i]->operand_count;
    hd_value **operands = hd_new_array(&pass->arena, hd_value *, count + 1);
    for (uint32_t k = 0; k < count; ++k) operands[k] = hd_operand(taken.data[i], k);
    hd_op *made = hd_build_like(&b, taken.data[i], HD_OP_memref_alloc, operands, count, &type, 1);
    hd_op_replace(taken.data[i], (hd_value *[]){hd_result(made, 0)});
  }
  hd_op_list allocs = hd_ops_where(func, is_host_alloc, &pass->arena);
  for (size_t i = 0; i < allocs.len; ++i) hd_discardable_set_host(allocs.data[i], true);
  set_signature(pass, func);
  return true;
}

/* ---- kernels --------------------------------------------------------------------------------------------------- */

/* Of a thread what it allocates; views lie where their buffer does. */
static hd_type in_kernel(hd_op *op, hd_type type) {
  bool is_view = op->operand_count && hd_operand_type(op, 0)->kind == HD_TYPE_MEMREF;
  if (type->kind != HD_TYPE_MEMREF || type->shaped.space || !hd_type_has_rank(type)) return type;
  hd_attr space = hd_op_is(op, HD_OP_memref_alloca)
                      ? hd_attr_of_gpu_address_space(type->context, HD_GPU_ADDRESS_SPACE_PRIVATE)
                  : is_view ? hd_operand_type(op, 0)->shaped.space
                            : hd_attr_of_gpu_address_space(type->context, HD_GPU_ADDRESS_SPACE_GLOBAL);
  return hd_type_memref(type->shaped.element, type->shaped.dims, type->shaped.rank, type->shaped.layout, space);
}

static bool place_op(hd_op *op, void *user) {
  hd_pass *pass = user;
  for (uint32_t i = 0; i < op->result_count; ++i) hd_result(op, i)->type = in_kernel(op, hd_result_type(op, i));
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      for (uint32_t i = 0; i < block->arg_count; ++i)
        block->args[i]->type = on_the_device(pass->context, block->args[i]->type);
  return true;
}

static bool place_signature(hd_op *op, void *user) {
  if (hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE)) && op->region_count && hd_op_region(op, 0)->first)
    set_signature(user, op);
  return true;
}

/* ---- host functions -------------------------------------------------------------------------------------------- */

static bool is_tensor(const hd_value *value) { return hd_type_is(value->type, HD_TYPE_TENSOR); }

static bool takes_tensor(const hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (is_tensor(hd_operand(op, i))) return true;
  return op->result_count && is_tensor(hd_result(op, 0));
}

/* Ops on tensors go through the other pipeline, which knows no launches. */
static bool check_buffers(hd_pass *pass, hd_op *func) {
  if (!hd_ops_where(func, is_launch, &pass->arena).len) return true;
  hd_op_list tensors = hd_ops_where(func, takes_tensor, &pass->arena);
  return !tensors.len || hd_op_error(tensors.data[0],
                                     "is on tensors in a function that launches kernels: expected "
                                     "ops on buffers beside gpu.launch_func");
}

/* ---- the pass -------------------------------------------------------------------------------------------------- */

static bool is_call(const hd_op *op) { return hd_op_is(op, HD_OP_func_call); }

static bool is_called(hd_pass *pass, hd_op *func) {
  hd_op_list calls = hd_ops_where(pass->module->op, is_call, &pass->arena);
  for (size_t i = 0; i < calls.len; ++i)
    if (hd_symbol_resolve(calls.data[i], hd_call_like_callee(calls.data[i])) == func) return true;
  return false;
}

bool hd_pass_place_launches(hd_pass *pass, hd_op *module) {
  if (!hd_split_kernel_modules(pass, module)) return false;
  hd_for_each_op(op, hd_module_body(pass->module)) {
    if (hd_op_is(op, HD_OP_gpu_module)) {
      hd_walk_pre(op, place_op, pass);
      hd_walk_pre(op, place_signature, pass);
    } else if (hd_op_is(op, HD_OP_func_func) && hd_op_region(op, 0)->first) {
      placer p = {.pass = pass};
      bool is_entry = !is_called(pass, op);
      if (is_entry) hd_box_numbers(pass, op);
      if (!check_buffers(pass, op) || (is_entry && !hd_own_arguments(pass, op)) || !make_plain(&p, op) ||
          !place_buffers(&p, op) || !hd_access_elements(pass, op))
        return false;
    }
  }
  pass->changed = true;
  return true;
}
