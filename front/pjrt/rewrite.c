/* SPDX-License-Identifier: Apache-2.0 */
/* What the plugin asks the compiler about programs beside their code: the program of one device, a form that frameworks
 * read, where results are to lie. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../compiler/compiler.h"
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
  return rewrite(client, "--pass-pipeline=inline,disc-unused-function-removal,spmd-partition", given->code,
                 given->code_size, out, out_size);
}

hd_status hd_pjrt_to_stablehlo(PJRT_Client *client, char **text, size_t *size) {
  static const char *const ops[] = {"= chlo.", "= mhlo.", "\"chlo.", "\"mhlo."}; /* as they are printed */
  char *old = *text;
  bool any = false;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i) any |= memmem(old, *size, ops[i], strlen(ops[i])) != NULL;
  if (!any) return HD_STATUS_OK;
  HD_TRY(rewrite(client, "--pass-pipeline=hlo-legalize-to-custom-call", old, *size, text, size));
  free(old);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_memory_kinds(PJRT_Client *client, const char *program, size_t size, int32_t count, uint8_t *kinds) {
  static const char mark[] = "memory_kind", value[] = "\"memory_kind\": \"";
  if (!memmem(program, size, mark, sizeof mark - 1)) return HD_STATUS_OK;
  const hd_compiler *compiler;
  HD_TRY(hd_pjrt_open_compiler(client, &compiler));
  hd_blob json;
  hd_message_sink no_sink = {0};
  HD_TRY(compiler->hd_program_signature(program, size, "program", NULL, no_sink, &json));
  const char *at = strstr(json.data, "\"results\": [");
  hd_status status = HD_STATUS_OK;
  for (int32_t i = 0; hd_is_ok(status) && at && i < count && (at = strchr(at, '{')); ++i) {
    const char *end = strchr(at, '}'), *found = strstr(at, value);
    if (found && end && found < end) {
      int kind = hd_pjrt_memory_kind(found + sizeof value - 1);
      if (kind < 0)
        status = hd_make_status(HD_INVALID_ARGUMENT, "result %d: no memory kind '%.*s'", i,
                                (int)strcspn(found + sizeof value - 1, "\""), found + sizeof value - 1);
      else
        kinds[i] = (uint8_t)kind;
    }
    at = end;
  }
  compiler->hd_blob_free(&json);
  return status;
}
