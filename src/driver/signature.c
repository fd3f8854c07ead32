/* SPDX-License-Identifier: Apache-2.0 */
/* What the entry of a program takes and gives, as JSON. The dims come from the same analysis as an artifact's, over the
 * graph half of the default target's pipeline; a program that this half refuses (an op without a compiled path) is
 * described by its types alone, each unknown dim a name of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/entry.h"
#include "driver/passes.h"
#include "driver/session.h"
#include "eval/eval.h"
#include "eval/machine/program.h"
#include "ir/element_types.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"

typedef struct signature_call {
  const void *program;
  size_t size;
  const char *name;
  const hd_compile_options *options;
  hd_session session;
  hd_module *module;
  hd_arena arena;
  hd_strbuf json;
  hd_attr attrs[2]; /* the entry's arg_attrs and res_attrs before the analysis, null when there are none */
} signature_call;

/* What the program says of argument or result |i| as text in its attribute |name|, as |key|. */
static void put_text(signature_call *c, int list, uint32_t i, hd_name name, const char *key) {
  hd_attr attrs = c->attrs[list];
  if (!hd_attr_is(attrs, HD_ATTR_ARRAY) || i >= attrs->array.count) return;
  hd_attr text = hd_dict_get(attrs->array.items[i], name);
  if (!hd_attr_is(text, HD_ATTR_STRING)) return;
  --c->json.len; /* before the brace */
  hd_strbuf_printf(&c->json, ", \"%s\": ", key);
  hd_strbuf_put_json(&c->json, text->string->text);
  hd_strbuf_putc(&c->json, '}');
}

/* How argument or result |i| is to be, and a result where, when the program says so. */
static void put_place(signature_call *c, int list, uint32_t i) {
  put_text(c, list, i, HD_NAME_hd_layout, "layout");
  if (list) put_text(c, list, i, HD_NAME_mhlo_memory_kind, "memory_kind");
}

/* ---- from an analysed entry ---- */

static void put_tensor(signature_call *c, const hd_artifact_tensor *tensor, const int64_t *values) {
  hd_strbuf_puts(&c->json, "{\"type\": ");
  hd_strbuf_put_json(&c->json, hd_element_text(tensor->type));
  hd_strbuf_puts(&c->json, ", \"dims\": [");
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    const hd_artifact_dim *dim = &tensor->dims[i];
    if (i) hd_strbuf_puts(&c->json, ", ");
    int64_t size;
    char *end;
    long long number = strtoll(dim->text, &end, 10);
    hd_status status = HD_STATUS_OK;
    if (*dim->text && !*end) {
      hd_strbuf_printf(&c->json, "%lld", number);
    } else if (values && dim->program.len && hd_is_ok(status = hd_dim_evaluate(&dim->program, values, NULL, &size))) {
      hd_strbuf_printf(&c->json, "%lld", (long long)size);
    } else {
      hd_strbuf_put_json(&c->json, dim->text);
    }
    hd_status_ignore(status);
  }
  hd_strbuf_puts(&c->json, "], \"name\": ");
  hd_strbuf_put_json(&c->json, tensor->name ? tensor->name : "");
  hd_strbuf_putc(&c->json, '}');
}

static void put_entry(signature_call *c, const hd_artifact_entry *entry) {
  /* Values of the symbols, when every one is given. */
  int64_t *values = hd_new_array(&c->arena, int64_t, entry->symbol_count + 1);
  bool known = entry->symbol_count;
  for (uint32_t s = 0; s < entry->symbol_count; ++s) {
    bool given = false;
    for (size_t k = 0; k < c->options->fixed_dim_count; ++k)
      if (!strcmp(c->options->fixed_dims[k].name, entry->symbols[s].name))
        values[s] = c->options->fixed_dims[k].size, given = true;
    known &= given;
  }
  hd_strbuf_puts(&c->json, "{\"entry\": ");
  hd_strbuf_put_json(&c->json, entry->name);
  hd_strbuf_puts(&c->json, ", \"dims\": [");
  for (uint32_t s = 0; s < entry->symbol_count; ++s) {
    if (s) hd_strbuf_puts(&c->json, ", ");
    hd_strbuf_put_json(&c->json, entry->symbols[s].name);
  }
  for (int list = 0; list < 2; ++list) {
    hd_strbuf_puts(&c->json, list ? "], \"results\": [" : "], \"args\": [");
    uint32_t count = list ? entry->output_count : entry->input_count;
    for (uint32_t i = 0; i < count; ++i) {
      if (i) hd_strbuf_puts(&c->json, ", ");
      put_tensor(c, list ? &entry->outputs[i] : &entry->inputs[i], known ? values : NULL);
      put_place(c, list, i);
    }
  }
  hd_strbuf_puts(&c->json, "]}");
}

static void swallow(void *user, const hd_diagnostic *diagnostic) { (void)user, (void)diagnostic; }

/* Analyses |c->module|, which changes. What it reports is dropped: the types alone are the other answer. */
static bool analyse(signature_call *c, const char *entry_name, hd_artifact_entry *out) {
  hd_context *context = c->session.context;
  hd_diagnostic_sink sink = context->sink;
  size_t errors = context->error_count;
  context->sink = swallow;
  hd_compile_options options = {.entry = entry_name};
  hd_pipeline pipeline;
  hd_status status = hd_pipeline_for(&options, c->module, &c->arena, &pipeline);
  if (hd_is_ok(status)) {
    hd_pipeline graph = hd_pipeline_part(&pipeline, 0, hd_pipeline_find(&pipeline, HD_PASS_TO_BUFFERS));
    status = hd_pipeline_run(&graph, c->module, &(hd_pass_observer){0}, NULL);
  }
  bool described = false;
  if (hd_is_ok(status))
    hd_for_each_op(op, hd_module_body(c->module))
      if (hd_op_is(op, HD_OP_func_func) && hd_str_is(hd_symbol_name(op), entry_name))
        described = hd_entry_describe(op, &c->arena, out);
  hd_status_ignore(status);
  context->sink = sink;
  context->error_count = errors;
  return described;
}

/* ---- from types alone ---- */

static void put_type(signature_call *c, hd_type type, uint32_t *unknown) {
  hd_element_type element = type ? hd_element_type_of(type->shaped.element) : HD_ELEMENT_INVALID;
  hd_strbuf_puts(&c->json, "{\"type\": ");
  hd_strbuf_put_json(&c->json, hd_element_text(element));
  hd_strbuf_puts(&c->json, ", \"dims\": [");
  for (uint32_t i = 0; type && hd_type_has_rank(type) && i < type->shaped.rank; ++i) {
    if (i) hd_strbuf_puts(&c->json, ", ");
    if (type->shaped.dims[i] != HD_DYNAMIC) {
      hd_strbuf_printf(&c->json, "%lld", (long long)type->shaped.dims[i]);
    } else if (!unknown) {
      hd_strbuf_puts(&c->json, "\"?\"");
    } else {
      char name[16];
      snprintf(name, sizeof name, "d%u", (*unknown)++);
      const hd_named_dim *given = NULL;
      for (size_t k = 0; k < c->options->fixed_dim_count; ++k)
        if (!strcmp(c->options->fixed_dims[k].name, name)) given = &c->options->fixed_dims[k];
      if (given)
        hd_strbuf_printf(&c->json, "%lld", (long long)given->size);
      else
        hd_strbuf_printf(&c->json, "\"%s\"", name);
    }
  }
  hd_strbuf_puts(&c->json, "], \"name\": \"\"}");
}

/* The tensors that the entry takes and gives. */
typedef struct port_types {
  hd_type *types[2];
  uint32_t counts[2];
} port_types;

static void put_types(signature_call *c, hd_str name, const port_types *ports) {
  uint32_t unknown = 0, count = 0;
  for (uint32_t i = 0; i < ports->counts[0]; ++i) {
    hd_type type = ports->types[0][i];
    for (uint32_t k = 0; type && hd_type_has_rank(type) && k < type->shaped.rank; ++k)
      count += type->shaped.dims[k] == HD_DYNAMIC;
  }
  hd_strbuf_puts(&c->json, "{\"entry\": ");
  hd_strbuf_put_json(&c->json, hd_arena_copy(&c->arena, name.data, name.len));
  hd_strbuf_puts(&c->json, ", \"dims\": [");
  for (uint32_t i = 0; i < count; ++i) hd_strbuf_printf(&c->json, "%s\"d%u\"", i ? ", " : "", i);
  for (int list = 0; list < 2; ++list) {
    hd_strbuf_puts(&c->json, list ? "], \"results\": [" : "], \"args\": [");
    for (uint32_t i = 0; i < ports->counts[list]; ++i) {
      if (i) hd_strbuf_puts(&c->json, ", ");
      put_type(c, ports->types[list][i], list ? NULL : &unknown);
      put_place(c, list, i);
    }
  }
  hd_strbuf_puts(&c->json, "]}");
}

static hd_status describe(void *user) {
  signature_call *c = user;
  HD_TRY(hd_session_load_entry(&c->session, c->program, c->size, c->name, c->options, &c->module));
  hd_op *entry = hd_eval_entry(c->module, c->options->entry ? hd_str_of(c->options->entry) : HD_STR(""));
  if (!entry) return hd_failed(c->session.context);
  hd_attr type = hd_function_like_function_type(entry);
  if (!hd_attr_is(type, HD_ATTR_TYPE) || !hd_type_is(type->type_value, HD_TYPE_FUNCTION))
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: the entry has no function type", c->name);
  /* Taken down first: the analysis changes the module. */
  port_types ports;
  for (int list = 0; list < 2; ++list)
    ports.counts[list] = hd_program_ports(entry, list, true, &c->arena, &ports.types[list]);
  hd_str name = hd_symbol_name(entry);
  for (uint32_t i = 0; i < ports.counts[0]; ++i)
    if (!ports.types[0][i] && !hd_op_error(entry, "argument %u: expected a tensor, memref, vector or number", i))
      return hd_failed(c->session.context);
  c->attrs[0] = hd_function_like_arg_attrs(entry);
  c->attrs[1] = hd_function_like_res_attrs(entry);
  hd_artifact_entry described = {0};
  if (!hd_discardable_host(entry) && analyse(c, hd_arena_copy(&c->arena, name.data, name.len), &described))
    put_entry(c, &described);
  else
    put_types(c, name, &ports);
  return HD_STATUS_OK;
}

hd_status hd_program_signature(const void *program, size_t size, const char *name, const hd_compile_options *options,
                               hd_message_sink sink, hd_blob *out_json) {
  HD_REQUIRE(out_json);
  *out_json = (hd_blob){0};
  if (size) HD_REQUIRE(program);
  if (!name) name = "program";
  hd_compile_options known;
  HD_TRY(hd_compile_options_read(options, &known));
  signature_call call = {.program = program, .size = size, .name = name, .options = &known};
  HD_TRY(hd_session_open(&call.session, &known, sink));
  hd_arena_init(&call.arena, &call.session.context->budget);
  hd_strbuf_init(&call.json, &call.arena);
  hd_status status = hd_guarded_call(describe, &call);
  if (hd_is_ok(status)) status = hd_blob_of(&call.json, out_json);
  if (call.module) hd_module_free(call.module);
  hd_arena_free(&call.arena);
  hd_session_close(&call.session);
  return status;
}
