/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/lapack_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

int64_t hd_lapack_attribute(const hd_custom_call *call, const char *name, int64_t otherwise) {
  const uint8_t *at = call->attributes, *end = at + call->attribute_bytes;
  uint32_t count, length;
  if (call->attribute_bytes < 4) return otherwise;
  memcpy(&count, at, 4);
  at += 4;
  for (uint32_t i = 0; i < count && end - at >= 5; ++i) {
    memcpy(&length, at, 4);
    at += 4;
    if (length > (size_t)(end - at) || (size_t)(end - at) - length < 2) return otherwise;
    bool same = strlen(name) == length && !memcmp(at, name, length);
    at += length;
    if (*at++ != HD_CUSTOM_SCALAR) return otherwise;
    size_t bytes = hd_element_bytes((hd_element_type)*at++);
    int64_t value = 0;
    if (!bytes || bytes > 8 || bytes > (size_t)(end - at)) return otherwise;
    memcpy(&value, at, bytes);
    at += bytes;
    if (same) return value;
  }
  return otherwise;
}

/* Word |i| of |words|, up to a space or the end; null when there are fewer. */
static const char *word_at(const char *words, size_t i, size_t *out_size) {
  while (*words) {
    *out_size = strcspn(words, " ");
    if (!i--) return words;
    words += *out_size;
    words += *words == ' ';
  }
  return NULL;
}

/* One tensor of a row. */
typedef struct shape {
  char element; /* r, c, i, or 0 for the routine's own */
  const char *dims;
  int rank;
} shape;

static bool shape_at(const char *tensors, size_t i, shape *out) {
  size_t size;
  const char *word = word_at(tensors, i, &size);
  if (!word) return false;
  bool named = size > 1 && word[1] == ':';
  *out = (shape){named ? word[0] : 0, word + (named ? 2 : 0), (int)(size - (named ? 2 : 0))};
  return true;
}

int hd_lapack_rank(const char *tensors, size_t i) {
  shape s;
  return shape_at(tensors, i, &s) ? s.rank : -1;
}

static hd_element_type element_of(char letter, char kind) {
  bool wide = letter == 'd' || letter == 'z', is_complex = letter == 'c' || letter == 'z';
  if (kind == 'i') return HD_ELEMENT_I32;
  if (kind == 'c' || (!kind && is_complex)) return wide ? HD_ELEMENT_C128 : HD_ELEMENT_C64;
  return wide ? HD_ELEMENT_F64 : HD_ELEMENT_F32;
}

/* One call against its row. */
typedef struct checker {
  const char *target;
  char letter;
  const hd_custom_call *call;
  int64_t sizes[128]; /* of letters; -1: not known */
} checker;

static bool follows(char letter) { return strchr("kjsuvwy", letter) != NULL; }

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* What follows from other letters; -1: anything fits. */
static void derive(checker *c) {
  int64_t m = c->sizes['m'], n = c->sizes['n'], mode = hd_lapack_attribute(c->call, "mode", 'A');
  c->sizes['k'] = least(m, n);
  c->sizes['j'] = n > 0 ? n - 1 : 0;
  c->sizes['s'] = hd_lapack_attribute(c->call, "side", 'L') == 'L' ? m : n;
  c->sizes['u'] = mode == 'A' ? m : mode == 'S' ? c->sizes['k'] : -1;
  c->sizes['v'] = mode == 'A' ? n : mode == 'S' ? c->sizes['k'] : -1;
  c->sizes['w'] = n > 1 ? n : 1;
  c->sizes['y'] = least(hd_lapack_attribute(c->call, "low", 1), n);
}

/* Element type and rank of |t|, whose batch must be |*batch| once that is known. */
static hd_status check_tensor(const checker *c, const char *what, size_t i, const hd_custom_tensor *t, const shape *s,
                              int64_t *batch) {
  hd_element_type element = element_of(c->letter, s->element);
  int64_t product = 1;
  if (t->type != element)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: %s %zu: expected elements of %s, got %s", c->target, what, i,
                          hd_element_text(element), hd_element_text(t->type));
  if (t->rank < s->rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: %s %zu: expected rank %d or more, got %d", c->target, what, i,
                          s->rank, t->rank);
  for (int32_t d = 0; d < t->rank; ++d) {
    if (t->dims[d] < 0 || t->dims[d] > INT32_MAX)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: %s %zu: a dim of %lld is above what LAPACK takes", c->target,
                            what, i, (long long)t->dims[d]);
    if (d < t->rank - s->rank && __builtin_mul_overflow(product, t->dims[d], &product))
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: %s %zu: the number of matrices overflows", c->target, what, i);
  }
  if (*batch >= 0 && product != *batch)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: batches differ: %lld and %lld", c->target, (long long)*batch,
                          (long long)product);
  *batch = product;
  return HD_STATUS_OK;
}

/* Dims against their letters, which the first of each gives. */
static hd_status check_dims(checker *c, const char *what, size_t i, const hd_custom_tensor *t, const shape *s,
                            bool derived) {
  for (int d = 0; d < s->rank; ++d) {
    if (follows(s->dims[d]) != derived) continue;
    int64_t *size = &c->sizes[(int)s->dims[d]], got = t->dims[t->rank - s->rank + d];
    if (*size < 0 && !derived) *size = got;
    if (*size >= 0 && *size != got)
      return hd_make_status(HD_INVALID_ARGUMENT, "%s: %s %zu: expected dim %d of %lld, got %lld", c->target, what, i,
                            t->rank - s->rank + d, (long long)*size, (long long)got);
  }
  return HD_STATUS_OK;
}

/* A letter, a number or an attribute, up to |size|. */
static int64_t value_of(const checker *c, const char *text, size_t size) {
  if (size == 3 && !memcmp(text, "low", 3)) return hd_lapack_attribute(c->call, "low", 1);
  if (size == 4 && !memcmp(text, "high", 4)) return hd_lapack_attribute(c->call, "high", c->sizes['n']);
  return *text >= '0' && *text <= '9' ? strtoll(text, NULL, 10) : c->sizes[(int)*text];
}

static hd_status check_rule(const checker *c, const char *rule, size_t size) {
  const char *sign = memchr(rule, '=', size), *end = rule + size;
  if (sign[-1] == '>') {
    int64_t lhs = value_of(c, rule, (size_t)(sign - 1 - rule)), rhs = value_of(c, sign + 1, (size_t)(end - sign - 1));
    return lhs >= rhs ? HD_STATUS_OK
                      : hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %.*s, got %lld and %lld", c->target,
                                       (int)size, rule, (long long)lhs, (long long)rhs);
  }
  char name[16] = {0};
  memcpy(name, rule, (size_t)(sign - rule));
  int64_t value = hd_lapack_attribute(c->call, name, sign[1]);
  for (const char *each = sign + 1; each < end; ++each)
    if (value == *each) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: attribute '%s': expected a letter of %.*s, got %lld", c->target, name,
                        (int)(end - sign - 1), sign + 1, (long long)value);
}

hd_status hd_lapack_check(const char *target, char letter, const char *ins, const char *outs, const char *rules,
                          const hd_custom_call *call, int64_t *out_batch) {
  checker c = {.target = target, .letter = letter, .call = call};
  memset(c.sizes, -1, sizeof c.sizes);
  size_t wanted[2] = {0}, got[2] = {(size_t)call->input_count, (size_t)call->output_count}, size;
  const char *words[2] = {ins, outs}, *whats[2] = {"input", "output"};
  const hd_custom_tensor *tensors[2] = {call->inputs, call->outputs};
  while (word_at(ins, wanted[0], &size)) ++wanted[0];
  while (word_at(outs, wanted[1], &size)) ++wanted[1];
  if (wanted[0] != got[0] || wanted[1] != got[1])
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %zu inputs and %zu outputs, got %zu and %zu", target,
                          wanted[0], wanted[1], got[0], got[1]);
  shape s;
  *out_batch = -1;
  for (int k = 0; k < 2; ++k)
    for (size_t i = 0; shape_at(words[k], i, &s); ++i) {
      HD_TRY(check_tensor(&c, whats[k], i, &tensors[k][i], &s, out_batch));
      HD_TRY(check_dims(&c, whats[k], i, &tensors[k][i], &s, false));
    }
  derive(&c);
  for (int k = 0; k < 2; ++k)
    for (size_t i = 0; shape_at(words[k], i, &s); ++i) HD_TRY(check_dims(&c, whats[k], i, &tensors[k][i], &s, true));
  const char *rule;
  for (size_t i = 0; (rule = word_at(rules, i, &size)); ++i) HD_TRY(check_rule(&c, rule, size));
  return HD_STATUS_OK;
}
