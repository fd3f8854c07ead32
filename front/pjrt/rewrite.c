/* SPDX-License-Identifier: Apache-2.0 */
/* What the plugin asks the compiler about programs beside their code: the program of one device, a form that frameworks
 * read, where results are to be. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../compiler/compiler.h"
#include "base/json.h"
#include "plugin.h"

/* Messages as one text; the first error is what counts. */
static void keep_message(void *user, const char *severity, const char *rendered) {
  char **kept = user;
  if (!*kept && !strcmp(severity, "error")) *kept = strdup(rendered);
}

/* |code| after the passes of |pipeline|, as malloc'ed text. What the compiler refuses is UNIMPLEMENTED, in its words.
 */
static hd_status rewrite(PJRT_Client *client, const char *pipeline, const char *code, size_t size, char **out,
                         size_t *out_size) {
  const char *const arguments[] = {"heddle-opt", pipeline, "--mlir-print-debuginfo"};
  const hd_compiler *compiler;
  char *message = NULL;
  hd_blob text = {0};
  HD_TRY(hd_pjrt_open_compiler(client, &compiler));
  hd_message_sink sink = {keep_message, &message};
  hd_status status = compiler->hd_opt(3, arguments, code, size, "program", sink, &text);
  if (hd_is_ok(status)) {
    char *copy = malloc(text.size + 1);
    if (copy) {
      memcpy(copy, text.data, text.size + 1);
      *out = copy;
      *out_size = text.size;
    } else {
      status = hd_pjrt_out_of_memory();
    }
    compiler->hd_blob_free(&text);
  } else if (message) {
    hd_status_free(status);
    status = hd_make_status(HD_UNIMPLEMENTED, "%s", message);
  }
  free(message);
  return status;
}

hd_status hd_pjrt_partition(PJRT_Client *client, const PJRT_Program *given, char **out, size_t *out_size) {
  *out = NULL;
  return rewrite(client, "--pass-pipeline=inline,disc-unused-function-removal,promote-elements,spmd-partition",
                 given->code, given->code_size, out, out_size);
}

hd_status hd_pjrt_to_stablehlo(PJRT_Client *client, char **text, size_t *size) {
  char *old = *text;
  HD_TRY(rewrite(client, "--pass-pipeline=hlo-legalize-to-custom-call", old, *size, text, size));
  free(old);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_lay_out(PJRT_Client *client, const char *program, size_t size, char **out, size_t *out_size) {
  static const char mark[] = "layout_mode"; /* no bytes of this: no such attribute, and nothing is to be done */
  *out = NULL;
  if (!memmem(program, size, mark, sizeof mark - 1)) return HD_STATUS_OK;
  return rewrite(client, "--pass-pipeline=entry-layouts", program, size, out, out_size);
}

/* ---- what the signature says ------------------------------------------------------------------------------------- */

typedef struct signature_call {
  hd_arena arena;
  hd_str text; /* as hd_program_signature gives it */
  hd_pjrt_places *places;
} signature_call;

/* "{0,1}", which the compiler has written, as dims from major to minor. */
static hd_status read_order(const char *text, int64_t **out) {
  size_t rank = 1, at = 0;
  for (const char *c = text; *c; ++c) rank += *c == ',';
  if (!(*out = calloc(rank, sizeof **out))) return hd_pjrt_out_of_memory();
  for (char *end; at < rank; ++at, text = end) (*out)[rank - 1 - at] = strtoll(text + 1, &end, 10);
  return HD_STATUS_OK;
}

static hd_status read_orders(const hd_json *list, int64_t **orders, int32_t count) {
  for (int32_t i = 0; list && i < count && (size_t)i < list->count; ++i) {
    const char *layout = hd_json_text(&list->items[i], "layout", NULL);
    if (layout) HD_TRY(read_order(layout, &orders[i]));
  }
  return HD_STATUS_OK;
}

static hd_status read_signature(void *argument) {
  signature_call *call = argument;
  hd_pjrt_places *places = call->places;
  hd_json signature;
  HD_TRY(hd_json_read(&call->arena, call->text, "signature", &signature));
  const hd_json *results = hd_json_get(&signature, "results");
  for (int32_t i = 0; results && i < places->output_count && (size_t)i < results->count; ++i) {
    const char *name = hd_json_text(&results->items[i], "memory_kind", NULL);
    int kind = name ? hd_pjrt_memory_kind(name) : places->kinds[i];
    if (kind < 0) return hd_make_status(HD_INVALID_ARGUMENT, "result %d: no memory kind '%s'", i, name);
    places->kinds[i] = (uint8_t)kind;
  }
  HD_TRY(read_orders(hd_json_get(&signature, "args"), places->input_orders, places->input_count));
  return read_orders(results, places->output_orders, places->output_count);
}

hd_status hd_pjrt_read_places(PJRT_Client *client, const char *program, size_t size, hd_pjrt_places *places) {
  static const char kind[] = "memory_kind", layout[] = "hd.layout"; /* without bytes of these nothing is said */
  if (!memmem(program, size, kind, sizeof kind - 1) && !memmem(program, size, layout, sizeof layout - 1))
    return HD_STATUS_OK;
  const hd_compiler *compiler;
  HD_TRY(hd_pjrt_open_compiler(client, &compiler));
  hd_blob json;
  hd_message_sink no_sink = {0};
  HD_TRY(compiler->hd_program_signature(program, size, "program", NULL, no_sink, &json));
  signature_call call = {.text = {json.data, json.size}, .places = places};
  hd_arena_init(&call.arena, NULL);
  hd_status status = hd_guarded_call(read_signature, &call);
  hd_arena_free(&call.arena);
  compiler->hd_blob_free(&json);
  return status;
}
