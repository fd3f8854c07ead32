/* SPDX-License-Identifier: Apache-2.0 */
/* On the library that stands in for CUDA's driver, which refuses the first mark (HEDDLE_STAND_IN_REFUSED_WRITE=1): a
 * wait says so, the next wait writes it, and a kernel that fails then is named alone. Prints what was said. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/driver.h"

static const char ptx[] = "// two kernels\n.version 8.0\n.target sm_80\n.entry first()\n.entry second()\n";

#define MUST(condition)                                     \
  do {                                                      \
    if (condition) break;                                   \
    printf("line %d: expected %s\n", __LINE__, #condition); \
    return 1;                                               \
  } while (0)

static hd_status launch(hd_driver *driver, hd_stream *stream, hd_device_image *image, const char *name) {
  hd_grid_launch l = {.image = image, .grid = {1, 1, 1}, .block = {1, 1, 1}, .name = name, .source = "a test"};
  HD_TRY(hd_device_kernel_find(driver, image, name, &l.kernel));
  return hd_stream_launch_grid(driver, stream, &l);
}

static bool fails(hd_status status) {
  bool failed = !hd_is_ok(status);
  printf("%s\n", hd_status_message(status));
  hd_status_free(status);
  return failed;
}

int main(void) {
  hd_driver *driver;
  hd_stream *stream;
  hd_device_image *image;
  MUST(hd_is_ok(hd_driver_open("cuda", &(hd_driver_config){0}, &driver)));
  MUST(hd_is_ok(hd_stream_create(driver, &stream)));
  MUST(hd_is_ok(hd_device_image_load(driver, ptx, sizeof ptx, &image)));
  MUST(hd_is_ok(launch(driver, stream, image, "first")));
  MUST(fails(hd_stream_wait(driver, stream)));
  MUST(hd_is_ok(hd_stream_wait(driver, stream)));
  setenv("HEDDLE_STAND_IN_FAILS", "second", 1);
  MUST(hd_is_ok(launch(driver, stream, image, "second")));
  MUST(fails(hd_stream_wait(driver, stream)));
  hd_device_image_unload(driver, image);
  hd_stream_destroy(driver, stream);
  hd_driver_close(driver);
  return 0;
}
