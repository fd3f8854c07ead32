/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stddef.h>

#include "driver/targets.h"
#include "files.h"
#include "heddle/cpu.h"
#include "heddle/runtime.h"

static hd_status read_seed(void *options, const char *value) {
  hd_cli_options *out = options;
  out->random = value;
  return hd_option_read_value(HD_OPTION_SEED, "--random", value, 0, &out->seed);
}

static const char *cpu_names(void) {
#define X(name, features) ", " name
  return "native, x86-64" HD_CPU_LEVELS(X);
#undef X
}

/* The compiler reads the value. */
static hd_status pass_on(void *options, const char *value) {
  (void)options, (void)value;
  return HD_STATUS_OK;
}

#define DATA (HD_CLI_EXPLAIN | HD_CLI_RUN | HD_CLI_EVAL | HD_CLI_BISECT | HD_CLI_COMPILE | HD_CLI_CHECK)
#define BUILD (HD_CLI_RUN | HD_CLI_COMPILE | HD_CLI_EXPLAIN | HD_CLI_BISECT)
#define ROW(commands, name, value, kind, field, help, ...) \
  {name, value, HD_OPTION_##kind, offsetof(hd_cli_options, field), commands, help, __VA_ARGS__}
#define HEDDLE(...) ROW(__VA_ARGS__, .passed_on = false),
#define BOTH(...) ROW(__VA_ARGS__, .passed_on = true),
#define OPT(name, value, kind, ...) \
  {name, value, HD_OPTION_##kind, 0, HD_CLI_OPT, NULL, .read = pass_on, .passed_on = true},

static const hd_option_row rows[] = {
#include "driver/options.def"
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };
_Static_assert(sizeof rows / sizeof *rows <= HD_CLI_MAX_OPTIONS, "hd_cli_options.given has a bool per row");

static hd_option_table table_of(hd_cli_command command) { return (hd_option_table){rows, ROW_COUNT, command}; }

hd_status hd_cli_artifact_options(const hd_cli_options *options) {
  for (int i = 0; i < ROW_COUNT; ++i)
    if (rows[i].of_program && options->given[i])
      return hd_make_status(HD_INVALID_ARGUMENT, "--%s: %s is an artifact: give the program that it was compiled from",
                            rows[i].name, options->name);
  return HD_STATUS_OK;
}

static hd_status read_operand(hd_arena *arena, hd_cli_command command, const char *text, hd_cli_options *out) {
  if (command == HD_CLI_LAYOUT) {
    if (out->shape_text)
      return hd_make_status(HD_INVALID_ARGUMENT, "expected a layout and a shape, got '%s' as well", text);
    *(out->file ? &out->shape_text : &out->file) = text;
    return HD_STATUS_OK;
  }
  if (command == HD_CLI_MAP) {
    if (out->file) return hd_make_status(HD_INVALID_ARGUMENT, "expected one map, got '%s' as well", text);
    out->file = out->name = text;
    return HD_STATUS_OK;
  }
  if (out->file) return hd_make_status(HD_INVALID_ARGUMENT, "expected one file, got '%s' and '%s'", out->file, text);
  if (!*text) return hd_make_status(HD_INVALID_ARGUMENT, "expected a file, got ''");
  out->file = hd_option_path(arena, text);
  out->name = hd_cli_name(out->file);
  return HD_STATUS_OK;
}

hd_status hd_cli_parse(hd_arena *arena, hd_cli_command command, int argc, const char *const *argv,
                       hd_cli_options *out) {
  *out = (hd_cli_options){.random_max = 16, .tolerance = -1, .rest = hd_new_array(arena, const char *, argc + 2)};
  out->rest[out->rest_count++] = "heddle-opt";
  const hd_option_table table = table_of(command);
  hd_option_words words = {argv, argc};
  while (words.count && !out->help) { /* what follows --help is not looked at */
    hd_option_word word;
    const char *const *typed = words.argv;
    HD_TRY(hd_option_next(&table, &words, &word));
    bool passed_on = command == HD_CLI_OPT && word.text && !word.is_operand && (!word.row || word.row->passed_on);
    for (; passed_on && typed < words.argv; ++typed) out->rest[out->rest_count++] = *typed;
    if (word.is_operand) HD_TRY(read_operand(arena, command, word.text, out));
    if (word.row) {
      out->given[word.row - rows] = true;
      HD_TRY(hd_option_read(word.row, arena, word.value, out));
    } else if (word.text && !word.is_operand && !passed_on) {
      return hd_option_unknown(&table, "option", word.text);
    }
  }
  if (out->help) return HD_STATUS_OK;
  HD_TRY(hd_option_check(&table, out->given, arena));
  return hd_option_read_environment(&table, out->given, out);
}

void hd_cli_print_options(hd_arena *arena, hd_cli_command command, FILE *out) {
  const hd_option_table table = table_of(command);
  hd_strbuf text;
  hd_strbuf_init(&text, arena);
  hd_option_print(&table, &text);
  fputs(hd_strbuf_text(&text), out);
}
