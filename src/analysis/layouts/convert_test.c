/* SPDX-License-Identifier: Apache-2.0 */
/* Queries, conversions and bank conflicts of random layouts against counting over all threads and registers. */
#include "analysis/layouts/convert.h"

#include "base/testing.h"

static uint64_t seed = 3;
static uint32_t below(uint32_t n) { return (uint32_t)(hd_test_random(&seed) % n); }

enum { MOST = 4096 };

/* |total| bits of a tensor of 2 dims. */
static hd_linear_space tensor(uint32_t total) {
  hd_linear_space s;
  uint8_t rows = (uint8_t)below(total + 1), bits[2] = {rows, (uint8_t)(total - rows)};
  HD_CHECK(hd_linear_space_make(2, bits, true, &s));
  return s;
}

/* A layout of 32 lanes, 1 to 4 warps and |blocks| blocks: each bit of the tensor moved by a bit of the hardware, at
 * times by a sum, those left over by none. */
static hd_linear_layout random_layout(const hd_linear_space *out, uint32_t blocks, uint32_t warps) {
  hd_linear_layout map = {.out = *out};
  uint64_t dealt[HD_LINEAR_BITS];
  for (uint32_t i = 0; i < out->total; ++i) dealt[i] = 1ull << i;
  for (uint32_t i = 0; i + blocks + 1 < out->total; ++i) { /* the last are the blocks' */
    uint32_t k = i + below(out->total - blocks - i);
    uint64_t t = dealt[i];
    dealt[i] = dealt[k];
    dealt[k] = t;
  }
  for (uint32_t i = 1; i < out->total - blocks; ++i)
    if (!below(4)) dealt[i] ^= dealt[below(i)];
  bool broadcasts = !below(3);
  uint32_t hardware = 5 + warps, left = out->total - blocks;
  uint32_t registers = (left > hardware ? left - hardware : 0) + (broadcasts ? below(3) : 0);
  uint8_t parts[HD_HARDWARE_PARTS] = {(uint8_t)registers, 5, (uint8_t)warps, (uint8_t)blocks};
  HD_CHECK(hd_linear_space_make(HD_HARDWARE_PARTS, parts, false, &map.in));
  uint32_t places[HD_LINEAR_BITS], count = registers + hardware;
  for (uint32_t i = 0; i < count; ++i) places[i] = i;
  for (uint32_t i = count; i > 1 && (broadcasts || below(2)); --i) {
    uint32_t k = below(i), t = places[k];
    places[k] = places[i - 1];
    places[i - 1] = t;
  }
  for (uint32_t i = 0; i < left && i < count; ++i) map.column[places[i]] = dealt[i];
  for (uint32_t i = 0; i < blocks; ++i) map.column[count + i] = dealt[left + i];
  return map;
}

static int64_t part(const hd_linear_layout *m, uint64_t hardware, uint32_t p) {
  return hd_linear_part(&m->in, hardware, p);
}

static void test_owners(void) {
  for (int i = 0; i < 200; ++i) {
    hd_linear_space out = tensor(6 + below(5));
    hd_linear_layout map = random_layout(&out, 0, below(3));
    hd_owners owners;
    uint64_t element = below(1u << out.total), found = 0;
    bool is_owned = hd_linear_layout_owners(&map, element, &owners);
    for (uint64_t h = 0; h < 1ull << map.in.total; ++h) found += hd_linear_layout_apply(&map, h) == element;
    HD_CHECK_INT(is_owned ? 1ll << owners.count : 0, found);
    for (uint64_t n = 0; is_owned && n < 1ull << owners.count; ++n) {
      uint64_t h = owners.first;
      for (uint32_t k = 0; k < owners.count; ++k) h ^= n >> k & 1 ? owners.others[k] : 0;
      HD_CHECK_INT(hd_linear_layout_apply(&map, h), element);
    }
  }
}

/* The longest aligned run along |dim| that each thread has whole; with |in_order| in its first registers. */
static int64_t longest_run(const hd_linear_layout *map, uint32_t dim, bool in_order) {
  static int32_t owner[MOST]; /* the lowest register of thread 0 that has the element, plus 1 */
  int64_t size = 1ll << map->out.bits[dim], run;
  memset(owner, 0, sizeof owner);
  for (int64_t r = 1ll << map->in.bits[HD_REGISTER]; r-- > 0;)
    owner[hd_linear_layout_apply(map, (uint64_t)r)] = (int32_t)r + 1;
  for (run = size; run > 1; run /= 2) {
    bool whole = true;
    for (int64_t i = 0; i < run; ++i) {
      uint64_t at = (uint64_t)i << map->out.shift[dim];
      whole = whole && owner[at] && (!in_order || hd_linear_layout_apply(map, (uint64_t)i) == at) &&
              (!in_order || i < 1ll << map->in.bits[HD_REGISTER]);
    }
    if (whole) break;
  }
  return run;
}

static void test_contiguity(void) {
  for (int i = 0; i < 300; ++i) {
    hd_linear_space out = tensor(7 + below(5));
    hd_linear_layout map = random_layout(&out, 0, below(3));
    for (uint32_t d = 0; d < 2; ++d) {
      HD_CHECK_INT(hd_layout_contiguity(&map, d), longest_run(&map, d, false));
      HD_CHECK_INT(hd_layout_contiguity_in_order(&map, d), longest_run(&map, d, true));
    }
  }
}

/* How far the nearest owner of each element is, and how many registers of a thread have to get theirs from there. */
static hd_conversion_kind naive_kind(const hd_linear_layout *from, const hd_linear_layout *to, int64_t *out_foreign) {
  hd_conversion_kind kind = HD_CONVERT_NONE;
  static bool foreign[MOST];
  static uint64_t have[MOST];
  uint32_t count = 0;
  memset(foreign, 0, sizeof foreign);
  for (uint64_t h = 0; h < 1ull << to->in.total; ++h) {
    uint64_t element = hd_linear_layout_apply(to, h);
    hd_conversion_kind near = HD_CONVERT_CLUSTER;
    for (uint64_t s = 0; s < 1ull << from->in.total; ++s) {
      if (hd_linear_layout_apply(from, s) != element) continue;
      hd_conversion_kind here = part(from, s, HD_BLOCK) != part(to, h, HD_BLOCK) ? HD_CONVERT_CLUSTER
                                : part(from, s, HD_WARP) != part(to, h, HD_WARP) ? HD_CONVERT_SHARED
                                : part(from, s, HD_LANE) != part(to, h, HD_LANE) ? HD_CONVERT_SHUFFLES
                                : part(from, s, 0) != part(to, h, 0)             ? HD_CONVERT_REGISTERS
                                                                                 : HD_CONVERT_NONE;
      if (here < near) near = here;
    }
    if (near > kind) kind = near;
    if (near >= HD_CONVERT_SHUFFLES) foreign[part(to, h, HD_REGISTER)] = true;
  }
  /* Registers with what a lower one has get it from there. */
  *out_foreign = 0;
  for (uint64_t r = 0; r < 1ull << to->in.bits[HD_REGISTER]; ++r) {
    bool is_copy = false;
    for (uint32_t k = 0; k < count; ++k) is_copy = is_copy || have[k] == hd_linear_layout_apply(to, r);
    if (is_copy) continue;
    have[count++] = hd_linear_layout_apply(to, r);
    *out_foreign += foreign[r];
  }
  return kind;
}

/* |map| with registers, or lanes as well, exchanged by sums. */
static hd_linear_layout mixed(const hd_linear_layout *map, bool lanes) {
  hd_linear_layout out = *map;
  uint32_t count = map->in.bits[HD_REGISTER] + (lanes ? 5u : 0);
  for (int i = 0; i < 6 && count > 1; ++i) {
    uint32_t a = below(count), b = below(count);
    if (a != b && (lanes || (a < count && b < count))) out.column[a] ^= out.column[b];
  }
  return out;
}

static void test_kinds(void) {
  int seen[5] = {0};
  for (int i = 0; i < 200; ++i) {
    uint32_t blocks = !below(3), warps = below(2);
    hd_linear_space out = tensor(6 + below(3) + blocks);
    hd_linear_layout from = random_layout(&out, blocks, warps), to = random_layout(&out, blocks, warps);
    if (below(2)) to = mixed(&from, below(2));
    if (!below(4) && blocks) { /* blocks and lanes change places */
      uint64_t t = to.column[to.in.shift[HD_BLOCK]];
      to.column[to.in.shift[HD_BLOCK]] = to.column[to.in.shift[HD_LANE]];
      to.column[to.in.shift[HD_LANE]] = t;
    }
    hd_conversion cost;
    int64_t foreign;
    hd_conversion_kind kind = naive_kind(&from, &to, &foreign);
    if (!HD_CHECK(hd_conversion_cost(&from, &to, 16, &cost))) continue;
    ++seen[cost.kind];
    /* Registers that are more than before count as moved even if nothing is. */
    if (kind == HD_CONVERT_NONE && from.in.bits[0] != to.in.bits[0]) kind = HD_CONVERT_REGISTERS;
    if (!HD_CHECK(cost.kind == kind))
      fprintf(stderr, "  expected %s, got %s\n", hd_conversion_name(kind), hd_conversion_name(cost.kind));
    if (kind == HD_CONVERT_SHUFFLES) HD_CHECK_INT(cost.shuffles, foreign);
  }
  for (int k = 0; k < 5; ++k) HD_CHECK(k == HD_CONVERT_NONE || seen[k] > 2);
}

/* ---- banks ---- */

/* The most wavefronts of one vector access of one warp, when vectors are |vector| elements: over all warps, and all
 * offsets that lane 0 goes to. */
static int64_t naive_wavefronts(const hd_linear_layout *map, const int64_t *offset, int64_t vector, int64_t bytes,
                                int64_t *out_conflicts) {
  int64_t most = 0, group = vector * bytes <= 4 ? 32 : 128 / (vector * bytes);
  *out_conflicts = 0;
  for (int64_t w = 0; w < 1ll << map->in.bits[HD_WARP]; ++w)
    for (int64_t r = 0; r < 1ll << map->in.bits[HD_REGISTER]; ++r) {
      int64_t all = 0, conflicts = 0;
      for (int64_t first = 0; first < 32; first += group) {
        static bool word[MOST * 4];
        int64_t per_bank[32] = {0}, worst = 0;
        memset(word, 0, sizeof word);
        for (int64_t l = first; l < first + group; ++l) {
          uint64_t element = hd_linear_layout_apply(map, hd_linear_pack(&map->in, (int64_t[]){r, l, w, 0}));
          int64_t at = offset[element] / vector * vector * bytes;
          for (int64_t b = at; b < at + vector * bytes; ++b) word[b / 4] = true;
        }
        for (int64_t k = 0; k < MOST * 4; ++k)
          if (word[k] && ++per_bank[k % 32] > worst) worst = per_bank[k % 32];
        all += worst;
        conflicts += worst - 1;
      }
      if (all > most) most = all;
      if (conflicts > *out_conflicts) *out_conflicts = conflicts;
    }
  return most;
}

static void check_cost(const hd_linear_layout *map, const hd_linear_layout *shared, const hd_encoding *padding,
                       int64_t bytes, hd_bank_cost *cost) {
  static int64_t offset[MOST];
  int64_t conflicts;
  for (uint64_t o = 0; o < 1ull << shared->in.total; ++o)
    offset[hd_linear_layout_apply(shared, o)] = padding ? hd_encoding_padded_offset(padding, (int64_t)o) : (int64_t)o;
  if (!HD_CHECK(hd_bank_conflicts(map, shared, padding, (uint32_t)bytes * 8, cost))) return;
  HD_CHECK_INT(cost->wavefronts, naive_wavefronts(map, offset, cost->vector, bytes, &conflicts));
  HD_CHECK_INT(cost->conflicts, conflicts);
}

static void test_banks(void) {
  for (int i = 0; i < 150; ++i) {
    hd_linear_space out = tensor(7 + below(4));
    hd_linear_layout map = random_layout(&out, 0, below(3)), shared = {.out = out};
    hd_bank_cost cost;
    int64_t bytes = 1ll << below(4);
    hd_linear_layout all = random_layout(&out, 0, 0); /* a bijection, when nothing is broadcast */
    if (all.in.total != out.total || !hd_linear_layout_is_surjective(&all)) continue;
    uint8_t bits[2] = {(uint8_t)out.total, 0};
    HD_CHECK(hd_linear_space_make(2, bits, false, &shared.in));
    memcpy(shared.column, all.column, sizeof all.column);
    check_cost(&map, &shared, NULL, bytes, &cost);
    for (uint32_t k = 0; k < out.total; ++k) shared.column[k] = 1ull << k;
    check_cost(&map, &shared, NULL, bytes, &cost);
    hd_encoding padding = {.kind = HD_ENCODING_PADDED_SHARED, .rank = 2, .pads = 1};
    padding.interval[0] = 16 << below(4);
    padding.padding[0] = 1 << below(4);
    check_cost(&map, &shared, &padding, bytes, &cost);
  }
}

static void test_swizzle(void) {
  for (int i = 0; i < 500; ++i) {
    uint32_t blocks = !below(4), warps = below(3);
    hd_linear_space out = tensor(8 + below(4) + blocks);
    hd_linear_layout from = random_layout(&out, blocks, warps), to = random_layout(&out, blocks, warps), shared;
    hd_bank_cost store, load;
    uint32_t bits = 8u << below(4);
    if (!hd_linear_layout_is_surjective(&from)) continue;
    if (!HD_CHECK(hd_least_conflict_swizzle(&from, &to, bits, &shared))) continue;
    HD_CHECK(hd_linear_layout_is_surjective(&shared) && hd_linear_layout_is_injective(&shared));
    HD_CHECK(hd_bank_conflicts(&from, &shared, NULL, bits, &store));
    HD_CHECK(hd_bank_conflicts(&to, &shared, NULL, bits, &load));
    HD_CHECK_INT(store.conflicts, 0);
    HD_CHECK_INT(load.conflicts, 0);
  }
}

/* The transpose of a tile: rows to columns, through 32 x 32 floats. */
static void test_transpose(void) {
  hd_encoding rows = {.kind = HD_ENCODING_BLOCKED,
                      .rank = 2,
                      .size_per_thread = {1, 1},
                      .threads_per_warp = {1, 32},
                      .warps_per_cta = {4, 1},
                      .order = {1, 0}};
  hd_encoding columns = {.kind = HD_ENCODING_BLOCKED,
                         .rank = 2,
                         .size_per_thread = {1, 1},
                         .threads_per_warp = {32, 1},
                         .warps_per_cta = {1, 4},
                         .order = {0, 1}};
  hd_encoding plain = {
      .kind = HD_ENCODING_SWIZZLED_SHARED, .rank = 2, .vec = 1, .per_phase = 1, .max_phase = 1, .order = {1, 0}};
  hd_linear_layout from, to, shared;
  hd_bank_cost cost;
  hd_conversion conversion;
  int64_t shape[] = {32, 32};
  HD_CHECK_OK(hd_encoding_linear(&rows, shape, &from));
  HD_CHECK_OK(hd_encoding_linear(&columns, shape, &to));
  HD_CHECK_OK(hd_encoding_linear(&plain, shape, &shared));
  HD_CHECK(hd_bank_conflicts(&from, &shared, NULL, 32, &cost) && cost.conflicts == 0);
  HD_CHECK(hd_bank_conflicts(&to, &shared, NULL, 32, &cost) && cost.conflicts == 31);
  HD_CHECK(hd_conversion_cost(&from, &to, 32, &conversion));
  HD_CHECK(conversion.kind == HD_CONVERT_SHARED && !conversion.store.conflicts && !conversion.load.conflicts);
  HD_CHECK_INT(conversion.shared_bytes, 4096);
}

/* Vectors of both sides stay vectors. */
static void test_vectors(void) {
  hd_encoding a = {.kind = HD_ENCODING_BLOCKED,
                   .rank = 2,
                   .size_per_thread = {1, 4},
                   .threads_per_warp = {8, 4},
                   .warps_per_cta = {4, 1},
                   .order = {1, 0}},
              b = a;
  b.threads_per_warp[0] = 1, b.threads_per_warp[1] = 32;
  hd_linear_layout from, to;
  hd_conversion cost;
  int64_t shape[] = {64, 128};
  HD_CHECK_OK(hd_encoding_linear(&a, shape, &from));
  HD_CHECK_OK(hd_encoding_linear(&b, shape, &to));
  HD_CHECK(hd_conversion_cost(&from, &to, 32, &cost) && cost.kind == HD_CONVERT_SHARED);
  HD_CHECK(cost.store.vector == 4 && cost.load.vector == 4 && !cost.store.conflicts && !cost.load.conflicts);
  HD_CHECK_INT(cost.store.instructions, 16);
}

/* What nobody has cannot be brought anywhere. */
static void test_missing(void) {
  hd_linear_space out, in;
  HD_CHECK(hd_linear_space_make(2, (uint8_t[]){1, 1}, true, &out));
  HD_CHECK(hd_linear_space_make(HD_HARDWARE_PARTS, (uint8_t[]){1, 1, 0, 0}, false, &in));
  hd_linear_layout all = {.in = in, .out = out, .column = {1, 2}}, half = {.in = in, .out = out, .column = {1, 0}};
  hd_conversion cost;
  HD_CHECK(!hd_conversion_cost(&half, &all, 32, &cost));
  HD_CHECK(hd_conversion_cost(&all, &half, 32, &cost) && cost.kind == HD_CONVERT_SHUFFLES);
}

int main(void) {
  test_missing();
  test_vectors();
  test_owners();
  test_contiguity();
  test_kinds();
  test_banks();
  test_swizzle();
  test_transpose();
  return HD_TEST_RESULT();
}
