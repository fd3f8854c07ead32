/* SPDX-License-Identifier: Apache-2.0 */
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

int main(void) {
  hd_bounds *bounds;
  HD_CHECK_OK(hd_bounds_create(&bounds));
  static const size_t sizes[] = {0, 1, 63, 64, 65, 4095, 4096, 4097, 100000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    size_t bytes = sizes[i];
    void *memory;
    HD_CHECK_OK(hd_bounds_take(bounds, bytes, &memory));
    char *data = memory;
    HD_CHECK(((uintptr_t)data & 63) == 0 && hd_bounds_has(bounds, data));
    memset(data, 7, bytes);
    HD_CHECK_OK(hd_bounds_check(bounds));
    data[-1] = 0;
    HD_CHECK_FAILS(hd_bounds_check(bounds), HD_INTERNAL, "writes 1 bytes before a buffer");
    HD_CHECK_OK(hd_bounds_check(bounds));
    if (bytes % 64) {
      data[bytes] = 0;
      HD_CHECK_FAILS(hd_bounds_check(bounds), HD_INTERNAL, "of a buffer of");
    }
    HD_CHECK(faults(data, (long)(bytes + 63) / 64 * 64 + (bytes ? 0 : 64)));
    data[-64] = 0;
    hd_bounds_give(bounds, data); /* is told by the next check */
    HD_CHECK_FAILS(hd_bounds_check(bounds), HD_INTERNAL, "writes 64 bytes before a buffer");
    HD_CHECK_OK(hd_bounds_check(bounds));
  }
  hd_bounds_free(bounds);
  return HD_TEST_RESULT();
}
