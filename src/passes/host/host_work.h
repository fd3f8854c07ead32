/* SPDX-License-Identifier: Apache-2.0 */
/* What the host may compute in place of the device: a few numbers that shapes follow from. */
#ifndef HD_PASSES_HOST_HOST_WORK_H_
#define HD_PASSES_HOST_HOST_WORK_H_

#include "pass/pass.h"

/* How many elements are few: the default of disc-placer, in its row (driver/passes_test.c compares them). */
enum { HD_HOST_MAX_ELEMENTS = 64 };

/* True for ops that read a size off a type, and so work on data wherever it is. */
bool hd_reads_types_only(const hd_op *op);
/* Are they a known number of at most |max_elements| integers, or floats with |floats|? */
bool hd_host_may_hold(hd_type type, int64_t max_elements, bool floats);
/* May the host compute |op|: free of effects, no control flow, on and to what it may hold? Regions on elements, such as
 * those of a reduction or a sort, are part of the op, and what they use from outside are operands. */
bool hd_host_may_compute(hd_op *op, int64_t max_elements, bool floats, hd_arena *scratch);

#endif
