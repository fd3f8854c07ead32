/* SPDX-License-Identifier: Apache-2.0 */
/* The door of the check dialect: runs the public functions without arguments of each part of a file and counts how they
 * came out. A part that cannot be read counts as one failure. */
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "driver/check_compiled.h"
#include "driver/eval_inputs.h"
#include "driver/session.h"
#include "driver/targets.h"
#include "eval/machine/program.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

typedef struct part_check {
  const char *text;
  size_t size;
  const char *name;
  const hd_check_options *check;     /* all known */
  const hd_compile_options *options; /* all known */
  hd_session *session;
  hd_module *module;
  hd_evaluator *evaluator;
  hd_check_counts *counts;
  hd_op *entry; /* that runs on the inputs; null: none does */
  hd_message_sink sink;
} part_check;

static bool is_limit(hd_status status) {
  hd_status_code code = hd_status_code_of(status);
  return code == HD_DEADLINE_EXCEEDED || code == HD_RESOURCE_EXHAUSTED;
}

static hd_status evaluate(part_check *p, hd_op *function, const hd_host_tensor *inputs, size_t input_count) {
  hd_arena *arena = &p->module->arena;
  hd_type *types;
  hd_tensor *args;
  uint32_t count = hd_program_ports(function, true, false, arena, &types);
  hd_tensor *results = hd_new_array(arena, hd_tensor, count + 1);
  HD_TRY(hd_eval_inputs(p->evaluator, function, p->name, inputs, input_count, arena, &args));
  HD_TRY(hd_evaluator_run(p->evaluator, function, args, input_count, results, count));
  for (uint32_t i = 0; i < count; ++i) hd_tensor_release(&results[i]);
  return HD_STATUS_OK;
}

/* A host entry has the context, which is not given. */
static bool takes_arguments(part_check *p, hd_op *function) {
  hd_type *types;
  if (hd_discardable_host(function)) return hd_program_ports(function, false, false, &p->module->arena, &types);
  return hd_op_region(function, 0)->first->arg_count > 0;
}

static void check_function(part_check *p, hd_op *function) {
  hd_str name = hd_symbol_name(function);
  hd_context *context = p->session->context;
  const char *target = p->check->target;
  bool with_inputs = function == p->entry;
  const hd_host_tensor *inputs = with_inputs ? p->check->inputs : NULL;
  size_t input_count = with_inputs ? p->check->input_count : 0;
  if (!with_inputs && takes_arguments(p, function)) {
    ++p->counts->skipped;
    hd_report(context, HD_REMARK, function->loc, "'%.*s' skipped: it takes arguments", (int)name.len, name.data);
    return;
  }
  uint64_t before = hd_evaluator_checks_failed(p->evaluator);
  size_t errors = context->error_count;
  hd_status status =
      target ? hd_check_compiled(p->session, function, p->name, target, p->options, inputs, input_count, p->evaluator)
             : evaluate(p, function, inputs, input_count);
  if (!hd_is_ok(status) && context->error_count == errors) /* else it was reported at its op */
    hd_error(context, function->loc, "'%.*s' on target %s: %s", (int)name.len, name.data, target ? target : "eval",
             hd_status_message(status));
  bool good = hd_is_ok(status) && hd_evaluator_checks_failed(p->evaluator) == before;
  p->counts->limited += is_limit(status);
  hd_status_ignore(status);
  ++*(good ? &p->counts->passed : &p->counts->failed);
  hd_report(context, HD_REMARK, function->loc, "'%.*s' %s", (int)name.len, name.data, good ? "passed" : "failed");
}

static hd_status check_part(void *user) {
  part_check *p = user;
  const hd_compile_options *o = p->options;
  hd_status status = hd_session_load_entry(p->session, p->text, p->size, p->name, o, &p->module);
  p->counts->unread += !hd_is_ok(status) && !is_limit(status);
  HD_TRY(status);
  if (p->check->input_count) {
    p->entry = hd_eval_entry(p->module, o->entry ? hd_str_of(o->entry) : HD_STR(""));
    if (!p->entry) return hd_failed(p->session->context);
  }
  hd_eval_options options = {
      .print = hd_session_print, .print_user = p->session, .memory_limit = o->memory_limit, .timeout_s = o->timeout_s};
  HD_TRY(hd_evaluator_create(p->module, &options, &p->evaluator));
  hd_for_each_op(op, hd_module_body(p->module)) {
    if (!hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE))) continue;
    hd_attr type = hd_function_like_function_type(op);
    if (hd_symbol_is_private(op) || !op->region_count || !hd_op_region(op, 0)->first ||
        !hd_attr_is(type, HD_ATTR_TYPE) || !hd_type_is(type->type_value, HD_TYPE_FUNCTION))
      continue;
    if (o->entry && !hd_str_is(hd_symbol_name(op), o->entry)) continue;
    check_function(p, op);
  }
  return HD_STATUS_OK;
}

/* Runs one part in a context of its own. |text| has the file's lines before it as empty lines, so that places in
 * diagnostics are those of the file. */
static hd_status run_part(const part_check *whole, const char *text, size_t size) {
  hd_session session;
  part_check part = *whole;
  part.text = text;
  part.size = size;
  part.session = &session;
  HD_TRY(hd_session_open(&session, part.options, whole->sink));
  hd_status status = hd_guarded_call(check_part, &part);
  hd_evaluator_free(part.evaluator);
  if (part.module) hd_module_free(part.module);
  hd_session_close(&session);
  if (hd_is_ok(status) || hd_status_code_of(status) == HD_NOT_FOUND) return status;
  ++part.counts->failed;
  part.counts->limited += is_limit(status);
  /* A failure with diagnostics has been reported; one without (out of memory, an unread format) is passed on. */
  if (whole->sink.fn && hd_status_code_of(status) != HD_INVALID_ARGUMENT)
    whole->sink.fn(whole->sink.user, "error", hd_status_message(status));
  hd_status_ignore(status);
  return HD_STATUS_OK;
}

/* The start of the line after the next "// -----" line at or after |at|; null when there is none. */
static const char *next_part(const char *at, const char *end, const char **out_part_end) {
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    const char *line_end = stop ? stop : end;
    if (line_end - at >= 8 && !memcmp(at, "// -----", 8)) {
      *out_part_end = at;
      return stop ? stop + 1 : end;
    }
    at = stop ? stop + 1 : end;
  }
  *out_part_end = end;
  return NULL;
}

hd_status hd_check(const void *program, size_t size, const char *name, const hd_check_options *options,
                   const hd_compile_options *compile_options, hd_message_sink sink, hd_check_counts *out_counts) {
  HD_REQUIRE(out_counts);
  *out_counts = (hd_check_counts){0};
  if (size) HD_REQUIRE(program);
  if (!name) name = "program";
  hd_compile_options known;
  HD_TRY(hd_compile_options_read(compile_options, &known));
  hd_check_options check;
  HD_TRY(hd_options_read("hd_check_options", options, &check, sizeof check));
  HD_TRY(hd_check_host_tensors(check.inputs, check.input_count));
  if (check.target && !strcmp(check.target, "eval")) check.target = NULL;
  if (check.target && !(hd_target_find(check.target) && hd_target_find(check.target)->runs_here))
    return hd_make_status(HD_INVALID_ARGUMENT, "target: expected eval or %s, got '%s'", hd_targets_here(),
                          check.target);
  part_check whole = {.name = name, .check = &check, .options = &known, .counts = out_counts, .sink = sink};
  if (!check.split_input_file) return run_part(&whole, program, size);
  const char *start = program, *end = start + size, *at = start;
  size_t lines = 0;
  hd_status status = HD_STATUS_OK;
  while (at && hd_is_ok(status)) {
    const char *part_end, *next = next_part(at, end, &part_end);
    size_t length = (size_t)(part_end - at);
    bool blank = true;
    for (size_t i = 0; i < length && blank; ++i)
      blank = at[i] == ' ' || at[i] == '\n' || at[i] == '\t' || at[i] == '\r';
    if (!blank) {
      char *text = malloc(lines + length + 1);
      if (!text) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
      memset(text, '\n', lines);
      memcpy(text + lines, at, length);
      text[lines + length] = 0;
      status = run_part(&whole, text, lines + length);
      free(text);
    }
    for (const char *c = at; next && c < next; ++c) lines += *c == '\n';
    at = next;
  }
  return status;
}
