/* SPDX-License-Identifier: Apache-2.0 */
/* What drivers/cuda tells cuBLASLt before it asks it anything, told to the library itself, which needs
 * no GPU for that. Exit 3: it is not here. */
#include <stdio.h>

#include "runtime/drivers/cuda/blas.h"

#define MUST(call)                    \
  do {                                \
    int code_ = (call);               \
    if (!code_) break;                \
    printf("%s: %d\n", #call, code_); \
    return 1;                         \
  } while (0)

static int product(const hd_blas_api *blas, int sum, int factor) {
  blas_product p;
  int32_t transposed = 1;
  MUST(blas->product_create(&p, sum, factor));
  MUST(blas->product_set(p, BLAS_PRODUCT_LEFT_TRANSPOSED, &transposed, sizeof transposed));
  MUST(blas->product_set(p, BLAS_PRODUCT_RIGHT_TRANSPOSED, &transposed, sizeof transposed));
  MUST(blas->product_destroy(p));
  return 0;
}

static int matrix(const hd_blas_api *blas, int type) {
  blas_matrix m;
  int32_t count = 3;
  int64_t step = 99;
  MUST(blas->matrix_create(&m, type, 5, 7, 6));
  MUST(blas->matrix_set(m, BLAS_MATRIX_COUNT, &count, sizeof count));
  MUST(blas->matrix_set(m, BLAS_MATRIX_STEP, &step, sizeof step));
  MUST(blas->matrix_destroy(m));
  return 0;
}

static int preference(const hd_blas_api *blas) {
  blas_preference w;
  uint64_t bytes = 32 << 20;
  uint32_t alignment = 16;
  MUST(blas->preference_create(&w));
  MUST(blas->preference_set(w, BLAS_PREFERENCE_WORKSPACE, &bytes, sizeof bytes));
  for (int i = 0; i < 4; ++i)
    MUST(blas->preference_set(w, BLAS_PREFERENCE_ALIGNMENT + i, &alignment, sizeof alignment));
  MUST(blas->preference_destroy(w));
  return 0;
}

int main(void) {
  static const int sums[][2] = {
      {BLAS_SUM_F32, BLAS_F32}, {BLAS_SUM_F64, BLAS_F64}, {BLAS_SUM_I32, BLAS_I32}, {BLAS_SUM_TF32, BLAS_F32}};
  static const int types[] = {BLAS_F32, BLAS_F64, BLAS_F16, BLAS_BF16, BLAS_I8, BLAS_I32};
  const hd_blas_api *blas;
  hd_status status = hd_blas_open(&blas);
  if (!hd_is_ok(status)) {
    printf("%s\n", hd_status_message(status));
    return 3;
  }
  for (size_t i = 0; i < sizeof sums / sizeof *sums; ++i) MUST(product(blas, sums[i][0], sums[i][1]));
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) MUST(matrix(blas, types[i]));
  MUST(preference(blas));
  printf("cuBLASLt %zu, status 15 is %s\n", blas->version(), blas->status_name(15));
  return 0;
}
