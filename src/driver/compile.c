/* SPDX-License-Identifier: Apache-2.0 */
/* Compiling: program -> pipeline of the target -> kernels and host code -> artifact. Targets that share host code are
 * compiled as one program of the artifact, each other program from the text anew. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "driver/dump.h"
#include "driver/entry.h"
#include "driver/passes.h"
#include "driver/session.h"
#include "driver/targets.h"
#include "eval/graph/check.h"
#include "heddle/runtime.h"
#include "ir/constant_content.h"
#include "ir/custom_calls.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "runtime/constants.h"
#include "shape/shapes.h"
#include "target/cpu/cpu.h"
#include "target/device.h"

void hd_blob_free(hd_blob *blob) {
  if (!blob) return;
  free(blob->data);
  *blob = (hd_blob){0};
}

typedef hd_vec(hd_artifact_constant) hd_artifact_constants;

typedef struct compilation {
  hd_session session;
  const void *program;
  size_t size;
  const hd_compile_options *options;
  const char *name;
  hd_blob *out;
  hd_arena arena;
  hd_dump dump;
  hd_target_list targets;
  hd_artifact_constants constants; /* of all programs */
  hd_module *modules[HD_MAX_TARGETS];
  hd_artifact_program programs[HD_MAX_TARGETS];
  const char *module_name;
  /* The program that is compiled. */
  uint32_t index;
  hd_module *module;
  hd_artifact_entry *entry;
  hd_compile_options own; /* |options| of its targets alone */
} compilation;

/* Takes |data|, malloc'ed, also on failure: a blob ends with a NUL that its size does not count. */
static hd_status give_blob(void *data, size_t size, hd_blob *out) {
  char *grown = realloc(data, size + 1);
  if (!grown) {
    free(data);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  grown[size] = 0;
  *out = (hd_blob){grown, size};
  return HD_STATUS_OK;
}

static void dump_after(void *user, const hd_pass_info *info, hd_op *op, bool changed, double seconds) {
  (void)changed, (void)seconds;
  compilation *c = user;
  hd_dump_after(&c->dump, info, c->module, op);
}

/* Runs steps of |pipeline| from |*at| until |end|. */
static hd_status run_until(compilation *c, const hd_pipeline *pipeline, size_t *at, size_t end) {
  hd_pipeline part = hd_pipeline_part(pipeline, *at, end < *at ? *at : end);
  *at += part.steps.len;
  hd_pass_observer observer = {.user = c, .after = dump_after, .check_takes = c->options->pass_pipeline != NULL};
  return hd_pipeline_run(&part, c->module, &observer, NULL);
}

/* The constants of one memory, added to |all|. */
static hd_status add_constants(compilation *c, hd_attr list, hd_constant_memory memory, hd_artifact_constants *all) {
  for (size_t i = 0; i < hd_attr_count(list); ++i) {
    hd_constant_content content;
    if (!hd_constant_content_of(&c->arena, list->array.items[i], &content))
      return hd_make_status(HD_UNIMPLEMENTED, "constant %zu is of an element type that the runtime does not know", i);
    hd_artifact_constant constant = {content.hash, content.data, content.size, content.type, memory};
    hd_vec_push(&c->arena, all, constant);
  }
  return HD_STATUS_OK;
}

static hd_status constants_of(compilation *c, hd_op *func, hd_artifact_program *code) {
  hd_artifact_constants all = {0};
  HD_TRY(add_constants(c, hd_discardable_constants(func), HD_CONSTANT_HOST, &all));
  HD_TRY(add_constants(c, hd_discardable_device_constants(func), HD_CONSTANT_DEVICE, &all));
  code->constants = all.data;
  code->constant_count = (uint32_t)all.len;
  if (!c->options->constants_file) return HD_STATUS_OK;
  hd_vec_append(&c->arena, &c->constants, all.data, all.len);
  for (size_t i = 0; i < all.len; ++i) {
    all.data[i].is_external = true;
    all.data[i].data = NULL;
  }
  return HD_STATUS_OK;
}

/* Constants that are not in the artifact go to the caller, for a file that it names. */
static hd_status give_constants(compilation *c, hd_artifact *artifact) {
  if (!c->constants.len) return HD_STATUS_OK;
  void *data;
  size_t size;
  HD_TRY(hd_constants_write(c->constants.data, c->constants.len, &data, &size));
  artifact->constants_file = c->options->constants_file;
  return give_blob(data, size, c->options->out_constants);
}

/* What checks of the program say: disc-hlo-legalize-to-lhlo. */
static void messages_of(compilation *c, hd_op *func, hd_artifact_program *code) {
  hd_attr list = hd_discardable_messages(func);
  uint32_t count = list ? list->array.count : 0;
  const char **messages = hd_new_array(&c->arena, const char *, count);
  for (uint32_t i = 0; i < count; ++i) messages[i] = list->array.items[i]->string->text;
  code->messages = messages;
  code->message_count = count;
}

/* The PTX of |code|'s first image that is PTX, without the NUL that ends it. */
static hd_status give_ptx(compilation *c, const hd_artifact_program *code) {
  for (uint32_t i = 0; i < code->image_count; ++i) {
    const hd_artifact_image *image = &code->images[i];
    if (strcmp(image->format, hd_image_format_ptx.name) != 0) continue;
    hd_strbuf text;
    hd_strbuf_init(&text, &c->arena);
    hd_strbuf_put(&text, image->data, image->size - 1);
    return hd_blob_of(&text, c->options->out_ptx);
  }
  return HD_STATUS_OK;
}

/* Options about PTX need a target that has some. */
static hd_status check_ptx(const hd_compile_options *o, const hd_target_list *targets) {
  bool assembles = false, ptx = false;
  for (uint32_t i = 0; i < targets->count; ++i) {
    const hd_image_format *format = targets->list[i].target->images;
    assembles |= format && format->assemble;
    ptx |= format == &hd_image_format_ptx;
  }
  const char *first = targets->list[0].target->name;
  if (o->ptxas && !assembles)
    return hd_make_status(HD_INVALID_ARGUMENT, "ptxas: target '%s' has no PTX, got '%s'", first, o->ptxas);
  if (o->out_ptx && !ptx) return hd_make_status(HD_INVALID_ARGUMENT, "emit-ptx: target '%s' has no PTX", first);
  return HD_STATUS_OK;
}

/* Images of the program's targets that have some. */
static hd_status device_images(compilation *c, hd_artifact_program *code) {
  const hd_compile_options *o = c->options;
  hd_device_request requests[HD_MAX_TARGETS];
  size_t count = 0;
  bool ptx = false;
  for (uint32_t i = 0; i < c->targets.count; ++i) {
    const hd_image_format *format = c->targets.list[i].target->images;
    if (!format || c->targets.list[i].program != c->index) continue;
    const hd_architectures *architectures = &c->targets.list[i].architectures;
    const char *assembler = format->assemble ? o->ptxas : NULL;
    ptx |= format == &hd_image_format_ptx;
    requests[count++] = (hd_device_request){format, architectures->list, architectures->count, assembler};
  }
  if (!count) return HD_STATUS_OK;
  HD_TRY(hd_device_images(c->module, requests, count, &c->arena, code));
  return o->out_ptx && ptx ? give_ptx(c, code) : HD_STATUS_OK;
}

static hd_status emit(compilation *c) {
  hd_op *func = hd_entry_function(c->module);
  hd_vec(hd_cpu_kernel) kernels = {0};
  hd_for_each_op(op, hd_module_body(c->module))
    if (hd_discardable_kernel(op)) hd_vec_push(&c->arena, &kernels, (hd_cpu_kernel){op, NULL});
  hd_cpu_program cpu = {.kernels = kernels.data,
                        .kernel_count = kernels.len,
                        .entries = &func,
                        .code = {.entry_count = 1, .entries = c->entry}};
  hd_str module = hd_symbol_name(c->module->op);
  if (module.len) c->module_name = hd_arena_copy(&c->arena, module.data, module.len);
  HD_TRY(constants_of(c, func, &cpu.code));
  messages_of(c, func, &cpu.code);
  const hd_compile_options *o = c->options;
  HD_TRY(device_images(c, &cpu.code));
  size_t targets = o->mcpu_count ? o->mcpu_count : 1;
  hd_cpu_target *list = hd_new_array(&c->arena, hd_cpu_target, targets);
  for (size_t i = 0; i < targets; ++i)
    HD_TRY_MSG(hd_cpu_target_of(o->mcpu_count ? o->mcpu[i] : "native", &list[i]), "mcpu");
  hd_cpu_options cpu_options = {
      .threads = o->threads, .cache_dir = o->cache_dir, .dump_to = o->dump_to, .deadline = &c->session.context->budget};
  return hd_cpu_build(&cpu, list, targets, &cpu_options, &c->arena, &c->programs[c->index], NULL);
}

typedef struct target_search {
  bool later;                           /* what nothing provides comes later */
  bool (*provided)(const char *target); /* may be null */
  bool found;                           /* all of them */
} target_search;

/* A target that nothing provides is an error here, not when the program runs. */
static bool find_target(hd_op *op, void *user) {
  target_search *search = user;
  if (!hd_op_is(op, HD_OP_stablehlo_custom_call)) return true;
  hd_str target = hd_stablehlo_custom_call_call_target_name(op);
  if (hd_expectation_call_of(target)) {
    hd_op_error(op, "checks without a result, as 'heddle check' does alone: expected the result tensor<i1>, got none");
    return search->found = false;
  }
  if (search->later || hd_custom_call_is_compiled(target) || hd_custom_call_registered(target.data)) return true;
  if (search->provided && search->provided(target.data)) return true;
  hd_op_error(op,
              "calls '%s', which nothing provides: expected a registered function, or --custom-calls-later, with which "
              "whoever loads the artifact provides it",
              target.data);
  search->found = false;
  return true;
}

/* The dims that the caller fixes become constraints of the entry: the analysis of shapes puts them in, and a run checks
 * them. */
static hd_status fix_dims(compilation *c) {
  hd_op *func = hd_entry_function(c->module);
  if (!func) return HD_STATUS_OK;
  hd_shapes *shapes = hd_shapes_of(func, &c->arena);
  hd_attr old = hd_discardable_constraint(func);
  hd_vec(hd_attr) all = {0};
  for (size_t i = 0; i < hd_attr_count(old); ++i) hd_vec_push(&c->arena, &all, old->array.items[i]);
  for (size_t i = 0; i < c->options->fixed_dim_count; ++i) {
    const hd_named_dim *dim = &c->options->fixed_dims[i];
    if (dim->size < 0 || dim->size > HD_MAX_EXTENT)
      return hd_make_status(HD_INVALID_ARGUMENT, "fixed dim '%s': expected 0 to 2^%d, got %lld", dim->name,
                            HD_ADDRESS_BITS, (long long)dim->size);
    const char *text = hd_arena_printf(&c->arena, "%s == %lld", dim->name, (long long)dim->size);
    hd_dim lhs, rhs;
    if (!hd_shapes_read_constraint(shapes, text, &lhs, &rhs))
      return hd_make_status(HD_INVALID_ARGUMENT, "fixed dim '%s': the entry has no dim of this name", dim->name);
    hd_vec_push(&c->arena, &all, hd_attr_cstring(c->session.context, text));
  }
  hd_discardable_set_constraint(func, hd_attr_array(c->session.context, all.data, all.len));
  return HD_STATUS_OK;
}

static hd_status compile(compilation *c) {
  const hd_compile_options *o = &c->own;
  hd_pipeline pipeline;
  HD_TRY(hd_pipeline_for(o, c->module, &c->arena, &pipeline));
  size_t at = 0;
  if (o->fixed_dim_count) {
    HD_TRY(run_until(
        c, &pipeline, &at,
        hd_pipeline_find(&pipeline, "disc-broadcast-simplifier"))); /* the entry is alone, its dims have names */
    HD_TRY(fix_dims(c));
  }
  HD_TRY(run_until(c, &pipeline, &at, hd_pipeline_buffers(&pipeline)));
  hd_op *func = hd_entry_function(c->module);
  target_search targets = {o->custom_calls_later, o->custom_call_provided, true};
  if (func) hd_walk_pre(func, find_target, &targets);
  if (!targets.found) return hd_failed(c->session.context);
  if (!func || !hd_entry_describe(func, &c->arena, c->entry)) return hd_failed(c->session.context);
  for (size_t i = 0; i < o->constant_arg_count; ++i)
    if (o->constant_args[i].last >= c->entry->input_count || o->constant_args[i].first > o->constant_args[i].last)
      return hd_make_status(HD_INVALID_ARGUMENT,
                            "constant_args: expected arguments from the first to the last, below %u, got %u to %u",
                            c->entry->input_count, o->constant_args[i].first, o->constant_args[i].last);
  HD_TRY(run_until(c, &pipeline, &at, pipeline.steps.len));
  return emit(c);
}

static hd_status compile_program(compilation *c, uint32_t index) {
  c->index = index;
  c->own = *c->options;
  for (uint32_t i = c->targets.count; i-- > 0;)
    if (c->targets.list[i].program == index) c->own.target = c->targets.list[i].target->name;
  c->entry = hd_new(&c->arena, hd_artifact_entry);
  HD_TRY(hd_session_load_entry(&c->session, c->program, c->size, c->name, &c->own, &c->module));
  c->modules[index] = c->module;
  return compile(c);
}

/* What is on every machine comes after what may be missing, else the artifact would never run on that. */
static const hd_artifact_target *preferred(compilation *c) {
  hd_artifact_target *targets = hd_new_array(&c->arena, hd_artifact_target, c->targets.count);
  size_t count = 0;
  for (int here = 0; here < 2; ++here)
    for (uint32_t i = 0; i < c->targets.count; ++i) {
      const hd_target *target = c->targets.list[i].target;
      if (target->runs_here != here) continue;
      targets[count++] = (hd_artifact_target){hd_target_list_name(&c->targets, i, &c->arena), target->driver,
                                              c->targets.list[i].program};
    }
  return targets;
}

static hd_status compile_guarded(void *argument) {
  compilation *c = argument;
  HD_TRY(hd_dump_open(c->options->dump_to, &c->dump));
  c->module_name = c->name;
  for (uint32_t i = 0; i < c->targets.program_count; ++i) HD_TRY(compile_program(c, i));
  hd_artifact artifact = {.producer = hd_compiler_version(),
                          .module = c->module_name,
                          .metadata = c->options->metadata ? c->options->metadata : "",
                          .target_count = c->targets.count,
                          .targets = preferred(c),
                          .program_count = c->targets.program_count,
                          .programs = c->programs};
  HD_TRY(give_constants(c, &artifact));
  void *data;
  size_t size;
  HD_TRY(hd_artifact_write(&artifact, &data, &size));
  return give_blob(data, size, c->out);
}

hd_status hd_compile(const void *program, size_t size, const char *name, const hd_compile_options *options,
                     hd_message_sink sink, hd_blob *out_artifact) {
  HD_REQUIRE(out_artifact);
  *out_artifact = (hd_blob){0};
  if (size) HD_REQUIRE(program);
  if (!name) name = "program";
  hd_compile_options known;
  HD_TRY(hd_compile_options_read(options, &known));
  if (known.out_constants) *known.out_constants = (hd_blob){0};
  if (!known.constants_file != !known.out_constants || (known.constants_file && !*known.constants_file))
    return hd_make_status(HD_INVALID_ARGUMENT,
                          "constants apart: expected constants_file, the file's name, and out_constants, or neither");
  if (known.out_ptx) *known.out_ptx = (hd_blob){0};
  compilation c = {.program = program, .size = size, .options = &known, .name = name, .out = out_artifact};
  HD_TRY(hd_target_list_parse(known.target, &c.targets));
  HD_TRY(check_ptx(&known, &c.targets));
  HD_TRY(hd_session_open(&c.session, &known, sink));
  hd_arena_init(&c.arena, &c.session.context->budget);
  hd_status status = hd_guarded_call(compile_guarded, &c);
  status = hd_status_join(status, hd_dump_close(&c.dump));
  if (!hd_is_ok(status)) hd_blob_free(out_artifact);
  hd_arena_free(&c.arena);
  for (uint32_t i = 0; i < c.targets.program_count; ++i) hd_module_free(c.modules[i]);
  hd_session_close(&c.session);
  if (!hd_is_ok(status) && known.out_constants) hd_blob_free(known.out_constants);
  if (!hd_is_ok(status) && known.out_ptx) hd_blob_free(known.out_ptx);
  return status;
}

static char version[64];
static pthread_once_t version_once = PTHREAD_ONCE_INIT;

static void write_version(void) {
  snprintf(version, sizeof version, "heddle " HD_VERSION " (LLVM %s)", hd_cpu_llvm_version());
}

const char *hd_compiler_version(void) {
  pthread_once(&version_once, write_version);
  return version;
}
