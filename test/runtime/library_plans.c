/* SPDX-License-Identifier: Apache-2.0 */
/* What drivers/cuda keeps of cuDNN and cuBLASLt, asked of the driver itself, on libraries that stand in for CUDA's.
 *
 *   library_plans convolutions|products forms       asks for FORMS forms, twice
 *   library_plans convolutions|products workspace   runs one with too little memory besides, then with enough */
#include <stdio.h>
#include <string.h>

#include "runtime/driver.h"

enum { FORMS = 100, SIZE = 4, BYTES = 4 * SIZE * SIZE };

#define MUST(condition)                                     \
  do {                                                      \
    if (condition) break;                                   \
    printf("line %d: expected %s\n", __LINE__, #condition); \
    return 1;                                               \
  } while (0)

static const hd_product_types types = {.lhs = HD_ELEMENT_F32, .rhs = HD_ELEMENT_F32, .out = HD_ELEMENT_F32};

/* |batch| images of one position and feature by a kernel of one; |batch| rows of one element by SIZE columns. */
typedef struct asked {
  struct {
    hd_conv_descriptor descriptor;
    hd_conv_window_descriptor window;
  } words;
  hd_dot_dim dims[3];
  hd_device_convolution convolution;
  hd_device_product product;
} asked;

static void describe(asked *a, int64_t batch, char *memory) {
  memset(a, 0, sizeof *a);
  a->words.descriptor = (hd_conv_descriptor){.batch = batch,
                                             .input_features = 1,
                                             .output_features = 1,
                                             .feature_groups = 1,
                                             .batch_groups = 1,
                                             .input_batch_step = 1,
                                             .input_feature_step = 1,
                                             .kernel_input_step = 1,
                                             .kernel_output_step = 1,
                                             .output_batch_step = 1,
                                             .output_feature_step = 1,
                                             .spatial = 1};
  a->words.window = (hd_conv_window_descriptor){.input = 1,
                                                .kernel = 1,
                                                .output = 1,
                                                .stride = 1,
                                                .input_dilation = 1,
                                                .kernel_dilation = 1,
                                                .input_step = 1,
                                                .kernel_step = 1,
                                                .output_step = 1};
  a->dims[0] = (hd_dot_dim){HD_GEMM_M, batch, 1, 0, SIZE};
  a->dims[1] = (hd_dot_dim){HD_GEMM_N, SIZE, 0, 1, 1};
  a->dims[2] = (hd_dot_dim){HD_GEMM_K, 1, 1, 1, 0};
  a->convolution = (hd_device_convolution){.types = types, .descriptor = &a->words.descriptor};
  a->product = (hd_device_product){.types = types, .dims = a->dims, .dim_count = 3};
  if (!memory) return;
  a->convolution.input = a->product.lhs = memory;
  a->convolution.kernel = a->product.rhs = memory + BYTES;
  a->convolution.out = a->product.out = memory + 2 * BYTES;
}

static bool takes(hd_driver *driver, bool product, const asked *a, size_t *out_bytes) {
  return product ? hd_device_product_takes(driver, &a->product, out_bytes)
                 : hd_device_convolution_takes(driver, &a->convolution, out_bytes);
}

static int forms(hd_driver *driver, bool product) {
  asked a;
  size_t bytes;
  for (int i = 0; i < 2 * FORMS; ++i) {
    describe(&a, 1 + i % FORMS, NULL);
    MUST(takes(driver, product, &a, &bytes));
  }
  return 0;
}

static hd_status run(hd_driver *driver, hd_stream *stream, bool product, const asked *a, void *workspace,
                     size_t bytes) {
  return product ? hd_stream_product(driver, stream, &a->product, workspace, bytes)
                 : hd_stream_convolution(driver, stream, &a->convolution, workspace, bytes);
}

static int workspace(hd_driver *driver, bool product) {
  asked a;
  size_t bytes, same;
  void *memory, *besides;
  hd_stream *stream;
  MUST(hd_is_ok(hd_stream_create(driver, &stream)));
  MUST(hd_is_ok(hd_driver_allocate(driver, 3 * BYTES, &memory)));
  MUST(hd_is_ok(hd_stream_fill(driver, stream, memory, 0, 3 * BYTES)));
  describe(&a, SIZE, memory);
  MUST(takes(driver, product, &a, &bytes) && bytes > 1);
  MUST(hd_is_ok(hd_driver_allocate(driver, bytes, &besides)));
  hd_status status = run(driver, stream, product, &a, besides, bytes - 1);
  MUST(hd_status_code_of(status) == HD_FAILED_PRECONDITION);
  printf("%s\n", hd_status_message(status));
  hd_status_free(status);
  MUST(takes(driver, product, &a, &same) && same == bytes);
  MUST(hd_is_ok(run(driver, stream, product, &a, besides, bytes)));
  MUST(hd_is_ok(hd_stream_wait(driver, stream)));
  hd_driver_release(driver, besides, bytes);
  hd_driver_release(driver, memory, 3 * BYTES);
  hd_stream_destroy(driver, stream);
  return 0;
}

int main(int count, char **words) {
  hd_driver *driver;
  MUST(count == 3);
  MUST(hd_is_ok(hd_driver_open("cuda", &(hd_driver_config){0}, &driver)));
  bool product = !strcmp(words[1], "products");
  int code = strcmp(words[2], "forms") ? workspace(driver, product) : forms(driver, product);
  hd_driver_close(driver);
  return code;
}
