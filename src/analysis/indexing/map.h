/* SPDX-License-Identifier: Apache-2.0 */
/* Indexing maps: which elements of one tensor belong to an element of another.
 *
 *   (d0, d1)[s0]{rt0} -> (d0 floordiv 8, s0, d1 + rt0), domain: d0 in [0, 79], d1 in [0, 7], s0 in [0, 2], rt0 in [0,
 *   4]
 *
 *   dims                d0, d1, ...     the index of the element that is mapped (or a thread, a block)
 *   range variables     s0, s1, ...     all their values belong to it: what a reduction runs over
 *   runtime variables   rt0, rt1, ...   one value each, which an element of an integer tensor gives when the program
 *                                       runs
 *   sizes                               what the program's unknown dims are: polynomials over symbols of shape/dim.h,
 *                                       whose bounds, divisors and equalities are used wherever a proof needs them
 *
 * The domain is a range for each variable, and ranges of expressions (constraints). Results and constraints are affine
 * expressions (ir/attributes.h), semi-affine in sizes. Symbols below HD_INDEX_SIZE are range variables, then runtime
 * variables, by their place in the map; HD_INDEX_SIZE + i is size |i| of the hd_indexing, in all its maps.
 *
 * Values are mathematical integers. A map whose text needs numbers beyond 64 bits, or that would grow beyond
 * HD_INDEX_MAX_PARTS, is not made: null, which every function takes and passes on as "unknown". What divides by a
 * number that is not known to be positive stays as it is written. Maps never change once they are made, except by the
 * functions that say so; all memory is the hd_indexing's arena. Thread-compatible. */
#ifndef HD_ANALYSIS_INDEXING_MAP_H_
#define HD_ANALYSIS_INDEXING_MAP_H_

#include "shape/shapes.h"

enum {
  HD_INDEX_SIZE = 1 << 30,      /* the first symbol that is a size */
  HD_INDEX_MAX_PARTS = 4096,    /* of the expressions of a map, written out */
  HD_INDEX_MAX_DEPTH = 256,     /* of an expression: deeper ones are not simplified */
  HD_INDEX_MAX_VARIABLES = 256, /* of a map */
};

/* What maps are made in. */
typedef struct hd_indexing {
  hd_arena *arena;
  hd_context *context;
  hd_dim_table *table;           /* of the sizes */
  hd_shapes *shapes;             /* of the function whose ops are asked about; may be null */
  hd_vec(const hd_atom *) sizes; /* symbol HD_INDEX_SIZE + i */
  hd_map size_numbers;           /* hd_atom -> i + 1 */
  hd_map identities;             /* see hd_index_map_identity */
} hd_indexing;

/* A closed range. INT64_MIN and INT64_MAX are no bounds at all; it is empty when |lower| is above |upper|. */
typedef struct hd_index_range {
  int64_t lower, upper;
} hd_index_range;

typedef struct hd_index_variable {
  const char *name;     /* null: d0, s0 or rt0 by its place */
  hd_index_range range; /* whatever the sizes are */
  hd_affine limit;      /* an expression over sizes that it is less than, too; null: there is none */
  /* Of a runtime variable: the element of |value| that gives it, an index over dims, range variables and the runtime
   * variables after it. Values
   * outside of the range are clamped to it if |clamps|; else the domain has no element there. */
  hd_value *value;
  uint32_t index_count;
  const hd_affine *index;
  bool clamps;
} hd_index_variable;

typedef struct hd_index_constraint {
  hd_affine expr;
  hd_index_range range;
} hd_index_constraint;

typedef struct hd_index_map {
  hd_indexing *in;
  uint32_t dim_count, range_count, runtime_count;
  hd_index_variable *variables; /* dims, then range variables, then runtime variables */
  uint32_t result_count;
  hd_affine *results;
  uint32_t constraint_count;
  hd_index_constraint *constraints;
  bool is_empty; /* the domain is known to have no element */
} hd_index_map;

/* |table| null: one of its own, as |shapes| null. */
hd_indexing *hd_indexing_create(hd_arena *arena, hd_context *context, hd_shapes *shapes);

/* ---- expressions ---- */

/* |dim| as an expression over sizes; null for null. */
hd_affine hd_index_of_dim(hd_indexing *in, hd_dim dim);
/* The other way; null when |expr| is not one over sizes alone. */
hd_dim hd_index_to_dim(hd_indexing *in, hd_affine expr);
hd_affine hd_index_add(hd_indexing *in, hd_affine a, hd_affine b);
hd_affine hd_index_scale(hd_indexing *in, hd_affine a, int64_t factor);
hd_affine hd_index_offset(hd_indexing *in, hd_affine a, int64_t offset);
/* |expr| with dims and symbols below HD_INDEX_SIZE replaced; null when it grows beyond HD_INDEX_MAX_PARTS. */
hd_affine hd_index_substitute(hd_indexing *in, hd_affine expr, const hd_affine *dims, const hd_affine *symbols);
/* How many parts |expr| has written out, at most HD_INDEX_MAX_PARTS + 1. */
uint32_t hd_index_parts(hd_affine expr);
/* The variable of |map| that |expr| is; null: it is none. */
hd_index_variable *hd_index_variable_of(const hd_index_map *map, hd_affine expr);

/* ---- maps ---- */

static inline uint32_t hd_index_variable_count(const hd_index_map *map) {
  return map->dim_count + map->range_count + map->runtime_count;
}
/* A map of that many variables, each without bounds, results and constraints to be filled in. */
hd_index_map *hd_index_map_create(hd_indexing *in, uint32_t dims, uint32_t ranges, uint32_t runtimes, uint32_t results);
/* A copy with room for |more| constraints. */
hd_index_map *hd_index_map_copy(const hd_index_map *map, uint32_t more);
/* Adds to a map that is being made, whose array has room. */
void hd_index_map_constrain(hd_index_map *map, hd_affine expr, int64_t lower, int64_t upper);
/* Range [0, size); of dims that are unknown, as an expression. */
void hd_index_variable_size(hd_indexing *in, hd_index_variable *variable, hd_dim size);
/* (d0, d1, ...) -> (d0, d1, ...) over the dims of |value|: one map for equal shapes. */
hd_index_map *hd_index_map_identity(hd_indexing *in, hd_value *value);

/* Simplifies |map| in place: expressions in one form, ranges and constraints that follow from each other, variables
 * that have one value or that nothing uses. Null when it becomes unknown. */
hd_index_map *hd_index_map_simplify(hd_index_map *map);

/* The map x -> second(first(x)), simplified. Range variables are those of |second|, then those of |first|; so are
 * runtime variables. */
hd_index_map *hd_index_map_compose(const hd_index_map *first, const hd_index_map *second);
/* The converse: |map| as a relation between index and result, read from the result. What the result does not tell is a
 * range variable: each index that has the result belongs to it. Simplified. |sizes|: of the results, which are known to
 * are in them; null: what the map itself tells. */
hd_index_map *hd_index_map_converse(const hd_index_map *map, const hd_dim *sizes);
/* The converse, if one index alone belongs to each result; else null. */
hd_index_map *hd_index_map_inverse(const hd_index_map *map);

/* Do they map the same elements, as far as can be seen: are they equal but for names? */
bool hd_index_map_equal(const hd_index_map *a, const hd_index_map *b);
bool hd_index_map_is_identity(const hd_index_map *map);

typedef enum hd_index_outcome {
  HD_INDEX_INSIDE,
  HD_INDEX_OUTSIDE,   /* of the domain */
  HD_INDEX_UNDEFINED, /* it divides by 0 or less, or a number needs more than 64 bits */
} hd_index_outcome;
/* The results at |variables|, with the values |sizes| of in->sizes. */
hd_index_outcome hd_index_map_eval(const hd_index_map *map, const int64_t *variables, const int64_t *sizes,
                                   int64_t *out_results);
/* The value of one expression; false where it is undefined. */
bool hd_index_eval(const hd_indexing *in, hd_affine expr, const int64_t *dims, const int64_t *symbols,
                   const int64_t *sizes, int64_t *out);

/* ---- text ---- */

/* "(d0, d1)[s0]{rt0} -> (d0, s0 + rt0), domain: d0 in [0, 9], ..." on one line; sizes, where it has any, in <> after
 * the variables. "KNOWN EMPTY" when that is known. */
void hd_index_map_print(const hd_index_map *map, hd_strbuf *out);
/* Reads that text, with any names; as it is, or as adjacent string literals, with or without
 * `#xla_gpu.indexing_map<` ... `>` around them. Nothing is simplified. Null with an error reported. */
hd_index_map *hd_index_map_parse(hd_indexing *in, hd_str text, const char *file_name);

#endif
