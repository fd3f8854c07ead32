/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/drivers/cuda/blas.h"

#include <pthread.h>
#include <stdio.h>

#include "base/library.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static hd_blas_api api;
static char failure[256];

static const char *const names[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11", NULL};
static const hd_library_function functions[] = {
#define BLAS(result, name, symbol, parameters) {symbol, (void **)(void *)&api.name},
#include "runtime/drivers/cuda/blas.def"
};
enum { OLDEST = 110400 };

static void open_library(void) {
  if (!hd_library_open("cuBLASLt", names, functions, sizeof functions / sizeof *functions, "11.4", failure,
                       sizeof failure))
    return;
  size_t version = api.version();
  if (version < OLDEST)
    snprintf(failure, sizeof failure, "cuBLASLt is of version %zu.%zu, expected 11.4 or later", version / 10000,
             version / 100 % 100);
}

hd_status hd_blas_open(const hd_blas_api **out_api) {
  pthread_once(&once, open_library);
  *out_api = &api;
  return *failure ? hd_make_status(HD_UNAVAILABLE, "%s", failure) : HD_STATUS_OK;
}
