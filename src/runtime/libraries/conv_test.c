/* SPDX-License-Identifier: Apache-2.0 */
/* Convolutions of random shapes and attributes against the definition, on every kernel table of this machine. */
#include "runtime/libraries/conv.h"

#include <stdlib.h>

#include "base/testing.h"
#include "heddle/cpu.h"

static hd_pool *pool;
static void for_range(void *user, int64_t extent, int64_t grain, hd_range_fn body, void *argument) {
  (void)user;
  hd_pool_for(pool, NULL, extent, grain, body, argument);
}

static void *kept[8];
static int kept_count;
static bool keeping;
static const void *keep(void *user, const void *data, uint64_t use, size_t bytes, void (*pack)(void *, void *),
                        void *argument) {
  (void)user, (void)data, (void)use;
  if (!keeping || kept_count == 8) return NULL;
  kept[kept_count] = aligned_alloc(64, (bytes + 127) / 64 * 64);
  pack(argument, kept[kept_count]);
  return kept[kept_count++];
}

static uint64_t state = 7;
static int64_t pick(int64_t from, int64_t to) {
  return from + (int64_t)(hd_test_random(&state) & INT32_MAX) % (to - from + 1);
}

/* Floats are fractions, whose sums round. */
static bool rounds;

/* Small integers: every type is exact, every order of sums the same. */
static void fill(hd_element_type type, void *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    int64_t value = pick(-3, 3);
    float single = rounds ? (float)pick(-1000, 1000) / 777 : (float)value;
    uint32_t bits;
    memcpy(&bits, &single, 4);
    if (type == HD_ELEMENT_F32)
      ((float *)data)[i] = single;
    else if (type == HD_ELEMENT_F64)
      ((double *)data)[i] = rounds ? (double)pick(-1000, 1000) / 777 : (double)value;
    else if (type == HD_ELEMENT_BF16)
      ((uint16_t *)data)[i] = (uint16_t)(bits >> 16);
    else if (type == HD_ELEMENT_I8)
      ((int8_t *)data)[i] = (int8_t)value;
    else
      ((int32_t *)data)[i] = (int32_t)value;
  }
}

static double load(hd_element_type type, const void *data, int64_t i) {
  if (type == HD_ELEMENT_F32) return ((const float *)data)[i];
  if (type == HD_ELEMENT_F64) return ((const double *)data)[i];
  if (type == HD_ELEMENT_I8) return ((const int8_t *)data)[i];
  if (type == HD_ELEMENT_I32) return ((const int32_t *)data)[i];
  uint32_t bits = (uint32_t)((const uint16_t *)data)[i] << 16;
  float single;
  memcpy(&single, &bits, 4);
  return single;
}

static double reference(const hd_conv_call *c, int64_t n, const int64_t *o, int64_t f) {
  int64_t groups = c->feature_groups * c->batch_groups, group = f / (c->output_features / groups);
  int64_t batch = c->batch_groups > 1 ? group * c->batch + n : n;
  int64_t first = c->feature_groups > 1 ? group * c->input_features : 0;
  double sum = 0;
  int64_t p[3], count = 1;
  for (int i = 0; i < c->spatial; ++i) count *= c->window[i].kernel;
  for (int64_t at = 0; at < count; ++at) {
    int64_t rest = at, in = batch * c->input_batch_step, kernel = f * c->kernel_output_step;
    bool inside = true;
    for (int i = c->spatial - 1; i >= 0; --i) {
      const hd_conv_window *w = &c->window[i];
      p[i] = rest % w->kernel;
      rest /= w->kernel;
      int64_t x = o[i] * w->stride - w->pad_low + p[i] * w->kernel_dilation;
      if (x < 0 || x % w->input_dilation || x / w->input_dilation >= w->input) inside = false;
      in += x / w->input_dilation * w->input_step;
      kernel += (w->reversed ? w->kernel - 1 - p[i] : p[i]) * w->kernel_step;
    }
    /* Padding and the gaps of dilation are zeros, which are multiplied too. */
    for (int64_t k = 0; k < c->input_features; ++k)
      sum += (inside ? load(c->input_type, c->input, in + (first + k) * c->input_feature_step) : 0) *
             load(c->kernel_type, c->kernel, kernel + k * c->kernel_input_step);
  }
  return sum;
}

static void give_steps(int64_t **steps, const int64_t *sizes, int count, int64_t *out_total) {
  /* A random order of dims, or the given one. */
  int order[8];
  for (int i = 0; i < count; ++i) order[i] = i;
  if (pick(0, 1))
    for (int i = count - 1; i > 0; --i) {
      int j = (int)pick(0, i), swap = order[i];
      order[i] = order[j], order[j] = swap;
    }
  int64_t step = 1;
  for (int i = count - 1; i >= 0; --i) {
    *steps[order[i]] = step;
    step *= sizes[order[i]];
  }
  *out_total = step;
}

static hd_gemm_context *contexts[4];
static int context_count;

typedef struct sink {
  float *out;
  int64_t features;
} sink;
static void twice(const uint64_t *words, int64_t m0, int64_t m1) {
  const hd_gemm_epilogue *args = (const hd_gemm_epilogue *)(const void *)words;
  const float *tile = args->tile;
  const sink *s = (const sink *)(uintptr_t)*(const uint64_t *)(args + 1);
  for (int64_t m = m0; m < m1; ++m)
    for (int64_t n = args->n0; n < args->n1; ++n)
      s->out[m * s->features + n] = 2 * tile[(m - m0) * args->tile_row + n - args->n0];
}

/* Is one weight infinite? */
static bool infinite;
static bool same(double got, double want, hd_element_type type) {
  if (isnan(want) || isinf(want)) return isnan(want) ? isnan(got) : got == want;
  return type == HD_ELEMENT_BF16 ? fabs(got - want) <= fabs(want) / 128 : got == want;
}

static void check(hd_conv_call *c, int64_t in_total, int64_t kernel_total, int64_t out_total, const char *what) {
  size_t out_bytes = (size_t)out_total * hd_element_bytes(c->output_type);
  void *in = malloc((size_t)in_total * hd_element_bytes(c->input_type) + 1);
  void *kernel = malloc((size_t)kernel_total * hd_element_bytes(c->kernel_type) + 1);
  char *out = malloc(out_bytes + 1), *first = malloc(out_bytes + 1);
  fill(c->input_type, in, in_total);
  fill(c->kernel_type, kernel, kernel_total);
  if (infinite && kernel_total > 0 && c->kernel_type == HD_ELEMENT_F32)
    ((float *)kernel)[pick(0, kernel_total - 1)] = INFINITY;
  if (infinite && kernel_total > 0 && c->kernel_type == HD_ELEMENT_BF16)
    ((uint16_t *)kernel)[pick(0, kernel_total - 1)] = 0x7f80;
  c->input = in, c->kernel = kernel, c->output = out;
  for (int i = 0; i < context_count; ++i)
    for (int threads = 1; threads <= 3; threads += 2) {
      hd_gemm_env env = {.threads = threads, .for_range = threads > 1 ? for_range : NULL, .keep = keep};
      keeping = threads > 1;
      c->env = &env;
      memset(out, 0x5a, out_bytes + 1);
      HD_CHECK_OK(hd_conv(contexts[i], c));
      while (kept_count) free(kept[--kept_count]);
      HD_CHECK_INT(out[out_bytes], 0x5a);
      if (threads > 1 || (rounds && i > 0)) {
        if (memcmp(out, first, out_bytes)) HD_CHECK_STR(what, "the same bits for all threads and CPU levels");
        continue;
      }
      memcpy(first, out, out_bytes);
      if (rounds) continue;
      int64_t bad = 0, positions = 1, o[3];
      for (int s = 0; s < c->spatial; ++s) positions *= c->window[s].output;
      for (int64_t n = 0; n < c->batch; ++n)
        for (int64_t at = 0; at < positions; ++at)
          for (int64_t f = 0; f < c->output_features; ++f) {
            int64_t rest = at, to = n * c->output_batch_step + f * c->output_feature_step;
            for (int s = c->spatial - 1; s >= 0; --s) {
              o[s] = rest % c->window[s].output;
              rest /= c->window[s].output;
              to += o[s] * c->window[s].output_step;
            }
            double want = reference(c, n, o, f), got = load(c->output_type, out, to);
            if (c->output_type == HD_ELEMENT_I8) want = (double)(int8_t)(int64_t)want;
            if (!same(got, want, c->output_type)) ++bad;
          }
      if (bad) HD_CHECK_STR(what, "no wrong element");
    }
  free(in);
  free(kernel);
  free(out);
  free(first);
}

static void last_to_front(int64_t *sizes, int64_t **steps, int count) {
  int64_t size = sizes[count - 1], *step = steps[count - 1];
  for (int k = count - 1; k > 0; --k) sizes[k] = sizes[k - 1], steps[k] = steps[k - 1];
  sizes[0] = size, steps[0] = step;
}

/* Of any kind, or the gradient of the filter of groups with lines, or features, as the innermost dim. */
typedef enum random_kind { OF_ANY_KIND, OF_PLANES, OF_TAPS } random_kind;

static void random_case(int number, random_kind kind) {
  bool of_groups = kind != OF_ANY_KIND, planes = kind == OF_PLANES;
  static const hd_element_type types[][3] = {
      {HD_ELEMENT_F32, HD_ELEMENT_F32, HD_ELEMENT_F32}, {HD_ELEMENT_F32, HD_ELEMENT_F32, HD_ELEMENT_F32},
      {HD_ELEMENT_F64, HD_ELEMENT_F64, HD_ELEMENT_F64}, {HD_ELEMENT_BF16, HD_ELEMENT_BF16, HD_ELEMENT_BF16},
      {HD_ELEMENT_I8, HD_ELEMENT_I8, HD_ELEMENT_I32},   {HD_ELEMENT_I8, HD_ELEMENT_I8, HD_ELEMENT_I8},
      {HD_ELEMENT_I32, HD_ELEMENT_I32, HD_ELEMENT_I32}};
  hd_conv_call c = {
      .spatial = (int32_t)pick(of_groups, 3), .batch = pick(1, 3), .feature_groups = 1, .batch_groups = 1};
  const hd_element_type *type = types[pick(0, 6)];
  c.input_type = type[0], c.kernel_type = type[1], c.output_type = type[2];
  int64_t groups = of_groups || !pick(0, 2) ? (pick(0, 1) ? pick(2, 3) : pick(4, planes ? 20 : 70)) : 1;
  *(pick(0, 1) ? &c.feature_groups : &c.batch_groups) = groups;
  c.input_features = pick(0, 9) ? pick(1, 20) : 0;
  if (groups > 3) c.input_features = pick(0, 1) ? 1 : pick(1, 5);
  c.output_features = groups * (groups > 3 ? pick(1, 9) : pick(0, 3) ? pick(1, 30) : 16 * pick(1, 8));
  infinite = !pick(0, 7);
  /* Gradients of filters: a large kernel, few outputs, a batch of features. */
  bool gradient = of_groups || (groups == 1 && c.spatial && !pick(0, 9));
  if (gradient) c.batch = pick(1, of_groups ? 3 : 40), c.input_features = pick(1, 3);
  /* Groups of few features before positions: lines are lanes, or tiles from some weights of a position on. */
  bool lines = groups > 1 && c.spatial > 1 && !of_groups && pick(0, 1);
  if (lines) c.input_features = pick(1, 12), c.output_features = groups * pick(1, groups > 9 ? 2 : 8);
  int64_t in_sizes[5] = {c.batch * c.batch_groups}, kernel_sizes[5], out_sizes[5] = {c.batch};
  int64_t *in_steps[5] = {&c.input_batch_step}, *kernel_steps[5], *out_steps[5] = {&c.output_batch_step};
  char what[512] = "";
  for (int i = 0; i < c.spatial; ++i) {
    hd_conv_window *w = &c.window[i];
    bool easy = pick(0, 1);
    do {
      w->input = pick(1, c.spatial == 1 ? 150 : c.spatial == 2 ? 14 : 6);
      w->kernel = pick(1, easy ? 3 : 4);
      w->stride = pick(1, easy ? 2 : 3);
      w->input_dilation = easy ? 1 : pick(1, 3);
      w->kernel_dilation = easy ? 1 : pick(1, 3);
      w->pad_low = pick(easy ? 0 : -2, 3);
      w->reversed = !easy && pick(0, 1);
      if (gradient) {
        bool line = of_groups ? i + 1 == c.spatial : c.spatial == 1;
        int64_t most_line = (c.spatial == 1 ? of_groups : kind == OF_TAPS) && !pick(0, 4) ? 300
                            : c.spatial == 1                                              ? 40
                                                                                          : 20;
        w->kernel = pick(line ? 4 : 2, line ? most_line : of_groups ? 4 : 7);
        if (planes) w->kernel_dilation = line ? 1 : pick(1, 2), w->reversed &= !line;
        w->input = (w->kernel - 1) * w->kernel_dilation + pick(1, 3);
        w->pad_low = pick(0, 2), w->stride = planes && line ? 1 : pick(1, 2), w->input_dilation = 1;
      }
      if (lines && i + 1 == c.spatial) {
        w->input = pick(0, 5) ? pick(5, 40) : pick(120, 150);
        w->stride = w->input_dilation = 1;
        w->pad_low = pick(-3, 9);
      }
      int64_t padded = (w->input - 1) * w->input_dilation + 1 + w->pad_low + pick(easy ? 0 : -2, 3);
      int64_t window = (w->kernel - 1) * w->kernel_dilation + 1;
      w->output = padded >= window ? (padded - window) / w->stride + 1 : 0;
    } while (w->output == 0 && pick(0, 20));
    in_sizes[i + 1] = w->input, kernel_sizes[i] = w->kernel, out_sizes[i + 1] = w->output;
    in_steps[i + 1] = &w->input_step, kernel_steps[i] = &w->kernel_step, out_steps[i + 1] = &w->output_step;
    size_t used = strlen(what);
    snprintf(what + used, sizeof what - used, "[in %d k %d out %d s %d p %d ld %d rd %d rev %d] ", (int)w->input,
             (int)w->kernel, (int)w->output, (int)w->stride, (int)w->pad_low, (int)w->input_dilation,
             (int)w->kernel_dilation, w->reversed);
  }
  int s = c.spatial;
  in_sizes[s + 1] = c.input_features * c.feature_groups, in_steps[s + 1] = &c.input_feature_step;
  out_sizes[s + 1] = c.output_features, out_steps[s + 1] = &c.output_feature_step;
  kernel_sizes[s] = c.input_features, kernel_steps[s] = &c.kernel_input_step;
  kernel_sizes[s + 1] = c.output_features, kernel_steps[s + 1] = &c.kernel_output_step;
  for (int i = s + 1; lines && i > 1; --i) {
    int64_t size = in_sizes[i], *step = in_steps[i];
    in_sizes[i] = in_sizes[i - 1], in_steps[i] = in_steps[i - 1], in_sizes[i - 1] = size, in_steps[i - 1] = step;
    size = out_sizes[i], step = out_steps[i];
    out_sizes[i] = out_sizes[i - 1], out_steps[i] = out_steps[i - 1], out_sizes[i - 1] = size, out_steps[i - 1] = step;
  }
  if (planes) {
    last_to_front(in_sizes + 1, in_steps + 1, s + 1);
    last_to_front(kernel_sizes, kernel_steps, s + 2);
    last_to_front(kernel_sizes, kernel_steps, s + 2);
  }
  int64_t in_total, kernel_total, out_total;
  give_steps(in_steps, in_sizes, s + 2, &in_total);
  give_steps(kernel_steps, kernel_sizes, s + 2, &kernel_total);
  give_steps(out_steps, out_sizes, s + 2, &out_total);
  size_t used = strlen(what);
  snprintf(what + used, sizeof what - used, "case %d %s n%d ci%d co%d fg%d bg%d", number, hd_element_text(c.input_type),
           (int)c.batch, (int)c.input_features, (int)c.output_features, (int)c.feature_groups, (int)c.batch_groups);
  check(&c, in_total, kernel_total, out_total, what);
}

/* The layers of a residual network, small: NHWC, HWIO. */
static void dense_case(int64_t size, int64_t kernel, int64_t stride, int64_t pad, int64_t in, int64_t out,
                       bool epilogue) {
  hd_conv_call c = {.spatial = 2,
                    .batch = 2,
                    .feature_groups = 1,
                    .batch_groups = 1,
                    .input_features = in,
                    .output_features = out,
                    .input_type = HD_ELEMENT_F32,
                    .kernel_type = HD_ELEMENT_F32,
                    .output_type = HD_ELEMENT_F32,
                    .input_feature_step = 1,
                    .kernel_output_step = 1,
                    .output_feature_step = 1,
                    .kernel_input_step = out};
  int64_t o = (size + 2 * pad - kernel) / stride + 1;
  for (int i = 0; i < 2; ++i)
    c.window[i] = (hd_conv_window){.input = size,
                                   .output = o,
                                   .kernel = kernel,
                                   .stride = stride,
                                   .pad_low = pad,
                                   .input_dilation = 1,
                                   .kernel_dilation = 1,
                                   .input_step = i ? in : in * size,
                                   .kernel_step = (i ? 1 : kernel) * in * out,
                                   .output_step = i ? out : out * o};
  c.input_batch_step = in * size * size;
  c.output_batch_step = out * o * o;
  char what[128];
  snprintf(what, sizeof what, "dense %d k%d s%d p%d %d->%d", (int)size, (int)kernel, (int)stride, (int)pad, (int)in,
           (int)out);
  if (!epilogue) {
    check(&c, 2 * in * size * size, kernel * kernel * in * out, 2 * out * o * o, what);
    return;
  }
  float *x = malloc((size_t)(2 * in * size * size) * 4), *k = malloc((size_t)(kernel * kernel * in * out) * 4);
  float *plain = malloc((size_t)(2 * out * o * o) * 4), *doubled = malloc((size_t)(2 * out * o * o) * 4);
  fill(HD_ELEMENT_F32, x, 2 * in * size * size);
  fill(HD_ELEMENT_F32, k, kernel * kernel * in * out);
  c.input = x, c.kernel = k, c.output = plain;
  for (int i = 0; i < context_count; ++i) {
    c.epilogue = NULL;
    HD_CHECK_OK(hd_conv(contexts[i], &c));
    sink s = {doubled, out};
    uint64_t words[] = {(uint64_t)(uintptr_t)&s};
    c.epilogue = twice, c.epilogue_words = words, c.epilogue_word_count = 1;
    memset(doubled, 0x5a, (size_t)(2 * out * o * o) * 4);
    HD_CHECK_OK(hd_conv(contexts[i], &c));
    int64_t bad = 0;
    for (int64_t e = 0; e < 2 * out * o * o; ++e) bad += doubled[e] != 2 * plain[e];
    HD_CHECK_INT(bad, 0);
  }
  free(x);
  free(k);
  free(plain);
  free(doubled);
}

/* Nothing to sum, in memory that is not there: zeros. Steps are 1, as of any tensor without elements. */
static void empty_case(int64_t input, int64_t kernel, int64_t features) {
  float out[8];
  hd_conv_call c = {.spatial = 2,
                    .batch = 1,
                    .feature_groups = 1,
                    .batch_groups = 1,
                    .input_features = features,
                    .output_features = 1,
                    .input_type = HD_ELEMENT_F32,
                    .kernel_type = HD_ELEMENT_F32,
                    .output_type = HD_ELEMENT_F32,
                    .output = out,
                    .input_batch_step = 1,
                    .input_feature_step = 1,
                    .kernel_input_step = 1,
                    .kernel_output_step = 1,
                    .output_batch_step = 8,
                    .output_feature_step = 1};
  for (int i = 0; i < 2; ++i)
    c.window[i] = (hd_conv_window){.input = i ? input : 4,
                                   .output = i ? 2 : 4,
                                   .kernel = i ? kernel : 3,
                                   .stride = 1,
                                   .pad_low = 1,
                                   .input_dilation = 1,
                                   .kernel_dilation = 1,
                                   .input_step = 1,
                                   .kernel_step = 1,
                                   .output_step = i ? 1 : 2};
  static const float ones[64] = {1, 1, 1, 1, 1, 1, 1, 1};
  if (input && features) c.input = ones;
  if (kernel && features) c.kernel = ones;
  for (int i = 0; i < context_count; ++i) {
    memset(out, 0x5a, sizeof out);
    HD_CHECK_OK(hd_conv(contexts[i], &c));
    for (int k = 0; k < 8; ++k) HD_CHECK(out[k] == 0);
  }
}

/* Outputs, or elements of the kernel, so far apart that what is between would not fit into memory. */
static void far_case(int64_t stride, int64_t dilation) {
  hd_conv_call c = {.spatial = 2,
                    .batch = 1,
                    .feature_groups = 4,
                    .batch_groups = 1,
                    .input_features = 1,
                    .output_features = 4,
                    .input_type = HD_ELEMENT_F32,
                    .kernel_type = HD_ELEMENT_F32,
                    .output_type = HD_ELEMENT_F32,
                    .input_batch_step = 9 * 9 * 4,
                    .input_feature_step = 1,
                    .kernel_input_step = 4,
                    .kernel_output_step = 1,
                    .output_batch_step = 3 * 3 * 4,
                    .output_feature_step = 1};
  for (int i = 0; i < 2; ++i)
    c.window[i] = (hd_conv_window){.input = 9,
                                   .output = 3,
                                   .kernel = 8,
                                   .stride = stride,
                                   .pad_low = stride > dilation ? stride : 7 * dilation,
                                   .input_dilation = 1,
                                   .kernel_dilation = dilation,
                                   .input_step = i ? 4 : 9 * 4,
                                   .kernel_step = i ? 4 : 8 * 4,
                                   .output_step = i ? 4 : 3 * 4};
  check(&c, 9 * 9 * 4, 8 * 8 * 4, 3 * 3 * 4, "outputs far apart");
}

int main(void) {
  for (int i = 0; hd_gemm_kernels_at(i); ++i) {
    const hd_gemm_kernels *kernels = hd_gemm_kernels_at(i);
    if (kernels->features & ~hd_cpu_features())
      HD_TEST_SKIP("this machine has no %s", kernels->name);
    else
      HD_CHECK_OK(hd_gemm_context_create(kernels->features, &contexts[context_count++]));
  }
  /* The best one with words of two bf16 too, where this machine multiplies them. */
  if (context_count && hd_gemm_pairs_find(hd_cpu_features()))
    HD_CHECK_OK(hd_gemm_context_create(hd_cpu_features(), &contexts[context_count++]));
  HD_CHECK_OK(hd_pool_create(3, NULL, &pool));
  for (int epilogue = 0; epilogue < 2; ++epilogue) {
    dense_case(30, 7, 2, 3, 3, 64, epilogue);
    dense_case(14, 3, 1, 1, 64, 64, epilogue);
    dense_case(7, 3, 1, 1, 130, 128, epilogue);
    dense_case(14, 3, 2, 1, 40, 70, epilogue);
    dense_case(14, 1, 2, 0, 64, 128, epilogue);
    dense_case(7, 1, 1, 0, 96, 200, epilogue);
    dense_case(3, 5, 1, 2, 9, 17, epilogue);
    dense_case(140, 3, 1, 1, 4, 8, epilogue);
  }
  empty_case(0, 3, 1);
  empty_case(3, 0, 1);
  empty_case(3, 3, 0);
  far_case(1 << 24, 1);
  far_case(1, 1 << 24);
  for (int i = 0; i < 3400; ++i) random_case(i, i < 3000 ? OF_ANY_KIND : i < 3200 ? OF_PLANES : OF_TAPS);
  rounds = true;
  for (int i = 0; i < 200; ++i) random_case(i, i < 100 ? OF_PLANES : OF_TAPS);
  if (context_count) {
    hd_conv_call bad = {.spatial = 4, .feature_groups = 1, .batch_groups = 1};
    HD_CHECK_FAILS(hd_conv(contexts[0], &bad), HD_UNIMPLEMENTED, "at most 3 spatial dims, got 4");
    bad = (hd_conv_call){.spatial = 1, .feature_groups = 3, .batch_groups = 1, .output_features = 4};
    HD_CHECK_FAILS(hd_conv(contexts[0], &bad), HD_INVALID_ARGUMENT, "4 output features in 3 groups");
  }
  for (int i = 0; i < context_count; ++i) hd_gemm_context_release(contexts[i]);
  hd_pool_free(pool);
  return HD_TEST_RESULT();
}
