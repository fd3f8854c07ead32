/* SPDX-License-Identifier: Apache-2.0 */
/* Symbolic dims: polynomials with 64-bit coefficients over atoms. An atom is a symbol (a dim or integer that is known
 * only at run time) or a floordiv, mod, min or max of two polynomials. Expressions are uniqued in their table, so equal
 * polynomials are one pointer; equalities learnt later replace symbols (hd_dim_assume_equal), after which
 * hd_dim_resolve gives the current form.
 *
 * Values are mathematical integers: an operation whose result could not be written with bounded effort (a tree of more
 * than a few hundred parts: the expressions share theirs, texts and programs do not), or whose coefficients overflow,
 * gives null, which every function takes and passes on as "unknown". Thread-compatible. */
#ifndef HD_SHAPE_DIM_H_
#define HD_SHAPE_DIM_H_

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"

typedef struct hd_dim_table hd_dim_table;
typedef const struct hd_dim_expr *hd_dim;

typedef enum hd_atom_kind { HD_ATOM_SYMBOL, HD_ATOM_FLOORDIV, HD_ATOM_MOD, HD_ATOM_MIN, HD_ATOM_MAX } hd_atom_kind;

typedef struct hd_atom {
  hd_atom_kind kind;
  uint32_t id;          /* in the order of creation: what tells terms apart and sorts them */
  hd_dim lhs, rhs;      /* of an operation */
  const char *name;     /* of a symbol */
  void *origin;         /* of a symbol: the client's, who can compute its value at run time */
  int64_t lower, upper; /* bounds of a symbol, both included */
  int64_t divisor;      /* a number that divides a symbol, 0: only 1 is known */
  hd_dim replacement;   /* what the symbol was found equal to */
  bool data_dependent;  /* of a symbol: its value is not known from the arguments' dims */
  bool pinned;          /* of a symbol: never replaced, whatever it is found equal to */
  hd_dim alone;         /* the expression that is this atom; null until asked for */
} hd_atom;

typedef struct hd_dim_term {
  int64_t coefficient;   /* not 0 */
  uint32_t atom_count;   /* at least 1; a square has its atom twice */
  hd_atom *const *atoms; /* by id */
} hd_dim_term;

struct hd_dim_expr {
  int64_t constant;
  uint32_t term_count;
  const hd_dim_term *terms; /* sorted */
  uint32_t id;
  uint32_t size;        /* as a tree: bounds every walk, since larger ones are not made */
  bool data_dependent;  /* mentions a data-dependent symbol */
  uint32_t resolved_at; /* hd_dim_resolve's last answer, and the table's |learnt| then, plus 1 */
  hd_dim resolved;
  uint32_t bounded_at; /* likewise of its bounds */
  int64_t lower, upper;
  uint32_t mark; /* of a walk */
  hd_dim_table *table;
};

struct hd_dim_table {
  hd_arena *arena;
  hd_map exprs, operations;
  hd_vec(hd_atom *) atoms;
  uint32_t replaced; /* how many symbols have a replacement */
  uint32_t learnt;   /* counts what may change how an expression resolves: replacements, bounds */
  uint32_t mark;     /* of the last walk that meets each expression once */
};

void hd_dim_table_init(hd_dim_table *table, hd_arena *arena);

hd_dim hd_dim_const(hd_dim_table *table, int64_t value);
/* A new symbol with bounds [lower, upper]; |name| is copied. |data_dependent|: only the run knows its value, so no
 * other symbol is ever replaced by an expression that mentions it. */
hd_dim hd_dim_symbol(hd_dim_table *table, const char *name, int64_t lower, int64_t upper, void *origin,
                     bool data_dependent);
hd_dim hd_dim_of_symbol(hd_dim_table *table, hd_atom *symbol);
hd_dim hd_dim_add(hd_dim_table *table, hd_dim a, hd_dim b);
hd_dim hd_dim_sub(hd_dim_table *table, hd_dim a, hd_dim b);
hd_dim hd_dim_mul(hd_dim_table *table, hd_dim a, hd_dim b);
hd_dim hd_dim_floordiv(hd_dim_table *table, hd_dim a, hd_dim b); /* null when b may be 0 or less */
hd_dim hd_dim_ceildiv(hd_dim_table *table, hd_dim a, hd_dim b);
hd_dim hd_dim_mod(hd_dim_table *table, hd_dim a, hd_dim b);
hd_dim hd_dim_min(hd_dim_table *table, hd_dim a, hd_dim b);
hd_dim hd_dim_max(hd_dim_table *table, hd_dim a, hd_dim b);

/* |dim| with all replacements made. */
hd_dim hd_dim_resolve(hd_dim_table *table, hd_dim dim);
/* Learns a == b; false when nothing could be learnt from it (it stays a fact that only a guard can check). */
bool hd_dim_assume_equal(hd_dim_table *table, hd_dim a, hd_dim b);
/* Learns a >= bound, when a is a symbol (plus a constant). */
void hd_dim_assume_at_least(hd_dim_table *table, hd_dim a, int64_t bound);

/* Provable facts; false or the widest bound when unknown. */
bool hd_dim_equal(hd_dim_table *table, hd_dim a, hd_dim b);
bool hd_dim_known_different(hd_dim_table *table, hd_dim a, hd_dim b);
bool hd_dim_is_const(hd_dim_table *table, hd_dim dim, int64_t *out);
int64_t hd_dim_lower(hd_dim dim);
int64_t hd_dim_upper(hd_dim dim);
/* a <= b */
bool hd_dim_at_most(hd_dim_table *table, hd_dim a, hd_dim b);
/* The largest number that is known to divide it; 0 for the constant 0. */
int64_t hd_dim_divisor(hd_dim_table *table, hd_dim dim);
/* a / b when b divides a as polynomials (b*s*768 / s); null otherwise. */
hd_dim hd_dim_exact_div(hd_dim_table *table, hd_dim a, hd_dim b);
/* The polynomial that gives a when it is multiplied by b, also where b may be 0; null when there is none. */
hd_dim hd_dim_cofactor(hd_dim_table *table, hd_dim a, hd_dim b);

/* "b*s + 2*floordiv(n, 3)"; "?" for null. A name that is no word is between quotes. */
void hd_dim_print(hd_strbuf *out, hd_dim dim);
/* Reads that text, with the symbols of |table| by their names; moves |*at| after it. Null, with |*at| where reading
 * stopped, when it is no expression or names what the table does not have. */
hd_dim hd_dim_read(hd_dim_table *table, const char **at);

#endif
