/* SPDX-License-Identifier: Apache-2.0 */
/* Emits the kernels of gemm_abi.h. Addresses are one linear index per access into a flat memref, kept in loop-carried
 * offsets; accumulators are vectors carried by the loop, so that they stay in registers.
 *
 *   tile:       acc = C or 0;  for k: { b_j = load B[k, j]; for i: x = broadcast A[i, k]; acc_ij += x * b_j };  C = acc
 *   packing:    the same, and each b_j is stored
 *   rows:       a_ip = broadcast A[i, p];  for j by vectors: { c_i = C or 0; for p: c_i += a_ip * B[p, j];  C = c_i }
 *   dot:        for k by vectors: acc_ij += A[i, k] * B[j, k];  lanes added in pairs
 *   copy/store: for r, for j by vectors: D = convert(A), the last vector under a mask
 *   transpose:  for k by vectors: a square of lanes x lanes, transposed in registers by log2(lanes) rounds of shuffles
 */
#include "codegen/library/gemm_kernels.h"

#include <string.h>

#include "ir/builder.h"
#include "runtime/libraries/gemm_abi.h"

enum { max_values = 64 };

typedef struct emitter {
  hd_builder b;
  int64_t vector_bytes;
  hd_type index;
} emitter;

/* An element type by the name that rows use. */
typedef struct element {
  hd_type type; /* signless */
  bool is_float, is_unsigned, is_bool;
  int64_t bytes;
} element;

static element element_of(emitter *e, const char *name) {
  hd_context *c = e->b.context;
  element out = {0};
  if (!strcmp(name, "f32"))
    out = (element){hd_type_float(c, HD_F32), true, false, false, 4};
  else if (!strcmp(name, "f64"))
    out = (element){hd_type_float(c, HD_F64), true, false, false, 8};
  else if (!strcmp(name, "bf16"))
    out = (element){hd_type_float(c, HD_BF16), true, false, false, 2};
  else if (!strcmp(name, "f16"))
    out = (element){hd_type_float(c, HD_F16), true, false, false, 2};
  else if (!strcmp(name, "i1"))
    out = (element){hd_type_integer(c, 8, HD_SIGNLESS), false, true, true, 1};
  else {
    out.is_unsigned = name[0] == 'u';
    const char *digits = name + (out.is_unsigned ? 2 : 1);
    uint32_t width = !strcmp(digits, "8") ? 8 : !strcmp(digits, "16") ? 16 : !strcmp(digits, "32") ? 32 : 64;
    out.type = hd_type_integer(c, width, HD_SIGNLESS);
    out.bytes = width / 8;
  }
  return out;
}

static hd_type vector_of(hd_type type, int64_t lanes) { return hd_type_vector(type, &lanes, 1, NULL); }
static hd_type memref_of(hd_type type) {
  int64_t unknown = HD_DYNAMIC;
  return hd_type_memref(type, &unknown, 1, NULL, NULL);
}

/* ---- small pieces
 * ------------------------------------------------------------------------------------------------------- */

static hd_value *constant(emitter *e, int64_t value) { return hd_build_index(&e->b, value); }
static hd_value *add(emitter *e, hd_value *x, hd_value *y) { return hd_build(&e->b, HD_OP_arith_addi, x->type, x, y); }
static hd_value *mul(emitter *e, hd_value *x, hd_value *y) { return hd_build(&e->b, HD_OP_arith_muli, x->type, x, y); }
static hd_value *add_constant(emitter *e, hd_value *x, int64_t value) {
  return value ? add(e, x, constant(e, value)) : x;
}
static hd_value *times(emitter *e, hd_value *x, int64_t value) {
  return value == 1 ? x : mul(e, x, constant(e, value));
}

static hd_value *not_zero(emitter *e, hd_value *x) {
  hd_type type =
      hd_type_is(x->type, HD_TYPE_VECTOR) ? hd_type_with_element(x->type, hd_i1(e->b.context)) : hd_i1(e->b.context);
  hd_value *zero = hd_type_is(x->type, HD_TYPE_VECTOR) ? hd_build_int(&e->b, x->type, 0) : constant(e, 0);
  hd_value *operands[] = {x, zero};
  return hd_build_one_(&e->b, HD_OP_arith_cmpi, type, operands, 2,
                       &(hd_attr_arg){"predicate", hd_attr_i64(e->b.context, 1 /* ne */)}, 1);
}

static hd_value *below(emitter *e, hd_value *x, hd_value *y) {
  hd_value *operands[] = {x, y};
  return hd_build_one_(&e->b, HD_OP_arith_cmpi, hd_i1(e->b.context), operands, 2,
                       &(hd_attr_arg){"predicate", hd_attr_i64(e->b.context, 2 /* slt */)}, 1);
}

static hd_value *splat(emitter *e, hd_value *x, int64_t lanes) {
  return hd_build(&e->b, HD_OP_vector_broadcast, vector_of(x->type, lanes), x);
}

static hd_value *zero_vector(emitter *e, element t, int64_t lanes) {
  hd_type type = vector_of(t.type, lanes);
  return t.is_float ? hd_build_float(&e->b, type, 0) : hd_build_int(&e->b, type, 0);
}

static hd_value *load(emitter *e, element t, int64_t lanes, hd_value *memref, hd_value *at) {
  hd_value *operands[] = {memref, at};
  return hd_build_one_(&e->b, HD_OP_vector_load, vector_of(t.type, lanes), operands, 2, NULL, 0);
}

static hd_value *masked_load(emitter *e, element t, int64_t lanes, hd_value *memref, hd_value *at, hd_value *mask) {
  hd_value *operands[] = {memref, at, mask, zero_vector(e, t, lanes)};
  return hd_build_one_(&e->b, HD_OP_vector_maskedload, vector_of(t.type, lanes), operands, 4, NULL, 0);
}

static void store(emitter *e, hd_value *value, hd_value *memref, hd_value *at) {
  hd_build0(&e->b, HD_OP_vector_store, value, memref, at);
}

static void masked_store(emitter *e, hd_value *value, hd_value *memref, hd_value *at, hd_value *mask) {
  hd_build0(&e->b, HD_OP_vector_maskedstore, memref, at, mask, value);
}

static hd_value *scalar_load(emitter *e, element t, hd_value *memref, hd_value *at) {
  hd_value *operands[] = {memref, at};
  return hd_build_one_(&e->b, HD_OP_memref_load, t.type, operands, 2, NULL, 0);
}

static hd_value *mask_of(emitter *e, hd_value *count, int64_t lanes) {
  return hd_build(&e->b, HD_OP_vector_create_mask, vector_of(hd_i1(e->b.context), lanes), count);
}

static hd_value *multiply_add(emitter *e, element t, hd_value *x, hd_value *y, hd_value *sum) {
  if (t.is_float) return hd_build(&e->b, HD_OP_vector_fma, sum->type, x, y, sum);
  return add(e, sum, mul(e, x, y));
}

static hd_value *sum_of(emitter *e, element t, hd_value *x, hd_value *y) {
  return hd_build(&e->b, t.is_float ? HD_OP_arith_addf : HD_OP_arith_addi, x->type, x, y);
}

static hd_value *convert(emitter *e, element from, element to, hd_value *x) {
  if (to.is_bool) {
    hd_value *set = not_zero(e, x);
    return hd_build(&e->b, HD_OP_arith_extui, hd_type_with_element(x->type, to.type), set);
  }
  if (from.type == to.type) return x;
  hd_opcode code = from.is_float           ? (from.bytes < to.bytes ? HD_OP_arith_extf : HD_OP_arith_truncf)
                   : from.bytes > to.bytes ? HD_OP_arith_trunci
                   : from.is_unsigned      ? HD_OP_arith_extui
                                           : HD_OP_arith_extsi;
  return hd_build(&e->b, code, hd_type_with_element(x->type, to.type), x);
}

static hd_value *shuffle(emitter *e, hd_value *x, hd_value *y, const int64_t *lanes, size_t count) {
  hd_value *operands[] = {x, y};
  return hd_build_one_(&e->b, HD_OP_vector_shuffle, vector_of(hd_type_element(x->type), (int64_t)count), operands, 2,
                       &(hd_attr_arg){"mask", hd_attr_i64_array(e->b.context, lanes, count)}, 1);
}

/* ---- functions and loops
 * -------------------------------------------------------------------------------------------------- */

/* func.func @name(memrefs and indices as |types|, begin, end) with hd.kernel; the cursor goes into it. Memref |written|
 * overlaps no other. */
static hd_block *open_kernel(emitter *e, const char *name, const hd_type *types, size_t count, size_t written) {
  hd_context *c = e->b.context;
  hd_type all[16];
  hd_attr attrs[16];
  for (size_t i = 0; i < count + 2; ++i) {
    all[i] = i < count ? types[i] : e->index;
    hd_named_attr noalias = {hd_ident_cstr(c, "llvm.noalias"), hd_attr_unit(c)};
    attrs[i] = hd_attr_dict(c, &noalias, i == written);
  }
  hd_builder outer = hd_builder_at_end(e->b.module, hd_module_body(e->b.module));
  hd_op *func = hd_build_func(&outer, hd_str_of(name), hd_type_function(c, all, count + 2, NULL, 0), false);
  hd_op_attr_set(func, "hd.kernel", hd_attr_unit(c));
  hd_op_attr_set(func, "arg_attrs", hd_attr_array(c, attrs, count + 2));
  hd_block *entry = hd_op_region(func, 0)->first;
  e->b = hd_builder_at_end(e->b.module, entry);
  return entry;
}

static void close_kernel(emitter *e) { hd_build_op(&e->b, HD_OP_func_return, NULL, 0, NULL, 0, NULL, 0, 0); }

/* Opens a loop; |carried| becomes its block arguments. Gives the op, to be closed with |values| for the next round,
 * after which |values| are the results. */
static hd_op *open_for(emitter *e, hd_value *from, hd_value *to, int64_t step, hd_value **carried, size_t count,
                       hd_value **out_iv) {
  hd_op *loop = hd_build_for(&e->b, from, to, constant(e, step), carried, count);
  hd_block *body = hd_op_region(loop, 0)->first;
  *out_iv = body->args[0];
  for (size_t i = 0; i < count; ++i) carried[i] = body->args[i + 1];
  e->b = hd_builder_at_end(e->b.module, body);
  return loop;
}

static void close_for(emitter *e, hd_op *loop, hd_value **values, size_t count) {
  hd_build_yield(&e->b, values, count);
  for (size_t i = 0; i < count; ++i) values[i] = hd_result(loop, (uint32_t)i);
  e->b = hd_builder_after(loop);
}

/* An scf.if without results around what follows, until close_if. */
static hd_op *open_if(emitter *e, hd_value *condition) {
  hd_op *op = hd_build_if(&e->b, condition, NULL, 0, false);
  e->b = hd_builder_at_end(e->b.module, hd_op_region(op, 0)->first);
  return op;
}

static void close_if(emitter *e, hd_op *op) {
  hd_build_yield(&e->b, NULL, 0);
  e->b = hd_builder_after(op);
}

/* The last multiple of |lanes| that is at most |n|; n >= 0. */
static hd_value *whole(emitter *e, hd_value *n, int64_t lanes) {
  return hd_build(&e->b, HD_OP_arith_andi, n->type, n, constant(e, -lanes));
}

/* ---- tile
 * ------------------------------------------------------------------------------------------------------------------ */

/* Arguments of tile and rows kernels, in the order of struct hd_gemm_tile. */
enum {
  tile_a,
  tile_a_row,
  tile_a_k,
  tile_b,
  tile_b_k,
  tile_c,
  tile_c_row,
  tile_accumulate,
  tile_prefetch,
  tile_packed,
  tile_begin,
  tile_end
};

static hd_value **open_tile(emitter *e, const char *name, element t, element s) {
  hd_type types[] = {memref_of(t.type), e->index, e->index, memref_of(s.type), e->index,
                     memref_of(t.type), e->index, e->index, e->index,          memref_of(t.type)};
  return open_kernel(e, name, types, 10, tile_c)->args;
}

static void emit_tile(emitter *e, const char *name, element t, element s, int64_t rows, int64_t vectors, bool packs) {
  hd_value **args = open_tile(e, name, t, s);
  int64_t lanes = e->vector_bytes / t.bytes, count = rows * vectors;
  hd_value *a_row[HD_GEMM_MAX_ROWS], *c_row[HD_GEMM_MAX_ROWS], *carried[max_values];
  hd_value *from_c = splat(e, not_zero(e, args[tile_accumulate]), lanes);
  for (int64_t i = 0; i < rows; ++i) {
    a_row[i] = times(e, args[tile_a_row], i);
    c_row[i] = times(e, args[tile_c_row], i);
    for (int64_t j = 0; j < vectors; ++j)
      carried[i * vectors + j] = masked_load(e, t, lanes, args[tile_c], add_constant(e, c_row[i], j * lanes), from_c);
  }
  carried[count] = constant(e, 0);     /* offset of A */
  carried[count + 1] = constant(e, 0); /* of B */
  hd_value *k, *b[HD_GEMM_MAX_VECTORS];
  hd_op *loop = open_for(e, args[tile_begin], args[tile_end], 1, carried, (size_t)count + 2, &k);
  hd_value *a_at = carried[count], *b_at = carried[count + 1], *ahead = add(e, b_at, args[tile_prefetch]);
  for (int64_t j = 0; j < vectors; ++j) {
    /* One prefetch per cache line of 64 bytes. */
    if (j * lanes * s.bytes % 64 == 0) hd_build_prefetch(&e->b, args[tile_b], add_constant(e, ahead, j * lanes));
    b[j] = convert(e, s, t, load(e, s, lanes, args[tile_b], add_constant(e, b_at, j * lanes)));
    if (packs) store(e, b[j], args[tile_packed], add_constant(e, times(e, k, vectors * lanes), j * lanes));
  }
  for (int64_t i = 0; i < rows; ++i) {
    hd_value *x = splat(e, scalar_load(e, t, args[tile_a], i ? add(e, a_at, a_row[i]) : a_at), lanes);
    for (int64_t j = 0; j < vectors; ++j)
      carried[i * vectors + j] = multiply_add(e, t, x, b[j], carried[i * vectors + j]);
  }
  carried[count] = add(e, a_at, args[tile_a_k]);
  carried[count + 1] = add(e, b_at, args[tile_b_k]);
  close_for(e, loop, carried, (size_t)count + 2);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < vectors; ++j)
      store(e, carried[i * vectors + j], args[tile_c], add_constant(e, c_row[i], j * lanes));
  close_kernel(e);
}

/* ---- rows
 * ------------------------------------------------------------------------------------------------------------------ */

typedef struct rows_state {
  element t, s;
  int64_t rows, depth, lanes;
  hd_value **args, *from_c;
  hd_value *a[HD_GEMM_SMALL_ROWS][8], *b_row[8], *c_row[HD_GEMM_SMALL_ROWS];
} rows_state;

/* One vector of columns at |j|, under |mask| unless it is null. */
static void rows_step(emitter *e, const rows_state *r, hd_value *j, hd_value *mask) {
  hd_value *c[HD_GEMM_SMALL_ROWS], *at[HD_GEMM_SMALL_ROWS];
  hd_value *c_mask = mask ? hd_build(&e->b, HD_OP_arith_andi, mask->type, mask, r->from_c) : r->from_c;
  for (int64_t i = 0; i < r->rows; ++i) {
    at[i] = i ? add(e, j, r->c_row[i]) : j;
    c[i] = masked_load(e, r->t, r->lanes, r->args[tile_c], at[i], c_mask);
  }
  for (int64_t p = 0; p < r->depth; ++p) {
    hd_value *b_at = p ? add(e, j, r->b_row[p]) : j;
    if (!mask) hd_build_prefetch(&e->b, r->args[tile_b], add(e, b_at, r->args[tile_prefetch]));
    hd_value *b = mask ? masked_load(e, r->s, r->lanes, r->args[tile_b], b_at, mask)
                       : load(e, r->s, r->lanes, r->args[tile_b], b_at);
    b = convert(e, r->s, r->t, b);
    for (int64_t i = 0; i < r->rows; ++i) c[i] = multiply_add(e, r->t, r->a[i][p], b, c[i]);
  }
  for (int64_t i = 0; i < r->rows; ++i) {
    if (mask)
      masked_store(e, c[i], r->args[tile_c], at[i], mask);
    else
      store(e, c[i], r->args[tile_c], at[i]);
  }
}

static void emit_rows(emitter *e, const char *name, element t, element s, int64_t rows, int64_t depth) {
  rows_state r = {.t = t, .s = s, .rows = rows, .depth = depth, .lanes = e->vector_bytes / t.bytes};
  r.args = open_tile(e, name, t, s);
  r.from_c = splat(e, not_zero(e, r.args[tile_accumulate]), r.lanes);
  for (int64_t p = 0; p < depth; ++p) r.b_row[p] = times(e, r.args[tile_b_k], p);
  for (int64_t i = 0; i < rows; ++i) {
    r.c_row[i] = times(e, r.args[tile_c_row], i);
    for (int64_t p = 0; p < depth; ++p) {
      hd_value *at = add(e, times(e, r.args[tile_a_row], i), times(e, r.args[tile_a_k], p));
      r.a[i][p] = splat(e, scalar_load(e, t, r.args[tile_a], at), r.lanes);
    }
  }
  hd_value *end = r.args[tile_end], *last = whole(e, end, r.lanes), *j;
  hd_op *loop = open_for(e, r.args[tile_begin], last, r.lanes, NULL, 0, &j);
  rows_step(e, &r, j, NULL);
  close_for(e, loop, NULL, 0);
  hd_op *rest = open_if(e, below(e, last, end));
  rows_step(e, &r, last, mask_of(e, hd_build(&e->b, HD_OP_arith_subi, e->index, end, last), r.lanes));
  close_if(e, rest);
  close_kernel(e);
}

/* ---- dot
 * ---------------------------------------------------------------------------------------------------------------- */

enum { dot_a, dot_a_row, dot_b, dot_b_row, dot_c, dot_c_row, dot_accumulate, dot_begin, dot_end };

/* Sums of the lanes of |count| vectors, in order, in as few vectors as they need; each round halves the lanes of a sum
 * by adding even and odd lanes. |*out_count| vectors of |*out_lanes|. */
static void add_lanes(emitter *e, element t, hd_value **v, int64_t count, int64_t lanes, int64_t *out_count,
                      int64_t *out_lanes) {
  int64_t per_sum = lanes;
  while (per_sum > 1) {
    bool pairs = count > 1;
    int64_t total = pairs ? 2 * lanes : lanes, even[64], odd[64];
    for (int64_t i = 0; i < total / 2; ++i) even[i] = 2 * i, odd[i] = 2 * i + 1;
    for (int64_t i = 0; i < (pairs ? count / 2 : 1); ++i) {
      hd_value *x = v[pairs ? 2 * i : 0], *y = v[pairs ? 2 * i + 1 : 0];
      v[i] = sum_of(e, t, shuffle(e, x, y, even, (size_t)total / 2), shuffle(e, x, y, odd, (size_t)total / 2));
    }
    if (pairs)
      count /= 2;
    else
      lanes /= 2;
    per_sum /= 2;
  }
  *out_count = count;
  *out_lanes = lanes;
}

static void emit_dot(emitter *e, const char *name, element t, element s, int64_t rows, int64_t columns) {
  hd_type types[] = {memref_of(t.type), e->index, memref_of(s.type), e->index, memref_of(t.type), e->index, e->index};
  hd_value **args = open_kernel(e, name, types, 7, dot_c)->args;
  int64_t lanes = e->vector_bytes / t.bytes, count = rows * columns;
  hd_value *carried[max_values], *a_row[HD_GEMM_SMALL_ROWS], *b_row[HD_GEMM_DOT_COLUMNS];
  for (int64_t i = 0; i < rows; ++i) a_row[i] = times(e, args[dot_a_row], i);
  for (int64_t j = 0; j < columns; ++j) b_row[j] = times(e, args[dot_b_row], j);
  for (int64_t i = 0; i < count; ++i) carried[i] = zero_vector(e, t, lanes);
  hd_value *end = args[dot_end], *last = whole(e, end, lanes), *k;
  hd_op *loop = open_for(e, args[dot_begin], last, lanes, carried, (size_t)count, &k);
  for (int64_t i = 0; i < rows; ++i) {
    hd_value *x = load(e, t, lanes, args[dot_a], i ? add(e, k, a_row[i]) : k);
    for (int64_t j = 0; j < columns; ++j) {
      hd_value *y = convert(e, s, t, load(e, s, lanes, args[dot_b], j ? add(e, k, b_row[j]) : k));
      carried[i * columns + j] = multiply_add(e, t, x, y, carried[i * columns + j]);
    }
  }
  close_for(e, loop, carried, (size_t)count);
  /* The rest of k, masked; a loop of at most one round keeps the sums in registers. */
  loop = open_for(e, last, end, lanes, carried, (size_t)count, &k);
  hd_value *mask = mask_of(e, hd_build(&e->b, HD_OP_arith_subi, e->index, end, k), lanes);
  for (int64_t i = 0; i < rows; ++i) {
    hd_value *x = masked_load(e, t, lanes, args[dot_a], i ? add(e, k, a_row[i]) : k, mask);
    for (int64_t j = 0; j < columns; ++j) {
      hd_value *y = convert(e, s, t, masked_load(e, s, lanes, args[dot_b], j ? add(e, k, b_row[j]) : k, mask));
      carried[i * columns + j] = multiply_add(e, t, x, y, carried[i * columns + j]);
    }
  }
  close_for(e, loop, carried, (size_t)count);
  for (int64_t i = 0; i < rows; ++i) {
    int64_t vectors, width;
    hd_value **sums = carried + i * columns;
    add_lanes(e, t, sums, columns, lanes, &vectors, &width);
    for (int64_t v = 0; v < vectors; ++v) {
      hd_value *at = add_constant(e, times(e, args[dot_c_row], i), v * width);
      hd_value *from_c = splat(e, not_zero(e, args[dot_accumulate]), width);
      hd_value *old = masked_load(e, t, width, args[dot_c], at, from_c);
      store(e, sum_of(e, t, old, sums[v]), args[dot_c], at);
    }
  }
  close_kernel(e);
}

/* ---- copies
 * ------------------------------------------------------------------------------------------------------------------ */

enum { copy_a, copy_a_row, copy_d, copy_d_row, copy_rows, copy_pad, copy_begin, copy_end };

static hd_value **open_copy(emitter *e, const char *name, element s, element t) {
  hd_type types[] = {memref_of(s.type), e->index, memref_of(t.type), e->index, e->index, e->index};
  return open_kernel(e, name, types, 6, copy_d)->args;
}

static void emit_copy(emitter *e, const char *name, element s, element t) {
  hd_value **args = open_copy(e, name, s, t);
  int64_t lanes = e->vector_bytes / (s.bytes > t.bytes ? s.bytes : t.bytes);
  hd_value *end = args[copy_end], *last = whole(e, end, lanes), *zero = constant(e, 0), *row, *j;
  hd_value *rest = mask_of(e, hd_build(&e->b, HD_OP_arith_subi, e->index, end, last), lanes);
  hd_value *pad = splat(e, not_zero(e, args[copy_pad]), lanes);
  hd_value *written = hd_build(&e->b, HD_OP_arith_ori, rest->type, rest, pad);
  hd_value *at[] = {zero, zero};
  hd_op *outer = open_for(e, zero, args[copy_rows], 1, at, 2, &row);
  hd_op *inner = open_for(e, args[copy_begin], last, lanes, NULL, 0, &j);
  hd_value *x = load(e, s, lanes, args[copy_a], add(e, at[0], j));
  store(e, convert(e, s, t, x), args[copy_d], add(e, at[1], j));
  close_for(e, inner, NULL, 0);
  hd_op *some = open_if(e, below(e, last, end));
  x = masked_load(e, s, lanes, args[copy_a], add(e, at[0], last), rest);
  masked_store(e, convert(e, s, t, x), args[copy_d], add(e, at[1], last), written);
  close_if(e, some);
  at[0] = add(e, at[0], args[copy_a_row]);
  at[1] = add(e, at[1], args[copy_d_row]);
  close_for(e, outer, at, 2);
  close_kernel(e);
}

/* Transposes |lanes| vectors of |lanes| in place: in the round of distance d, lanes whose bit d differs from their
 * row's change places with the row d away. */
static void transpose_square(emitter *e, hd_value **v, int64_t lanes) {
  for (int64_t d = 1; d < lanes; d *= 2) {
    int64_t low[64], high[64];
    for (int64_t j = 0; j < lanes; ++j) {
      low[j] = j & d ? lanes + j - d : j;
      high[j] = j & d ? lanes + j : j + d;
    }
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & d) continue;
      hd_value *x = v[i], *y = v[i + d];
      v[i] = shuffle(e, x, y, low, (size_t)lanes);
      v[i + d] = shuffle(e, x, y, high, (size_t)lanes);
    }
  }
}

static void emit_transpose(emitter *e, const char *name, element s, element t) {
  hd_value **args = open_copy(e, name, s, t);
  int64_t lanes = e->vector_bytes / t.bytes;
  hd_value *end = args[copy_end], *last = whole(e, end, lanes), *k, *from[16], *v[16];
  /* Rows that do not exist repeat the last one. */
  hd_value *last_row = add_constant(e, args[copy_rows], -1);
  for (int64_t i = 0; i < lanes; ++i)
    from[i] = mul(e, args[copy_a_row], hd_build(&e->b, HD_OP_arith_minsi, e->index, constant(e, i), last_row));
  hd_op *loop = open_for(e, args[copy_begin], last, lanes, NULL, 0, &k);
  for (int64_t i = 0; i < lanes; ++i) v[i] = convert(e, s, t, load(e, s, lanes, args[copy_a], add(e, from[i], k)));
  transpose_square(e, v, lanes);
  hd_value *to = mul(e, k, args[copy_d_row]);
  for (int64_t i = 0; i < lanes; ++i) {
    store(e, v[i], args[copy_d], to);
    if (i + 1 < lanes) to = add(e, to, args[copy_d_row]);
  }
  close_for(e, loop, NULL, 0);
  hd_op *some = open_if(e, below(e, last, end));
  hd_value *left = hd_build(&e->b, HD_OP_arith_subi, e->index, end, last), *mask = mask_of(e, left, lanes);
  for (int64_t i = 0; i < lanes; ++i)
    v[i] = convert(e, s, t, masked_load(e, s, lanes, args[copy_a], add(e, from[i], last), mask));
  transpose_square(e, v, lanes);
  to = mul(e, last, args[copy_d_row]);
  for (int64_t i = 0; i + 1 < lanes; ++i) {
    hd_op *exists = open_if(e, below(e, constant(e, i), left));
    store(e, v[i], args[copy_d], add(e, to, times(e, args[copy_d_row], i)));
    close_if(e, exists);
  }
  close_if(e, some);
  close_kernel(e);
}

/* ---- rows of the table
 * -------------------------------------------------------------------------------------------------------- */

bool hd_gemm_kernels_emit(hd_module *module, const char *isa) {
  bool wide = !strcmp(isa, "v4");
  if (!wide && strcmp(isa, "v3") != 0) return false;
  emitter e = {.b = hd_builder_at_end(module, hd_module_body(module)), .vector_bytes = wide ? 64 : 32};
  e.index = hd_type_index(module->context);
#define IS(row_isa) (!strcmp(#row_isa, isa))
#define TILE(i, T, S, m, v) \
  if (IS(i))                \
    emit_tile(&e, "hd_gemm_" #i "_tile_" #T "_" #S "_" #m "x" #v, element_of(&e, #T), element_of(&e, #S), m, v, false);
#define PACKING(i, T, S, m, v)                                                                                     \
  if (IS(i))                                                                                                       \
    emit_tile(&e, "hd_gemm_" #i "_packing_" #T "_" #S "_" #m "x" #v, element_of(&e, #T), element_of(&e, #S), m, v, \
              true);
#define ROWS(i, T, S, m, d) \
  if (IS(i))                \
    emit_rows(&e, "hd_gemm_" #i "_rows_" #T "_" #S "_" #m "x" #d, element_of(&e, #T), element_of(&e, #S), m, d);
#define DOT(i, T, S, m, n) \
  if (IS(i)) emit_dot(&e, "hd_gemm_" #i "_dot_" #T "_" #S "_" #m "x" #n, element_of(&e, #T), element_of(&e, #S), m, n);
#define COPY(i, S, T) \
  if (IS(i)) emit_copy(&e, "hd_gemm_" #i "_copy_" #S "_" #T, element_of(&e, #S), element_of(&e, #T));
#define STORE(i, T, S) \
  if (IS(i)) emit_copy(&e, "hd_gemm_" #i "_store_" #T "_" #S, element_of(&e, #T), element_of(&e, #S));
#define TRANSPOSE(i, S, T) \
  if (IS(i)) emit_transpose(&e, "hd_gemm_" #i "_transpose_" #S "_" #T, element_of(&e, #S), element_of(&e, #T));
#include "runtime/libraries/gemm_kernels.def"
  return true;
}
