/* SPDX-License-Identifier: Apache-2.0 */
/* The ops that one kernel computes, a fusion's or one op, and what decides which route they take. */
#ifndef HD_CODEGEN_KERNEL_SET_H_
#define HD_CODEGEN_KERNEL_SET_H_

#include "base/map.h"
#include "base/vec.h"
#include "ir/op.h"

/* Ops of a kernel and the buffers of them that are read elsewhere. */
typedef struct hd_kernel_set {
  hd_vec(hd_op *) ops;
  hd_vec(hd_value *) outputs;
  hd_map writers; /* buffer -> the op of |ops| that writes it */
} hd_kernel_set;

/* The ops of a fusion, or |fusion| itself when it is one op. */
void hd_kernel_collect(hd_op *fusion, hd_arena *arena, hd_kernel_set *set);
bool hd_kernel_has_output(const hd_kernel_set *set, const hd_value *buffer);
/* Whether disc-lhlo-legalize-to-loop has been at |fusion|: what has become a loop is no op of its kernel any more. */
bool hd_fusion_has_loops(hd_op *fusion);
/* The dynamic_update_slice that |set| is, with what makes its update inline; null when it is something else, or when
 * its operand is not in memory. */
hd_op *hd_update_of(const hd_kernel_set *set);
/* The scatter that is the last of |set|, after inline ops, or null. */
hd_op *hd_scatter_of(const hd_kernel_set *set);
/* The scan among the ops of |set|, or null. */
hd_op *hd_scan_of(const hd_kernel_set *set);
/* The first product (dot or convolution) of |set|, or of |count| ops, of whatever types; null when there is none. */
hd_op *hd_kernel_product(const hd_kernel_set *set);
hd_op *hd_product_among(hd_op *const *ops, size_t count);
/* The product of |set| that a library call can compute, or null. */
hd_op *hd_library_product(const hd_kernel_set *set);
/* Is the only output of |set| the result of |product| or a transpose of it? */
bool hd_is_plain_product(const hd_kernel_set *set, hd_op *product);
/* True when |set| is integer arithmetic on single elements, which the host does itself:
 * a launch would cost more than the work. */
bool hd_is_host_arithmetic(const hd_kernel_set *set);

#endif
