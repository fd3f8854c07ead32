/* SPDX-License-Identifier: Apache-2.0 */
/* What every door does first: a context whose diagnostics reach the caller, and a program read into it. */
#ifndef HD_DRIVER_SESSION_H_
#define HD_DRIVER_SESSION_H_

#include "base/strbuf.h"
#include "heddle/compile.h"
#include "ir/op.h"

typedef struct hd_session {
  hd_context *context;
  hd_message_sink sink;
} hd_session;

/* |options| as a caller gave them, which may be null, with the defaults of what is beyond their struct_size. Every door
 * reads them here. INVALID_ARGUMENT names the field for a list or a name that is null where its count says otherwise.
 */
hd_status hd_compile_options_read(const hd_compile_options *options, hd_compile_options *out_known) HD_MUST_USE;

/* The session has the memory and the time that |options| (hd_compile_options_read's, null: none) allow. Diagnostics go
 * to |sink|, rendered; without one they are collected in the context. Fills |out_session| in place: it must stay where
 * it is. */
hd_status hd_session_open(hd_session *out_session, const hd_compile_options *options, hd_message_sink sink) HD_MUST_USE;
/* |diagnostic|, rendered without a final newline, to |sink|, which may have no function. */
void hd_sink_give(hd_message_sink sink, hd_context *context, const hd_diagnostic *diagnostic);
/* hd_eval_options.print, for hd_session *|session|: what the program prints reaches the sink as a remark. */
void hd_session_print(void *session, const char *text);
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
 * Index 0 without options: the program does not say its platforms, and most exports name the CPU first. NOT_FOUND when
 * the program has no function that |options| (may be null) name as its entry; without a name, a program with no entry
 * is left as it is. */
hd_status hd_session_load_entry(hd_session *session, const void *program, size_t size, const char *name,
                                const hd_compile_options *options, hd_module **out_module) HD_MUST_USE;

/* A copy of |text| for the caller of a door. RESOURCE_EXHAUSTED leaves an empty blob. */
hd_status hd_blob_of(const hd_strbuf *text, hd_blob *out_blob) HD_MUST_USE;

#endif
