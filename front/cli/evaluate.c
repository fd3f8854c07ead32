/* SPDX-License-Identifier: Apache-2.0 */
/* The signature comes as JSON, and its dims are asked for again once the named ones are known. */
#include "evaluate.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "program.h"
#include "watchdog.h"

typedef struct eval_program {
  hd_arena *arena;
  const hd_compiler *compiler;
  const hd_blob *bytes;
  const char *name;
  hd_compile_options compile;
  const char *const *symbols;
  int32_t symbol_count;
  hd_json resolved; /* the signature with the values below, once asked */
  int64_t *values;
} eval_program;

static hd_status ask_signature(eval_program *program, hd_json *out) {
  hd_blob *text = hd_cli_blob(program->arena);
  HD_TRY(program->compiler->hd_program_signature(program->bytes->data, program->bytes->size, program->name,
                                                 &program->compile, hd_cli_sink(), text));
  return hd_json_read(program->arena, (hd_str){text->data, text->size}, "signature", out);
}

static hd_status dims_of(void *user, int32_t i, const int64_t *values, int64_t *out_dims) {
  eval_program *program = user;
  size_t bytes = (size_t)program->symbol_count * sizeof *values;
  if (!program->values || memcmp(program->values, values, bytes)) {
    hd_named_dim *dims = hd_new_array(program->arena, hd_named_dim, program->symbol_count + 1);
    size_t count = 0;
    for (int32_t k = 0; k < program->symbol_count; ++k)
      if (values[k] != HD_DIM_UNKNOWN) dims[count++] = (hd_named_dim){program->symbols[k], values[k]};
    program->compile.fixed_dims = dims;
    program->compile.fixed_dim_count = count;
    HD_TRY(ask_signature(program, &program->resolved));
    program->values = hd_new_array(program->arena, int64_t, program->symbol_count + 1);
    memcpy(program->values, values, bytes);
  }
  const hd_json *args = hd_json_get(&program->resolved, "args");
  const hd_json *dims = args && (size_t)i < args->count ? hd_json_get(&args->items[i], "dims") : NULL;
  if (!dims) return hd_make_status(HD_INTERNAL, "signature: argument %d is missing", i);
  for (size_t k = 0; k < dims->count; ++k)
    if (!hd_json_integer(&dims->items[k], INT64_MIN, INT64_MAX, &out_dims[k])) out_dims[k] = HD_DIM_UNKNOWN;
  return HD_STATUS_OK;
}

hd_status hd_cli_ask_signature(hd_arena *arena, const hd_cli_options *options, const hd_blob *bytes,
                               hd_cli_signature *out) {
  eval_program *program = hd_new(arena, eval_program);
  *program = (eval_program){.arena = arena, .bytes = bytes, .name = options->name};
  HD_TRY(hd_compiler_open(&program->compiler));
  HD_TRY(hd_cli_compile_options(arena, options, &program->compile));
  hd_json json;
  HD_TRY(hd_cli_option_status(options, ask_signature(program, &json)));
  const hd_json *args = hd_json_get(&json, "args"), *dims = hd_json_get(&json, "dims");
  if (!args || !dims) return hd_make_status(HD_INTERNAL, "signature: expected args and dims");
  hd_cli_arg *list = hd_new_array(program->arena, hd_cli_arg, args->count + 1);
  for (size_t i = 0; i < args->count; ++i) {
    const hd_json *shape = hd_json_get(&args->items[i], "dims");
    size_t rank = shape ? shape->count : 0;
    const char **texts = hd_new_array(program->arena, const char *, rank + 1);
    for (size_t k = 0; k < rank; ++k)
      texts[k] = shape->items[k].kind == HD_JSON_STRING
                     ? shape->items[k].text
                     : hd_arena_printf(program->arena, "%" PRId64, shape->items[k].integer);
    list[i] = (hd_cli_arg){hd_json_text(&args->items[i], "name", ""),
                           hd_element_from_text(hd_json_text(&args->items[i], "type", "")), (int32_t)rank, texts};
  }
  const char **symbols = hd_new_array(program->arena, const char *, dims->count + 1);
  for (size_t i = 0; i < dims->count; ++i) symbols[i] = dims->items[i].text ? dims->items[i].text : "";
  program->symbols = symbols;
  program->symbol_count = (int32_t)dims->count;
  *out = (hd_cli_signature){(int32_t)args->count, (int32_t)dims->count, list, symbols, dims_of, program};
  return HD_STATUS_OK;
}

hd_host_tensor *hd_cli_host_tensors(hd_arena *arena, const hd_cli_tensor *inputs, int32_t count) {
  hd_host_tensor *list = hd_new_array(arena, hd_host_tensor, count + 1);
  for (int32_t i = 0; i < count; ++i)
    list[i] = (hd_host_tensor){inputs[i].type, inputs[i].dims, (size_t)inputs[i].rank, inputs[i].data, inputs[i].bytes};
  return list;
}

static void free_results(void *results) {
  const hd_compiler *compiler;
  hd_status status = hd_compiler_open(&compiler); /* which gave them */
  if (hd_is_ok(status)) compiler->hd_eval_results_free(results);
  hd_status_free(status);
}

hd_status hd_cli_evaluate(hd_arena *arena, const hd_cli_options *options, const hd_blob *bytes,
                          const hd_cli_tensor *inputs, int32_t input_count, hd_cli_tensor **out_results,
                          int32_t *out_count) {
  const hd_compiler *compiler;
  hd_compile_options compile;
  hd_eval_results *results;
  HD_TRY(hd_compiler_open(&compiler));
  HD_TRY(hd_cli_compile_options(arena, options, &compile));
  hd_host_tensor *list = hd_cli_host_tensors(arena, inputs, input_count);
  void **kept = hd_arena_on_free(arena, free_results);
  hd_cli_watch_phase("evaluation");
  hd_status status = compiler->hd_eval(bytes->data, bytes->size, options->name, &compile, list, (size_t)input_count,
                                       hd_cli_sink(), &results);
  hd_cli_watch_phase(NULL);
  HD_TRY(hd_cli_option_status(options, status));
  *kept = results;
  size_t count = compiler->hd_eval_results_count(results);
  *out_results = hd_new_array(arena, hd_cli_tensor, count + 1);
  for (size_t i = 0; i < count; ++i) {
    hd_host_tensor t = compiler->hd_eval_results_get(results, i);
    (*out_results)[i] = (hd_cli_tensor){t.type, (int32_t)t.rank, t.dims, (void *)t.data, t.size};
  }
  *out_count = (int32_t)count;
  return HD_STATUS_OK;
}

static bool is_number(const char *text) { return text[strspn(text, "-0123456789")] == 0; }

const char *hd_cli_contradiction(hd_arena *arena, const hd_cli_signature *signature, const hd_cli_tensor *inputs) {
  int64_t *values = hd_new_array(arena, int64_t, signature->symbol_count + 1);
  int32_t *given_by = hd_new_array(arena, int32_t, signature->symbol_count + 1);
  for (int32_t s = 0; s < signature->symbol_count; ++s) values[s] = HD_DIM_UNKNOWN;
  for (int32_t i = 0; i < signature->arg_count; ++i)
    for (int32_t k = 0; k < signature->args[i].rank && k < inputs[i].rank; ++k)
      for (int32_t s = 0; s < signature->symbol_count; ++s) {
        if (strcmp(signature->symbols[s], signature->args[i].dim_texts[k]) != 0) continue;
        int64_t dim = inputs[i].dims[k];
        if (values[s] == HD_DIM_UNKNOWN) values[s] = dim, given_by[s] = i;
        if (values[s] == dim) continue;
        return hd_arena_printf(arena, "argument %d: dim %d is %" PRId64 ", but %s is %" PRId64 " by argument %d", i, k,
                               dim, signature->symbols[s], values[s], given_by[s]);
      }
  for (int32_t i = 0; i < signature->arg_count; ++i) {
    int64_t *want = hd_new_array(arena, int64_t, signature->args[i].rank + 1);
    hd_status status = signature->dims_of(signature->user, i, values, want);
    for (int32_t k = 0; hd_is_ok(status) && k < signature->args[i].rank && k < inputs[i].rank; ++k) {
      const char *text = signature->args[i].dim_texts[k];
      if (want[k] != HD_DIM_UNKNOWN && want[k] != inputs[i].dims[k])
        return hd_arena_printf(arena, "argument %d: dim %d is %" PRId64 ", expected %s%s%" PRId64, i, k,
                               inputs[i].dims[k], is_number(text) ? "" : text, is_number(text) ? "" : " = ", want[k]);
    }
    hd_status_ignore(status);
  }
  return NULL;
}

hd_status hd_cli_explain_failure(hd_arena *arena, const hd_cli_signature *signature, const hd_cli_tensor *inputs,
                                 hd_status status) {
  const char *why = hd_is_ok(status) ? NULL : hd_cli_contradiction(arena, signature, inputs);
  if (!why) return status;
  hd_status told = hd_make_status(hd_status_code_of(status), "%s", why);
  hd_status_free(status);
  return told;
}
