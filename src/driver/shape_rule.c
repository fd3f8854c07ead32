/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/shape_rule.h"

#include <stdlib.h>
#include <string.h>

static bool evaluate(const hd_shape_expression *e, const int64_t *symbols, int64_t *out) {
  int64_t value = e->scale;
  for (uint32_t i = 0; i < e->factor_count; ++i)
    if (__builtin_mul_overflow(value, symbols[e->factors[i]], &value)) return false;
  if (__builtin_add_overflow(value, e->shift, &value)) return false;
  if (e->divisor != 1 && value < 0) return false;
  if (__builtin_mul_overflow(value / e->divisor, e->multiple, &value)) return false;
  if (e->term && __builtin_add_overflow(value, e->sign * symbols[e->term - 1], &value)) return false;
  if (__builtin_add_overflow(value, e->offset, &value)) return false;
  *out = value;
  return value != HD_NOT_WHOLE;
}

static int64_t sample(const hd_shape_samples *s, size_t form, size_t number) { return s->forms[form]->numbers[number]; }

static bool explains(const hd_shape_samples *s, size_t number, const hd_shape_expression *e) {
  for (size_t i = 0; i < s->count; ++i) {
    int64_t value;
    if (!evaluate(e, s->symbols[i], &value) || value != sample(s, i, number)) return false;
  }
  return true;
}

/* The product with a factor or divisor that makes it fit the first form; true when it fits all. */
static bool scaled(const hd_shape_samples *s, size_t number, hd_shape_expression e, hd_shape_expression *out) {
  int64_t product, want = sample(s, 0, number);
  e.scale = e.divisor = e.multiple = 1;
  if (!evaluate(&e, s->symbols[0], &product) || product <= 0 || want <= 0) return false;
  if (want % product == 0)
    e.scale = want / product;
  else if (product % want == 0)
    e.divisor = product / want;
  else
    return false;
  *out = e;
  return explains(s, number, &e);
}

/* Beyond these nothing is looked for. */
enum { MAX_DIVISOR = 1024, SHIFTS = 3, MAX_SIZE = INT32_MAX };

/* Of the shifts with which floor((a + shift) / divisor) * multiple + sign * a gives the number in all samples,
 * the |kind|th: none, what rounds up, any. */
static bool shifted(const hd_shape_samples *s, size_t number, uint32_t a, int kind, hd_shape_expression *e) {
  int64_t low = -MAX_SIZE, high = MAX_SIZE;
  for (size_t i = 0; i < s->count; ++i) {
    int64_t dim = s->symbols[i][a], rest = sample(s, i, number) - e->sign * dim;
    if (rest % e->multiple || rest / e->multiple < 0) return false;
    int64_t first = rest / e->multiple * e->divisor - dim;
    low = low < first ? first : low;
    low = low < -dim ? -dim : low;
    high = high > first + e->divisor - 1 ? first + e->divisor - 1 : high;
  }
  int64_t up = e->divisor - 1;
  e->shift = kind == 0 ? 0 : kind == 1 ? up : low > 0 ? low : high < 0 ? high : 0;
  return low <= e->shift && e->shift <= high;
}

/* A symbol's quotient, rounded down or up or as a window's places are counted; that times the divisor, which is the
 * next multiple; what the symbol has above it, or lacks to it. */
static bool rounded(const hd_shape_samples *s, size_t number, hd_shape_expression *out) {
  for (size_t i = 0; i < s->count; ++i)
    if (sample(s, i, number) < 0 || sample(s, i, number) > MAX_SIZE) return false;
  for (int kind = 0; kind < SHIFTS; ++kind)
    for (uint32_t a = 0; a < s->symbol_count; ++a)
      for (int64_t divisor = 2; divisor <= MAX_DIVISOR; ++divisor)
        for (int form = 0; form < 4; ++form) {
          static const struct {
            int32_t sign;
            int64_t once, each;
          } forms[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, -1}, {-1, 0, 1}};
          *out = hd_shape_multiple(1, a);
          out->divisor = divisor;
          out->multiple = forms[form].once + forms[form].each * divisor;
          out->sign = forms[form].sign;
          out->term = out->sign ? a + 1 : 0;
          if (shifted(s, number, a, kind, out) && explains(s, number, out)) return true;
        }
  return false;
}

/* In order: a symbol, its multiples and parts, products, a symbol and a constant, sums, k * s + c, where k may be
 * negative: what is left of a table beside s rows of it. */
bool hd_shape_explain(const hd_shape_samples *s, size_t number, hd_shape_expression *out) {
  uint32_t n = (uint32_t)s->symbol_count;
  for (uint32_t a = 0; a < n; ++a) {
    *out = hd_shape_multiple(1, a);
    if (explains(s, number, out)) return true;
  }
  for (uint32_t a = 0; a < n; ++a)
    if (scaled(s, number, (hd_shape_expression){.factor_count = 1, .factors = {a}}, out)) return true;
  for (uint32_t a = 0; a < n; ++a)
    for (uint32_t b = a; b < n; ++b)
      if (scaled(s, number, (hd_shape_expression){.factor_count = 2, .factors = {a, b}}, out)) return true;
  for (uint32_t a = 0; a < n && n <= 8; ++a)
    for (uint32_t b = a; b < n; ++b)
      for (uint32_t c = b; c < n; ++c)
        if (scaled(s, number, (hd_shape_expression){.factor_count = 3, .factors = {a, b, c}}, out)) return true;
  for (uint32_t a = 0; a < n; ++a) {
    *out = hd_shape_multiple(1, a);
    if (__builtin_sub_overflow(sample(s, 0, number), s->symbols[0][a], &out->offset)) continue;
    if (explains(s, number, out)) return true;
  }
  for (uint32_t a = 0; a < n; ++a)
    for (uint32_t b = a; b < n; ++b) {
      *out = hd_shape_multiple(1, a);
      out->term = b + 1;
      out->sign = 1;
      if (explains(s, number, out)) return true;
    }
  for (uint32_t a = 0; a < n; ++a) {
    size_t other = 1;
    while (other < s->count && s->symbols[other][a] == s->symbols[0][a]) ++other;
    if (other == s->count) continue;
    int64_t run = s->symbols[other][a] - s->symbols[0][a], rise, start;
    if (__builtin_sub_overflow(sample(s, other, number), sample(s, 0, number), &rise)) continue;
    if (!rise || rise == INT64_MIN || rise % run) continue;
    *out = hd_shape_multiple(rise / run, a);
    if (__builtin_mul_overflow(out->scale, s->symbols[0][a], &start) ||
        __builtin_sub_overflow(sample(s, 0, number), start, &out->offset))
      continue;
    if (explains(s, number, out)) return true;
  }
  return false;
}

bool hd_shape_explain_size(const hd_shape_samples *s, size_t number, hd_shape_expression *out) {
  return hd_shape_explain(s, number, out) || rounded(s, number, out);
}

void hd_shape_rule_release(hd_shape_rule *rule) {
  if (!rule) return;
  free(rule->symbols);
  free(rule->numbers);
  free(rule->constants);
  free(rule->lifted);
  free(rule);
}

size_t hd_shape_rule_symbols(const hd_shape_rule *rule) { return rule ? rule->symbol_count : 0; }

size_t hd_shape_rule_lifted(const hd_shape_rule *rule) { return rule ? rule->lifted_count : 0; }

static bool same_dims(const hd_shape_form *form, const hd_form_constant *a, const hd_form_constant *b) {
  return a->rank == b->rank &&
         (!a->rank || !memcmp(form->numbers + a->dims, form->numbers + b->dims, a->rank * sizeof *form->numbers));
}

bool hd_form_constants_equal(const hd_shape_form *form, size_t a, size_t b) {
  const hd_form_constant *one = &form->constants[a], *other = &form->constants[b];
  return one->splat == other->splat && hd_hash128_equal(&one->content, &other->content) && same_dims(form, one, other);
}

/* The general program has this constant at the form's dims. */
static bool admits_constant(const hd_shape_rule *rule, const hd_shape_form *form, size_t i, const int64_t *symbols) {
  const hd_constant_rule *r = &rule->constants[i];
  const hd_form_constant *c = &form->constants[i];
  int64_t value;
  if (r->kind == HD_CONSTANT_EQUAL) return hd_form_constants_equal(form, i, r->other);
  if (c->empty) return true;
  switch (r->kind) {
    case HD_CONSTANT_FIXED:
      return r->splat == c->splat && hd_hash128_equal(&r->content, &c->content);
    case HD_CONSTANT_COMPUTED:
      return evaluate(&r->expr, symbols, &value) && value == form->numbers[c->whole];
    default:
      return c->data && (c->splat || !r->splat);
  }
}

bool hd_shape_rule_admits(const hd_shape_rule *rule, const hd_shape_form *form) {
  int64_t symbols[HD_MAX_SHAPE_SYMBOLS];
  if (!rule || !form) return false;
  if (!hd_hash128_equal(&rule->family, &form->family) || rule->number_count != form->number_count ||
      rule->constant_count != form->constant_count)
    return false;
  if (rule->symbol_count > HD_MAX_SHAPE_SYMBOLS) return false;
  for (size_t i = 0; i < rule->symbol_count; ++i) symbols[i] = form->numbers[rule->symbols[i]];
  for (size_t i = 0; i < rule->number_count; ++i) {
    const hd_number_rule *n = &rule->numbers[i];
    int64_t value = n->value;
    if (n->kind == HD_NUMBER_FREE) continue;
    if (n->kind == HD_NUMBER_COMPUTED && !evaluate(&n->expr, symbols, &value)) return false;
    if (form->numbers[i] != value) return false;
  }
  for (size_t i = 0; i < rule->constant_count; ++i)
    if (!admits_constant(rule, form, i, symbols)) return false;
  return true;
}

hd_shape_constant hd_shape_rule_feeds(const hd_shape_rule *rule, const hd_shape_form *form, size_t i) {
  static const int64_t none[16]; /* an element where there are none */
  if (!rule || !form || i >= rule->lifted_count || rule->lifted[i] >= form->constant_count)
    return (hd_shape_constant){0};
  const hd_form_constant *c = &form->constants[rule->lifted[i]];
  bool splat = rule->constants[rule->lifted[i]].splat;
  if (splat && c->empty) return (hd_shape_constant){form->numbers, 0, none, sizeof none};
  return (hd_shape_constant){form->numbers + c->dims, splat ? 0 : c->rank, c->data, c->size};
}
