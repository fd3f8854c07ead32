/* SPDX-License-Identifier: Apache-2.0 */
/* The C API where programs call the embedder's own functions: products on a device by a library of the embedder's,
 * without building the runtime again. The artifact is made by the compiler that the test has. */
#include <stdio.h>
#include <stdlib.h>

#include "heddle/compile.h"
#include "heddle/ral.h"
#include "heddle/runtime.h"

static const char PRODUCT[] =
    "func.func @main(%a: tensor<?x5xf32>, %b: tensor<5x2xf32>) -> tensor<?x2xf32> {\n"
    "  %0 = stablehlo.dot %a, %b : (tensor<?x5xf32>, tensor<5x2xf32>) -> tensor<?x2xf32>\n"
    "  return %0 : tensor<?x2xf32>\n"
    "}\n";

static int calls, failing;

static void expect(bool held, const char *what) {
  if (held) return;
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}

static void must(hd_status status, const char *what) {
  if (hd_is_ok(status)) return;
  fprintf(stderr, "%s: %s\n", what, hd_status_message(status));
  exit(1);
}

/* Products plus 100, to be told from the runtime's. Buffers may be the device's, so it asks for them. */
static void product(hd_ral_context *ctx, void *stream, const hd_memref2 *lhs, const hd_memref2 *rhs,
                    const hd_memref2 *out, bool lhs_transposed, bool rhs_transposed) {
  int64_t m = out->sizes[0], n = out->sizes[1], k = lhs->sizes[1];
  (void)stream;
  ++calls;
  expect(!lhs_transposed && !rhs_transposed && hd_ral_runtime(ctx), "a plain product");
  if (failing) {
    hd_ral_fail(ctx, hd_status_create(HD_UNAVAILABLE, "the embedder's library is away"));
    return;
  }
  const float *a = hd_ral_on_host(ctx, lhs->aligned, (size_t)(m * k) * sizeof(float), HD_HOST_READ);
  const float *b = hd_ral_on_host(ctx, rhs->aligned, (size_t)(k * n) * sizeof(float), HD_HOST_READ);
  float *c = hd_ral_on_host(ctx, out->aligned, (size_t)(m * n) * sizeof(float), HD_HOST_WRITE);
  if (hd_ral_failed(ctx) || !hd_ral_wait(ctx)) return;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      c[i * n + j] = 100;
      for (int64_t l = 0; l < k; ++l) c[i * n + j] += a[i * k + l] * b[l * n + j];
    }
}
HD_RAL_LIBRARY("ral_gemm", product, void, pvoid, memref(2, f32), memref(2, f32), memref(2, f32), i1, i1)

/* The first element of the product of ones, on a new runtime of |driver|. */
static hd_status first(const char *driver, const hd_blob *artifact, float *out) {
  float a[20], b[10], c[8];
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  hd_runtime *runtime;
  hd_executable *executable;
  hd_buffer *ins[2], *result = NULL;
  for (int i = 0; i < 20; ++i) a[i] = 1, b[i % 10] = 1;
  options.driver = driver;
  must(hd_runtime_create(&options, &runtime), "making a runtime");
  must(hd_executable_load(runtime, artifact->data, artifact->size, NULL, &executable), "loading");
  must(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 2, (int64_t[]){4, 5}, NULL, a, NULL, NULL, &ins[0]), "wrapping");
  must(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 2, (int64_t[]){5, 2}, NULL, b, NULL, NULL, &ins[1]), "wrapping");
  hd_status status = hd_executable_execute(executable, NULL, ins, 2, &result, 1);
  if (result) must(hd_buffer_read(result, c, sizeof c), "reading");
  *out = c[0];
  hd_buffer_release(result), hd_buffer_release(ins[0]), hd_buffer_release(ins[1]);
  hd_executable_release(executable);
  hd_runtime_release(runtime);
  return status;
}

int main(void) {
  hd_compile_options compile = HD_COMPILE_OPTIONS_INIT;
  hd_message_sink sink = {0};
  hd_blob artifact;
  float got;
  compile.target = "simt";
  compile.library_products = true;
  must(hd_compile(PRODUCT, sizeof PRODUCT - 1, "product.mlir", &compile, sink, &artifact), "compiling");
  static const char *const drivers[] = {"simt", "guarded"};
  hd_ral_api wrong = {"ral_gemm", product_api.fn}, none = {product_api.name, NULL};
  hd_status refused = hd_ral_register(NULL, &wrong);
  expect(!hd_is_ok(refused), "a name that says no types is refused");
  hd_status_free(refused);
  refused = hd_ral_register("simt:16", &product_api);
  expect(hd_status_code_of(refused) == HD_NOT_FOUND, "what is no name of a driver is refused");
  hd_status_free(refused);
  for (int i = 0; i < 2; ++i) {
    calls = 0;
    must(first(drivers[i], &artifact, &got), "the runtime's own");
    expect(got == 5 && !calls, "nobody's function is called before it is registered");
    must(hd_ral_register(drivers[i], &product_api), "registering");
    must(first(drivers[i], &artifact, &got), "the embedder's");
    expect(got == 105 && calls == 1, "the function of the device is called");
    must(first(drivers[1 - i], &artifact, &got), "another device");
    expect(got == 5 && calls == 1, "the function of another device is not");
    failing = 1;
    hd_status status = first(drivers[i], &artifact, &got);
    expect(hd_status_code_of(status) == HD_UNAVAILABLE, "its failure is the run's");
    hd_status_free(status);
    failing = 0;
    must(hd_ral_register(drivers[i], &none), "removing");
    must(first(drivers[i], &artifact, &got), "the runtime's own again");
    expect(got == 5 && calls == 2, "nobody's function is called when it is removed");
  }
  must(hd_ral_register(NULL, &product_api), "registering for all");
  must(first("guarded", &artifact, &got), "any device");
  expect(got == 105, "a function of all devices is called");
  hd_blob_free(&artifact);
  printf("fine\n");
  return 0;
}
