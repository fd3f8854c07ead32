/* SPDX-License-Identifier: Apache-2.0 */
/* What fuzzers of readers share: an input is run in a context of its own, in bounded memory and without output; an
 * INTERNAL status, a fault of Heddle's own, ends the process. */
#ifndef HD_IR_FUZZING_H_
#define HD_IR_FUZZING_H_

#include <stdlib.h>

#include "ir/context.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct hd_fuzz_job {
  hd_context *context;
  const uint8_t *data;
  size_t size;
  hd_status (*run)(struct hd_fuzz_job *job);
} hd_fuzz_job;

static inline void hd_fuzz_ignore(void *user, const hd_diagnostic *diagnostic) { (void)user, (void)diagnostic; }
static inline hd_status hd_fuzz_run(void *job) { return ((hd_fuzz_job *)job)->run(job); }
static inline hd_str hd_fuzz_text(const hd_fuzz_job *job) { return (hd_str){(const char *)job->data, job->size}; }

/* |prepare|, which may be null, sets up the context. */
static inline int hd_fuzz_in_context(const uint8_t *data, size_t size, void (*prepare)(hd_fuzz_job *job),
                                     hd_status (*run)(hd_fuzz_job *job)) {
  hd_fuzz_job job = {.data = data, .size = size, .run = run};
  hd_status status = hd_context_create(256u << 20, &job.context);
  if (hd_is_ok(status)) {
    job.context->sink = hd_fuzz_ignore;
    if (prepare) prepare(&job);
    status = hd_guarded_call(hd_fuzz_run, &job);
    if (hd_status_code_of(status) == HD_INTERNAL) abort();
    hd_context_release(job.context);
  }
  hd_status_free(status);
  return 0;
}

#endif
