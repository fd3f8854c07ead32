/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a function (hd.messages), by whose numbers calls of the runtime say what went wrong. */
#ifndef HD_PASSES_MESSAGES_H_
#define HD_PASSES_MESSAGES_H_

#include "pass/pass.h"

typedef struct hd_messages {
  hd_pass *pass;
  hd_op *func;
  hd_vec(hd_attr) list;
  hd_map numbers; /* message -> number + 1 */
} hd_messages;

/* What |func| has; what is added is in it after hd_messages_end. */
void hd_messages_begin(hd_messages *messages, hd_pass *pass, hd_op *func);
void hd_messages_end(hd_messages *messages);
/* The number of |text|; equal ones are one. */
int64_t hd_message_add(hd_messages *messages, const char *text);
/* The same with "file:line:column: " before it, where |loc| tells. */
int64_t hd_message_add_at(hd_messages *messages, hd_loc loc, const char *text);
/* "file:line:column", for calls of the runtime that say themselves what went wrong; -1 where |loc| does not tell. */
int64_t hd_message_add_place(hd_messages *messages, hd_loc loc);

#endif
