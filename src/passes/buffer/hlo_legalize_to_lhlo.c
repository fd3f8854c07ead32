/* SPDX-License-Identifier: Apache-2.0 */
/* disc-hlo-legalize-to-lhlo: tensors become memrefs, graph ops buffer ops that write their results.
 *
 *   %2 = stablehlo.add %0, %1 : tensor<?x8xf32>
 *   ->
 *   %b = memref.dim %0, 0
 *   %2 = memref.alloc(%b) : memref<?x8xf32>
 *   "lmhlo.add"(%0, %1, %2)
 *
 * Requires one function of one block, without calls. Dims are written as host arithmetic on the arguments' dims, equal
 * dims as one value. Ops that only compute shapes are gone with the operands that they gave; slices and pads with
 * run-time bounds get them as index operands after the buffers. Constants that are no splats stay lmhlo.constant.
 * Which ops are needed is legalize_needed.c's, sizes and allocations are legalize_sizes.c's, an op's own form is
 * analysis/buffer_form.h's. Control flow becomes scf (legalize_control_flow.c). Shape assertions
 * are dropped here: the entry's constraints hold them (driver/entry.c), as they hold what ops demand of the arguments'
 * dims, and hd.constraint says what follows from them; other demands become checks (legalize_checks.c). */
#include <inttypes.h>
#include <string.h>

#include "analysis/buffer_form.h"
#include "base/limits.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/analyses.h"
#include "passes/buffer/legalizer.h"
#include "shape/annotate.h"

static bool add_scalars(hd_legalizer *ctx, hd_op *op, uint32_t first, uint32_t last, uint32_t each, hd_value **operands,
                        size_t *count) {
  for (uint32_t o = first; o <= last; ++o)
    for (uint32_t i = 0; i < each; ++i) {
      hd_value *value = hd_legalize_shape_element(ctx, op, o, i);
      if (!value) return false;
      operands[(*count)++] = value;
    }
  return true;
}

/* What should have run before: the pass that leaves no such op. */
static bool has_no_buffer_form(hd_op *op) {
  hd_str name = hd_ident_str(op->name);
  if (hd_op_is(op, HD_OP_chlo_minimum_broadcast_shapes)) return hd_op_error(op, "has no compiled path");
  const char *pass = hd_op_has_trait(op, HD_TRAIT(CALL_LIKE)) || hd_op_is(op, HD_OP_stablehlo_composite) ? "inline"
                     : hd_str_starts(name, "chlo.")      ? "chlo-legalize-to-stablehlo"
                     : hd_str_starts(name, "stablehlo.") ? "hlo-expand"
                     : hd_op_is(op, HD_OP_mhlo_fusion)   ? "hlo-expand"
                                                         : NULL;
  if (!pass) return hd_op_error(op, "has no buffer form: disc-hlo-legalize-to-lhlo takes graph ops on tensors");
  return hd_op_error(op, "has no buffer form: run %s before disc-hlo-legalize-to-lhlo", pass);
}

/* "4x?x8". */
static const char *dims_text(hd_arena *arena, hd_type type) {
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  for (uint32_t d = 0; d < type->shaped.rank; ++d)
    if (type->shaped.dims[d] == HD_DYNAMIC)
      hd_strbuf_puts(&text, d ? "x?" : "?");
    else
      hd_strbuf_printf(&text, "%s%" PRId64, d ? "x" : "", type->shaped.dims[d]);
  return hd_strbuf_text(&text);
}

/* May a tensor of |type| be walked: is its rank what kernels have, and can it be in memory (HD_MAX_EXTENT)? A
 * kernel that reads more without memory would not end. A tensor without elements is anywhere, but its strides are
 * computed too. */
static bool check_extent(hd_arena *scratch, hd_op *op, const char *what, uint32_t i, hd_type type) {
  if (!hd_type_has_rank(type)) return true;
  if (type->shaped.rank > HD_MAX_RANK)
    return hd_op_error(op, "%s #%u has rank %u, expected %d at most", what, i, type->shaped.rank, (int)HD_MAX_RANK);
  int64_t count = 1, bytes = (int64_t)hd_type_element_bytes(hd_type_element(type));
  bool fits = true, empty = false;
  for (uint32_t d = 0; d < type->shaped.rank; ++d) {
    int64_t size = type->shaped.dims[d];
    empty |= size == 0;
    if (size > 0 && fits) fits = !__builtin_mul_overflow(count, size, &count);
  }
  if (fits && empty) return true;
  if (!fits && empty)
    return hd_op_error(op, "%s #%u has more than 2^63 elements, dims of 0 left out: %s", what, i,
                       dims_text(scratch, type));
  return (fits && !__builtin_mul_overflow(count, bytes, &bytes) && bytes <= HD_MAX_EXTENT) ||
         hd_op_error(op, "%s #%u has more than 2^%d bytes: %s", what, i, HD_ADDRESS_BITS, dims_text(scratch, type));
}

static bool lower_op(hd_legalizer *ctx, hd_op *op) {
  hd_opcode opcode = hd_opcode_get(op);
  hd_buffer_form form;
  if (!hd_buffer_form_of(op, &ctx->pass->arena, &form)) return has_no_buffer_form(op);
  if (hd_op_broadcasts_implicitly(op))
    return hd_op_error(op, "broadcasts implicitly: run disc-broadcast-simplifier before disc-hlo-legalize-to-lhlo");
  hd_builder b = hd_builder_before(op);
  if (op->block == ctx->entry) *ctx->host = b;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_type_is(hd_result_type(op, i), HD_TYPE_TUPLE))
      return hd_op_error(op, "has a tuple as its result: run hlo-expand before disc-hlo-legalize-to-lhlo");
    else if (hd_result_type(op, i)->kind != HD_TYPE_TENSOR)
      return hd_op_error(op, "has a result that is no ranked tensor, which has no compiled path");
    else if (!check_extent(&ctx->pass->arena, op, "result", i, hd_result_type(op, i)))
      return false;
  uint32_t rank =
      op->operand_count && hd_type_has_rank(hd_operand_type(op, 0)) ? hd_type_rank(hd_operand_type(op, 0)) : 0;
  size_t input_count = form.inputs.len, first_capture = input_count - form.captures.len, count = 0;
  hd_value **operands =
      hd_new_array(&ctx->pass->arena, hd_value *, input_count + op->result_count + 3 * (size_t)rank + 16);
  for (size_t i = 0; i < input_count; ++i) {
    operands[count] = hd_legalize_buffer(ctx, form.inputs.data[i]);
    if (operands[count++]) continue;
    return hd_op_error(op, i < first_capture ? "has an operand that is no tensor, which has no compiled path"
                                             : "uses a value that is no tensor, which has no compiled path");
  }
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_value *buffer = hd_legalize_alloc(ctx, &b, hd_result(op, i), op);
    if (!buffer) return false;
    hd_map_set(&ctx->pass->arena, &ctx->buffers, hd_result(op, i), buffer);
    operands[count++] = buffer;
  }
  if (opcode == HD_OP_stablehlo_real_dynamic_slice) { /* starts, then strides */
    if (!add_scalars(ctx, op, 1, 1, rank, operands, &count) || !add_scalars(ctx, op, 3, 3, rank, operands, &count))
      return false;
  } else if (opcode == HD_OP_stablehlo_dynamic_pad) {
    if (!add_scalars(ctx, op, 2, 4, rank, operands, &count)) return false;
  } else if (opcode == HD_OP_stablehlo_dynamic_conv && rank > 2) {
    if (!add_scalars(ctx, op, 2, 2, 2 * (rank - 2), operands, &count)) return false;
  }
  hd_buffer_form_build(&form, &b, op, &ctx->pass->arena, operands, count);
  return true;
}

/* What this pass writes: a program has no such ops before, for they would be taken as they are, and read and write any
 * memory. */
static bool is_host(const hd_op *op) {
  hd_str name = hd_ident_str(op->name);
  return hd_str_starts(name, "memref.") || hd_str_starts(name, "arith.") || hd_str_starts(name, "scf.") ||
         hd_str_is(name, "hd.ral_call");
}

static bool check_no_host(const hd_legalizer *ctx) {
  bool ok = true;
  for (size_t i = 0; i < ctx->needed.len; ++i) {
    hd_op *op = ctx->needed.entries[i].value.ptr;
    if (is_host(op)) ok = has_no_buffer_form(op);
  }
  return ok;
}

static bool is_branch(const hd_op *op) {
  return hd_op_is(op, HD_OP_stablehlo_if) || hd_op_is(op, HD_OP_stablehlo_case);
}

bool hd_legalize_block(hd_legalizer *ctx, hd_block *block) {
  for (hd_op *op = block->first, *next; op; op = next) {
    next = op->next;
    if (!hd_legalize_checks(ctx, op)) return false;
    if (op->info->derived_from || hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) || !hd_map_get(&ctx->needed, op)) continue;
    if (is_host(op)) continue;
    bool known = hd_legalize_is_known(ctx, op);
    bool reads_dim = hd_op_is(op, HD_OP_stablehlo_get_dimension_size) && !hd_legalize_is_on_device(op);
    bool ok = known                                   ? hd_legalize_known(ctx, op)
              : reads_dim                             ? hd_legalize_dimension_size(ctx, op)
              : hd_op_is(op, HD_OP_stablehlo_while)   ? hd_legalize_while(ctx, op)
              : is_branch(op)                         ? hd_legalize_branches(ctx, op)
              : hd_op_is(op, HD_OP_interpreter_print) ? hd_legalize_print(ctx, op)
                                                      : lower_op(ctx, op);
    if (!ok) return false;
  }
  /* The graph ops are gone from the last to the first. */
  for (hd_op *op = block->last, *previous; op; op = previous) {
    previous = op->prev;
    if (op->info->derived_from || hd_op_has_trait(op, HD_TRAIT(TERMINATOR)) || is_host(op)) continue;
    bool used = false;
    for (uint32_t i = 0; i < op->result_count; ++i) {
      hd_for_each_use(use, hd_result(op, i))
        used |= !hd_op_has_trait(use->owner, HD_TRAIT(TERMINATOR)) && use->owner->block;
    }
    if (used) continue;
    for (uint32_t i = 0; i < op->result_count; ++i) {
      hd_value *buffer = hd_legalize_buffer(ctx, hd_result(op, i));
      if (buffer) hd_value_replace_uses(hd_result(op, i), buffer);
    }
    hd_op_erase(op);
  }
  return true;
}

/* Writes down what the program asserts of the arguments' dims, which nothing says any more once the assertions are
 * gone. A program without assertions keeps what it has. */
static void keep_asserted(hd_shapes *shapes) {
  if (!shapes->assertions.len) return;
  hd_shapes_name_arguments(shapes);
  (void)hd_shapes_write_constraints(shapes, true);
}

bool hd_pass_hlo_legalize_to_lhlo(hd_pass *pass, hd_op *func) {
  hd_region *region = hd_op_region(func, 0);
  if (region->first->next)
    return hd_op_error(func, "has more than one block: disc-hlo-legalize-to-lhlo expects structured control flow");
  if (!hd_placement_is_complete(func)) return false;
  hd_builder host;
  hd_legalizer ctx = {
      .pass = pass, .shapes = hd_pass_shapes(pass, func), .func = func, .entry = region->first, .host = &host};
  hd_messages_begin(&ctx.messages, pass, func);
  if (!hd_shapes_check_constraints(ctx.shapes)) return false;
  hd_block *entry = region->first;
  host = hd_builder_at_start(pass->module, entry);
  hd_op *ret = entry->last;
  for (uint32_t i = 0; i < ret->operand_count; ++i) hd_legalize_need(&ctx, hd_operand(ret, i));
  hd_legalize_find_checks(&ctx, hd_legalize_need);
  hd_for_each_op(op, entry) {
    if (hd_op_is_pure(op) || hd_legalize_is_assertion(op) || op == ret) continue;
    hd_legalize_need_op(&ctx, op);
  }
  if (!check_no_host(&ctx)) return false;
  for (uint32_t i = 0; i < entry->arg_count; ++i)
    if (!check_extent(&pass->arena, func, "argument", i, entry->args[i]->type)) return false;
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    if (hd_type_is(entry->args[i]->type, HD_TYPE_MEMREF))
      return hd_op_error(func, "argument #%u is a buffer: disc-hlo-legalize-to-lhlo expects tensors", i);
    if (entry->args[i]->type->kind != HD_TYPE_TENSOR)
      return hd_op_error(func, "argument %u is no ranked tensor, which has no compiled path", i);
    hd_map_set(&pass->arena, &ctx.buffers, entry->args[i], entry->args[i]);
  }
  /* Arguments change their types last, since shapes are asked by tensor; their memrefs are the same values. */
  hd_type *ins = hd_new_array(&pass->arena, hd_type, entry->arg_count),
          *outs = hd_new_array(&pass->arena, hd_type, ret->operand_count);
  for (uint32_t i = 0; i < entry->arg_count; ++i) {
    ins[i] = hd_legalize_memref(entry->args[i]->type);
    hd_shapes_get(ctx.shapes, entry->args[i]);
    entry->args[i]->type = ins[i];
  }
  keep_asserted(ctx.shapes);
  if (!hd_legalize_block(&ctx, entry)) return false;
  for (uint32_t i = 0; i < ret->operand_count; ++i) outs[i] = hd_operand_type(ret, i);
  hd_function_like_set_function_type(
      func, hd_attr_type(hd_type_function(pass->context, ins, entry->arg_count, outs, ret->operand_count)));
  hd_messages_end(&ctx.messages);
  pass->changed = true;
  return true;
}
