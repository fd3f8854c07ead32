/* SPDX-License-Identifier: Apache-2.0 */
/* Random kernels: graphs of ops on floats, integers and truth values with branches and loops, compiled as scalars and
 * as vectors for both machines, compact or not. All must give the same bits (any NaN for a NaN). */
#include <math.h>

#include "ir/number.h"
#include "ir/ops/discardable.h"
#include "ir/testing.h"
#include "target/cpu/kernel_testing.h"

enum { N = 64, OPS = 40, OUTPUTS = 4 };

static uint64_t state;
static uint32_t pick(uint32_t below) { return (uint32_t)(hd_test_random(&state) & INT32_MAX) % below; }

typedef struct pool {
  hd_value *values[OPS + 16];
  uint32_t count;
} pool;

static hd_value *any(pool *p) { return p->values[pick(p->count)]; }
static void put(pool *p, hd_value *value) { p->values[p->count++] = value; }

/* Without copysign, which would show the sign of a NaN: that is nobody's promise. */
static const hd_opcode float_binary[] = {HD_OP_arith_addf, HD_OP_arith_subf,     HD_OP_arith_mulf,
                                         HD_OP_arith_divf, HD_OP_arith_maximumf, HD_OP_arith_minimumf};
static const hd_opcode float_unary[] = {HD_OP_arith_negf, HD_OP_math_absf, HD_OP_math_floor, HD_OP_math_sqrt,
                                        HD_OP_math_roundeven};
static const hd_opcode int_binary[] = {HD_OP_arith_addi,  HD_OP_arith_subi, HD_OP_arith_muli,  HD_OP_arith_andi,
                                       HD_OP_arith_ori,   HD_OP_arith_xori, HD_OP_arith_minsi, HD_OP_arith_maxui,
                                       HD_OP_arith_maxsi, HD_OP_arith_minui};
#define ONE_OF(list) list[pick(sizeof list / sizeof *list)]

/* One random op on the values of the pools. */
static void grow(rig *r, pool *floats, pool *ints, pool *bools, int64_t lanes, int depth) {
  hd_context *c = r->c;
  hd_builder *b = &r->b;
  hd_type f = any(floats)->type, i = any(ints)->type, t = rig_vector(hd_i1(c), lanes);
  hd_attr_arg predicate = {HD_NAME_predicate, NULL};
  switch (pick(depth ? 9 : 11)) {
    case 0:
    case 1:
      put(floats, hd_build(b, ONE_OF(float_binary), f, any(floats), any(floats)));
      break;
    case 2:
      put(floats, hd_build(b, ONE_OF(float_unary), f, any(floats)));
      break;
    case 3:
      put(floats, hd_build(b, HD_OP_math_fma, f, any(floats), any(floats), any(floats)));
      break;
    case 4:
      put(ints, hd_build(b, ONE_OF(int_binary), i, any(ints), any(ints)));
      break;
    case 5: {
      static const hd_opcode shifts[] = {HD_OP_arith_shli, HD_OP_arith_shrsi, HD_OP_arith_shrui};
      put(ints, hd_build(b, ONE_OF(shifts), i, any(ints),
                         hd_build(b, HD_OP_arith_andi, i, any(ints), hd_build_int(b, i, 31))));
      break;
    }
    case 6: {
      hd_value *operands[] = {any(floats), any(floats)};
      predicate.value = hd_attr_i64(c, pick(16));
      put(bools, hd_build_one_(b, HD_OP_arith_cmpf, t, operands, 2, &predicate, 1));
      break;
    }
    case 7: {
      hd_value *operands[] = {any(ints), any(ints)};
      predicate.value = hd_attr_i64(c, pick(10));
      put(bools, hd_build_one_(b, HD_OP_arith_cmpi, t, operands, 2, &predicate, 1));
      break;
    }
    case 8:
      if (pick(2))
        put(floats, hd_build(b, HD_OP_arith_select, f, any(bools), any(floats), any(floats)));
      else
        put(floats, hd_build(b, HD_OP_arith_sitofp, f, any(ints)));
      break;
    case 9: { /* a loop of a few turns that carries a float and an integer */
      hd_value *inits[] = {any(floats), any(ints)};
      hd_op *loop = hd_build_for(b, hd_build_index(b, 0), hd_build_index(b, pick(4)), hd_build_index(b, 1), inits, 2);
      hd_builder after = *b;
      hd_block *body = hd_op_region(loop, 0)->first;
      r->b = hd_builder_at_end(r->module, body);
      pool inner[3] = {*floats, *ints, *bools};
      for (uint32_t k = 0; k < 2; ++k)
        inner[k].count = inner[k].count > 8 ? 8 : inner[k].count, inner[k].values[0] = body->args[1 + k];
      inner[2].count = inner[2].count > 8 ? 8 : inner[2].count;
      for (int k = 0; k < 5; ++k) grow(r, &inner[0], &inner[1], &inner[2], lanes, depth + 1);
      hd_build_yield(&r->b, (hd_value *[]){inner[0].values[inner[0].count - 1], inner[1].values[inner[1].count - 1]},
                     2);
      r->b = after;
      put(floats, hd_result(loop, 0));
      put(ints, hd_result(loop, 1));
      break;
    }
    default: { /* a branch on a scalar */
      hd_value *operands[] = {r->args[r->arg_count - 3], hd_build_index(b, pick(8))};
      predicate.value = hd_attr_i64(c, 2);
      hd_op *branch = hd_build_if(b, hd_build_one_(b, HD_OP_arith_cmpi, hd_i1(c), operands, 2, &predicate, 1),
                                  (hd_type[]){f}, 1, true);
      hd_builder after = *b;
      for (uint32_t k = 0; k < 2; ++k) {
        r->b = hd_builder_at_end(r->module, hd_op_region(branch, k)->first);
        pool inner[3] = {*floats, *ints, *bools};
        for (int q = 0; q < 3; ++q) inner[q].count = inner[q].count > 8 ? 8 : inner[q].count;
        for (int q = 0; q < 4; ++q) grow(r, &inner[0], &inner[1], &inner[2], lanes, depth + 1);
        hd_build_yield(&r->b, &inner[0].values[inner[0].count - 1], 1);
      }
      r->b = after;
      put(floats, hd_result(branch, 0));
    }
  }
}

/* The kernel of |seed| with |lanes| lanes, run over the inputs; false when it could not be run here. */
static bool run(hd_context *c, uint64_t seed, int64_t lanes, const char *machine, bool compact, const float *floats_in,
                const int32_t *ints_in, float *floats_out, int32_t *ints_out) {
  hd_type f = rig_memref(hd_f32(c)), i = rig_memref(hd_i32(c)), types[] = {f, i, f, i, hd_type_index(c)};
  rig r = rig_begin(c, types, 5);
  hd_discardable_set_compact(r.func, compact);
  hd_value *at = rig_loop(&r, lanes ? lanes : 1);
  pool floats = {0}, ints = {0}, bools = {0};
  for (int k = 0; k < 3; ++k) {
    hd_value *shifted = hd_build(&r.b, HD_OP_arith_addi, hd_type_index(c), at, hd_build_index(&r.b, k * N));
    put(&floats, rig_load(&r, r.args[0], shifted, lanes));
    put(&ints, rig_load(&r, r.args[1], shifted, lanes));
  }
  put(&floats, hd_build_float(&r.b, rig_vector(hd_f32(c), lanes), -1.5));
  put(&ints, hd_build_int(&r.b, rig_vector(hd_i32(c), lanes), -7));
  hd_attr_arg less = {HD_NAME_predicate, hd_attr_i64(c, 4)};
  put(&bools, hd_build_one_(&r.b, HD_OP_arith_cmpf, rig_vector(hd_i1(c), lanes), floats.values, 2, &less, 1));
  state = seed * 77777 + 5;
  for (int k = 0; k < OPS && floats.count < OPS && ints.count < OPS; ++k) grow(&r, &floats, &ints, &bools, lanes, 0);
  for (uint32_t k = 0; k < OUTPUTS; ++k) {
    hd_value *shifted = hd_build(&r.b, HD_OP_arith_addi, hd_type_index(c), at, hd_build_index(&r.b, k * N));
    rig_store(&r, floats.values[floats.count - 1 - k], r.args[2], shifted);
    rig_store(&r, ints.values[ints.count - 1 - (k < ints.count ? k : 0)], r.args[3], shifted);
  }
  compiled k;
  bool ran = rig_compile(&r, machine, &k) && k.fn;
  if (ran) {
    uint64_t words[] = {WORD(floats_in), WORD(ints_in), WORD(floats_out), WORD(ints_out), 4};
    k.fn(words, 0, N);
  }
  compiled_free(&k);
  hd_module_free(r.module);
  return ran;
}

static hd_status all(void *user) {
  hd_context *c = user;
  static float in[3 * N], out[2][OUTPUTS * N];
  static int32_t ints[3 * N], ints_out[2][OUTPUTS * N];
  static const float edges[] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 1e-40f, 3e38f, 0.5f};
  for (int k = 0; k < 3 * N; ++k) {
    state = (uint64_t)k + 1;
    pick(2);
    in[k] = k % 7 < 2 ? edges[pick(10)] : ((float)pick(20001) - 10000) / 256;
    ints[k] = k % 5 ? (int32_t)pick(2000) - 1000 : (int32_t)(pick(0x7fffffff) * 2u);
  }
  static const struct {
    int64_t lanes;
    const char *machine;
    bool compact;
  } forms[] = {{8, "x86-64-v3", false}, {16, "x86-64-v3", false}, {0, "x86-64-v4", false}, {16, "x86-64-v4", false},
               {0, "x86-64-v3", true},  {16, "x86-64-v3", true},  {0, "x86-64-v4", true},  {16, "x86-64-v4", true}};
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    if (!run(c, seed, 0, "x86-64-v3", false, in, ints, out[0], ints_out[0])) continue;
    for (size_t form = 0; form < sizeof forms / sizeof *forms; ++form) {
      if (!run(c, seed, forms[form].lanes, forms[form].machine, forms[form].compact, in, ints, out[1], ints_out[1]))
        continue;
      int wrong = 0;
      for (int k = 0; k < OUTPUTS * N; ++k)
        wrong += (memcmp(&out[0][k], &out[1][k], 4) != 0 && !(isnan(out[0][k]) && isnan(out[1][k]))) ||
                 ints_out[0][k] != ints_out[1][k];
      if (!HD_CHECK_INT(wrong, 0))
        fprintf(stderr, "seed %d, %s x %d%s\n", (int)seed, forms[form].machine, (int)forms[form].lanes,
                forms[form].compact ? ", compact" : "");
    }
  }
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
