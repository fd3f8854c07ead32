/* SPDX-License-Identifier: Apache-2.0 */
/* AxisInfo of all values of a module: through arithmetic, tt ops, loops and calls, to a fixed point.
 *
 * What is known of an argument is what its hints say (tt.contiguity, tt.divisibility, tt.constancy), of a private
 * function's also what all of its callers pass; what the hints of an op say replaces what it computes. Loops begin with
 * what enters them, and what is carried takes off what does not hold. Results of calls are unknown. Thread-compatible.
 */
#ifndef HD_ANALYSIS_AXIS_INFO_PROGRAM_H_
#define HD_ANALYSIS_AXIS_INFO_PROGRAM_H_

#include "analysis/axis_info/axis_info.h"
#include "ir/op.h"

typedef struct hd_axis_infos hd_axis_infos;

/* Of each function with a body its name on a line, "@add", then of each op with results the op, and what is known of
 * each result, after "=>". */
void hd_axis_print_ops(hd_module *module, hd_strbuf *out);

#endif
