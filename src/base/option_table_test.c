/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of options: what words give, what is refused and in which words, and what --help shows. */
#include "base/option_table.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/testing.h"

typedef struct values {
  bool flag, each, read;
  const char *text, *path, *joined;
  hd_option_texts texts;
  uint64_t count;
} values;

static hd_status note(void *target, const char *value) {
  ((values *)target)->read = !value;
  return HD_STATUS_OK;
}

static const char *names(void) { return "a, b"; }

enum { ONE = 1, TWO = 2 };
static const hd_option_row rows[] = {
    {"flag", NULL, HD_OPTION_FLAG, offsetof(values, flag), ONE | TWO, "a flag", .not_with = "text"},
    {"each", "[=false]", HD_OPTION_BOOL, offsetof(values, each), ONE, "on or off"},
    {"text", "NAME", HD_OPTION_TEXT, offsetof(values, text), ONE, "one of", .names = names},
    {"path", "FILE", HD_OPTION_PATH, offsetof(values, path), ONE, "a file", .letter = 'p'},
    {"joined", "X", HD_OPTION_JOINED, offsetof(values, joined), ONE, NULL},
    {"texts", "X", HD_OPTION_TEXTS, offsetof(values, texts), ONE,
     "several, of which the words after the hundredth column are on a line of their own below the first",
     .needs = "text path"},
    {"count", "N", HD_OPTION_COUNT, offsetof(values, count), ONE, "a count", .most = 9, .variable = "HD_TEST_COUNT"},
    {"read", NULL, HD_OPTION_FLAG, 0, ONE, NULL, .read = note},
    {"count", "N", HD_OPTION_COUNT, offsetof(values, count), TWO, "of two"},
};
enum { COUNT = sizeof rows / sizeof *rows };
static const hd_option_table one = {rows, COUNT, ONE};

/* Reads |words|, which end with null. */
static hd_status read(hd_arena *arena, const char *const *words, values *out) {
  hd_option_words left = {words, 0};
  bool given[COUNT] = {false};
  *out = (values){0};
  while (words[left.count]) ++left.count;
  while (left.count) {
    hd_option_word word;
    HD_TRY(hd_option_next(&one, &left, &word));
    if (word.is_operand) out->text = word.text;
    if (word.text && !word.is_operand && !word.row) return hd_option_unknown(&one, "option", word.text);
    if (!word.row) continue;
    given[word.row - rows] = true;
    HD_TRY(hd_option_read(word.row, arena, word.value, out));
  }
  HD_TRY(hd_option_check(&one, given, arena));
  return hd_option_read_environment(&one, given, out);
}

#define READ(...) read(&arena, (const char *const[]){__VA_ARGS__, NULL}, &v)

int main(void) {
  hd_arena arena;
  values v;
  hd_arena_init(&arena, NULL);
  HD_CHECK_OK(READ("--flag", "-each=false", "-p", "-x", "--joined=a", "--joined", "b", "--read", "--count=3"));
  HD_CHECK(v.flag && !v.each && v.read);
  HD_CHECK_STR(v.path, "./-x");
  HD_CHECK_STR(v.joined, "a+b");
  HD_CHECK_INT(v.count, 3);
  HD_CHECK_OK(READ("--each", "--texts", "1", "--texts=2", "--path=-"));
  HD_CHECK(v.each && v.texts.len == 2);
  HD_CHECK_STR(v.path, "-");
  HD_CHECK_OK(READ("--", "--flag"));
  HD_CHECK(!v.flag);
  HD_CHECK_STR(v.text, "--flag");

  HD_CHECK_FAILS(READ("--flag=1"), HD_INVALID_ARGUMENT, "--flag: takes no value, got '1'");
  HD_CHECK_FAILS(READ("--text"), HD_INVALID_ARGUMENT, "--text: expected NAME");
  HD_CHECK_FAILS(READ("--text="), HD_INVALID_ARGUMENT, "--text: expected NAME, got ''");
  HD_CHECK_FAILS(READ("--each=x"), HD_INVALID_ARGUMENT, "--each: expected true or false, got 'x'");
  HD_CHECK_FAILS(READ("--count=10"), HD_INVALID_ARGUMENT, "--count: expected a positive number, at most 9, got '10'");
  HD_CHECK_FAILS(READ("--flag", "--text=a"), HD_INVALID_ARGUMENT, "--flag: expected none with --text");
  HD_CHECK_FAILS(READ("--texts=a"), HD_INVALID_ARGUMENT, "--texts: expected --text or --path with it");
  HD_CHECK_FAILS(READ("--joind=3"), HD_INVALID_ARGUMENT, "--joind: unknown option; did you mean '--joined'?");
  HD_CHECK_FAILS(READ("-z"), HD_INVALID_ARGUMENT, "-z: unknown option; --help lists them");
  hd_option_texts many = {.len = HD_OPTION_MAX_TEXTS};
  v.texts = many;
  HD_CHECK_FAILS(hd_option_read(&rows[5], &arena, "x", &v), HD_INVALID_ARGUMENT, "--texts: given more than 64 times");

  setenv("HD_TEST_COUNT", "4", 1);
  HD_CHECK_OK(READ("--read"));
  HD_CHECK_INT(v.count, 4);
  HD_CHECK_OK(READ("--count=5"));
  HD_CHECK_INT(v.count, 5);
  setenv("HD_TEST_COUNT", "x", 1);
  HD_CHECK_FAILS(READ("--read"), HD_INVALID_ARGUMENT, "HD_TEST_COUNT: expected a positive number, at most 9, got 'x'");

  hd_strbuf text;
  hd_strbuf_init(&text, &arena);
  hd_option_print(&one, &text);
  HD_CHECK_STR(hd_strbuf_text(&text),
               "  --flag           a flag\n"
               "  --each[=false]   on or off\n"
               "  --text NAME      one of: a, b\n"
               "  -p, --path FILE  a file\n"
               "  --texts X        several, of which the words after the hundredth column are on a line of their\n"
               "                   own below the first\n"
               "  --count N        a count\n");
  hd_arena_free(&arena);
  return HD_TEST_RESULT();
}
