/* SPDX-License-Identifier: Apache-2.0 */
/* GFLOP/s of the convolutions of a ResNet-50 at batch 1 (or the given one), NHWC and HWIO in f32, and their sum.
 *
 *   conv_bench [threads [batch]] */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "heddle/cpu.h"
#include "runtime/libraries/conv.h"

/* With one thread the time that it had on a CPU counts, so that other processes disturb less. */
static clockid_t clock_id = CLOCK_MONOTONIC;
static double now(void) {
  struct timespec t;
  clock_gettime(clock_id, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hd_pool *pool;
static hd_pool_call region;
static void for_range(void *user, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  (void)user;
  hd_pool_for(pool, &region, extent, grain, body, argument);
}

/* Every kernel of the network, bound. */
typedef struct kept {
  const void *data;
  uint64_t use;
  void *packed;
} kept;
static kept list[128];
static int list_count;
static bool bound;
static const void *keep(void *user, const void *data, uint64_t use, size_t bytes, void (*pack)(void *, void *),
                        void *argument) {
  (void)user;
  if (!bound) return NULL;
  for (int i = 0; i < list_count; ++i)
    if (list[i].data == data && list[i].use == use) return list[i].packed;
  if (list_count == 128) return NULL;
  kept *k = &list[list_count++];
  *k = (kept){data, use, aligned_alloc(4096, (bytes + 4095) / 4096 * 4096)};
  if (k->packed) pack(argument, k->packed);
  return k->packed;
}

typedef struct layer {
  int64_t size, kernel, stride, in, out, times;
} layer;
static const layer layers[] = {
    {224, 7, 2, 3, 64, 1},     {56, 1, 1, 64, 64, 1},    {56, 1, 1, 256, 64, 2},   {56, 3, 1, 64, 64, 3},
    {56, 1, 1, 64, 256, 4},    {56, 1, 1, 256, 128, 1},  {56, 3, 2, 128, 128, 1},  {28, 1, 1, 128, 512, 4},
    {56, 1, 2, 256, 512, 1},   {28, 1, 1, 512, 128, 3},  {28, 3, 1, 128, 128, 3},  {28, 1, 1, 512, 256, 1},
    {28, 3, 2, 256, 256, 1},   {14, 1, 1, 256, 1024, 6}, {28, 1, 2, 512, 1024, 1}, {14, 1, 1, 1024, 256, 5},
    {14, 3, 1, 256, 256, 5},   {14, 1, 1, 1024, 512, 1}, {14, 3, 2, 512, 512, 1},  {7, 1, 1, 512, 2048, 3},
    {14, 1, 2, 1024, 2048, 1}, {7, 1, 1, 2048, 512, 2},  {7, 3, 1, 512, 512, 2},
};

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 0;
  int64_t batch = argc > 2 ? atoi(argv[2]) : 1;
  hd_gemm_context *context = NULL;
  hd_status status = hd_pool_create(threads > 0 ? threads : hd_cpu_count(), NULL, &pool);
  if (hd_is_ok(status)) status = hd_gemm_context_create(0, &context);
  enum { input_floats = 1 << 21, kernel_floats = 3 << 20 };
  size_t in_bytes = (size_t)input_floats * 4 * (size_t)batch;
  float *in = aligned_alloc(4096, in_bytes), *out = aligned_alloc(4096, in_bytes);
  if (!hd_is_ok(status) || !in || !out || batch < 1) {
    fprintf(stderr, "conv_bench: %s\n", hd_status_message(status));
    return 1;
  }
  for (size_t i = 0; i < in_bytes / 4; ++i) in[i] = (float)(i % 17) * 0.1f, out[i] = 0;
  if (hd_pool_threads(pool) == 1) clock_id = CLOCK_PROCESS_CPUTIME_ID;
  double total[2] = {0, 0}, all_flops = 0;
  printf("%s, %s kernels, %d threads, batch %lld\n", hd_cpu_brand(), hd_gemm_context_kernels(context)->name,
         hd_pool_threads(pool), (long long)batch);
  for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i) {
    const layer *l = &layers[i];
    int64_t pad = l->kernel / 2, o = (l->size + 2 * pad - l->kernel) / l->stride + 1;
    float *kernel = aligned_alloc(4096, (size_t)kernel_floats * 4);
    if (!kernel) return 1;
    for (int64_t k = 0; k < kernel_floats; ++k) kernel[k] = (float)(k % 13) * 0.1f;
    hd_gemm_env env = {.threads = hd_pool_threads(pool), .for_range = for_range, .keep = keep};
    hd_conv_call c = {.spatial = 2,
                      .batch = batch,
                      .feature_groups = 1,
                      .batch_groups = 1,
                      .input_features = l->in,
                      .output_features = l->out,
                      .input_type = HD_ELEMENT_F32,
                      .kernel_type = HD_ELEMENT_F32,
                      .output_type = HD_ELEMENT_F32,
                      .input_feature_step = 1,
                      .kernel_output_step = 1,
                      .output_feature_step = 1,
                      .kernel_input_step = l->out,
                      .input = in,
                      .kernel = kernel,
                      .output = out,
                      .env = &env};
    for (int d = 0; d < 2; ++d)
      c.window[d] = (hd_conv_window){.input = l->size,
                                     .output = o,
                                     .kernel = l->kernel,
                                     .stride = l->stride,
                                     .pad_low = pad,
                                     .input_dilation = 1,
                                     .kernel_dilation = 1,
                                     .input_step = d ? l->in : l->in * l->size,
                                     .kernel_step = (d ? 1 : l->kernel) * l->in * l->out,
                                     .output_step = d ? l->out : l->out * o};
    c.input_batch_step = l->in * l->size * l->size;
    c.output_batch_step = l->out * o * o;
    double flops = 2.0 * (double)(batch * o * o * l->kernel * l->kernel) * (double)(l->in * l->out);
    printf("%3lld x %lld k%lld s%lld %4lld -> %4lld, %lld times:", (long long)l->size, (long long)l->size,
           (long long)l->kernel, (long long)l->stride, (long long)l->in, (long long)l->out, (long long)l->times);
    for (int with = 0; with < 2; ++with) {
      bound = with;
      double best = 1e9;
      for (int round = 0; round < 7; ++round) {
        region = (hd_pool_call){0};
        hd_pool_begin(pool, &region, 1000);
        double start = now();
        status = hd_conv(context, &c);
        double time = now() - start;
        hd_pool_end(pool, &region);
        if (!hd_is_ok(status)) {
          fprintf(stderr, "conv_bench: %s\n", hd_status_message(status));
          return 1;
        }
        if (time < best) best = time;
      }
      printf("  %s %7.0f us %6.1f GF/s", with ? "bound" : "unbound", best * 1e6, flops / best * 1e-9);
      total[with] += best * (double)l->times;
    }
    printf("\n");
    all_flops += flops * (double)l->times;
    free(kernel);
    while (list_count) free(list[--list_count].packed);
  }
  printf("all: %.1f ms unbound (%.1f GF/s), %.1f ms bound (%.1f GF/s)\n", total[0] * 1e3, all_flops / total[0] * 1e-9,
         total[1] * 1e3, all_flops / total[1] * 1e-9);
  free(in);
  free(out);
  hd_gemm_context_release(context);
  hd_pool_free(pool);
  return 0;
}
