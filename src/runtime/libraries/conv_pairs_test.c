/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of bf16 have the same bits by words of two features as by single elements, of numbers whose products or
 * sums are denormal too, with which the instruction for words would not agree. */
#include <math.h>
#include <string.h>

#include "runtime/libraries/conv.h"
#include "runtime/libraries/gemm_testing.h"

/* Numbers with exponents in this range, and a ninth of zeros. */
static void fill_exponents(uint16_t *data, int64_t count, uint32_t low, uint32_t high) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t exponent = low + random_bits() % (high - low + 1);
    data[i] = (uint16_t)((random_bits() & 0x807f) | exponent << 7);
    if (random_bits() % 9 == 0) data[i] &= 0x8000;
  }
}

typedef struct shape {
  int64_t size, kernel, stride, pad, dilation, features, out, groups;
  bool first, batch_groups, other_kernel; /* features before positions; the kernel as [out, in, position] */
} shape;

enum { batch = 2 };

/* Two equal spatial dims. */
static hd_conv_call call_of(const shape *s, int64_t *x_count, int64_t *k_count, int64_t *o_count) {
  int64_t span = (s->kernel - 1) * s->dilation + 1, o = (s->size + 2 * s->pad - span) / s->stride + 1;
  int64_t images = batch * (s->batch_groups ? s->groups : 1), all = s->features * (s->batch_groups ? 1 : s->groups);
  hd_conv_call c = {.spatial = 2,
                    .batch = batch,
                    .feature_groups = s->batch_groups ? 1 : s->groups,
                    .batch_groups = s->batch_groups ? s->groups : 1,
                    .input_features = s->features,
                    .output_features = s->out,
                    .input_type = HD_ELEMENT_BF16,
                    .kernel_type = HD_ELEMENT_BF16,
                    .output_type = HD_ELEMENT_F32,
                    .input_batch_step = all * s->size * s->size,
                    .output_batch_step = s->out * o * o,
                    .input_feature_step = s->first ? s->size * s->size : 1,
                    .output_feature_step = s->first ? o * o : 1,
                    .kernel_input_step = s->other_kernel ? s->kernel * s->kernel : s->out,
                    .kernel_output_step = s->other_kernel ? s->features * s->kernel * s->kernel : 1};
  for (int i = 0; i < 2; ++i)
    c.window[i] = (hd_conv_window){.input = s->size,
                                   .output = o,
                                   .kernel = s->kernel,
                                   .stride = s->stride,
                                   .pad_low = s->pad,
                                   .input_dilation = 1,
                                   .kernel_dilation = s->dilation,
                                   .reversed = s->stride == 3,
                                   .input_step = (i ? 1 : s->size) * (s->first ? 1 : all),
                                   .output_step = (i ? 1 : o) * (s->first ? 1 : s->out),
                                   .kernel_step = (i ? 1 : s->kernel) * (s->other_kernel ? 1 : s->features * s->out)};
  *x_count = images * c.input_batch_step;
  *k_count = s->features * s->out * s->kernel * s->kernel;
  *o_count = batch * c.output_batch_step;
  return c;
}

static void test_shape(const shape *s, int number) {
  static const struct {
    uint32_t x_low, x_high, k_low, k_high;
  } ranges[] = {{120, 130, 120, 130}, {0, 254, 0, 254},     {0, 2, 150, 170},     {71, 75, 71, 75},    {69, 72, 69, 72},
                {40, 60, 50, 60},     {180, 220, 170, 210}, {250, 255, 100, 255}, {100, 255, 250, 255}};
  int64_t x_count, k_count, o_count;
  hd_conv_call call = call_of(s, &x_count, &k_count, &o_count);
  uint16_t *x = malloc((size_t)x_count * 2), *k = malloc((size_t)k_count * 2);
  float *out = malloc((size_t)o_count * 4), *first = malloc((size_t)o_count * 4);
  call.input = x, call.kernel = k;
  for (size_t r = 0; r < sizeof ranges / sizeof *ranges; ++r) {
    fill_exponents(x, x_count, ranges[r].x_low, ranges[r].x_high);
    fill_exponents(k, k_count, ranges[r].k_low, ranges[r].k_high);
    for (int i = 0; i < context_count; ++i)
      for (int threads = 1; threads <= most_threads; ++threads)
        for (int again = 0; again < 2; ++again) {
          /* Bound weights are packed by the first and used by the second. */
          keeping = threads == 2;
          hd_gemm_env env = env_of(threads);
          bool is_first = i == 0 && threads == 1 && !again;
          call.env = &env, call.output = is_first ? first : out;
          memset(call.output, 0x5a, (size_t)o_count * 4);
          HD_CHECK_OK(hd_conv(contexts[i], &call));
          int64_t other = 0;
          for (int64_t e = 0; e < o_count && !is_first; ++e)
            other += memcmp(&out[e], &first[e], 4) && !(isnan(out[e]) && isnan(first[e]));
          char what[96];
          snprintf(what, sizeof what, "shape %d range %d table %d: %d differ", number, (int)r, i, (int)other);
          if (other) HD_CHECK_STR(what, "the same bits from all kernels");
          if (again) forget();
        }
  }
  keeping = false;
  free(x), free(k), free(out), free(first);
}

static void all(void) {
  static const shape shapes[] = {
      {.size = 9, .kernel = 3, .stride = 1, .pad = 1, .dilation = 1, .features = 16, .out = 20, .groups = 1},
      {.size = 20,
       .kernel = 3,
       .stride = 1,
       .pad = 1,
       .dilation = 1,
       .features = 40,
       .out = 64,
       .groups = 1,
       .first = true,
       .other_kernel = true},
      {.size = 15,
       .kernel = 7,
       .stride = 2,
       .pad = 3,
       .dilation = 1,
       .features = 3,
       .out = 50,
       .groups = 1,
       .first = true,
       .other_kernel = true},
      {.size = 15, .kernel = 7, .stride = 2, .pad = 3, .dilation = 1, .features = 3, .out = 50, .groups = 1},
      {.size = 12, .kernel = 2, .stride = 3, .pad = 0, .dilation = 2, .features = 37, .out = 100, .groups = 1},
      {.size = 8,
       .kernel = 3,
       .stride = 1,
       .pad = 2,
       .dilation = 2,
       .features = 34,
       .out = 120,
       .groups = 2,
       .first = true},
      {.size = 8,
       .kernel = 3,
       .stride = 1,
       .pad = 1,
       .dilation = 1,
       .features = 5,
       .out = 66,
       .groups = 3,
       .batch_groups = true},
      {.size = 70,
       .kernel = 1,
       .stride = 2,
       .pad = 0,
       .dilation = 1,
       .features = 33,
       .out = 17,
       .groups = 1,
       .first = true},
      {.size = 140,
       .kernel = 3,
       .stride = 1,
       .pad = 1,
       .dilation = 1,
       .features = 2,
       .out = 9,
       .groups = 1,
       .first = true,
       .other_kernel = true},
  };
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) test_shape(&shapes[i], (int)i);
}

int main(void) { return hd_test_with_kernels(all); }
