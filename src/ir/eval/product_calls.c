/* SPDX-License-Identifier: Apache-2.0 */
/* Products and convolutions as library calls: by their definition, their epilogues as kernels on one tile that holds
 * everything. */
#include <stdio.h>
#include <string.h>

#include "heddle/element.h"
#include "ir/eval/runtime_calls.h"
#include "runtime/libraries/gemm.h"

hd_type hd_call_element(hd_context *context, int64_t number) {
  const char *text = hd_element_text((hd_element_type)number);
  for (int k = 0; k < HD_FLOAT_KIND_COUNT; ++k)
    if (!strcmp(text, hd_float_formats[k].name)) return hd_type_float(context, (hd_float_kind)k);
  if (number == HD_ELEMENT_C64) return hd_type_complex(hd_type_float(context, HD_F32));
  if (number == HD_ELEMENT_C128) return hd_type_complex(hd_type_float(context, HD_F64));
  unsigned width;
  if (sscanf(text, "ui%u", &width) == 1) return hd_type_integer(context, width, HD_UNSIGNED);
  if (sscanf(text, "si%u", &width) == 1) return hd_type_integer(context, width, HD_SIGNED);
  if (sscanf(text, "i%u", &width) == 1) return hd_type_integer(context, width, HD_SIGNLESS);
  return NULL;
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

static hd_status open_epilogue(hd_eval_frame *frame, hd_op *op, const hd_tensor *number, const hd_tensor *words,
                               const hd_tensor *word_count, int64_t m, int64_t n, epilogue *e) {
  *e = (epilogue){0};
  int64_t index = hd_eval_int(number), count = hd_eval_int(word_count);
  if (index < 0) return HD_STATUS_OK;
  e->kernel = hd_kernel_at(op, index);
  HD_TRY(hd_kernel_type(e->kernel, &e->type));
  uint32_t args = e->type->function.in_count;
  if (count < 0 || args != (uint64_t)count + 7 || !hd_type_is(e->type->function.ins[0], HD_TYPE_MEMREF))
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %lld words to an epilogue of %u arguments", (long long)count,
                          args);
  HD_TRY(hd_eval_temp(frame, args, sizeof *e->args, &e->args));
  e->element = e->type->function.ins[0]->shaped.element;
  int64_t elements, sizes[1];
  if (!hd_dims_product(2, (int64_t[]){m, n}, &elements) || elements > INT64_MAX / 16)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "the tile is too large");
  sizes[0] = elements;
  HD_TRY(hd_memref_allocate(frame, hd_type_with_dims(e->type->function.ins[0], (int64_t[]){HD_DYNAMIC}, 1), sizes, op,
                            true, &e->tile));
  e->storage = hd_memref_of(&e->tile)->storage;
  HD_TRY(hd_kernel_operand(frame, e->type->function.ins[0], &e->tile, &e->args[0]));
  HD_TRY(hd_kernel_word(frame, e->type->function.ins[1], (uint64_t)n, &e->args[1]));
  HD_TRY(hd_kernel_word(frame, e->type->function.ins[3], 0, &e->args[3]));
  HD_TRY(hd_kernel_word(frame, e->type->function.ins[4], (uint64_t)n, &e->args[4]));
  char *at = NULL;
  HD_TRY(hd_call_bytes(frame, hd_call_address(words), (size_t)count * 8, &at));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t word;
    memcpy(&word, at + 8 * i, 8);
    HD_TRY(hd_kernel_word(frame, e->type->function.ins[5 + i], word, &e->args[5 + i]));
  }
  return HD_STATUS_OK;
}

static hd_status run_epilogue(hd_eval_frame *frame, epilogue *e, int64_t batch, int64_t m) {
  if (!e->kernel || !m) return HD_STATUS_OK;
  HD_TRY(hd_kernel_word(frame, e->type->function.ins[2], (uint64_t)batch, &e->args[2]));
  HD_TRY(hd_kernel_run(frame, e->kernel, e->type, e->args, 0, m));
  hd_tensor_release(&e->args[2]);
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

/* What most products are made of. */
static double dot_single(const float *a, int64_t a_step, const float *b, int64_t b_step, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += (double)a[i * a_step] * b[i * b_step];
  return sum;
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
  HD_TRY(hd_call_bytes_to(frame, out + (uint64_t)(offset * (int64_t)bytes), bytes, &to));
  store_sum(s, type, to);
  return HD_STATUS_OK;
}

enum { MAX_DIMS = HD_GEMM_MAX_DIMS };

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

/* Operand |which| of a product, with all that its strides reach checked. */
static hd_status operand_at(hd_eval_frame *frame, uint64_t address, const dims_of_role *roles, int which, int64_t bytes,
                            char **out) {
  int64_t low = 0, high = 0;
  *out = NULL;
  for (int r = 0; r < 4; ++r)
    for (uint32_t i = 0; i < roles[r].count; ++i) {
      int64_t reach = (roles[r].sizes[i] - 1) * roles[r].strides[which][i];
      if (!roles[r].sizes[i]) return HD_STATUS_OK;
      *(reach < 0 ? &low : &high) += reach;
    }
  HD_TRY(hd_call_bytes(frame, address + (uint64_t)(low * bytes), (size_t)((high - low + 1) * bytes), out));
  *out -= low * bytes;
  return HD_STATUS_OK;
}

/* (stream, lhs, rhs, out, types, dims, dim_count, epilogue, words, word_count) */
hd_status hd_call_dot_general(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  hd_context *context = hd_frame_context(frame);
  int64_t types = hd_eval_int(&in[4]), count = hd_eval_int(&in[6]);
  hd_type a_type = hd_call_element(context, types & 255), b_type = hd_call_element(context, types >> 8 & 255),
          c_type = hd_call_element(context, types >> 16 & 255);
  char *at;
  if (!a_type || !b_type || !c_type || count < 0 || count > MAX_DIMS)
    return hd_make_status(HD_INVALID_ARGUMENT, "dot_general: %lld dims", (long long)count);
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[5]), (size_t)count * 40, &at));
  dims_of_role roles[4] = {{.total = 1}, {.total = 1}, {.total = 1}, {.total = 1}};
  for (int64_t i = 0; i < count; ++i) {
    int64_t row[5];
    memcpy(row, at + 40 * i, sizeof row);
    if (row[0] < 0 || row[0] > 3 || row[1] < 0) return hd_make_status(HD_INVALID_ARGUMENT, "dot_general: wrong dims");
    dims_of_role *d = &roles[row[0]];
    d->sizes[d->count] = row[1];
    for (int k = 0; k < 3; ++k) d->strides[k][d->count] = row[2 + k];
    ++d->count;
    d->total *= row[1];
  }
  epilogue e;
  int64_t m_total = roles[1].total, n_total = roles[2].total;
  HD_TRY(open_epilogue(frame, op, &in[7], &in[8], &in[9], m_total, n_total, &e));
  uint64_t c = hd_call_address(&in[3]);
  int64_t a_bytes = (int64_t)hd_type_element_bytes(a_type), b_bytes = (int64_t)hd_type_element_bytes(b_type);
  char *a, *b;
  HD_TRY(operand_at(frame, hd_call_address(&in[1]), roles, 0, a_bytes, &a));
  HD_TRY(operand_at(frame, hd_call_address(&in[2]), roles, 1, b_bytes, &b));
  for (int64_t batch = 0; batch < roles[0].total; ++batch) {
    for (int64_t m = 0; m < m_total; ++m) {
      HD_TRY(hd_eval_poll(frame));
      for (int64_t n = 0; n < n_total; ++n) {
        int64_t base[3] = {0};
        offsets_at(&roles[0], batch, base);
        offsets_at(&roles[1], m, base);
        offsets_at(&roles[2], n, base);
        sum s = {.whole = hd_class_of(a_type) == HD_CLASS_INT};
        const dims_of_role *inner = &roles[3];
        bool single = inner->count == 1 && hd_type_is_float(a_type, HD_F32) && hd_type_is_float(b_type, HD_F32);
        if (single)
          s.real = dot_single((const float *)(const void *)a + base[0], inner->strides[0][0],
                              (const float *)(const void *)b + base[1], inner->strides[1][0], inner->total);
        for (int64_t k = 0; k < inner->total && !single; ++k) {
          int64_t offsets[3] = {base[0], base[1], base[2]};
          offsets_at(inner, k, offsets);
          add_product(&s, a_type, a + offsets[0] * a_bytes, b_type, b + offsets[1] * b_bytes);
        }
        HD_TRY(store_result(frame, &e, &s, m * n_total + n, c_type, c, base[2]));
      }
    }
    HD_TRY(run_epilogue(frame, &e, batch, n_total ? m_total : 0));
  }
  return close_epilogue(frame, &e);
}

/* (stream, input, kernel, out, types, facts, fact_count, epilogue, words, word_count); facts as in conv_ral.c */
hd_status hd_call_convolution(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)out;
  hd_context *context = hd_frame_context(frame);
  int64_t types = hd_eval_int(&in[4]), count = hd_eval_int(&in[6]), f[12 + 11 * 3] = {0};
  hd_type a_type = hd_call_element(context, types & 255), b_type = hd_call_element(context, types >> 8 & 255),
          c_type = hd_call_element(context, types >> 16 & 255);
  char *at;
  if (!a_type || !b_type || !c_type || count < 12 || count > (int64_t)(sizeof f / sizeof *f))
    return hd_make_status(HD_INVALID_ARGUMENT, "convolution: %lld facts", (long long)count);
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[5]), (size_t)count * 8, &at));
  memcpy(f, at, (size_t)count * 8);
  int64_t batch = f[0], features = f[1], outputs = f[2], groups = f[3], batch_groups = f[4], spatial = f[11];
  if (spatial < 0 || count != 12 + 11 * spatial || groups < 1 || batch_groups < 1)
    return hd_make_status(HD_INVALID_ARGUMENT, "convolution: wrong facts");
  int64_t positions = 1, taps = 1;
  for (int64_t d = 0; d < spatial; ++d) positions *= f[12 + 11 * d + 1], taps *= f[12 + 11 * d + 2];
  epilogue e;
  int64_t m_total = batch * positions;
  HD_TRY(open_epilogue(frame, op, &in[7], &in[8], &in[9], m_total, outputs, &e));
  uint64_t a = hd_call_address(&in[1]), b = hd_call_address(&in[2]), c = hd_call_address(&in[3]);
  int64_t a_bytes = (int64_t)hd_type_element_bytes(a_type), b_bytes = (int64_t)hd_type_element_bytes(b_type);
  int64_t per_group = outputs / (groups * batch_groups);
  hd_storage *a_storage = hd_storage_find(frame, a), *b_storage = hd_storage_find(frame, b);
  bool reads = m_total && outputs && taps && features; /* what is empty may lie anywhere */
  if (reads && (!a_storage || !b_storage))
    return hd_make_status(HD_INVALID_ARGUMENT, "convolution: an operand is in no buffer");
  char *a_data = a_storage ? a_storage->data : NULL, *b_data = b_storage ? b_storage->data : NULL;
  uint64_t a_start = (uint64_t)(uintptr_t)a_data, b_start = (uint64_t)(uintptr_t)b_data;
  size_t a_size = a_storage ? a_storage->size : 0, b_size = b_storage ? b_storage->size : 0;
  bool single = hd_type_is_float(a_type, HD_F32) && hd_type_is_float(b_type, HD_F32);
  for (int64_t m = 0; m < m_total; ++m) {
    HD_TRY(hd_eval_poll(frame));
    int64_t n = m / positions, position[3] = {0}, rest = m % positions, out_base = n * f[9];
    for (int64_t d = spatial; d-- > 0;) {
      const int64_t *w = f + 12 + 11 * d;
      position[d] = rest % w[1];
      rest /= w[1];
      out_base += position[d] * w[10];
    }
    for (int64_t o = 0; o < outputs; ++o) {
      sum s = {.whole = hd_class_of(a_type) == HD_CLASS_INT};
      int64_t group = per_group ? o / per_group : 0;
      int64_t feature_group = groups > 1 ? group : 0, batch_group = batch_groups > 1 ? group : 0;
      for (int64_t t = 0; t < taps; ++t) {
        int64_t tap = t, a_at = (batch_group * batch + n) * f[5], b_at = o * f[8];
        bool inside = true;
        for (int64_t d = spatial; d-- > 0;) {
          const int64_t *w = f + 12 + 11 * d;
          int64_t k = tap % w[2];
          tap /= w[2];
          int64_t i = position[d] * w[3] - w[4] + k * w[6];
          inside &= i >= 0 && i % w[5] == 0 && i / w[5] < w[0];
          a_at += i / w[5] * w[8];
          b_at += (w[7] ? w[2] - 1 - k : k) * w[9];
        }
        if (inside && single && features) {
          int64_t from = a_at + feature_group * features * f[6];
          const char *x = a_data + (a - a_start) + from * 4, *y = b_data + (b - b_start) + b_at * 4;
          const char *x_end = x + (features - 1) * f[6] * 4, *y_end = y + (features - 1) * f[7] * 4;
          if (f[6] < 0 || f[7] < 0 || x < a_data || x_end + 4 > a_data + a_size || y < b_data ||
              y_end + 4 > b_data + b_size)
            return hd_make_status(HD_INVALID_ARGUMENT, "convolution: reaches outside of a buffer");
          s.real += dot_single((const float *)(const void *)x, f[6], (const float *)(const void *)y, f[7], features);
          continue;
        }
        for (int64_t i = 0; inside && i < features; ++i) {
          int64_t from = a_at + (feature_group * features + i) * f[6], with = b_at + i * f[7];
          char *x = a_data + (a - a_start) + from * a_bytes, *y = b_data + (b - b_start) + with * b_bytes;
          if (x < a_data || x + a_bytes > a_data + a_size || y < b_data || y + b_bytes > b_data + b_size)
            return hd_make_status(HD_INVALID_ARGUMENT, "convolution: reaches outside of a buffer");
          add_product(&s, a_type, x, b_type, y);
        }
      }
      HD_TRY(store_result(frame, &e, &s, m * outputs + o, c_type, c, out_base + o * f[10]));
    }
  }
  HD_TRY(run_epilogue(frame, &e, 0, outputs ? m_total : 0));
  return close_epilogue(frame, &e);
}

/* (stream, lhs, rhs, out, lhs transposed, rhs transposed): matrices in memory */
hd_status hd_call_gemm(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  (void)op, (void)out;
  hd_tensor a = {0}, b = {0}, c = {0};
  for (int i = 1; i < 4; ++i)
    if (!hd_is_memref(&in[i]) || in[i].type->shaped.rank != 2)
      return hd_make_status(HD_INVALID_ARGUMENT, "expected three matrices");
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
  bool single = hd_type_is_float(a_type, HD_F32) && hd_type_is_float(b_type, HD_F32);
  for (int64_t m = 0; m < cd[0]; ++m) {
    HD_TRY(hd_eval_poll(frame));
    for (int64_t n = 0; n < cd[1]; ++n) {
      const char *x = (char *)hd_tensor_data(&a) + m * (at ? 1 : ad[1]) * a_bytes;
      const char *y = (char *)hd_tensor_data(&b) + n * (bt ? bd[1] : 1) * b_bytes;
      sum s = {.whole = hd_class_of(a_type) == HD_CLASS_INT};
      if (single)
        s.real = dot_single((const float *)(const void *)x, a_step, (const float *)(const void *)y, b_step, depth);
      for (int64_t k = 0; k < depth && !single; ++k)
        add_product(&s, a_type, x + k * a_step * a_bytes, b_type, y + k * b_step * b_bytes);
      store_sum(&s, c_type, (char *)hd_tensor_data(&c) + (m * cd[1] + n) * (int64_t)hd_type_element_bytes(c_type));
    }
  }
  hd_status status = hd_memref_write(frame, &in[3], &c);
  hd_tensor_release(&a);
  hd_tensor_release(&b);
  hd_tensor_release(&c);
  return status;
}
