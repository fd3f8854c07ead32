/* SPDX-License-Identifier: Apache-2.0 */
/* Images are PTX, which CUDA's driver compiles, or cubins. */
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/cuda/cuda.h"

/* PTX ends with its text, so it is given with a zero behind it. */
static hd_status load(hd_cuda_driver *driver, const void *text, cu_module *out_module) {
  char log[1024] = "";
  int options[] = {CU_JIT_ERRORS, CU_JIT_ERRORS_SIZE};
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  HD_TRY(hd_cuda_enter(driver));
  int code = driver->cu->module_load(out_module, text, 2, options, values);
  hd_status status = hd_cuda_leave(driver, code, "load kernels");
  return *log && code ? hd_status_annotate(status, "%.*s", (int)strcspn(log, "\n"), log) : status;
}

hd_status hd_cuda_image_load(hd_driver *base, const void *data, size_t size, hd_device_image **out_image) {
  hd_device_image *image = calloc(1, sizeof *image);
  char *text = malloc(size + 1);
  hd_status status = HD_STATUS_OK;
  if (text) {
    memcpy(text, data, size);
    text[size] = 0;
  }
  status = image && text ? load(hd_cuda_of(base), text, &image->module)
                         : hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  free(text);
  if (!hd_is_ok(status)) {
    free(image);
    return status;
  }
  pthread_mutex_init(&image->lock, NULL);
  *out_image = image;
  return HD_STATUS_OK;
}

void hd_cuda_image_unload(hd_driver *base, hd_device_image *image) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  hd_status status = hd_cuda_enter(driver);
  if (hd_is_ok(status)) status = hd_cuda_leave(driver, driver->cu->module_unload(image->module), "unload kernels");
  hd_status_free(status);
  pthread_mutex_destroy(&image->lock);
  free(image->functions);
  free(image);
}

hd_status hd_cuda_kernel_find(hd_driver *base, hd_device_image *image, const char *symbol, uint32_t *out_kernel) {
  hd_cuda_driver *driver = hd_cuda_of(base);
  if (image->count == image->room) {
    uint32_t room = image->room ? 2 * image->room : 16;
    hd_cuda_function *grown = realloc(image->functions, room * sizeof *grown);
    if (!grown) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    image->functions = grown;
    image->room = room;
  }
  hd_cuda_function found = {0};
  HD_TRY(hd_cuda_enter(driver));
  int code = driver->cu->module_function(&found.function, image->module, symbol);
  HD_TRY(hd_cuda_leave(driver, code, "find a kernel"));
  *out_kernel = image->count;
  image->functions[image->count++] = found;
  return HD_STATUS_OK;
}
