/* SPDX-License-Identifier: Apache-2.0 */
/* Spellings of older programs, read as today's; printing knows only these. */
#ifndef HD_TEXT_UPGRADE_H_
#define HD_TEXT_UPGRADE_H_

#include "text/parser.h"

/* |attr|, the value of an attribute |name| that a row constrains by |constraint|, as it is written today:
 *
 *   dense<[0, 1]> : tensor<2xi64>                 array<i64: 0, 1>                      where the row has dims or
 * bool_array "LT"                                          #stablehlo<comparison_direction LT>   where it has an enum
 *   ["DEFAULT", "HIGHEST"]                        [#stablehlo<precision DEFAULT>, ...]  precision_config
 *   {offset_dims = dense<1> : ..., ...}           #stablehlo.gather<offset_dims = [1], ...>   where it has a struct
 *
 * What is none of these, or does not fit, stays as it is, for the verifier to tell. */
hd_attr hd_upgrade_attr(hd_parser *p, hd_ident name, hd_str constraint, hd_attr attr);

/* The name of today for an op of older programs ("mhlo.dynamic-slice"), null when |name| is none. Of an op that has
 * become another one with an attribute (rng_uniform), these are |*out_attr| and |*out_value|, else null. */
const char *hd_upgrade_op(hd_context *context, hd_str name, const char **out_attr, hd_attr *out_value);

#endif
