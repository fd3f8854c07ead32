/* SPDX-License-Identifier: Apache-2.0 */
/* Vector ops that move, mask and reduce; memory. */
#include <math.h>

#include "ir/number.h"
#include "ir/testing.h"
#include "target/cpu/kernel_testing.h"

static hd_attr ints(rig *r, const int64_t *values, size_t count) { return hd_attr_i64_array(r->c, values, count); }
static hd_type vector2(hd_type element, int64_t rows, int64_t lanes) {
  return hd_type_vector(element, (int64_t[]){rows, lanes}, 2, NULL);
}

/* Masked tails: copies |n| elements in vectors of |lanes|, for every n; memory beyond stays as it was. */
static void test_tail(hd_context *c, hd_type type, int64_t lanes, const char *machine) {
  hd_type memref = rig_memref(type), types[] = {memref, memref, hd_type_index(c)};
  rig r = rig_begin(c, types, 3);
  hd_value *i = rig_loop(&r, lanes);
  hd_value *left = hd_build(&r.b, HD_OP_arith_subi, hd_type_index(c), r.args[2], i);
  hd_value *mask = hd_build(&r.b, HD_OP_vector_create_mask, rig_vector(hd_i1(c), lanes), left);
  size_t bytes = hd_type_element_bytes(type);
  char zero_byte[8] = {0};
  hd_value *zero = hd_build_constant(&r.b, hd_attr_dense(rig_vector(type, lanes), zero_byte, bytes, true));
  hd_value *x = hd_build(&r.b, HD_OP_vector_maskedload, rig_vector(type, lanes), r.args[0], i, mask, zero);
  hd_build0(&r.b, HD_OP_vector_maskedstore, r.args[1], i, mask, x);
  compiled k;
  if (rig_compile(&r, machine, &k) && k.fn)
    for (int64_t n = 0; n <= 2 * lanes + 3; ++n) {
      char in[80 * 8], out[80 * 8], want[80 * 8];
      for (size_t e = 0; e < sizeof in; ++e) in[e] = (char)(bytes == 1 ? e & 1 : e * 7 + 1), out[e] = want[e] = 0x55;
      memcpy(want, in, (size_t)n * bytes);
      uint64_t words[] = {WORD(in), WORD(out), (uint64_t)n};
      k.fn(words, 0, (n + lanes - 1) / lanes * lanes);
      HD_CHECK(memcmp(out, want, sizeof out) == 0);
    }
  compiled_free(&k);
  hd_module_free(r.module);
}

#define F32 hd_f32(r->c)
#define LOAD(base, at, lanes) rig_load(r, base, rig_index(r, at), lanes)
#define STORE(value, at) rig_store(r, value, out, rig_index(r, at))

/* Loads a 2-D vector from flat memory row by row, through shape_cast. */
static hd_value *load2(rig *r, hd_value *base, int64_t rows, int64_t lanes) {
  return hd_build(&r->b, HD_OP_vector_shape_cast, vector2(F32, rows, lanes), LOAD(base, 0, rows * lanes));
}
static void store_flat(rig *r, hd_value *value, hd_value *out, int64_t at) {
  int64_t count = hd_type_num_elements(value->type);
  STORE(hd_build(&r->b, HD_OP_vector_shape_cast, rig_vector(F32, count), value), at);
}

static void build_transpose(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  (void)other;
  hd_value *x = load2(r, in, 4, 8);
  store_flat(r,
             rig_build_one(r, HD_OP_vector_transpose, vector2(F32, 8, 4), &x, 1, HD_NAME_permutation,
                           ints(r, (int64_t[]){1, 0}, 2)),
             out, 0);
}
static float expect_transpose(const float *in, const float *other, int i) {
  return (void)other, in[(i % 4) * 8 + i / 4];
}

static void build_casts(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  (void)other;
  /* 6x4 -> 3x8 -> 24 -> 2x12: parts are split and joined */
  hd_value *x = load2(r, in, 6, 4);
  x = hd_build(&r->b, HD_OP_vector_shape_cast, vector2(F32, 3, 8), x);
  x = hd_build(&r->b, HD_OP_vector_shape_cast, vector2(F32, 8, 3), x);
  x = hd_build(&r->b, HD_OP_vector_shape_cast, vector2(F32, 2, 12), x);
  store_flat(r, x, out, 0);
}
static float expect_same(const float *in, const float *other, int i) { return (void)other, in[i]; }

static void build_shuffle(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_value *operands[] = {LOAD(in, 0, 8), LOAD(other, 0, 4)};
  STORE(rig_build_one(r, HD_OP_vector_shuffle, rig_vector(F32, 6), operands, 2, HD_NAME_mask,
                      ints(r, (int64_t[]){7, 0, 11, 3, 8, 0}, 6)),
        0);
}
static float expect_shuffle(const float *in, const float *other, int i) {
  float want[] = {in[7], in[0], other[3], in[3], other[0], in[0]};
  return want[i];
}

static void build_interleave(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_value *a = LOAD(in, 0, 8), *b = LOAD(other, 0, 8);
  hd_value *x = hd_build(&r->b, HD_OP_vector_interleave, rig_vector(F32, 16), a, b);
  STORE(x, 0);
  hd_type halves[] = {rig_vector(F32, 8), rig_vector(F32, 8)};
  hd_op *op = hd_build_op(&r->b, HD_OP_vector_deinterleave, &x, 1, halves, 2, NULL, 0, 0);
  STORE(hd_result(op, 0), 16);
  STORE(hd_result(op, 1), 24);
}
static float expect_interleave(const float *in, const float *other, int i) {
  if (i < 16) return i % 2 ? other[i / 2] : in[i / 2];
  return i < 24 ? in[i - 16] : other[i - 24];
}

static void build_slices(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  (void)other;
  hd_context *c = r->c;
  hd_value *x = load2(r, in, 4, 8);
#define LIST(a, b) hd_attr_array(c, (hd_attr[]){hd_attr_i64(c, a), hd_attr_i64(c, b)}, 2)
  hd_attr_arg attrs[] = {{HD_NAME_offsets, LIST(1, 2)}, {HD_NAME_sizes, LIST(2, 4)}, {HD_NAME_strides, LIST(1, 1)}};
  hd_value *slice = hd_build_one_(&r->b, HD_OP_vector_extract_strided_slice, vector2(F32, 2, 4), &x, 1, attrs, 3);
  store_flat(r, slice, out, 0);
  hd_attr_arg insert[] = {{HD_NAME_offsets, LIST(2, 3)}, {HD_NAME_strides, LIST(1, 1)}};
  hd_value *operands[] = {slice, x};
  store_flat(r, hd_build_one_(&r->b, HD_OP_vector_insert_strided_slice, x->type, operands, 2, insert, 2), out, 8);
}
static float expect_slices(const float *in, const float *other, int i) {
  (void)other;
  if (i < 8) return in[(1 + i / 4) * 8 + 2 + i % 4];
  int row = (i - 8) / 8, col = (i - 8) % 8;
  bool inside = row >= 2 && col >= 3 && col < 7;
  return inside ? in[(row - 1) * 8 + col - 1] : in[i - 8];
}

static void build_extract(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  (void)other;
  hd_value *x = load2(r, in, 4, 8);
  hd_value *n = r->args[3]; /* 3 */
  hd_value *operands[] = {x, n, n};
  const int64_t dynamic = HD_DYNAMIC;
  /* x[2], x[n], x[2][5], x[n][n], x[1][n] */
  store_flat(r,
             rig_build_one(r, HD_OP_vector_extract, rig_vector(F32, 8), operands, 1, HD_NAME_static_position,
                           ints(r, (int64_t[]){2}, 1)),
             out, 0);
  store_flat(r,
             rig_build_one(r, HD_OP_vector_extract, rig_vector(F32, 8), operands, 2, HD_NAME_static_position,
                           ints(r, &dynamic, 1)),
             out, 8);
  STORE(
      rig_build_one(r, HD_OP_vector_extract, F32, operands, 1, HD_NAME_static_position, ints(r, (int64_t[]){2, 5}, 2)),
      16);
  STORE(rig_build_one(r, HD_OP_vector_extract, F32, operands, 3, HD_NAME_static_position,
                      ints(r, (int64_t[]){dynamic, dynamic}, 2)),
        17);
  STORE(rig_build_one(r, HD_OP_vector_extract, F32, operands, 2, HD_NAME_static_position,
                      ints(r, (int64_t[]){1, dynamic}, 2)),
        18);
}
static float expect_extract(const float *in, const float *other, int i) {
  (void)other;
  if (i < 8) return in[16 + i];
  if (i < 16) return in[24 + i - 8];
  return i == 16 ? in[21] : i == 17 ? in[27] : in[11];
}

static void build_insert(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_value *x = load2(r, in, 2, 8), *n = r->args[3], *y = LOAD(other, 0, 8), *s = LOAD(other, 20, 0);
  hd_value *last = hd_build(&r->b, HD_OP_arith_subi, hd_type_index(r->c), n, rig_index(r, 2)); /* 1 */
  hd_value *row[] = {y, x, last}, *scalar[] = {s, x, last, n};
  const int64_t dynamic = HD_DYNAMIC;
  store_flat(
      r, rig_build_one(r, HD_OP_vector_insert, x->type, row, 2, HD_NAME_static_position, ints(r, (int64_t[]){0}, 1)),
      out, 0);
  store_flat(r, rig_build_one(r, HD_OP_vector_insert, x->type, row, 3, HD_NAME_static_position, ints(r, &dynamic, 1)),
             out, 16);
  store_flat(
      r,
      rig_build_one(r, HD_OP_vector_insert, x->type, scalar, 2, HD_NAME_static_position, ints(r, (int64_t[]){1, 6}, 2)),
      out, 32);
  store_flat(r,
             rig_build_one(r, HD_OP_vector_insert, x->type, scalar, 4, HD_NAME_static_position,
                           ints(r, (int64_t[]){dynamic, dynamic}, 2)),
             out, 48);
}
static float expect_insert(const float *in, const float *other, int i) {
  int e = i % 16;
  if (i < 16) return e < 8 ? other[e] : in[e];
  if (i < 32) return e >= 8 ? other[e - 8] : in[e];
  if (i < 48) return e == 14 ? other[20] : in[e];
  return e == 11 ? other[20] : in[e];
}

static void build_broadcast(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  (void)other;
  store_flat(r, hd_build(&r->b, HD_OP_vector_broadcast, vector2(F32, 3, 4), LOAD(in, 0, 4)), out, 0);
  store_flat(r, hd_build(&r->b, HD_OP_vector_broadcast, vector2(F32, 2, 4), load2(r, in, 2, 1)), out, 12);
  store_flat(r, hd_build(&r->b, HD_OP_vector_broadcast, vector2(F32, 2, 4), LOAD(in, 9, 0)), out, 20);
}
static float expect_broadcast(const float *in, const float *other, int i) {
  (void)other;
  return i < 12 ? in[i % 4] : i < 20 ? in[(i - 12) / 4] : in[9];
}

static void build_elements(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  (void)other;
  hd_value *x = load2(r, in, 2, 2);
  hd_type types[] = {F32, F32, F32, F32};
  hd_op *all = hd_build_op(&r->b, HD_OP_vector_to_elements, &x, 1, types, 4, NULL, 0, 0);
  hd_value *back[] = {hd_result(all, 3), hd_result(all, 1), hd_result(all, 2), hd_result(all, 0)};
  store_flat(
      r,
      hd_build_op(&r->b, HD_OP_vector_from_elements, back, 4, (hd_type[]){vector2(F32, 2, 2)}, 1, NULL, 0, 0)->results,
      out, 0);
}
static float expect_elements(const float *in, const float *other, int i) {
  static const int order[] = {3, 1, 2, 0};
  return (void)other, in[order[i]];
}

static void build_masks(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_context *c = r->c;
  hd_type bools = vector2(hd_i1(c), 4, 4);
  hd_value *n = r->args[3], *bounds[] = {n, rig_index(r, 2)}, *a = load2(r, in, 4, 4), *b = load2(r, other, 4, 4);
  hd_value *mask = hd_build_one_(&r->b, HD_OP_vector_create_mask, bools, bounds, 2, NULL, 0);
  store_flat(r, hd_build(&r->b, HD_OP_arith_select, a->type, mask, a, b), out, 0);
  mask = rig_build_one(r, HD_OP_vector_constant_mask, bools, NULL, 0, HD_NAME_mask_dim_sizes,
                       ints(r, (int64_t[]){2, 3}, 2));
  store_flat(r, hd_build(&r->b, HD_OP_arith_select, a->type, mask, a, b), out, 16);
  hd_value *condition = rig_build_one(r, HD_OP_arith_cmpi, hd_i1(c), (hd_value *[]){n, rig_index(r, 2)}, 2,
                                      HD_NAME_predicate, hd_attr_i64(c, 4));
  store_flat(r, hd_build(&r->b, HD_OP_arith_select, a->type, condition, a, b), out, 32);
}
static float expect_masks(const float *in, const float *other, int i) {
  int row = i % 16 / 4, col = i % 4;
  bool inside = i < 16 ? row < 3 && col < 2 : i < 32 ? row < 2 && col < 3 : true;
  return inside ? in[i % 16] : other[i % 16];
}

static hd_attr kind_attr(rig *r, const char *name) {
  int64_t value = 0;
  hd_enum_case_value(HD_ENUM_vector_kind, hd_str_of(name), &value);
  return hd_attr_enum(r->c, HD_ENUM_vector_kind, value);
}
static const char *const float_kinds[] = {"add", "mul", "minimumf", "maximumf", "minnumf", "maxnumf"};

static void build_reductions(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_attr fast = hd_attr_enum(r->c, HD_ENUM_arith_fastmath, 1);
  for (int k = 0; k < 6; ++k)
    for (int form = 0; form < 3; ++form) {
      hd_value *x = LOAD(in, 0, form == 2 ? 6 : 8), *acc = LOAD(other, 3, 0), *operands[] = {x, acc};
      hd_attr_arg attrs[] = {{HD_NAME_kind, kind_attr(r, float_kinds[k])}, {HD_NAME_fastmath, form ? fast : NULL}};
      STORE(hd_build_one_(&r->b, HD_OP_vector_reduction, F32, operands, form == 1 ? 2 : 1, attrs, 2), k * 3 + form);
    }
}
static float expect_reductions(const float *in, const float *other, int i) {
  int kind = i / 3, form = i % 3, count = form == 2 ? 6 : 8;
  float x = in[0];
  for (int e = 1; e <= count; ++e) {
    float y = e < count ? in[e] : other[3];
    if (e == count && form != 1) break;
    x = kind == 0 ? x + y : kind == 1 ? x * y : kind % 2 == 0 ? fminf(x, y) : fmaxf(x, y);
  }
  return x;
}

static const double special[] = {NAN, -NAN, 0.0, -0.0, INFINITY, -INFINITY, 1.5, -1.5, 0x1p-140, -0x1p-140, 7, -7};
enum { SPECIAL = sizeof special / sizeof *special };

/* Of fewer kinds of numbers in the first rounds, so that zeros and NaN come to be results. */
static int draw(unsigned *state, int round) {
  *state = *state * 1664525 + 1013904223;
  return (int)((*state >> 8) % (unsigned)(round % SPECIAL + 1) + (unsigned)round / SPECIAL) % SPECIAL;
}

/* Maxima and minima of vectors: NaN of any sign is kept, and -0 is below +0. */
static void test_extrema(hd_context *c, bool wide, int64_t lanes, const char *machine) {
  hd_type type = wide ? hd_type_float(c, HD_F64) : hd_f32(c), types[] = {rig_memref(type), rig_memref(type)};
  rig of_this = rig_begin(c, types, 2), *r = &of_this;
  rig_loop(r, 1);
  hd_value *out = r->args[1], *x = rig_load(r, r->args[0], rig_index(r, 0), lanes);
  for (int k = 0; k < 2; ++k) {
    hd_attr_arg kind = {HD_NAME_kind, kind_attr(r, k ? "maximumf" : "minimumf")};
    STORE(hd_build_one_(&r->b, HD_OP_vector_reduction, type, &x, 1, &kind, 1), k);
  }
  compiled kernel;
  unsigned state = 1;
  bool done = rig_compile(r, machine, &kernel) && kernel.fn;
  for (int round = 0; done && round < 300; ++round) {
    double in[32], got[2], want[2] = {INFINITY, -INFINITY};
    float narrow[32], narrow_got[2];
    for (int64_t i = 0; i < lanes; ++i) {
      double y = in[i] = special[draw(&state, round)];
      narrow[i] = (float)y;
      if (isnan(want[0]) || isnan(y))
        want[0] = want[1] = NAN;
      else {
        if (y < want[0] || (y == want[0] && signbit(y))) want[0] = y;
        if (y > want[1] || (y == want[1] && !signbit(y))) want[1] = y;
      }
    }
    uint64_t words[] = {wide ? WORD(in) : WORD(narrow), wide ? WORD(got) : WORD(narrow_got)};
    kernel.fn(words, 0, 1);
    for (int k = 0; k < 2; ++k) {
      double y = wide ? got[k] : narrow_got[k];
      HD_CHECK(isnan(want[k]) ? isnan(y) : y == want[k] && signbit(y) == signbit(want[k]));
    }
  }
  compiled_free(&kernel);
  hd_module_free(r->module);
}

static void build_multi_reduction(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_value *x = load2(r, in, 3, 8), *columns = LOAD(other, 0, 8), *rows = LOAD(other, 0, 3);
  hd_attr_arg attrs[] = {{HD_NAME_kind, kind_attr(r, "add")}, {HD_NAME_reduction_dims, ints(r, (int64_t[]){0}, 1)}};
  STORE(hd_build_one_(&r->b, HD_OP_vector_multi_reduction, rig_vector(F32, 8), (hd_value *[]){x, columns}, 2, attrs, 2),
        0);
  attrs[1].value = ints(r, (int64_t[]){1}, 1);
  STORE(hd_build_one_(&r->b, HD_OP_vector_multi_reduction, rig_vector(F32, 3), (hd_value *[]){x, rows}, 2, attrs, 2),
        8);
}
static float expect_multi_reduction(const float *in, const float *other, int i) {
  float x = i < 8 ? other[i] : other[i - 8];
  for (int e = 0; e < (i < 8 ? 3 : 8); ++e) x += i < 8 ? in[e * 8 + i] : in[(i - 8) * 8 + e];
  return x;
}

static void build_outer_product(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_value *operands[] = {LOAD(in, 0, 3), LOAD(other, 0, 8), load2(r, in, 3, 8)};
  store_flat(
      r,
      rig_build_one(r, HD_OP_vector_outerproduct, vector2(F32, 3, 8), operands, 3, HD_NAME_kind, kind_attr(r, "add")),
      out, 0);
}
static float expect_outer_product(const float *in, const float *other, int i) {
  return in[i / 8] * other[i % 8] + in[i];
}

/* Gathers in[2 * step + offset] under a mask, scatters it back reversed. */
static void build_gather(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_context *c = r->c;
  hd_type i32s = rig_vector(hd_i32(c), 8);
  int32_t twice[8], reversed[8];
  for (int i = 0; i < 8; ++i) twice[i] = 2 * i, reversed[i] = 7 - i;
  hd_value *indices = hd_build_constant(&r->b, hd_attr_dense(i32s, twice, sizeof twice, false));
  hd_value *back = hd_build_constant(&r->b, hd_attr_dense(i32s, reversed, sizeof reversed, false));
  hd_value *mask = hd_build(&r->b, HD_OP_vector_create_mask, rig_vector(hd_i1(c), 8), rig_index(r, 6));
  hd_value *x =
      hd_build(&r->b, HD_OP_vector_gather, rig_vector(F32, 8), in, r->args[3], indices, mask, LOAD(other, 0, 8));
  STORE(x, 0);
  hd_build0(&r->b, HD_OP_vector_scatter, out, rig_index(r, 8), back, mask, x);
}
static float expect_gather(const float *in, const float *other, int i) {
  if (i < 8) return i < 6 ? in[2 * i + 3] : other[i];
  int lane = 7 - (i - 8);
  return lane < 6 ? in[2 * lane + 3] : -1;
}

/* Gathers under the mask of the first n lanes, none of which may read beyond: the indices of the others
 * are wild. */
static void test_prefix_gather(hd_context *c, hd_type type, const char *machine) {
  hd_type memref = rig_memref(type), types[] = {memref, rig_memref(hd_i32(c)), memref, hd_type_index(c)};
  rig r = rig_begin(c, types, 4);
  hd_value *zero = rig_index(&r, 0), *indices = rig_load(&r, r.args[1], zero, 16),
           *pass = rig_load(&r, r.args[0], zero, 16);
  hd_value *mask = hd_build(&r.b, HD_OP_vector_create_mask, rig_vector(hd_i1(c), 16), r.args[3]);
  rig_store(&r, hd_build(&r.b, HD_OP_vector_gather, rig_vector(type, 16), r.args[0], zero, indices, mask, pass),
            r.args[2], zero);
  compiled k;
  if (rig_compile(&r, machine, &k) && k.fn)
    for (int64_t n = 0; n <= 17; ++n) {
      uint8_t in[32 * 4], out[16 * 4];
      int32_t index[16];
      size_t bytes = hd_type_element_bytes(type);
      for (size_t i = 0; i < sizeof in; ++i) in[i] = (uint8_t)(bytes == 1 ? (i * 5 / 3) & 1 : i * 3);
      for (int i = 0; i < 16; ++i) index[i] = i < n ? 31 - 2 * i : 0x70000000 + i;
      uint64_t words[] = {WORD(in), WORD(index), WORD(out), (uint64_t)n};
      k.fn(words, 0, 1);
      for (int i = 0; i < 16; ++i)
        HD_CHECK(memcmp(out + (size_t)i * bytes, in + (size_t)(i < n ? index[i] : i) * bytes, bytes) == 0);
    }
  compiled_free(&k);
  hd_module_free(r.module);
}

/* A stack tile of 4 x 8, written by rows and read by elements, and 2-D vector accesses. */
static void build_tile(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  (void)other;
  hd_type tile = hd_type_memref(F32, (int64_t[]){4, 8}, 2, NULL, NULL);
  hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(r->c, (int32_t[]){0, 0}, 2)};
  hd_value *slot = hd_build_one_(&r->b, HD_OP_memref_alloca, tile, NULL, 0, &segments, 1);
  hd_build0(&r->b, HD_OP_vector_store, load2(r, in, 2, 8), slot, rig_index(r, 0), rig_index(r, 0));
  hd_build0(&r->b, HD_OP_vector_store, LOAD(in, 16, 8), slot, rig_index(r, 2), rig_index(r, 0));
  hd_build0(&r->b, HD_OP_vector_store, LOAD(in, 24, 8), slot, rig_index(r, 3), rig_index(r, 0));
  hd_op *loop = hd_build_for(&r->b, rig_index(r, 0), rig_index(r, 32), rig_index(r, 1), NULL, 0);
  hd_op_attr_set(loop, HD_NAME_hd_unroll, hd_attr_i64(r->c, 4));
  hd_builder after = r->b;
  hd_block *body = hd_op_region(loop, 0)->first;
  r->b = hd_builder_at_end(r->module, body);
  hd_type index = hd_type_index(r->c);
  hd_value *i = body->args[0], *row = hd_build(&r->b, HD_OP_arith_remui, index, i, rig_index(r, 4)),
           *col = hd_build(&r->b, HD_OP_arith_divui, index, i, rig_index(r, 4));
  hd_value *x = hd_build(&r->b, HD_OP_memref_load, F32, slot, row, col);
  hd_build0(&r->b, HD_OP_memref_store, x, out, i);
  hd_build_yield(&r->b, NULL, 0);
  r->b = after;
  store_flat(r, hd_build(&r->b, HD_OP_vector_load, vector2(F32, 2, 4), slot, rig_index(r, 1), rig_index(r, 2)), out,
             32);
}
static float expect_tile(const float *in, const float *other, int i) {
  (void)other;
  if (i < 32) return in[(i % 4) * 8 + i / 4];
  i -= 32;
  return in[(1 + i / 4) * 8 + 2 + i % 4];
}

/* Non-temporal, aligned where the address is. */
static void build_stream(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  (void)other;
  hd_value *operands[] = {LOAD(in, 0, 8), out, rig_index(r, 0)};
  hd_attr_arg attrs[] = {{HD_NAME_nontemporal, hd_attr_bool(r->c, true)}};
  hd_build_op(&r->b, HD_OP_vector_store, operands, 3, NULL, 0, attrs, 1, 0);
}

static hd_status all(void *user) {
  hd_context *c = user;
  hd_type elements[] = {hd_i1(c),
                        hd_type_integer(c, 4, HD_SIGNLESS),
                        hd_type_integer(c, 8, HD_SIGNLESS),
                        hd_type_integer(c, 16, HD_SIGNLESS),
                        hd_i32(c),
                        hd_i64(c),
                        hd_type_float(c, HD_F8E5M2),
                        hd_type_float(c, HD_BF16),
                        hd_type_float(c, HD_F16),
                        hd_f32(c),
                        hd_type_float(c, HD_F64)};
  for (int m = 0; m < 2; ++m) {
    for (size_t t = 0; t < sizeof elements / sizeof *elements; ++t)
      for (int64_t lanes = 4; lanes <= 32; lanes *= 2) test_tail(c, elements[t], lanes, rig_machines[m]);
    for (int64_t lanes = 2; lanes <= 32; lanes = lanes == 6 ? 8 : lanes == 4 ? 6 : 2 * lanes)
      for (int wide = 0; wide < 2; ++wide) test_extrema(c, wide, lanes, rig_machines[m]);
    test_prefix_gather(c, hd_i1(c), rig_machines[m]);
    test_prefix_gather(c, hd_type_float(c, HD_BF16), rig_machines[m]);
    test_prefix_gather(c, hd_f32(c), rig_machines[m]);
  }
#define TEST(name, count) rig_test_f32(c, #name, build_##name, expect_##name, count)
  TEST(transpose, 32);
  rig_test_f32(c, "casts", build_casts, expect_same, 24);
  TEST(shuffle, 6);
  TEST(interleave, 32);
  TEST(slices, 40);
  TEST(extract, 19);
  TEST(insert, 64);
  TEST(broadcast, 28);
  TEST(elements, 4);
  TEST(masks, 48);
  TEST(reductions, 18);
  TEST(multi_reduction, 11);
  TEST(outer_product, 24);
  TEST(gather, 16);
  TEST(tile, 40);
  rig_test_f32(c, "stream", build_stream, expect_same, 8);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
