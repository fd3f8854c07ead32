/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/expected.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"note", "remark", "warning", "error"};

static void problem(hd_expectations *e, uint32_t line, const char *what, hd_severity severity, hd_str text) {
  const char *made = hd_arena_printf(e->arena, "%s:%u: error: %s %s \"%.*s\"", e->file, line, what, names[severity],
                                     (int)text.len, text.data);
  hd_vec_push(e->arena, &e->problems, made);
}

static bool take(const char **at, const char *end, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(end - *at) < n || memcmp(*at, word, n) != 0) return false;
  *at += n;
  return true;
}

/* One comment at "expected-"; its place in |line|. */
static void read_one(hd_expectations *e, const char *at, const char *end, uint32_t line) {
  hd_expected item = {.line = line, .at_line = line};
  int severity = 3;
  while (severity >= 0 && !take(&at, end, names[severity])) --severity;
  if (severity < 0) return;
  item.severity = (hd_severity)severity;
  item.regex = take(&at, end, "-re");
  if (take(&at, end, "@")) {
    if (take(&at, end, "above")) {
      --item.line;
    } else if (take(&at, end, "below")) {
      ++item.line;
    } else if (take(&at, end, "unknown")) {
      item.unknown = true;
    } else {
      char *stop;
      long offset = at < end ? strtol(at, &stop, 10) : 0;
      bool relative = at < end && (*at == '+' || *at == '-');
      at = at < end ? stop : at;
      item.line = relative ? (uint32_t)((long)line + offset) : (uint32_t)offset;
    }
  }
  while (at < end && *at == ' ') ++at;
  if (!take(&at, end, "{{")) return;
  /* The closing braces are the last of nested pairs. */
  const char *start = at;
  for (int depth = 1; at + 1 < end; ++at) {
    if (at[0] == '{' && at[1] == '{') {
      ++depth;
      ++at;
    } else if (at[0] == '}' && at[1] == '}' && --depth == 0) {
      while (at + 2 < end && at[2] == '}') ++at; /* }}} belongs to the text first */
      item.text = (hd_str){start, (size_t)(at - start)};
      hd_vec_push(e->arena, &e->items, item);
      return;
    } else if (at[0] == '}' && at[1] == '}') {
      ++at;
    }
  }
}

void hd_expectations_read(hd_expectations *e, hd_str source) {
  const char *end = source.data + source.len;
  uint32_t line = 1;
  for (const char *at = source.data; at < end; ++line) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop) stop = end;
    for (const char *mark = at; mark < stop; ++mark)
      if (take(&mark, stop, "expected-")) read_one(e, mark, stop, line);
    at = stop + 1;
  }
}

/* |text| with {{...}} as regular expressions, the rest literally. */
static bool matches(hd_expectations *e, const hd_expected *item, const char *message) {
  hd_strbuf buf;
  hd_strbuf_init(&buf, e->arena);
  if (!item->regex) {
    hd_strbuf_put_str(&buf, item->text);
    return strstr(message, hd_strbuf_text(&buf)) != NULL;
  }
  for (size_t i = 0; i < item->text.len; ++i) {
    const char *at = item->text.data + i;
    if (i + 1 < item->text.len && at[0] == '{' && at[1] == '{') {
      for (i += 2; i + 1 < item->text.len && !(item->text.data[i] == '}' && item->text.data[i + 1] == '}'); ++i)
        hd_strbuf_putc(&buf, item->text.data[i]);
      ++i;
      continue;
    }
    if (strchr(".[]{}()*+?^$|\\", *at)) hd_strbuf_putc(&buf, '\\');
    hd_strbuf_putc(&buf, *at);
  }
  regex_t regex;
  if (regcomp(&regex, hd_strbuf_text(&buf), REG_EXTENDED | REG_NOSUB)) return false;
  bool found = regexec(&regex, message, 0, NULL, 0) == 0;
  regfree(&regex);
  return found;
}

void hd_expectations_meet(hd_expectations *e, const hd_diagnostic *diagnostic) {
  hd_loc place = hd_loc_file_position(diagnostic->loc);
  for (size_t i = 0; i < e->items.len; ++i) {
    hd_expected *item = &e->items.data[i];
    if (item->seen || item->severity != diagnostic->severity ||
        (place ? item->unknown || item->line != place->loc.line : !item->unknown))
      continue;
    if (!matches(e, item, diagnostic->text)) continue;
    item->seen = true;
    return;
  }
  if (diagnostic->severity != HD_NOTE)
    problem(e, place ? place->loc.line : 0, "unexpected", diagnostic->severity, hd_str_of(diagnostic->text));
}

void hd_expectations_finish(hd_expectations *e) {
  for (size_t i = 0; i < e->items.len; ++i)
    if (!e->items.data[i].seen)
      problem(e, e->items.data[i].at_line, "this was expected and did not come:", e->items.data[i].severity,
              e->items.data[i].text);
}
