/* SPDX-License-Identifier: Apache-2.0 */
/* Runs functions by their plans (plan.h). A call is a frame: the slots of one activation. Regions of an op run in the
 * frame of their function, each block argument and result in its slot, so a region that runs again overwrites what it
 * left. */
#include "eval/core/run.h"

#include <string.h>

#include "eval/core/broadcast.h"
#include "eval/core/quantized.h"
#include "eval/core/scalar.h"
#include "eval/core/storage.h"
#include "eval/core/wide.h"
#include "ir/ops/interfaces.h"

static void describe(hd_strbuf *out, hd_type type) {
  if (type && type->context->print_type)
    type->context->print_type(out, type);
  else if (hd_type_is(type, HD_TYPE_TENSOR))
    hd_strbuf_printf(out, "a tensor of dims %s", hd_dims_text(type->shaped.rank, type->shaped.dims));
  else
    hd_strbuf_puts(out, "another type");
}

static bool fits(hd_type declared, const hd_tensor *tensor) {
  hd_type type = tensor->type;
  if (!type) return false;
  if (type == declared) return true;
  if (hd_type_is(declared, HD_TYPE_UNRANKED_TENSOR))
    return hd_type_is(type, HD_TYPE_TENSOR) && declared->shaped.element == type->shaped.element;
  if (hd_type_is(declared, HD_TYPE_TENSOR)) {
    if (!hd_type_is(type, HD_TYPE_TENSOR) || declared->shaped.element != type->shaped.element ||
        declared->shaped.rank != type->shaped.rank)
      return false;
    for (uint32_t i = 0; i < type->shaped.rank; ++i)
      if (declared->shaped.dims[i] != HD_DYNAMIC && declared->shaped.dims[i] != type->shaped.dims[i]) return false;
    return true;
  }
  if (hd_type_is(declared, HD_TYPE_TUPLE)) {
    if (!hd_type_is(type, HD_TYPE_TUPLE) || declared->function.in_count != type->function.in_count) return false;
    for (uint32_t i = 0; i < declared->function.in_count; ++i)
      if (!fits(declared->function.ins[i], hd_tuple_get(tensor, i))) return false;
    return true;
  }
  return false;
}

static hd_status check_fit(hd_evaluator *e, hd_type declared, const hd_tensor *tensor, const char *what, uint32_t i) {
  if (fits(declared, tensor)) return HD_STATUS_OK;
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf want, got;
  hd_strbuf_init(&want, &scratch);
  hd_strbuf_init(&got, &scratch);
  describe(&want, declared);
  if (tensor->type)
    describe(&got, tensor->type);
  else
    hd_strbuf_puts(&got, "no value");
  hd_status status = hd_make_status(HD_INVALID_ARGUMENT, "%s %u: expected %s, got %s", what, i, hd_strbuf_text(&want),
                                    hd_strbuf_text(&got));
  hd_arena_free(&scratch);
  (void)e;
  return status;
}

/* Dequantizes operands, runs the op, quantizes results. */
static hd_status run_expressed(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  hd_tensor *floats;
  HD_TRY(hd_eval_temp(frame, op->operand_count, sizeof *floats, &floats));
  hd_status status = HD_STATUS_OK;
  for (uint32_t i = 0; i < op->operand_count && hd_is_ok(status); ++i) {
    if (hd_tensor_is_tensor(&in[i]) && hd_type_is(hd_tensor_element(&in[i]), HD_TYPE_QUANT))
      status = hd_eval_dequantized(frame, &in[i], &floats[i]);
    else
      floats[i] = hd_tensor_retain(in[i]);
  }
  if (hd_is_ok(status)) status = hd_eval_hook_of(op->info->opcode)(frame, op, floats, out);
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_tensor_release(&floats[i]);
  for (uint32_t i = 0; i < op->result_count && hd_is_ok(status); ++i) {
    hd_type type = hd_result_type(op, i);
    if (!hd_type_is_tensor(type) || !hd_type_is(type->shaped.element, HD_TYPE_QUANT) || !hd_tensor_is_tensor(&out[i]))
      continue;
    hd_tensor stored = {0};
    status = hd_eval_quantized(frame, &out[i], type->shaped.element, &stored);
    hd_tensor_release(&out[i]);
    out[i] = stored;
  }
  return status;
}

/* What the hook of |op| gives; operands of an old program's elementwise op that says broadcast_dimensions spread. */
static hd_status run_hook(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  hd_eval_hook hook = hd_eval_hook_of(op->info->opcode);
  hd_op *wide = frame->evaluator->plans.widens ? hd_map_get(&frame->evaluator->plans.wides, op) : NULL;
  if (wide) return hd_eval_run_wide(frame, op, wide, in, out);
  if (!hd_op_broadcasts_implicitly(op)) return hook(frame, op, in, out);
  return hd_eval_broadcast_then(frame, op, in, out, op->operand_count, hook);
}

/* Evaluates one op with its operands gathered in |in|; results go to |out|, checked. */
hd_status hd_eval_run_op(hd_eval_frame *frame, hd_op *op, bool expressed, const hd_tensor *in, hd_tensor *out) {
  hd_evaluator *e = frame->evaluator;
  if (!hd_eval_hook_of(op->info->opcode)) return hd_make_status(HD_UNIMPLEMENTED, "has no evaluator");
  size_t mark = e->temp_count;
  bool outer = e->expressing;
  e->expressing = expressed;
  hd_status status = expressed ? run_expressed(frame, op, in, out) : run_hook(frame, op, in, out);
  e->expressing = outer;
  hd_eval_drop_temps(e, mark);
  for (uint32_t i = 0; hd_is_ok(status) && i < op->result_count; ++i)
    status = check_fit(e, hd_result_type(op, i), &out[i], "result", i);
  if (!hd_is_ok(status))
    for (uint32_t i = 0; i < op->result_count; ++i) hd_tensor_release(&out[i]);
  return status;
}

hd_status hd_eval_run_graph_op(hd_eval_frame *frame, hd_op *graph_op, const hd_tensor *in, hd_tensor *out) {
  return hd_eval_run_op(frame, graph_op, hd_eval_computes_expressed(graph_op), in, out);
}

hd_status hd_eval_step_operand(hd_eval_frame *frame, const hd_step *s, uint32_t i, hd_tensor *out) {
  *out = s->operands[i] == HD_NO_SLOT ? (hd_tensor){0} : *hd_frame_slot(frame, s->operands[i]);
  return out->type ? HD_STATUS_OK : hd_make_status(HD_INTERNAL, "operand %u has no value here", i);
}

static void release_dead(hd_eval_frame *frame, const hd_step *s) {
  for (uint32_t i = 0; i < s->death_count; ++i) hd_tensor_release(hd_frame_slot(frame, s->deaths[i]));
}

void hd_eval_finish_step(hd_eval_frame *frame, const hd_step *s, const hd_tensor *values) {
  for (uint32_t i = 0; i < s->op->result_count; ++i) {
    hd_tensor *slot = hd_frame_slot(frame, s->result + i);
    hd_tensor_release(slot);
    *slot = values[i];
  }
  release_dead(frame, s);
}

/* Is |op| in the flow of a function, not in the body of a reduction or the like? */
static bool is_in_flow(hd_op *op) {
  hd_op *parent = hd_op_parent(op);
  return parent && (hd_op_has_trait(parent, HD_TRAIT(FUNCTION_LIKE)) || hd_is_control_flow(parent));
}

static void trace_step(hd_evaluator *e, hd_op *op, const hd_tensor *out) {
  void *user = e->options.trace_user;
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (hd_tensor_is_tensor(&out[i]) && is_in_flow(op)) e->options.trace(user, op, &out[i]);
  for (size_t i = 0; i < e->memory->storages.len && e->memory->unit == op; ++i) {
    hd_storage *s = e->memory->storages.data[i];
    if (s->writer == op && s->shape && !s->automatic) e->options.trace(user, op, &(hd_tensor){s->shape, s->buffer});
  }
}

static hd_status run_step(hd_eval_frame *frame, const hd_step *s) {
  hd_evaluator *e = frame->evaluator;
  hd_op *op = s->op;
  ++e->steps;
  if (e->options.step_limit && e->steps > e->options.step_limit)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "more than %llu steps", (unsigned long long)e->options.step_limit);
  if ((e->steps & 63) == 0) HD_TRY(hd_eval_poll(frame));
  hd_tensor local_in[8], local_out[8], *in = local_in, *out = local_out;
  hd_tensor_buffer *in_buffer = NULL, *out_buffer = NULL;
  hd_status status = HD_STATUS_OK;
  if (op->operand_count > 8) {
    HD_TRY(hd_tensor_buffer_create(e->heap, op->operand_count * sizeof *in, &in_buffer));
    in = (hd_tensor *)(void *)in_buffer->data;
  }
  if (op->result_count > 8) {
    status = hd_tensor_buffer_create(e->heap, op->result_count * sizeof *out, &out_buffer);
    if (hd_is_ok(status)) out = (hd_tensor *)(void *)out_buffer->data;
  }
  for (uint32_t i = 0; hd_is_ok(status) && i < op->operand_count; ++i)
    status = hd_eval_step_operand(frame, s, i, &in[i]);
  bool opens = s->unit && !frame->thread && !e->memory->unit;
  if (opens) e->memory->unit = op;
  if (hd_is_ok(status)) {
    memset(out, 0, op->result_count * sizeof *out);
    status = hd_eval_run_op(frame, op, s->expressed, in, out);
  }
  if (hd_is_ok(status) && e->options.trace && !frame->thread) trace_step(e, op, out);
  if (opens) e->memory->unit = NULL;
  if (hd_is_ok(status))
    hd_eval_finish_step(frame, s, out);
  else
    release_dead(frame, s);
  hd_tensor_buffer_release(in_buffer);
  hd_tensor_buffer_release(out_buffer);
  return status;
}

/* Takes the operands of the terminator as results of the region. */
static hd_status leave(hd_eval_frame *frame, const hd_step *s, hd_tensor *results, size_t result_count) {
  if (s->op->operand_count != result_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %u values where %zu are expected", s->op->operand_count,
                          result_count);
  for (uint32_t i = 0; i < s->op->operand_count; ++i) {
    hd_tensor value;
    hd_status status = hd_eval_step_operand(frame, s, i, &value);
    for (uint32_t k = 0; k < i && !hd_is_ok(status); ++k) hd_tensor_release(&results[k]);
    HD_TRY(status);
    results[i] = hd_tensor_retain(value);
  }
  release_dead(frame, s);
  return HD_STATUS_OK;
}

/* The block that a branch goes to, with its first operand there and how many it takes. */
static hd_status branch(hd_eval_frame *frame, const hd_step *s, hd_block **out_block, uint32_t *out_first,
                        uint32_t *out_count) {
  hd_op *op = s->op;
  uint32_t taken = 0;
  if (!hd_op_is(op, HD_OP_cf_br) && !hd_op_is(op, HD_OP_llvm_br)) {
    hd_tensor condition;
    HD_TRY(hd_eval_step_operand(frame, s, 0, &condition));
    int64_t value = hd_eval_int(&condition);
    hd_attr cases = hd_switch_like_case_values_if_any(op);
    if (hd_op_is(op, HD_OP_cf_cond_br) || hd_op_is(op, HD_OP_llvm_cond_br))
      taken = value ? 0 : 1;
    else if (hd_op_is(op, HD_OP_cf_switch) || hd_op_is(op, HD_OP_llvm_switch))
      for (uint32_t i = 0; i < hd_attr_count(cases) && !taken; ++i)
        taken = hd_attr_int_at(cases, i) == value ? i + 1 : 0;
    else
      return hd_make_status(HD_UNIMPLEMENTED, "is no branch that the evaluator knows");
  }
  if (taken >= op->successor_count) return hd_make_status(HD_INVALID_ARGUMENT, "lacks successor %u", taken);
  hd_op_successor_operands(op, taken, out_first, out_count);
  *out_block = op->successors[taken];
  return HD_STATUS_OK;
}

hd_status hd_eval_enter_block(hd_eval_frame *frame, hd_block *block, const hd_tensor *args, size_t arg_count) {
  if (block->arg_count != arg_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "has a region of %u arguments where %zu are expected", block->arg_count,
                          arg_count);
  const hd_block_plan *plan = hd_plan_block(&frame->evaluator->plans, block);
  for (uint32_t i = 0; i < arg_count; ++i) {
    HD_TRY(check_fit(frame->evaluator, block->args[i]->type, &args[i], "region argument", i));
    hd_tensor *slot = hd_frame_slot(frame, plan->first_arg + i), value = hd_tensor_retain(args[i]);
    hd_tensor_release(slot);
    *slot = value;
  }
  return HD_STATUS_OK;
}

/* Follows a branch: its operands become the arguments of the next block. */
static hd_status jump(hd_eval_frame *frame, const hd_step *s, hd_block **block) {
  uint32_t first, count;
  HD_TRY(hd_eval_poll(frame));
  HD_TRY(branch(frame, s, block, &first, &count));
  hd_tensor_buffer *room;
  HD_TRY(hd_tensor_buffer_create(frame->evaluator->heap, (count + 1) * sizeof(hd_tensor), &room));
  hd_tensor *args = (hd_tensor *)(void *)room->data;
  hd_status status = HD_STATUS_OK;
  uint32_t held = 0;
  for (; held < count && hd_is_ok(status); ++held) {
    status = hd_eval_step_operand(frame, s, first + held, &args[held]);
    args[held] = hd_tensor_retain(args[held]);
  }
  release_dead(frame, s);
  if (hd_is_ok(status)) status = hd_eval_enter_block(frame, *block, args, count);
  for (uint32_t i = 0; i < held; ++i) hd_tensor_release(&args[i]);
  hd_tensor_buffer_release(room);
  return status;
}

hd_status hd_eval_run_on(hd_eval_frame *frame, hd_position *p, bool alone, hd_tensor *results, size_t result_count) {
  hd_evaluator *e = frame->evaluator;
  while (p->at < p->plan->step_count) {
    const hd_step *s = &p->plan->steps[p->at];
    if (s->converges && alone) return HD_STATUS_OK;
    hd_status status;
    if (p->at + 1 == p->plan->step_count && hd_op_has_trait(s->op, HD_TRAIT(TERMINATOR))) {
      if (!s->op->successor_count && !hd_eval_hook_of(s->op->info->opcode)) {
        p->done = true;
        status = leave(frame, s, results, result_count);
        return hd_is_ok(status) ? status : hd_eval_report(e, s->op, status);
      }
      if (s->op->successor_count) {
        status = jump(frame, s, &p->block);
        if (!hd_is_ok(status)) return hd_eval_report(e, s->op, status);
        p->plan = hd_plan_block(&e->plans, p->block);
        p->at = 0;
        continue;
      }
    }
    status = run_step(frame, s);
    if (!hd_is_ok(status)) return hd_eval_report(e, s->op, status);
    ++p->at;
  }
  p->done = true;
  if (result_count) return hd_make_status(HD_INVALID_ARGUMENT, "has a region that ends without giving values");
  return HD_STATUS_OK;
}

static hd_status run_region(hd_eval_frame *frame, hd_region *region, const hd_tensor *args, size_t arg_count,
                            hd_tensor *results, size_t result_count) {
  if (result_count) memset(results, 0, result_count * sizeof *results);
  hd_position p = {.block = region->first};
  if (!p.block) return hd_make_status(HD_INVALID_ARGUMENT, "has an empty region where a body is needed");
  p.plan = hd_plan_block(&frame->evaluator->plans, p.block);
  HD_TRY(hd_eval_enter_block(frame, p.block, args, arg_count));
  return hd_eval_run_on(frame, &p, false, results, result_count);
}

hd_status hd_eval_enter(hd_evaluator *e) {
  uint32_t limit = e->options.depth_limit ? e->options.depth_limit : 400;
  if (e->depth >= limit) return hd_make_status(HD_RESOURCE_EXHAUSTED, "calls and regions are more than %u deep", limit);
  ++e->depth;
  return HD_STATUS_OK;
}

hd_status hd_eval_region(hd_eval_frame *frame, hd_op *op, uint32_t region, const hd_tensor *args, size_t arg_count,
                         hd_tensor *results, size_t result_count) {
  if (region >= op->region_count) return hd_make_status(HD_INVALID_ARGUMENT, "lacks region %u", region);
  HD_TRY(hd_eval_enter(frame->evaluator));
  hd_status status = run_region(frame, hd_op_region(op, region), args, arg_count, results, result_count);
  --frame->evaluator->depth;
  return status;
}

/* Result types of |function|; |one| holds that of an llvm.func. */
static size_t result_types(const hd_op *function, hd_type *one, const hd_type **out) {
  hd_attr attr = hd_function_like_function_type(function);
  hd_type type = hd_attr_is(attr, HD_ATTR_TYPE) ? attr->type_value : NULL;
  *out = one;
  if (hd_type_is(type, HD_TYPE_FUNCTION)) {
    *out = type->function.outs;
    return type->function.out_count;
  }
  if (!hd_type_is(type, HD_TYPE_DIALECT) || type->dialect.row != HD_TYPE_ROW_llvm_func) return 0;
  *one = type->dialect.params[0]->type_value;
  return !hd_type_is(*one, HD_TYPE_DIALECT) || (*one)->dialect.row != HD_TYPE_ROW_llvm_void;
}

size_t hd_function_result_count(const hd_op *function) {
  hd_type one;
  const hd_type *types;
  return result_types(function, &one, &types);
}

hd_status hd_eval_call(hd_eval_frame *caller, hd_op *function, const hd_tensor *args, size_t arg_count,
                       hd_tensor *results) {
  hd_evaluator *e = caller->evaluator;
  hd_type one;
  const hd_type *types;
  size_t result_count = result_types(function, &one, &types);
  if (result_count) memset(results, 0, result_count * sizeof *results);
  if (!function->region_count || !hd_op_region(function, 0)->first)
    return hd_make_status(HD_UNIMPLEMENTED, "function '%.*s' has no body", (int)hd_symbol_name(function).len,
                          hd_symbol_name(function).data);
  hd_slot_range range = hd_plan_function(&e->plans, function);
  hd_tensor_buffer *slots;
  HD_TRY(hd_tensor_buffer_create(e->heap, range.count * sizeof(hd_tensor), &slots));
  slots->is_tuple = true; /* releases what is left in the slots */
  memset(slots->data, 0, slots->size);
  hd_eval_frame frame = {e, (hd_tensor *)(void *)slots->data, range, NULL, caller->thread};
  size_t mark = e->memory->storages.len;
  hd_status status = hd_eval_enter(e);
  if (hd_is_ok(status)) {
    status = run_region(&frame, hd_op_region(function, 0), args, arg_count, results, result_count);
    --e->depth;
  }
  hd_tensor_buffer_release(slots);
  hd_storage_drop_automatic(&frame, mark);
  for (uint32_t i = 0; hd_is_ok(status) && i < result_count; ++i)
    status = check_fit(e, types[i], &results[i], "function result", i);
  if (!hd_is_ok(status))
    for (uint32_t i = 0; i < result_count; ++i) hd_tensor_release(&results[i]);
  return status;
}
