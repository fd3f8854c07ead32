/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's sort by plain merges of positions, comparing elements as the numbers that they are. The words are those
 * of sort_abi.h. */
#include <string.h>

#include "eval/machine/library_calls.h"
#include "runtime/libraries/sort_abi.h"

typedef struct sort_operand {
  const char *in; /* null: positions */
  char *out;      /* null: nobody reads it */
  int64_t bytes;
} sort_operand;

typedef struct sorting {
  hd_sort_descriptor descriptor;
  hd_sort_key_descriptor keys[HD_SORT_MOST_KEYS];
  sort_operand *operands;
  int64_t first; /* the first element of the line */
} sorting;

static uint64_t bits_at(const sorting *s, const sort_operand *o, int64_t i) {
  uint64_t bits = 0;
  if (!o->in) return (uint64_t)i;
  memcpy(&bits, o->in + (s->first + i * s->descriptor.inner) * o->bytes, (size_t)o->bytes);
  return bits;
}

/* A number in the order of the key; a float by the total order of its sign and magnitude. */
static __int128 number_of(uint64_t bits, int64_t kind, int64_t bytes) {
  uint64_t sign = 1ull << (8 * bytes - 1), magnitude = bits & (sign - 1);
  bool negative = (bits & sign) != 0;
  if (kind & HD_SORT_FLOAT) {
    uint64_t infinity = bytes == 8            ? 0x7ffull << 52
                        : bytes == 4          ? 0xffull << 23
                        : kind & HD_SORT_BF16 ? 0x7f80
                                              : 0x7c00;
    if (kind & HD_SORT_NANS && magnitude > infinity) return sign - 1;
    if (kind & HD_SORT_ZEROS && !magnitude) return 0;
    return negative ? -(__int128)magnitude - 1 : (__int128)magnitude;
  }
  if (kind & HD_SORT_SIGNED && negative) return (__int128)bits - 2 * (__int128)sign;
  return bits;
}

/* Is element |i| before element |j|? */
static bool is_before(const sorting *s, int64_t i, int64_t j) {
  for (int64_t k = 0; k < s->descriptor.keys; ++k) {
    const sort_operand *o = &s->operands[s->keys[k].operand];
    int64_t kind = s->keys[k].kind;
    __int128 a = number_of(bits_at(s, o, i), kind, o->bytes), b = number_of(bits_at(s, o, j), kind, o->bytes);
    if (a != b) return kind & HD_SORT_DESCENDING ? a > b : a < b;
  }
  return false;
}

/* Merges order[begin, middle) and order[middle, end): of equal elements the first one stays first. */
static void merge(const sorting *s, int64_t *order, int64_t *scratch, int64_t begin, int64_t middle, int64_t end) {
  for (int64_t i = begin, a = begin, b = middle; i < end; ++i)
    scratch[i] = a == middle || (b < end && is_before(s, order[b], order[a])) ? order[b++] : order[a++];
  memcpy(order + begin, scratch + begin, (size_t)(end - begin) * sizeof *order);
}

/* |order| and |scratch| have room for a line. */
static void sort_line(const sorting *s, int64_t *order, int64_t *scratch) {
  for (int64_t i = 0; i < s->descriptor.n; ++i) order[i] = i;
  for (int64_t width = 1; width < s->descriptor.n; width *= 2)
    for (int64_t begin = 0; begin < s->descriptor.n - width; begin += 2 * width)
      merge(s, order, scratch, begin, begin + width,
            s->descriptor.n - begin < 2 * width ? s->descriptor.n : begin + 2 * width);
  for (int64_t k = 0; k < s->descriptor.operands; ++k) {
    const sort_operand *o = &s->operands[k];
    for (int64_t i = 0; o->out && i < s->descriptor.front; ++i) {
      uint64_t bits = bits_at(s, o, order[i]);
      memcpy(o->out + (s->first + i * s->descriptor.inner) * o->bytes, &bits, (size_t)o->bytes);
    }
  }
}

static hd_status refuse(void) { return hd_make_status(HD_INVALID_ARGUMENT, "gives words that say nothing"); }

static hd_status read_operand(hd_eval_frame *frame, const hd_sort_operand_descriptor *row, int64_t elements,
                              sort_operand *out) {
  int64_t bytes = row->bytes;
  size_t size;
  if ((bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) || __builtin_mul_overflow(elements, bytes, &size))
    return refuse();
  *out = (sort_operand){.bytes = bytes};
  char *in = NULL;
  if (!row->positions) HD_TRY(hd_call_bytes(frame, (uint64_t)row->in, size, &in));
  out->in = in;
  return row->out ? hd_call_bytes_to(frame, (uint64_t)row->out, size, &out->out) : HD_STATUS_OK;
}

static hd_status read_words(hd_eval_frame *frame, const char *words, int64_t count, sorting *s) {
  int64_t elements;
  *s = (sorting){0};
  hd_sort_descriptor *f = &s->descriptor;
  memcpy(f, words, sizeof *f);
  if (f->keys < 1 || f->keys > HD_SORT_MOST_KEYS || f->operands < 1 || f->operands > count ||
      count != hd_sort_words(f) || f->outer < 0 || f->n < 0 || f->inner < 0 || f->front < 0 ||
      __builtin_mul_overflow(f->outer, f->n, &elements) || __builtin_mul_overflow(elements, f->inner, &elements))
    return refuse();
  words += sizeof *f;
  memcpy(s->keys, words, (size_t)f->keys * sizeof *s->keys);
  words += (size_t)f->keys * sizeof *s->keys;
  for (int64_t k = 0; k < f->keys; ++k)
    if (s->keys[k].operand < 0 || s->keys[k].operand >= f->operands) return refuse();
  HD_TRY(hd_eval_temp(frame, (size_t)f->operands, sizeof *s->operands, &s->operands));
  for (int64_t i = 0; i < f->operands; ++i, words += sizeof(hd_sort_operand_descriptor)) {
    hd_sort_operand_descriptor row;
    memcpy(&row, words, sizeof row);
    HD_TRY(read_operand(frame, &row, elements, &s->operands[i]));
  }
  if (f->front > f->n) f->front = f->n;
  return HD_STATUS_OK;
}

/* (words, word count) */
hd_status hd_call_sort(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)op, (void)out;
  int64_t count = hd_eval_int(&in[1]), *order, *scratch;
  char *at;
  sorting s;
  if (count < HD_WORDS(hd_sort_descriptor) || count > INT32_MAX) return refuse();
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[0]), (size_t)count * 8, &at));
  HD_TRY(read_words(frame, at, count, &s));
  HD_TRY(hd_eval_temp(frame, (size_t)s.descriptor.n + 1, sizeof *order, &order));
  HD_TRY(hd_eval_temp(frame, (size_t)s.descriptor.n + 1, sizeof *scratch, &scratch));
  for (int64_t line = 0; s.descriptor.n && line < s.descriptor.outer * s.descriptor.inner; ++line) {
    s.first = line / s.descriptor.inner * s.descriptor.n * s.descriptor.inner + line % s.descriptor.inner;
    sort_line(&s, order, scratch);
  }
  return HD_STATUS_OK;
}
