/* SPDX-License-Identifier: Apache-2.0 */
#include "base/option_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(const char *text, uint64_t *out) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  *out = value;
  return *text >= '0' && *text <= '9' && !*end && !errno;
}

static hd_status refuse(const char *by, const char *expected, const char *text) {
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %s, got '%s'", by, expected, text);
}

static hd_status read_bool(const char *by, const char *text, bool *out) {
  *out = !text || !strcmp(text, "true") || !strcmp(text, "1");
  if (*out || !strcmp(text, "false") || !strcmp(text, "0")) return HD_STATUS_OK;
  return refuse(by, "true or false", text);
}

static hd_status read_count(const char *by, const char *text, uint64_t most, uint64_t *out) {
  uint64_t value;
  bool good = read_number(text, &value) && value && (!most || value <= most);
  if (good) *out = value;
  if (good) return HD_STATUS_OK;
  if (!most) return refuse(by, "a positive number", text);
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected a positive number, at most %" PRIu64 ", got '%s'", by, most,
                        text);
}

static bool read_bytes(const char *text, uint64_t *out) {
  size_t n = strlen(text);
  const char *suffix = n ? strchr("KMG", text[n - 1] & ~32) : NULL;
  bool has_suffix = suffix && *suffix;
  char digits[32] = {0};
  uint64_t value = 0;
  if (n - has_suffix < sizeof digits) memcpy(digits, text, n - has_suffix);
  int shift = !has_suffix ? 0 : *suffix == 'K' ? 10 : *suffix == 'M' ? 20 : 30;
  if (!read_number(digits, &value) || !value || value > UINT64_MAX >> shift) return false;
  *out = value << shift;
  return true;
}

static bool read_double(const char *text, double *out) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !(value >= 0) || value > 1e9) return false;
  *out = value;
  return true;
}

hd_status hd_option_read_value(hd_option_kind kind, const char *by, const char *text, uint64_t most, void *field) {
  double number;
  switch (kind) {
    case HD_OPTION_FLAG:
      *(bool *)field = true;
      return HD_STATUS_OK;
    case HD_OPTION_BOOL:
      return read_bool(by, text, field);
    case HD_OPTION_TEXT:
      *(const char **)field = text;
      return HD_STATUS_OK;
    case HD_OPTION_COUNT:
      return read_count(by, text, most, field);
    case HD_OPTION_INDEX:
      if (read_number(text, field) && *(uint64_t *)field <= INT32_MAX) return HD_STATUS_OK;
      return refuse(by, "a number from 0 on", text);
    case HD_OPTION_SEED:
      return read_number(text, field) ? HD_STATUS_OK : refuse(by, "a number", text);
    case HD_OPTION_BYTES:
      return read_bytes(text, field) ? HD_STATUS_OK : refuse(by, "a size such as 512M", text);
    case HD_OPTION_NUMBER:
      if (read_double(text, &number) && number > 0) return *(double *)field = number, HD_STATUS_OK;
      return refuse(by, "a positive number", text);
    case HD_OPTION_BOUND:
      return read_double(text, field) ? HD_STATUS_OK : refuse(by, "a number from 0 on", text);
    default:
      HD_UNREACHABLE();
  }
}

const char *hd_option_path(hd_arena *arena, const char *path) {
  return path[0] == '-' && path[1] ? hd_arena_printf(arena, "./%s", path) : path;
}

static hd_status add_text(const char *name, const char *text, hd_option_texts *texts) {
  if (texts->len == HD_OPTION_MAX_TEXTS)
    return hd_make_status(HD_INVALID_ARGUMENT, "--%s: given more than %d times", name, HD_OPTION_MAX_TEXTS);
  texts->data[texts->len++] = text;
  return HD_STATUS_OK;
}

hd_status hd_option_read(const hd_option_row *row, hd_arena *arena, const char *value, void *target) {
  if (row->read) return row->read(target, value);
  void *field = (char *)target + row->offset;
  const char **text = field;
  switch (row->kind) {
    case HD_OPTION_PATH:
      *text = hd_option_path(arena, value);
      return HD_STATUS_OK;
    case HD_OPTION_JOINED:
      *text = *text ? hd_arena_printf(arena, "%s+%s", *text, value) : value;
      return HD_STATUS_OK;
    case HD_OPTION_TEXTS:
      return add_text(row->name, value, field);
    case HD_OPTION_PATHS:
      return add_text(row->name, hd_option_path(arena, value), field);
    default:
      return hd_option_read_value(row->kind, hd_arena_printf(arena, "--%s", row->name), value, row->most, field);
  }
}

/* The first row from |row| on that the table's commands take; null after the last. */
static const hd_option_row *row_from(const hd_option_table *table, const hd_option_row *row) {
  while (row < table->rows + table->count && !(row->commands & table->commands)) ++row;
  return row < table->rows + table->count ? row : NULL;
}

#define EACH_OPTION(row, table) \
  for (const hd_option_row *row = row_from(table, (table)->rows); row; row = row_from(table, row + 1))

static const hd_option_row *find_row(const hd_option_table *table, const char *name, size_t len) {
  EACH_OPTION(row, table)
    if (strlen(row->name) == len && !memcmp(row->name, name, len)) return row;
  return NULL;
}

static const hd_option_row *find_letter(const hd_option_table *table, char letter) {
  EACH_OPTION(row, table)
    if (row->letter == letter) return row;
  return NULL;
}

/* The option that |word| names, up to |*out_equals|, where its value is; null where there is none. */
static const hd_option_row *row_of(const hd_option_table *table, const char *word, const char **out_equals) {
  const char *name = word + (word[1] == '-' ? 2 : 1);
  *out_equals = NULL;
  if (name == word + 1 && name[0] && !name[1]) return find_letter(table, name[0]);
  *out_equals = strchr(name, '=');
  return find_row(table, name, *out_equals ? (size_t)(*out_equals - name) : strlen(name));
}

hd_status hd_option_next(const hd_option_table *table, hd_option_words *words, hd_option_word *out) {
  const char *text = *words->argv++, *equals;
  --words->count;
  *out = (hd_option_word){.text = text};
  if (!words->only_operands && !strcmp(text, "--")) {
    words->only_operands = true;
    *out = (hd_option_word){0};
    return HD_STATUS_OK;
  }
  out->is_operand = words->only_operands || text[0] != '-' || !text[1];
  if (out->is_operand) return HD_STATUS_OK;
  const hd_option_row *row = out->row = row_of(table, text, &equals);
  if (!row) return HD_STATUS_OK;
  if (!row->value && row->kind != HD_OPTION_BOOL && equals)
    return hd_make_status(HD_INVALID_ARGUMENT, "--%s: takes no value, got '%s'", row->name, equals + 1);
  bool must_follow = row->value && row->value[0] != '[';
  if (must_follow && !equals && !words->count)
    return hd_make_status(HD_INVALID_ARGUMENT, "--%s: expected %s", row->name, row->value);
  if (equals) out->value = equals + 1;
  if (must_follow && !equals) out->value = *words->argv++, --words->count;
  if (must_follow && !*out->value)
    return hd_make_status(HD_INVALID_ARGUMENT, "--%s: expected %s, got ''", row->name, row->value);
  return HD_STATUS_OK;
}

hd_status hd_option_read_environment(const hd_option_table *table, const bool *given, void *target) {
  EACH_OPTION(row, table) {
    const char *text = row->variable && !given[row - table->rows] ? getenv(row->variable) : NULL;
    if (text && *text)
      HD_TRY(hd_option_read_value(row->kind, row->variable, text, row->most, (char *)target + row->offset));
  }
  return HD_STATUS_OK;
}

/* The next name of |*list|, and its option (null: the commands have none); false at the end. */
static bool next_name(const hd_option_table *table, const char **list, const hd_option_row **out) {
  const char *name = *list;
  if (!name || !*name) return false;
  size_t len = strcspn(name, " ");
  *list = name + len + (name[len] == ' ');
  *out = find_row(table, name, len);
  return true;
}

/* Is one of those given that |row| needs? Options that the commands do not have are not asked for. */
static hd_status check_needs(const hd_option_table *table, const hd_option_row *row, const bool *given,
                             hd_arena *arena) {
  const char *wanted = NULL;
  const hd_option_row *other;
  for (const char *list = row->needs; next_name(table, &list, &other);) {
    if (!other) continue;
    if (given[other - table->rows]) return HD_STATUS_OK;
    wanted = wanted ? hd_arena_printf(arena, "%s or --%s", wanted, other->name)
                    : hd_arena_printf(arena, "--%s", other->name);
  }
  return wanted ? hd_make_status(HD_INVALID_ARGUMENT, "--%s: expected %s with it", row->name, wanted) : HD_STATUS_OK;
}

hd_status hd_option_check(const hd_option_table *table, const bool *given, hd_arena *arena) {
  EACH_OPTION(row, table) {
    const hd_option_row *other;
    if (!given[row - table->rows]) continue;
    for (const char *list = row->not_with; next_name(table, &list, &other);)
      if (other && given[other - table->rows])
        return hd_make_status(HD_INVALID_ARGUMENT, "--%s: expected none with --%s", row->name, other->name);
    HD_TRY(check_needs(table, row, given, arena));
  }
  return HD_STATUS_OK;
}

/* Edits between two names: for "did you mean". */
static size_t distance(const char *a, const char *b) {
  size_t n = strlen(b), row[64];
  if (n >= 63) return 99;
  for (size_t j = 0; j <= n; ++j) row[j] = j;
  for (size_t i = 1; a[i - 1]; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= n; ++j) {
      size_t change = diagonal + (a[i - 1] != b[j - 1]), best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
      diagonal = row[j];
      row[j] = change < best ? change : best;
    }
  }
  return row[n];
}

hd_status hd_option_unknown(const hd_option_table *table, const char *what, const char *word) {
  char text[64];
  snprintf(text, sizeof text, "%.*s", (int)strcspn(word, "="), word);
  const char *name = text + strspn(text, "-");
  const hd_option_row *near = NULL;
  size_t least = SIZE_MAX;
  EACH_OPTION(row, table) {
    size_t d = distance(name, row->name);
    if (d < least && d <= 1 + strlen(row->name) / 5) least = d, near = row;
  }
  if (near) return hd_make_status(HD_INVALID_ARGUMENT, "%s: unknown %s; did you mean '--%s'?", text, what, near->name);
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: unknown %s; --help lists them", text, what);
}

/* "-n, --name VALUE", of at most 63 bytes. */
static int left_side(const hd_option_row *row, char out[64]) {
  const char *value = row->value ? row->value : "", *space = *value && *value != '[' ? " " : "";
  char letter[5] = {'-', row->letter, ',', ' '};
  return snprintf(out, 64, "%s--%s%s%s", row->letter ? letter : "", row->name, space, value);
}

enum { HELP_COLUMNS = 99 }; /* and a colon */

/* |text| by words after |at| columns, continued at |indent|; returns the columns taken. */
static int print_words(hd_strbuf *out, const char *text, int at, int indent) {
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (at > indent && at + 1 + length > HELP_COLUMNS) {
      hd_strbuf_printf(out, "\n%*s", indent, "");
      at = indent;
    } else if (at > indent) {
      hd_strbuf_puts(out, " ");
      ++at;
    }
    hd_strbuf_printf(out, "%.*s", length, text);
    at += length;
    text += length + (text[length] == ' ');
  }
  return at;
}

void hd_option_print(const hd_option_table *table, hd_strbuf *out) {
  int width = 0;
  char left[64];
  EACH_OPTION(row, table) {
    int n = row->help ? left_side(row, left) : 0;
    if (n > width) width = n;
  }
  EACH_OPTION(row, table) {
    if (!row->help) continue;
    left_side(row, left);
    hd_strbuf_printf(out, "  %-*s  ", width, left);
    int indent = width + 4, at = print_words(out, row->help, indent, indent);
    if (row->names) {
      hd_strbuf_puts(out, ":");
      print_words(out, row->names(), at + 1, indent);
    }
    hd_strbuf_puts(out, "\n");
  }
}
