/* SPDX-License-Identifier: Apache-2.0 */
/* HLO text, XLA's textual form: reading into the graph dialects and printing them. Any bytes may be given: a wrong
 * program gives located diagnostics in the context and an error status, in time and memory linear in its size.
 * Thread-compatible, see ir/context.h.
 *
 * What becomes of a module (docs/design/hlo.md): the entry computation is the one public function, called computations
 * are private ones, computations of reductions, loops, branches and fusions are regions. Tuples are flattened: an
 * instruction of tuple shape is several values. */
#ifndef HD_HLO_HLO_H_
#define HD_HLO_HLO_H_

#include "ir/op.h"

/* True when the first words are those of HLO text: `HloModule`, `ENTRY`, or a computation `%name (`, `name {`. */
bool hd_hlo_is(hd_str source);

/* Reads a module. |source| is borrowed during the call only. Structure, names and shapes are checked here; what ops
 * demand is hd_verify's. On success the caller owns |*out_module| (hd_module_free). */
hd_status hd_hlo_parse(hd_context *context, hd_str source, const char *file_name, hd_module **out_module) HD_MUST_USE;

/* Appends |module|, which verifies, to |out| as HLO text that hd_hlo_parse reads as the same module. Fails with a
 * diagnostic at the op that HLO text cannot express. */
hd_status hd_hlo_print(hd_module *module, hd_strbuf *out) HD_MUST_USE;

#endif
