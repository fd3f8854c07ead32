/* SPDX-License-Identifier: Apache-2.0 */
/* The function that a program starts with. */
#ifndef HD_PASSES_GRAPH_ENTRY_H_
#define HD_PASSES_GRAPH_ENTRY_H_

#include "pass/pass.h"

/* The function that the option "entry" names, else `main`, else the only public one. Null, with an error reported, when
 * there is none that has a body. */
hd_op *hd_require_entry(hd_pass *pass);

#endif
