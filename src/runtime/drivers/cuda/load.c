/* SPDX-License-Identifier: Apache-2.0 */
/* Images are PTX, which CUDA's driver or nvJitLink compiles, or cubins. */
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/cuda/cuda.h"
#include "runtime/drivers/cuda/jit_link.h"

static hd_status load_as_it_is(hd_cuda_driver *driver, const void *image, cu_module *out_module, int *out_code) {
  char log[1024] = "";
  int options[] = {CU_JIT_ERRORS, CU_JIT_ERRORS_SIZE};
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  HD_TRY(hd_cuda_enter(driver));
  *out_code = driver->cu->module_load(out_module, image, 2, options, values);
  hd_status status = hd_cuda_leave(driver, *out_code, "load kernels");
  return *log && *out_code ? hd_status_annotate(status, "%.*s", (int)strcspn(log, "\n"), log) : status;
}

/* Has the driver no compiler for this text, right as it may be? */
static bool has_no_compiler(int code) { return code == CU_NO_JIT || code == CU_PTX_TOO_NEW || code == CU_JIT_DISABLED; }

/* Where CUDA's driver cannot compile PTX, nvJitLink does if it is there. */
static hd_status load(hd_cuda_driver *driver, const char *image, size_t size, cu_module *out_module) {
  int code = 0;
  hd_jit_linked linked;
  hd_status status = load_as_it_is(driver, image, out_module, &code);
  if (hd_is_ok(status) || !has_no_compiler(code)) return status;
  hd_status instead = hd_jit_link(image, size, driver->info.architecture, false, &linked);
  if (!hd_is_ok(instead)) {
    status = hd_status_annotate(status, "%s", hd_status_message(instead));
    hd_status_free(instead);
    return status;
  }
  hd_status_free(status);
  status = load_as_it_is(driver, linked.cubin, out_module, &code);
  hd_jit_linked_free(&linked);
  return status;
}

/* PTX ends with its text, so it is given with a zero after it. */
hd_status hd_cuda_image_load(hd_driver *base, const void *data, size_t size, hd_device_image **out_image) {
  hd_device_image *image = calloc(1, sizeof *image);
  char *text = malloc(size + 1);
  hd_status status = HD_STATUS_OK;
  if (text) {
    memcpy(text, data, size);
    text[size] = 0;
  }
  status = image && text ? load(hd_cuda_of(base), text, strnlen(text, size), &image->module)
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
  if (hd_is_ok(status)) hd_cuda_graphs_forget(driver, image);
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
