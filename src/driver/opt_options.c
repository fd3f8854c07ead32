/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of heddle-opt: the rows of opt_options.def are read into hd_opt_state, passes in the order in which
 * they are named, and --help is printed from both. */
#include <stddef.h>
#include <string.h>

#include "base/option_value.h"
#include "bytecode/vhlo.h"
#include "driver/opt.h"
#include "driver/targets.h"

static hd_status ignore(hd_opt_state *o, const char *value) {
  (void)o, (void)value;
  return HD_STATUS_OK;
}

static const char *all_targets(void) { return hd_target_info_names(false); }

static void add_passes(hd_opt_state *o, const char *text, size_t size) {
  if (o->pipeline.len) hd_strbuf_putc(&o->pipeline, ',');
  hd_strbuf_put(&o->pipeline, text, size);
}

static hd_status read_pipeline(hd_opt_state *o, const char *value) {
  add_passes(o, value, strlen(value));
  return HD_STATUS_OK;
}

static hd_status read_target(hd_opt_state *o, const char *name) {
  hd_str row = {name, strcspn(name, ":")};
  if (!hd_target_info_of(row))
    return hd_make_status(HD_INVALID_ARGUMENT, "--target: unknown target '%s', expected one of: %s", name,
                          all_targets());
  o->target = row;
  return HD_STATUS_OK;
}

static hd_status read_target_pipeline(hd_opt_state *o, const char *value) {
  const char *name = !strncmp(value, "target=", 7) ? value + 7 : value, *text = hd_target_pipeline(name);
  if (!text)
    return hd_make_status(HD_INVALID_ARGUMENT, "--disc-pipeline=%s: there is no pipeline '%s', expected one of: %s",
                          value, name, hd_target_names());
  add_passes(o, text, strlen(text));
  return read_target(o, hd_target_find(name)->name);
}

static hd_status read_bytecode(hd_opt_state *o, const char *value) {
  o->bytecode.plain = value && !strcmp(value, "plain");
  return hd_option_read(HD_OPTION_BOOL, "--emit-bytecode", o->bytecode.plain ? NULL : value, 0, &o->emit_bytecode);
}

static hd_status read_architecture(hd_opt_state *o, const char *value) {
  return hd_option_read(HD_OPTION_COUNT, "--emit-ptx", value, 999, &o->emit_ptx);
}

static hd_status read_version(hd_opt_state *o, const char *value) {
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

static hd_status read_before(hd_opt_state *o, const char *list) {
  return add_names(o, "mlir-print-ir-before", list, BEFORE);
}
static hd_status read_after(hd_opt_state *o, const char *list) {
  return add_names(o, "mlir-print-ir-after", list, AFTER);
}
static hd_status read_watched(hd_opt_state *o, const char *list) {
  return add_names(o, "debug-only", list, BEFORE | AFTER | NOTES);
}

static const struct {
  const char *name, *value, *doc;
  hd_option_kind kind;
  size_t offset;
  hd_status (*read)(hd_opt_state *, const char *); /* of an own kind */
  const char *(*names)(void);
} rows[] = {
#define OPTION(name, value, kind, field, doc) \
  {name, value, doc, HD_OPTION_##kind, offsetof(hd_opt_state, field), NULL, NULL},
#define READ(name, value, read, names, doc) {name, value, doc, HD_OPTION_OWN, 0, read, names},
#include "driver/opt_options.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* --name or --name="a=1 b": a step of the pipeline. */
static bool add_pass(hd_opt_state *o, const char *name) {
  size_t n = strcspn(name, "=");
  if (!hd_pass_find(hd_passes(), (hd_str){name, n})) return false;
  add_passes(o, name, n);
  if (name[n] != '=') return true;
  const char *options = name + n + 1;
  hd_strbuf_printf(&o->pipeline, *options == '{' ? "%s" : "{%s}", options);
  return true;
}

hd_status hd_opt_read_option(hd_opt_state *o, const char *word) {
  size_t dashes = strspn(word, "-");
  const char *name = word + dashes, *value = strchr(name, '=');
  hd_str typed = {name, value ? (size_t)(value++ - name) : strlen(name)};
  for (size_t i = 0; i < ROW_COUNT && dashes && dashes <= 2; ++i) {
    if (!hd_str_is(typed, rows[i].name) || (rows[i].value[0] == '=' && !value) || (!rows[i].doc && value)) continue;
    if (rows[i].read) return rows[i].read(o, value);
    return hd_option_read(rows[i].kind, hd_arena_printf(&o->arena, "--%s", rows[i].name), value, 0,
                          (char *)o + rows[i].offset);
  }
  if (add_pass(o, name)) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: unknown option or pass; --help lists them", word);
}

void hd_opt_print_help(hd_strbuf *out) {
  hd_strbuf_puts(out, "options\n");
  for (size_t i = 0; i < ROW_COUNT; ++i) {
    if (!rows[i].doc) continue;
    size_t start = out->len;
    hd_strbuf_printf(out, "  --%s%s", rows[i].name, rows[i].value);
    while (out->len < start + 42) hd_strbuf_putc(out, ' ');
    hd_strbuf_printf(out, " %s%s%s\n", rows[i].doc, rows[i].names ? ": " : "", rows[i].names ? rows[i].names() : "");
  }
  hd_strbuf_puts(out, "\npasses, in the order of the pipelines\n");
  for (size_t i = 0; i < hd_passes()->count; ++i) {
    const hd_pass_info *info = &hd_passes()->rows[i];
    hd_strbuf_printf(out, "  --%-38s %s", info->name, info->doc);
    if (*info->aliases) hd_strbuf_printf(out, " (also %s)", info->aliases);
    hd_strbuf_putc(out, '\n');
    if (*info->options) hd_strbuf_printf(out, "      options: %s\n", info->options);
  }
}
