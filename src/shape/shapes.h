/* SPDX-License-Identifier: Apache-2.0 */
/* The symbolic-shape analysis: for every value of a function its dims, and for small integer tensors and index values
 * their elements, as symbolic expressions over the function's symbols. It serves the graph level (tensors), the buffer
 * level (memrefs, whose dims are the operands of their alloc) and host arithmetic alike.
 *
 * What holds only if the program is right (two operands of an elementwise op are equal, a slice ends inside) is
 * recorded as a guard. Guards over the arguments' dims are checked by the entry before anything is computed, others by
 * the host at their op. Equalities of guards are assumed, except those of ops that may not run. Equalities and bounds
 * that the program asserts itself (custom_call @shape_assertion) are assumed too: assertions run first.
 * Thread-compatible. */
#ifndef HD_SHAPE_SHAPES_H_
#define HD_SHAPE_SHAPES_H_

#include "ir/builder.h"
#include "ir/shapes/requirement.h"
#include "shape/dim.h"

/* Where the value of a symbol comes from at run time. */
typedef enum hd_symbol_kind {
  HD_SYMBOL_DIM,      /* dim |index| of |value|, an argument or a result whose size only the run tells */
  HD_SYMBOL_ELEMENT,  /* element |index| (row major) of the integer tensor or memref |value| */
  HD_SYMBOL_QUOTIENT, /* (dim |index| of |value| + offset) / divisor, which is known to leave no remainder */
} hd_symbol_kind;

typedef struct hd_symbol_origin {
  hd_symbol_kind kind;
  hd_value *value;
  uint32_t index;
  int64_t offset, divisor; /* of a quotient */
} hd_symbol_origin;

typedef struct hd_value_shape {
  uint32_t rank;
  hd_dim *dims;           /* never null */
  uint32_t element_count; /* 0: not followed */
  hd_dim *elements;       /* null entries: unknown */
} hd_value_shape;

/* What must hold at run time for |op| to make sense, as expressions from before it was assumed. A side that no
 * expression can hold is null and the element count of |counted|. */
typedef struct hd_shape_guard {
  hd_shape_relation relation;
  hd_dim lhs, rhs;
  hd_op *op;
  hd_shape_place lhs_is, rhs_is;
  hd_value *counted[2];
  const char *says; /* the program's own message, null: none */
  bool conditional; /* |op| runs only sometimes: in a branch, a loop or a region on elements */
  hd_op *around;    /* the outermost op whose region on elements |op| is in; null: none */
  hd_value *each;   /* that region runs for elements of this; without any it does not run */
} hd_shape_guard;

/* What the program asserted itself, as expressions over what was known before it: the assertion's own equality is not
 * put in yet. */
typedef struct hd_shape_assertion {
  hd_op *op;
  hd_dim lhs, rhs; /* of an equality that is not proven; else null */
  hd_dim *values;  /* elements of the operands after the condition; null entries: unknown */
} hd_shape_assertion;

/* |value| must be in [lower, upper], the range of a type of 32 bits that |op| computes it in, because shapes use it.
 */
typedef struct hd_shape_fit {
  hd_dim value;
  int64_t lower, upper;
  hd_op *op;
} hd_shape_fit;

typedef struct hd_shapes {
  hd_arena *arena;
  hd_context *context;
  hd_op *func;
  hd_dim_table table;
  hd_map values; /* hd_value -> hd_value_shape */
  hd_vec(hd_shape_guard) guards;
  hd_map guarded;                        /* those that are not conditional, once each */
  hd_map demanding;                      /* the ops of guards, once asked for */
  uint32_t conditional;                  /* how many branches, loops and regions on elements the walk is in */
  hd_op *around;                         /* the outermost op of the last; null: in none */
  hd_vec(hd_shape_assertion) assertions; /* in the program's order */
  hd_vec(hd_shape_fit) fits;             /* expressions over dims of arguments alone; the host checks them */
  hd_map fitted, walked, wrapping;       /* of fits.c */
  uint32_t unnamed;                      /* d0, d1, ... */
  hd_map names;                          /* of symbols */
  bool raw;                              /* materialising symbols as they come */
} hd_shapes;

/* Analyses |func| (func.func with a body). All memory is |arena|'s, which must outlive the analysis. */
hd_shapes *hd_shapes_of(hd_op *func, hd_arena *arena);
/* What |op| of |func| demands of its operands' dims, as guards, from the types of its operands alone: dims that no type
 * tells are symbols of their own. For passes that replace |op| by ops that demand less. */
hd_shapes *hd_shapes_of_constraints(hd_op *func, hd_op *op, hd_arena *arena);

/* May |op|, or what is in its regions, fail where it runs, by what it demands of its operands' dims? Of what only the
 * ops that it becomes tell, known dims alone are sure. For passes that run ops where the program would not. */
bool hd_shapes_may_fail(hd_shapes *shapes, hd_op *op);

/* Does it follow from what is known (but for equalities that guards themselves are about)? */
bool hd_shapes_guard_is_proven(hd_shapes *shapes, const hd_shape_guard *guard);
/* Is it about the arguments' dims and always meant, so that the entry checks it? */
bool hd_shapes_guard_is_early(const hd_shape_guard *guard);
/* "file:2:8: stablehlo.slice: limit of dim 0 is {0}, expected at most dim 0 of operand 0, which is {1}"; |arena|'s. */
const char *hd_shapes_guard_message(const hd_shape_guard *guard, hd_arena *arena);
/* The same without the place in the file. */
const char *hd_shapes_guard_constraint(const hd_shape_guard *guard, hd_arena *arena);

/* Reads one text of the function's hd.constraint, "a == b", "a % 8 == 0" or "a >= 1" over expressions as hd_dim_print
 * writes them, as an equality of two expressions that stands for it. False when it cannot be read or names a symbol
 * that there is not. The analysis assumes each, with a guard. */
bool hd_shapes_read_constraint(hd_shapes *shapes, const char *text, hd_dim *out_lhs, hd_dim *out_rhs);
/* False with an error reported: one of the function's hd.constraint cannot be read, or contradicts the program. */
bool hd_shapes_check_constraints(hd_shapes *shapes);

/* The shape of a value: of tensors, memrefs, scalars (rank 0, elements followed). Never null. */
const hd_value_shape *hd_shapes_get(hd_shapes *shapes, hd_value *value);
/* Dim |i| in its current form. */
hd_dim hd_shapes_dim(hd_shapes *shapes, hd_value *value, uint32_t i);
/* Element |i| of a followed integer value, null when unknown. */
hd_dim hd_shapes_element(hd_shapes *shapes, hd_value *value, uint32_t i);
/* May the elements of |value| differ from their expressions, by arithmetic of 32 bits that wraps and that nothing
 * checks? Then they are good for shapes (which are checked), not as data. */
bool hd_shapes_may_wrap(hd_shapes *shapes, hd_value *value);
bool hd_shape_fit_is_proven(hd_shapes *shapes, const hd_shape_fit *fit);
/* The value of a host index: its expression where it is known, else a symbol that stands for |value| itself. */
hd_dim hd_shapes_index(hd_shapes *shapes, hd_value *value);
/* Gives a value that a pass has made the shape of another one. */
void hd_shapes_set_dims(hd_shapes *shapes, hd_value *value, const hd_dim *dims, uint32_t rank);
hd_dim hd_shapes_num_elements(hd_shapes *shapes, hd_value *value);
bool hd_shapes_same(hd_shapes *shapes, hd_value *a, hd_value *b);

/* Does |dim| depend on an element of a buffer (and so on the place where it is read)? */
bool hd_dim_reads_elements(hd_dim dim);
/* Calls |visit| with what each symbol of |dim| stands for. */
typedef void (*hd_origin_fn)(void *user, const hd_symbol_origin *origin);
void hd_dim_visit_symbols(hd_dim dim, hd_origin_fn visit, void *user);
/* Is dim |i| of |value|, which a loop or a branch gives, one that no expression over other dims holds: a size that may
 * change from step to step or differ between branches? */
bool hd_shapes_varies(hd_shapes *shapes, hd_value *value, uint32_t i);

/* Writes |dim| as index arithmetic at the builder. |symbol| gives the index value of a symbol; equal expressions are
 * written once per |cache| (expression -> value), so use one cache per point of insertion. Null when |symbol| is. */
typedef hd_value *(*hd_symbol_value)(void *user, const hd_atom *symbol);
hd_value *hd_dim_materialize(hd_shapes *shapes, hd_builder *b, hd_dim dim, hd_map *cache, hd_symbol_value symbol,
                             void *user);

/* The same with each symbol as it comes, also where it was found equal to something. */
hd_value *hd_dim_materialize_raw(hd_shapes *shapes, hd_builder *b, hd_dim dim, hd_map *cache, hd_symbol_value symbol,
                                 void *user);

/* The value of a symbol whose origin is a dim, or a quotient of one, given that dim. */
hd_value *hd_symbol_from_dim(hd_builder *b, const hd_symbol_origin *origin, hd_value *dim);

/* Writes dims, equalities and guards of the function as text, one line a value. */
void hd_shapes_print(hd_shapes *shapes, hd_strbuf *out);

#endif
