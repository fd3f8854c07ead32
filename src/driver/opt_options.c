/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of heddle-opt: the rows of options.def are read into hd_opt_state, passes in the order in which
 * they are named, and --help is printed from both. */
#include <stddef.h>
#include <string.h>

#include "base/option_table.h"
#include "bytecode/vhlo.h"
#include "driver/opt.h"
#include "driver/targets.h"

static hd_status ignore(void *o, const char *value) {
  (void)o, (void)value;
  return HD_STATUS_OK;
}

static const char *all_targets(void) { return hd_target_info_names(false); }

static void add_passes(hd_opt_state *o, const char *text, size_t size) {
  if (o->pipeline.len) hd_strbuf_putc(&o->pipeline, ',');
  hd_strbuf_put(&o->pipeline, text, size);
}

/* Adds passes that |option| names; a failure begins with it. */
static hd_status add_checked(hd_opt_state *o, const char *option, const char *text) {
  hd_pipeline parsed = {0};
  HD_TRY_MSG(hd_pipeline_parse(hd_passes(), hd_str_of(text), &o->arena, &parsed), "%s", option);
  add_passes(o, text, strlen(text));
  return HD_STATUS_OK;
}

static hd_status read_pipeline(void *o, const char *value) { return add_checked(o, "--pass-pipeline", value); }

static hd_status read_target(void *state, const char *name) {
  hd_opt_state *o = state;
  hd_str row = {name, strcspn(name, ":")};
  if (!hd_target_info_of(row))
    return hd_make_status(HD_INVALID_ARGUMENT, "--target: unknown target '%s', expected one of: %s", name,
                          all_targets());
  hd_status status = row.len < strlen(name) ? hd_target_check(name) : HD_STATUS_OK;
  if (!hd_is_ok(status)) {
    hd_status located = hd_make_status(HD_INVALID_ARGUMENT, "--%s", hd_status_message(status));
    hd_status_free(status);
    return located;
  }
  o->target = row;
  return HD_STATUS_OK;
}

static hd_status read_target_pipeline(void *state, const char *value) {
  hd_opt_state *o = state;
  const char *name = !strncmp(value, "target=", 7) ? value + 7 : value, *text = hd_target_pipeline(name);
  if (!text)
    return hd_make_status(HD_INVALID_ARGUMENT, "--disc-pipeline=%s: there is no pipeline '%s', expected one of: %s",
                          value, name, hd_target_names());
  add_passes(o, text, strlen(text));
  return read_target(o, hd_target_find(name)->name);
}

static hd_status read_bytecode(void *state, const char *value) {
  hd_opt_state *o = state;
  o->bytecode.plain = value && !strcmp(value, "plain");
  return hd_option_read_value(HD_OPTION_BOOL, "--emit-bytecode", o->bytecode.plain ? NULL : value, 0,
                              &o->emit_bytecode);
}

static hd_status read_version(void *state, const char *value) {
  hd_opt_state *o = state;
  uint32_t version;
  if (!hd_vhlo_version_parse(value, &version) || version < HD_VHLO_OLDEST || version > HD_VHLO_CURRENT)
    return hd_make_status(HD_INVALID_ARGUMENT, "--target-version=%s: expected a version from 0.9.0 to 1.20.0", value);
  o->bytecode.target_version = value;
  return HD_STATUS_OK;
}

/* Which lists the passes of |list| are put into. */
enum { BEFORE = 1, AFTER = 2, NOTES = 4 };

static hd_status add_names(hd_opt_state *o, const char *option, const char *list, unsigned to) {
  for (const char *at = list; *at;) {
    hd_str name = {at, strcspn(at, ",")};
    const hd_pass_info *info = hd_pass_find(hd_passes(), name);
    if (!info)
      return hd_make_status(HD_INVALID_ARGUMENT, "--%s: there is no pass '%.*s'; --help lists them", option,
                            (int)name.len, at);
    if (to & BEFORE) hd_vec_push(&o->arena, &o->dump.before, hd_str_of(info->name));
    if (to & AFTER) hd_vec_push(&o->arena, &o->dump.after, hd_str_of(info->name));
    if (to & NOTES) hd_vec_push(&o->arena, &o->dump.notes, hd_str_of(info->name));
    at += name.len + (at[name.len] == ',');
  }
  return HD_STATUS_OK;
}

static hd_status read_before(void *o, const char *list) { return add_names(o, "mlir-print-ir-before", list, BEFORE); }
static hd_status read_after(void *o, const char *list) { return add_names(o, "mlir-print-ir-after", list, AFTER); }
static hd_status read_watched(void *o, const char *list) {
  return add_names(o, "debug-only", list, BEFORE | AFTER | NOTES);
}

#define ROW(name, value, kind, field, help, ...) \
  {name, value, HD_OPTION_##kind, offsetof(hd_opt_state, field), 1, help, __VA_ARGS__}
#define HEDDLE(...)
#define OPT(...) ROW(__VA_ARGS__, .passed_on = true),
#define BOTH(commands, ...) ROW(__VA_ARGS__, .passed_on = true),
static const hd_option_row rows[] = {
#include "driver/options.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };
static const hd_option_table table = {rows, ROW_COUNT, 1};

/* --name or --name="a=1 b": a step of the pipeline. */
static hd_status add_pass(hd_opt_state *o, const char *name) {
  size_t n = strcspn(name, "=");
  const hd_pass_info *info = hd_pass_find(hd_passes(), (hd_str){name, n});
  const char *option = hd_arena_printf(&o->arena, "--%s", info->name);
  if (name[n] != '=') return add_checked(o, option, info->name);
  const char *options = name + n + 1;
  bool braces = *options == '{';
  return add_checked(o, option,
                     hd_arena_printf(&o->arena, "%s%s%s%s", info->name, braces ? "" : "{", options, braces ? "" : "}"));
}

static bool is_pass(const char *name) { return hd_pass_find(hd_passes(), (hd_str){name, strcspn(name, "=")}) != NULL; }

hd_status hd_opt_read_options(hd_opt_state *o, int count, const char *const *words) {
  hd_option_words left = {words, count};
  bool given[ROW_COUNT] = {false};
  while (left.count) {
    hd_option_word word;
    HD_TRY(hd_option_next(&table, &left, &word));
    if (word.row) {
      given[word.row - rows] = true;
      HD_TRY(hd_option_read(word.row, &o->arena, word.value, o));
    } else if (word.text) {
      const char *name = word.text + strspn(word.text, "-");
      if (!is_pass(name)) return hd_option_unknown(&table, "option or pass", word.text);
      HD_TRY(add_pass(o, name));
    }
  }
  return hd_option_check(&table, given, &o->arena);
}

void hd_opt_print_help(hd_strbuf *out) {
  hd_strbuf_puts(out, "options\n");
  hd_option_print(&table, out);
  hd_strbuf_puts(out, "\npasses, in the order of the pipelines\n");
  for (size_t i = 0; i < hd_passes()->count; ++i) {
    const hd_pass_info *info = &hd_passes()->rows[i];
    hd_strbuf_printf(out, "  --%-38s %s", info->name, info->doc);
    if (*info->aliases) hd_strbuf_printf(out, " (also %s)", info->aliases);
    hd_strbuf_putc(out, '\n');
    if (*info->options) hd_strbuf_printf(out, "      options: %s\n", info->options);
  }
}
