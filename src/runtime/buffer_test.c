/* SPDX-License-Identifier: Apache-2.0 */
/* Elements to and from the host's memory, also where that is the buffer's own. */
#include <string.h>

#include "base/testing.h"
#include "heddle/runtime.h"

enum { COUNT = 6, ROOM = 64 };

/* A wide enough array whose first bytes count up, for buffers that are in it. */
static _Alignas(64) float memory[ROOM];

static void count_up(void) {
  for (int i = 0; i < ROOM; ++i) memory[i] = (float)i;
}

static hd_buffer *wrap(hd_runtime *runtime, const int64_t *dims, const int64_t *strides) {
  hd_buffer *buffer = NULL;
  HD_CHECK_OK(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 2, dims, strides, memory, NULL, NULL, &buffer));
  return buffer;
}

/* Dense elements move as if by a copy of their own. */
static void check_dense(hd_runtime *runtime) {
  static const int64_t dims[] = {2, 3};
  count_up();
  hd_buffer *buffer = wrap(runtime, dims, NULL);
  HD_CHECK_OK(hd_buffer_read(buffer, memory + 1, COUNT * sizeof *memory));
  for (int i = 0; i < COUNT; ++i) HD_CHECK(memory[1 + i] == (float)i);
  count_up();
  HD_CHECK_OK(hd_buffer_write(buffer, memory + 2, COUNT * sizeof *memory));
  for (int i = 0; i < COUNT; ++i) HD_CHECK(memory[i] == (float)(i + 2));
  HD_CHECK_FAILS(hd_buffer_read(buffer, memory, 1), HD_INVALID_ARGUMENT, "expected 24 bytes");
  hd_buffer_release(buffer);
}

static void check_strided(hd_runtime *runtime) {
  static const int64_t dims[] = {2, 3}, strides[] = {1, 4};
  count_up();
  hd_buffer *buffer = wrap(runtime, dims, strides);
  float out[COUNT];
  static const float want[COUNT] = {0, 4, 8, 1, 5, 9};
  HD_CHECK_OK(hd_buffer_read(buffer, out, sizeof out));
  HD_CHECK(!memcmp(out, want, sizeof out));
  HD_CHECK_FAILS(hd_buffer_read(buffer, memory + 9, sizeof out), HD_INVALID_ARGUMENT, "the buffer's own");
  HD_CHECK_OK(hd_buffer_read(buffer, memory + 10, sizeof out)); /* after the last element */
  HD_CHECK(!memcmp(memory + 10, want, sizeof out));
  hd_buffer_release(buffer);
}

int main(void) {
  hd_runtime *runtime;
  if (!HD_CHECK_OK(hd_runtime_create(NULL, &runtime))) return HD_TEST_RESULT();
  check_dense(runtime);
  check_strided(runtime);
  hd_runtime_release(runtime);
  return HD_TEST_RESULT();
}
