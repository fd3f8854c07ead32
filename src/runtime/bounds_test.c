/* SPDX-License-Identifier: Apache-2.0 */
/* Guard bytes around buffers (the bounds checker): a write beside a buffer is attributed to an execution, once. */
#include "runtime/bounds.h"

#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/testing.h"

/* Does |offset| of |data| fault when it is read? */
static bool faults(const char *data, long offset) {
  pid_t child = fork();
  if (!child) {
    /* A sanitizer would end the process by itself, with a report. */
    volatile char read = ((const volatile char *)data)[offset];
    (void)read;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static char *take(hd_bounds *bounds, size_t bytes) {
  void *data;
  HD_CHECK_OK(hd_bounds_take(bounds, bytes, &data));
  return data;
}

/* What is written beside a buffer is reported to its execution, beside a shared one to all that are under way. */
static void check_runs(hd_bounds *bounds) {
  hd_bounds_run a, b, later;
  char *own = take(bounds, 60), *shared = take(bounds, 60);
  hd_bounds_begin(bounds, &a);
  hd_bounds_begin(bounds, &b);
  hd_bounds_claim(bounds, &a, own);
  own[60] = 1;
  HD_CHECK_OK(hd_bounds_check(bounds, &b));
  HD_CHECK_FAILS(hd_bounds_check(bounds, &a), HD_INTERNAL, "writes at byte 60 of a buffer of 60 bytes");
  HD_CHECK_OK(hd_bounds_check(bounds, &a));
  shared[-3] = 1;
  HD_CHECK_FAILS(hd_bounds_check(bounds, &b), HD_INTERNAL,
                 "writes 3 bytes before a buffer of 60 bytes that executions share, it or another execution");
  HD_CHECK_OK(hd_bounds_check(bounds, &b));
  hd_bounds_begin(bounds, &later);
  HD_CHECK_OK(hd_bounds_end(bounds, &later));
  HD_CHECK_FAILS(hd_bounds_check(bounds, &a), HD_INTERNAL, "that executions share");
  own[61] = 1;
  HD_CHECK_FAILS(hd_bounds_end(bounds, &a), HD_INTERNAL, "writes at byte 61 of a buffer of 60 bytes");
  own[62] = 1; /* it is shared now, and one execution is under way */
  HD_CHECK_FAILS(hd_bounds_check(bounds, &b), HD_INTERNAL, "a buffer of 60 bytes that executions share");
  HD_CHECK_OK(hd_bounds_end(bounds, &b));
  hd_bounds_give(bounds, own);
  hd_bounds_give(bounds, shared);
}

/* What is given back twice, or is no buffer, is reported once. */
static void check_gives(hd_bounds *bounds) {
  hd_bounds_run run;
  char *data = take(bounds, 60), here;
  hd_bounds_begin(bounds, &run);
  hd_bounds_give(bounds, data);
  hd_bounds_give(bounds, NULL);
  HD_CHECK_OK(hd_bounds_check(bounds, &run));
  hd_bounds_give(bounds, data);
  HD_CHECK_FAILS(hd_bounds_check(bounds, &run), HD_INTERNAL, "gives back memory that is no buffer, or a buffer twice");
  HD_CHECK_OK(hd_bounds_check(bounds, &run));
  hd_bounds_give(bounds, &here);
  HD_CHECK_FAILS(hd_bounds_end(bounds, &run), HD_INTERNAL, "gives back memory that is no buffer");
}

int main(void) {
  hd_bounds *bounds;
  HD_CHECK_OK(hd_bounds_create(&bounds));
  check_runs(bounds);
  check_gives(bounds);
  hd_bounds_run run;
  hd_bounds_begin(bounds, &run);
  static const size_t sizes[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, 100000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    size_t bytes = sizes[i];
    void *memory;
    HD_CHECK_OK(hd_bounds_take(bounds, bytes, &memory));
    char *data = memory;
    HD_CHECK(((uintptr_t)data & 63) == 0);
    if (i % 2) hd_bounds_claim(bounds, &run, data);
    memset(data, 7, bytes);
    HD_CHECK_OK(hd_bounds_check(bounds, &run));
    data[-1] = 0;
    HD_CHECK_FAILS(hd_bounds_check(bounds, &run), HD_INTERNAL, "writes 1 bytes before a buffer");
    HD_CHECK_OK(hd_bounds_check(bounds, &run));
    if (bytes % 64) {
      data[bytes] = 0;
      HD_CHECK_FAILS(hd_bounds_check(bounds, &run), HD_INTERNAL, "of a buffer of");
    }
    HD_CHECK(faults(data, (long)(bytes + 63) / 64 * 64 + (bytes ? 0 : 64)));
    data[-64] = 0;
    hd_bounds_give(bounds, data); /* reported by the next check */
    HD_CHECK_FAILS(hd_bounds_check(bounds, &run), HD_INTERNAL, "writes 64 bytes before a buffer");
    HD_CHECK_OK(hd_bounds_check(bounds, &run));
  }
  HD_CHECK_OK(hd_bounds_end(bounds, &run));
  hd_bounds_free(bounds);
  return HD_TEST_RESULT();
}
