/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/session.h"

#include <string.h>

#include "text/text.h"

static void pass_on(void *user, const hd_diagnostic *diagnostic) {
  static const char *const names[] = {"note", "remark", "warning", "error"};
  hd_session *session = user;
  hd_arena scratch;
  hd_arena_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  hd_diagnostic_render(session->context, diagnostic, &text);
  while (text.len && text.data[text.len - 1] == '\n') text.data[--text.len] = 0;
  session->sink.fn(session->sink.user, names[diagnostic->severity], hd_strbuf_text(&text));
  hd_arena_free(&scratch);
}

hd_status hd_session_open(hd_session *session, size_t memory_limit, hd_message_sink sink) {
  *session = (hd_session){.sink = sink};
  HD_TRY(hd_context_create(memory_limit, &session->context));
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

hd_status hd_session_load(hd_session *session, const void *program, size_t size, const char *name, hd_module **out_module) {
  *out_module = NULL;
  if (size >= 4 && !memcmp(program, "ML\xefR", 4))
    return hd_make_status(HD_UNIMPLEMENTED, "%s: this build does not read bytecode", name);
  hd_str source = {program, size};
  hd_text_add_source(session->context, name, source);
  HD_TRY(hd_text_parse(session->context, source, name, out_module));
  if (hd_verify((*out_module)->op)) return HD_STATUS_OK;
  hd_module_free(*out_module);
  *out_module = NULL;
  return hd_failed(session->context);
}
