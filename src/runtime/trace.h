/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline: spans of time per thread, written as Chrome trace JSON. When off, a hook costs one load and one branch.
 * Thread-safe. */
#ifndef HD_RUNTIME_TRACE_H_
#define HD_RUNTIME_TRACE_H_

#include <stdatomic.h>
#include <stddef.h>

#include "base/status.h"
#include "heddle/runtime.h"

typedef struct hd_trace hd_trace;

struct hd_trace_head {
  atomic_bool on;
};

hd_status hd_trace_create(hd_trace **out_trace) HD_MUST_USE;
void hd_trace_free(hd_trace *trace);
void hd_trace_set(hd_trace *trace, bool on);
/* |trace| may be null: off. */
static inline bool hd_trace_is_on(const hd_trace *trace) {
  return trace && atomic_load_explicit(&((const struct hd_trace_head *)trace)->on, memory_order_relaxed);
}
/* Nanoseconds of the monotonic clock. */
int64_t hd_trace_now(void);
/* A copy of |text| that lives as long as |trace|; equal texts are one pointer. "" when memory is short. */
const char *hd_trace_intern(hd_trace *trace, const char *text);
/* Records a span of this thread. |category| is static, |name| and |detail| ("" for none) interned. |items| < 0: none.
 * When memory is short, or a thread has a million spans, the span is dropped and counted. */
void hd_trace_span(hd_trace *trace, const char *category, const char *name, const char *detail, int64_t items,
                   int64_t start_ns, int64_t end_ns);
/* Calls |visit| with each span of each thread, in the order in which they ended, and forgets them. |visit| must not run
 * anything that is traced. */
void hd_trace_take(hd_trace *trace, void (*visit)(void *user, const struct hd_profile_span *span), void *user);
/* malloc'ed and NUL-terminated. */
hd_status hd_trace_json(hd_trace *trace, char **out_json, size_t *out_size) HD_MUST_USE;

#endif
