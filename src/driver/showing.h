/* SPDX-License-Identifier: Apache-2.0 */
/* What the doors that show layouts and indexing maps share: sizes as users write them, and the run of a door. */
#ifndef HD_DRIVER_SHOWING_H_
#define HD_DRIVER_SHOWING_H_

#include "driver/session.h"

/* "16x16": one to |most| numbers from 1 to INT32_MAX. INVALID_ARGUMENT says what was expected. */
hd_status hd_read_sizes(const char *text, uint32_t most, int64_t *out_sizes, uint32_t *out_count) HD_MUST_USE;
/* |bits|, which are |at| bytes into the caller's |options|, become 32 where these are null or end before them.
 * INVALID_ARGUMENT for others than 8, 16, 32 and 64. */
hd_status hd_settle_element_bits(const void *options, size_t at, uint32_t *bits) HD_MUST_USE;
/* Opens |session| and |arena| for the run of |show| on |user|, which puts text into |out|: the caller's, as
 * |*out_text|. */
hd_status hd_show(hd_session *session, hd_arena *arena, hd_strbuf *out, hd_status (*show)(void *user), void *user,
                  hd_message_sink sink, hd_blob *out_text) HD_MUST_USE;

#endif
