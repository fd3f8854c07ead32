/* SPDX-License-Identifier: Apache-2.0 */
/* Linear maps by enumeration of all their inputs. */
#include "ir/linear_layouts/linear_layout.h"

#include "base/testing.h"

static uint64_t seed = 7;
static uint32_t below(uint32_t n) { return (uint32_t)(hd_test_random(&seed) % n); }

static hd_linear_space space(uint32_t dims, uint32_t most, bool row_major) {
  uint8_t bits[HD_LINEAR_DIMS];
  hd_linear_space s;
  for (uint32_t d = 0; d < dims; ++d) bits[d] = (uint8_t)below(most + 1);
  HD_CHECK(hd_linear_space_make(dims, bits, row_major, &s));
  return s;
}

static hd_linear_layout between(const hd_linear_space *in, const hd_linear_space *out) {
  hd_linear_layout map = {.in = *in, .out = *out};
  for (uint32_t i = 0; i < in->total; ++i) map.column[i] = hd_test_random(&seed) & ((1ull << out->total) - 1);
  return map;
}

static hd_linear_layout random_map(void) {
  hd_linear_space in = space(3, 3, false), out = space(2, 3, true);
  return between(&in, &out);
}

static uint64_t size(const hd_linear_space *s) { return 1ull << s->total; }

static void test_spaces(void) {
  hd_linear_space s;
  int64_t parts[3];
  HD_CHECK(hd_linear_space_make(3, (uint8_t[]){2, 0, 3}, true, &s));
  HD_CHECK_INT(hd_linear_pack(&s, (int64_t[]){3, 0, 5}), 3 * 8 + 5);
  hd_linear_unpack(&s, 29, parts);
  HD_CHECK(parts[0] == 3 && parts[1] == 0 && parts[2] == 5);
  HD_CHECK_INT(hd_linear_part_mask(&s, 0), 24);
  HD_CHECK(hd_linear_space_make(3, (uint8_t[]){2, 0, 3}, false, &s));
  HD_CHECK_INT(hd_linear_pack(&s, (int64_t[]){3, 0, 5}), 5 * 4 + 3);
  HD_CHECK(!hd_linear_space_make(2, (uint8_t[]){40, 40}, false, &s));
  HD_CHECK(!hd_linear_space_make(9, (uint8_t[9]){0}, false, &s));
}

/* Of inputs with one output only that with no free bits is reached by the inverse; all free inputs have another. */
static void test_inverse(void) {
  for (int i = 0; i < 300; ++i) {
    hd_linear_layout map = random_map(), back;
    uint64_t free_bits = hd_linear_layout_free(&map), images = 0;
    hd_linear_layout_inverse(&map, &back);
    bool given[64] = {false};
    for (uint64_t x = 0; x < size(&map.in); ++x) {
      uint64_t y = hd_linear_layout_apply(&map, x), again = hd_linear_layout_apply(&back, y);
      images += !given[y];
      given[y] = true;
      HD_CHECK(hd_linear_layout_apply(&map, again) == y && !(again & free_bits) && ((x & free_bits) || again == x));
    }
    HD_CHECK_INT(images, 1ull << hd_linear_layout_rank(&map));
    HD_CHECK(hd_linear_layout_is_injective(&map) == (images == size(&map.in)));
    HD_CHECK(hd_linear_layout_is_surjective(&map) == (images == size(&map.out)));
  }
}

static void test_compose(void) {
  for (int i = 0; i < 100; ++i) {
    hd_linear_layout first = random_map(), map, wrong;
    hd_linear_space out = space(4, 2, false), other = space(1, 2, false);
    hd_linear_layout then = between(&first.out, &out), none = between(&other, &out);
    if (!HD_CHECK(hd_linear_layout_compose(&first, &then, &map))) continue;
    for (uint64_t x = 0; x < size(&map.in); ++x)
      HD_CHECK_INT(hd_linear_layout_apply(&map, x), hd_linear_layout_apply(&then, hd_linear_layout_apply(&first, x)));
    HD_CHECK(!hd_linear_layout_compose(&first, &none, &wrong));
  }
}

static void test_product(void) {
  for (int i = 0; i < 300; ++i) {
    hd_linear_layout low = random_map(), high = random_map(), both, back;
    if (!HD_CHECK(hd_linear_layout_product(&low, &high, &both))) continue;
    for (uint64_t x = 0; x < size(&both.in); x += 1 + below(7)) {
      int64_t parts[8], a[8], b[8], want[8], got[8];
      hd_linear_unpack(&both.in, x, parts);
      for (uint32_t d = 0; d < 3; ++d) {
        a[d] = parts[d] % (1 << low.in.bits[d]);
        b[d] = parts[d] / (1 << low.in.bits[d]);
      }
      hd_linear_unpack(&low.out, hd_linear_layout_apply(&low, hd_linear_pack(&low.in, a)), a);
      hd_linear_unpack(&high.out, hd_linear_layout_apply(&high, hd_linear_pack(&high.in, b)), b);
      hd_linear_unpack(&both.out, hd_linear_layout_apply(&both, x), got);
      for (uint32_t d = 0; d < 2; ++d) want[d] = b[d] * (1 << low.out.bits[d]) + a[d];
      HD_CHECK(want[0] == got[0] && want[1] == got[1]);
    }
    if (!HD_CHECK(hd_linear_layout_divide(&both, &low, &back) && hd_linear_layout_equal(&back, &high))) continue;
    if (low.in.total && low.out.total) {
      hd_linear_layout other = low; /* of which it is no multiple */
      other.column[below(low.in.total)] ^= 1;
      HD_CHECK(!hd_linear_layout_divide(&both, &other, &back));
    }
  }
}

static void test_span(void) {
  hd_span span = hd_span_empty();
  uint64_t sum;
  HD_CHECK(hd_span_add(&span, 6) && hd_span_add(&span, 3) && !hd_span_add(&span, 5));
  HD_CHECK(hd_span_has(&span, 5) && hd_span_has(&span, 0) && !hd_span_has(&span, 1));
  HD_CHECK(!hd_span_reduce(&span, 5, &sum) && sum == 3);
  HD_CHECK_INT(span.size, 2);
}

int main(void) {
  test_spaces();
  test_inverse();
  test_compose();
  test_product();
  test_span();
  return HD_TEST_RESULT();
}
