/* SPDX-License-Identifier: Apache-2.0 */
/* Names of values and blocks while reading. A region is a scope; names of an isolated region hide all from outside.
 * Values and blocks may be used before they are defined, within their isolated part. */
#ifndef HD_TEXT_SCOPES_H_
#define HD_TEXT_SCOPES_H_

#include "text/parse_op.h"

typedef struct hd_scopes hd_scopes;

void hd_scope_push(hd_parser *p, bool isolated);
/* Ends a region: false with an error when something that was used is not defined. */
bool hd_scope_pop(hd_parser *p);
/* |values| are %name#0, %name#1, ...; their forward references become real uses. */
bool hd_define_values(hd_parser *p, hd_str name, const char *at, hd_value **values, uint32_t count);
/* The block of a label in the current region, made when first named. */
hd_block *hd_use_block(hd_parser *p, hd_str label, const char *at);
/* Its definition; null when there was one. */
hd_block *hd_define_block(hd_parser *p, hd_str label, const char *at);

#endif
