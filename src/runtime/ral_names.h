/* SPDX-License-Identifier: Apache-2.0 */
/* Encoded names of RAL APIs: the one grammar that the compiler writes and the runtime reads.
 *
 *   name    = prefix "___" types "___" type
 *   prefix  = letter *( letter | digit | "_" )      without "___", not ending in "_"
 *   types   = type *( "_" type )                    the first is the context, `pvoid`
 *   type    = "void"                                result only
 *           | "pvoid"                               any pointer: context, stream, buffer
 *           | element                               a scalar; `index` is written i64
 *           | "m" rank "d" element                  a memref; rank in decimal, no leading zero
 *   element = the RAL names of heddle/element.h: i1 i2 i4 i8 i16 i32 i64, ui*, si*, f16 bf16 f32 f64, f8E4M3FN and the
 *             other f8/f6/f4 kinds, cf32 and cf64 for complex, token
 *
 *   ral_gemm___pvoid_pvoid_m2df32_m2df32_m2df32_i1_i1___void
 *
 * In registered names (never in artifacts) "m2d*" stands for a memref of any element type.
 * All functions are pure and thread-safe. */
#ifndef HD_RUNTIME_RAL_NAMES_H_
#define HD_RUNTIME_RAL_NAMES_H_

#include <stddef.h>

#include "base/status.h"
#include "heddle/element.h"

enum { HD_RAL_MAX_ARGS = 48, HD_RAL_MAX_NAME = 512 };

typedef enum hd_ral_type_kind { HD_RAL_VOID, HD_RAL_POINTER, HD_RAL_SCALAR, HD_RAL_MEMREF } hd_ral_type_kind;

typedef struct hd_ral_type {
  hd_ral_type_kind kind;
  int32_t rank;            /* of a memref */
  hd_element_type element; /* of a scalar or memref; HD_ELEMENT_INVALID for "*" */
} hd_ral_type;

typedef struct hd_ral_signature {
  char prefix[128];
  size_t arg_count; /* the context included */
  hd_ral_type args[HD_RAL_MAX_ARGS];
  hd_ral_type result;
} hd_ral_signature;

/* A type's part of a name, NUL-terminated, in the |size| bytes of |out|. False for one without a part, or when it does
 * not fit. */
bool hd_ral_encode_type(const hd_ral_type *type, char *out, size_t size) HD_MUST_USE;
/* Reads |name|; any text gives a status that says where it leaves the grammar. */
hd_status hd_ral_decode(const char *name, hd_ral_signature *out_signature) HD_MUST_USE;
/* Does |name| (without "*") match the registered |pattern|? */
bool hd_ral_name_matches(const char *pattern, const char *name);
/* Edits (insert, delete, replace a character) from |a| to |b|, to suggest the nearest name; SIZE_MAX when the names are
 * too long. */
size_t hd_ral_name_distance(const char *a, const char *b);

#endif
