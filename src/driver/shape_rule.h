/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of a general program: what each number and constant of a form is, given the dims of the form's arguments. */
#ifndef HD_DRIVER_SHAPE_RULE_H_
#define HD_DRIVER_SHAPE_RULE_H_

#include "driver/shape_form.h"

enum { HD_SHAPE_FACTORS = 3, HD_MAX_SHAPE_SYMBOLS = 64 };

/* multiple * floor((scale * product of factors + shift) / divisor) + sign * term + offset, where what is divided is not
 * negative: Python's quotients and remainders of sizes, rounded down or up. */
typedef struct hd_shape_expression {
  int64_t scale, shift, divisor, multiple, offset;
  uint32_t factor_count;
  uint32_t factors[HD_SHAPE_FACTORS];
  uint32_t term; /* symbol + 1, 0: none */
  int32_t sign;  /* of the term; 0 without one. No padding: expressions are compared as bytes */
} hd_shape_expression;
_Static_assert(sizeof(hd_shape_expression) == 64, "no padding");

static inline hd_shape_expression hd_shape_number(int64_t value) {
  return (hd_shape_expression){.scale = value, .divisor = 1, .multiple = 1};
}

static inline hd_shape_expression hd_shape_multiple(int64_t scale, uint32_t symbol) {
  return (hd_shape_expression){.scale = scale, .divisor = 1, .multiple = 1, .factor_count = 1, .factors = {symbol}};
}

/* The expression rounds: then its number is a symbol of its own, so that products of it are found. */
static inline bool hd_shape_rounds(const hd_shape_expression *e) {
  return e->divisor != 1 && (e->shift || e->multiple != 1 || e->factor_count == 1);
}

typedef enum hd_number_kind {
  HD_NUMBER_FREE,     /* follows from the operands of its op */
  HD_NUMBER_CONSTANT, /* |value| in every form */
  HD_NUMBER_COMPUTED, /* |expr| */
} hd_number_kind;

typedef struct hd_number_rule {
  hd_number_kind kind;
  int64_t value;
  hd_shape_expression expr;
} hd_number_rule;

typedef enum hd_constant_kind {
  HD_CONSTANT_FIXED,    /* |content| in every form */
  HD_CONSTANT_COMPUTED, /* |expr|, in every element */
  HD_CONSTANT_FED,      /* whatever it is: a further input of the program */
  HD_CONSTANT_EQUAL,    /* what constant |other|, which is lifted, is */
} hd_constant_kind;

typedef struct hd_constant_rule {
  hd_constant_kind kind;
  bool splat; /* fixed and lifted: one element that stands for all, in every form */
  hd_hash128 content;
  hd_shape_expression expr;
  size_t other;
} hd_constant_rule;

struct hd_shape_rule {
  hd_hash128 family;
  size_t number_count, symbol_count, constant_count, lifted_count;
  hd_constant_rule *constants;
  size_t *lifted;  /* the constants that are inputs, in the inputs' order */
  size_t *symbols; /* per symbol: the number that it is, of the arguments' dims first */
  hd_number_rule *numbers;
};

/* The forms that are to be explained, and their symbols' values. */
typedef struct hd_shape_samples {
  const hd_shape_form *const *forms;
  size_t count, symbol_count;
  int64_t **symbols; /* per form, with room for HD_MAX_SHAPE_SYMBOLS */
} hd_shape_samples;

/* The simplest expression over symbols that gives number |number| of every form; false when there is none. */
bool hd_shape_explain(const hd_shape_samples *samples, size_t number, hd_shape_expression *out);
/* For a number that has to be computed: one that rounds is tried too. Few samples have many of these, and a wrong one
 * costs a compilation, where a constant that nothing explains is an input and fits every form. */
bool hd_shape_explain_size(const hd_shape_samples *samples, size_t number, hd_shape_expression *out);
/* Constants |a| and |b| of one form have the same dims and contents. */
bool hd_form_constants_equal(const hd_shape_form *form, size_t a, size_t b);

#endif
