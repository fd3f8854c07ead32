/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/options.h"
#include "bytecode/bytecode.h"
#include "heddle/runtime.h"
#include "hlo/hlo.h"
#include "ir/builder.h"
#include "ir/ops/interfaces.h"
#include "ir/program_entry.h"
#include "text/text.h"

void hd_sink_give(hd_message_sink sink, hd_context *context, const hd_diagnostic *diagnostic) {
  static const char *const names[] = {"note", "remark", "warning", "error"};
  if (!sink.fn) return;
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  hd_diagnostic_render(context, diagnostic, &text);
  while (text.len && text.data[text.len - 1] == '\n') text.data[--text.len] = 0;
  sink.fn(sink.user, names[diagnostic->severity], hd_strbuf_text(&text));
  hd_arena_free(&scratch);
}

static void pass_on(void *user, const hd_diagnostic *diagnostic) {
  hd_session *session = user;
  hd_sink_give(session->sink, session->context, diagnostic);
}

hd_status hd_compile_options_read(const hd_compile_options *options, hd_compile_options *out_known) {
  HD_TRY(hd_options_read("hd_compile_options", options, out_known, sizeof *out_known));
  const hd_compile_options *o = out_known;
  HD_TRY(hd_list_check("mcpu", o->mcpu, o->mcpu_count));
  HD_TRY(hd_list_check("constant_args", o->constant_args, o->constant_arg_count));
  HD_TRY(hd_list_check("fixed_dims", o->fixed_dims, o->fixed_dim_count));
  for (size_t i = 0; i < o->mcpu_count; ++i)
    if (!o->mcpu[i]) return hd_make_status(HD_INVALID_ARGUMENT, "mcpu: entry %zu is null", i);
  if (o->math && strcmp(o->math, "fast") != 0 && strcmp(o->math, "exact") != 0)
    return hd_make_status(HD_INVALID_ARGUMENT, "math: expected fast or exact, got '%s'", o->math);
  if (o->threads < 0) return hd_make_status(HD_INVALID_ARGUMENT, "threads: expected 0 or more, got %d", o->threads);
  if (!(o->timeout_s >= 0))
    return hd_make_status(HD_INVALID_ARGUMENT, "timeout: expected 0 or more seconds, got %g", o->timeout_s);
  for (int i = 0; i < 3; ++i)
    if (o->grid[i] < 0 || o->grid[i] > INT32_MAX)
      return hd_make_status(HD_INVALID_ARGUMENT, "grid: expected 0 to %d programs, got %lld", INT32_MAX,
                            (long long)o->grid[i]);
  for (size_t i = 0; i < o->fixed_dim_count; ++i)
    if (!o->fixed_dims[i].name) return hd_make_status(HD_INVALID_ARGUMENT, "fixed_dims: name %zu is null", i);
  return HD_STATUS_OK;
}

hd_status hd_session_open(hd_session *session, const hd_compile_options *options, hd_message_sink sink) {
  *session = (hd_session){.sink = sink};
  HD_TRY(hd_context_create(options ? options->memory_limit : 0, &session->context));
  if (options && options->timeout_s > 0) session->context->budget.deadline = hd_clock_seconds() + options->timeout_s;
  hd_text_install(session->context);
  if (sink.fn) {
    session->context->sink = pass_on;
    session->context->sink_user = session;
  }
  return HD_STATUS_OK;
}

void hd_session_close(hd_session *session) {
  if (session->context) hd_context_release(session->context);
  *session = (hd_session){0};
}

hd_status hd_program_read(hd_context *context, hd_str source, const char *name, hd_module **out_module) {
  if (hd_artifact_is(source.data, source.len)) {
    hd_error(context, hd_loc_file(context, hd_str_of(name), 1, 1),
             "expected a program as text or bytecode, got an artifact: it is compiled already; `heddle run`, or "
             "heddle.load in Python, takes it");
    return hd_failed(context);
  }
  if (hd_bytecode_is(source.data, source.len))
    return hd_bytecode_parse(context, source.data, source.len, name, out_module);
  hd_text_add_source(context, name, source);
  if (hd_hlo_is(source)) return hd_hlo_parse(context, source, name, out_module);
  return hd_text_parse(context, source, name, out_module);
}

hd_status hd_session_load(hd_session *session, const void *program, size_t size, const char *name,
                          hd_module **out_module) {
  *out_module = NULL;
  HD_TRY(hd_program_read(session->context, (hd_str){program, size}, name, out_module));
  if (hd_verify((*out_module)->op)) return HD_STATUS_OK;
  hd_module_free(*out_module);
  *out_module = NULL;
  return hd_failed(session->context);
}

static bool is_platform_index(hd_attr list, uint32_t i) {
  if (!hd_attr_is(list, HD_ATTR_ARRAY) || i >= list->array.count) return false;
  hd_attr name = hd_dict_get(list->array.items[i], HD_NAME_jax_global_constant);
  return hd_attr_is(name, HD_ATTR_STRING) && hd_str_is(hd_ident_str(name->string), "_platform_index");
}

/* Argument |i| of |entry| becomes the constant |value|. */
static bool bind_argument(hd_module *module, hd_op *entry, uint32_t i, int64_t value) {
  hd_context *context = module->context;
  hd_block *body = hd_op_region(entry, 0)->first;
  hd_type type = body->args[i]->type, function = hd_function_like_function_type(entry)->type_value;
  hd_type element = hd_type_is_tensor(type) ? type->shaped.element : NULL;
  uint32_t bits = element && element->kind == HD_TYPE_INTEGER ? hd_type_bits(element) : 0;
  if (bits < 8 || bits > 64 || !hd_type_is_static(type) || hd_type_rank(type))
    return hd_op_error(entry, "has the platform's index as argument %u, expected a scalar integer tensor", i);
  hd_builder b = hd_builder_at_start(module, body);
  hd_value_replace_uses(body->args[i], hd_build_hlo_constant(&b, hd_attr_dense(type, &value, bits / 8, true)));
  hd_block_erase_arg(body, i);
  hd_type *ins = hd_new_array(&module->arena, hd_type, function->function.in_count);
  hd_attr list = hd_function_like_arg_attrs(entry);
  hd_attr *attrs = hd_new_array(&module->arena, hd_attr, list->array.count);
  uint32_t types = 0, items = 0;
  for (uint32_t k = 0; k < function->function.in_count; ++k)
    if (k != i) ins[types++] = function->function.ins[k];
  for (uint32_t k = 0; k < list->array.count; ++k)
    if (k != i) attrs[items++] = list->array.items[k];
  hd_function_like_set_arg_attrs(entry, items ? hd_attr_array(context, attrs, items) : NULL);
  function = hd_type_function(context, ins, types, function->function.outs, function->function.out_count);
  hd_function_like_set_function_type(entry, hd_attr_type(function));
  return true;
}

static hd_status no_entry(hd_module *module, const char *name) {
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf list;
  hd_strbuf_init(&list, &scratch);
  hd_program_put_public(module, &list);
  hd_status status = hd_make_status(HD_NOT_FOUND, "entry: the program has no function '%s'; its public functions: %s",
                                    name, hd_strbuf_text(&list));
  hd_arena_free(&scratch);
  return status;
}

hd_status hd_blob_of(const hd_strbuf *text, hd_blob *out) {
  *out = (hd_blob){malloc(text->len + 1), text->len};
  if (!out->data) {
    out->size = 0;
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  if (text->len) memcpy(out->data, text->data, text->len);
  out->data[text->len] = 0;
  return HD_STATUS_OK;
}

hd_status hd_session_load_entry(hd_session *session, const void *program, size_t size, const char *name,
                                const hd_compile_options *options, hd_module **out_module) {
  int64_t value = options ? options->platform_index : 0;
  if (value < 0) return hd_make_status(HD_INVALID_ARGUMENT, "the platform's index is %lld", (long long)value);
  HD_TRY(hd_session_load(session, program, size, name, out_module));
  hd_op *entry =
      hd_program_entry(*out_module, options && options->entry ? hd_str_of(options->entry) : HD_STR(""), NULL);
  if (entry && !hd_op_region(entry, 0)->first) entry = NULL; /* a declaration runs nothing */
  bool bound = true;
  if (!entry && options && options->entry) {
    hd_status status = no_entry(*out_module, options->entry);
    hd_module_free(*out_module);
    *out_module = NULL;
    return status;
  }
  if (!entry) return HD_STATUS_OK;
  for (uint32_t i = hd_op_region(entry, 0)->first->arg_count; i-- > 0 && bound;)
    if (is_platform_index(hd_function_like_arg_attrs(entry), i)) bound = bind_argument(*out_module, entry, i, value);
  if (bound) return HD_STATUS_OK;
  hd_module_free(*out_module);
  *out_module = NULL;
  return hd_failed(session->context);
}

void hd_session_print(void *session, const char *text) {
  hd_session *s = session;
  if (s->sink.fn) s->sink.fn(s->sink.user, "remark", text);
}
