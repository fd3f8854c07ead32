/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/session.h"

#include <string.h>

#include "bytecode/bytecode.h"
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

hd_status hd_program_read(hd_context *context, hd_str source, const char *name, hd_module **out_module) {
  if (hd_bytecode_is(source.data, source.len))
    return hd_bytecode_parse(context, source.data, source.len, name, out_module);
  hd_text_add_source(context, name, source);
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
