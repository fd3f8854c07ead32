/* SPDX-License-Identifier: Apache-2.0 */
/* Runs functions.
 *
 *   function -> plan: every value inside gets a slot, every block a list of steps
 *                     step: the op, slots of its operands, slot of its first result, slots that die after it
 *   call     -> frame: the slots of one activation
 *
 * Plans are made when a function is first called. Regions of an op run in the frame of their function, each block
 * argument and result in its slot, so a region that runs again overwrites what it left. */
#include "ir/eval/eval.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "ir/eval/buffer_ops.h"
#include "ir/eval/check.h"
#include "ir/eval/process.h"
#include "ir/eval/program.h"
#include "ir/eval/quantized.h"

typedef struct step {
  hd_op *op;
  uint32_t *operands;
  uint32_t result; /* results have consecutive slots */
  uint32_t death_count;
  uint32_t *deaths;
  bool expressed; /* computes on the expressed types of quantized values */
} step;

typedef struct death {
  hd_op *op; /* the last user */
  uint32_t slot;
} death;

typedef struct block_plan {
  step *steps;
  size_t step_count;
  uint32_t first_arg;
} block_plan;

typedef struct function_plan {
  hd_op *function;
  uint32_t slot_count;
} function_plan;

/* What interpreter.probe saw, in order. */
typedef struct probe {
  hd_ident name;
  hd_tensor value;
} probe;

struct hd_evaluator {
  hd_module *module;
  hd_context *context;
  hd_eval_options options;
  hd_heap own_heap, *heap; /* a process of run_parallel uses its parent's */
  hd_process process;
  hd_arena arena;
  hd_map functions; /* hd_op -> function_plan */
  hd_map blocks;    /* hd_block -> block_plan */
  hd_map slots;     /* hd_value -> slot */
  hd_map twins;     /* buffer op -> its graph op */
  hd_memory memory;
  hd_program_io io;
  hd_tensor_buffer **temps;
  size_t temp_count, temp_capacity;
  uint64_t steps;
  uint32_t depth;
  double deadline; /* 0: none */
  bool reported;   /* the failure on its way out has its diagnostic */
  bool quiet;      /* report nothing: folding */
  bool expressing; /* results of the running hook take expressed types */
  uint64_t checks_passed, checks_failed;
  uint64_t random_calls;
  hd_vec(probe) probes;
};

struct hd_eval_frame {
  hd_evaluator *evaluator;
  hd_tensor *slots;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- plans ---- */

static uint32_t slot_of(hd_evaluator *e, const hd_value *value) {
  hd_map_entry *entry = hd_map_find(&e->slots, value);
  return entry ? (uint32_t)entry->value.i64 : UINT32_MAX;
}

static void number_region(hd_evaluator *e, hd_region *region, uint32_t *next) {
  hd_for_each_block(block, region) {
    for (uint32_t i = 0; i < block->arg_count; ++i)
      hd_map_insert(&e->arena, &e->slots, block->args[i], NULL)->value.i64 = (*next)++;
    hd_for_each_op(op, block) {
      for (uint32_t i = 0; i < op->result_count; ++i)
        hd_map_insert(&e->arena, &e->slots, &op->results[i], NULL)->value.i64 = (*next)++;
      for (uint32_t r = 0; r < op->region_count; ++r) number_region(e, hd_op_region(op, r), next);
      hd_op *twin = hd_buffer_twin(op, &e->arena);
      if (!twin) continue;
      hd_map_set(&e->arena, &e->twins, op, twin);
      for (uint32_t r = 0; r < twin->region_count; ++r) number_region(e, hd_op_region(twin, r), next);
    }
  }
}

/* The op of |block| after which |value| is not used any more: its last user, or what holds that user in a region. */
static hd_op *last_user(hd_block *block, hd_value *value, hd_op *from) {
  hd_op *last = from;
  hd_for_each_use(use, value) {
    hd_op *user = hd_block_ancestor_op(block, use->owner);
    if (!user) return NULL; /* used outside: by another block of the same region */
    if (!last || hd_op_is_before(last, user)) last = user;
  }
  return last;
}

static block_plan *plan_block(hd_evaluator *e, hd_block *block) {
  hd_map_entry *entry = hd_map_find(&e->blocks, block);
  if (entry) return entry->value.ptr;
  block_plan *plan = hd_new(&e->arena, block_plan);
  hd_for_each_op(op, block)++ plan->step_count;
  plan->steps = hd_new_array(&e->arena, step, plan->step_count);
  plan->first_arg = block->arg_count ? slot_of(e, block->args[0]) : 0;
  hd_map order = {0}; /* op -> step */
  size_t at = 0;
  hd_for_each_op(op, block) {
    step *s = &plan->steps[at];
    hd_map_insert(&e->arena, &order, op, NULL)->value.i64 = (int64_t)at++;
    s->op = op;
    s->expressed = hd_eval_computes_expressed(op);
    s->operands = hd_new_array(&e->arena, uint32_t, op->operand_count);
    for (uint32_t i = 0; i < op->operand_count; ++i) s->operands[i] = slot_of(e, hd_operand(op, i));
    s->result = op->result_count ? slot_of(e, hd_result(op, 0)) : 0;
  }
  /* Two rounds over the values of the block: count who dies where, then write it down. */
  hd_vec(death) dying = {0};
  for (uint32_t i = 0; i < block->arg_count; ++i) {
    hd_op *last = last_user(block, block->args[i], NULL);
    if (last) hd_vec_push(&e->arena, &dying, (death){last, plan->first_arg + i});
  }
  hd_for_each_op(op, block) for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_op *last = last_user(block, hd_result(op, i), op);
    if (last) hd_vec_push(&e->arena, &dying, (death){last, slot_of(e, hd_result(op, i))});
  }
  for (size_t i = 0; i < dying.len; ++i) ++plan->steps[hd_map_find(&order, dying.data[i].op)->value.i64].death_count;
  for (size_t i = 0; i < plan->step_count; ++i) {
    plan->steps[i].deaths = hd_new_array(&e->arena, uint32_t, plan->steps[i].death_count);
    plan->steps[i].death_count = 0;
  }
  for (size_t i = 0; i < dying.len; ++i) {
    step *s = &plan->steps[hd_map_find(&order, dying.data[i].op)->value.i64];
    s->deaths[s->death_count++] = dying.data[i].slot;
  }
  hd_map_set(&e->arena, &e->blocks, block, plan);
  return plan;
}

static function_plan *plan_function(hd_evaluator *e, hd_op *function) {
  function_plan *plan = hd_map_get(&e->functions, function);
  if (plan) return plan;
  plan = hd_new(&e->arena, function_plan);
  plan->function = function;
  for (uint32_t r = 0; r < function->region_count; ++r) number_region(e, hd_op_region(function, r), &plan->slot_count);
  hd_map_set(&e->arena, &e->functions, function, plan);
  return plan;
}

/* ---- running ---- */

static hd_status report(hd_evaluator *e, hd_op *op, hd_status status) {
  if (e->quiet) return status;
  if (!e->reported) {
    hd_error(e->context, op->loc, "'%s' op %s", op->name->text, hd_status_message(status));
    e->reported = true;
  }
  return status;
}

static hd_status poll(hd_evaluator *e) {
  if (e->options.cancel && atomic_load_explicit(e->options.cancel, memory_order_relaxed))
    return hd_make_status(HD_CANCELLED, "evaluation was cancelled");
  if (e->deadline != 0 && now() > e->deadline)
    return hd_make_status(HD_DEADLINE_EXCEEDED, "evaluation took longer than %g s", e->options.timeout_s);
  return HD_STATUS_OK;
}

hd_status hd_eval_poll(hd_eval_frame *frame) { return poll(frame->evaluator); }

static void drop_temps(hd_evaluator *e, size_t mark) {
  while (e->temp_count > mark) hd_tensor_buffer_release(e->temps[--e->temp_count]);
}

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
  hd_arena_init(&scratch, NULL);
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
  if (hd_is_ok(status)) status = op->info->hooks.eval(frame, op, floats, out);
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

/* Evaluates one op with its operands gathered in |in|; results go to |out|, checked. */
static hd_status run_op(hd_eval_frame *frame, hd_op *op, bool expressed, const hd_tensor *in, hd_tensor *out) {
  hd_evaluator *e = frame->evaluator;
  if (!op->info->hooks.eval) return hd_make_status(HD_UNIMPLEMENTED, "has no evaluator");
  size_t mark = e->temp_count;
  bool outer = e->expressing;
  e->expressing = expressed;
  hd_status status = expressed ? run_expressed(frame, op, in, out) : op->info->hooks.eval(frame, op, in, out);
  e->expressing = outer;
  drop_temps(e, mark);
  for (uint32_t i = 0; hd_is_ok(status) && i < op->result_count; ++i)
    status = check_fit(e, hd_result_type(op, i), &out[i], "result", i);
  if (!hd_is_ok(status))
    for (uint32_t i = 0; i < op->result_count; ++i) hd_tensor_release(&out[i]);
  return status;
}

static hd_status run_step(hd_eval_frame *frame, const step *s) {
  hd_evaluator *e = frame->evaluator;
  hd_op *op = s->op;
  ++e->steps;
  if (e->options.step_limit && e->steps > e->options.step_limit)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "more than %llu steps", (unsigned long long)e->options.step_limit);
  if ((e->steps & 63) == 0) HD_TRY(poll(e));
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
  for (uint32_t i = 0; hd_is_ok(status) && i < op->operand_count; ++i) {
    if (s->operands[i] == UINT32_MAX || !frame->slots[s->operands[i]].type) {
      status = hd_make_status(HD_INTERNAL, "operand %u has no value here", i);
      break;
    }
    in[i] = frame->slots[s->operands[i]];
  }
  if (hd_is_ok(status)) {
    memset(out, 0, op->result_count * sizeof *out);
    status = run_op(frame, op, s->expressed, in, out);
  }
  if (hd_is_ok(status))
    for (uint32_t i = 0; i < op->result_count; ++i) {
      hd_tensor_release(&frame->slots[s->result + i]);
      frame->slots[s->result + i] = out[i];
    }
  for (uint32_t i = 0; i < s->death_count; ++i) hd_tensor_release(&frame->slots[s->deaths[i]]);
  hd_tensor_buffer_release(in_buffer);
  hd_tensor_buffer_release(out_buffer);
  return status;
}

/* Takes the operands of the terminator as results of the region. */
static hd_status leave(hd_eval_frame *frame, const step *s, hd_tensor *results, size_t result_count) {
  if (s->op->operand_count != result_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %u values where %zu are expected", s->op->operand_count,
                          result_count);
  for (uint32_t i = 0; i < s->op->operand_count; ++i) {
    if (s->operands[i] == UINT32_MAX || !frame->slots[s->operands[i]].type) {
      for (uint32_t k = 0; k < i; ++k) hd_tensor_release(&results[k]);
      return hd_make_status(HD_INTERNAL, "operand %u has no value here", i);
    }
    results[i] = hd_tensor_retain(frame->slots[s->operands[i]]);
  }
  for (uint32_t i = 0; i < s->death_count; ++i) hd_tensor_release(&frame->slots[s->deaths[i]]);
  return HD_STATUS_OK;
}

/* The block that a branch goes to, with its first operand there and how many it takes. */
static hd_status branch(hd_eval_frame *frame, const step *s, hd_block **out_block, uint32_t *out_first,
                        uint32_t *out_count) {
  hd_op *op = s->op;
  uint32_t taken = 0, item = 0;
  if (!hd_op_is(op, HD_OP_cf_br)) {
    if (s->operands[0] == UINT32_MAX || !frame->slots[s->operands[0]].type)
      return hd_make_status(HD_INTERNAL, "operand 0 has no value here");
    int64_t value = hd_eval_int(&frame->slots[s->operands[0]]);
    hd_attr cases = hd_op_attr_get(op, "case_values");
    if (hd_op_is(op, HD_OP_cf_cond_br))
      taken = value ? 0 : 1;
    else if (hd_op_is(op, HD_OP_cf_switch))
      for (uint32_t i = 0; i < hd_attr_count(cases) && !taken; ++i)
        taken = hd_attr_int_at(cases, i) == value ? i + 1 : 0;
    else
      return hd_make_status(HD_UNIMPLEMENTED, "is no branch that the evaluator knows");
    item = taken < 2 || hd_op_is(op, HD_OP_cf_cond_br) ? 1 + taken : 2;
  }
  if (taken >= op->successor_count) return hd_make_status(HD_INVALID_ARGUMENT, "lacks successor %u", taken);
  hd_op_operand_range(op, item, out_first, out_count);
  hd_attr segments = hd_op_attr_get(op, "case_operand_segments");
  if (hd_op_is(op, HD_OP_cf_switch) && taken) {
    for (uint32_t i = 0; i + 1 < taken; ++i) *out_first += (uint32_t)hd_attr_int_at(segments, i);
    *out_count = (uint32_t)hd_attr_int_at(segments, taken - 1);
  }
  *out_block = op->successors[taken];
  return HD_STATUS_OK;
}

/* Gives |args| to the block. */
static hd_status enter_block(hd_eval_frame *frame, const block_plan *plan, hd_block *block, const hd_tensor *args,
                             size_t arg_count) {
  if (block->arg_count != arg_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "has a region of %u arguments where %zu are expected", block->arg_count,
                          arg_count);
  for (uint32_t i = 0; i < arg_count; ++i) {
    HD_TRY(check_fit(frame->evaluator, block->args[i]->type, &args[i], "region argument", i));
    hd_tensor value = hd_tensor_retain(args[i]);
    hd_tensor_release(&frame->slots[plan->first_arg + i]);
    frame->slots[plan->first_arg + i] = value;
  }
  return HD_STATUS_OK;
}

/* Follows a branch: its operands become the arguments of the next block. */
static hd_status jump(hd_eval_frame *frame, const step *s, hd_block **block) {
  uint32_t first, count;
  HD_TRY(poll(frame->evaluator));
  HD_TRY(branch(frame, s, block, &first, &count));
  hd_tensor_buffer *room;
  HD_TRY(hd_tensor_buffer_create(frame->evaluator->heap, (count + 1) * sizeof(hd_tensor), &room));
  hd_tensor *args = (hd_tensor *)(void *)room->data;
  hd_status status = HD_STATUS_OK;
  uint32_t held = 0;
  for (; held < count && hd_is_ok(status); ++held) {
    uint32_t slot = s->operands[first + held];
    args[held] = slot == UINT32_MAX ? (hd_tensor){0} : hd_tensor_retain(frame->slots[slot]);
    if (!args[held].type) status = hd_make_status(HD_INTERNAL, "operand %u has no value here", first + held);
  }
  for (uint32_t i = 0; i < s->death_count; ++i) hd_tensor_release(&frame->slots[s->deaths[i]]);
  if (hd_is_ok(status)) status = enter_block(frame, plan_block(frame->evaluator, *block), *block, args, count);
  for (uint32_t i = 0; i < held; ++i) hd_tensor_release(&args[i]);
  hd_tensor_buffer_release(room);
  return status;
}

static hd_status run_region(hd_eval_frame *frame, hd_region *region, const hd_tensor *args, size_t arg_count,
                            hd_tensor *results, size_t result_count) {
  hd_evaluator *e = frame->evaluator;
  if (result_count) memset(results, 0, result_count * sizeof *results);
  hd_block *block = region->first;
  if (!block) return hd_make_status(HD_INVALID_ARGUMENT, "has an empty region where a body is needed");
  block_plan *plan = plan_block(e, block);
  HD_TRY(enter_block(frame, plan, block, args, arg_count));
  for (size_t i = 0; i < plan->step_count; ++i) {
    const step *s = &plan->steps[i];
    hd_status status;
    if (i + 1 == plan->step_count && hd_op_has_trait(s->op, HD_TRAIT(TERMINATOR))) {
      if (!s->op->successor_count && !s->op->info->hooks.eval) {
        status = leave(frame, s, results, result_count);
        return hd_is_ok(status) ? status : report(e, s->op, status);
      }
      if (s->op->successor_count) {
        status = jump(frame, s, &block);
        if (!hd_is_ok(status)) return report(e, s->op, status);
        plan = plan_block(e, block);
        i = SIZE_MAX;
        continue;
      }
    }
    status = run_step(frame, s);
    if (!hd_is_ok(status)) return report(e, s->op, status);
  }
  if (result_count) return hd_make_status(HD_INVALID_ARGUMENT, "has a region that ends without giving values");
  return HD_STATUS_OK;
}

static hd_status enter(hd_evaluator *e) {
  uint32_t limit = e->options.depth_limit ? e->options.depth_limit : 400;
  if (e->depth >= limit) return hd_make_status(HD_RESOURCE_EXHAUSTED, "calls and regions are more than %u deep", limit);
  ++e->depth;
  return HD_STATUS_OK;
}

hd_status hd_eval_region(hd_eval_frame *frame, hd_op *op, uint32_t region, const hd_tensor *args, size_t arg_count,
                         hd_tensor *results, size_t result_count) {
  if (region >= op->region_count) return hd_make_status(HD_INVALID_ARGUMENT, "lacks region %u", region);
  HD_TRY(enter(frame->evaluator));
  hd_status status = run_region(frame, hd_op_region(op, region), args, arg_count, results, result_count);
  --frame->evaluator->depth;
  return status;
}

size_t hd_function_result_count(const hd_op *function) {
  hd_attr type = hd_op_attr_get(function, "function_type");
  if (!hd_attr_is(type, HD_ATTR_TYPE) || !hd_type_is(type->type_value, HD_TYPE_FUNCTION)) return 0;
  return type->type_value->function.out_count;
}

/* Frees what the call allocated on its stack: among the storages after |mark|. */
static void drop_automatic(hd_eval_frame *frame, size_t mark) {
  hd_memory *memory = &frame->evaluator->memory;
  for (size_t i = memory->storages.len; i-- > mark;)
    if (i < memory->storages.len && memory->storages.data[i]->automatic) {
      memory->storages.data[i]->lent = false;
      memory->storages.data[i]->references = 1;
      hd_status_ignore(hd_storage_free(frame, memory->storages.data[i]));
    }
}

static hd_status call(hd_evaluator *e, hd_op *function, const hd_tensor *args, size_t arg_count, hd_tensor *results) {
  size_t result_count = hd_function_result_count(function);
  if (result_count) memset(results, 0, result_count * sizeof *results);
  if (!function->region_count || !hd_op_region(function, 0)->first)
    return hd_make_status(HD_UNIMPLEMENTED, "function '%.*s' has no body", (int)hd_symbol_name(function).len,
                          hd_symbol_name(function).data);
  function_plan *plan = plan_function(e, function);
  hd_tensor_buffer *slots;
  HD_TRY(hd_tensor_buffer_create(e->heap, plan->slot_count * sizeof(hd_tensor), &slots));
  slots->is_tuple = true; /* releases what is left in the slots */
  memset(slots->data, 0, slots->size);
  hd_eval_frame frame = {e, (hd_tensor *)(void *)slots->data};
  size_t mark = e->memory.storages.len;
  hd_status status = enter(e);
  if (hd_is_ok(status)) {
    status = run_region(&frame, hd_op_region(function, 0), args, arg_count, results, result_count);
    --e->depth;
  }
  hd_tensor_buffer_release(slots);
  drop_automatic(&frame, mark);
  hd_attr type = hd_op_attr_get(function, "function_type");
  for (uint32_t i = 0; hd_is_ok(status) && i < result_count; ++i)
    status = check_fit(e, type->type_value->function.outs[i], &results[i], "function result", i);
  if (!hd_is_ok(status))
    for (uint32_t i = 0; i < result_count; ++i) hd_tensor_release(&results[i]);
  return status;
}

hd_status hd_eval_call(hd_eval_frame *frame, hd_op *function, const hd_tensor *args, size_t arg_count,
                       hd_tensor *results) {
  return call(frame->evaluator, function, args, arg_count, results);
}

/* ---- the door ---- */

hd_status hd_evaluator_create(hd_module *module, const hd_eval_options *options, hd_evaluator **out_evaluator) {
  *out_evaluator = NULL;
  hd_evaluator *e = calloc(1, sizeof *e);
  if (!e) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  e->module = module;
  e->context = module->context;
  if (options) e->options = *options;
  e->heap = &e->own_heap;
  hd_heap_init(e->heap, e->options.memory_limit);
  hd_arena_init(&e->arena, &e->context->budget);
  *out_evaluator = e;
  return HD_STATUS_OK;
}

void hd_evaluator_free(hd_evaluator *e) {
  if (!e) return;
  if (e->heap == &e->own_heap) hd_heap_clear(e->heap);
  hd_arena_free(&e->arena);
  free(e->temps);
  free(e);
}

hd_heap *hd_evaluator_heap(hd_evaluator *evaluator) { return evaluator->heap; }
uint64_t hd_evaluator_checks_passed(const hd_evaluator *evaluator) { return evaluator->checks_passed; }
uint64_t hd_evaluator_checks_failed(const hd_evaluator *evaluator) { return evaluator->checks_failed; }

typedef struct call_args {
  hd_evaluator *evaluator;
  hd_op *function;
  const hd_tensor *args;
  size_t arg_count;
  hd_tensor *results;
} call_args;

static hd_status guarded(void *user) {
  call_args *a = user;
  return call(a->evaluator, a->function, a->args, a->arg_count, a->results);
}

hd_status hd_evaluator_call(hd_evaluator *e, hd_op *function, const hd_tensor *args, size_t arg_count,
                            hd_tensor *results) {
  e->reported = false;
  e->depth = 0;
  e->deadline = e->options.timeout_s > 0 ? now() + e->options.timeout_s : 0;
  call_args a = {e, function, args, arg_count, results};
  hd_status status = hd_guarded_call(guarded, &a);
  drop_temps(e, 0);
  if (!hd_is_ok(status) && !e->reported) return report(e, function, status);
  return status;
}

typedef struct program_args {
  call_args call;
  size_t result_count;
} program_args;

static hd_status guarded_program(void *user) {
  program_args *a = user;
  hd_eval_frame frame = {a->call.evaluator, NULL};
  return hd_eval_program(&frame, a->call.function, a->call.args, a->call.arg_count, a->call.results, a->result_count);
}

hd_status hd_evaluator_run(hd_evaluator *e, hd_op *entry, const hd_tensor *args, size_t arg_count, hd_tensor *results,
                           size_t result_count) {
  e->reported = false;
  e->depth = 0;
  e->deadline = e->options.timeout_s > 0 ? now() + e->options.timeout_s : 0;
  if (result_count) memset(results, 0, result_count * sizeof *results);
  program_args a = {{e, entry, args, arg_count, results}, result_count};
  hd_status status = hd_guarded_call(guarded_program, &a);
  drop_temps(e, 0);
  e->io = (hd_program_io){0};
  if (!hd_is_ok(status) && !e->reported) return report(e, entry, status);
  return status;
}

static hd_status guarded_op(void *user) {
  call_args *a = user;
  hd_eval_frame frame = {a->evaluator, NULL};
  hd_tensor none[1] = {0};
  hd_status status = run_op(&frame, a->function, hd_eval_computes_expressed(a->function), a->args, none);
  return hd_is_ok(status) ? status : report(a->evaluator, a->function, status);
}

hd_status hd_evaluator_run_op(hd_evaluator *e, hd_op *op, const hd_tensor *operands) {
  if (op->result_count || op->region_count)
    return hd_make_status(HD_INTERNAL, "expected an op without results and regions");
  e->reported = false;
  call_args a = {e, op, operands, op->operand_count, NULL};
  hd_status status = hd_guarded_call(guarded_op, &a);
  drop_temps(e, 0);
  return status;
}

hd_op *hd_eval_entry(hd_module *module, hd_str name) {
  hd_op *only = NULL;
  size_t count = 0;
  if (name.len || (only = hd_symbol_lookup(module->op, HD_STR("main")))) {
    hd_op *found = name.len ? hd_symbol_lookup(module->op, name) : only;
    if (found && hd_op_has_trait(found, HD_TRAIT(FUNCTION_LIKE))) return found;
    hd_error(module->context, module->op->loc, "there is no function '%.*s'", (int)name.len, name.data);
    return NULL;
  }
  hd_for_each_op(op, hd_module_body(module)) if (hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE)) &&
                                                 !hd_symbol_is_private(op)) only = op,
                                                                            ++count;
  if (count == 1) return only;
  hd_error(module->context, module->op->loc,
           "expected one entry function: main, or a single public one; got %zu public", count);
  return NULL;
}

/* ---- what hooks use of the frame ---- */

hd_heap *hd_frame_heap(hd_eval_frame *frame) { return frame->evaluator->heap; }
hd_arena *hd_frame_arena(hd_eval_frame *frame) { return &frame->evaluator->arena; }
hd_memory *hd_frame_memory(hd_eval_frame *frame) { return &frame->evaluator->memory; }
hd_program_io *hd_frame_io(hd_eval_frame *frame) { return &frame->evaluator->io; }
hd_op *hd_frame_twin(hd_eval_frame *frame, hd_op *op) { return hd_map_get(&frame->evaluator->twins, op); }

hd_status hd_eval_run_twin(hd_eval_frame *frame, hd_op *twin, const hd_tensor *in, hd_tensor *out) {
  return run_op(frame, twin, hd_eval_computes_expressed(twin), in, out);
}
bool hd_frame_is_expressing(hd_eval_frame *frame) { return frame->evaluator->expressing; }
hd_context *hd_frame_context(hd_eval_frame *frame) { return frame->evaluator->context; }
const hd_eval_options *hd_frame_options(hd_eval_frame *frame) { return &frame->evaluator->options; }

hd_status hd_eval_temp(hd_eval_frame *frame, size_t count, size_t size, void *out_pointer_to_pointer) {
  hd_evaluator *e = frame->evaluator;
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  if (e->temp_count == e->temp_capacity) {
    size_t capacity = e->temp_capacity ? 2 * e->temp_capacity : 64;
    hd_tensor_buffer **grown = realloc(e->temps, capacity * sizeof *grown);
    if (!grown) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    e->temps = grown;
    e->temp_capacity = capacity;
  }
  hd_tensor_buffer *buffer;
  HD_TRY(hd_tensor_buffer_create(e->heap, bytes, &buffer));
  memset(buffer->data, 0, bytes);
  e->temps[e->temp_count++] = buffer;
  void *data = buffer->data;
  memcpy(out_pointer_to_pointer, &data, sizeof data);
  return HD_STATUS_OK;
}

uint64_t hd_eval_next_call(hd_eval_frame *frame) { return frame->evaluator->random_calls++; }

hd_status hd_eval_probe(hd_eval_frame *frame, hd_str name, const hd_tensor *value) {
  hd_evaluator *e = frame->evaluator;
  hd_vec_push(&e->arena, &e->probes, (probe){hd_ident_get(e->context, name), hd_tensor_retain(*value)});
  return HD_STATUS_OK;
}

const hd_tensor *hd_eval_probed(hd_eval_frame *frame, hd_str name, int64_t iteration) {
  hd_evaluator *e = frame->evaluator;
  const hd_tensor *found = NULL;
  int64_t seen = 0;
  for (size_t i = 0; i < e->probes.len; ++i) {
    if (!hd_str_equal(hd_ident_str(e->probes.data[i].name), name)) continue;
    ++seen;
    if (iteration == 0 || seen == iteration) found = &e->probes.data[i].value;
  }
  return found;
}

void hd_eval_check_held(hd_eval_frame *frame) { ++frame->evaluator->checks_passed; }

void hd_eval_check_failed(hd_eval_frame *frame, hd_op *op, const char *format, ...) {
  hd_evaluator *e = frame->evaluator;
  ++e->checks_failed;
  hd_arena scratch;
  hd_arena_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  va_list args;
  va_start(args, format);
  hd_strbuf_vprintf(&text, format, args);
  va_end(args);
  hd_error(e->context, op->loc, "'%s' op %s", op->name->text, hd_strbuf_text(&text));
  hd_arena_free(&scratch);
}

const hd_process *hd_frame_process(hd_eval_frame *frame) { return &frame->evaluator->process; }

hd_status hd_evaluator_call_as(hd_eval_frame *frame, const hd_process *process, hd_op *function, const hd_tensor *args,
                               size_t arg_count, hd_tensor *results) {
  hd_evaluator *parent = frame->evaluator, *e;
  HD_TRY(hd_evaluator_create(parent->module, &parent->options, &e));
  e->heap = parent->heap;
  e->process = *process;
  e->quiet = parent->quiet;
  hd_status status = hd_evaluator_call(e, function, args, arg_count, results);
  parent->reported |= e->reported;
  parent->checks_passed += e->checks_passed;
  parent->checks_failed += e->checks_failed;
  for (size_t i = 0; i < e->probes.len; ++i) hd_vec_push(&parent->arena, &parent->probes, e->probes.data[i]);
  hd_evaluator_free(e);
  return status;
}

/* ---- folding ---- */

typedef struct fold_args {
  hd_evaluator *evaluator;
  hd_op *op;
  const hd_attr *operands;
  size_t max_elements;
  hd_attr *results;
  bool folded;
} fold_args;

static hd_status fold(void *user) {
  fold_args *a = user;
  hd_evaluator *e = a->evaluator;
  hd_op *op = a->op;
  hd_tensor in[16] = {0}, out[16] = {0};
  hd_eval_frame frame = {e, NULL};
  for (uint32_t i = 0; i < op->operand_count; ++i) HD_TRY(hd_tensor_from_attr(e->heap, a->operands[i], &in[i]));
  HD_TRY(run_op(&frame, op, false, in, out));
  for (uint32_t i = 0; i < op->result_count; ++i) {
    if (!hd_tensor_is_tensor(&out[i]) || hd_tensor_count(&out[i]) > a->max_elements) return HD_STATUS_OK;
    a->results[i] = hd_attr_dense(out[i].type, hd_tensor_data(&out[i]), out[i].buffer->size, false);
  }
  a->folded = true;
  return HD_STATUS_OK;
}

bool hd_eval_fold(hd_op *op, const hd_attr *operands, size_t max_elements, hd_attr *out_results) {
  if (!op->info->hooks.eval || op->region_count || op->operand_count > 16 || op->result_count > 16 ||
      !op->result_count || !hd_op_is_pure(op))
    return false;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    if (!operands[i] || !hd_attr_is(operands[i], HD_ATTR_DENSE) || !hd_type_is(operands[i]->type, HD_TYPE_TENSOR))
      return false;
    int64_t count = hd_type_num_elements(operands[i]->type);
    if (count < 0 || (uint64_t)count > max_elements) return false;
  }
  /* A static result tells its size ahead; an unknown one is bounded by the heap's limit. */
  for (uint32_t i = 0; i < op->result_count; ++i) {
    hd_type type = hd_result_type(op, i);
    if (!hd_type_is(type, HD_TYPE_TENSOR)) return false;
    int64_t count = hd_type_num_elements(type);
    if (hd_type_is_static(type) && (count < 0 || (uint64_t)count > max_elements)) return false;
  }
  hd_eval_options options = {.memory_limit = 4096 + 64 * max_elements * (op->operand_count + op->result_count + 2),
                             .timeout_s = 1};
  hd_evaluator *e;
  hd_status status = hd_evaluator_create(op->module, &options, &e);
  if (!hd_is_ok(status)) {
    hd_status_ignore(status);
    return false;
  }
  e->quiet = true;
  fold_args a = {e, op, operands, max_elements, out_results, false};
  hd_status_ignore(hd_guarded_call(fold, &a));
  bool folded = a.folded;
  hd_evaluator_free(e);
  return folded;
}
