/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with an op, as a diagnostic of its context or as a status. */
#include <stdio.h>

#include "ir/attributes.h"
#include "ir/op.h"

/* |words| before each of the types: up to two, left out where null. */
static bool op_error(hd_op *op, const char *format, va_list args, const char *const *words, const hd_type *types) {
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  hd_strbuf_vprintf(&text, format, args);
  hd_context *context = hd_op_context(op);
  for (int i = 0; i < 2 && context->print_type; ++i) {
    if (!types[i]) continue;
    hd_strbuf_puts(&text, words[i]);
    context->print_type(&text, types[i]);
  }
  hd_error(context, op->loc, "'%s' op %s", op->name->text, hd_strbuf_text(&text));
  hd_arena_free(&scratch);
  return false;
}

bool hd_op_verror(hd_op *op, const char *format, va_list args) {
  return op_error(op, format, args, (const char *const[]){"", ""}, (const hd_type[]){NULL, NULL});
}

bool hd_op_error(hd_op *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)hd_op_verror(op, format, args);
  va_end(args);
  return false;
}

bool hd_op_type_error(hd_op *op, hd_type expected, hd_type got, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)op_error(op, format, args, (const char *const[]){": expected ", ", got "}, (const hd_type[]){expected, got});
  va_end(args);
  return false;
}

bool hd_op_misfit_error(hd_op *op, hd_type a, hd_type b, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)op_error(op, format, args, (const char *const[]){", got ", " and "}, (const hd_type[]){a, b});
  va_end(args);
  return false;
}

hd_status hd_op_unimplemented(const hd_op *op, const char *format, va_list args) {
  char text[512], place[320] = "";
  vsnprintf(text, sizeof text, format, args);
  hd_loc loc = hd_loc_file_position(op->loc);
  if (loc) snprintf(place, sizeof place, "%.255s:%u:%u: ", loc->loc.name->text, loc->loc.line, loc->loc.column);
  return hd_make_status(HD_UNIMPLEMENTED, "%s'%s' op %s", place, op->name->text, text);
}
