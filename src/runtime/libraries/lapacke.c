/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/libraries/lapacke.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static hd_lapacke lapacke;

static void open_library(void) {
  lapacke.library = dlopen("liblapacke.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!lapacke.library) {
    snprintf(lapacke.error, sizeof lapacke.error, "%s", dlerror());
    return;
  }
  /* Symbols of BLAS are found through the library that needs it. */
#define F(result, name, arguments)                                 \
  *(void **)(void *)&lapacke.name = dlsym(lapacke.library, #name); \
  if (!lapacke.name && !lapacke.error[0]) snprintf(lapacke.error, sizeof lapacke.error, "it has no %s", #name);
  HD_LAPACKE_FUNCTIONS(F)
#undef F
  void (*set_threads)(int count);
  *(void **)(void *)&set_threads = dlsym(lapacke.library, "openblas_set_num_threads");
  if (set_threads) set_threads(1);
}

hd_status hd_lapacke_open(const hd_lapacke **out_lapacke) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  *out_lapacke = NULL;
  pthread_once(&once, open_library);
  if (lapacke.error[0])
    return hd_make_status(HD_UNAVAILABLE,
                          "LAPACK: %s; expected liblapacke.so.3, of Debian's packages liblapacke and "
                          "libopenblas0-pthread",
                          lapacke.error);
  *out_lapacke = &lapacke;
  return HD_STATUS_OK;
}
