/* SPDX-License-Identifier: Apache-2.0 */
/* The door of the check dialect: runs the public functions without arguments of each part of a file and counts how they
 * came out. A part that cannot be read counts as one failure. */
#include <stdlib.h>
#include <string.h>

#include "driver/check_compiled.h"
#include "driver/session.h"
#include "ir/eval/eval.h"

typedef struct part_check {
  const char *text;
  size_t size;
  const char *name;
  const hd_compile_options *options;
  hd_session *session;
  hd_module *module;
  hd_evaluator *evaluator;
  hd_check_counts *counts;
  const char *target; /* null: the evaluator */
} part_check;

static void print_line(void *user, const char *text) {
  hd_session *session = user;
  if (session->sink.fn) session->sink.fn(session->sink.user, "remark", text);
}

static void check_function(part_check *p, hd_op *function) {
  hd_str name = hd_symbol_name(function);
  hd_context *context = p->session->context;
  if (hd_op_region(function, 0)->first->arg_count) {
    ++p->counts->skipped;
    hd_report(context, HD_REMARK, function->loc, "'%.*s' skipped: it takes arguments", (int)name.len, name.data);
    return;
  }
  uint64_t before = hd_evaluator_checks_failed(p->evaluator);
  hd_status status;
  if (p->target) {
    size_t errors = context->error_count;
    status = hd_check_compiled(p->session, function, p->name, p->target, p->options, p->evaluator);
    if (!hd_is_ok(status) && context->error_count == errors)
      hd_error(context, function->loc, "'%.*s' on target %s: %s", (int)name.len, name.data, p->target,
               hd_status_message(status));
    bool good = hd_is_ok(status) && hd_evaluator_checks_failed(p->evaluator) == before;
    hd_status_ignore(status);
    ++*(good ? &p->counts->passed : &p->counts->failed);
    hd_report(context, HD_REMARK, function->loc, "'%.*s' %s", (int)name.len, name.data, good ? "passed" : "failed");
    return;
  }
  hd_attr type = hd_op_attr_get(function, "function_type");
  hd_tensor *results = hd_new_array(&p->module->arena, hd_tensor, type->type_value->function.out_count + 1);
  status = hd_evaluator_call(p->evaluator, function, NULL, 0, results);
  if (hd_is_ok(status))
    for (uint32_t i = 0; i < type->type_value->function.out_count; ++i) hd_tensor_release(&results[i]);
  bool held = hd_is_ok(status) && hd_evaluator_checks_failed(p->evaluator) == before;
  hd_status_ignore(status); /* it was reported at its op */
  ++*(held ? &p->counts->passed : &p->counts->failed);
  hd_report(context, HD_REMARK, function->loc, "'%.*s' %s", (int)name.len, name.data, held ? "passed" : "failed");
}

static hd_status check_part(void *user) {
  part_check *p = user;
  hd_status status = hd_session_load(p->session, p->text, p->size, p->name, &p->module);
  p->counts->unread += !hd_is_ok(status);
  HD_TRY(status);
  hd_eval_options options = {.print = print_line, .print_user = p->session};
  if (p->options) {
    options.memory_limit = p->options->memory_limit;
    options.timeout_s = p->options->timeout_s;
  }
  HD_TRY(hd_evaluator_create(p->module, &options, &p->evaluator));
  hd_for_each_op(op, hd_module_body(p->module)) {
    hd_attr type = hd_op_attr_get(op, "function_type");
    if (!hd_op_has_trait(op, HD_TRAIT(FUNCTION_LIKE)) || hd_symbol_is_private(op) || !op->region_count ||
        !hd_op_region(op, 0)->first || !hd_attr_is(type, HD_ATTR_TYPE) ||
        !hd_type_is(type->type_value, HD_TYPE_FUNCTION))
      continue;
    if (p->options && p->options->entry && !hd_str_is(hd_symbol_name(op), p->options->entry)) continue;
    check_function(p, op);
  }
  return HD_STATUS_OK;
}

/* Runs one part in a context of its own. |text| has the file's lines before it as empty lines, so that places in
 * diagnostics are those of the file. */
static hd_status run_part(const char *text, size_t size, const char *name, const hd_compile_options *options,
                          hd_message_sink sink, const char *target, hd_check_counts *counts) {
  hd_session session;
  HD_TRY(hd_session_open(&session, options ? options->memory_limit : 0, sink));
  part_check part = {text, size, name, options, &session, NULL, NULL, counts, target};
  hd_status status = hd_guarded_call(check_part, &part);
  hd_evaluator_free(part.evaluator);
  if (part.module) hd_module_free(part.module);
  hd_session_close(&session);
  if (hd_is_ok(status)) return status;
  ++counts->failed;
  /* A failure with diagnostics has been told; one without (out of memory, an unread format) is passed on. */
  if (sink.fn && hd_status_code_of(status) != HD_INVALID_ARGUMENT)
    sink.fn(sink.user, "error", hd_status_message(status));
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
  *out_counts = (hd_check_counts){0};
  const char *target = options && options->target && strcmp(options->target, "eval") ? options->target : NULL;
  if (target && strcmp(target, "cpu"))
    return hd_make_status(HD_UNIMPLEMENTED, "%s: check has no target '%s'", name, target);
  if (!options || !options->split_input_file)
    return run_part(program, size, name, compile_options, sink, target, out_counts);
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
      status = run_part(text, lines + length, name, compile_options, sink, target, out_counts);
      free(text);
    }
    for (const char *c = at; next && c < next; ++c) lines += *c == '\n';
    at = next;
  }
  return status;
}
