/* SPDX-License-Identifier: Apache-2.0 */
/* disc-fast-division: kernels multiply where they would divide by what the host knows.
 *
 *   gpu.launch ... {                              %shift = 64 - ctlz(%d - 1)        the least with %d <= 2^shift
 *     %q = arith.divui %x, %d : index             %magic = ceil(2^(31 + shift) / %d)
 *     %r = arith.remui %x, %d : index       ->    gpu.launch ... {
 *   } {hd.index_bits = 32}                          %_, %h = arith.mului_extended %x * 2, %magic : i32
 *                                                   %q = arith.shrui %h, %shift
 *                                                   %r = %x - %q * %d
 *
 * Devices have no instruction that divides: 32 bits take some twenty instructions, a product and a shift two.
 *
 * Right for every %d from 1 to 2^31 and every %x below 2^31, which is what hd.index_bits promises of operands: with
 * e = magic * d - 2^(31 + shift), 0 <= e < d <= 2^shift, and so x * magic / 2^(31 + shift) = x / d + x * e / (d *
 * 2^(31 + shift)), whose last term is below x / 2^31 / d < 1 / d: too small to reach the next whole number. The magic
 * number is below 2^32, since d > 2^(shift - 1). A divisor of 0 is where nothing divides in this run.
 *
 * Divisors are indices from outside of the launch; those known to the compiler are the code generator's. */
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "passes/passes.h"

typedef struct magic {
  hd_value *number, *shift; /* i32, of the host */
} magic;

typedef struct divider {
  hd_pass *pass;
  hd_op *launch;
  hd_map magics; /* divisor -> magic */
} divider;

static hd_value *of_i64(hd_builder *b, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build(b, opcode, x->type, x, y);
}

static magic *magic_of(divider *ctx, hd_value *divisor) {
  magic *known = hd_map_get(&ctx->magics, divisor);
  if (known) return known;
  hd_builder b = hd_builder_before(ctx->launch);
  b.loc = ctx->launch->loc;
  hd_type i64 = hd_i64(b.context), i32 = hd_type_integer(b.context, 32, HD_SIGNLESS);
  hd_value *one = hd_build_int(&b, i64, 1);
  hd_value *d = of_i64(&b, HD_OP_arith_maxui, hd_build(&b, HD_OP_arith_index_cast, i64, divisor), one);
  hd_value *below = of_i64(&b, HD_OP_arith_subi, d, one);
  hd_value *shift = of_i64(&b, HD_OP_arith_subi, hd_build_int(&b, i64, 64), hd_build(&b, HD_OP_math_ctlz, i64, below));
  hd_value *power = of_i64(&b, HD_OP_arith_shli, one, of_i64(&b, HD_OP_arith_addi, shift, hd_build_int(&b, i64, 31)));
  hd_value *number = of_i64(&b, HD_OP_arith_ceildivui, power, d);
  known = hd_new(&ctx->pass->arena, magic);
  known->number = hd_build(&b, HD_OP_arith_trunci, i32, number);
  known->shift = hd_build(&b, HD_OP_arith_trunci, i32, shift);
  hd_map_set(&ctx->pass->arena, &ctx->magics, divisor, known);
  return known;
}

static bool is_of_host(divider *ctx, hd_value *value) {
  hd_op *owner = value->is_block_arg ? hd_block_parent_op(value->owner.block) : hd_value_op(value);
  return !hd_value_constant(value) && (!owner || !hd_op_is_ancestor(ctx->launch, owner));
}

static hd_value *quotient(divider *ctx, hd_builder *b, hd_value *x, hd_value *divisor) {
  magic *m = magic_of(ctx, divisor);
  hd_type i32 = m->number->type, index = hd_type_index(b->context), words[2] = {i32, i32};
  hd_value *twice =
      hd_build_binary(b, HD_OP_arith_shli, hd_build(b, HD_OP_arith_index_cast, i32, x), hd_build_int(b, i32, 1));
  hd_op *product =
      hd_build_op(b, HD_OP_arith_mului_extended, (hd_value *[]){twice, m->number}, 2, words, 2, NULL, 0, 0);
  return hd_build(b, HD_OP_arith_index_castui, index,
                  hd_build_binary(b, HD_OP_arith_shrui, hd_result(product, 1), m->shift));
}

static bool divide(hd_op *op, void *user) {
  divider *ctx = user;
  bool rest = hd_op_is(op, HD_OP_arith_remui);
  if ((!rest && !hd_op_is(op, HD_OP_arith_divui)) || hd_result_type(op, 0)->kind != HD_TYPE_INDEX) return true;
  hd_value *x = hd_operand(op, 0), *divisor = hd_operand(op, 1);
  if (!is_of_host(ctx, divisor)) return true;
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_value *value = quotient(ctx, &b, x, divisor);
  if (rest) value = hd_build_binary(&b, HD_OP_arith_subi, x, hd_build_binary(&b, HD_OP_arith_muli, value, divisor));
  hd_op_replace(op, &value);
  ctx->pass->changed = true;
  return true;
}

static bool is_narrow_launch(const hd_op *op) {
  return hd_op_is(op, HD_OP_gpu_launch) && hd_discardable_index_bits(op) == 32;
}

bool hd_pass_fast_division(hd_pass *pass, hd_op *func) {
  hd_op_list launches = hd_ops_where(func, is_narrow_launch, &pass->arena);
  for (size_t i = 0; i < launches.len; ++i) {
    divider ctx = {.pass = pass, .launch = launches.data[i]};
    hd_walk_post(ctx.launch, divide, &ctx);
  }
  return true;
}
