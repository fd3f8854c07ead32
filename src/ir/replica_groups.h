/* SPDX-License-Identifier: Apache-2.0 */
/* The groups of a collective. */
#ifndef HD_IR_REPLICA_GROUPS_H_
#define HD_IR_REPLICA_GROUPS_H_

#include "ir/op.h"

/* The `replica_groups` of |op| as a matrix of ids, a row per group: itself when it is one; what a
 * #stablehlo.replica_group_mesh_axes stands for, whose groups run over its axes, the first slowest, and whose rows over
 * the mesh's others. Null when it is neither, or names what is not there. */
hd_attr hd_replica_groups(hd_op *op);

#endif
