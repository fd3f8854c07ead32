/* SPDX-License-Identifier: Apache-2.0 */
/* A forked child records and takes spans, whatever its parent's threads did with the timeline at the fork. */
#include "runtime/trace.h"

#include <stdlib.h>

#include "base/fork_testing.h"

enum { CHILDREN = 200 };

static void count(void *user, const hd_profile_span *span) {
  (void)span;
  ++*(int64_t *)user;
}

static void use(void *user) {
  hd_trace *trace = user;
  int64_t spans = 0;
  hd_trace_span(trace, "test", hd_trace_intern(trace, "span"), "", -1, 0, 1);
  hd_trace_take(trace, count, &spans);
}

static bool in_child(void *user) {
  hd_trace *trace = user;
  int64_t spans = 0;
  hd_trace_take(trace, count, &spans);
  hd_trace_span(trace, "test", hd_trace_intern(trace, "of the child"), "", -1, 0, 1);
  spans = 0;
  hd_trace_take(trace, count, &spans);
  hd_trace_free(trace);
  return spans == 1;
}

int main(void) {
  hd_trace *trace;
  if (!HD_CHECK_OK(hd_trace_create(&trace))) return HD_TEST_RESULT();
  hd_test_forks(CHILDREN, use, in_child, trace);
  hd_trace_free(trace);
  return HD_TEST_RESULT();
}
