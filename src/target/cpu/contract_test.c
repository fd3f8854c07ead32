/* SPDX-License-Identifier: Apache-2.0 */
/* Products that sums may take are rounded with them, once: as scalars and vectors, for AVX2 and AVX-512, with and
 * without the code generator's optimisation. A product is also taken by way of its negation, which is exact. One that
 * something else reads too, by itself or negated, is not. One that is the same in each turn of a loop is taken like
 * others. */
#include "ir/testing.h"
#include "target/cpu/kernel_testing.h"

typedef struct form {
  const char *name;
  hd_opcode opcode;                          /* of the sum */
  bool left, negates, keeps, forbids, fuses; /* z first; -(x * y) for x * y; it is stored too; no flag */
  bool invariant;                            /* x is loaded before the loop */
} form;

static const form forms[] = {
    {"x * y + z", HD_OP_arith_addf, .fuses = true},
    {"z + x * y", HD_OP_arith_addf, .left = true, .fuses = true},
    {"x * y - z", HD_OP_arith_subf, .fuses = true},
    {"z - x * y", HD_OP_arith_subf, .left = true, .fuses = true},
    {"-(x * y) + z", HD_OP_arith_addf, .negates = true, .fuses = true},
    {"z + -(x * y)", HD_OP_arith_addf, .left = true, .negates = true, .fuses = true},
    {"-(x * y) - z", HD_OP_arith_subf, .negates = true, .fuses = true},
    {"z - -(x * y)", HD_OP_arith_subf, .left = true, .negates = true, .fuses = true},
    {"x * y + z, x * y", HD_OP_arith_addf, .keeps = true},
    {"z - x * y, x * y", HD_OP_arith_subf, .left = true, .keeps = true},
    {"-(x * y) - z, -(x * y)", HD_OP_arith_subf, .negates = true, .keeps = true},
    {"z + -(x * y), -(x * y)", HD_OP_arith_addf, .left = true, .negates = true, .keeps = true},
    {"x * y + z, x * y invariant", HD_OP_arith_addf, .invariant = true, .fuses = true},
    {"x * y + z without the flag", HD_OP_arith_addf, .forbids = true},
    {"-(x * y) - z without the flag", HD_OP_arith_subf, .negates = true, .forbids = true},
};

static hd_value *binary(rig *r, const form *f, hd_opcode opcode, hd_value *x, hd_value *y) {
  hd_attr_arg contract = {HD_NAME_fastmath, hd_attr_enum(r->c, HD_ENUM_arith_fastmath, 32)};
  return hd_build_one_(&r->b, opcode, x->type, (hd_value *[]){x, y}, 2, &contract, !f->forbids);
}

static void build(rig *r, const form *f, int64_t lanes) {
  hd_value *before = f->invariant ? rig_load(r, r->args[0], hd_build_index(&r->b, 0), lanes) : NULL;
  hd_value *at = rig_loop(r, lanes ? lanes : 1);
  hd_value *x = before ? before : rig_load(r, r->args[0], at, lanes), *z = rig_load(r, r->args[1], at, lanes);
  hd_value *product = binary(r, f, HD_OP_arith_mulf, x, x);
  if (f->negates) product = hd_build(&r->b, HD_OP_arith_negf, product->type, product);
  rig_store(r, binary(r, f, f->opcode, f->left ? z : product, f->left ? product : z), r->args[2], at);
  if (f->keeps) rig_store(r, product, r->args[3], at);
}

static float expected(const form *f, float x, float z) {
  volatile float product = x * x; /* rounded */
  bool subtracts = f->opcode == HD_OP_arith_subf;
  float product_sign = f->negates != (subtracts && f->left) ? -1 : 1, z_sign = subtracts && !f->left ? -1 : 1;
  return f->fuses ? fmaf(product_sign * x, x, z_sign * z) : product_sign * product + z_sign * z;
}

static void test_form(hd_context *c, const form *f, int64_t lanes, const char *machine, bool compact) {
  hd_type memref = rig_memref(hd_f32(c)), types[] = {memref, memref, memref, memref};
  rig r = rig_begin(c, types, 4);
  hd_discardable_set_compact(r.func, compact);
  build(&r, f, lanes);
  compiled k;
  if (rig_compile(&r, machine, &k) && k.fn) {
    float in[64], other[64], out[64], product[64];
    for (int i = 0; i < 64; ++i) in[i] = 1 + (float)(i + 1) * 0x1p-12f, other[i] = -in[i] * in[i] * (i % 2 ? 1 : -1);
    uint64_t words[] = {WORD(in), WORD(other), WORD(out), WORD(product)};
    k.fn(words, 0, 64);
    for (int i = 0; i < 64; ++i) {
      int x = !f->invariant ? i : lanes ? i % (int)lanes : 0;
      volatile float want = expected(f, in[x], other[i]);
      if (out[i] != want)
        hd_test_check_(false, __FILE__, __LINE__, "%s%s %s, %d lanes: %a and %a give %a, expected %a", machine,
                       compact ? " compact" : "", f->name, (int)lanes, in[x], other[i], out[i], want);
      else
        HD_CHECK(true);
    }
  }
  compiled_free(&k);
  hd_module_free(r.module);
}

static hd_status all(void *user) {
  for (int m = 0; m < 2; ++m)
    for (size_t f = 0; f < sizeof forms / sizeof *forms; ++f)
      for (int64_t lanes = 0; lanes <= 16; lanes += 16)
        for (int compact = 0; compact < 2; ++compact) test_form(user, &forms[f], lanes, rig_machines[m], compact);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
