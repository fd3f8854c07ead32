/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/drivers/cuda/api.h"

#include <pthread.h>
#include <stdio.h>

#include "base/library.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static hd_cuda_api api;
static char failure[256];

static const char *const names[] = {"libcuda.so.1", NULL};
static const hd_library_function functions[] = {
#define CU(name, symbol, parameters) {symbol, (void **)(void *)&api.name},
#include "runtime/drivers/cuda/api.def"
};

static void open_library(void) {
  if (!hd_library_open("CUDA driver", names, functions, sizeof functions / sizeof *functions, "11.7", failure,
                       sizeof failure))
    return;
  int code = api.init(0);
  const char *name = NULL;
  if (code) api.error_name(code, &name);
  if (code) snprintf(failure, sizeof failure, "the CUDA driver does not start: %s (%d)", name ? name : "error", code);
}

hd_status hd_cuda_open(const hd_cuda_api **out_api) {
  pthread_once(&once, open_library);
  *out_api = &api;
  return *failure ? hd_make_status(HD_UNAVAILABLE, "%s", failure) : HD_STATUS_OK;
}

static const struct {
  int code;
  hd_status_code status;
} kinds[] = {{1, HD_INVALID_ARGUMENT},
             {CU_OUT_OF_MEMORY, HD_RESOURCE_EXHAUSTED},
             {CU_NO_DEVICE, HD_UNAVAILABLE},
             {200, HD_DATA_LOSS},
             {209, HD_FAILED_PRECONDITION},
             {218, HD_DATA_LOSS},
             {221, HD_UNAVAILABLE},
             {222, HD_FAILED_PRECONDITION},
             {500, HD_NOT_FOUND},
             {701, HD_RESOURCE_EXHAUSTED},
             {801, HD_UNIMPLEMENTED}};

hd_status hd_cuda_status(const hd_cuda_api *cu, int code, const char *what) {
  const char *name = NULL;
  hd_status_code status = HD_INTERNAL;
  if (!code) return HD_STATUS_OK;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (kinds[i].code == code) status = kinds[i].status;
  cu->error_name(code, &name);
  return hd_make_status(status, "cuda: %s: %s (%d)", what, name ? name : "error", code);
}
