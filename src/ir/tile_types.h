/* SPDX-License-Identifier: Apache-2.0 */
/* Triton's types: !tt.ptr, !tt.tensordesc and !ttg.memdesc. Thread-safe. */
#ifndef HD_IR_TILE_TYPES_H_
#define HD_IR_TILE_TYPES_H_

#include "ir/op_info.h"

enum { HD_GLOBAL_MEMORY = 1, HD_SHARED_MEMORY = 3 }; /* address spaces of !tt.ptr */

static inline bool hd_type_is_row(hd_type type, int row) {
  return hd_type_is(type, HD_TYPE_DIALECT) && type->dialect.row == row;
}
static inline bool hd_type_is_pointer(hd_type type) { return hd_type_is_row(type, HD_TYPE_ROW_tt_ptr); }
static inline bool hd_type_is_memdesc(hd_type type) { return hd_type_is_row(type, HD_TYPE_ROW_ttg_memdesc); }
static inline bool hd_type_is_tensordesc(hd_type type) { return hd_type_is_row(type, HD_TYPE_ROW_tt_tensordesc); }

/* !tt.ptr<pointee, address_space> */
hd_type hd_type_pointer(hd_type pointee, int64_t address_space);
/* What a pointer points to; of a tensor of pointers the tensor of what they point to. Null of all else. */
hd_type hd_type_pointee(hd_type type);

/* The tensor that a !tt.tensordesc moves at a time. */
hd_type hd_tensordesc_block(hd_type type);

/* !ttg.memdesc<shape x element, layout, space, mutable, allocated>: a view of memory that a block shares. */
typedef struct hd_memdesc {
  uint32_t rank, allocated_rank;
  const int64_t *dims;
  const int64_t
      *allocated; /* the shape of the allocation, in which the view has fewer or smaller dims; |dims| if the same */
  hd_type element;
  hd_attr layout, space;
  bool is_mutable;
} hd_memdesc;

/* The fields of |type|, which is a memdesc; they live as long as the context. */
hd_memdesc hd_memdesc_of(hd_type type);
hd_type hd_type_memdesc(const hd_memdesc *fields);

/* For verifiers: an error at |op| unless |tensor| and |memory| hold the same elements in one shape. */
bool hd_verify_tile_contents(struct hd_op *op, hd_type tensor, hd_type memory);
/* The same unless |memory|, a memdesc, may be written. */
bool hd_verify_tile_mutable(struct hd_op *op, hd_type memory);

#endif
