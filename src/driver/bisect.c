/* SPDX-License-Identifier: Apache-2.0 */
/* heddle bisect: the program is run by the evaluator as it was read and after every pass, and compiled at the end; the
 * first stage whose results differ is the one that broke it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "driver/compare.h"
#include "driver/dump.h"
#include "driver/eval_inputs.h"
#include "driver/launches.h"
#include "driver/passes.h"
#include "driver/session.h"
#include "driver/suspects.h"
#include "driver/targets.h"
#include "eval/machine/program.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "runtime/libraries/lapack.h"
#include "runtime/objects.h"
#include "runtime/ral_names.h"
#include "target/cpu/cpu.h"
#include "text/text.h"

typedef struct bisection {
  hd_session session;
  const void *program;
  size_t size;
  const char *name;
  const hd_compile_options *compile;
  double tolerance;
  const hd_host_tensor *inputs;
  size_t input_count;
  hd_module *module, *original, *previous; /* as the passes have left it, as read, and before the last pass */
  hd_str entry;
  hd_arena arena;
  hd_evaluator *reference; /* keeps |want| alive */
  hd_tensor *args, *want;
  size_t arg_count, result_count;
  hd_runtime *runtime;       /* of the last stage, */
  hd_executable *executable; /* machine code */
  hd_strbuf json;
  unsigned stages;
  bool equal;
  bool *out_equal;
  hd_blob *out;
} bisection;

static void open_stage(bisection *ctx, const char *pass) {
  hd_strbuf_puts(&ctx->json, ctx->stages++ ? ",\n  {\"pass\": " : "\n  {\"pass\": ");
  hd_strbuf_put_json(&ctx->json, pass);
}

static void write_number(bisection *ctx, const char *name, double value) {
  hd_strbuf_printf(&ctx->json, ", \"%s\": ", name);
  hd_strbuf_put_json_number(&ctx->json, value);
}

/* An element of dims |dims|, got and expected. */
static void write_difference(bisection *ctx, const hd_difference *d, uint32_t rank, const int64_t *dims) {
  int64_t rest = (int64_t)d->element, at[HD_MAX_RANK];
  for (uint32_t k = rank; k-- > 0;) {
    at[k] = rest % dims[k];
    rest /= dims[k];
  }
  hd_strbuf_puts(&ctx->json, ", \"element\": [");
  for (uint32_t k = 0; k < rank; ++k) hd_strbuf_printf(&ctx->json, "%s%" PRId64, k ? ", " : "", at[k]);
  hd_strbuf_puts(&ctx->json, "]");
  write_number(ctx, "got", d->got);
  write_number(ctx, "expected", d->want);
  write_number(ctx, "difference", d->relative);
}

static void write_writer(bisection *ctx, const char *op, const char *loc, const hd_writer *writer) {
  if (!writer->name) return;
  hd_strbuf_printf(&ctx->json, ", \"%s\": ", op);
  hd_strbuf_put_json(&ctx->json, writer->name);
  hd_strbuf_printf(&ctx->json, ", \"%s\": ", loc);
  hd_strbuf_put_json(&ctx->json, writer->place);
}

static hd_eval_options limits_of(const bisection *ctx) {
  return (hd_eval_options){.memory_limit = ctx->compile->memory_limit,
                           .timeout_s = ctx->compile->timeout_s,
                           .excess_precision = !ctx->compile->numerics.no_excess_precision};
}

/* The difference is known without |suspect|, so a search that failed says nothing. */
static void write_first(bisection *ctx, hd_status searched, const hd_suspect *suspect) {
  bool found = hd_is_ok(searched) && suspect->writer.name;
  hd_status_ignore(searched);
  if (!found) return;
  hd_strbuf_puts(&ctx->json, ", \"first\": {\"op\": ");
  hd_strbuf_put_json(&ctx->json, suspect->writer.name);
  hd_strbuf_puts(&ctx->json, ", \"loc\": ");
  hd_strbuf_put_json(&ctx->json, suspect->writer.place);
  write_writer(ctx, "value", "value_loc", &suspect->op);
  write_difference(ctx, &suspect->difference, suspect->rank, suspect->dims);
  for (uint32_t i = 0; i < suspect->operand_count; ++i) {
    const hd_writer *from = &suspect->operands[i];
    const char *text = hd_arena_printf(&ctx->arena, "%s%s%s", from->name, *from->place ? " from " : "", from->place);
    hd_strbuf_puts(&ctx->json, i ? ", " : ", \"operands\": [");
    hd_strbuf_put_json(&ctx->json, text);
  }
  hd_strbuf_puts(&ctx->json, suspect->operand_count ? "]}" : "}");
}

/* What first gives other values after the last pass. */
static void write_suspect(bisection *ctx) {
  hd_suspect_search search = {.original = ctx->original,
                              .before = ctx->previous,
                              .after = ctx->module,
                              .entry = ctx->entry,
                              .args = ctx->args,
                              .arg_count = ctx->arg_count,
                              .result_count = ctx->result_count,
                              .tolerance = ctx->tolerance,
                              .limits = limits_of(ctx)};
  hd_suspect suspect;
  write_first(ctx, hd_find_suspect(&search, &ctx->arena, &suspect), &suspect);
}

/* The number of |kernel| in the artifact; -1: it is not there. */
static int64_t kernel_number(const hd_loaded *loaded, hd_op *kernel) {
  char symbol[HD_CPU_SYMBOL_SIZE];
  hd_cpu_kernel_symbol(kernel, symbol);
  for (uint32_t i = 0; i < loaded->program->kernel_count; ++i)
    if (!strcmp(loaded->program->kernels[i].symbol, symbol)) return i;
  return -1;
}

static hd_kernel_fn code_of(void *user, hd_op *kernel) {
  const hd_loaded *loaded = ((const hd_executable *)user)->loaded;
  int64_t number = kernel_number(loaded, kernel);
  return number < 0 ? NULL : loaded->kernels[number];
}

/* A custom call is made again only where it is the runtime's own, since others may have effects, and where its results
 * can be compared element by element. */
static bool can_call(void *user, const hd_eval_launch *call) {
  (void)user;
  hd_str api = hd_hd_ral_call_api(call->op);
  if (!hd_str_starts(api, "ral_custom_call")) return true;
  const int64_t *words = (const int64_t *)(uintptr_t)call->words[1];
  int64_t count = (int64_t)call->words[2], size = count > 4 ? words[2] : 0;
  return size > 0 && size <= 8 * (count - 4) && hd_lapack_is_unique((const char *)(words + 4), (size_t)size);
}

/* The library call on the same operands: numbers of kernels are the artifact's. */
static hd_status call_library(void *user, const hd_eval_launch *call) {
  hd_executable *executable = user;
  hd_str api = hd_hd_ral_call_api(call->op);
  hd_ral_signature signature;
  enum { MOST_WORDS = 3 + 2 * HD_MAX_RANK };
  int64_t slots[HD_RAL_MAX_ARGS][MOST_WORDS];
  void *args[HD_RAL_MAX_ARGS + 1] = {0};
  HD_TRY(hd_ral_decode(api.data, &signature));
  if (signature.arg_count != call->count + 1)
    return hd_make_status(HD_INTERNAL, "'%s' has %u operands", api.data, call->count);
  for (uint32_t i = 0; i < call->count; ++i) {
    hd_op *def = hd_value_op(hd_operand(call->op, i));
    int64_t *slot = slots[i];
    args[i + 1] = slot;
    slot[0] = (int64_t)call->words[i];
    if (hd_op_is(def, HD_OP_hd_kernel_index))
      slot[0] = kernel_number(executable->loaded, hd_symbol_resolve(call->op, hd_launch_like_kernel(def)));
    if (signature.args[i + 1].kind != HD_RAL_MEMREF) continue;
    const hd_memref *m = hd_memref_of(&call->operands[i]);
    uint32_t rank = call->operands[i].type->shaped.rank;
    slot[0] = slot[1] = (int64_t)(intptr_t)m->base;
    slot[2] = m->offset;
    memcpy(slot + 3, m->dims, rank * sizeof *slot);
    memcpy(slot + 3 + rank, hd_memref_strides(&call->operands[i]), rank * sizeof *slot);
  }
  return hd_ral_call_alone(executable, api.data, args);
}

/* The first kernel or library call whose machine code is wrong. */
static void write_wrong_launch(bisection *ctx) {
  hd_launch_search search = {.module = ctx->module,
                             .entry = ctx->entry,
                             .args = ctx->args,
                             .arg_count = ctx->arg_count,
                             .result_count = ctx->result_count,
                             .tolerance = ctx->tolerance,
                             .limits = limits_of(ctx),
                             .code = code_of,
                             .can_call = can_call,
                             .call = call_library,
                             .user = ctx->executable};
  hd_suspect suspect;
  write_first(ctx, hd_find_wrong_launch(&search, &ctx->arena, &suspect), &suspect);
}

/* Compares |got| with the program's own results and writes what came out; |evaluator| has run what a pass left, null:
 * machine code. */
static void judge(bisection *ctx, const char *pass, const hd_tensor *got, hd_evaluator *evaluator) {
  double worst = 0;
  open_stage(ctx, pass);
  for (size_t i = 0; i < ctx->result_count; ++i) {
    hd_difference d;
    bool fits = hd_compare(&got[i], &ctx->want[i], &d);
    double limit = fits ? hd_tolerance_of(hd_tensor_element(&ctx->want[i]), ctx->tolerance) : 0;
    if (fits && d.relative <= limit) {
      if (d.relative > worst) worst = d.relative;
      continue;
    }
    ctx->equal = false;
    hd_strbuf_printf(&ctx->json, ", \"equal\": false, \"output\": %zu", i);
    if (!fits) {
      hd_strbuf_puts(&ctx->json, ", \"error\": ");
      hd_strbuf_put_json(&ctx->json, "the shape or the element type differs");
    } else {
      write_difference(ctx, &d, hd_tensor_rank(&ctx->want[i]), hd_tensor_dims(&ctx->want[i]));
    }
    hd_op *entry = hd_symbol_lookup(ctx->module->op, ctx->entry),
          *op = evaluator ? hd_evaluator_writer(evaluator, i) : NULL;
    hd_writer writer = op      ? hd_writer_of_op(op, &ctx->arena)
                       : entry ? hd_writer_of_output(entry, i, &ctx->arena)
                               : (hd_writer){NULL, ""};
    write_writer(ctx, "op", "loc", &writer);
    if (evaluator)
      write_suspect(ctx);
    else
      write_wrong_launch(ctx);
    hd_strbuf_puts(&ctx->json, "}");
    return;
  }
  hd_strbuf_puts(&ctx->json, ", \"equal\": true");
  write_number(ctx, "difference", worst);
  hd_strbuf_puts(&ctx->json, "}");
}

/* |failed|: the pass itself, not what it left. */
static void fail_stage(bisection *ctx, const char *pass, bool failed, hd_status status) {
  ctx->equal = false;
  open_stage(ctx, pass);
  hd_strbuf_printf(&ctx->json, ", \"equal\": false, \"failed\": %s, \"error\": ", failed ? "true" : "false");
  hd_strbuf_put_json(&ctx->json, hd_status_message(status));
  hd_strbuf_puts(&ctx->json, "}");
  hd_status_free(status);
}

/* Runs what a pass left, on a copy: the evaluator's own ops stay out of the program. */
static void run_stage(bisection *ctx, const char *pass) {
  hd_module *copy = hd_module_clone(ctx->module);
  hd_eval_options options = limits_of(ctx);
  hd_evaluator *evaluator = NULL;
  hd_status status = hd_evaluator_create(copy, &options, &evaluator);
  hd_tensor *got = hd_new_array(&ctx->arena, hd_tensor, ctx->result_count + 1);
  hd_op *entry = hd_symbol_lookup(copy->op, ctx->entry);
  if (hd_is_ok(status) && !entry) status = hd_make_status(HD_INTERNAL, "the entry is gone");
  if (hd_is_ok(status)) status = hd_evaluator_run(evaluator, entry, ctx->args, ctx->arg_count, got, ctx->result_count);
  if (hd_is_ok(status))
    judge(ctx, pass, got, evaluator);
  else
    fail_stage(ctx, pass, false, status);
  hd_evaluator_free(evaluator);
  hd_module_free(copy);
}

/* ---- machine code ---- */

static hd_status create_runtime(bisection *ctx) {
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  options.driver = hd_target_driver(ctx->compile->target);
  return hd_runtime_create(&options, &ctx->runtime);
}

static hd_status run_compiled(bisection *ctx, hd_evaluator *evaluator, hd_tensor *got) {
  hd_blob artifact = {0};
  hd_buffer **inputs = hd_new_array(&ctx->arena, hd_buffer *, ctx->arg_count + 1),
            **outputs = hd_new_array(&ctx->arena, hd_buffer *, ctx->result_count + 1);
  hd_status status = hd_compile(ctx->program, ctx->size, ctx->name, ctx->compile, ctx->session.sink, &artifact);
  if (hd_is_ok(status)) status = create_runtime(ctx);
  if (hd_is_ok(status)) status = hd_executable_load(ctx->runtime, artifact.data, artifact.size, NULL, &ctx->executable);
  int32_t count = (int32_t)ctx->input_count;
  for (int32_t i = 0; i < count && hd_is_ok(status); ++i)
    status = hd_buffer_wrap(ctx->runtime, ctx->inputs[i].type, (int32_t)ctx->inputs[i].rank, ctx->inputs[i].dims, NULL,
                            (void *)(uintptr_t)ctx->inputs[i].data, NULL, NULL, &inputs[i]);
  if (hd_is_ok(status) && (hd_executable_input_count(ctx->executable) != count ||
                           hd_executable_output_count(ctx->executable) != (int32_t)ctx->result_count))
    status = hd_make_status(HD_INTERNAL, "the compiled program has another signature");
  if (hd_is_ok(status))
    status = hd_executable_execute(ctx->executable, NULL, inputs, count, outputs, (int32_t)ctx->result_count);
  for (size_t i = 0; i < ctx->result_count && hd_is_ok(status); ++i) {
    hd_type type = hd_type_tensor(hd_tensor_element(&ctx->want[i]), hd_buffer_dims(outputs[i]),
                                  (size_t)hd_buffer_rank(outputs[i]), NULL);
    status = hd_tensor_create(hd_evaluator_heap(evaluator), type, &got[i]);
    if (hd_is_ok(status) && got[i].buffer->size != hd_buffer_bytes(outputs[i]))
      status = hd_make_status(HD_INTERNAL, "output %zu has another size than its type", i);
    if (hd_is_ok(status)) status = hd_buffer_read(outputs[i], hd_tensor_data(&got[i]), hd_buffer_bytes(outputs[i]));
  }
  for (int32_t i = 0; i < count; ++i) hd_buffer_release(inputs[i]);
  for (size_t i = 0; i < ctx->result_count; ++i) hd_buffer_release(outputs[i]);
  hd_blob_free(&artifact);
  return status;
}

static void run_machine_code(bisection *ctx) {
  hd_tensor *got = hd_new_array(&ctx->arena, hd_tensor, ctx->result_count + 1);
  hd_status status = run_compiled(ctx, ctx->reference, got);
  if (hd_is_ok(status))
    judge(ctx, "machine code", got, NULL);
  else
    fail_stage(ctx, "machine code", false, status);
  if (ctx->executable) hd_executable_release(ctx->executable);
  if (ctx->runtime) hd_runtime_release(ctx->runtime);
}

/* ---- the walk ---- */

/* What a step of the pipeline did. */
typedef struct step_note {
  hd_module *module;
  hd_dump *dump;
  bool changed;
} step_note;

static void note(void *user, const hd_pass_info *info, hd_op *op, bool changed, double seconds) {
  (void)seconds;
  step_note *n = user;
  n->changed |= changed;
  hd_dump_after(n->dump, info, n->module, op);
}

static void skip_stage(bisection *ctx, const char *pass) {
  open_stage(ctx, pass);
  hd_strbuf_puts(&ctx->json, ", \"equal\": true, \"changed\": false}");
}

static hd_status prepare(bisection *ctx) {
  hd_op *entry = hd_eval_entry(ctx->module, ctx->compile->entry ? hd_str_of(ctx->compile->entry) : HD_STR(""));
  if (!entry) return hd_failed(ctx->session.context);
  ctx->entry = hd_symbol_name(entry);
  ctx->original = hd_module_clone(ctx->module);
  hd_eval_options options = limits_of(ctx);
  HD_TRY(hd_evaluator_create(ctx->module, &options, &ctx->reference));
  hd_type *types;
  ctx->arg_count = ctx->input_count;
  ctx->result_count = hd_program_ports(entry, true, false, &ctx->arena, &types);
  ctx->want = hd_new_array(&ctx->arena, hd_tensor, ctx->result_count + 1);
  HD_TRY(hd_eval_inputs(ctx->reference, entry, ctx->name, ctx->inputs, ctx->input_count, &ctx->arena, &ctx->args));
  return hd_evaluator_run(ctx->reference, entry, ctx->args, ctx->arg_count, ctx->want, ctx->result_count);
}

static hd_status walk(bisection *ctx) {
  hd_pipeline pipeline;
  hd_dump dump;
  HD_TRY(hd_pipeline_for(ctx->compile, ctx->module, &ctx->arena, &pipeline));
  HD_TRY(hd_dump_open(ctx->compile->dump_to, &dump));
  for (size_t i = 0; i < pipeline.steps.len && ctx->equal; ++i) {
    hd_pipeline one = hd_pipeline_part(&pipeline, i, i + 1);
    step_note done = {ctx->module, &dump, false};
    hd_pass_observer observer = {.user = &done, .after = note, .verify_each = true};
    const char *pass = pipeline.steps.data[i].info->name;
    if (ctx->previous) hd_module_free(ctx->previous);
    ctx->previous = hd_module_clone(ctx->module);
    hd_status status = hd_pipeline_run(&one, ctx->module, &observer, NULL);
    if (!hd_is_ok(status))
      fail_stage(ctx, pass, true, status);
    else if (done.changed)
      run_stage(ctx, pass);
    else
      skip_stage(ctx, pass);
  }
  bool runs_here = hd_target_find(ctx->compile->target)->runs_here;
  if (ctx->equal && !ctx->compile->pass_pipeline && runs_here) run_machine_code(ctx);
  return hd_dump_close(&dump);
}

/* hd_output_writer: the same walk without running anything. */
typedef struct writer_call {
  bisection ctx;
  size_t output;
} writer_call;

static hd_status guarded_writer(void *user) {
  writer_call *call = user;
  bisection *ctx = &call->ctx;
  HD_TRY(hd_session_load_entry(&ctx->session, ctx->program, ctx->size, ctx->name, ctx->compile, &ctx->module));
  hd_op *entry = hd_eval_entry(ctx->module, ctx->compile->entry ? hd_str_of(ctx->compile->entry) : HD_STR(""));
  if (!entry) return hd_failed(ctx->session.context);
  hd_str symbol = hd_symbol_name(entry);
  hd_pipeline pipeline;
  HD_TRY(hd_pipeline_for(ctx->compile, ctx->module, &ctx->arena, &pipeline));
  HD_TRY(hd_pipeline_run(&pipeline, ctx->module, NULL, NULL));
  entry = hd_symbol_lookup(ctx->module->op, symbol);
  hd_writer writer = entry ? hd_writer_of_output(entry, call->output, &ctx->arena) : (hd_writer){NULL, ""};
  hd_strbuf_init(&ctx->json, &ctx->arena);
  hd_strbuf_printf(&ctx->json, "%s%s%s", writer.name ? writer.name : "", *writer.place ? " from " : "", writer.place);
  return hd_blob_of(&ctx->json, ctx->out);
}

hd_status hd_output_writer(const void *program, size_t size, const char *name,
                           const hd_compile_options *compile_options, size_t output, hd_message_sink sink,
                           hd_blob *out_text) {
  HD_REQUIRE(out_text);
  *out_text = (hd_blob){0};
  if (size) HD_REQUIRE(program);
  if (!name) name = "program";
  hd_compile_options compile;
  HD_TRY(hd_compile_options_read(compile_options, &compile));
  writer_call call = {.ctx = {.program = program, .size = size, .name = name, .compile = &compile, .out = out_text},
                      .output = output};
  HD_TRY(hd_session_open(&call.ctx.session, &compile, sink));
  hd_arena_init(&call.ctx.arena, &call.ctx.session.context->budget);
  hd_status status = hd_guarded_call(guarded_writer, &call);
  hd_arena_free(&call.ctx.arena);
  if (call.ctx.module) hd_module_free(call.ctx.module);
  hd_session_close(&call.ctx.session);
  return status;
}

static hd_status guarded(void *user) {
  bisection *ctx = user;
  HD_TRY(hd_session_load_entry(&ctx->session, ctx->program, ctx->size, ctx->name, ctx->compile, &ctx->module));
  HD_TRY(prepare(ctx));
  hd_strbuf_init(&ctx->json, &ctx->arena);
  hd_strbuf_puts(&ctx->json, "{\"stages\": [");
  ctx->equal = true;
  HD_TRY(walk(ctx));
  hd_strbuf_puts(&ctx->json, "]}\n");
  HD_TRY(hd_blob_of(&ctx->json, ctx->out));
  *ctx->out_equal = ctx->equal;
  return HD_STATUS_OK;
}

hd_status hd_bisect(const void *program, size_t size, const char *name, const hd_compile_options *compile_options,
                    const hd_bisect_options *options, const hd_host_tensor *inputs, size_t input_count,
                    hd_message_sink sink, bool *out_equal, hd_blob *out_json) {
  HD_REQUIRE(out_equal);
  HD_REQUIRE(out_json);
  *out_equal = false;
  *out_json = (hd_blob){0};
  if (size) HD_REQUIRE(program);
  HD_TRY(hd_check_host_tensors(inputs, input_count));
  if (!name) name = "program";
  hd_compile_options compile;
  HD_TRY(hd_compile_options_read(compile_options, &compile));
  hd_bisect_options own;
  HD_TRY(hd_options_read("hd_bisect_options", options, &own, sizeof own));
  bisection ctx = {.program = program,
                   .size = size,
                   .name = name,
                   .compile = &compile,
                   .tolerance = own.tolerance > 0 ? own.tolerance : 1e-4,
                   .inputs = inputs,
                   .input_count = input_count,
                   .out_equal = out_equal,
                   .out = out_json};
  HD_TRY(hd_session_open(&ctx.session, &compile, sink));
  hd_arena_init(&ctx.arena, &ctx.session.context->budget);
  hd_status status = hd_guarded_call(guarded, &ctx);
  hd_evaluator_free(ctx.reference);
  hd_arena_free(&ctx.arena);
  hd_module *const modules[] = {ctx.module, ctx.original, ctx.previous};
  for (size_t i = 0; i < sizeof modules / sizeof *modules; ++i)
    if (modules[i]) hd_module_free(modules[i]);
  hd_session_close(&ctx.session);
  return status;
}
