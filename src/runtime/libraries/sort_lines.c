/* SPDX-License-Identifier: Apache-2.0 */
/* From elements to entries and back. */
#include "runtime/libraries/sort_lines.h"

/* Entries of elements of T at |in|, |step| apart, that begin with element |from|. */
#define LOAD(T)                                                                                                   \
  static void load_##T(const hd_sorting *s, const hd_sort_key *given, const char *in, int64_t step, int64_t from, \
                       int64_t count, void *entries) {                                                            \
    hd_sort_key k = *given;                                                                                       \
    if (s->alone) {                                                                                               \
      for (int64_t i = 0; i < count; ++i)                                                                         \
        ((uint32_t *)entries)[i] = hd_sort_key_32((uint32_t)*(const T *)(const void *)(in + i * step), &k);       \
      return;                                                                                                     \
    }                                                                                                             \
    for (int64_t i = 0; i < count && s->wide; ++i)                                                                \
      hd_sort_put_entry(s, entries, i, hd_sort_key_64(*(const T *)(const void *)(in + i * step), &k), from + i);  \
    if (s->wide) return;                                                                                          \
    for (int64_t i = 0; i < count; ++i) {                                                                         \
      uint32_t key = hd_sort_key_32((uint32_t)*(const T *)(const void *)(in + i * step), &k);                     \
      ((uint64_t *)entries)[i] = (uint64_t)key << 32 | (uint32_t)(from + i);                                      \
    }                                                                                                             \
  }
LOAD(uint8_t)
LOAD(uint16_t)
LOAD(uint32_t)
LOAD(uint64_t)

void hd_sort_load(const hd_sorting *s, int64_t k, int64_t line, void *entries, int64_t from, int64_t to) {
  hd_sort_operand o = hd_sort_operand_at(s, s->first_key[k]);
  if (o.positions) {
    for (int64_t i = from; i < to; ++i) hd_sort_put_entry(s, entries, i - from, hd_sort_key_at(s, k, line, i), i);
    return;
  }
  const char *in = hd_sort_element_at(s, &o, line, from);
  int64_t step = s->inner * o.bytes;
  switch (o.bytes) {
    case 1:
      load_uint8_t(s, &s->key[k], in, step, from, to - from, entries);
      break;
    case 2:
      load_uint16_t(s, &s->key[k], in, step, from, to - from, entries);
      break;
    case 4:
      load_uint32_t(s, &s->key[k], in, step, from, to - from, entries);
      break;
    default:
      load_uint64_t(s, &s->key[k], in, step, from, to - from, entries);
  }
}

void hd_sort_take(const hd_sorting *s, int64_t line, const void *entries, int64_t from, int64_t to) {
  for (int64_t k = 0; k < s->operands; ++k) {
    hd_sort_operand o = hd_sort_operand_at(s, k);
    if (!o.out) continue;
    char *out = o.out + hd_sort_place(s, line, 0) * o.bytes;
    const char *in = o.positions ? NULL : hd_sort_element_at(s, &o, line, 0);
    int64_t step = s->inner * o.bytes;
    if (o.bytes == 4 && !s->wide) {
      const uint64_t *narrow = entries;
      for (int64_t i = from; i < to; ++i) {
        int64_t p = (uint32_t)narrow[i];
        *(uint32_t *)(void *)(out + i * step) =
            o.positions ? (uint32_t)p : *(const uint32_t *)(const void *)(in + p * step);
      }
      continue;
    }
    for (int64_t i = from; i < to; ++i) {
      int64_t p = hd_sort_position(s, entries, i);
      hd_sort_store(out + i * step, o.bytes, o.positions ? (uint64_t)p : hd_sort_raw(in + p * step, o.bytes));
    }
  }
}

/* Elements whose keys are equal and which differ: rewritten in the order of the line, from |at| on. */
static void rewrite(const hd_sorting *s, int64_t line, int64_t at, bool zeros) {
  hd_sort_operand o = hd_sort_operand_at(s, 0);
  const hd_sort_key *k = &s->key[0];
  for (int64_t i = 0; i < s->n; ++i) {
    uint64_t x = hd_sort_raw(hd_sort_element_at(s, &o, line, i), o.bytes), magnitude = x & ~k->sign;
    if (zeros ? magnitude == 0 : magnitude > k->infinity)
      hd_sort_store(o.out + hd_sort_place(s, line, at++) * o.bytes, o.bytes, x);
  }
}

void hd_sort_take_alone(const hd_sorting *s, int64_t line, const uint32_t *keys, int64_t from, int64_t to) {
  hd_sort_operand o = hd_sort_operand_at(s, 0);
  hd_sort_key k = s->key[0];
  if (!o.out) return;
  char *out = o.out + hd_sort_place(s, line, 0) * o.bytes;
  if (o.bytes == 4 && s->inner == 1) {
    for (int64_t i = from; i < to; ++i) ((uint32_t *)(void *)out)[i] = (uint32_t)hd_sort_element(keys[i], &k);
    return;
  }
  for (int64_t i = from; i < to; ++i)
    hd_sort_store(out + i * s->inner * o.bytes, o.bytes, hd_sort_element(keys[i], &k));
}

/* The first place in |keys| with |key| or more. */
static int64_t first_of(const uint32_t *keys, int64_t n, uint64_t key) {
  int64_t low = 0;
  while (low < n) {
    int64_t middle = low + (n - low) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}

void hd_sort_restore_alone(const hd_sorting *s, int64_t line, const uint32_t *keys) {
  const hd_sort_key *k = &s->key[0];
  uint64_t zero = hd_sort_key_64(0, k), nan = hd_sort_key_64(k->mask & ~k->sign, k);
  int64_t zeros = k->no_zeros ? s->n : first_of(keys, s->n, zero), nans = k->nans ? first_of(keys, s->n, nan) : s->n;
  if (!hd_sort_operand_at(s, 0).out) return;
  if (zeros < s->n && keys[zeros] == zero) rewrite(s, line, zeros, true);
  if (nans < s->n && keys[nans] == nan) rewrite(s, line, nans, false);
}

bool hd_sort_any_made_one(const hd_sort_key *k, const uint32_t *keys, int64_t n) {
  if (k->no_zeros && !k->nans) return false;
  uint32_t zero = hd_sort_key_32(0, k), nan = hd_sort_key_32((uint32_t)(k->mask & ~k->sign), k), any = 0;
  for (int64_t i = 0; i < n; ++i) any |= (uint32_t)(keys[i] == zero) | (uint32_t)(keys[i] == nan);
  return any;
}
