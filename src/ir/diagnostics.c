/* SPDX-License-Identifier: Apache-2.0 */
/* How diagnostics are written and kept: context.h has the functions, attributes.h the locations. */
#include <stdio.h>
#include <string.h>

#include "ir/attributes.h"

hd_loc hd_loc_file_position(hd_loc loc) {
  if (!loc) return NULL;
  if (loc->kind == HD_ATTR_LOC_FILE) return loc;
  if (loc->kind != HD_ATTR_LOC_NAME && loc->kind != HD_ATTR_LOC_CALLSITE && loc->kind != HD_ATTR_LOC_FUSED) return NULL;
  for (uint32_t i = 0; i < loc->loc.count; ++i) {
    hd_loc found = hd_loc_file_position(loc->loc.children[i]);
    if (found) return found;
  }
  return NULL;
}

static void render_source_line(hd_context *context, hd_loc place, hd_strbuf *out) {
  const hd_str *source = hd_map_get(&context->sources, place->loc.name);
  if (!source || !place->loc.line) return;
  const char *at = source->data, *end = source->data + source->len;
  for (uint32_t line = 1; line < place->loc.line; ++line) {
    at = memchr(at, '\n', (size_t)(end - at));
    if (!at) return;
    ++at;
  }
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  if (!stop) stop = end;
  size_t length = (size_t)(stop - at), column = place->loc.column ? place->loc.column - 1 : 0;
  if (length > 400 || column > length) return; /* a line that long helps nobody */
  hd_strbuf_putc(out, '\n');
  for (size_t i = 0; i < length; ++i) hd_strbuf_putc(out, (unsigned char)at[i] < ' ' && at[i] != '\t' ? ' ' : at[i]);
  hd_strbuf_putc(out, '\n');
  for (size_t i = 0; i < column; ++i) hd_strbuf_putc(out, at[i] == '\t' ? '\t' : ' ');
  hd_strbuf_putc(out, '^');
}

void hd_diagnostic_render(hd_context *context, const hd_diagnostic *diagnostic, hd_strbuf *out) {
  static const char *const names[] = {"note", "remark", "warning", "error"};
  hd_loc place = hd_loc_file_position(diagnostic->loc);
  if (place && !place->loc.line) /* the whole file */
    hd_strbuf_printf(out, "%s: ", place->loc.name->text);
  else if (place)
    hd_strbuf_printf(out, "%s:%u:%u: ", place->loc.name->text, place->loc.line, place->loc.column);
  else if (diagnostic->loc && diagnostic->loc->kind == HD_ATTR_LOC_NAME)
    hd_strbuf_printf(out, "%s: ", diagnostic->loc->loc.name->text);
  hd_strbuf_printf(out, "%s: %s", names[diagnostic->severity], diagnostic->text);
  if (place) render_source_line(context, place, out);
  hd_strbuf_putc(out, '\n');
}

enum { COLLECTED_LIMIT = 1 << 20 }; /* bytes of diagnostics kept; more of them is noise */

void hd_report(hd_context *context, hd_severity severity, hd_loc loc, const char *format, ...) {
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  va_list args;
  va_start(args, format);
  hd_strbuf_vprintf(&text, format, args);
  va_end(args);
  if (severity == HD_ERROR) ++context->error_count;
  hd_diagnostic diagnostic = {severity, loc, hd_strbuf_text(&text)};
  if (context->sink)
    context->sink(context->sink_user, &diagnostic);
  else if (context->collected.len < COLLECTED_LIMIT)
    hd_diagnostic_render(context, &diagnostic, &context->collected);
  hd_arena_free(&scratch);
}

hd_status hd_failed(hd_context *context) {
  if (context->sink || !context->collected.len) return hd_make_status(HD_INVALID_ARGUMENT, "%s", "");
  size_t length = context->collected.len;
  if (context->collected.data[length - 1] == '\n') --length;
  return hd_make_status(HD_INVALID_ARGUMENT, "%.*s", (int)length, context->collected.data);
}
