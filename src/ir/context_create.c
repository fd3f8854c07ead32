/* SPDX-License-Identifier: Apache-2.0 */
/* A context begins with the names of all rows, which is why this stands above them. */
#include <stdlib.h>

#include "ir/op_info.h"

static hd_status create(void *argument) {
  hd_context *context = argument;
  context->signatures = hd_new_array(&context->arena, void *, HD_OPCODE_COUNT);
  context->opcode_idents = hd_new_array(&context->arena, hd_ident, HD_OPCODE_COUNT);
  hd_names_fill(context);
  hd_strbuf_init(&context->collected, &context->arena);
  return HD_STATUS_OK;
}

hd_status hd_context_create(size_t memory_limit, hd_context **out_context) {
  *out_context = NULL;
  hd_context *context = calloc(1, sizeof *context);
  if (!context) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  context->budget.limit = memory_limit;
  hd_arena_init(&context->arena, &context->budget);
  hd_status status = hd_guarded_call(create, context);
  if (!hd_is_ok(status)) {
    hd_context_release(context);
    return status;
  }
  *out_context = context;
  return HD_STATUS_OK;
}
