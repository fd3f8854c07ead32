/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges against enumeration: random functions of an i8 with branches and loops run for all 256 arguments, and no value
 * of the run is outside of its range, where it is made or where it is used. The interpreter is the test's own. */
#include "analysis/integer_ranges.h"

#include "ir/ops/arith.h"
#include "ir/testing.h"
#include "ir/testing_integers.h"

enum { PROGRAMS = 2000, MAX_VALUES = 400, STEPS = 5000 };

static hd_arena arena;
static uint64_t seed = 20;

static uint32_t below(uint32_t n) { return (uint32_t)(hd_test_random(&seed) % n); }

/* ---- random functions ---- */

typedef struct scope {
  hd_value *numbers[MAX_VALUES]; /* i8 */
  uint32_t count, made;
} scope;

static void add(scope *s, hd_value *value) {
  if (s->count < MAX_VALUES) s->numbers[s->count++] = value;
}
static hd_value *any(const scope *s) { return s->numbers[below(3) ? below(s->count) : s->count - 1]; }

static hd_value *condition(hd_builder *b, const scope *s) {
  hd_value *first = hd_arith_cmpi(b, (hd_enum_arith_cmpi_predicate)below(10), any(s), any(s));
  if (below(2)) return first;
  hd_value *second = hd_arith_cmpi(b, (hd_enum_arith_cmpi_predicate)below(10), any(s), any(s));
  return hd_build(b, below(2) ? HD_OP_arith_andi : HD_OP_arith_ori, first->type, first, second);
}

static void fill(hd_builder *b, scope *s, int depth);

static void branch(hd_builder *b, scope *s, int depth) {
  hd_type i8 = s->numbers[0]->type;
  hd_op *op = hd_build_if(b, condition(b, s), &i8, 1, true);
  for (uint32_t r = 0; r < 2; ++r) {
    scope inner = *s;
    hd_builder in = hd_builder_at_end(b->module, hd_op_region(op, r)->first);
    fill(&in, &inner, depth + 1);
    hd_value *value = any(&inner);
    hd_build_yield(&in, &value, 1);
  }
  add(s, hd_result(op, 0));
}

static void loop(hd_builder *b, scope *s, int depth) {
  hd_value *inits[] = {any(s), any(s)};
  hd_op *op = hd_build_for(b, hd_build_index(b, below(3)), hd_build_index(b, below(6)), hd_build_index(b, 1 + below(2)),
                           inits, 2);
  scope inner = *s;
  hd_block *body = hd_op_region(op, 0)->first;
  hd_builder in = hd_builder_at_end(b->module, body);
  add(&inner, hd_build(&in, HD_OP_arith_index_cast, inits[0]->type, body->args[0]));
  add(&inner, body->args[1]);
  add(&inner, body->args[2]);
  fill(&in, &inner, depth + 1);
  hd_value *next[] = {any(&inner), below(2) ? body->args[2] : any(&inner)};
  hd_build_yield(&in, next, 2);
  add(s, hd_result(op, 0));
  add(s, hd_result(op, 1));
}

static void fill(hd_builder *b, scope *s, int depth) {
  static const hd_opcode ops[] = {
#define ROW(op, second, value) HD_OP_##op,
      HD_TEST_BINARY_INTEGERS(ROW)
#undef ROW
  };
  hd_type i8 = s->numbers[0]->type;
  for (uint32_t i = 2 + below(5); i-- > 0;) {
    uint32_t what = below(12);
    if (what < 2)
      add(s, hd_build_int(b, i8, below(3) ? (int64_t)below(17) - 3 : (int8_t)below(256)));
    else if (what == 2 && depth < 3)
      branch(b, s, depth);
    else if (what == 3 && depth < 3)
      loop(b, s, depth);
    else if (what == 4)
      add(s, hd_build(b, HD_OP_arith_select, i8, condition(b, s), any(s), any(s)));
    else
      add(s, hd_build(b, ops[below(sizeof ops / sizeof *ops)], i8, any(s), any(s)));
  }
}

/* ---- running them ---- */

typedef struct run {
  hd_map values; /* hd_value -> int64_t */
  hd_integer_ranges *ranges;
  uint32_t steps;
  bool undefined, outside;
} run;

static int64_t at(run *r, hd_value *value) { return hd_map_find(&r->values, value)->value.i64; }

static void check(run *r, hd_value *value, int64_t x, hd_integer_range range) {
  if (x >= range.lower && x <= range.upper) return;
  if (!r->outside)
    fprintf(stderr, "%s: %lld outside of [%lld, %lld]\n",
            value->is_block_arg ? "block argument" : hd_value_op(value)->info->name, (long long)x,
            (long long)range.lower, (long long)range.upper);
  r->outside = true;
}

static void set(run *r, hd_value *value, int64_t x) {
  hd_map_insert(&arena, &r->values, value, NULL)->value.i64 = x;
  check(r, value, x, hd_integer_range_of(r->ranges, value));
}

/* |op| on i8; |*undefined| where it has no meaning. */
static int64_t compute(hd_opcode op, int64_t a, int64_t b, bool *undefined) {
  uint64_t ua = (uint8_t)a, ub = (uint8_t)b;
  *undefined = false;
  switch (op) {
#define ROW(op, second, value)                                                                            \
  case HD_OP_##op:                                                                                        \
    *undefined = second == 'd' ? b == 0 || (a == -128 && b == -1) : second == 's' ? ub >= 8 : *undefined; \
    return *undefined ? 0 : (int64_t)(value);
    HD_TEST_BINARY_INTEGERS(ROW)
#undef ROW
    default:
      return 0;
  }
}

static bool compare(hd_enum_arith_cmpi_predicate predicate, int64_t a, int64_t b) {
  bool is_unsigned = predicate >= HD_ARITH_CMPI_ULT;
  int64_t x = is_unsigned ? (uint8_t)a : a, y = is_unsigned ? (uint8_t)b : b;
  switch (predicate) {
    case HD_ARITH_CMPI_EQ:
      return x == y;
    case HD_ARITH_CMPI_NE:
      return x != y;
    case HD_ARITH_CMPI_SLT:
    case HD_ARITH_CMPI_ULT:
      return x < y;
    case HD_ARITH_CMPI_SLE:
    case HD_ARITH_CMPI_ULE:
      return x <= y;
    case HD_ARITH_CMPI_SGT:
    case HD_ARITH_CMPI_UGT:
      return x > y;
    default:
      return x >= y;
  }
}

static void step(run *r, hd_op *op);

static void block(run *r, hd_block *body) {
  hd_for_each_op(op, body)
    if (!r->undefined) step(r, op);
}

static void copy(run *r, hd_op *yield, uint32_t count, int64_t *out) {
  for (uint32_t i = 0; i < count && !r->undefined; ++i) out[i] = at(r, hd_operand(yield, i));
}

static void step(run *r, hd_op *op) {
  int64_t number, carried[2];
  if (++r->steps > STEPS) r->undefined = true;
  for (uint32_t i = 0; i < op->operand_count && !r->undefined; ++i)
    check(r, hd_operand(op, i), at(r, hd_operand(op, i)), hd_integer_range_at(r->ranges, hd_operand(op, i), op));
  if (r->undefined || hd_op_is(op, HD_OP_scf_yield) || hd_op_is(op, HD_OP_func_return)) return;
  if (op->result_count && hd_value_constant_int(hd_result(op, 0), &number)) {
    set(r, hd_result(op, 0), number);
  } else if (hd_op_is(op, HD_OP_scf_if)) {
    hd_block *taken = hd_op_region(op, !at(r, hd_operand(op, 0)))->first;
    block(r, taken);
    copy(r, taken->last, 1, carried);
    if (!r->undefined) set(r, hd_result(op, 0), carried[0]);
  } else if (hd_op_is(op, HD_OP_scf_for)) {
    hd_block *body = hd_op_region(op, 0)->first;
    for (uint32_t k = 0; k < 2; ++k) carried[k] = at(r, hd_operand(op, 3 + k));
    for (int64_t i = at(r, hd_operand(op, 0)); i < at(r, hd_operand(op, 1)) && !r->undefined;
         i += at(r, hd_operand(op, 2))) {
      set(r, body->args[0], i);
      for (uint32_t k = 0; k < 2; ++k) set(r, body->args[1 + k], carried[k]);
      block(r, body);
      copy(r, body->last, 2, carried);
    }
    for (uint32_t k = 0; k < 2 && !r->undefined; ++k) set(r, hd_result(op, k), carried[k]);
  } else if (hd_op_is(op, HD_OP_arith_index_cast)) {
    set(r, hd_result(op, 0), (int8_t)at(r, hd_operand(op, 0)));
  } else if (hd_op_is(op, HD_OP_arith_select)) {
    set(r, hd_result(op, 0), at(r, hd_operand(op, at(r, hd_operand(op, 0)) ? 1 : 2)));
  } else if (hd_op_is(op, HD_OP_arith_cmpi)) {
    bool holds = compare(hd_arith_cmpi_predicate(op), at(r, hd_operand(op, 0)), at(r, hd_operand(op, 1))), always;
    if (hd_integer_range_decides(r->ranges, op, &always) && always != holds) r->outside = true;
    set(r, hd_result(op, 0), holds);
  } else {
    int64_t x = compute(hd_opcode_get(op), at(r, hd_operand(op, 0)), at(r, hd_operand(op, 1)), &r->undefined);
    bool is_bool = hd_type_is_integer(hd_result_type(op, 0), 1);
    if (!r->undefined) set(r, hd_result(op, 0), is_bool ? x & 1 : (int8_t)x);
  }
}

static bool narrower(hd_integer_ranges *ranges, hd_block *body) {
  hd_for_each_op(op, body)
    for (uint32_t i = 0; i < op->result_count; ++i) {
      int64_t number;
      hd_value *value = hd_result(op, i);
      if (!hd_type_is_integer(value->type, 8) || hd_value_constant_int(value, &number)) continue;
      hd_integer_range x = hd_integer_range_of(ranges, value);
      if (x.lower > -128 || x.upper < 127) return true;
    }
  return false;
}

static void test_random(hd_context *c) {
  hd_type i8 = hd_type_integer(c, 8, HD_SIGNLESS);
  uint32_t ran = 0, told = 0;
  for (uint32_t program = 0; program < PROGRAMS; ++program) {
    hd_arena_init(&arena, NULL);
    hd_module *module = hd_module_create(c, NULL);
    hd_builder top = hd_builder_at_end(module, hd_module_body(module));
    hd_op *func = hd_build_func(&top, HD_STR("f"), hd_type_function(c, &i8, 1, NULL, 0), false);
    hd_block *body = hd_op_region(func, 0)->first;
    hd_builder b = hd_builder_at_end(module, body);
    scope s = {.numbers = {body->args[0]}, .count = 1};
    fill(&b, &s, 0);
    hd_integer_ranges ranges = {.arena = &arena};
    told += narrower(&ranges, body);
    for (int x = -128; x < 128; ++x) {
      run r = {.ranges = &ranges};
      set(&r, body->args[0], x);
      block(&r, body);
      ran += !r.undefined;
      if (!HD_CHECK(!r.outside)) {
        fprintf(stderr, "program %u, argument %d\n", program, x);
        break;
      }
    }
    hd_module_free(module);
    hd_arena_free(&arena);
  }
  HD_CHECK(ran > 20 * PROGRAMS);  /* of 256 runs each: most divide by zero or shift too far somewhere */
  HD_CHECK(told > PROGRAMS / 10); /* the ranges are not simply those of the type */
}

/* Loops in loops that carry many numbers each: all are found at once. One after the other would never end. */
static void test_many_carried(hd_context *c) {
  enum { LOOPS = 3, NUMBERS = 64 };
  hd_arena_init(&arena, NULL);
  hd_module *module = hd_module_create(c, NULL);
  hd_builder top = hd_builder_at_end(module, hd_module_body(module));
  hd_op *func = hd_build_func(&top, HD_STR("f"), hd_type_function(c, NULL, 0, NULL, 0), false);
  hd_builder b[LOOPS + 1] = {hd_builder_at_end(module, hd_op_region(func, 0)->first)};
  hd_value *numbers[NUMBERS], *step = hd_build_index(&b[0], 1), *end = hd_build_index(&b[0], 4), *results[NUMBERS];
  hd_op *loops[LOOPS];
  for (int i = 0; i < NUMBERS; ++i) numbers[i] = hd_build_index(&b[0], i);
  for (int l = 0; l < LOOPS; ++l) {
    loops[l] = hd_build_for(&b[l], hd_build_index(&b[0], 0), end, step, numbers, NUMBERS);
    hd_block *body = hd_op_region(loops[l], 0)->first;
    for (int i = 0; i < NUMBERS; ++i) numbers[i] = body->args[1 + i];
    b[l + 1] = hd_builder_at_end(module, body);
  }
  for (int i = 0; i < NUMBERS; ++i) results[i] = hd_build_binary(&b[LOOPS], HD_OP_arith_minsi, numbers[0], numbers[i]);
  for (int l = LOOPS; l-- > 0;) {
    hd_build_yield(&b[l + 1], results, NUMBERS);
    for (int i = 0; i < NUMBERS; ++i) results[i] = hd_result(loops[l], (uint32_t)i);
  }
  hd_integer_ranges ranges = {.arena = &arena};
  for (int i = 0; i < NUMBERS; ++i) {
    hd_integer_range r = hd_integer_range_of(&ranges, results[i]);
    HD_CHECK(r.lower == 0 && r.upper == i);
  }
  hd_module_free(module);
  hd_arena_free(&arena);
}

static hd_status all(void *context) {
  test_random(context);
  test_many_carried(context);
  return HD_STATUS_OK;
}

int main(void) { return hd_test_in_context(all); }
