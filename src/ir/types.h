/* SPDX-License-Identifier: Apache-2.0 */
/* Types, uniqued in the context. Read the fields, build with hd_type_*; two types are equal when the pointers are.
 *
 * A dim that is not known is HD_DYNAMIC, printed '?'. Element storage in memory: i1 is one byte 0/1,
 * other sub-byte types take one byte per element, complex is interleaved (real, imaginary). */
#ifndef HD_IR_TYPES_H_
#define HD_IR_TYPES_H_

#include "base/float_format.h"
#include "base/limits.h"
#include "ir/context.h"

#define HD_DYNAMIC INT64_MIN

enum { HD_COMPILED_MAX_RANK = HD_MAX_RANK }; /* of what kernels and views address */

typedef enum hd_type_kind {
  HD_TYPE_NONE,
  HD_TYPE_INDEX,
  HD_TYPE_INTEGER,
  HD_TYPE_FLOAT,
  HD_TYPE_COMPLEX,
  HD_TYPE_FUNCTION,
  HD_TYPE_TUPLE,
  HD_TYPE_VECTOR,
  HD_TYPE_TENSOR,          /* ranked */
  HD_TYPE_UNRANKED_TENSOR, /* tensor<*xT> */
  HD_TYPE_MEMREF,          /* ranked */
  HD_TYPE_UNRANKED_MEMREF,
  HD_TYPE_QUANT,   /* !quant.uniform<...> */
  HD_TYPE_DIALECT, /* a type with a row in types.def, such as !stablehlo.token or !llvm.ptr */
  HD_TYPE_OPAQUE,  /* !dialect<text> of an unknown dialect, kept as text */
} hd_type_kind;

typedef enum hd_signedness { HD_SIGNLESS, HD_SIGNED, HD_UNSIGNED } hd_signedness;

struct hd_type_storage {
  hd_type_kind kind;
  hd_context *context;
  union {
    struct {
      uint32_t width; /* 1 to 2^24-1 as in MLIR; those with values: ir/wide.h */
      hd_signedness signedness;
    } integer;
    hd_float_kind float_kind;
    struct { /* tensor, memref, vector, complex (rank 0) and their unranked forms */
      hd_type element;
      uint32_t rank;
      const int64_t *dims;  /* rank entries, HD_DYNAMIC where unknown */
      const bool *scalable; /* vectors: per dim, null when none is */
      hd_attr encoding;     /* tensors: null when none */
      hd_attr layout;       /* memrefs: affine map or strided layout, null when identity */
      hd_attr space;        /* memrefs: null when default (host) */
    } shaped;
    struct { /* function and tuple (no outs) */
      uint32_t in_count, out_count;
      const hd_type *ins, *outs;
    } function;
    struct { /* !quant.uniform */
      bool is_signed, per_axis;
      hd_type storage, expressed;
      int64_t storage_min, storage_max;
      int32_t axis;   /* per axis, -1 otherwise */
      uint32_t count; /* number of scales: 1 unless per axis */
      const double *scales;
      const int64_t *zero_points;
      uint32_t block_rank; /* sub-channel: number of (axis, block size) pairs */
      uint32_t scale_rank; /* of sub-channel scales, at least block_rank; else 0 */
      const int64_t *block_axes, *block_sizes, *scale_dims;
    } quant;
    struct {
      int row; /* hd_type_row */
      uint32_t param_count;
      const hd_attr *params; /* in the order of the row, null where absent */
    } dialect;
    struct {
      hd_ident dialect, text; /* text is what is after '!dialect', verbatim */
    } opaque;
  };
};

hd_type hd_type_none(hd_context *context);
hd_type hd_type_index(hd_context *context);
hd_type hd_type_integer(hd_context *context, uint32_t width, hd_signedness signedness);
hd_type hd_type_float(hd_context *context, hd_float_kind kind);
hd_type hd_type_complex(hd_type element);
hd_type hd_type_function(hd_context *context, const hd_type *ins, size_t in_count, const hd_type *outs,
                         size_t out_count);
hd_type hd_type_tuple(hd_context *context, const hd_type *elements, size_t count);
hd_type hd_type_vector(hd_type element, const int64_t *dims, size_t rank, const bool *scalable);
hd_type hd_type_tensor(hd_type element, const int64_t *dims, size_t rank, hd_attr encoding);
hd_type hd_type_unranked_tensor(hd_type element);
hd_type hd_type_memref(hd_type element, const int64_t *dims, size_t rank, hd_attr layout, hd_attr space);
hd_type hd_type_unranked_memref(hd_type element, hd_attr space);
/* |storage| gives every field but kind and context. */
hd_type hd_type_quant(hd_context *context, const struct hd_type_storage *storage);
hd_type hd_type_dialect(hd_context *context, int row, const hd_attr *params, size_t count);
hd_type hd_type_opaque(hd_context *context, hd_str dialect, hd_str text);

#define hd_i1(context) hd_type_integer((context), 1, HD_SIGNLESS)
#define hd_i32(context) hd_type_integer((context), 32, HD_SIGNLESS)
#define hd_i64(context) hd_type_integer((context), 64, HD_SIGNLESS)
#define hd_f32(context) hd_type_float((context), HD_F32)

static inline bool hd_type_is(hd_type type, hd_type_kind kind) { return type && type->kind == kind; }
static inline bool hd_type_is_integer(hd_type type, uint32_t width) {
  return hd_type_is(type, HD_TYPE_INTEGER) && type->integer.width == width;
}
static inline bool hd_type_is_float(hd_type type, hd_float_kind kind) {
  return hd_type_is(type, HD_TYPE_FLOAT) && type->float_kind == kind;
}
/* f8E4M3FN and the other floats of 8 bits */
static inline bool hd_type_is_f8(hd_type type) {
  return hd_type_is(type, HD_TYPE_FLOAT) && hd_float_formats[type->float_kind].bits == 8;
}
/* tensor, memref or vector, ranked or not */
bool hd_type_is_shaped(hd_type type);
bool hd_type_has_rank(hd_type type);
/* A tensor of rank 0. */
static inline bool hd_type_is_scalar(hd_type type) { return hd_type_is(type, HD_TYPE_TENSOR) && !type->shaped.rank; }
static inline bool hd_type_is_tensor(hd_type type) {
  return hd_type_is(type, HD_TYPE_TENSOR) || hd_type_is(type, HD_TYPE_UNRANKED_TENSOR);
}
/* The element type of a shaped type, the type itself otherwise. */
hd_type hd_type_element(hd_type type);
static inline uint32_t hd_type_rank(hd_type type) { return type->shaped.rank; }
static inline int64_t hd_type_dim(hd_type type, uint32_t i) { return type->shaped.dims[i]; }
bool hd_type_is_static(hd_type type); /* ranked and every dim known */
/* The product of the dims; -1 when a dim is unknown or the product overflows. */
int64_t hd_type_num_elements(hd_type type);
/* What |type| is made of: the elements of a tuple, depth first, anything else alone. How many; |out| may be null. */
uint32_t hd_type_leaves(hd_type type, hd_type *out);
/* |type| with other dims or another element, all else kept. */
hd_type hd_type_with_dims(hd_type type, const int64_t *dims, size_t rank);
hd_type hd_type_with_element(hd_type type, hd_type element);
/* Bytes of one element in memory (see the top); 0 for types that have no memory form. */
size_t hd_type_element_bytes(hd_type element);
/* Significant bits: of i5 5, of f8E4M3 8, of complex<f32> 64; 0 when it has none. */
uint32_t hd_type_bits(hd_type element);

#endif
