/* SPDX-License-Identifier: Apache-2.0 */
/* Ops of machine form that count on subgroups of 32 threads. */
#ifndef HD_PASSES_MACHINE_SUBGROUPS_H_
#define HD_PASSES_MACHINE_SUBGROUPS_H_

#include "ir/op.h"

/* Do values go between lanes, or are threads numbered by lanes, in |op|? Kernels without such ops run on subgroups of any size. */
bool hd_goes_by_lanes(const hd_op *op);

#endif
