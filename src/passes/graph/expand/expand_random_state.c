/* SPDX-License-Identifier: Apache-2.0 */
/* The state of rng_bit_generator as words of 64 bits, and back (ir/rng_state.h). A state of unknown size is read as if
 * it had all the words, zeros where it ends: key and counter are then the first 128 bits, parted where the run says. */
#include "ir/ops/stablehlo.h"
#include "passes/graph/expand/expand_random.h"

static hd_value *shifted(bits *r, hd_value *x, int64_t by) { return by > 0 ? SHL(x, by) : by < 0 ? SHR(x, -by) : x; }

static hd_value *masked(bits *r, hd_value *x, int64_t width) {
  if (width >= 64) return x;
  return hd_stablehlo_and(r->b, x, hd_hlo_int_like(r->b, x, (int64_t)hd_low_bits(width)));
}

hd_value *hd_random_elements(bits *r, hd_value *x, hd_type type) {
  hd_type element = hd_type_element(type);
  uint32_t width = hd_type_bits(element);
  if (width == 1) x = masked(r, x, 1); /* conversion to one bit asks whether a number is 0 */
  x = hd_hlo_convert(r->b, x, hd_type_integer(r->b->context, width, HD_UNSIGNED));
  if (element->kind == HD_TYPE_INTEGER && element->integer.signedness == HD_UNSIGNED) return x;
  return hd_stablehlo_bitcast_convert(r->b, hd_type_with_element(x->type, element), x);
}

/* x | y, either of which may be null. */
static hd_value *either(bits *r, hd_value *x, hd_value *y) { return x && y ? OR(x, y) : x ? x : y; }

static hd_value *count_of(bits *r, hd_value *x) {
  hd_value *count = hd_hlo_size(r->b, 1);
  for (uint32_t d = 0; d < hd_type_rank(x->type); ++d)
    count = hd_hlo_size_op(r->b, HD_OP_stablehlo_multiply, count, hd_hlo_size_of(r->b, x, d));
  return count;
}

static hd_value *flattened(bits *r, hd_value *state, hd_value *count) {
  return hd_type_rank(state->type) == 1 ? state : hd_hlo_reshape(r->b, state, &count, 1);
}

/* |words| as |layout| has them in |line|. */
static void read_words(bits *r, const hd_rng_state *layout, hd_value *line, hd_value **words) {
  for (uint32_t w = 0; w < HD_RNG_STATE_WORDS; ++w) words[w] = NULL;
  for (int64_t k = 0; k < layout->read; ++k) {
    hd_value *part = hd_hlo_reshape_to(r->b, hd_hlo_slice(r->b, line, 0, k, k + 1), NULL, 0);
    part = hd_hlo_convert(r->b, part, r->u64);
    for (uint32_t w = 0; w < HD_RNG_STATE_WORDS; ++w)
      if (hd_rng_overlap(layout, w, k))
        words[w] = either(r, words[w], shifted(r, part, k * layout->width - layout->start[w]));
  }
  for (uint32_t w = 0; w < HD_RNG_STATE_WORDS; ++w)
    words[w] = words[w] ? masked(r, words[w], layout->end[w] - layout->start[w]) : hd_hlo_zero(r->b, r->u64);
}

#define BINARY(op, x, y) hd_build_binary(r->b, HD_OP_stablehlo_##op, x, y)
/* A shift by 64 gives 0. */
#define UP(x, by) BINARY(shift_left, x, by)
#define DOWN(x, by) BINARY(shift_right_logical, x, by)

/* 64 - |bits|. */
static hd_value *others(bits *r, hd_value *bits) { return BINARY(subtract, hd_hlo_int_like(r->b, bits, 64), bits); }

/* Where the run says how many elements |s| has: |s->line| gets as many zeros after them as the words take, and the
 * first two of |words| become key and counter. */
static void read_unknown(bits *r, hd_random_state *s, hd_value *count, hd_value **words) {
  int64_t size = HD_RNG_STATE_WORDS * 64 / s->layout.width;
  s->layout = hd_rng_state_of(s->layout.width, size);
  hd_type raw = hd_type_element(s->line->type);
  hd_value *zeros = hd_hlo_broadcast(r->b, hd_hlo_zero(r->b, raw), hd_type_tensor(raw, &size, 1, NULL), NULL, NULL);
  s->line = hd_stablehlo_concatenate(r->b, 0, (hd_value *[]){s->line, zeros}, 2);
  hd_value *used = hd_hlo_slice(r->b, s->line, 0, 0, size);
  read_words(r, &s->layout, used, words);
  count = BINARY(minimum, count, hd_hlo_size(r->b, size));
  hd_value *width = hd_hlo_convert(r->b, hd_hlo_reshape_to(r->b, count, NULL, 0), r->u64);
  width = MUL(width, hd_hlo_int_like(r->b, width, s->layout.width));
  hd_value *word = hd_hlo_int_like(r->b, width, 64);
  s->key_bits =
      BINARY(subtract, BINARY(minimum, BINARY(maximum, width, word), hd_hlo_int_like(r->b, width, 128)), word);
  hd_value *low = words[0], *high = words[1], *mask = UP(hd_hlo_int_like(r->b, word, 1), s->key_bits);
  words[0] = BINARY(and, low, BINARY(subtract, mask, hd_hlo_int_like(r->b, word, 1)));
  words[1] = OR(DOWN(low, s->key_bits), UP(high, others(r, s->key_bits)));
  hd_value *three = hd_stablehlo_compare(r->b, HD_STABLEHLO_COMPARE_GT, width, hd_hlo_int_like(r->b, width, 128));
  words[2] = hd_stablehlo_select(r->b, three, words[2], words[0]);
}

hd_random_state hd_random_read_state(bits *r, hd_value *state, hd_value **words) {
  uint32_t width = hd_type_bits(hd_type_element(state->type));
  hd_type raw = hd_type_integer(r->b->context, width, HD_UNSIGNED);
  hd_value *count = count_of(r, state), *line = flattened(r, state, count);
  if (hd_type_element(line->type) != raw)
    line = hd_stablehlo_bitcast_convert(r->b, hd_type_with_element(line->type, raw), line);
  hd_random_state s = {.layout.width = width, .state = state, .line = line};
  if (!hd_type_is_static(state->type)) {
    read_unknown(r, &s, count, words);
    return s;
  }
  s.layout = hd_rng_state_of(width, hd_type_num_elements(state->type));
  read_words(r, &s.layout, line, words);
  if (s.layout.words == 2) words[2] = words[0];
  return s;
}

hd_value *hd_random_write_state(bits *r, const hd_random_state *s, hd_value **words) {
  const hd_rng_state *layout = &s->layout;
  if (!layout->written) return s->state;
  if (s->key_bits) {
    hd_value *counter = words[1];
    words[0] = OR(words[0], UP(counter, s->key_bits));
    words[1] = DOWN(counter, others(r, s->key_bits));
  }
  hd_type element = hd_type_element(s->state->type), raw = hd_type_element(s->line->type);
  hd_value *parts[HD_RNG_STATE_WORDS * 64 + 1];
  int64_t n = 0;
  for (; n < layout->written; ++n) {
    hd_value *part = NULL;
    for (uint32_t w = 0; w < HD_RNG_STATE_WORDS; ++w)
      if (hd_rng_overlap(layout, w, n)) {
        hd_value *word = masked(r, words[w], layout->end[w] - layout->start[w]);
        part = either(r, part, shifted(r, word, layout->start[w] - n * layout->width));
      }
    parts[n] = hd_random_elements(r, hd_hlo_reshape_to(r->b, part, (int64_t[]){1}, 1), raw);
  }
  hd_value *size = hd_hlo_size_of(r->b, s->line, 0), *line = s->line;
  if (hd_hlo_known_size(size) != n) parts[n] = hd_hlo_slice_sized(r->b, line, 0, hd_hlo_size(r->b, n), size, NULL), ++n;
  line = hd_stablehlo_concatenate(r->b, 0, parts, (size_t)n);
  if (s->key_bits) line = hd_hlo_slice_sized(r->b, line, 0, hd_hlo_size(r->b, 0), count_of(r, s->state), NULL);
  line = hd_random_elements(r, line, hd_type_with_element(line->type, element));
  hd_value *sizes[HD_MAX_RANK];
  hd_hlo_sizes_of(r->b, s->state, sizes);
  return hd_hlo_retype(r->b, hd_hlo_reshape(r->b, line, sizes, hd_type_rank(s->state->type)), s->state->type);
}
