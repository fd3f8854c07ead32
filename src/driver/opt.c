/* SPDX-License-Identifier: Apache-2.0 */
/* heddle-opt: reads a program, or each part of a split file, runs the passes that the options name in their order,
 * prints what came out. */
#include "driver/opt.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/axis_info/program.h"
#include "analysis/indexing/print_ops.h"
#include "base/clock.h"
#include "heddle/compile.h"
#include "hlo/hlo.h"
#include "target/cuda/cuda.h"
#include "target/simt/simt.h"
#include "target/spirv/spirv.h"

/* PTX, SPIR-V, or an image of simt: all from the machine form alone. */
static hd_status write_kernels(hd_opt_state *o) {
  hd_pipeline verify = {0};
  hd_str text;
  HD_TRY(hd_pipeline_parse(hd_passes(), HD_STR("verify-machine-form"), &o->arena, &verify));
  HD_TRY(hd_pipeline_run(&verify, o->module, NULL, NULL));
  HD_TRY(o->emit_simt    ? hd_simt_image(o->module, &o->arena, &text)
         : o->emit_spirv ? hd_spirv_image(o->module, &o->arena, &text)
                         : hd_cuda_ptx(o->module, (int)o->emit_ptx, &o->arena, &text));
  hd_strbuf_put_str(&o->out, text);
  return HD_STATUS_OK;
}

static hd_status process(void *argument) {
  hd_opt_state *o = argument;
  HD_TRY(hd_program_read(o->context, o->source, o->name, &o->module));
  if (!hd_verify(o->module->op)) return hd_failed(o->context);
  if (o->verify_roundtrip) HD_TRY(hd_opt_check_roundtrip(o));
  hd_pass_observer observer = hd_opt_observer(o);
  HD_TRY(hd_pipeline_run(&o->passes, o->module, &observer, NULL));
  if (o->emit_bytecode) return hd_bytecode_write(o->module, &o->bytecode, &o->out);
  if (o->emit_hlo) return hd_hlo_print(o->module, &o->out);
  if (o->emit_ptx || o->emit_simt || o->emit_spirv) return write_kernels(o);
  if (o->print_indexing_maps) return hd_index_print_ops(o->module, &o->out), HD_STATUS_OK;
  if (o->print_alignment) return hd_axis_print_ops(o->module, &o->out), HD_STATUS_OK;
  if (!o->verify_diagnostics) {
    hd_text_print(o->module->op, &o->print, &o->out);
    hd_strbuf_putc(&o->out, '\n'); /* as mlir-opt ends a program */
  }
  return HD_STATUS_OK;
}

/* One program; |line| is where it begins in the file. */
static hd_status run_part(hd_opt_state *o, hd_str part, uint32_t line) {
  HD_TRY(hd_context_create(0, &o->context));
  hd_text_install(o->context);
  o->context->budget.deadline = o->deadline;
  o->context->allow_unregistered = o->allow_unregistered;
  o->context->sink = hd_opt_receive;
  o->context->sink_user = o;
  /* Empty lines stand for the parts before, so that places are those of the file. */
  char *padded = hd_arena_alloc(&o->context->arena, part.len + line);
  memset(padded, '\n', line - 1);
  if (part.len) memcpy(padded + line - 1, part.data, part.len);
  o->source = line > 1 ? (hd_str){padded, part.len + line - 1} : part;
  hd_expectations expected = {.arena = &o->arena, .file = o->name};
  if (o->verify_diagnostics) {
    hd_expectations_read(&expected, o->source);
    o->expected = &expected;
  }
  o->module = NULL;
  hd_status status = hd_guarded_call(process, o);
  size_t reported = o->context->error_count;
  if (o->module) hd_module_free(o->module);
  o->module = NULL;
  o->expected = NULL;
  hd_context_release(o->context);
  o->context = NULL;
  if (!o->verify_diagnostics) return status;
  hd_expectations_finish(&expected);
  for (size_t i = 0; i < expected.problems.len; ++i) hd_opt_say(o, "error", expected.problems.data[i]);
  /* A failure that gave no diagnostic is one. */
  if (hd_is_ok(status) || reported) {
    hd_status_ignore(status);
    status = HD_STATUS_OK;
  }
  return expected.problems.len
             ? hd_status_join(hd_make_status(HD_FAILED_PRECONDITION, "diagnostics differ from what was expected"),
                              status)
             : status;
}

static hd_status run(hd_opt_state *o, hd_str input) {
  if (o->timeout > 0) o->deadline = hd_clock_seconds() + o->timeout;
  o->print.elide_larger_than = (size_t)o->elide_larger_than;
  hd_str pipeline = {hd_strbuf_text(&o->pipeline), o->pipeline.len};
  HD_TRY(hd_pipeline_parse(hd_passes(), pipeline, &o->arena, &o->passes));
  if (o->target.len) hd_pipeline_set_target(&o->passes, &o->arena, o->target);
  if (o->no_graph_passes) hd_pipeline_drop_graph_passes(&o->passes);
  hd_status status = HD_STATUS_OK;
  uint32_t line = 1;
  for (const char *at = input.data, *end = input.data + input.len;;) {
    const char *stop = end, *next = NULL;
    uint32_t next_line = line;
    for (const char *scan = at; o->split_input_file && !hd_bytecode_is(input.data, input.len) && scan < end;) {
      const char *newline = memchr(scan, '\n', (size_t)(end - scan));
      size_t length = (size_t)((newline ? newline : end) - scan);
      if (length >= 8 && !memcmp(scan, "// -----", 8)) {
        stop = scan;
        next = newline ? newline + 1 : end;
        ++next_line;
        break;
      }
      if (!newline) break;
      scan = newline + 1;
      ++next_line;
    }
    size_t before = o->out.len;
    status = hd_status_join(status, run_part(o, (hd_str){at, (size_t)(stop - at)}, line));
    if (!next) break;
    if (!o->verify_diagnostics && o->out.len >= before) hd_strbuf_puts(&o->out, "// -----\n");
    at = next;
    line = next_line;
  }
  if (o->timing) hd_opt_print_timing(o);
  return status;
}

typedef struct opt_call {
  hd_opt_state *o;
  int argc;
  const char *const *argv;
  hd_str input;
} opt_call;

static hd_status guarded(void *argument) {
  opt_call *call = argument;
  if (call->argc) HD_TRY(hd_opt_read_options(call->o, call->argc - 1, call->argv + 1));
  return run(call->o, call->input);
}

hd_status hd_opt(int argc, const char *const *argv, const void *input, size_t size, const char *name,
                 hd_message_sink sink, hd_blob *out) {
  HD_REQUIRE(out);
  *out = (hd_blob){0};
  if (argc > 1) HD_REQUIRE(argv);
  for (int i = 1; i < argc; ++i) HD_REQUIRE(argv[i]);
  if (size) HD_REQUIRE(input);
  if (!name) name = "program";
  hd_opt_state *o = calloc(1, sizeof *o);
  if (!o) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_arena_init(&o->arena, NULL);
  hd_strbuf_init(&o->out, &o->arena);
  hd_strbuf_init(&o->pipeline, &o->arena);
  o->sink = sink;
  o->name = name;
  o->verify_each = true;
  o->seconds = hd_new_array(&o->arena, double, hd_passes()->count);
  opt_call call = {o, argc, argv, {input, size}};
  hd_status status = hd_guarded_call(guarded, &call);
  if (o->module) hd_module_free(o->module);
  hd_context_release(o->context);
  if (o->out.len) status = hd_status_join(status, hd_blob_of(&o->out, out));
  hd_arena_free(&o->arena);
  free(o);
  return status;
}

hd_status hd_opt_help(hd_blob *out_text) {
  HD_REQUIRE(out_text);
  *out_text = (hd_blob){0};
  hd_arena arena;
  hd_arena_init(&arena, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &arena);
  hd_opt_print_help(&text);
  hd_status status = hd_blob_of(&text, out_text);
  hd_arena_free(&arena);
  return status;
}
