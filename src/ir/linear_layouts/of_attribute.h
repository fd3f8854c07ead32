/* SPDX-License-Identifier: Apache-2.0 */
/* Layout attributes (ir/layouts.h) as encodings, and so as linear maps. Thread-safe. */
#ifndef HD_IR_LINEAR_LAYOUTS_OF_ATTRIBUTE_H_
#define HD_IR_LINEAR_LAYOUTS_OF_ATTRIBUTE_H_

#include "base/arena.h"
#include "ir/layouts.h"
#include "ir/linear_layouts/encoding.h"

/* |layout|'s fields, for tensors of |rank| dims; parents are on |arena|. INVALID_ARGUMENT: another rank; UNIMPLEMENTED:
 * a layout that has no linear map here (tensor memory). */
hd_status hd_encoding_of_attribute(hd_arena *arena, hd_attr layout, uint32_t rank, hd_encoding *out) HD_MUST_USE;
/* The map of |layout| over |shape|, whose rank is |rank|; |out_encoding| may be null. */
hd_status hd_linear_layout_of_attribute(hd_arena *arena, hd_attr layout, uint32_t rank, const int64_t *shape,
                                        hd_encoding *out_encoding, hd_linear_layout *out) HD_MUST_USE;

#endif
