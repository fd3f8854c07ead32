/* SPDX-License-Identifier: Apache-2.0 */
/* The place of an op in a message of a run. */
#ifndef HD_SHAPE_PLACE_H_
#define HD_SHAPE_PLACE_H_

#include "base/strbuf.h"
#include "ir/attributes.h"

/* "file:line:col: " of |loc|, of the first place that a fused or called one was made of; nothing where it has none. */
void hd_shape_place_print(hd_strbuf *out, hd_loc loc);

#endif
