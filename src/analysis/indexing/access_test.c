/* SPDX-License-Identifier: Apache-2.0 */
/* Sectors, bank conflicts and vectors of known access patterns, and of random ones against counting. */
#include "analysis/indexing/access.h"

#include "ir/testing.h"

static const hd_warp warp = {.lanes = 32, .sector_bytes = 32, .banks = 32, .bank_bytes = 4};
static hd_indexing *in;
static uint64_t seed = 1;
static uint32_t below(uint32_t n) { return (uint32_t)(hd_test_random(&seed) % n); }

static hd_index_map *read(const char *text) { return hd_index_map_parse(in, hd_str_of(text), "test"); }

static void test_sectors(void) {
  static const struct {
    const char *map;
    int64_t bytes, least, most;
  } cases[] = {
      {"(t, b) -> (b * 128 + t), domain: t in [0, 127], b in [0, 9]", 4, 4, 4},
      {"(t, b) -> (b * 128 + t), domain: t in [0, 127], b in [0, 9]", 2, 2, 2},
      {"(t, b) -> (b * 129 + t), domain: t in [0, 127], b in [0, 9]", 4, 4, 5},   /* rows that begin anywhere */
      {"(t, b) -> (t * 128 + b), domain: t in [0, 127], b in [0, 9]", 4, 32, 32}, /* a column */
      {"(t, b)[v] -> (b * 512 + t * 4 + v), domain: t in [0, 127], b in [0, 9], v in [0, 3]", 4, 16, 16},
      {"(t, b) -> (b), domain: t in [0, 127], b in [0, 9]", 4, 1, 1}, /* one element for all */
      {"(t) -> (t floordiv 8), domain: t in [0, 127]", 4, 1, 1},
      {"(t) -> (t), domain: t in [0, 39]", 4, 1, 4}, /* a last warp of 8 lanes */
      {"(t) -> (t), domain: t in [0, 127], t mod 32 in [0, 3]", 8, 1, 1},
      {"(t, b)<n> -> (b * n + t), domain: t in [0, 127], b in [0, 9], n in [1, 64]", 4, 4, 5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    hd_access_cost cost;
    if (!HD_CHECK(hd_index_sectors(read(cases[i].map), 0, cases[i].bytes, &warp, &cost))) continue;
    HD_CHECK_INT(cost.least, cases[i].least);
    HD_CHECK_INT(cost.most, cases[i].most);
  }
  hd_access_cost cost;
  HD_CHECK(!hd_index_sectors(read("(t, b)<n> -> (t * n + b), domain: t in [0, 127], b in [0, n - 1], n in [1, 64]"), 0,
                             4, &warp, &cost));
}

static void test_banks(void) {
  static const struct {
    const char *map;
    int64_t bytes, most;
  } cases[] = {
      {"(t) -> (t), domain: t in [0, 127]", 4, 0},
      {"(t) -> (t * 32), domain: t in [0, 127]", 4, 31}, /* a column of 32 */
      {"(t) -> (t * 33), domain: t in [0, 127]", 4, 0},  /* padded by one */
      {"(t) -> ((t mod 32) * 32 + t floordiv 32), domain: t in [0, 127]", 4, 31},
      {"(t) -> ((t mod 32) * 33 + t floordiv 32), domain: t in [0, 127]", 4, 0},
      {"(t) -> (t * 2), domain: t in [0, 127]", 4, 1},
      {"(t) -> (0), domain: t in [0, 127]", 4, 0}, /* a broadcast */
      {"(t) -> (t), domain: t in [0, 127]", 8, 0},
      {"(t) -> (t * 33), domain: t in [0, 127]", 2, 0},
      {"(t) -> (t * 64), domain: t in [0, 127]", 2, 31},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    hd_access_cost cost;
    if (HD_CHECK(hd_index_bank_conflicts(read(cases[i].map), 0, cases[i].bytes, &warp, &cost)))
      hd_test_check_(cost.most == cases[i].most, __FILE__, __LINE__, "%s: expected %lld, got %lld", cases[i].map,
                     (long long)cases[i].most, (long long)cost.most);
  }
}

static void test_contiguity(void) {
  HD_CHECK_INT(hd_index_contiguity(
                   read("(t, b)[v] -> (t * 4 + b * 512 + v), domain: t in [0, 127], b in [0, 9], v in [0, 3]"), 2, 8),
               4);
  HD_CHECK_INT(hd_index_contiguity(
                   read("(t, b)[v] -> (t * 4 + b * 510 + v), domain: t in [0, 127], b in [0, 9], v in [0, 3]"), 2, 8),
               2);
  HD_CHECK_INT(hd_index_contiguity(read("(t)[v] -> (t + v * 128), domain: t in [0, 127], v in [0, 3]"), 1, 8), 1);
  HD_CHECK_INT(hd_index_contiguity(
                   read("(t)[v] -> (t * 4 + v), domain: t in [0, 127], v in [0, 3], t * 4 + v in [0, 509]"), 1, 8),
               1);
  HD_CHECK_INT(hd_index_contiguity(
                   read("(t)<n> -> ((t floordiv n) * n + t mod n), domain: t in [0, n * 8 - 1], n in [1, 64]"), 0, 8),
               8);
}

static void test_linearize(void) {
  hd_dim sizes[] = {hd_dim_const(in->table, 32), hd_dim_const(in->table, 1), hd_dim_const(in->table, 33)};
  hd_index_map *tile = hd_index_map_linearize(
      read("(t)[i] -> (t floordiv 32 + i * 4, 0, t mod 32), domain: t in [0, 127], i in [0, 7]"), sizes);
  hd_access_cost cost;
  HD_CHECK(hd_index_bank_conflicts(tile, 0, 4, &warp, &cost));
  HD_CHECK_INT(cost.most, 0);
}

/* Sectors of each warp, block by block, by counting. */
static void count(const hd_index_map *map, int64_t threads, int64_t blocks, int64_t bytes, hd_access_cost *out) {
  *out = (hd_access_cost){INT64_MAX, 0};
  for (int64_t b = 0; b < blocks; ++b)
    for (int64_t w = 0; w < threads; w += 32) {
      int64_t seen[64], n = 0;
      for (int64_t t = w; t < w + 32 && t < threads; ++t) {
        int64_t at, i;
        if (hd_index_map_eval(map, (int64_t[]){t, b}, NULL, &at) != HD_INDEX_INSIDE) continue;
        for (i = 0; i < n && seen[i] != at * bytes / 32; ++i) {
        }
        if (i == n) seen[n++] = at * bytes / 32;
      }
      if (!n) continue;
      out->least = n < out->least ? n : out->least;
      out->most = n > out->most ? n : out->most;
    }
}

static void test_random(void) {
  for (int i = 0; i < 500; ++i) {
    int64_t threads = 32 * (1 + below(4)), blocks = 64, bytes = 1 << below(4);
    hd_strbuf text;
    hd_strbuf_init(&text, in->arena);
    uint32_t unit = 1 + below(40);
    hd_strbuf_printf(&text,
                     "(t, b) -> (t floordiv %u * %u + (t mod %u) * %u + b * %u), domain: t in [0, %d], b in [0, 63]",
                     unit, below(70), unit, below(9), below(3) ? 1 + below(9) : 128, (int)threads - 1);
    hd_index_map *map = read(hd_strbuf_text(&text));
    hd_access_cost got, expected;
    count(map, threads, blocks, bytes, &expected);
    if (!HD_CHECK(hd_index_sectors(map, 0, bytes, &warp, &got))) continue;
    /* b alone moves the access, through all shifts. */
    bool least = HD_CHECK_INT(got.least, expected.least), held = HD_CHECK_INT(got.most, expected.most) && least;
    if (!held) fprintf(stderr, "  %s of %d bytes\n", hd_strbuf_text(&text), (int)bytes);
  }
}

static hd_status all(void *user) {
  hd_context *c = user;
  in = hd_indexing_create(&c->arena, c, NULL);
  test_sectors();
  test_banks();
  test_contiguity();
  test_linearize();
  test_random();
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
