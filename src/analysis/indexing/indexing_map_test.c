/* SPDX-License-Identifier: Apache-2.0 */
/* Maps by themselves: text, simplification, composition and converse, each against enumeration of all elements. */
#include "analysis/indexing/map.h"
#include "ir/testing.h"
#include "text/text.h"

enum { MAX_SIDE = 16, MAPS = 1500 };

static hd_indexing *in;
static hd_arena arena;
static uint64_t seed = 1;

static uint32_t below(uint32_t n) { return (uint32_t)(hd_test_random(&seed) % n); }

static hd_index_map *read(const char *text) { return hd_index_map_parse(in, hd_str_of(text), "test"); }

static const char *print(const hd_index_map *map) {
  hd_strbuf out;
  hd_strbuf_init(&out, &arena);
  hd_index_map_print(map, &out);
  return hd_strbuf_text(&out);
}

static const char *simple(const char *text) { return print(hd_index_map_simplify(read(text))); }

/* ---- enumeration ---- */

typedef struct walk {
  uint32_t count;
  int64_t at[HD_INDEX_MAX_VARIABLES], lower[HD_INDEX_MAX_VARIABLES], upper[HD_INDEX_MAX_VARIABLES];
} walk;

static bool start(walk *w, const hd_index_map *map) {
  w->count = hd_index_variable_count(map);
  for (uint32_t i = 0; i < w->count; ++i) {
    w->at[i] = w->lower[i] = map->variables[i].range.lower;
    w->upper[i] = map->variables[i].range.upper;
    if (w->lower[i] > w->upper[i]) return false;
  }
  return true;
}

static bool next(walk *w) {
  for (uint32_t i = w->count; i-- > 0;) {
    if (++w->at[i] <= w->upper[i]) return true;
    w->at[i] = w->lower[i];
  }
  return false;
}

/* Have both the same domain and results? |b|'s dims are |a|'s; range variables are matched by their values' results. */
static bool has_result(const hd_index_map *map, const int64_t *dims, const int64_t *results) {
  walk w;
  int64_t got[MAX_SIDE];
  if (map->is_empty || !start(&w, map)) return false;
  for (uint32_t i = 0; i < map->dim_count; ++i) {
    if (dims[i] < w.lower[i] || dims[i] > w.upper[i]) return false;
    w.at[i] = w.lower[i] = w.upper[i] = dims[i];
  }
  do
    if (hd_index_map_eval(map, w.at, NULL, got) == HD_INDEX_INSIDE &&
        !memcmp(got, results, map->result_count * sizeof *got))
      return true;
  while (next(&w));
  return false;
}

/* Each element of |a| with its result is one of |b|. */
static bool is_part(const hd_index_map *a, const hd_index_map *b) {
  walk w;
  int64_t results[MAX_SIDE];
  if (a->is_empty || !start(&w, a)) return true;
  do
    if (hd_index_map_eval(a, w.at, NULL, results) == HD_INDEX_INSIDE && !has_result(b, w.at, results)) return false;
  while (next(&w));
  return true;
}

static bool same(const hd_index_map *a, const hd_index_map *b) {
  bool held = a && b && is_part(a, b) && is_part(b, a);
  if (!held) fprintf(stderr, "  %s\n  %s\n", print(a), print(b));
  return held;
}

static bool is_converse(const hd_index_map *a, const hd_index_map *b) {
  walk w;
  int64_t results[MAX_SIDE];
  if (a->is_empty || !start(&w, a)) return true;
  do
    if (hd_index_map_eval(a, w.at, NULL, results) == HD_INDEX_INSIDE && !has_result(b, results, w.at)) {
      fprintf(stderr, "  %s\n  %s\n", print(a), print(b));
      return false;
    }
  while (next(&w));
  return true;
}

/* ---- text ---- */

static void test_text(void) {
  static const char *const same_text[] = {
      "(d0, d1)[s0] -> (d0 floordiv 8, d1 * 2 + s0), domain: d0 in [0, 79], d1 in [0, 9], s0 in [0, 1]",
      "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 3], rt0 in [0, 4]",
      "() -> ()",
      "()[s0] -> (s0), domain: s0 in [0, 2]",
      ("(th_x, bl_x)[vector_index] -> (bl_x floordiv 4096, (bl_x floordiv 8) mod 512, (bl_x mod 8) * 512 + th_x * 4 + "
       "vector_index), domain: th_x in [0, 127], bl_x in [0, 24575], vector_index in [0, 3]"),
      "(d0) -> (-d0 + 16), domain: d0 in [-3, 16], d0 mod 2 in [0, 0]",
      "(d0, d1) -> (d0 - d1 - 7), domain: d0 in [0, 9], d1 in [0, 9], d0 - d1 * 4 in [-9223372036854775808, 5]",
      "(d0)<n> -> (d0 floordiv n), domain: d0 in [0, n * 4 - 1], n in [1, 100]",
      "(d0, d1) -> (d0 ceildiv 4 + d1), domain: d0 in [0, 9], d1 in [0, 9]",
  };
  for (size_t i = 0; i < sizeof same_text / sizeof *same_text; ++i)
    HD_CHECK_STR(print(read(same_text[i])), same_text[i]);
  HD_CHECK_STR(
      print(read("#xla_gpu.indexing_map<\"(th_x, bl_x, vector_index) -> (th_x * 4 + bl_x * 512 + vector_index),\"\n"
                 " \"domain: th_x in [0, 127], bl_x in [0, 24575], vector_index in [0, 3]\">")),
      "(th_x, bl_x, vector_index) -> (th_x * 4 + bl_x * 512 + vector_index), domain: th_x in [0, 127], bl_x "
      "in [0, 24575], vector_index in [0, 3]");
}

static void test_errors(hd_context *c) {
  static const struct {
    const char *text, *error;
  } wrong[] = {
      {"(d0 -> (d0)", "test:1:5: error: expected ',' or ')'"},
      {"(d0, d0) -> (d0)", "test:1:6: error: redefinition of identifier 'd0'"},
      {"(d0) -> (d1)", "test:1:10: error: use of undeclared identifier 'd1'"},
      {"(d0) -> (d0 floordiv 0)", "division by zero"},
      {"(d0, d1) -> (d0 * d1)", "non-affine expression"},
      {"(d0) -> (d0), domain: d0 in [0, d0]", "expected an upper bound of numbers and sizes"},
      {"(d0) -> (d0), domain: d0 in [0, 99999999999999999999]", "integer value too large"},
      {"(d0) -> (d0) x", "expected the end of the map"},
      {"\"(d0) -> (d0),\" domain", "test:1:17: error: expected string literals"},
      {"\"(d0) -> (d0),\"\n \"domain: d1 in [0, 1]\"", "test:2:11: error: use of undeclared identifier 'd1'"},
      {"(d0)<n> -> (d0), domain: n in [-1, 4]", "expected a range of numbers from 0 on"},
      {"", "expected '('"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    c->collected.len = 0;
    HD_CHECK(!read(wrong[i].text));
    hd_test_check_(strstr(hd_strbuf_text(&c->collected), wrong[i].error) != NULL, __FILE__, __LINE__, "%s: got %s",
                   wrong[i].text, hd_strbuf_text(&c->collected));
  }
}

/* ---- simplification ---- */

static void test_simplify(void) {
  static const char *const cases[][2] = {
      {"(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16), domain: d0 in [0, 6], d1 in [0, 14]",
       "(d0, d1) -> (d0, d1), domain: d0 in [0, 6], d1 in [0, 14]"},
      {"(d0, d1, d2) -> ((d0 * 100 + d1 * 10 + d2) floordiv 100, ((d0 * 100 + d1 * 10 + d2) mod 100) floordiv 10, d2 "
       "mod 10), "
       "domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
       "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"},
      {"(d0, d1, d2) -> ((d0 * 16 + d1 * 4 + d2) floordiv 8, (d0 * 16 + d1 * 4 + d2) mod 8), domain: d0 in [0, 9], d1 "
       "in [0, 9], d2 in [0, 9]",
       "(d0, d1, d2) -> (d0 * 2 + (d1 * 4 + d2) floordiv 8, (d1 * 4 + d2) mod 8), domain: d0 in [0, 9], d1 in [0, 9], "
       "d2 in [0, 9]"},
      {"(d0, d1) -> (-((d0 * -11 - d1 + 109) floordiv 11) + 9), domain: d0 in [0, 9], d1 in [0, 10]",
       "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 10]"},
      /* of constraints */
      {"(d0)[s0] -> (d0), domain: d0 in [0, 5], s0 in [1, 3], d0 + s0 in [0, 20]",
       "(d0) -> (d0), domain: d0 in [0, 5]"},
      {"(d0) -> (d0), domain: d0 in [0, 100], d0 * 2 + 5 in [10, 20]", "(d0) -> (d0), domain: d0 in [3, 7]"},
      {"(d0) -> (d0), domain: d0 in [0, 100], d0 floordiv 4 in [2, 3]", "(d0) -> (d0), domain: d0 in [8, 15]"},
      {"(d0) -> (d0), domain: d0 in [0, 9], -d0 in [-5, 5]", "(d0) -> (d0), domain: d0 in [0, 5]"},
      {"(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [4, 4]", "(d0) -> (d0, 4), domain: d0 in [0, 9]"},
      {"(d0) -> (d0), domain: d0 in [0, 99], (d0 + 1) mod 10 in [0, 0]",
       "(d0) -> (d0), domain: d0 in [9, 99], (d0 + 1) mod 10 in [0, 0]"},
      {"(d0, d1) -> ((d0 + d1) floordiv 10), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [0, 9]",
       "(d0, d1) -> (0), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [0, 9]"},
      /* nothing is there */
      {"(d0) -> (d0), domain: d0 in [0, -1]", "KNOWN EMPTY"},
      {"(d0) -> (d0), domain: d0 in [0, 4], d0 in [7, 9]", "KNOWN EMPTY"},
      {"(d0) -> (d0), domain: d0 in [0, 4], d0 mod 4 in [4, 9]", "KNOWN EMPTY"},
      {"(d0)<n> -> (d0), domain: d0 in [0, n - 9], n in [1, 8]", "KNOWN EMPTY"},
      /* sizes */
      {"(d0, d1)<n> -> ((d0 * n + d1) floordiv n, (d0 * n + d1) mod n), domain: d0 in [0, 9], d1 in [0, n - 1], n in "
       "[1, 64]",
       "(d0, d1)<n> -> (d0, d1), domain: d0 in [0, 9], d1 in [0, n - 1], n in [1, 64]"},
      {"(d0)<n, m> -> ((d0 floordiv n) * n + d0 mod n, d0 floordiv (n * m)), domain: d0 in [0, n * m - 1], n in [1, "
       "64], m in [1, 64]",
       "(d0)<n, m> -> (d0, 0), domain: d0 in [0, n * m - 1], n in [1, 64], m in [1, 64]"},
      /* what 64 bits do not hold stays as it is */
      {"(d0) -> (d0 * 4611686018427387904 + d0 * 4611686018427387904), domain: d0 in [0, 9]",
       "(d0) -> (d0 * 4611686018427387904 + d0 * 4611686018427387904), domain: d0 in [0, 9]"},
      {"(d0) -> (d0 * 9223372036854775807 floordiv 2), domain: d0 in [0, 9]",
       "(d0) -> ((d0 * 9223372036854775807) floordiv 2), domain: d0 in [0, 9]"},
      {"(d0) -> (d0 * 9223372036854775807 * 9223372036854775806), domain: d0 in [0, 9]",
       "(d0) -> ((d0 * 9223372036854775807) * 9223372036854775806), domain: d0 in [0, 9]"},
      {"(d0) -> (d0 + 9223372036854775807 + 9223372036854775806), domain: d0 in [0, 9]",
       "(d0) -> (d0 + 9223372036854775807 + 9223372036854775806), domain: d0 in [0, 9]"},
      {"(d0)[s0] -> (d0 floordiv s0), domain: d0 in [0, 9], s0 in [0, 3]",
       "(d0)[s0] -> (d0 floordiv s0), domain: d0 in [0, 9], s0 in [0, 3]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) HD_CHECK_STR(simple(cases[i][0]), cases[i][1]);
}

static void test_undefined(void) {
  int64_t out;
  hd_index_map *zero = read("(d0)[s0] -> (d0 floordiv s0), domain: d0 in [0, 9], s0 in [0, 3]");
  HD_CHECK_INT(hd_index_map_eval(zero, (int64_t[]){8, 0}, NULL, &out), HD_INDEX_UNDEFINED);
  HD_CHECK_INT(hd_index_map_eval(zero, (int64_t[]){8, 3}, NULL, &out), HD_INDEX_INSIDE);
  HD_CHECK_INT(out, 2);
  HD_CHECK_INT(hd_index_map_eval(zero, (int64_t[]){10, 3}, NULL, &out), HD_INDEX_OUTSIDE);
  hd_index_map *large = read("(d0) -> (d0 * 9223372036854775807), domain: d0 in [0, 9]");
  HD_CHECK_INT(hd_index_map_eval(large, (int64_t[]){2}, NULL, &out), HD_INDEX_UNDEFINED);
}

/* ---- composition and converse ---- */

static void test_compose(void) {
  hd_index_map *rows = read("(d0, d1)[s0] -> (d0 * 8 + d1, s0), domain: d0 in [0, 3], d1 in [0, 7], s0 in [0, 4]");
  hd_index_map *back =
      read("(d0, d1)[s0] -> (d0 floordiv 8, d0 mod 8, d1 + s0), domain: d0 in [0, 31], d1 in [0, 4], s0 in [0, 1]");
  HD_CHECK_STR(print(hd_index_map_compose(rows, back)),
               "(d0, d1)[s0, s1] -> (d0, d1, s0 + s1), domain: d0 in [0, 3], d1 in [0, 7], s0 in [0, 1], s1 in [0, 4]");
  HD_CHECK_STR(print(hd_index_map_compose(read("(d0) -> (d0 + 4), domain: d0 in [0, 9]"),
                                          read("(d0) -> (d0), domain: d0 in [6, 8]"))),
               "(d0) -> (d0 + 4), domain: d0 in [2, 4]");
  HD_CHECK(!hd_index_map_compose(rows, rows) || rows->result_count == rows->dim_count);
  HD_CHECK(!hd_index_map_compose(NULL, rows));
}

static void test_converse(void) {
  static const char *const cases[][2] = {
      {"(d0, d1) -> (d1, d0), domain: d0 in [0, 3], d1 in [0, 4]",
       "(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 3]"},
      {"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]",
       "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]"},
      {"(d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], d2 in [0, 29]",
       "(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], s0 in [0, 9], s1 in [0, 29]"},
      {"(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 3], s0 in [0, 2]",
       "(d0)[s0] -> ((d0 - s0) floordiv 2), domain: d0 in [0, 8], s0 in [0, 2], d0 - s0 in [0, 7], (d0 - s0) mod 2 in "
       "[0, 0]"},
      {"(d0, d1)<n> -> (d0 * n + d1), domain: d0 in [0, 9], d1 in [0, n - 1], n in [1, 64]",
       "(d0)<n> -> (d0 floordiv n, d0 mod n), domain: d0 in [0, n * 10 - 1], n in [1, 64]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    HD_CHECK_STR(print(hd_index_map_converse(read(cases[i][0]), NULL)), cases[i][1]);
  HD_CHECK(hd_index_map_inverse(read(cases[1][0])) != NULL);
  HD_CHECK(hd_index_map_inverse(read(cases[2][0])) == NULL);
}

/* ---- random maps ---- */

static hd_affine random_expr(uint32_t dims, uint32_t symbols, uint32_t depth) {
  hd_context *c = in->context;
  uint32_t kind = depth ? below(8) : below(2);
  if (kind < 2) {
    uint32_t i = below(dims + symbols);
    return i < dims ? hd_affine_dim(c, i) : hd_affine_symbol(c, i - dims);
  }
  hd_affine a = random_expr(dims, symbols, depth - 1);
  if (kind < 4) return hd_index_add(in, a, random_expr(dims, symbols, depth - 1));
  if (kind == 4) return hd_index_offset(in, a, (int64_t)below(13) - 6);
  if (kind == 5) return hd_index_scale(in, a, (int64_t)below(9) - 3);
  return hd_affine_binary(c, kind == 6 ? HD_AFFINE_FLOORDIV : HD_AFFINE_MOD, a, hd_affine_const(c, 1 + below(8)));
}

static hd_index_map *random_map(uint32_t dims, uint32_t ranges, uint32_t results) {
  hd_index_map *map = hd_index_map_create(in, dims, ranges, 0, results);
  for (uint32_t i = 0; i < dims + ranges; ++i) {
    int64_t lower = below(4) ? 0 : (int64_t)below(5) - 2;
    map->variables[i].range = (hd_index_range){lower, lower + below(6)};
  }
  for (uint32_t i = 0; i < results; ++i) map->results[i] = random_expr(dims, ranges, 1 + below(4));
  map->constraints = hd_new_array(&arena, hd_index_constraint, 2);
  for (uint32_t i = below(3); i-- > 0;) {
    int64_t lower = (int64_t)below(8) - 4;
    hd_index_map_constrain(map, random_expr(dims, ranges, 1 + below(3)), lower, lower + below(8));
  }
  return map;
}

static void test_random(void) {
  uint32_t inverted = 0;
  for (int i = 0; i < MAPS; ++i) {
    hd_index_map *a = random_map(1 + below(3), below(3), 1 + below(3));
    hd_index_map *b = random_map(a->result_count, below(2), 1 + below(2));
    hd_index_map *s = hd_index_map_simplify(hd_index_map_copy(a, 0));
    bool held = HD_CHECK(same(a, s));
    /* Printed, it reads as the same map. */
    if (!s->is_empty) held &= HD_CHECK(hd_index_map_equal(s, read(print(s))));
    /* A second time changes nothing. */
    hd_index_map *twice = hd_index_map_simplify(hd_index_map_copy(s, 0));
    held &= HD_CHECK_STR(print(twice), print(s));
    hd_index_map *converse = hd_index_map_converse(a, NULL);
    held &= HD_CHECK(is_converse(a, converse)) && HD_CHECK(is_converse(converse, a));
    inverted += hd_index_map_inverse(a) != NULL;
    /* second(first(x)), where it is inside of both. */
    hd_index_map *composed = hd_index_map_compose(a, b);
    walk w;
    int64_t middle[MAX_SIDE], last[MAX_SIDE], both[2 * MAX_SIDE];
    hd_index_map *plain = hd_index_map_create(in, a->dim_count, b->range_count + a->range_count, 0, b->result_count);
    for (uint32_t d = 0; d < a->dim_count; ++d) plain->variables[d] = a->variables[d];
    for (uint32_t d = 0; d < b->range_count; ++d) plain->variables[a->dim_count + d] = b->variables[b->dim_count + d];
    for (uint32_t d = 0; d < a->range_count; ++d)
      plain->variables[a->dim_count + b->range_count + d] = a->variables[a->dim_count + d];
    bool equal = true;
    start(&w, plain);
    do {
      memcpy(both, w.at, a->dim_count * sizeof *both);
      memcpy(both + a->dim_count, w.at + a->dim_count + b->range_count, a->range_count * sizeof *both);
      if (hd_index_map_eval(a, both, NULL, middle) != HD_INDEX_INSIDE) continue;
      memcpy(both, middle, a->result_count * sizeof *both);
      memcpy(both + a->result_count, w.at + a->dim_count, b->range_count * sizeof *both);
      if (hd_index_map_eval(b, both, NULL, last) == HD_INDEX_INSIDE) equal &= has_result(composed, w.at, last);
    } while (next(&w));
    held &= HD_CHECK(equal);
    if (!held) fprintf(stderr, "  map %d: %s\n", i, print(a));
    if (!held) return;
  }
  HD_CHECK(inverted > MAPS / 50);
}

/* Expressions that would grow without end are unknown. */
static void test_growth(void) {
  hd_index_map *twice = read("(d0) -> (d0 floordiv 3 + d0 mod 7), domain: d0 in [0, 1000000000]"), *map = twice;
  for (int i = 0; i < 64 && map; ++i) map = hd_index_map_compose(map, twice);
  HD_CHECK(!map || hd_index_parts(map->results[0]) <= HD_INDEX_MAX_PARTS);
}

static hd_status all(void *user) {
  hd_context *c = user;
  hd_arena_init(&arena, NULL);
  in = hd_indexing_create(&arena, c, NULL);
  test_text();
  test_simplify();
  test_undefined();
  test_compose();
  test_converse();
  test_random();
  test_growth();
  test_errors(c);
  hd_arena_free(&arena);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
