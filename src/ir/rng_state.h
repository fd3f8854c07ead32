/* SPDX-License-Identifier: Apache-2.0 */
/* The words of rng_bit_generator's state, for evaluator and code. StableHLO writes ui64[2] or ui64[3] and leaves other
 * states to the implementation; here a state of any integer or float elements, of any rank and size, is its bits in
 * order of elements, low bits first:
 *
 *   128 bits and more     word 0 (key)   word 1 (counter)   word 2 (counter's high half, or unchanged)   unchanged ...
 *   below 128 bits        key: what is before the last 64   counter: the last 64, or all
 *
 * so that the counter of any state advances. A state without bits repeats itself. */
#ifndef HD_IR_RNG_STATE_H_
#define HD_IR_RNG_STATE_H_

#include <stdint.h>

/* A fourth word: an element may be across the end of the third. */
enum { HD_RNG_STATE_WORDS = 4 };

typedef struct hd_rng_state {
  uint32_t width;                    /* bits of an element, 64 at most */
  uint32_t words;                    /* that the algorithms use: 2 or 3 */
  int64_t start[HD_RNG_STATE_WORDS]; /* the first bit of each word ... */
  int64_t end[HD_RNG_STATE_WORDS];   /* ... and the first after it */
  int64_t read, written;             /* elements, from the first, with bits of a word; of one that changes */
} hd_rng_state;

static inline uint64_t hd_low_bits(int64_t count) { return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1; }

static inline hd_rng_state hd_rng_state_of(uint32_t width, int64_t elements) {
  enum { WORD = 64, LAST = HD_RNG_STATE_WORDS * WORD };
  hd_rng_state s = {.width = width};
  int64_t bits = elements > LAST ? LAST : elements * (int64_t)width; /* no overflow: what is beyond is not read */
  if (bits > LAST) bits = LAST;
  s.words = bits > 2 * WORD ? 3 : 2;
  for (int64_t i = 0, at = 0; i < HD_RNG_STATE_WORDS; ++i) {
    int64_t size = bits >= 2 * WORD || i ? WORD : (bits > WORD ? bits - WORD : 0);
    s.start[i] = at;
    at = at + size < bits ? at + size : bits;
    s.end[i] = at;
  }
  s.read = (bits + width - 1) / width;
  s.written = (s.end[s.words - 1] + width - 1) / width;
  if (s.read > elements) s.read = elements;
  if (s.written > s.read) s.written = s.read;
  return s;
}

/* Do element |k| and word |w| share bits? */
static inline int hd_rng_overlap(const hd_rng_state *s, uint32_t w, int64_t k) {
  return k * s->width < s->end[w] && (k + 1) * s->width > s->start[w];
}

/* The bits of element |k| where they are in word |w|, and back; 0 where the two share none. */
static inline uint64_t hd_rng_to_word(const hd_rng_state *s, uint32_t w, int64_t k, uint64_t bits) {
  if (!hd_rng_overlap(s, w, k)) return 0;
  int64_t by = k * s->width - s->start[w];
  return (by >= 0 ? bits << by : bits >> -by) & hd_low_bits(s->end[w] - s->start[w]);
}

static inline uint64_t hd_rng_from_word(const hd_rng_state *s, uint32_t w, int64_t k, uint64_t word) {
  if (!hd_rng_overlap(s, w, k)) return 0;
  int64_t by = k * s->width - s->start[w];
  word &= hd_low_bits(s->end[w] - s->start[w]);
  return by >= 0 ? word >> by : word << -by;
}

#endif
