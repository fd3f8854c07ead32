/* SPDX-License-Identifier: Apache-2.0 */
/* Products and convolutions as library calls: by their definition, their epilogues as kernels on one tile that holds
 * everything. */
#include <stdio.h>
#include <string.h>

#include "eval/machine/call_memory.h"
#include "heddle/element.h"
#include "runtime/libraries/gemm_abi.h"
#include "runtime/libraries/product_abi.h"

static hd_status expect_class(hd_type element, hd_number_class class) {
  if (hd_class_of(element) == class) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "expected results of %s", class == HD_CLASS_INT ? "integers" : "floats");
}

/* The class of what is multiplied: integers or floats. */
static hd_status class_of(hd_type a, hd_type b, hd_number_class *out) {
  *out = hd_class_of(a);
  if (hd_class_of(b) == *out && (*out == HD_CLASS_INT || *out == HD_CLASS_FLOAT)) return HD_STATUS_OK;
  return hd_make_status(HD_INVALID_ARGUMENT, "expected integers or floats on both sides");
}

/* The epilogue of a library call, on a tile of m x n for each step of the batch. */
typedef struct epilogue {
  hd_op *kernel; /* null: results go to memory as they are */
  hd_type type;
  hd_tensor *args;
  hd_tensor tile;
  hd_storage *storage;
  hd_type element; /* of the tile */
} epilogue;

/* Its argument that is word |at|. */
static hd_status set_word(hd_eval_frame *frame, epilogue *e, uint32_t at, uint64_t value) {
  return hd_kernel_word(frame, e->type->function.ins[at], value, &e->args[at]);
}

/* |class|: of the sums. |element|: of the results where there is no epilogue. */
static hd_status open_epilogue(hd_eval_frame *frame, hd_op *op, const hd_tensor *number, const hd_tensor *words,
                               const hd_tensor *word_count, int64_t m, int64_t n, hd_number_class class,
                               hd_type element, epilogue *e) {
  *e = (epilogue){.element = element};
  int64_t index = hd_eval_int(number), count = hd_eval_int(word_count);
  if (index < 0) return expect_class(element, class);
  e->kernel = hd_kernel_at(op, index);
  HD_TRY(hd_kernel_type(e->kernel, &e->type));
  const uint32_t args = e->type->function.in_count, tile = HD_WORD(hd_gemm_epilogue, tile);
  if (count < 0 || args != HD_WORDS(hd_gemm_epilogue) + (uint64_t)count + HD_KERNEL_RANGE_ARGS ||
      !hd_type_is(e->type->function.ins[tile], HD_TYPE_MEMREF))
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %lld words to an epilogue of %u arguments", (long long)count,
                          args);
  HD_TRY(hd_eval_temp(frame, args, sizeof *e->args, &e->args));
  hd_type type = e->type->function.ins[tile];
  e->element = type->shaped.element;
  HD_TRY(expect_class(e->element, class));
  int64_t elements, sizes[1];
  if (!hd_dims_product(2, (int64_t[]){m, n}, &elements) || elements > INT64_MAX / 16)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "the tile is too large");
  sizes[0] = elements;
  HD_TRY(hd_memref_allocate(frame, hd_type_with_dims(type, (int64_t[]){HD_DYNAMIC}, 1), sizes, op, true, &e->tile));
  e->storage = hd_memref_of(&e->tile)->storage;
  HD_TRY(hd_kernel_operand(frame, type, &e->tile, &e->args[tile]));
  HD_TRY(set_word(frame, e, HD_WORD(hd_gemm_epilogue, tile_row), (uint64_t)n));
  HD_TRY(set_word(frame, e, HD_WORD(hd_gemm_epilogue, n0), 0));
  HD_TRY(set_word(frame, e, HD_WORD(hd_gemm_epilogue, n1), (uint64_t)n));
  char *at = NULL;
  HD_TRY(hd_call_bytes(frame, hd_call_address(words), (size_t)count * 8, &at));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t word;
    memcpy(&word, at + 8 * i, 8);
    HD_TRY(set_word(frame, e, HD_WORDS(hd_gemm_epilogue) + (uint32_t)i, word));
  }
  return HD_STATUS_OK;
}

static hd_status run_epilogue(hd_eval_frame *frame, epilogue *e, int64_t batch, int64_t m) {
  if (!e->kernel || !m) return HD_STATUS_OK;
  HD_TRY(set_word(frame, e, HD_WORD(hd_gemm_epilogue, batch), (uint64_t)batch));
  HD_TRY(hd_kernel_run(frame, e->kernel, e->type, e->args, 0, m));
  hd_tensor_release(&e->args[HD_WORD(hd_gemm_epilogue, batch)]);
  return HD_STATUS_OK;
}

static hd_status close_epilogue(hd_eval_frame *frame, epilogue *e) {
  if (!e->kernel) return HD_STATUS_OK;
  for (uint32_t i = 0; i < e->type->function.in_count; ++i) hd_tensor_release(&e->args[i]);
  hd_tensor_release(&e->tile);
  return hd_storage_free(frame, e->storage);
}

/* A sum of products, in double or wrapping integers. */
typedef struct sum {
  bool whole;
  double real;
  uint64_t integer;
} sum;

static double real_at(hd_type type, const char *at) {
  double value;
  if (type->float_kind == HD_F32) {
    float single;
    memcpy(&single, at, sizeof single);
    return single;
  }
  hd_load_doubles(type, at, 1, &value);
  return value;
}

static void add_product(sum *s, hd_type a_type, const char *a, hd_type b_type, const char *b) {
  if (s->whole)
    s->integer += (uint64_t)hd_element_load(a_type, a) * (uint64_t)hd_element_load(b_type, b);
  else
    s->real += real_at(a_type, a) * real_at(b_type, b);
}

/* What most products are made of; steps in bytes. */
static double dot_single(const char *a, int64_t a_step, const char *b, int64_t b_step, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    float x, y;
    memcpy(&x, a + i * a_step, sizeof x);
    memcpy(&y, b + i * b_step, sizeof y);
    sum += (double)x * y;
  }
  return sum;
}

enum { STRETCH = 1 << 20 }; /* products between two looks at the clock */

/* Adds |count| products to |s|; steps in elements. What they reach is checked. */
static hd_status add_products(hd_eval_frame *frame, sum *s, hd_type a_type, const char *a, int64_t a_step,
                              hd_type b_type, const char *b, int64_t b_step, int64_t count) {
  if (count < 2) a_step = b_step = 0; /* may be anything then */
  a_step *= (int64_t)hd_type_element_bytes(a_type);
  b_step *= (int64_t)hd_type_element_bytes(b_type);
  bool single = hd_type_is_float(a_type, HD_F32) && hd_type_is_float(b_type, HD_F32);
  for (int64_t from = 0; from < count; from += STRETCH) {
    if (from) HD_TRY(hd_eval_poll(frame));
    int64_t stretch = count - from < STRETCH ? count - from : STRETCH;
    const char *x = a + from * a_step, *y = b + from * b_step;
    if (single) s->real += dot_single(x, a_step, y, b_step, stretch);
    for (int64_t i = 0; i < stretch && !single; ++i) add_product(s, a_type, x + i * a_step, b_type, y + i * b_step);
  }
  return HD_STATUS_OK;
}

static void store_sum(const sum *s, hd_type type, char *to) {
  if (s->whole)
    hd_element_store(type, to, (int64_t)s->integer);
  else
    hd_store_doubles(type, to, 1, &s->real);
}

/* Where the results of one point go: the tile, or memory. */
static hd_status store_result(hd_eval_frame *frame, const epilogue *e, const sum *s, int64_t tile_index, hd_type type,
                              uint64_t out, int64_t offset) {
  if (e->kernel) {
    store_sum(s, e->element, e->storage->data + tile_index * (int64_t)hd_type_element_bytes(e->element));
    return HD_STATUS_OK;
  }
  char *to;
  size_t bytes = hd_type_element_bytes(type);
  HD_TRY(hd_call_bytes_to(frame, out + (uint64_t)offset * bytes, bytes, &to));
  store_sum(s, type, to);
  return HD_STATUS_OK;
}

enum { MAX_DIMS = 2 * HD_MAX_RANK };

/* Steps through dims of one role. */
typedef struct dims_of_role {
  uint32_t count;
  int64_t sizes[MAX_DIMS], strides[3][MAX_DIMS], total;
} dims_of_role;

static void offsets_at(const dims_of_role *d, int64_t linear, int64_t *offsets) {
  for (uint32_t i = d->count; i-- > 0;) {
    int64_t at = linear % d->sizes[i];
    linear /= d->sizes[i];
    for (int k = 0; k < 3; ++k) offsets[k] += at * d->strides[k][i];
  }
}

/* Where the elements of a strided array at |address| are: all that it reaches is checked. Null when it has none. */
static hd_status array_at(hd_eval_frame *frame, uint64_t address, uint32_t rank, const int64_t *sizes,
                          const int64_t *strides, hd_type element, char **out) {
  int64_t low, high, span, bytes = (int64_t)hd_type_element_bytes(element);
  *out = NULL;
  for (uint32_t i = 0; i < rank; ++i)
    if (!sizes[i]) return HD_STATUS_OK;
  if (!hd_strided_span(rank, sizes, strides, 0, &low, &high) || __builtin_sub_overflow(high, low, &span) ||
      __builtin_add_overflow(span, 1, &span) || __builtin_mul_overflow(span, bytes, &span))
    return hd_make_status(HD_INVALID_ARGUMENT, "reaches outside of a buffer");
  char *first;
  uint64_t before = (uint64_t)low * (uint64_t)bytes;
  HD_TRY(hd_call_bytes(frame, address + before, (size_t)span, &first));
  *out = first - low * bytes;
  return HD_STATUS_OK;
}

/* The dims of all roles as array |which| has them. */
static uint32_t dims_for(const dims_of_role *roles, int which, int64_t *sizes, int64_t *strides) {
  uint32_t rank = 0;
  for (int r = 0; r < 4; ++r)
    for (uint32_t i = 0; i < roles[r].count; ++i, ++rank) {
      sizes[rank] = roles[r].sizes[i];
      strides[rank] = roles[r].strides[which][i];
    }
  return rank;
}

/* One result of a dot: the products over the inner dims, from |base|. */
static hd_status dot_at(hd_eval_frame *frame, sum *s, const dims_of_role *inner, const int64_t *base, hd_type a_type,
                        const char *a, hd_type b_type, const char *b) {
  int64_t a_bytes = (int64_t)hd_type_element_bytes(a_type), b_bytes = (int64_t)hd_type_element_bytes(b_type);
  if (inner->count == 1 && inner->total)
    return add_products(frame, s, a_type, a + base[0] * a_bytes, inner->strides[0][0], b_type, b + base[1] * b_bytes,
                        inner->strides[1][0], inner->total);
  for (int64_t k = 0; k < inner->total; ++k) {
    int64_t offsets[3] = {base[0], base[1], base[2]};
    if (k && k % STRETCH == 0) HD_TRY(hd_eval_poll(frame));
    offsets_at(inner, k, offsets);
    add_product(s, a_type, a + offsets[0] * a_bytes, b_type, b + offsets[1] * b_bytes);
  }
  return HD_STATUS_OK;
}

/* The element types of a call, and the class of the sums. */
typedef struct operand_types {
  hd_type a, b, c;
  hd_number_class class;
} operand_types;

static hd_status types_of(hd_context *context, int64_t word, operand_types *out) {
  hd_product_types types = hd_product_types_of(word);
  *out = (operand_types){hd_call_element(context, types.lhs), hd_call_element(context, types.rhs),
                         hd_call_element(context, types.out), HD_CLASS_NONE};
  if (!out->a || !out->b || !out->c) return hd_make_status(HD_INVALID_ARGUMENT, "has no such element types");
  return class_of(out->a, out->b, &out->class);
}

static hd_status read_roles(hd_eval_frame *frame, const hd_tensor *words, int64_t count, dims_of_role *roles) {
  char *at;
  hd_dot_dim row;
  HD_TRY(hd_call_bytes(frame, hd_call_address(words), (size_t)count * sizeof row, &at));
  for (int r = 0; r < 4; ++r) roles[r] = (dims_of_role){.total = 1};
  for (int64_t i = 0; i < count; ++i, at += sizeof row) {
    memcpy(&row, at, sizeof row);
    if (row.role < HD_GEMM_BATCH || row.role > HD_GEMM_K || row.size < 0)
      return hd_make_status(HD_INVALID_ARGUMENT, "dot_general: wrong dims");
    dims_of_role *d = &roles[row.role];
    d->sizes[d->count] = row.size;
    d->strides[0][d->count] = row.lhs_stride;
    d->strides[1][d->count] = row.rhs_stride;
    d->strides[2][d->count] = row.out_stride;
    ++d->count;
    if (!hd_dims_product(d->count, d->sizes, &d->total))
      return hd_make_status(HD_INVALID_ARGUMENT, "dot_general: sizes overflow");
  }
  return HD_STATUS_OK;
}

/* (stream, lhs, rhs, out, types, dims, dim_count, epilogue, words, word_count) */
hd_status hd_call_dot_general(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  int64_t count = hd_eval_int(&in[6]), sizes[MAX_DIMS], strides[MAX_DIMS], low, high;
  operand_types t;
  HD_TRY(types_of(hd_frame_context(frame), hd_eval_int(&in[4]), &t));
  if (count < 0 || count > MAX_DIMS)
    return hd_make_status(HD_INVALID_ARGUMENT, "dot_general: %lld dims", (long long)count);
  dims_of_role roles[4];
  HD_TRY(read_roles(frame, &in[5], count, roles));
  epilogue e;
  int64_t m_total = roles[1].total, n_total = roles[2].total;
  HD_TRY(open_epilogue(frame, op, &in[7], &in[8], &in[9], m_total, n_total, t.class, t.c, &e));
  uint64_t c = hd_call_address(&in[3]);
  char *a, *b;
  uint32_t rank = dims_for(roles, 0, sizes, strides);
  HD_TRY(array_at(frame, hd_call_address(&in[1]), rank, sizes, strides, t.a, &a));
  dims_for(roles, 1, sizes, strides);
  HD_TRY(array_at(frame, hd_call_address(&in[2]), rank, sizes, strides, t.b, &b));
  dims_for(roles, 2, sizes, strides);
  if (!hd_strided_span(rank, sizes, strides, 0, &low, &high))
    return hd_make_status(HD_INVALID_ARGUMENT, "dot_general: reaches outside of a buffer");
  for (int64_t batch = 0; batch < roles[0].total; ++batch) {
    for (int64_t m = 0; m < m_total; ++m)
      for (int64_t n = 0; n < n_total; ++n) {
        if (n % 64 == 0) HD_TRY(hd_eval_poll(frame));
        int64_t base[3] = {0};
        offsets_at(&roles[0], batch, base);
        offsets_at(&roles[1], m, base);
        offsets_at(&roles[2], n, base);
        sum s = {.whole = t.class == HD_CLASS_INT};
        HD_TRY(dot_at(frame, &s, &roles[3], base, t.a, a, t.b, b));
        HD_TRY(store_result(frame, &e, &s, m * n_total + n, t.c, c, base[2]));
      }
    HD_TRY(run_epilogue(frame, &e, batch, n_total ? m_total : 0));
  }
  return close_epilogue(frame, &e);
}

/* What the words of a convolution say, checked. */
typedef struct conv {
  hd_conv_descriptor f;
  hd_conv_window_descriptor window[HD_CONV_MAX_SPATIAL];
  int64_t positions, taps;
} conv;

static hd_status read_conv(hd_eval_frame *frame, const hd_tensor *descriptor, int64_t count, conv *c) {
  *c = (conv){0};
  const int64_t head = HD_WORDS(hd_conv_descriptor), each = HD_WORDS(hd_conv_window_descriptor);
  char *at;
  if (count < head || count > HD_WORDS(hd_conv_words))
    return hd_make_status(HD_INVALID_ARGUMENT, "convolution: a descriptor of %lld words", (long long)count);
  HD_TRY(hd_call_bytes(frame, hd_call_address(descriptor), (size_t)count * 8, &at));
  memcpy(&c->f, at, sizeof c->f);
  memcpy(c->window, at + sizeof c->f, (size_t)(count - head) * 8);
  const hd_conv_descriptor *f = &c->f;
  bool fits = f->spatial >= 0 && f->spatial <= HD_CONV_MAX_SPATIAL && count == head + each * f->spatial &&
              f->batch >= 0 && f->input_features >= 0 && f->output_features >= 0 && f->feature_groups >= 1 &&
              f->batch_groups >= 1;
  int64_t sizes[HD_CONV_MAX_SPATIAL], taps[HD_CONV_MAX_SPATIAL], low, high, product;
  for (int64_t d = 0; fits && d < f->spatial; ++d) {
    const hd_conv_window_descriptor *w = &c->window[d];
    sizes[d] = w->output, taps[d] = w->kernel;
    fits = w->input >= 0 && w->output >= 0 && w->kernel >= 0 && w->input_dilation >= 1 && w->pad_low > INT64_MIN &&
           hd_strided_span(2, (int64_t[]){w->output, w->kernel}, (int64_t[]){w->stride, w->kernel_dilation},
                           -w->pad_low, &low, &high);
  }
  fits = fits && hd_dims_product((uint32_t)f->spatial, sizes, &c->positions) &&
         hd_dims_product((uint32_t)f->spatial, taps, &c->taps) &&
         !__builtin_mul_overflow(f->batch, c->positions, &product) &&
         !__builtin_mul_overflow(f->batch, f->batch_groups, &product) &&
         !__builtin_mul_overflow(f->input_features, f->feature_groups, &product) &&
         !__builtin_mul_overflow(f->feature_groups, f->batch_groups, &product);
  return fits ? HD_STATUS_OK : hd_make_status(HD_INVALID_ARGUMENT, "convolution: wrong descriptor");
}

/* Input and kernel, null where they have no elements; what the output reaches is no overflow. */
static hd_status conv_arrays(hd_eval_frame *frame, const conv *c, const hd_tensor *in, const operand_types *t, char **a,
                             char **b) {
  enum { RANK = HD_CONV_MAX_SPATIAL + 2 };
  const hd_conv_descriptor *f = &c->f;
  uint32_t rank = (uint32_t)f->spatial + 2;
  int64_t input[RANK] = {f->batch * f->batch_groups, f->input_features * f->feature_groups},
          input_steps[RANK] = {f->input_batch_step, f->input_feature_step};
  int64_t kernel[RANK] = {f->output_features, f->input_features},
          kernel_steps[RANK] = {f->kernel_output_step, f->kernel_input_step};
  int64_t output[RANK] = {f->batch, f->output_features},
          output_steps[RANK] = {f->output_batch_step, f->output_feature_step}, low, high;
  for (uint32_t d = 2; d < rank; ++d) {
    const hd_conv_window_descriptor *w = &c->window[d - 2];
    input[d] = w->input, kernel[d] = w->kernel, output[d] = w->output;
    input_steps[d] = w->input_step, kernel_steps[d] = w->kernel_step, output_steps[d] = w->output_step;
  }
  HD_TRY(array_at(frame, hd_call_address(&in[1]), rank, input, input_steps, t->a, a));
  HD_TRY(array_at(frame, hd_call_address(&in[2]), rank, kernel, kernel_steps, t->b, b));
  return hd_strided_span(rank, output, output_steps, 0, &low, &high)
             ? HD_STATUS_OK
             : hd_make_status(HD_INVALID_ARGUMENT, "convolution: reaches outside of a buffer");
}

/* One result: output feature |o| of line |n| of the batch at |position|. */
static hd_status conv_at(hd_eval_frame *frame, const conv *c, const operand_types *t, const char *a, const char *b,
                         int64_t n, const int64_t *position, int64_t o, sum *s) {
  const hd_conv_descriptor *f = &c->f;
  int64_t per_group = f->output_features / (f->feature_groups * f->batch_groups), group = per_group ? o / per_group : 0;
  int64_t feature_group = f->feature_groups > 1 ? group : 0, batch_group = f->batch_groups > 1 ? group : 0;
  if (!a || !b || feature_group >= f->feature_groups || batch_group >= f->batch_groups) return HD_STATUS_OK;
  for (int64_t tap_number = 0; tap_number < c->taps; ++tap_number) {
    int64_t tap = tap_number,
            a_at = (batch_group * f->batch + n) * f->input_batch_step +
                   feature_group * f->input_features * f->input_feature_step,
            b_at = o * f->kernel_output_step;
    bool inside = true;
    if (tap % STRETCH == STRETCH - 1) HD_TRY(hd_eval_poll(frame));
    for (int64_t d = f->spatial; d-- > 0 && inside;) {
      const hd_conv_window_descriptor *w = &c->window[d];
      int64_t k = tap % w->kernel, i = position[d] * w->stride - w->pad_low + k * w->kernel_dilation;
      tap /= w->kernel;
      inside = i >= 0 && i % w->input_dilation == 0 && i / w->input_dilation < w->input;
      if (!inside) continue;
      a_at += i / w->input_dilation * w->input_step;
      b_at += (w->reversed ? w->kernel - 1 - k : k) * w->kernel_step;
    }
    if (inside)
      HD_TRY(add_products(frame, s, t->a, a + a_at * (int64_t)hd_type_element_bytes(t->a), f->input_feature_step, t->b,
                          b + b_at * (int64_t)hd_type_element_bytes(t->b), f->kernel_input_step, f->input_features));
  }
  return HD_STATUS_OK;
}

/* (stream, input, kernel, out, types, descriptor, descriptor_words, epilogue, words, word_count) */
hd_status hd_call_convolution(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  operand_types t;
  conv c;
  epilogue e;
  char *a, *b;
  HD_TRY(types_of(hd_frame_context(frame), hd_eval_int(&in[4]), &t));
  HD_TRY(read_conv(frame, &in[5], hd_eval_int(&in[6]), &c));
  int64_t m_total = c.f.batch * c.positions, outputs = c.f.output_features;
  HD_TRY(open_epilogue(frame, op, &in[7], &in[8], &in[9], m_total, outputs, t.class, t.c, &e));
  HD_TRY(conv_arrays(frame, &c, in, &t, &a, &b));
  for (int64_t m = 0; m < m_total; ++m) {
    int64_t n = m / c.positions, position[HD_CONV_MAX_SPATIAL] = {0}, rest = m % c.positions,
            out_base = n * c.f.output_batch_step;
    for (int64_t d = c.f.spatial; d-- > 0;) {
      const hd_conv_window_descriptor *w = &c.window[d];
      position[d] = rest % w->output;
      rest /= w->output;
      out_base += position[d] * w->output_step;
    }
    for (int64_t o = 0; o < outputs; ++o) {
      if (o % 64 == 0) HD_TRY(hd_eval_poll(frame));
      sum s = {.whole = t.class == HD_CLASS_INT};
      HD_TRY(conv_at(frame, &c, &t, a, b, n, position, o, &s));
      HD_TRY(store_result(frame, &e, &s, m * outputs + o, t.c, hd_call_address(&in[3]),
                          out_base + o * c.f.output_feature_step));
    }
  }
  HD_TRY(run_epilogue(frame, &e, 0, outputs ? m_total : 0));
  return close_epilogue(frame, &e);
}

/* (stream, lhs, rhs, out, lhs transposed, rhs transposed): matrices in memory */
hd_status hd_call_gemm(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)op, (void)out;
  hd_tensor a = {0}, b = {0}, c = {0};
  hd_number_class class;
  for (int i = 1; i < 4; ++i)
    if (in[i].type->shaped.rank != 2) return hd_make_status(HD_INVALID_ARGUMENT, "expected three matrices");
  HD_TRY(class_of(in[1].type->shaped.element, in[2].type->shaped.element, &class));
  HD_TRY(expect_class(in[3].type->shaped.element, class));
  HD_TRY(hd_memref_read(frame, &in[1], &a));
  HD_TRY(hd_memref_read(frame, &in[2], &b));
  HD_TRY(hd_eval_tensor(frame, in[3].type->shaped.element, 2, hd_memref_sizes(&in[3]), &c));
  const int64_t *ad = hd_tensor_dims(&a), *bd = hd_tensor_dims(&b), *cd = hd_tensor_dims(&c);
  bool at = hd_eval_int(&in[4]) != 0, bt = hd_eval_int(&in[5]) != 0;
  int64_t depth = ad[!at];
  if (ad[at] != cd[0] || bd[bt] != depth || bd[!bt] != cd[1])
    return hd_make_status(HD_INVALID_ARGUMENT, "multiplies %s%s by %s%s to %s", hd_dims_text(2, ad),
                          at ? " transposed" : "", hd_dims_text(2, bd), bt ? " transposed" : "", hd_dims_text(2, cd));
  hd_type a_type = hd_tensor_element(&a), b_type = hd_tensor_element(&b), c_type = hd_tensor_element(&c);
  int64_t a_bytes = (int64_t)hd_type_element_bytes(a_type), b_bytes = (int64_t)hd_type_element_bytes(b_type);
  int64_t a_step = at ? ad[1] : 1, b_step = bt ? 1 : bd[1];
  for (int64_t m = 0; m < cd[0]; ++m)
    for (int64_t n = 0; n < cd[1]; ++n) {
      if (n % 64 == 0) HD_TRY(hd_eval_poll(frame));
      const char *x = (char *)hd_tensor_data(&a) + m * (at ? 1 : ad[1]) * a_bytes;
      const char *y = (char *)hd_tensor_data(&b) + n * (bt ? bd[1] : 1) * b_bytes;
      sum s = {.whole = class == HD_CLASS_INT};
      HD_TRY(add_products(frame, &s, a_type, x, a_step, b_type, y, b_step, depth));
      store_sum(&s, c_type, (char *)hd_tensor_data(&c) + (m * cd[1] + n) * (int64_t)hd_type_element_bytes(c_type));
    }
  hd_status status = hd_memref_write(frame, &in[3], &c);
  hd_tensor_release(&a);
  hd_tensor_release(&b);
  hd_tensor_release(&c);
  return status;
}
