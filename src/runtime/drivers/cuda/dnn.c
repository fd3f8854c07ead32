/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/drivers/cuda/dnn.h"

#include <pthread.h>
#include <stdio.h>

#include "base/library.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static hd_dnn_api api;
static char failure[256];

static const char *const names[] = {"libcudnn.so.9", "libcudnn.so.8", NULL};
static const hd_library_function functions[] = {
#define DNN(result, name, symbol, parameters) {symbol, (void **)(void *)&api.name},
#include "runtime/drivers/cuda/dnn.def"
};
enum { OLDEST = 8500, FROM_9 = 90000 };

/* Version 8 counted thousands, later ones tens of thousands. */
void hd_dnn_version_text(size_t version, char out[16]) {
  size_t major = version / (version < FROM_9 ? 1000 : 10000) % 100,
         minor = version / 100 % (version < FROM_9 ? 10 : 100);
  snprintf(out, 16, "%zu.%zu", major, minor);
}

static void open_library(void) {
  char text[16];
  if (!hd_library_open("cuDNN", names, functions, sizeof functions / sizeof *functions, "8.5", failure, sizeof failure))
    return;
  hd_dnn_version_text(api.version(), text);
  if (api.version() < OLDEST) snprintf(failure, sizeof failure, "cuDNN is of version %s, expected 8.5 or later", text);
}

hd_status hd_dnn_open(const hd_dnn_api **out_api) {
  pthread_once(&once, open_library);
  *out_api = &api;
  return *failure ? hd_make_status(HD_UNAVAILABLE, "%s", failure) : HD_STATUS_OK;
}
