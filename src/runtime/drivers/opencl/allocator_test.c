/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver asks a device for, on one that only takes notes. */
#include <stdlib.h>

#include "base/testing.h"
#include "runtime/drivers/opencl/opencl.h"

static size_t asked;

static void *allocate(cl_context context, cl_ulong flags, size_t bytes, cl_uint alignment) {
  (void)context, (void)flags, (void)alignment;
  asked = bytes;
  return malloc(bytes);
}

static void release(cl_context context, void *data) {
  (void)context;
  free(data);
}

static const hd_cl_api api = {.clSVMAlloc = allocate, .clSVMFree = release};
static hd_opencl_device device = {.cl = &api, .info = {.global_bytes = 1024}};
static hd_opencl_driver driver = {.device = &device, .cl = &api};

/* An atomic update of the last of 5 bytes exchanges the word that they end in. */
static void test_whole_words(void) {
  static const size_t wanted[][2] = {{1, 4}, {4, 4}, {5, 8}, {10, 12}, {1023, 1024}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    void *data;
    if (!HD_CHECK_OK(hd_opencl_memory_allocate(&driver.base, wanted[i][0], &data))) return;
    HD_CHECK_INT(asked, wanted[i][1]);
    HD_CHECK(hd_opencl_owns(&driver.base, data));
    hd_opencl_memory_release(&driver.base, data, wanted[i][0]);
  }
  void *data;
  HD_CHECK_FAILS(hd_opencl_memory_allocate(&driver.base, SIZE_MAX, &data), HD_RESOURCE_EXHAUSTED,
                 "no memory for a buffer");
}

int main(void) {
  HD_CHECK(hd_simt_ranges_init(&driver.ranges));
  test_whole_words();
  hd_simt_ranges_free(&driver.ranges);
  return HD_TEST_RESULT();
}
