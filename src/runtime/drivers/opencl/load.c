/* SPDX-License-Identifier: Apache-2.0 */
/* Images are SPIR-V. A program is built once a process: images of equal bytes share it, also after the first is unloaded. */
#include <stdlib.h>
#include <string.h>

#include "runtime/drivers/opencl/opencl.h"

/* The first line of what the compiler says. */
static hd_status build_failed(hd_opencl_driver *driver, cl_program program, cl_int code) {
  size_t size = 0;
  char *log = NULL;
  if (!driver->cl->clGetProgramBuildInfo(program, driver->device.id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size))
    log = calloc(size + 1, 1);
  if (log && driver->cl->clGetProgramBuildInfo(program, driver->device.id, CL_PROGRAM_BUILD_LOG, size, log, NULL))
    *log = 0;
  hd_status status = hd_cl_status(code, "build a program");
  if (log && *log) status = hd_status_annotate(status, "%.*s", (int)strcspn(log, "\n"), log);
  free(log);
  return status;
}

static hd_status build(hd_opencl_driver *driver, const void *data, size_t size, cl_program *out_program) {
  cl_int code;
  cl_program program = driver->cl->clCreateProgramWithIL(driver->context, data, size, &code);
  HD_TRY(hd_cl_status(code, "take SPIR-V"));
  const char *options =
      driver->device.single_config & CL_FP_ROUNDED_DIVIDE_SQRT ? "-cl-fp32-correctly-rounded-divide-sqrt" : "";
  code = driver->cl->clBuildProgram(program, 1, &driver->device.id, options, NULL, NULL);
  if (!code) {
    *out_program = program;
    return HD_STATUS_OK;
  }
  hd_status status = build_failed(driver, program, code);
  driver->cl->clReleaseProgram(program);
  return status;
}

/* The program of |key|, built where it is not known. The caller holds the lock. */
static hd_status program_of(hd_opencl_driver *driver, hd_hash128 key, const void *data, size_t size,
                            cl_program *out_program) {
  for (hd_opencl_program *known = driver->programs; known; known = known->next)
    if (!memcmp(&known->key, &key, sizeof key)) {
      *out_program = known->program;
      return HD_STATUS_OK;
    }
  hd_opencl_program *made = calloc(1, sizeof *made);
  if (!made) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_status status = build(driver, data, size, &made->program);
  if (!hd_is_ok(status)) {
    free(made);
    return status;
  }
  made->key = key;
  made->next = driver->programs;
  driver->programs = made;
  *out_program = made->program;
  return HD_STATUS_OK;
}

void hd_opencl_programs_free(hd_opencl_driver *driver) {
  for (hd_opencl_program *program = driver->programs, *next; program; program = next) {
    next = program->next;
    driver->cl->clReleaseProgram(program->program);
    free(program);
  }
}

/* |words| has room for both: the image, and what the device is to build. */
static hd_status load(hd_opencl_driver *driver, const void *data, size_t size, uint32_t *words,
                      cl_program *out_program) {
  size_t count = size / 4, built;
  uint32_t *own = words + count;
  if (size % 4) return hd_make_status(HD_DATA_LOSS, "opencl: the image is no SPIR-V module");
  memcpy(words, data, size);
  HD_TRY(hd_opencl_image_for(&driver->device, words, count, own, &built));
  pthread_mutex_lock(&driver->lock);
  hd_status status = program_of(driver, hd_hash128_of(own, 4 * built), own, 4 * built, out_program);
  pthread_mutex_unlock(&driver->lock);
  return status;
}

hd_status hd_opencl_image_load(hd_driver *base, const void *data, size_t size, hd_device_image **out_image) {
  hd_device_image *image = calloc(1, sizeof *image);
  uint32_t *words = malloc(2 * size + 64);
  hd_status status = image && words ? load(hd_opencl_of(base), data, size, words, &image->program)
                                    : hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  free(words);
  if (!hd_is_ok(status)) {
    free(image);
    return status;
  }
  pthread_mutex_init(&image->lock, NULL);
  *out_image = image;
  return HD_STATUS_OK;
}

void hd_opencl_image_unload(hd_driver *base, hd_device_image *image) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  for (uint32_t i = 0; i < image->kernel_count; ++i) driver->cl->clReleaseKernel(image->kernels[i]);
  pthread_mutex_destroy(&image->lock);
  free(image->kernels);
  free(image);
}

hd_status hd_opencl_kernel_find(hd_driver *base, hd_device_image *image, const char *symbol, uint32_t *out_kernel) {
  hd_opencl_driver *driver = hd_opencl_of(base);
  if (image->kernel_count == image->kernel_room) {
    uint32_t room = image->kernel_room ? 2 * image->kernel_room : 16;
    cl_kernel *grown = realloc(image->kernels, room * sizeof *grown);
    if (!grown) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
    image->kernels = grown;
    image->kernel_room = room;
  }
  cl_int code;
  cl_kernel kernel = driver->cl->clCreateKernel(image->program, symbol, &code);
  HD_TRY(hd_cl_status(code, "find a kernel"));
  *out_kernel = image->kernel_count;
  image->kernels[image->kernel_count++] = kernel;
  return HD_STATUS_OK;
}
