/* SPDX-License-Identifier: Apache-2.0 */
/* What every door does first: a context whose diagnostics reach the caller, and a program read into it. */
#ifndef HD_DRIVER_SESSION_H_
#define HD_DRIVER_SESSION_H_

#include "heddle/compile.h"
#include "ir/op.h"

typedef struct hd_session {
  hd_context *context;
  hd_message_sink sink;
} hd_session;

/* |memory_limit| bytes for the compiler's data, 0 for none. Diagnostics go to |sink|, rendered; without one they are
 * collected in the context. Fills |out_session| in place: it must stay where it is. */
hd_status hd_session_open(hd_session *out_session, size_t memory_limit, hd_message_sink sink) HD_MUST_USE;
void hd_session_close(hd_session *session);

/* Reads text or bytecode, told apart by the first bytes, unverified. |source| must outlive the context's diagnostics.
 */
hd_status hd_program_read(hd_context *context, hd_str source, const char *name, hd_module **out_module) HD_MUST_USE;

/* Reads text or bytecode, told apart by the first bytes, and verifies it. |program| is borrowed until the session is
 * closed. The caller owns |*out_module|. Must run inside hd_guarded_call. */
hd_status hd_session_load(hd_session *session, const void *program, size_t size, const char *name,
                          hd_module **out_module) HD_MUST_USE;

/* The same, and arguments of the entry that the target supplies become constants, so that no door sees them:
 * {jax.global_constant = "_platform_index"}, which an export for several platforms has, is |options|' platform_index.
 * Index 0 without options: the program does not say its platforms, and most exports name the CPU first. A program
 * without the entry is left as it is. |options| may be null. */
hd_status hd_session_load_entry(hd_session *session, const void *program, size_t size, const char *name,
                                const hd_compile_options *options, hd_module **out_module) HD_MUST_USE;

#endif
