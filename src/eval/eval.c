/* SPDX-License-Identifier: Apache-2.0 */
#include "eval/eval.h"

#include <string.h>

#include "base/clock.h"
#include "eval/core/state.h"
#include "eval/machine/program.h"
#include "ir/program_entry.h"

typedef struct program_args {
  hd_evaluator *evaluator;
  hd_op *entry;
  const hd_tensor *args;
  size_t arg_count;
  hd_tensor *results;
  size_t result_count;
} program_args;

/* Calls that call twice each would not end in anybody's lifetime: refused, as the compiler refuses them. */
static hd_status check_calls(hd_evaluator *e, hd_op *entry) {
  if (!e->calls) {
    e->calls = hd_new(&e->arena, hd_call_graph);
    hd_call_graph_init(e->calls, e->module->op, &e->arena);
  }
  if (hd_call_graph_check_size(e->calls, entry, 0)) return HD_STATUS_OK;
  e->reported = true;
  return hd_failed(e->context);
}

static hd_status guarded_program(void *user) {
  program_args *a = user;
  HD_TRY(check_calls(a->evaluator, a->entry));
  hd_eval_frame frame = {.evaluator = a->evaluator};
  return hd_eval_program(&frame, a->entry, a->args, a->arg_count, a->results, a->result_count);
}

hd_status hd_evaluator_run(hd_evaluator *e, hd_op *entry, const hd_tensor *args, size_t arg_count, hd_tensor *results,
                           size_t result_count) {
  e->reported = false;
  e->depth = 0;
  e->deadline = e->options.timeout_s > 0 ? hd_clock_seconds() + e->options.timeout_s : 0;
  e->memory->unit = NULL;
  if (result_count) memset(results, 0, result_count * sizeof *results);
  program_args a = {e, entry, args, arg_count, results, result_count};
  hd_status status = hd_guarded_call(guarded_program, &a);
  hd_eval_drop_temps(e, 0);
  e->io = (hd_program_io){.writers = e->io.writers, .output_count = e->io.output_count};
  if (!hd_is_ok(status) && !e->reported) return hd_eval_report(e, entry, status);
  return status;
}

hd_op *hd_evaluator_writer(const hd_evaluator *e, size_t i) {
  return e->io.writers && i < e->io.output_count ? e->io.writers[i] : NULL;
}

hd_op *hd_eval_entry(hd_module *module, hd_str name) {
  size_t count;
  hd_op *entry = hd_program_entry(module, name, &count);
  if (entry) return entry;
  if (name.len)
    return hd_error(module->context, module->op->loc, "there is no function '%.*s'", (int)name.len, name.data), NULL;
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf names;
  hd_strbuf_init(&names, &scratch);
  hd_program_put_public(module, &names);
  hd_error(module->context, module->op->loc,
           "expected one entry function: main, tao_main, or a single public one; got %zu public: %s%s", count,
           hd_strbuf_text(&names), count ? "; --entry selects one" : "");
  hd_arena_free(&scratch);
  return NULL;
}
