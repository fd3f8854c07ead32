/* SPDX-License-Identifier: Apache-2.0 */
/* disc-localize-small-cpu-buffer: small host buffers live on the stack.
 *
 *   %i = memref.alloc() : memref<i32>        ->      %i = memref.alloca() : memref<i32>
 *   ...                                              ...
 *   memref.dealloc %i
 *
 * Only buffers of a known size up to `max-bytes` whose lifetime the function controls: not what it returns or stores an
 * address of in memory that outlives it. Buffers that a loop carries go to the stack together, all that may change
 * places with each other, since its results are freed by place. Runs after disc-buffer-deallocation; device buffers
 * stay. A stack slot belongs to the whole call, so a buffer inside of a loop is the same one in every step. */
#include "base/vec.h"
#include "ir/ops/discardable.h"
#include "passes/passes.h"

typedef struct localizer {
  hd_pass *pass;
  int64_t max_bytes;
  hd_vec(hd_op *) small;
} localizer;

static bool is_small(localizer *ctx, const hd_op *alloc) {
  hd_type type = hd_result_type(alloc, 0);
  int64_t count = hd_type_num_elements(type);
  size_t size = hd_type_element_bytes(hd_type_element(type));
  return count >= 0 && size && count <= ctx->max_bytes / (int64_t)size && !type->shaped.layout && !type->shaped.space;
}

/* Does |value|, or what sees its memory, leave the function? */
static bool escapes(hd_value *value) {
  hd_for_each_use(use, value) {
    hd_op *op = use->owner;
    if (hd_op_has_trait(op, HD_TRAIT(TERMINATOR))) return true;
    if (hd_op_is(op, HD_OP_scf_while)) continue; /* carried: asked there */
    for (uint32_t r = 0; r < op->result_count; ++r)
      if (hd_type_is(hd_result_type(op, r), HD_TYPE_MEMREF) && escapes(hd_result(op, r))) return true;
  }
  return false;
}

static hd_op *carrier_of(hd_value *value) {
  hd_for_each_use(use, value)
    if (hd_op_is(use->owner, HD_OP_scf_while)) return use->owner;
  return NULL;
}

/* All buffers of |type| that |loop| carries are allocations that only it uses, and its results stay inside. */
static bool carries_only_local(hd_op *loop, hd_type type) {
  for (uint32_t i = 0; i < loop->operand_count; ++i) {
    if (hd_operand_type(loop, i) != type) continue;
    hd_op *start = hd_value_op(hd_operand(loop, i));
    if (!hd_op_is(start, HD_OP_memref_alloc) || escapes(hd_result(loop, i)) || carrier_of(hd_result(loop, i)))
      return false;
    hd_for_each_use(use, hd_result(start, 0))
      if (hd_op_is(use->owner, HD_OP_scf_while) && use->owner != loop) return false;
  }
  return true;
}

static void drop_deallocs(hd_value *value) {
  for (hd_use *use = value->first_use, *next; use; use = next) {
    next = use->next;
    if (hd_op_is(use->owner, HD_OP_memref_dealloc)) hd_op_erase(use->owner);
  }
}

static void localize(localizer *ctx, hd_op *alloc) {
  hd_value *old = hd_result(alloc, 0);
  hd_op *loop = carrier_of(old);
  drop_deallocs(old);
  for (uint32_t i = 0; loop && i < loop->operand_count; ++i)
    if (hd_operand_type(loop, i) == old->type) drop_deallocs(hd_result(loop, i));
  hd_builder b = hd_builder_before(alloc);
  b.loc = alloc->loc;
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(b.context, (int32_t[]){0, 0}, 2)};
  hd_value *slot = hd_build_one_(&b, HD_OP_memref_alloca, old->type, NULL, 0, &segments, 1);
  hd_value_replace_uses(old, slot);
  hd_op_erase(alloc);
  ctx->pass->changed = true;
}

static bool visit(hd_op *op, void *user) {
  localizer *ctx = user;
  if (!hd_op_is(op, HD_OP_memref_alloc) || !is_small(ctx, op) || escapes(hd_result(op, 0))) return true;
  hd_op *loop = carrier_of(hd_result(op, 0));
  if (!loop || carries_only_local(loop, hd_result_type(op, 0))) hd_vec_push(&ctx->pass->arena, &ctx->small, op);
  return true;
}

bool hd_pass_localize_small_cpu_buffer(hd_pass *pass, hd_op *func) {
  if (hd_discardable_kernel(func)) return true;
  localizer ctx = {.pass = pass, .max_bytes = hd_option_int(pass, "max-bytes")};
  hd_walk_pre(func, visit, &ctx);
  for (size_t i = 0; i < ctx.small.len; ++i) localize(&ctx, ctx.small.data[i]);
  return true;
}
