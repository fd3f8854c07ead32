/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of custom calls by their target alone. */
#ifndef HD_IR_CUSTOM_CALLS_H_
#define HD_IR_CUSTOM_CALLS_H_

#include <stdbool.h>

#include "base/strbuf.h"

/* Annotations for other compilers: each result is the operand of its number. */
bool hd_custom_call_is_annotation(hd_str target);

/* Targets that compiling gives a meaning of its own: assertions, checks and what passes write themselves. */
bool hd_custom_call_is_compiled(hd_str target);

#endif
