/* SPDX-License-Identifier: Apache-2.0 */
/* What text leaves out, as MLIR does, and readers and printers know. */
#ifndef HD_TEXT_IMPLIED_H_
#define HD_TEXT_IMPLIED_H_

#include "ir/op.h"

/* The default dialect of ops in the regions of |opcode|, "" when none. */
hd_str hd_default_dialect(hd_opcode opcode);
/* The name of the terminator that |info|'s regions may leave out; null: none. */
const char *hd_implicit_terminator(const hd_op_info *info);
/* The region does not see values from outside. */
static inline bool hd_is_isolated(const hd_op_info *info) { return (info->traits & HD_TRAIT(ISOLATED)) != 0; }

#endif
