/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions: for each op, once, what sizes its results have and what must hold of its operands' sizes.
 *
 * A shape function computes with extents (sizes of dims, and numbers that sizes follow from) without knowing what they
 * are. A domain says that:
 *   numbers    of types (number_domain.c): known, bounded or unknown. Results are types; a requirement that numbers
 *              break is an error at the op's location.
 *   symbols    of the shape analysis (shape/infer.c): expressions over the dims of a function's arguments. Results are
 *              facts; a requirement that is not proven becomes a guard, which the run checks.
 * So a program that contradicts itself is refused with the words in which the run would refuse it.
 *
 * The row of an op names its shape function (HOOKS(SHAPE(slice))). It returns false when the result types do
 * not follow from what is there, and must set every result otherwise. Errors are sticky: after one, requirements and
 * results are ignored and the caller sees a failure, so that only errors before an index is used need a return.
 * Thread-compatible. */
#ifndef HD_IR_SHAPES_SHAPE_FUNCTION_H_
#define HD_IR_SHAPES_SHAPE_FUNCTION_H_

#include "ir/infer.h"
#include "ir/shapes/requirement.h"

typedef struct hd_shape_context hd_shape_context;

/* Lent by the context's domain; copied freely. */
typedef struct hd_extent {
  union {
    struct {
      int64_t number, bound; /* HD_DYNAMIC where not known */
    };
    const void *expression; /* of the symbols: null where not known */
  };
  bool overflow; /* of the numbers: larger than 64 bits */
  hd_shape_place place;
} hd_extent;

typedef struct hd_extents {
  uint32_t rank;
  hd_extent at[HD_MAX_RANK];
} hd_extents;

typedef enum hd_extent_operator {
  HD_EXTENT_ADD,
  HD_EXTENT_SUB,
  HD_EXTENT_MUL,
  HD_EXTENT_FLOORDIV, /* unknown unless the divisor is 1 or more */
  HD_EXTENT_CEILDIV,
  HD_EXTENT_MOD,
  HD_EXTENT_MIN,
  HD_EXTENT_MAX,
  HD_EXTENT_MEET,      /* of two that are required to be equal, the one that says more */
  HD_EXTENT_BROADCAST, /* of two of which one may be 1, the other; unknown where only the run tells */
} hd_extent_operator;

typedef struct hd_extent_domain {
  bool at_run_time; /* what is not known has a value when the program runs, and requirements are checked then */
  hd_extent (*number)(hd_shape_context *, int64_t);
  hd_extent (*unknown)(hd_shape_context *);
  hd_extent (*dim)(hd_shape_context *, uint32_t operand, uint32_t d);
  hd_extent (*element)(hd_shape_context *, uint32_t operand, uint32_t i);
  hd_extent (*result_dim)(hd_shape_context *, uint32_t result, uint32_t d);
  hd_extent (*count)(hd_shape_context *, int32_t operand); /* of elements; -1: of the result */
  hd_extent (*combine)(hd_shape_context *, hd_extent_operator, hd_extent, hd_extent);
  bool (*known)(hd_shape_context *, hd_extent, int64_t *out);
  void (*require)(hd_shape_context *, hd_shape_relation, hd_extent lhs, hd_extent rhs);
  void (*result)(hd_shape_context *, uint32_t result, hd_type element, const hd_extents *);
} hd_extent_domain;

struct hd_shape_context {
  const hd_op_state *state;
  const hd_extent_domain *domain;
  void *user;   /* of the domain */
  hd_type *out; /* of the numbers: the result types; else null */
  int bounds;   /* of the numbers: the row in which operands write bounds, 0 for none */
  bool failed;  /* an error was reported */
};

/* Runs the row's shape function over the numbers of types. |out| has room for the results. False, with or without an
 * error, when they do not follow. */
bool hd_shape_function_types(const hd_op_state *state, hd_type *out);

static inline hd_extent hd_extent_number(hd_shape_context *c, int64_t n) { return c->domain->number(c, n); }
static inline hd_extent hd_extent_unknown(hd_shape_context *c) { return c->domain->unknown(c); }
/* Dim |d| of an operand whose rank is known to be larger. */
static inline hd_extent hd_extent_dim(hd_shape_context *c, uint32_t operand, uint32_t d) {
  return c->domain->dim(c, operand, d);
}
/* Element |i| of an integer operand of rank 0 or 1. */
static inline hd_extent hd_extent_element(hd_shape_context *c, uint32_t operand, uint32_t i) {
  return c->domain->element(c, operand, i);
}
/* Dim |d| of a result that was set: what the program declares, where it does. */
static inline hd_extent hd_extent_result_dim(hd_shape_context *c, uint32_t result, uint32_t d) {
  return c->domain->result_dim(c, result, d);
}
static inline hd_extent hd_extent_count(hd_shape_context *c, int32_t operand) { return c->domain->count(c, operand); }
static inline bool hd_extent_known(hd_shape_context *c, hd_extent e, int64_t *out) {
  return c->domain->known(c, e, out);
}
/* |e| as "|what| |dim| of operand |operand|" in messages. */
static inline hd_extent hd_extent_named(hd_extent e, const char *what, uint32_t operand, uint32_t dim) {
  e.place = (hd_shape_place){what, (int32_t)operand, dim};
  return e;
}

#define HD_EXTENT_FUNCTION(name, OPERATOR)                                                  \
  static inline hd_extent hd_extent_##name(hd_shape_context *c, hd_extent a, hd_extent b) { \
    return c->domain->combine(c, HD_EXTENT_##OPERATOR, a, b);                               \
  }
HD_EXTENT_FUNCTION(add, ADD)
HD_EXTENT_FUNCTION(sub, SUB)
HD_EXTENT_FUNCTION(mul, MUL)
HD_EXTENT_FUNCTION(floordiv, FLOORDIV)
HD_EXTENT_FUNCTION(ceildiv, CEILDIV)
HD_EXTENT_FUNCTION(mod, MOD)
HD_EXTENT_FUNCTION(min, MIN)
HD_EXTENT_FUNCTION(max, MAX)
HD_EXTENT_FUNCTION(meet, MEET)
HD_EXTENT_FUNCTION(broadcast, BROADCAST)
#undef HD_EXTENT_FUNCTION

static inline void hd_require(hd_shape_context *c, hd_shape_relation relation, hd_extent a, hd_extent b) {
  if (!c->failed) c->domain->require(c, relation, a, b);
}
static inline void hd_require_equal(hd_shape_context *c, hd_extent a, hd_extent b) {
  hd_require(c, HD_SHAPE_EQUAL, a, b);
}
static inline void hd_require_at_most(hd_shape_context *c, hd_extent a, hd_extent b) {
  hd_require(c, HD_SHAPE_AT_MOST, a, b);
}
static inline void hd_require_at_least(hd_shape_context *c, hd_extent a, int64_t least) {
  hd_require(c, HD_SHAPE_AT_MOST, hd_extent_number(c, least), a);
}
/* Of numbers alone: the run needs no check, since the op is defined without or another requirement implies it. */
static inline void hd_expect(hd_shape_context *c, hd_shape_relation relation, hd_extent a, hd_extent b) {
  if (!c->domain->at_run_time) hd_require(c, relation, a, b);
}

/* "'name' op <text>", unless the op was verified before; always false. */
bool hd_shape_error(hd_shape_context *c, const char *format, ...) HD_PRINTF(2, 3);

/* The dims of an operand. False (without an error) for unranked ones, and with one for a rank above HD_MAX_RANK. */
bool hd_extents_of(hd_shape_context *c, uint32_t operand, hd_extents *out);
hd_extents hd_extents_unknown(hd_shape_context *c, uint32_t rank);
/* The one shape of operands [first, end); |out->rank| is UINT32_MAX when none of them is ranked. |what|: "operands". */
bool hd_extents_meet_operands(hd_shape_context *c, const char *what, uint32_t first, uint32_t end, hd_extents *out);
/* Meets |out| with operand |operand|, which must have its rank, or is unranked, or a scalar where those may stand for
 * any shape. */
bool hd_extents_meet_operand(hd_shape_context *c, uint32_t operand, bool scalars, hd_extents *out);

static inline void hd_shape_result(hd_shape_context *c, uint32_t result, hd_type element, const hd_extents *shape) {
  if (!c->failed) c->domain->result(c, result, element, shape);
}
/* Result |result| has the shape and encoding of operand |operand|, in |element| (null: the operand's). */
void hd_shape_result_like(hd_shape_context *c, uint32_t result, uint32_t operand, hd_type element);
/* Nothing is known of the result but its element type. Always true. */
bool hd_shape_result_unranked(hd_shape_context *c, uint32_t result, hd_type element);
/* The result's shape is what the program declares; false where it declares none. */
bool hd_shape_result_declared(hd_shape_context *c, uint32_t result, hd_type element);

static inline hd_type hd_shape_element_type(const hd_shape_context *c, uint32_t operand) {
  return hd_type_element(hd_state_type(c->state, operand));
}
static inline bool hd_shape_is_ranked(const hd_shape_context *c, uint32_t operand) {
  return hd_is_ranked(hd_state_type(c->state, operand));
}
static inline uint32_t hd_shape_rank_of(const hd_shape_context *c, uint32_t operand) {
  return hd_state_type(c->state, operand)->shaped.rank;
}
/* Operands [first, end) are scalars, where ranks are known; "expects scalar <what>, got rank 1". */
bool hd_shape_check_scalars(hd_shape_context *c, const char *what, uint32_t first, uint32_t end);

/* size + low + high, with |interior| between two elements. */
hd_extent hd_extent_padded(hd_shape_context *c, hd_extent size, hd_extent low, hd_extent high, hd_extent interior);

/* How a window of |size| moves over one dim. */
typedef struct hd_window_numbers {
  int64_t stride, base_dilation, window_dilation;
} hd_window_numbers;
/* The number of windows over one dim. */
hd_extent hd_extent_windows(hd_shape_context *c, hd_extent base, hd_extent window, hd_extent low, hd_extent high,
                            hd_window_numbers n);

#endif
