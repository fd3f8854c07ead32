/* SPDX-License-Identifier: Apache-2.0 */
/* The content of a function: what two kernels must share to be compiled once. Thread-compatible. */
#ifndef HD_IR_CONTENT_HASH_H_
#define HD_IR_CONTENT_HASH_H_

#include "base/hash128.h"
#include "ir/op.h"

/* Equal for functions that differ only in symbols, value names and locations, the same in every process. Called
 * functions are part of the content. */
hd_hash128 hd_content_hash(hd_op *func);
/* The same for functions that differ also in attributes of ops that |is_hole|. */
hd_hash128 hd_content_hash_without(hd_op *func, bool (*is_hole)(const hd_op *op));

#endif
