/* SPDX-License-Identifier: Apache-2.0 */
/* Vector ops that move, mask and reduce; memory and control flow; what is refused. */
#include <math.h>

#include "ir/number.h"
#include "ir/testing.h"
#include "target/cpu/kernel_testing.h"

static const char *const machines[] = {"x86-64-v3", "x86-64-v4"};

static hd_value *index_of(rig *r, int64_t value) { return hd_build_index(&r->b, value); }
static hd_value *add(rig *r, hd_value *x, int64_t value) {
  return hd_build(&r->b, HD_OP_arith_addi, hd_type_index(r->c), x, index_of(r, value));
}
static hd_attr ints(rig *r, const int64_t *values, size_t count) { return hd_attr_i64_array(r->c, values, count); }
static hd_type vector2(hd_type element, int64_t rows, int64_t lanes) {
  return hd_type_vector(element, (int64_t[]){rows, lanes}, 2, NULL);
}
static hd_value *one(rig *r, hd_opcode opcode, hd_type type, hd_value *const *operands, size_t count, const char *name,
                     hd_attr value) {
  hd_attr_arg attr = {name, value};
  return hd_build_one_(&r->b, opcode, type, operands, count, name ? &attr : NULL, name ? 1 : 0);
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

/* Kernels of two f32 inputs of 64 elements and an output, built by |build|, and the expected output. */
typedef void (*build_fn)(rig *r, hd_value *in, hd_value *other, hd_value *out);
typedef float (*expect_fn)(const float *in, const float *other, int i);

static void test_f32(hd_context *c, const char *name, build_fn build, expect_fn expect, int count) {
  for (int m = 0; m < 2; ++m) {
    hd_type memref = rig_memref(hd_f32(c)), types[] = {memref, memref, memref, hd_type_index(c)};
    rig r = rig_begin(c, types, 4);
    build(&r, r.args[0], r.args[1], r.args[2]);
    compiled k;
    if (rig_compile(&r, machines[m], &k) && k.fn) {
      float in[64], other[64], out[256];
      for (int i = 0; i < 64; ++i) in[i] = (float)i + 1, other[i] = (float)(100 + i);
      for (int i = 0; i < 256; ++i) out[i] = -1;
      uint64_t words[] = {WORD(in), WORD(other), WORD(out), 3};
      k.fn(words, 0, 1);
      for (int i = 0; i < 256; ++i) {
        float want = i < count ? expect(in, other, i) : -1;
        if (isnan(want)) continue; /* any */
        if (out[i] != want)
          hd_test_check_(false, __FILE__, __LINE__, "%s %s: element %d is %g, expected %g", machines[m], name, i,
                         out[i], want);
        else
          HD_CHECK(true);
      }
    } else {
      fprintf(stderr, "in %s\n", name);
    }
    compiled_free(&k);
    hd_module_free(r.module);
  }
}

#define F32 hd_f32(r->c)
#define LOAD(base, at, lanes) rig_load(r, base, index_of(r, at), lanes)
#define STORE(value, at) rig_store(r, value, out, index_of(r, at))
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
  store_flat(r, one(r, HD_OP_vector_transpose, vector2(F32, 8, 4), &x, 1, "permutation", ints(r, (int64_t[]){1, 0}, 2)),
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
  STORE(
      one(r, HD_OP_vector_shuffle, rig_vector(F32, 6), operands, 2, "mask", ints(r, (int64_t[]){7, 0, 11, 3, 8, 0}, 6)),
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
  hd_attr_arg attrs[] = {{"offsets", LIST(1, 2)}, {"sizes", LIST(2, 4)}, {"strides", LIST(1, 1)}};
  hd_value *slice = hd_build_one_(&r->b, HD_OP_vector_extract_strided_slice, vector2(F32, 2, 4), &x, 1, attrs, 3);
  store_flat(r, slice, out, 0);
  hd_attr_arg insert[] = {{"offsets", LIST(2, 3)}, {"strides", LIST(1, 1)}};
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
  store_flat(
      r, one(r, HD_OP_vector_extract, rig_vector(F32, 8), operands, 1, "static_position", ints(r, (int64_t[]){2}, 1)),
      out, 0);
  store_flat(r, one(r, HD_OP_vector_extract, rig_vector(F32, 8), operands, 2, "static_position", ints(r, &dynamic, 1)),
             out, 8);
  STORE(one(r, HD_OP_vector_extract, F32, operands, 1, "static_position", ints(r, (int64_t[]){2, 5}, 2)), 16);
  STORE(one(r, HD_OP_vector_extract, F32, operands, 3, "static_position", ints(r, (int64_t[]){dynamic, dynamic}, 2)),
        17);
  STORE(one(r, HD_OP_vector_extract, F32, operands, 2, "static_position", ints(r, (int64_t[]){1, dynamic}, 2)), 18);
}
static float expect_extract(const float *in, const float *other, int i) {
  (void)other;
  if (i < 8) return in[16 + i];
  if (i < 16) return in[24 + i - 8];
  return i == 16 ? in[21] : i == 17 ? in[27] : in[11];
}

static void build_insert(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_value *x = load2(r, in, 2, 8), *n = r->args[3], *y = LOAD(other, 0, 8), *s = LOAD(other, 20, 0);
  hd_value *last = hd_build(&r->b, HD_OP_arith_subi, hd_type_index(r->c), n, index_of(r, 2)); /* 1 */
  hd_value *row[] = {y, x, last}, *scalar[] = {s, x, last, n};
  const int64_t dynamic = HD_DYNAMIC;
  store_flat(r, one(r, HD_OP_vector_insert, x->type, row, 2, "static_position", ints(r, (int64_t[]){0}, 1)), out, 0);
  store_flat(r, one(r, HD_OP_vector_insert, x->type, row, 3, "static_position", ints(r, &dynamic, 1)), out, 16);
  store_flat(r, one(r, HD_OP_vector_insert, x->type, scalar, 2, "static_position", ints(r, (int64_t[]){1, 6}, 2)), out,
             32);
  store_flat(
      r, one(r, HD_OP_vector_insert, x->type, scalar, 4, "static_position", ints(r, (int64_t[]){dynamic, dynamic}, 2)),
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
  hd_value *n = r->args[3], *bounds[] = {n, index_of(r, 2)}, *a = load2(r, in, 4, 4), *b = load2(r, other, 4, 4);
  hd_value *mask = hd_build_one_(&r->b, HD_OP_vector_create_mask, bools, bounds, 2, NULL, 0);
  store_flat(r, hd_build(&r->b, HD_OP_arith_select, a->type, mask, a, b), out, 0);
  mask = one(r, HD_OP_vector_constant_mask, bools, NULL, 0, "mask_dim_sizes", ints(r, (int64_t[]){2, 3}, 2));
  store_flat(r, hd_build(&r->b, HD_OP_arith_select, a->type, mask, a, b), out, 16);
  hd_value *condition =
      one(r, HD_OP_arith_cmpi, hd_i1(c), (hd_value *[]){n, index_of(r, 2)}, 2, "predicate", hd_attr_i64(c, 4));
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
      hd_attr_arg attrs[] = {{"kind", kind_attr(r, float_kinds[k])}, {"fastmath", form ? fast : NULL}};
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

static void build_multi_reduction(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_value *x = load2(r, in, 3, 8), *columns = LOAD(other, 0, 8), *rows = LOAD(other, 0, 3);
  hd_attr_arg attrs[] = {{"kind", kind_attr(r, "add")}, {"reduction_dims", ints(r, (int64_t[]){0}, 1)}};
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
  store_flat(r, one(r, HD_OP_vector_outerproduct, vector2(F32, 3, 8), operands, 3, "kind", kind_attr(r, "add")), out,
             0);
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
  hd_value *mask = hd_build(&r->b, HD_OP_vector_create_mask, rig_vector(hd_i1(c), 8), index_of(r, 6));
  hd_value *x =
      hd_build(&r->b, HD_OP_vector_gather, rig_vector(F32, 8), in, r->args[3], indices, mask, LOAD(other, 0, 8));
  STORE(x, 0);
  hd_build0(&r->b, HD_OP_vector_scatter, out, index_of(r, 8), back, mask, x);
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
  hd_value *zero = index_of(&r, 0), *indices = rig_load(&r, r.args[1], zero, 16),
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
  hd_attr_arg segments = {"operandSegmentSizes", hd_attr_i32_array(r->c, (int32_t[]){0, 0}, 2)};
  hd_value *slot = hd_build_one_(&r->b, HD_OP_memref_alloca, tile, NULL, 0, &segments, 1);
  hd_build0(&r->b, HD_OP_vector_store, load2(r, in, 2, 8), slot, index_of(r, 0), index_of(r, 0));
  hd_build0(&r->b, HD_OP_vector_store, LOAD(in, 16, 8), slot, index_of(r, 2), index_of(r, 0));
  hd_build0(&r->b, HD_OP_vector_store, LOAD(in, 24, 8), slot, index_of(r, 3), index_of(r, 0));
  hd_op *loop = hd_build_for(&r->b, index_of(r, 0), index_of(r, 32), index_of(r, 1), NULL, 0);
  hd_op_attr_set(loop, "hd.unroll", hd_attr_i64(r->c, 4));
  hd_builder after = r->b;
  hd_block *body = hd_op_region(loop, 0)->first;
  r->b = hd_builder_at_end(r->module, body);
  hd_type index = hd_type_index(r->c);
  hd_value *i = body->args[0], *row = hd_build(&r->b, HD_OP_arith_remui, index, i, index_of(r, 4)),
           *col = hd_build(&r->b, HD_OP_arith_divui, index, i, index_of(r, 4));
  hd_value *x = hd_build(&r->b, HD_OP_memref_load, F32, slot, row, col);
  hd_build0(&r->b, HD_OP_memref_store, x, out, i);
  hd_build_yield(&r->b, NULL, 0);
  r->b = after;
  store_flat(r, hd_build(&r->b, HD_OP_vector_load, vector2(F32, 2, 4), slot, index_of(r, 1), index_of(r, 2)), out, 32);
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
  hd_value *operands[] = {LOAD(in, 0, 8), out, index_of(r, 0)};
  hd_attr_arg attrs[] = {{"nontemporal", hd_attr_bool(r->c, true)}};
  hd_build_op(&r->b, HD_OP_vector_store, operands, 3, NULL, 0, attrs, 1, 0);
}

/* Control: an if with results in a for with a vector accumulator, a while, a switch. */
static void build_control(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_context *c = r->c;
  hd_type index = hd_type_index(c), v8 = rig_vector(F32, 8);
  hd_value *inits[] = {LOAD(other, 0, 8), LOAD(other, 0, 0)};
  hd_op *loop = hd_build_for(&r->b, index_of(r, 0), index_of(r, 4), index_of(r, 1), inits, 2);
  hd_builder after = r->b;
  hd_block *body = hd_op_region(loop, 0)->first;
  r->b = hd_builder_at_end(r->module, body);
  hd_value *even =
      one(r, HD_OP_arith_cmpi, hd_i1(c),
          (hd_value *[]){hd_build(&r->b, HD_OP_arith_remui, index, body->args[0], index_of(r, 2)), index_of(r, 0)}, 2,
          "predicate", hd_attr_i64(c, 0));
  hd_op *branch = hd_build_if(&r->b, even, (hd_type[]){v8}, 1, true);
  hd_builder in_loop = r->b;
  for (uint32_t k = 0; k < 2; ++k) {
    r->b = hd_builder_at_end(r->module, hd_op_region(branch, k)->first);
    hd_value *x = hd_build(&r->b, k ? HD_OP_arith_subf : HD_OP_arith_addf, v8, body->args[1], LOAD(in, 0, 8));
    hd_build_yield(&r->b, &x, 1);
  }
  r->b = in_loop;
  hd_value *s = hd_build(&r->b, HD_OP_arith_addf, F32, body->args[2], LOAD(in, 0, 0));
  hd_build_yield(&r->b, (hd_value *[]){hd_result(branch, 0), s}, 2);
  r->b = after;
  STORE(hd_result(loop, 0), 0); /* in - in + in - in: other */
  STORE(hd_result(loop, 1), 8); /* other[0] + 4 * in[0] */
  /* while (i < n) i += 2, from 0: 4 for n = 3 */
  hd_value *zero = index_of(r, 0);
  hd_op *loop2 = hd_build_op(&r->b, HD_OP_scf_while, &zero, 1, &index, 1, NULL, 0, 2);
  after = r->b;
  for (uint32_t k = 0; k < 2; ++k) {
    hd_block *block = hd_block_create(r->module);
    hd_value *i = hd_block_add_arg(r->module, block, index);
    hd_region_append(hd_op_region(loop2, k), block);
    r->b = hd_builder_at_end(r->module, block);
    if (k == 0) {
      hd_value *more =
          one(r, HD_OP_arith_cmpi, hd_i1(c), (hd_value *[]){i, r->args[3]}, 2, "predicate", hd_attr_i64(c, 2));
      hd_build0(&r->b, HD_OP_scf_condition, more, i);
    } else {
      hd_value *next = add(r, i, 2);
      hd_build_yield(&r->b, &next, 1);
    }
  }
  r->b = after;
  rig_store(r, LOAD(in, 5, 0), out, add(r, hd_result(loop2, 0), 5)); /* out[9] */
  /* switch on n: default 0, case 2 and 3 */
  hd_attr_arg cases = {"cases", ints(r, (int64_t[]){2, 3}, 2)};
  hd_value *n = r->args[3];
  hd_type f32 = F32;
  hd_op *choice = hd_build_op(&r->b, HD_OP_scf_index_switch, &n, 1, &f32, 1, &cases, 1, 3);
  after = r->b;
  for (uint32_t k = 0; k < 3; ++k) {
    hd_block *block = hd_block_create(r->module);
    hd_region_append(hd_op_region(choice, k), block);
    r->b = hd_builder_at_end(r->module, block);
    hd_value *x = LOAD(other, 10 + k, 0);
    hd_build_yield(&r->b, &x, 1);
  }
  r->b = after;
  STORE(hd_result(choice, 0), 10);
}
static float expect_control(const float *in, const float *other, int i) {
  if (i < 8) return other[i];
  return i == 8 ? other[0] + 4 * in[0] : i == 9 ? in[5] : other[12];
}

/* cf: a loop by blocks, and a branch whose two edges go to one block. */
static void test_blocks(hd_context *c, const char *machine) {
  hd_type index = hd_type_index(c), memref = rig_memref(hd_type_integer(c, 64, HD_SIGNLESS)), types[] = {memref, index};
  rig r = rig_begin(c, types, 2);
  hd_block *entry = r.b.block;
  hd_op_erase(entry->last);
  hd_region *region = entry->region;
  hd_block *head = hd_block_create(r.module), *tail = hd_block_create(r.module), *join = hd_block_create(r.module);
  hd_value *i = hd_block_add_arg(r.module, head, index), *sum = hd_block_add_arg(r.module, head, index);
  hd_value *last = hd_block_add_arg(r.module, tail, index), *joined = hd_block_add_arg(r.module, join, index);
  /* Not in the order in which they run. */
  hd_region_append(region, join);
  hd_region_append(region, tail);
  hd_region_append(region, head);
  r.b = hd_builder_at_end(r.module, entry);
  hd_value *zero = index_of(&r, 0);
  hd_op_state br = {.context = c,
                    .opcode = HD_OP_cf_br,
                    .operands = (hd_value *[]){zero, zero},
                    .operand_count = 2,
                    .successors = &head,
                    .successor_count = 1};
  hd_build_state(&r.b, &br);
  r.b = hd_builder_at_end(r.module, head);
  hd_value *next = add(&r, i, 1), *total = hd_build(&r.b, HD_OP_arith_addi, index, sum, i);
  hd_value *more =
      one(&r, HD_OP_arith_cmpi, hd_i1(c), (hd_value *[]){next, r.args[1]}, 2, "predicate", hd_attr_i64(c, 2));
  hd_op_attr segments = {hd_ident_cstr(c, "operandSegmentSizes"), hd_attr_i32_array(c, (int32_t[]){1, 2, 1}, 3), true};
  hd_op_state cond = {.context = c,
                      .opcode = HD_OP_cf_cond_br,
                      .operands = (hd_value *[]){more, next, total, total},
                      .operand_count = 4,
                      .attrs = &segments,
                      .attr_count = 1,
                      .successors = (hd_block *[]){head, tail},
                      .successor_count = 2};
  hd_build_state(&r.b, &cond);
  r.b = hd_builder_at_end(r.module, tail);
  hd_value *big =
      one(&r, HD_OP_arith_cmpi, hd_i1(c), (hd_value *[]){last, index_of(&r, 20)}, 2, "predicate", hd_attr_i64(c, 4));
  segments.value = hd_attr_i32_array(c, (int32_t[]){1, 1, 1}, 3);
  hd_op_state both = {.context = c,
                      .opcode = HD_OP_cf_cond_br,
                      .operands = (hd_value *[]){big, last, index_of(&r, -1)},
                      .operand_count = 3,
                      .attrs = &segments,
                      .attr_count = 1,
                      .successors = (hd_block *[]){join, join},
                      .successor_count = 2};
  hd_build_state(&r.b, &both);
  r.b = hd_builder_at_end(r.module, join);
  hd_value *result = hd_build(&r.b, HD_OP_arith_index_cast, hd_type_integer(c, 64, HD_SIGNLESS), joined);
  rig_store(&r, result, r.args[0], index_of(&r, 0));
  hd_build_op(&r.b, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0);
  compiled k;
  if (rig_compile(&r, machine, &k) && k.fn) {
    int64_t out = 0;
    uint64_t words[] = {WORD(&out), 8};
    k.fn(words, 0, 1);
    HD_CHECK_INT(out, 28);
    words[1] = 5;
    k.fn(words, 0, 1);
    HD_CHECK_INT(out, -1);
  }
  compiled_free(&k);
  hd_module_free(r.module);
}

/* Functions of the module are called, and are in the object; complex numbers and tables pass through memory. */
static void test_calls(hd_context *c, const char *machine) {
  hd_type z = hd_type_complex(hd_f32(c)), memref = rig_memref(z), types[] = {memref, memref};
  rig r = rig_begin(c, types, 2);
  hd_builder top = hd_builder_at_end(r.module, hd_module_body(r.module));
  hd_type ins[] = {z, z}, outs[] = {z, hd_i1(c)};
  hd_op *callee = hd_build_func(&top, HD_STR("product"), hd_type_function(c, ins, 2, outs, 2), true);
  hd_block *body = hd_op_region(callee, 0)->first;
  hd_builder b = hd_builder_at_end(r.module, body);
  hd_value *product = hd_build(&b, HD_OP_complex_mul, z, body->args[0], body->args[1]);
  hd_value *same = hd_build(&b, HD_OP_complex_eq, hd_i1(c), body->args[0], body->args[1]);
  hd_build0(&b, HD_OP_func_return, product, same);
  hd_value *i = rig_loop(&r, 1), *x = rig_load(&r, r.args[0], i, 0);
  hd_attr_arg name = {"callee", hd_attr_symbol(c, HD_STR("product"), NULL, 0)};
  hd_op *call = hd_build_op(&r.b, HD_OP_func_call, (hd_value *[]){x, hd_build(&r.b, HD_OP_complex_conj, z, x)}, 2, outs,
                            2, &name, 1, 0);
  hd_value *chosen = hd_build(&r.b, HD_OP_arith_select, z, hd_result(call, 1), hd_result(call, 0),
                              hd_build(&r.b, HD_OP_complex_add, z, hd_result(call, 0), x));
  rig_store(&r, chosen, r.args[1], i);
  compiled k;
  if (rig_compile(&r, machine, &k) && k.fn) {
    float in[] = {3, 4, 2, 0}, out[4];
    uint64_t words[] = {WORD(in), WORD(out)};
    k.fn(words, 0, 2);
    HD_CHECK(out[0] == 28 && out[1] == 4 && out[2] == 4 && out[3] == 0);
  }
  compiled_free(&k);
  hd_module_free(r.module);
}

/* Scalar words of a launch: every type, from the low end of its word. */
static void test_words(hd_context *c, const char *machine) {
  hd_type f = hd_f32(c), d = hd_type_float(c, HD_F64), h = hd_type_float(c, HD_F16), bf = hd_type_float(c, HD_BF16);
  hd_type bytes = hd_type_integer(c, 8, HD_SIGNLESS), flag = hd_i1(c);
  hd_type types[] = {rig_memref(d), f, d, h, bf, bytes, flag};
  rig r = rig_begin(c, types, 7);
  hd_value *values[] = {
      hd_build(&r.b, HD_OP_arith_extf, d, r.args[1]),   r.args[2],
      hd_build(&r.b, HD_OP_arith_extf, d, r.args[3]),   hd_build(&r.b, HD_OP_arith_extf, d, r.args[4]),
      hd_build(&r.b, HD_OP_arith_sitofp, d, r.args[5]), hd_build(&r.b, HD_OP_arith_uitofp, d, r.args[6])};
  for (int k = 0; k < 6; ++k) rig_store(&r, values[k], r.args[0], index_of(&r, k));
  compiled k;
  if (rig_compile(&r, machine, &k) && k.fn) {
    double out[6], two = -2.5;
    uint64_t rubbish = 0xABCDEF0000000000ull, bits;
    memcpy(&bits, &two, 8);
    uint64_t words[] = {WORD(out),        rubbish | 0x3FC00000, bits,       rubbish | 0x3E00,
                        rubbish | 0x4040, rubbish | 0xFB,       rubbish | 1};
    k.fn(words, 0, 1);
    HD_CHECK(out[0] == 1.5 && out[1] == -2.5 && out[2] == 1.5 && out[3] == 3 && out[4] == -5 && out[5] == 1);
  }
  compiled_free(&k);
  hd_module_free(r.module);
}

/* What has no machine code says so, and nothing reaches LLVM. */
static void test_refusals(hd_context *c) {
  hd_cpu_target target;
  HD_CHECK_OK(hd_cpu_target_of("x86-64-v3", &target));
  HD_CHECK_FAILS(hd_cpu_target_of("x86-64-v2", &target), HD_UNIMPLEMENTED, "expected at least x86-64-v3");
  HD_CHECK_OK(hd_cpu_target_of("x86-64-v3", &target));
  static const struct {
    hd_opcode opcode;
    const char *message;
  } cases[] = {{HD_OP_math_exp, "'math.exp' op must be expanded"},
               {HD_OP_arith_remf, "'arith.remf' op is a library call"}};
  for (int k = 0; k < 4; ++k) {
    hd_type memref = rig_memref(hd_f32(c)), types[] = {memref};
    rig r = rig_begin(c, types, 1);
    r.b.loc = hd_loc_file(c, HD_STR("model.mlir"), 7, 3);
    const char *message = k < 2 ? cases[k].message : k == 2 ? "lanes; expected" : "bytes of stack";
    if (k < 2) {
      hd_value *x = rig_load(&r, r.args[0], index_of(&r, 0), 0), *operands[] = {x, x};
      rig_store(&r, hd_build_one_(&r.b, cases[k].opcode, hd_f32(c), operands, k ? 2 : 1, NULL, 0), r.args[0],
                index_of(&r, 0));
    } else if (k == 2) {
      rig_store(&r, rig_load(&r, r.args[0], index_of(&r, 0), 100000), r.args[0], index_of(&r, 0));
    } else {
      hd_type tile = hd_type_memref(hd_f32(c), (int64_t[]){1000, 1000}, 2, NULL, NULL);
      hd_attr_arg segments = {"operandSegmentSizes", hd_attr_i32_array(c, (int32_t[]){0, 0}, 2)};
      hd_build_one_(&r.b, HD_OP_memref_alloca, tile, NULL, 0, &segments, 1);
    }
    hd_arena arena;
    hd_arena_init(&arena, NULL);
    hd_cpu_object object;
    hd_status status = hd_cpu_compile_kernel(r.func, "k", &target, NULL, &arena, &object);
    HD_CHECK(strstr(hd_status_message(status), "model.mlir:7:3: '") != NULL);
    HD_CHECK_FAILS(status, HD_UNIMPLEMENTED, message);
    HD_CHECK(object.data == NULL);
    hd_arena_free(&arena);
    hd_module_free(r.module);
  }
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
      for (int64_t lanes = 4; lanes <= 32; lanes *= 2) test_tail(c, elements[t], lanes, machines[m]);
    test_prefix_gather(c, hd_i1(c), machines[m]);
    test_prefix_gather(c, hd_type_float(c, HD_BF16), machines[m]);
    test_prefix_gather(c, hd_f32(c), machines[m]);
    test_blocks(c, machines[m]);
    test_calls(c, machines[m]);
    test_words(c, machines[m]);
  }
#define TEST(name, count) test_f32(c, #name, build_##name, expect_##name, count)
  TEST(transpose, 32);
  test_f32(c, "casts", build_casts, expect_same, 24);
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
  test_f32(c, "stream", build_stream, expect_same, 8);
  TEST(control, 11);
  test_refusals(c);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
