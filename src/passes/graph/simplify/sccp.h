/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of sccp: what is known of values, and where control flow goes then. */
#ifndef HD_PASSES_GRAPH_SIMPLIFY_SCCP_H_
#define HD_PASSES_GRAPH_SIMPLIFY_SCCP_H_

#include "base/vec.h"
#include "pass/pass.h"

typedef struct hd_sccp {
  hd_pass *pass;
  hd_map values;   /* hd_value -> constant or HD_SCCP_VARIES */
  hd_map live;     /* blocks that are reached */
  hd_map callable; /* functions that are followed -> their calls */
  hd_vec(hd_op *) work;
  hd_map queued;
} hd_sccp;

/* Stands for "varies" where otherwise a constant is; null is "not known yet". */
extern const struct hd_attr_storage hd_sccp_varies;
#define HD_SCCP_VARIES (&hd_sccp_varies)

/* The first block of region |r|; null when there is none. */
hd_block *hd_sccp_entry(hd_op *op, uint32_t r);
/* The region that a branch op runs: its number, -1 when any may, -2 when that is not known yet. */
int64_t hd_sccp_region_taken(hd_sccp *s, hd_op *op);
/* The successor that |op| goes to, in the same way. */
int64_t hd_sccp_successor_taken(hd_sccp *s, hd_op *op);

/* What was found is written: values that are constant are replaced, dead ops go (sccp_write.c). */
void hd_sccp_write(hd_sccp *s, hd_op *module);
/* Branches that are decided are taken, blocks that nothing reaches go. */
void hd_sccp_simplify(hd_sccp *s, hd_op *module);

#endif
