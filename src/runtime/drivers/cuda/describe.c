/* SPDX-License-Identifier: Apache-2.0 */
/* What CUDA's libraries are there, for people. */
#include <stdio.h>
#include <string.h>

#include "runtime/drivers/cuda/blas.h"
#include "runtime/drivers/cuda/cuda.h"
#include "runtime/drivers/cuda/dnn.h"
#include "runtime/drivers/cuda/jit_link.h"

static void describe(const char *library, const char *version, hd_status missing, char *out, size_t size) {
  if (*version)
    snprintf(out, size, "%s %s where a program asks for it", library, version);
  else
    snprintf(out, size, "kernels of the program (%s)", hd_status_message(missing));
}

/* "also: NAME (cuda:1)": the devices but for the first, one a line. */
static void list_others(const hd_cuda_driver *driver, char *out, size_t size) {
  int count = 0, device;
  size_t used = strlen(out);
  if (driver->cu->device_count(&count)) return;
  for (int i = 1; i < count && used + 1 < size; ++i) {
    char name[64] = "";
    if (driver->cu->device(&device, i) || driver->cu->device_name(name, sizeof name, device)) continue;
    snprintf(out + used, size - used, "\nalso: %.60s (cuda:%d)", name, i);
    used = strlen(out);
  }
}

void hd_cuda_describe(hd_driver *driver, char *out, size_t size) {
  const hd_blas_api *blas;
  const hd_dnn_api *dnn;
  char products[300], convolutions[300], version[16] = "";
  hd_status status = hd_blas_open(&blas);
  if (hd_is_ok(status))
    snprintf(version, sizeof version, "%zu.%zu", blas->version() / 10000 % 1000, blas->version() / 100 % 100);
  describe("cuBLASLt", version, status, products, sizeof products);
  hd_status_free(status);
  status = hd_dnn_open(&dnn);
  *version = 0;
  if (hd_is_ok(status)) hd_dnn_version_text(dnn->version(), version);
  describe("cuDNN", version, status, convolutions, sizeof convolutions);
  hd_status_free(status);
  status = hd_jit_link_open();
  snprintf(out, size, "products: %s\nconvolutions: %s\nPTX that the driver cannot compile: %s", products, convolutions,
           hd_is_ok(status) ? "nvJitLink" : hd_status_message(status));
  hd_status_free(status);
  list_others(hd_cuda_of(driver), out, size);
}
