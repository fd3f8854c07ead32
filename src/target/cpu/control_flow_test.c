/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow, calls, the words of a launch; what has no machine code. */
#include "ir/testing.h"
#include "target/cpu/kernel_testing.h"

static hd_value *add(rig *r, hd_value *x, int64_t value) {
  return hd_build(&r->b, HD_OP_arith_addi, hd_type_index(r->c), x, rig_index(r, value));
}

#define F32 hd_f32(r->c)
#define LOAD(base, at, lanes) rig_load(r, base, rig_index(r, at), lanes)
#define STORE(value, at) rig_store(r, value, out, rig_index(r, at))
/* Loads a 2-D vector from flat memory row by row, through shape_cast. */
/* Control: an if with results in a for with a vector accumulator, a while, a switch. */
static void build_control(rig *r, hd_value *in, hd_value *other, hd_value *out) {
  hd_context *c = r->c;
  hd_type index = hd_type_index(c), v8 = rig_vector(F32, 8);
  hd_value *inits[] = {LOAD(other, 0, 8), LOAD(other, 0, 0)};
  hd_op *loop = hd_build_for(&r->b, rig_index(r, 0), rig_index(r, 4), rig_index(r, 1), inits, 2);
  hd_builder after = r->b;
  hd_block *body = hd_op_region(loop, 0)->first;
  r->b = hd_builder_at_end(r->module, body);
  hd_value *even = rig_build_one(
      r, HD_OP_arith_cmpi, hd_i1(c),
      (hd_value *[]){hd_build(&r->b, HD_OP_arith_remui, index, body->args[0], rig_index(r, 2)), rig_index(r, 0)}, 2,
      HD_NAME_predicate, hd_attr_i64(c, 0));
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
  hd_value *zero = rig_index(r, 0);
  hd_op *loop2 = hd_build_op(&r->b, HD_OP_scf_while, &zero, 1, &index, 1, NULL, 0, 2);
  after = r->b;
  for (uint32_t k = 0; k < 2; ++k) {
    hd_block *block = hd_block_create(r->module);
    hd_value *i = hd_block_add_arg(r->module, block, index);
    hd_region_append(hd_op_region(loop2, k), block);
    r->b = hd_builder_at_end(r->module, block);
    if (k == 0) {
      hd_value *more = rig_build_one(r, HD_OP_arith_cmpi, hd_i1(c), (hd_value *[]){i, r->args[3]}, 2, HD_NAME_predicate,
                                     hd_attr_i64(c, 2));
      hd_build0(&r->b, HD_OP_scf_condition, more, i);
    } else {
      hd_value *next = add(r, i, 2);
      hd_build_yield(&r->b, &next, 1);
    }
  }
  r->b = after;
  rig_store(r, LOAD(in, 5, 0), out, add(r, hd_result(loop2, 0), 5)); /* out[9] */
  /* switch on n: default 0, case 2 and 3 */
  hd_attr_arg cases = {HD_NAME_cases, hd_attr_i64_array(r->c, (int64_t[]){2, 3}, 2)};
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
  hd_value *zero = rig_index(&r, 0);
  hd_op_state br = {.context = c,
                    .opcode = HD_OP_cf_br,
                    .operands = (hd_value *[]){zero, zero},
                    .operand_count = 2,
                    .successors = &head,
                    .successor_count = 1};
  hd_build_state(&r.b, &br);
  r.b = hd_builder_at_end(r.module, head);
  hd_value *next = add(&r, i, 1), *total = hd_build(&r.b, HD_OP_arith_addi, index, sum, i);
  hd_value *more = rig_build_one(&r, HD_OP_arith_cmpi, hd_i1(c), (hd_value *[]){next, r.args[1]}, 2, HD_NAME_predicate,
                                 hd_attr_i64(c, 2));
  hd_op_attr segments = {hd_name_ident(c, HD_NAME_operandSegmentSizes), hd_attr_i32_array(c, (int32_t[]){1, 2, 1}, 3),
                         true};
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
  hd_value *big = rig_build_one(&r, HD_OP_arith_cmpi, hd_i1(c), (hd_value *[]){last, rig_index(&r, 20)}, 2,
                                HD_NAME_predicate, hd_attr_i64(c, 4));
  segments.value = hd_attr_i32_array(c, (int32_t[]){1, 1, 1}, 3);
  hd_op_state both = {.context = c,
                      .opcode = HD_OP_cf_cond_br,
                      .operands = (hd_value *[]){big, last, rig_index(&r, -1)},
                      .operand_count = 3,
                      .attrs = &segments,
                      .attr_count = 1,
                      .successors = (hd_block *[]){join, join},
                      .successor_count = 2};
  hd_build_state(&r.b, &both);
  r.b = hd_builder_at_end(r.module, join);
  hd_value *result = hd_build(&r.b, HD_OP_arith_index_cast, hd_type_integer(c, 64, HD_SIGNLESS), joined);
  rig_store(&r, result, r.args[0], rig_index(&r, 0));
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
  hd_attr_arg name = {HD_NAME_callee, hd_attr_symbol(c, HD_STR("product"), NULL, 0)};
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
  for (int k = 0; k < 6; ++k) rig_store(&r, values[k], r.args[0], rig_index(&r, k));
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
  for (int k = 0; k < 5; ++k) {
    hd_type memref = rig_memref(hd_f32(c)), types[] = {memref};
    rig r = rig_begin(c, types, 1);
    r.b.loc = hd_loc_file(c, HD_STR("model.mlir"), 7, 3);
    const char *message = k < 2    ? cases[k].message
                          : k == 2 ? "lanes; expected"
                          : k == 3 ? "bytes of stack"
                                   : "is for kernels of a CPU with avx512bf16";
    if (k < 2) {
      hd_value *x = rig_load(&r, r.args[0], rig_index(&r, 0), 0), *operands[] = {x, x};
      rig_store(&r, hd_build_one_(&r.b, cases[k].opcode, hd_f32(c), operands, k ? 2 : 1, NULL, 0), r.args[0],
                rig_index(&r, 0));
    } else if (k == 2) {
      rig_store(&r, rig_load(&r, r.args[0], rig_index(&r, 0), 100000), r.args[0], rig_index(&r, 0));
    } else if (k == 4) {
      hd_value *sums = rig_load(&r, r.args[0], rig_index(&r, 0), 4);
      hd_type pairs = hd_type_vector(hd_type_float(c, HD_BF16), (int64_t[]){8}, 1, NULL);
      hd_value *zeros = hd_build_float(&r.b, pairs, 0);
      rig_store(&r, hd_build(&r.b, HD_OP_x86vector_avx512_dot, sums->type, sums, zeros, zeros), r.args[0],
                rig_index(&r, 0));
    } else {
      hd_type tile = hd_type_memref(hd_f32(c), (int64_t[]){1000, 1000}, 2, NULL, NULL);
      hd_attr_arg segments = {HD_NAME_operandSegmentSizes, hd_attr_i32_array(c, (int32_t[]){0, 0}, 2)};
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
  for (int m = 0; m < 2; ++m) {
    test_blocks(c, rig_machines[m]);
    test_calls(c, rig_machines[m]);
    test_words(c, rig_machines[m]);
  }
  rig_test_f32(c, "control", build_control, expect_control, 11);
  test_refusals(c);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
