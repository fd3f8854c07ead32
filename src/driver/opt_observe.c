/* SPDX-License-Identifier: Apache-2.0 */
/* What heddle-opt says while passes run: dumps, decisions, times and diagnostics. */
#include "driver/opt.h"

void hd_opt_say(hd_opt_state *o, const char *severity, const char *text) {
  if (o->sink.fn) o->sink.fn(o->sink.user, severity, text);
}

static bool listed(const char *name, const hd_str *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (hd_str_is(names[i], name)) return true;
  return false;
}

static void dump(hd_opt_state *o, const hd_pass_info *info, const char *when) {
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  hd_strbuf_printf(&text, "// -----// IR Dump %s %s //----- //\n", when, info->name);
  hd_text_print(o->module->op, &o->print, &text);
  hd_opt_say(o, "remark", hd_strbuf_text(&text));
  hd_arena_free(&scratch);
}

static void before_pass(void *user, const hd_pass_info *info, hd_op *op) {
  hd_opt_state *o = user;
  (void)op;
  if (o->dump.before_all || listed(info->name, o->dump.before.data, o->dump.before.len)) dump(o, info, "Before");
}

static void after_pass(void *user, const hd_pass_info *info, hd_op *op, bool changed, double seconds) {
  hd_opt_state *o = user;
  (void)op;
  size_t row = (size_t)(info - hd_passes()->rows);
  o->seconds[row] += seconds;
  bool wanted = listed(info->name, o->dump.after.data, o->dump.after.len) ||
                (o->dump.after_all && (changed || !o->dump.after_change));
  if (wanted) dump(o, info, "After");
}

/* "[cse]: ...", a line each. */
static void note(void *user, const hd_pass_info *info, const char *text) {
  hd_opt_state *o = user;
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_opt_say(o, "remark", hd_arena_printf(&scratch, "[%s]: %s", info->name, text));
  hd_arena_free(&scratch);
}

static bool is_watched(void *user, const hd_pass_info *info) {
  const hd_opt_state *o = user;
  return listed(info->name, o->dump.notes.data, o->dump.notes.len);
}

hd_pass_observer hd_opt_observer(hd_opt_state *o) {
  return (hd_pass_observer){.user = o,
                            .before = before_pass,
                            .after = after_pass,
                            .note = note,
                            .is_watched = is_watched,
                            .verify_each = o->verify_each,
                            .check_takes = true,
                            .verify_preserved = o->verify_preserved};
}

void hd_opt_receive(void *user, const hd_diagnostic *diagnostic) {
  hd_opt_state *o = user;
  if (o->expected) {
    hd_expectations_meet(o->expected, diagnostic);
    return;
  }
  hd_sink_give(o->sink, o->context, diagnostic);
}

void hd_opt_print_timing(hd_opt_state *o) {
  hd_strbuf text;
  hd_strbuf_init(&text, &o->arena);
  hd_strbuf_puts(&text, "pass timing, seconds");
  for (size_t i = 0; i < hd_passes()->count; ++i)
    if (o->seconds[i] > 0) hd_strbuf_printf(&text, "\n  %.6f  %s", o->seconds[i], hd_passes()->rows[i].name);
  hd_opt_say(o, "remark", hd_strbuf_text(&text));
}
