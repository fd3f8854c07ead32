/* SPDX-License-Identifier: Apache-2.0 */
/* Spellings of older programs, read as today's; printing knows only these. */
#ifndef HD_TEXT_UPGRADE_H_
#define HD_TEXT_UPGRADE_H_

#include "text/parser.h"

/* |attr|, the value of an attribute |name| that a row constrains by |constraint|, as it is written today:
 *
 *   dense<[0, 1]> : tensor<2xi64>         array<i64: 0, 1>                            where the row has dims or
 *                                                                                     bool_array
 *   "LT"                                  #stablehlo<comparison_direction LT>         where it has an enum
 *   ["DEFAULT", "HIGHEST"]                [#stablehlo<precision DEFAULT>, ...]        precision_config
 *   {offset_dims = dense<1> : ..., ...}   #stablehlo.gather<offset_dims = [1], ...>   where it has a struct
 *
 * What is none of these, or does not fit, stays as it is, for the verifier to tell. */
hd_attr hd_upgrade_attr(hd_parser *p, hd_ident name, hd_str constraint, hd_attr attr);

/* The name of today for an op of older programs ("mhlo.dynamic-slice"), null when |name| is none. Of an op that has
 * become another one with an attribute (rng_uniform), these are |*out_attr| and |*out_value|, else null. */
const char *hd_upgrade_op(hd_context *context, hd_str name, const char **out_attr, hd_attr *out_value);

struct hd_op_parser;
/* What |op|, read and not resolved yet, says in words of older programs, in today's:
 *
 *   tt.load %p {cache = 1 : i32, ...} : tensor<64xf32>          : tensor<64x!tt.ptr<f32>>
 *   tt.dot ... {allowTF32 = true}                               inputPrecision = tf32
 *   tt.reshape ... {allow_reorder = false}                      nothing
 *
 * False after an error. */
bool hd_upgrade_types(struct hd_op_parser *op);
bool hd_upgrade_attrs(struct hd_op_parser *op);
/* |op| is of Triton's dialects, whose older formats write operand types in brackets: (t) -> t. */
bool hd_upgrade_has_brackets(const struct hd_op_parser *op);

/* The dialect of today for one that had another name: ttg for triton_gpu. |dialect| itself when it is none of these. */
hd_str hd_upgrade_dialect(hd_str dialect);
/* The same of the row |name| in a dialect that hd_upgrade_dialect has made of today: swizzled_shared for ttg's shared.
 */
hd_str hd_upgrade_row(hd_str dialect, hd_str name);
/* The same of the name of an op or of an attribute, "triton_gpu.num-warps": |scratch| holds what is new. */
hd_str hd_upgrade_name(hd_arena *scratch, hd_str name);

/* Is |name| a parameter of older layouts, which |row| does not have? */
bool hd_upgrade_knows(int row, hd_str name);
/* Takes the |value| of such a parameter where it says what is so without it:
 *
 *   CTAsPerCGA = [1, 1], CTASplitNum = [1, 1], CTAOrder = [1, 0], hasLeadingOffset = false
 *
 * False, with an error, when it says something else. A leading offset sets |*out_leading_offset|: the layout is another
 * one. */
bool hd_upgrade_param(hd_parser *p, int row, hd_str name, hd_attr value, bool *out_leading_offset);
/* |layout|, a swizzled_shared with a leading offset, as the nvmma_shared that it is; an error at |at| when it is none.
 */
hd_attr hd_upgrade_leading_offset(hd_parser *p, const char *at, hd_attr layout);
/* The value of parameter |index| of |row|, which older layouts leave out: instrShape of an mma; null when there is
 * none. */
hd_attr hd_upgrade_missing(hd_context *context, int row, const hd_attr *params, size_t index);

#endif
