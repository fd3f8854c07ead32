/* SPDX-License-Identifier: Apache-2.0 */
/* Images are SPIR-V modules, one a kernel, one after the other. What they ask for is compared with the device when the
 * image is loaded; a kernel is built when it is first launched, so versions that are not taken cost nothing. */
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/opencl/opencl.h"

static hd_status out_of_memory(void) { return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory"); }

static hd_status add_kernel(hd_device_image *image, hd_opencl_module module) {
  hd_opencl_kernel *grown = realloc(image->kernels, (image->kernel_count + 1) * sizeof *grown);
  if (!grown) return out_of_memory();
  image->kernels = grown;
  image->kernels[image->kernel_count++] = (hd_opencl_kernel){.module = module};
  return HD_STATUS_OK;
}

static hd_status read_modules(const hd_opencl_device *device, const uint32_t *words, size_t count,
                              hd_device_image *image) {
  for (size_t read = 0, used = 0; read < count || !read;) {
    hd_opencl_module module = {.words = image->words + used};
    HD_TRY(hd_opencl_read_module(&device->info, words + read, count - read, &module));
    HD_TRY(add_kernel(image, module));
    read += module.read;
    used += module.count;
  }
  return HD_STATUS_OK;
}

static hd_status load(hd_opencl_driver *driver, const void *data, size_t size, hd_device_image *image) {
  if (size % 4) return hd_make_status(HD_DATA_LOSS, "opencl: the image is no SPIR-V module");
  uint32_t *words = malloc(size + 4); /* the image is at any address */
  image->words = malloc(size + 4);
  if (words) memcpy(words, data, size);
  hd_status status = words && image->words ? read_modules(driver->device, words, size / 4, image) : out_of_memory();
  free(words);
  return status;
}

hd_status hd_opencl_image_load(hd_driver *base, const void *data, size_t size, hd_device_image **out_image) {
  hd_device_image *image = calloc(1, sizeof *image);
  if (!image) return out_of_memory();
  hd_status status = load(hd_opencl_of(base), data, size, image);
  for (uint32_t i = 0; i < image->kernel_count; ++i) pthread_mutex_init(&image->kernels[i].lock, NULL);
  if (hd_is_ok(status))
    *out_image = image;
  else
    hd_opencl_image_unload(base, image);
  return status;
}

void hd_opencl_image_unload(hd_driver *base, hd_device_image *image) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  for (uint32_t i = 0; i < image->kernel_count; ++i) {
    hd_opencl_kernel *kernel = &image->kernels[i];
    if (kernel->kernel) driver->cl->clReleaseKernel(kernel->kernel);
    if (kernel->program) hd_opencl_program_give(driver, kernel->program);
    pthread_mutex_destroy(&kernel->lock);
  }
  free(image->kernels);
  free(image->words);
  free(image);
}

hd_status hd_opencl_kernel_find(hd_driver *base, hd_device_image *image, const char *symbol, uint32_t *out_kernel) {
  (void)base;
  for (uint32_t i = 0; i < image->kernel_count; ++i)
    if (!strcmp(image->kernels[i].module.entry, symbol)) {
      *out_kernel = i;
      return HD_STATUS_OK;
    }
  return hd_make_status(HD_NOT_FOUND, "opencl: the image has no kernel '%s'", symbol);
}

hd_status hd_opencl_kernel_built(hd_opencl_driver *driver, hd_opencl_kernel *kernel, cl_kernel *out_kernel) {
  if (!kernel->program) HD_TRY(hd_opencl_program_take(driver, &kernel->module, &kernel->program));
  cl_int code = 0;
  if (!kernel->kernel)
    kernel->kernel = driver->cl->clCreateKernel(kernel->program->program, kernel->module.entry, &code);
  if (code) kernel->kernel = NULL;
  *out_kernel = kernel->kernel;
  return hd_cl_status(code, "find a kernel");
}
