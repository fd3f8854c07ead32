/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the runtime by name (runtime/abi.h), kernel launches, and what library calls mean: products and convolutions
 * by their definition, their epilogues as kernels on one tile that holds everything. */
#include <stdio.h>
#include <string.h>

#include "heddle/element.h"
#include "ir/eval/memory.h"
#include "ir/eval/program.h"
#include "runtime/libraries/gemm.h"

/* The address in a memref, a pointer or a word. */
static uint64_t address_of(const hd_tensor *value) {
  if (hd_is_memref(value)) {
    const hd_memref *m = hd_memref_of(value);
    return (uint64_t)(uintptr_t)(m->base + m->offset * (int64_t)hd_type_element_bytes(value->type->shaped.element));
  }
  uint64_t address = 0;
  memcpy(&address, hd_tensor_data(value), value->buffer->size < 8 ? value->buffer->size : 8);
  return address;
}

/* |count| bytes at |address|, checked. */
static hd_status bytes_at(hd_eval_frame *frame, uint64_t address, size_t count, char **out) {
  *out = NULL;
  if (!count) return HD_STATUS_OK;
  hd_storage *storage = hd_storage_find(frame, address);
  if (!storage) return hd_make_status(HD_INVALID_ARGUMENT, "uses an address that is in no live buffer");
  uint64_t offset = address - (uint64_t)(uintptr_t)storage->data;
  if (count > storage->size - offset)
    return hd_make_status(HD_INVALID_ARGUMENT, "reaches %zu bytes into a buffer of %zu", (size_t)offset + count,
                          storage->size);
  *out = storage->data + offset;
  return HD_STATUS_OK;
}

/* ---- kernels ---- */

static hd_op *kernel_at(hd_op *from, int64_t index) {
  hd_op *module = from;
  while (hd_op_parent(module)) module = hd_op_parent(module);
  hd_for_each_op(op, hd_op_region(module, 0)->first) if (hd_op_attr_get(op, "hd.kernel") && index-- == 0) return op;
  return NULL;
}

HD_EVAL_HOOK(hd_kernel_index) {
  hd_op *kernel = hd_symbol_resolve(op, hd_op_attr_get(op, "kernel"));
  for (int64_t i = 0; kernel; ++i) {
    hd_op *at = kernel_at(op, i);
    if (at == kernel) return hd_eval_int_result(frame, op, 0, i, out);
    if (!at) break;
  }
  return hd_make_status(HD_NOT_FOUND, "there is no such kernel");
}

/* An argument of a kernel from the word that a launch would give it. */
static hd_status from_word(hd_eval_frame *frame, hd_type type, uint64_t word, hd_tensor *out) {
  if (hd_type_is(type, HD_TYPE_MEMREF)) return hd_memref_at(frame, type, word, NULL, out);
  HD_TRY(hd_eval_value(frame, type, out));
  memcpy(hd_tensor_data(out), &word, out->buffer->size < 8 ? out->buffer->size : 8);
  return HD_STATUS_OK;
}

/* An argument from the launch's operand: buffers change their form, not their place. */
static hd_status from_operand(hd_eval_frame *frame, hd_type type, const hd_tensor *value, hd_tensor *out) {
  if (value->type == type) {
    *out = hd_tensor_retain(*value);
    return HD_STATUS_OK;
  }
  if (!hd_type_is(type, HD_TYPE_MEMREF) || !hd_is_memref(value)) return from_word(frame, type, address_of(value), out);
  const hd_memref *m = hd_memref_of(value);
  if (type->shaped.rank == value->type->shaped.rank && type->shaped.rank != 1)
    return hd_memref_create(frame, type, m->storage, m->base, m->offset, m->dims, hd_memref_strides(value), out);
  return hd_memref_at(frame, type, address_of(value), NULL, out);
}

static hd_status function_type_of(hd_op *function, hd_type *out) {
  hd_attr type = function ? hd_op_attr_get(function, "function_type") : NULL;
  if (!hd_attr_is(type, HD_ATTR_TYPE) || !hd_type_is(type->type_value, HD_TYPE_FUNCTION))
    return hd_make_status(HD_NOT_FOUND, "there is no such kernel");
  *out = type->type_value;
  return HD_STATUS_OK;
}

/* Runs |kernel| over [begin, end). */
static hd_status run_range(hd_eval_frame *frame, hd_op *kernel, hd_type type, hd_tensor *args, int64_t begin,
                           int64_t end) {
  uint32_t n = type->function.in_count;
  HD_TRY(from_word(frame, type->function.ins[n - 2], (uint64_t)begin, &args[n - 2]));
  HD_TRY(from_word(frame, type->function.ins[n - 1], (uint64_t)end, &args[n - 1]));
  hd_status status = hd_eval_call(frame, kernel, args, n, NULL);
  hd_tensor_release(&args[n - 2]);
  hd_tensor_release(&args[n - 1]);
  return status;
}

/* Any split of the range gives the same: it is run in three parts, the last one first. */
HD_EVAL_HOOK(hd_launch) {
  hd_op *kernel = hd_symbol_resolve(op, hd_op_attr_get(op, "kernel"));
  hd_type type;
  HD_TRY(function_type_of(kernel, &type));
  uint32_t n = type->function.in_count;
  if (n != op->operand_count || n < 2)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %u arguments to a kernel of %u", op->operand_count, n);
  int64_t extent = hd_eval_int(&in[0]), grain = hd_eval_int(&in[1]);
  if (grain < 1) grain = 1;
  if (extent < 0) return hd_make_status(HD_INVALID_ARGUMENT, "has an extent of %lld", (long long)extent);
  hd_tensor *args;
  HD_TRY(hd_eval_temp(frame, n + 1, sizeof *args, &args));
  for (uint32_t i = 0; i + 2 < n; ++i) HD_TRY(from_operand(frame, type->function.ins[i], &in[2 + i], &args[i]));
  int64_t part = (extent / 3 + grain) / grain * grain;
  hd_status status = HD_STATUS_OK;
  for (int64_t begin = extent ? (extent - 1) / part * part : -1; begin >= 0 && hd_is_ok(status); begin -= part)
    status = run_range(frame, kernel, type, args, begin, begin + part < extent ? begin + part : extent);
  for (uint32_t i = 0; i + 2 < n; ++i) hd_tensor_release(&args[i]);
  return status;
}

/* ---- library calls ---- */

static hd_type element_of(hd_context *context, int64_t number) {
  const char *text = hd_element_text((hd_element_type)number);
  for (int k = 0; k < HD_FLOAT_KIND_COUNT; ++k)
    if (!strcmp(text, hd_float_formats[k].name)) return hd_type_float(context, (hd_float_kind)k);
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
  e->kernel = kernel_at(op, index);
  HD_TRY(function_type_of(e->kernel, &e->type));
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
  HD_TRY(from_operand(frame, e->type->function.ins[0], &e->tile, &e->args[0]));
  HD_TRY(from_word(frame, e->type->function.ins[1], (uint64_t)n, &e->args[1]));
  HD_TRY(from_word(frame, e->type->function.ins[3], 0, &e->args[3]));
  HD_TRY(from_word(frame, e->type->function.ins[4], (uint64_t)n, &e->args[4]));
  char *at = NULL;
  HD_TRY(bytes_at(frame, address_of(words), (size_t)count * 8, &at));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t word;
    memcpy(&word, at + 8 * i, 8);
    HD_TRY(from_word(frame, e->type->function.ins[5 + i], word, &e->args[5 + i]));
  }
  return HD_STATUS_OK;
}

static hd_status run_epilogue(hd_eval_frame *frame, epilogue *e, int64_t batch, int64_t m) {
  if (!e->kernel || !m) return HD_STATUS_OK;
  HD_TRY(from_word(frame, e->type->function.ins[2], (uint64_t)batch, &e->args[2]));
  HD_TRY(run_range(frame, e->kernel, e->type, e->args, 0, m));
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
  HD_TRY(bytes_at(frame, out + (uint64_t)(offset * (int64_t)bytes), bytes, &to));
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
  HD_TRY(bytes_at(frame, address + (uint64_t)(low * bytes), (size_t)((high - low + 1) * bytes), out));
  *out -= low * bytes;
  return HD_STATUS_OK;
}

/* (stream, lhs, rhs, out, types, dims, dim_count, epilogue, words, word_count) */
static hd_status dot_general(hd_eval_frame *frame, hd_op *op, const hd_tensor *in) {
  if (op->operand_count != 10) return hd_make_status(HD_INVALID_ARGUMENT, "expected 10 arguments");
  hd_context *context = hd_frame_context(frame);
  int64_t types = hd_eval_int(&in[4]), count = hd_eval_int(&in[6]);
  hd_type a_type = element_of(context, types & 255), b_type = element_of(context, types >> 8 & 255),
          c_type = element_of(context, types >> 16 & 255);
  char *at;
  if (!a_type || !b_type || !c_type || count < 0 || count > MAX_DIMS)
    return hd_make_status(HD_INVALID_ARGUMENT, "dot_general: %lld dims", (long long)count);
  HD_TRY(bytes_at(frame, address_of(&in[5]), (size_t)count * 40, &at));
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
  uint64_t c = address_of(&in[3]);
  int64_t a_bytes = (int64_t)hd_type_element_bytes(a_type), b_bytes = (int64_t)hd_type_element_bytes(b_type);
  char *a, *b;
  HD_TRY(operand_at(frame, address_of(&in[1]), roles, 0, a_bytes, &a));
  HD_TRY(operand_at(frame, address_of(&in[2]), roles, 1, b_bytes, &b));
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
static hd_status convolution(hd_eval_frame *frame, hd_op *op, const hd_tensor *in) {
  if (op->operand_count != 10) return hd_make_status(HD_INVALID_ARGUMENT, "expected 10 arguments");
  hd_context *context = hd_frame_context(frame);
  int64_t types = hd_eval_int(&in[4]), count = hd_eval_int(&in[6]), f[12 + 11 * 3] = {0};
  hd_type a_type = element_of(context, types & 255), b_type = element_of(context, types >> 8 & 255),
          c_type = element_of(context, types >> 16 & 255);
  char *at;
  if (!a_type || !b_type || !c_type || count < 12 || count > (int64_t)(sizeof f / sizeof *f))
    return hd_make_status(HD_INVALID_ARGUMENT, "convolution: %lld facts", (long long)count);
  HD_TRY(bytes_at(frame, address_of(&in[5]), (size_t)count * 8, &at));
  memcpy(f, at, (size_t)count * 8);
  int64_t batch = f[0], features = f[1], outputs = f[2], groups = f[3], batch_groups = f[4], spatial = f[11];
  if (spatial < 0 || count != 12 + 11 * spatial || groups < 1 || batch_groups < 1)
    return hd_make_status(HD_INVALID_ARGUMENT, "convolution: wrong facts");
  int64_t positions = 1, taps = 1;
  for (int64_t d = 0; d < spatial; ++d) positions *= f[12 + 11 * d + 1], taps *= f[12 + 11 * d + 2];
  epilogue e;
  int64_t m_total = batch * positions;
  HD_TRY(open_epilogue(frame, op, &in[7], &in[8], &in[9], m_total, outputs, &e));
  uint64_t a = address_of(&in[1]), b = address_of(&in[2]), c = address_of(&in[3]);
  int64_t a_bytes = (int64_t)hd_type_element_bytes(a_type), b_bytes = (int64_t)hd_type_element_bytes(b_type);
  int64_t per_group = outputs / (groups * batch_groups);
  hd_storage *a_storage = hd_storage_find(frame, a), *b_storage = hd_storage_find(frame, b);
  if (!a_storage || !b_storage) return hd_make_status(HD_INVALID_ARGUMENT, "convolution: an operand is in no buffer");
  char *a_data = a_storage->data, *b_data = b_storage->data;
  uint64_t a_start = (uint64_t)(uintptr_t)a_data, b_start = (uint64_t)(uintptr_t)b_data;
  size_t a_size = a_storage->size, b_size = b_storage->size;
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

/* ---- memory, inputs and outputs ---- */

static hd_status copy(hd_eval_frame *frame, hd_op *op, const hd_tensor *in) {
  if (op->operand_count != 4) return hd_make_status(HD_INVALID_ARGUMENT, "expected 4 arguments");
  int64_t bytes = hd_eval_int(&in[3]);
  char *to, *from;
  if (bytes < 0) return hd_make_status(HD_INVALID_ARGUMENT, "copies %lld bytes", (long long)bytes);
  HD_TRY(bytes_at(frame, address_of(&in[1]), (size_t)bytes, &to));
  HD_TRY(bytes_at(frame, address_of(&in[2]), (size_t)bytes, &from));
  if (bytes && hd_storage_find(frame, address_of(&in[1]))->lent)
    return hd_make_status(HD_INVALID_ARGUMENT, "writes to an argument or a constant");
  if (bytes) memmove(to, from, (size_t)bytes);
  return HD_STATUS_OK;
}

static hd_status allocate(hd_eval_frame *frame, hd_op *op, const hd_tensor *size, hd_tensor *out) {
  int64_t bytes = hd_eval_int(size);
  hd_storage *storage;
  if (bytes < 0) return hd_make_status(HD_INVALID_ARGUMENT, "a buffer of %lld bytes", (long long)bytes);
  HD_TRY(hd_storage_create(frame, (size_t)bytes, op, false, &storage));
  return hd_eval_pointer(frame, hd_result_type(op, 0), (uint64_t)(uintptr_t)storage->data, out);
}

static hd_status reference(hd_eval_frame *frame, const hd_tensor *value, bool add) {
  uint64_t address = address_of(value);
  if (!address) return HD_STATUS_OK;
  hd_storage *storage = hd_is_memref(value) ? hd_memref_of(value)->storage : hd_storage_find(frame, address);
  if (!storage) return hd_make_status(HD_INVALID_ARGUMENT, "frees or retains what is no live buffer");
  if (!add) return hd_storage_free(frame, storage);
  if (!storage->buffer) return hd_make_status(HD_INVALID_ARGUMENT, "retains a buffer that is freed");
  if (!storage->lent) ++storage->references;
  return HD_STATUS_OK;
}

static hd_status constant(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out) {
  hd_op *function = op;
  while (function && !hd_op_has_trait(function, HD_TRAIT(FUNCTION_LIKE))) function = hd_op_parent(function);
  hd_attr list = function ? hd_op_attr_get(function, "hd.constants") : NULL;
  int64_t index = hd_eval_int(&in[0]);
  if (!hd_attr_is(list, HD_ATTR_ARRAY) || index < 0 || index >= (int64_t)list->array.count)
    return hd_make_status(HD_INVALID_ARGUMENT, "there is no constant %lld", (long long)index);
  hd_tensor value = {0};
  hd_storage *storage;
  HD_TRY(hd_tensor_from_attr(hd_frame_heap(frame), list->array.items[index], &value));
  HD_TRY(hd_storage_create(frame, value.buffer->size, op, false, &storage)); /* the program may return it */
  memcpy(storage->data, hd_tensor_data(&value), value.buffer->size);
  storage->lent = true;
  hd_tensor_release(&value);
  return hd_eval_pointer(frame, hd_result_type(op, 0), (uint64_t)(uintptr_t)storage->data, out);
}

HD_EVAL_HOOK(hd_ral_call) {
  hd_str api = hd_op_string_attr(op, "api"), name = api;
  for (size_t i = 0; i + 3 <= api.len; ++i)
    if (!memcmp(api.data + i, "___", 3)) {
      name.len = i;
      break;
    }
  uint32_t n = op->operand_count;
  if (hd_str_is(name, "ral_alloc") && n == 1) return allocate(frame, op, &in[0], out);
  if (hd_str_is(name, "ral_alloc_output") && n == 2) return allocate(frame, op, &in[1], out);
  if (hd_str_is(name, "ral_free") && n == 1) return reference(frame, &in[0], false);
  if (hd_str_is(name, "ral_retain") && n == 1) return reference(frame, &in[0], true);
  if (hd_str_is(name, "ral_constant") && n == 1) return constant(frame, op, in, out);
  if (hd_str_is(name, "ral_copy")) return copy(frame, op, in);
  if (hd_str_is(name, "ral_dot_general")) return dot_general(frame, op, in);
  if (hd_str_is(name, "ral_convolution")) return convolution(frame, op, in);
  if (hd_str_is(name, "ral_recv_input") && n == 1) return hd_program_input(frame, hd_eval_int(&in[0]), op, out);
  if (hd_str_is(name, "ral_send_output") && n == 2) {
    HD_TRY(hd_program_output(frame, hd_eval_int(&in[0]), &in[1]));
    return reference(frame, &in[1], false);
  }
  if (hd_str_is(name, "ral_go_on")) return hd_eval_poll(frame);
  if (hd_str_is(name, "ral_stream")) return hd_eval_pointer(frame, hd_result_type(op, 0), 0, out);
  if (hd_str_is(name, "ral_input_donated")) return hd_eval_int_result(frame, op, 0, 0, out);
  return hd_make_status(HD_UNIMPLEMENTED, "the evaluator does not know the runtime call '%.*s'", (int)api.len,
                        api.data);
}
