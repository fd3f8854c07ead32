/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/drivers/opencl/api.h"

#include <dlfcn.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static hd_cl_api api;
static char failure[256];

static const char *const library = "libOpenCL.so.1";

static void fail(const char *text) {
  size_t i = 0;
  for (; text[i] && i + 1 < sizeof failure; ++i) failure[i] = text[i];
  failure[i] = 0;
}

static void open_library(void) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    fail(dlerror());
    return;
  }
#define CL(result, name, parameters)                                      \
  if (!*failure && !(*(void **)(void *)&api.name = dlsym(handle, #name))) \
    fail("libOpenCL.so.1 has no " #name ", which is of OpenCL 2.1: an old loader");
#include "runtime/drivers/opencl/api.def"
}

hd_status hd_cl_open(const hd_cl_api **out_api) {
  pthread_once(&once, open_library);
  *out_api = &api;
  if (!*failure) return HD_STATUS_OK;
  return hd_make_status(HD_UNAVAILABLE, "no OpenCL loader: %s", failure);
}

static const struct {
  cl_int code;
  hd_status_code status;
  const char *name;
} errors[] = {{-1, HD_UNAVAILABLE, "CL_DEVICE_NOT_FOUND"},
              {-2, HD_UNAVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
              {-3, HD_UNAVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
              {-4, HD_RESOURCE_EXHAUSTED, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
              {-5, HD_RESOURCE_EXHAUSTED, "CL_OUT_OF_RESOURCES"},
              {-6, HD_RESOURCE_EXHAUSTED, "CL_OUT_OF_HOST_MEMORY"},
              {-11, HD_FAILED_PRECONDITION, "CL_BUILD_PROGRAM_FAILURE"},
              {-14, HD_INTERNAL, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
              {-30, HD_INVALID_ARGUMENT, "CL_INVALID_VALUE"},
              {-42, HD_DATA_LOSS, "CL_INVALID_BINARY"},
              {-46, HD_NOT_FOUND, "CL_INVALID_KERNEL_NAME"},
              {-52, HD_INVALID_ARGUMENT, "CL_INVALID_KERNEL_ARGS"},
              {-54, HD_INVALID_ARGUMENT, "CL_INVALID_WORK_GROUP_SIZE"},
              {-59, HD_UNIMPLEMENTED, "CL_INVALID_OPERATION"}};

hd_status hd_cl_status(cl_int code, const char *what) {
  if (!code) return HD_STATUS_OK;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i)
    if (errors[i].code == code)
      return hd_make_status(errors[i].status, "opencl: %s: %s (%d)", what, errors[i].name, code);
  return hd_make_status(HD_INTERNAL, "opencl: %s: error %d", what, code);
}
