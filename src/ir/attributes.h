/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes and locations, uniqued in the context; equal attributes are one pointer. */
#ifndef HD_IR_ATTRIBUTES_H_
#define HD_IR_ATTRIBUTES_H_

#include "ir/types.h"

typedef enum hd_attr_kind {
  HD_ATTR_UNIT,
  HD_ATTR_INTEGER, /* bool is an i1 integer; value 0 or 1 */
  HD_ATTR_FLOAT,
  HD_ATTR_STRING,
  HD_ATTR_TYPE,
  HD_ATTR_SYMBOL, /* @root::@nested... */
  HD_ATTR_ARRAY,
  HD_ATTR_DICT,           /* sorted by name */
  HD_ATTR_DENSE,          /* dense<...> : tensor or vector type */
  HD_ATTR_DENSE_STRINGS,  /* dense<["a", "b"]> */
  HD_ATTR_DENSE_RESOURCE, /* dense_resource<name> : type; the bytes are in context->resources */
  HD_ATTR_SPARSE,         /* sparse<indices, values> : type */
  HD_ATTR_DENSE_ARRAY,    /* array<i64: ...> */
  HD_ATTR_AFFINE_MAP,
  HD_ATTR_AFFINE_SET,
  HD_ATTR_STRIDED,  /* strided<[...], offset: ...> */
  HD_ATTR_ENUM,     /* a case of a row in attributes.def, such as #stablehlo<comparison_direction EQ> */
  HD_ATTR_STRUCT,   /* parameters of a row in attributes.def, such as #stablehlo.dot<...> */
  HD_ATTR_OPAQUE,   /* #dialect<text> of an unknown dialect, kept as text */
  HD_ATTR_DISTINCT, /* distinct[n]<attr> */
  HD_ATTR_LOC_UNKNOWN,
  HD_ATTR_LOC_FILE,
  HD_ATTR_LOC_NAME,
  HD_ATTR_LOC_CALLSITE,
  HD_ATTR_LOC_FUSED,
} hd_attr_kind;

typedef struct hd_named_attr {
  hd_ident name;
  hd_attr value;
} hd_named_attr;

/* Expressions of affine maps and sets, uniqued like attributes. */
typedef enum hd_affine_kind {
  HD_AFFINE_CONST,
  HD_AFFINE_DIM,
  HD_AFFINE_SYMBOL,
  HD_AFFINE_ADD,
  HD_AFFINE_MUL,
  HD_AFFINE_MOD,
  HD_AFFINE_FLOORDIV,
  HD_AFFINE_CEILDIV,
} hd_affine_kind;

typedef const struct hd_affine_expr {
  hd_affine_kind kind;
  int64_t value; /* constant, or position of the dim or symbol */
  const struct hd_affine_expr *lhs, *rhs;
} *hd_affine;

struct hd_attr_storage {
  hd_attr_kind kind;
  hd_context *context;
  hd_type type;     /* of integer, float, dense, dense_resource, strings with a type; null otherwise */
  const char *wide; /* integers and floats of more than 64 bits: the pattern (ir/wide.h), whose nearest |integer| or
                       |floating.value| is below; null otherwise */
  union {
    int64_t integer; /* sign- or zero-extended from the type's width: signless and signed types sign-extend,
                        unsigned zero-extend, i1 is 0 or 1 */
    struct {
      double value;  /* the nearest double */
      uint64_t bits; /* the pattern in the type's own format */
    } floating;
    hd_ident string;
    hd_type type_value;
    struct {
      hd_ident root;
      uint32_t count;
      const hd_ident *nested;
    } symbol;
    struct {
      uint32_t count;
      const hd_attr *items;
    } array;
    struct {
      uint32_t count;
      const hd_named_attr *items; /* sorted by name, each name once */
    } dict;
    struct {       /* dense and dense_array: element storage as in memory, row major */
      bool splat;  /* dense: one element stands for all */
      size_t size; /* bytes */
      const char *data;
      hd_type element; /* dense_array: the element type */
      size_t count;    /* dense_array: number of elements */
    } dense;
    struct {
      hd_attr indices, values;
    } sparse;
    hd_ident resource;
    struct {
      uint32_t dims, symbols, count;
      const hd_affine *results; /* of a map, or the constraint expressions of a set */
      const bool *equality;     /* sets: per constraint, == 0 (else >= 0) */
    } affine;
    struct {
      int64_t offset; /* HD_DYNAMIC where unknown */
      uint32_t rank;
      const int64_t *strides;
    } strided;
    struct {
      int row;
      int64_t value;
    } enumerant;
    struct {
      int row;
      uint32_t count;
      const hd_attr *params; /* in the order of the row, null where absent */
    } structure;
    struct {
      hd_ident dialect, text;
    } opaque;
    struct {
      int64_t id;
      hd_attr inner;
    } distinct;
    struct {                         /* locations */
      hd_ident name;                 /* file name, or the name of a name location */
      uint32_t line, column;         /* file */
      uint32_t end_line, end_column; /* file range, 0 when a point */
      uint32_t count;
      const hd_loc *children; /* name: child (count 0 or 1); callsite: callee, caller; fused: parts */
      hd_attr metadata;       /* fused, may be null */
    } loc;
  };
};

/* What context->resources maps the name of a dense_resource to; written `{-# dialect_resources ... #-}` in text. */
typedef struct hd_resource {
  size_t alignment, size;
  const char *data; /* elements as in memory */
} hd_resource;

hd_attr hd_attr_unit(hd_context *context);
hd_attr hd_attr_bool(hd_context *context, bool value);
/* |value| is reduced to the width of |type| (integer or index). */
hd_attr hd_attr_integer(hd_type type, int64_t value);
#define hd_attr_i64(context, value) hd_attr_integer(hd_i64(context), (value))
#define hd_attr_i32(context, value) hd_attr_integer(hd_i32(context), (value))
#define hd_attr_index(context, value) hd_attr_integer(hd_type_index(context), (value))
hd_attr hd_attr_float(hd_type type, double value); /* rounded to nearest even */
hd_attr hd_attr_float_bits(hd_type type, uint64_t bits);
/* An integer or float of more than 64 bits by its pattern (ir/wide.h), which is copied. */
hd_attr hd_attr_wide(hd_type type, const char *pattern);
hd_attr hd_attr_string(hd_context *context, hd_str text);
hd_attr hd_attr_cstring(hd_context *context, const char *text);
hd_attr hd_attr_typed_string(hd_str text, hd_type type);
hd_attr hd_attr_type(hd_type type);
hd_attr hd_attr_symbol(hd_context *context, hd_str root, const hd_ident *nested, size_t count);
hd_attr hd_attr_array(hd_context *context, const hd_attr *items, size_t count);
/* Sorts; of equal names the last one counts. */
hd_attr hd_attr_dict(hd_context *context, const hd_named_attr *items, size_t count);
/* |data|: one element when |splat|, else all, stored as in memory. Non-splat data whose elements are all the same
 * bytes becomes a splat, so that equal constants are one pointer. */
hd_attr hd_attr_dense(hd_type type, const void *data, size_t size, bool splat);
hd_attr hd_attr_dense_strings(hd_type type, const hd_attr *strings, size_t count);
hd_attr hd_attr_dense_resource(hd_type type, hd_str name);
hd_attr hd_attr_sparse(hd_type type, hd_attr indices, hd_attr values);
hd_attr hd_attr_dense_array(hd_type element, const void *data, size_t count);
hd_attr hd_attr_i64_array(hd_context *context, const int64_t *values, size_t count);
hd_attr hd_attr_i32_array(hd_context *context, const int32_t *values, size_t count);
hd_attr hd_attr_bool_array(hd_context *context, const bool *values, size_t count);
hd_attr hd_attr_affine_map(hd_context *context, uint32_t dims, uint32_t symbols, const hd_affine *results,
                           size_t count);
hd_attr hd_attr_affine_set(hd_context *context, uint32_t dims, uint32_t symbols, const hd_affine *constraints,
                           const bool *equality, size_t count);
hd_attr hd_attr_strided(hd_context *context, int64_t offset, const int64_t *strides, size_t rank);
hd_attr hd_attr_enum(hd_context *context, int row, int64_t value);
hd_attr hd_attr_struct(hd_context *context, int row, const hd_attr *params, size_t count);
hd_attr hd_attr_opaque(hd_context *context, hd_str dialect, hd_str text);
hd_attr hd_attr_distinct(hd_context *context, int64_t id, hd_attr inner);

hd_affine hd_affine_const(hd_context *context, int64_t value);
hd_affine hd_affine_dim(hd_context *context, int64_t position);
hd_affine hd_affine_symbol(hd_context *context, int64_t position);
/* Simplifies constants and neutral elements as MLIR does, so printing gives the same text back. */
hd_affine hd_affine_binary(hd_context *context, hd_affine_kind kind, hd_affine lhs, hd_affine rhs);

hd_loc hd_loc_unknown(hd_context *context);
/* The first file position inside |loc|, which may be null; null when there is none. */
hd_loc hd_loc_file_position(hd_loc loc);
hd_loc hd_loc_file(hd_context *context, hd_str file, uint32_t line, uint32_t column);
hd_loc hd_loc_file_range(hd_context *context, hd_str file, uint32_t line, uint32_t column, uint32_t end_line,
                         uint32_t end_column);
hd_loc hd_loc_name(hd_context *context, hd_str name, hd_loc child);
hd_loc hd_loc_callsite(hd_loc callee, hd_loc caller);
hd_loc hd_loc_fused(hd_context *context, const hd_loc *parts, size_t count, hd_attr metadata);
/* As text means it: parts of fused parts (of no or the same metadata), each once, without unknown ones; a single one
 * without metadata is itself. */
hd_loc hd_loc_fuse(hd_context *context, const hd_loc *parts, size_t count, hd_attr metadata);

static inline bool hd_attr_is(hd_attr attr, hd_attr_kind kind) { return attr && attr->kind == kind; }
hd_attr hd_dict_get(hd_attr dict, hd_name name);           /* null when missing; |dict| may be null */
hd_attr hd_dict_get_named(hd_attr dict, const char *name); /* the same, by a name that has no row */
/* The value of an integer (a bool too) or enum attribute, of a bool or unit one, and the text of a string or of a
 * symbol's root; |absent| or "" when |attr| is null or of another kind. */
int64_t hd_attr_int_or(hd_attr attr, int64_t absent);
bool hd_attr_bool_or(hd_attr attr, bool absent);
hd_str hd_attr_text(hd_attr attr);
/* Which of |count| texts the string |attr| is; 0, whose text is that of the absent one, when it is none. */
int hd_attr_text_in(hd_attr attr, const char *const *texts, int count);

/* Elements of dense, dense_array and i64-like array attributes, by position. */
size_t hd_attr_count(hd_attr attr);
/* Element |i| of a dense, dense_array or array-of-integers attribute as a 64-bit integer (bool 0/1). */
int64_t hd_attr_int_at(hd_attr attr, size_t i);
/* The same, |otherwise| where the attribute is null or shorter. */
int64_t hd_attr_int_at_or(hd_attr attr, size_t i, int64_t otherwise);
/* The first position of |value| in an array of integers (a null one is empty), or -1. */
int64_t hd_attr_find_int(hd_attr attr, int64_t value);
/* All elements as 64-bit integers in |arena|. */
const int64_t *hd_attr_ints(hd_arena *arena, hd_attr attr, size_t *out_count);
/* The value of a scalar attribute, or of all elements of a dense one; false for others, and for what 64 bits or a
 * double do not hold (wide types). */
bool hd_attr_splat_int(hd_attr attr, int64_t *out);
bool hd_attr_splat_float(hd_attr attr, double *out);
/* The bytes of element |i| of a dense attribute, splat or not. */
const void *hd_attr_element_data(hd_attr attr, size_t i);

#endif
