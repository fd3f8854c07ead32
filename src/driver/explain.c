/* SPDX-License-Identifier: Apache-2.0 */
/* hd_explain: runs the target's passes, looks at the module after disc-fusion (what goes together) and after
 * disc-lower-to-kernels or disc-revise-gpu-kernel-outlining (what it became), and renders what it saw. No machine code
 * is made. */
#include <string.h>

#include "analysis/buffer_op.h"
#include "codegen/emit/kernels.h"
#include "codegen/emit/lower.h"
#include "driver/dump.h"
#include "driver/entry.h"
#include "driver/explaining.h"
#include "driver/passes.h"
#include "driver/session.h"
#include "ir/ops/discardable.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "text/text.h"

bool hd_explaining_is_function(const hd_op *op) {
  hd_type element = hd_buffer_output_count(op) ? hd_type_element(hd_buffer_output(op, 0)->type) : NULL;
  bool is_number = element && (element->kind == HD_TYPE_FLOAT || element->kind == HD_TYPE_COMPLEX);
  return is_number && hd_lowering_of(hd_buffer_opcode(op))->is_expensive;
}

/* The dim that |program| computes from |symbols|; null when it uses what dims have no form for. */
static hd_dim dim_of_program(hd_dim_table *table, const hd_dim_program *program, const hd_dim *symbols) {
  hd_dim stack[HD_DIM_STACK];
  size_t depth = 0;
  for (uint32_t at = 0; at < program->len; at += hd_dim_op_words(program->words[at])) {
    const int64_t *word = &program->words[at];
    if (*word == HD_DIM_CONST || *word == HD_DIM_SYMBOL) {
      if (depth == HD_DIM_STACK) return NULL;
      stack[depth++] = *word == HD_DIM_CONST ? hd_dim_const(table, word[1]) : symbols[word[1]];
      continue;
    }
    if (depth < 2) return NULL;
    hd_dim a = stack[depth - 2], b = stack[depth - 1];
    stack[--depth - 1] = *word == HD_DIM_ADD        ? hd_dim_add(table, a, b)
                         : *word == HD_DIM_SUB      ? hd_dim_sub(table, a, b)
                         : *word == HD_DIM_MUL      ? hd_dim_mul(table, a, b)
                         : *word == HD_DIM_FLOORDIV ? hd_dim_floordiv(table, a, b)
                                                    : NULL;
  }
  return depth == 1 ? stack[0] : NULL;
}

/* Gives the symbol that |dim| is now, if it is one, the name |name|. */
static void rename_symbol(hd_dim_table *table, hd_dim dim, const char *name) {
  dim = hd_dim_resolve(table, dim);
  bool is_term =
      !dim->constant && dim->term_count == 1 && dim->terms[0].coefficient == 1 && dim->terms[0].atom_count == 1;
  if (is_term && dim->terms[0].atoms[0]->kind == HD_ATOM_SYMBOL) dim->terms[0].atoms[0]->name = name;
}

/* Dims of the buffers by the names that the program's arguments give them: the assertions that made them equal are gone
 * from this form. Of two equal symbols the older stays, which is the buffers'. */
static void name_dims(hd_explaining *x, hd_op *func) {
  hd_dim_table *table = &x->shapes->table;
  hd_block *entry = hd_op_region(func, 0)->first;
  hd_dim *symbols = hd_new_array(&x->arena, hd_dim, x->entry.symbol_count);
  for (uint32_t i = 0; i < x->entry.symbol_count; ++i)
    symbols[i] = hd_dim_symbol(table, x->entry.symbols[i].name, 0, INT64_MAX, NULL, false);
  for (uint32_t i = 0; i < x->entry.input_count && i < entry->arg_count; ++i)
    for (uint32_t d = 0; d < x->entry.inputs[i].rank && d < hd_type_rank(entry->args[i]->type); ++d) {
      hd_dim dim = dim_of_program(table, &x->entry.inputs[i].dims[d].program, symbols);
      if (dim) hd_dim_assume_equal(table, hd_shapes_dim(x->shapes, entry->args[i], d), dim);
    }
  for (uint32_t i = 0; i < x->entry.symbol_count; ++i) rename_symbol(table, symbols[i], x->entry.symbols[i].name);
}

/* ---- passes ---- */

static hd_explain_kernel *count_named(hd_explaining *x, hd_op *op, hd_str name, hd_explain_list *list) {
  size_t i = 0;
  while (i < list->len && !hd_str_is(name, list->data[i].name)) ++i;
  if (i == list->len)
    hd_vec_push(&x->arena, list, ((hd_explain_kernel){.name = hd_arena_copy(&x->arena, name.data, name.len)}));
  ++list->data[i].launches;
  hd_explaining_note_fusion(x, op->loc, &list->data[i]);
  return &list->data[i];
}

static bool count_launch(hd_op *op, void *user) {
  hd_explaining *x = user;
  if (hd_op_is(op, HD_OP_hd_launch) || hd_op_is(op, HD_OP_gpu_launch_func)) {
    hd_attr kernel = hd_launch_like_kernel(op);
    hd_strbuf text;
    hd_strbuf_init(&text, &x->arena);
    hd_text_print_attr(kernel, &text);
    const char *name = strrchr(hd_strbuf_text(&text), '@'); /* a gpu.func is named after its module, @m::@f */
    if (name && name[1]) hd_explaining_add_launch_bytes(x, op, count_named(x, op, hd_str_of(name + 1), &x->e.kernels));
  } else if (hd_op_is(op, HD_OP_hd_ral_call)) {
    hd_str api = hd_hd_ral_call_api(op);
    const char *end = api.len ? strstr(api.data, "___") : NULL;
    if (end && (size_t)(end - api.data) < api.len) api.len = (size_t)(end - api.data);
    count_named(x, op, api, &x->e.calls);
  }
  return true;
}

static bool note_vectors(hd_op *op, void *user) {
  hd_explain_kernel *kernel = user;
  for (uint32_t i = 0; i < op->result_count; ++i) kernel->vectors |= hd_type_is(hd_result_type(op, i), HD_TYPE_VECTOR);
  kernel->gathers |= hd_op_is(op, HD_OP_vector_gather);
  return true;
}

static bool add_kernel(hd_op *op, void *user) {
  hd_explaining *x = user;
  hd_str name = hd_symbol_name(op);
  bool device = hd_op_is(op, HD_OP_gpu_func) && hd_discardable_gpu_kernel(op);
  if (device || hd_discardable_kernel(op)) {
    hd_explain_kernel kernel = {.name = hd_arena_copy(&x->arena, name.data, name.len)};
    hd_explaining_note_fusion(x, op->loc, &kernel);
    hd_walk_pre(op, note_vectors, &kernel);
    hd_vec_push(&x->arena, &x->e.kernels, kernel);
  }
  return true;
}

/* Keeps the module as the last pass left it; counted and printed once a pass, however many functions it ran on. */
static void keep_module(hd_explaining *x) {
  if (!x->e.passes.len) return;
  hd_vec_last(&x->e.passes).ops = hd_op_count(x->module->op);
  if (x->format != HD_EXPLAIN_HTML) return;
  hd_strbuf text;
  hd_strbuf_init(&text, &x->arena);
  hd_text_print(x->module->op, &(hd_text_print_options){.elide_larger_than = 16}, &text);
  hd_vec_last(&x->e.passes).text = hd_strbuf_text(&text);
}

static bool is_last_pass(const hd_explaining *x, const hd_pass_info *info) {
  return x->e.passes.len && !strcmp(hd_vec_last(&x->e.passes).name, info->name);
}

static void before_pass(void *user, const hd_pass_info *info, hd_op *op) {
  (void)op;
  hd_explaining *x = user;
  hd_dump_after(&x->dump, info, x->module, op);
  if (!is_last_pass(x, info)) keep_module(x);
}

static void after_pass(void *user, const hd_pass_info *info, hd_op *op, bool changed, double seconds) {
  hd_explaining *x = user;
  if (!is_last_pass(x, info)) hd_vec_push(&x->arena, &x->e.passes, (hd_explain_pass){.name = info->name});
  hd_explain_pass *pass = &hd_vec_last(&x->e.passes);
  pass->ms += seconds * 1e3;
  pass->changed |= changed;
  if (op && hd_op_is(op, HD_OP_func_func) && hd_discardable_kernel(op)) return;
  hd_op *func = hd_entry_function(x->module);
  if (!func) return;
  if (!strcmp(info->name, "disc-fusion") && !x->shapes) {
    x->shapes = hd_shapes_of(func, &x->arena);
    name_dims(x, func);
    for (uint32_t i = 0; i < func->region_count; ++i) hd_explaining_add_fusions(x, hd_op_region(func, i));
    hd_explaining_say_why(x, func);
  } else if (!strcmp(info->name, "join-attention") && x->shapes) {
    hd_explaining_note_joined(x);
  } else if ((!strcmp(info->name, "disc-lower-to-kernels") ||
              !strcmp(info->name, "disc-revise-gpu-kernel-outlining")) &&
             !x->e.kernels.len && !x->e.calls.len) {
    hd_walk_pre(x->module->op, add_kernel, x);
    hd_walk_post(func, count_launch, x);
    for (size_t i = 0; i < x->e.kernels.len; ++i)
      x->e.kernels.data[i].bytes_text = hd_explaining_dim_text(x, x->e.kernels.data[i].bytes);
  }
}

static hd_status run_part(hd_explaining *x, const hd_pipeline *whole, size_t from, size_t to) {
  hd_pipeline part = hd_pipeline_part(whole, from, to);
  hd_pass_observer observer = {.user = x, .before = before_pass, .after = after_pass};
  return hd_pipeline_run(&part, x->module, &observer, NULL);
}

static hd_status explain(void *argument) {
  hd_explaining *x = argument;
  HD_TRY(hd_session_load_entry(&x->session, x->program, x->size, x->name, x->options, &x->module));
  hd_pipeline pipeline;
  HD_TRY(hd_pipeline_for(x->options, x->module, &x->arena, &pipeline));
  HD_TRY(hd_dump_open(x->options->dump_to, &x->dump));
  size_t split = hd_pipeline_buffers(&pipeline);
  for (size_t i = 0; i < pipeline.steps.len; ++i)
    if (!strcmp(pipeline.steps.data[i].info->name, "disc-fusion"))
      hd_pass_step_set(&pipeline.steps.data[i], &x->arena, &(hd_pass_option){HD_STR("explain"), HD_STR("true")}, 1,
                       false);
  HD_TRY(run_part(x, &pipeline, 0, split));
  hd_op *func = hd_entry_function(x->module);
  if (!func || !hd_entry_describe(func, &x->arena, &x->entry)) return hd_failed(x->session.context);
  HD_TRY(run_part(x, &pipeline, split, pipeline.steps.len));
  keep_module(x);
  x->e.entry = &x->entry;
  if (x->costs) {
    *x->costs = (hd_program_costs){x->e.flops, 0, x->e.kernels.len};
    for (size_t i = 0; i < x->e.calls.len; ++i) x->costs->library_calls += x->e.calls.data[i].launches;
    return HD_STATUS_OK;
  }
  hd_strbuf_init(&x->out, &x->arena);
  if (x->format == HD_EXPLAIN_HTML)
    hd_explain_print_html(&x->e, &x->out);
  else if (x->format == HD_EXPLAIN_JSON)
    hd_explain_print_json(&x->e, &x->out);
  else
    hd_explain_print_text(&x->e, &x->out);
  return HD_STATUS_OK;
}

/* |out_text| or |out_costs|. */
static hd_status run_explain(const void *program, size_t size, const char *name, const hd_compile_options *options,
                             hd_explain_format format, hd_message_sink sink, hd_blob *out_text,
                             hd_program_costs *out_costs) {
  if (size) HD_REQUIRE(program);
  if (!name) name = "program";
  hd_compile_options known;
  HD_TRY(hd_compile_options_read(options, &known));
  hd_explaining x = {
      .program = program, .size = size, .name = name, .options = &known, .format = format, .costs = out_costs};
  HD_TRY(hd_session_open(&x.session, &known, sink));
  hd_arena_init(&x.arena, &x.session.context->budget);
  x.e = (hd_explanation){.arena = &x.arena, .name = name};
  hd_status status = hd_guarded_call(explain, &x);
  status = hd_status_join(status, hd_dump_close(&x.dump));
  if (hd_is_ok(status) && out_text) status = hd_blob_of(&x.out, out_text);
  hd_arena_free(&x.arena);
  hd_module_free(x.module);
  hd_session_close(&x.session);
  return status;
}

hd_status hd_explain(const void *program, size_t size, const char *name, const hd_compile_options *options,
                     hd_explain_format format, hd_message_sink sink, hd_blob *out_text) {
  HD_REQUIRE(out_text);
  *out_text = (hd_blob){0};
  return run_explain(program, size, name, options, format, sink, out_text, NULL);
}

hd_status hd_program_cost(const void *program, size_t size, const char *name, const hd_compile_options *options,
                          hd_message_sink sink, hd_program_costs *out_costs) {
  HD_REQUIRE(out_costs);
  *out_costs = (hd_program_costs){0};
  return run_explain(program, size, name, options, HD_EXPLAIN_TEXT, sink, NULL, out_costs);
}
