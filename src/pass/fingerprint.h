/* SPDX-License-Identifier: Apache-2.0 */
/* Did a pass change the program? A hash of everything that a pass can change but locations. Thread-compatible. */
#ifndef HD_PASS_FINGERPRINT_H_
#define HD_PASS_FINGERPRINT_H_

#include "ir/op.h"

/* Of |op| with all in its regions, and of which ops are beside it and its parents. Ops, values and blocks count by
 * identity, as analyses hold them: an op replaced by an equal one is a change. Equal within one process and module
 * only. */
uint64_t hd_fingerprint(hd_op *op);

#endif
