/* SPDX-License-Identifier: Apache-2.0 */
/* What CUDA's libraries are there, for people. */
#include <stdio.h>

#include "runtime/drivers/cuda/blas.h"
#include "runtime/drivers/cuda/cuda.h"
#include "runtime/drivers/cuda/jit_link.h"

void hd_cuda_describe(hd_driver *driver, char *out, size_t size) {
  (void)driver;
  const hd_blas_api *blas;
  char products[300] = "";
  hd_status blas_status = hd_blas_open(&blas), link_status = hd_jit_link_open();
  size_t version = hd_is_ok(blas_status) ? blas->version() : 0;
  if (version)
    snprintf(products, sizeof products, "cuBLASLt %zu.%zu where a program asks for it", version / 10000,
             version / 100 % 100);
  else
    snprintf(products, sizeof products, "kernels of the program (%s)", hd_status_message(blas_status));
  snprintf(out, size, "products: %s\nPTX that the driver cannot compile: %s", products,
           hd_is_ok(link_status) ? "nvJitLink" : hd_status_message(link_status));
  hd_status_free(blas_status);
  hd_status_free(link_status);
}
