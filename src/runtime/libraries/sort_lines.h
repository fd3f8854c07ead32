/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a sort, where their elements are, and the entries that stand for them while they are sorted. Internal to
 * ral_sort; one call has one hd_sorting, which its threads read. */
#ifndef HD_RUNTIME_LIBRARIES_SORT_LINES_H_
#define HD_RUNTIME_LIBRARIES_SORT_LINES_H_

#include "runtime/libraries/sort_keys.h"
#include "runtime/libraries/sort_vectors.h"
#include "runtime/ral_api.h"

typedef struct hd_sort_operand {
  const char *in;
  char *out;
  int bytes;
  bool positions;
} hd_sort_operand;

typedef struct hd_sorting {
  hd_ral_context *ctx;
  int64_t outer, n, inner, front, lines;
  int64_t operands, keys, first_key[HD_SORT_MOST_KEYS];
  hd_sort_key key[HD_SORT_MOST_KEYS];
  const hd_sort_operand_descriptor *rows;
  bool wide;   /* keys of eight bytes, or more elements than 32 bits count */
  bool alone;  /* keys without positions */
  int64_t run; /* neighbouring lines, groups of which are sorted together */
  int64_t group, groups, slots;
  uint64_t used; /* slots, as bits */
  size_t entry;
  char *scratch;
  size_t each; /* bytes of a slot's scratch */
  const hd_sort_vectors *vectors;
} hd_sorting;

static inline hd_sort_operand hd_sort_operand_at(const hd_sorting *s, int64_t i) {
  const hd_sort_operand_descriptor *row = &s->rows[i];
  return (hd_sort_operand){(const char *)(uintptr_t)row->in, (char *)(uintptr_t)row->out, (int)row->bytes,
                           row->positions != 0};
}

/* The element of the line |line| at |i|, in elements from the start. */
static inline int64_t hd_sort_place(const hd_sorting *s, int64_t line, int64_t i) {
  return ((line / s->inner) * s->n + i) * s->inner + line % s->inner;
}

static inline const char *hd_sort_element_at(const hd_sorting *s, const hd_sort_operand *o, int64_t line, int64_t i) {
  return o->in + hd_sort_place(s, line, i) * o->bytes;
}

static inline uint64_t hd_sort_key_at(const hd_sorting *s, int64_t k, int64_t line, int64_t i) {
  hd_sort_operand o = hd_sort_operand_at(s, s->first_key[k]);
  if (o.positions) return (uint64_t)i ^ s->key[k].flip ^ s->key[k].sign;
  return hd_sort_key_64(hd_sort_raw(hd_sort_element_at(s, &o, line, i), o.bytes), &s->key[k]);
}

static inline void hd_sort_store(char *to, int bytes, uint64_t x) {
  switch (bytes) {
    case 1:
      *(uint8_t *)to = (uint8_t)x;
      break;
    case 2:
      *(uint16_t *)to = (uint16_t)x;
      break;
    case 4:
      *(uint32_t *)to = (uint32_t)x;
      break;
    default:
      *(uint64_t *)to = x;
  }
}

static inline int64_t hd_sort_position(const hd_sorting *s, const void *entries, int64_t i) {
  return s->wide ? (int64_t)(uint64_t)((const unsigned __int128 *)entries)[i]
                 : (int64_t)(uint32_t)((const uint64_t *)entries)[i];
}

static inline void hd_sort_put_entry(const hd_sorting *s, void *entries, int64_t i, uint64_t key, int64_t position) {
  if (s->alone)
    ((uint32_t *)entries)[i] = (uint32_t)key;
  else if (s->wide)
    ((unsigned __int128 *)entries)[i] = (unsigned __int128)key << 64 | (uint64_t)position;
  else
    ((uint64_t *)entries)[i] = key << 32 | (uint32_t)position;
}

/* Entries of elements [from, to) of a line by key |k|, from |entries| on. */
void hd_sort_load(const hd_sorting *s, int64_t k, int64_t line, void *entries, int64_t from, int64_t to);

/* Elements [from, to) of the results of a line, by the positions of |entries|. */
void hd_sort_take(const hd_sorting *s, int64_t line, const void *entries, int64_t from, int64_t to);
/* The same of keys alone, each of which tells its element. */
void hd_sort_take_alone(const hd_sorting *s, int64_t line, const uint32_t *keys, int64_t from, int64_t to);

/* Does any of the keys stand for elements that differ? */
bool hd_sort_any_made_one(const hd_sort_key *k, const uint32_t *keys, int64_t n);
/* What was made one, as it came: zeros by their signs, NaNs. Sorted keys hold each kind together. */
void hd_sort_restore_alone(const hd_sorting *s, int64_t line, const uint32_t *keys);

#endif
