/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/gpu/index_width.h"

#include "base/map.h"
#include "base/vec.h"
#include "ir/integer_op.h"
#include "ir/ops/arith.h"

enum { MAX_DEPTH = 200, MAX_UPPER = INT32_MAX, MAX_BYTES = INT32_MAX - 1 /* an i32 holds what is above a size */ };

/* What a value is between; |upper| is of the host, null: unknown. */
typedef struct bound {
  int64_t lower;
  hd_value *upper;
} bound;

typedef struct asker {
  hd_builder *host;
  hd_op *loop;
  hd_value *threads;
  hd_arena *arena;
  hd_map bounds;  /* hd_value -> bound* */
  hd_map needed;  /* values that must be right themselves */
  hd_map checked; /* comparisons that are in the condition */
  hd_map buffers;
  hd_vec(hd_value *) work;
  hd_value *condition; /* null: true */
  uint32_t depth;
  bool never;
} asker;

/* ---- arithmetic of the host, done here where it is of constants ---- */

static hd_value *index_of(asker *a, int64_t value) { return hd_build_index(a->host, value); }

static hd_value *compute(asker *a, hd_opcode opcode, hd_value *x, hd_value *y) {
  return hd_build_folded(a->host, opcode, x, y);
}

/* Adds |value| <= |most| to the condition, without signs: what wrapped is beyond. */
static void require_at_most(asker *a, hd_value *value, int64_t most) {
  int64_t known;
  bool is_new;
  if (hd_value_constant_int(value, &known)) {
    a->never |= known < 0 || known > most;
    return;
  }
  const struct {
    hd_value *value;
    int64_t most;
  } key = {value, most};
  hd_map_insert_bytes(a->arena, &a->checked, &key, sizeof key, &is_new);
  if (!is_new) return;
  hd_value *holds = hd_arith_cmpi(a->host, HD_ARITH_CMPI_ULE, value, index_of(a, most));
  a->condition = a->condition ? hd_build_binary(a->host, HD_OP_arith_andi, a->condition, holds) : holds;
}

/* ---- bounds ---- */

static bool is_outside(asker *a, hd_value *value) {
  hd_op *owner = value->is_block_arg ? hd_block_parent_op(value->owner.block) : hd_value_op(value);
  return !owner || !hd_op_is_ancestor(a->loop, owner);
}

static bound bound_of(asker *a, hd_value *value);
static void need(asker *a, hd_value *value);

static bound unknown(void) { return (bound){INT64_MIN, NULL}; }

/* A number of at least |lower|, at most |upper|, a constant of the compiler. */
static bound between(asker *a, int64_t lower, int64_t upper) {
  /* Upper bounds are compared without signs; below 0 there is 0. */
  return (bound){lower, index_of(a, upper < 0 ? 0 : upper)};
}

/* A number of the host, which the condition holds within [0, 2^31). */
static bound of_host(asker *a, hd_value *value) {
  if (value->type->kind != HD_TYPE_INDEX) {
    if (value->type->kind != HD_TYPE_INTEGER || value->type->integer.width == 1) return unknown();
    value = hd_build(a->host, HD_OP_arith_index_cast, hd_type_index(a->host->context), value);
  }
  require_at_most(a, value, MAX_UPPER);
  return (bound){0, value};
}

static bool is_natural(bound x) { return x.lower >= 0; }

static bound add(asker *a, bound x, bound y, hd_op *op) {
  (void)op;
  int64_t lower;
  if (!x.upper || !y.upper || __builtin_add_overflow(x.lower, y.lower, &lower)) return unknown();
  return (bound){lower, compute(a, HD_OP_arith_addi, x.upper, y.upper)};
}

/* Is |y| what a division of |x| leaves? */
static bool is_rest_of(hd_value *y, hd_value *x) {
  hd_op *op = hd_value_op(y);
  return hd_op_is(op, HD_OP_arith_remui) && hd_operand(op, 0) == x;
}

/* |y| is at most 2^31 - 1 where the difference matters. */
static bound subtract(asker *a, bound x, bound y, hd_op *op) {
  int64_t most = INT32_MAX, lower;
  if (!x.upper || !y.upper) return unknown();
  if (hd_value_constant_int(hd_operand(op, 1), &most))
    return __builtin_sub_overflow(x.lower, most, &lower)
               ? unknown()
               : (bound){lower, most < 0 ? compute(a, HD_OP_arith_addi, x.upper, index_of(a, -most)) : x.upper};
  if (!is_natural(y)) return unknown();
  if (is_natural(x) && is_rest_of(hd_operand(op, 1), hd_operand(op, 0))) return (bound){0, x.upper};
  hd_value_constant_int(y.upper, &most);
  return __builtin_sub_overflow(x.lower, most, &lower) ? unknown() : (bound){lower, x.upper};
}

static bound multiply(asker *a, bound x, bound y, hd_op *op) {
  hd_value *factor = hd_operand(op, 1);
  int64_t known = 0, lower;
  if (!x.upper || !y.upper || (!is_natural(x) && !(hd_value_constant_int(factor, &known) && known >= 0)) ||
      !is_natural(y) || __builtin_mul_overflow(x.lower, is_natural(x) ? y.lower : known, &lower))
    return unknown();
  return (bound){lower, compute(a, HD_OP_arith_muli, x.upper, y.upper)};
}

/* Quotients, rounded in any way, of numbers of at least 0 by at least 1. */
static bound divide(asker *a, bound x, bound y, hd_op *op) {
  hd_value *divisor = hd_operand(op, 1);
  int64_t known;
  if (!x.upper || !y.upper || !is_natural(y)) return unknown();
  bool constant = hd_value_constant_int(divisor, &known) && known > 0;
  if (!is_natural(x)) return constant ? (bound){x.lower / known - 1, x.upper} : unknown();
  if (hd_integer_op_of(op).kind == HD_INTEGER_CEILDIV) return (bound){0, x.upper};
  hd_value *by = constant                 ? index_of(a, known)
                 : is_outside(a, divisor) ? compute(a, HD_OP_arith_maxui, y.upper, index_of(a, 1))
                                          : index_of(a, 1);
  return (bound){0, compute(a, HD_OP_arith_divui, x.upper, by)};
}

static bound remainder_of(asker *a, bound x, bound y, hd_op *op) {
  (void)op;
  if (!y.upper || !is_natural(y)) return unknown();
  hd_value *upper = x.upper && is_natural(x) ? compute(a, HD_OP_arith_minui, x.upper, y.upper) : y.upper;
  return (bound){is_natural(x) ? 0 : -(int64_t)INT32_MAX, upper};
}

static bound either(asker *a, bound x, bound y) {
  if (!x.upper || !y.upper) return unknown();
  return (bound){x.lower < y.lower ? x.lower : y.lower, compute(a, HD_OP_arith_maxui, x.upper, y.upper)};
}

static bool misreads(bound x, bound y, hd_op *op) {
  return hd_integer_op_of(op).is_unsigned && !(is_natural(x) && is_natural(y));
}

static bound smaller(asker *a, bound x, bound y, hd_op *op) {
  if (misreads(x, y, op)) return unknown();
  int64_t lower = x.lower < y.lower ? x.lower : y.lower;
  if (!x.upper || !y.upper) return (bound){lower, x.upper ? x.upper : y.upper};
  return (bound){lower, compute(a, HD_OP_arith_minui, x.upper, y.upper)};
}

static bound larger(asker *a, bound x, bound y, hd_op *op) {
  if (misreads(x, y, op)) return unknown();
  int64_t lower = x.lower > y.lower ? x.lower : y.lower;
  if (!x.upper || !y.upper) return (bound){lower, NULL};
  return (bound){lower, compute(a, HD_OP_arith_maxui, x.upper, y.upper)};
}

static bound common_bits(asker *a, bound x, bound y, hd_op *op) {
  return is_natural(x) && is_natural(y) ? smaller(a, x, y, op) : unknown();
}

static bound shifted_right(asker *a, bound x, bound y, hd_op *op) {
  (void)a, (void)y, (void)op;
  return is_natural(x) ? x : unknown();
}

static bound (*const bounds[HD_INTEGER_KINDS])(asker *, bound, bound, hd_op *) = {
    [HD_INTEGER_ADD] = add,          [HD_INTEGER_SUB] = subtract,      [HD_INTEGER_MUL] = multiply,
    [HD_INTEGER_DIV] = divide,       [HD_INTEGER_FLOORDIV] = divide,   [HD_INTEGER_CEILDIV] = divide,
    [HD_INTEGER_REM] = remainder_of, [HD_INTEGER_MIN] = smaller,       [HD_INTEGER_MAX] = larger,
    [HD_INTEGER_AND] = common_bits,  [HD_INTEGER_SHR] = shifted_right,
};

static bound of_argument(asker *a, hd_value *value) {
  hd_op *parent = hd_block_parent_op(value->owner.block);
  if (parent == a->loop) return (bound){0, a->threads};
  if (!hd_op_is(parent, HD_OP_scf_for) || value->index) return unknown();
  bound from = bound_of(a, hd_operand(parent, 0)), to = bound_of(a, hd_operand(parent, 1));
  return to.upper ? (bound){from.lower, to.upper} : unknown();
}

static uint32_t width_of(hd_type type) {
  return type->kind == HD_TYPE_INDEX ? 64 : type->kind == HD_TYPE_INTEGER ? type->integer.width : 0;
}

static bound of_cast(asker *a, hd_op *op) {
  bool is_signed = !hd_integer_op_of(op).is_unsigned;
  if (hd_op_is(op, HD_OP_arith_trunci)) return unknown();
  hd_value *from = hd_operand(op, 0);
  uint32_t width = width_of(from->type), to = width_of(hd_result_type(op, 0));
  bound known = width && to ? bound_of(a, from) : unknown();
  bool natural = known.upper && is_natural(known);
  if (to < width) { /* what fits stays the same */
    if (!natural || from->type->kind != HD_TYPE_INDEX || to < 2) return unknown();
    need(a, from);
    require_at_most(a, known.upper, ((int64_t)1 << ((to < 32 ? to : 32) - 1)) - 1);
    return known;
  }
  if (natural || width > 32) return is_signed || natural ? known : unknown();
  if (!width) return unknown();
  int64_t most = ((int64_t)1 << (width - (is_signed ? 1 : 0))) - 1;
  return between(a, is_signed ? -most - 1 : 0, most);
}

static bound of_dim(asker *a, hd_op *op) {
  hd_value *buffer = hd_operand(op, 0);
  int64_t d;
  if (!hd_value_constant_int(hd_operand(op, 1), &d) || !is_outside(a, buffer)) return unknown();
  hd_type index = hd_type_index(a->host->context);
  return of_host(a, hd_build(a->host, HD_OP_memref_dim, index, buffer, index_of(a, d)));
}

static bound of_result(asker *a, hd_value *value) {
  hd_op *op = hd_value_op(value);
  hd_integer_op integer = hd_integer_op_of(op);
  if (hd_op_is(op, HD_OP_memref_dim)) return of_dim(a, op);
  if (hd_op_is(op, HD_OP_arith_select))
    return either(a, bound_of(a, hd_operand(op, 1)), bound_of(a, hd_operand(op, 2)));
  if (hd_op_is(op, HD_OP_scf_if)) {
    hd_block *yes = hd_op_region(op, 0)->first, *no = hd_op_region(op, 1)->first;
    return either(a, bound_of(a, hd_operand(yes->last, value->index)), bound_of(a, hd_operand(no->last, value->index)));
  }
  if (integer.kind == HD_INTEGER_CAST) return of_cast(a, op);
  bool may_wrap = integer.kind <= HD_INTEGER_MUL && value->type->kind != HD_TYPE_INDEX;
  if (!bounds[integer.kind] || may_wrap) return unknown();
  return bounds[integer.kind](a, bound_of(a, hd_operand(op, 0)), bound_of(a, hd_operand(op, 1)), op);
}

static bound bound_of(asker *a, hd_value *value) {
  bound *known = hd_map_get(&a->bounds, value);
  if (known) return *known;
  if (a->depth >= MAX_DEPTH) return unknown();
  ++a->depth;
  int64_t number;
  bound found = hd_value_constant_int(value, &number) ? between(a, number, number)
                : is_outside(a, value)                ? of_host(a, value)
                : value->is_block_arg                 ? of_argument(a, value)
                                                      : of_result(a, value);
  --a->depth;
  known = hd_new(a->arena, bound);
  *known = found;
  hd_map_set(a->arena, &a->bounds, value, known);
  return found;
}

/* ---- what must be right ---- */

static void need(asker *a, hd_value *value) {
  bool is_new;
  if (value->type->kind != HD_TYPE_INDEX) return;
  hd_map_insert(a->arena, &a->needed, value, &is_new);
  if (is_new) hd_vec_push(a->arena, &a->work, value);
}

/* |value|, and what it is made of. */
static void require(asker *a, hd_value *value) {
  bound b = bound_of(a, value);
  a->never |= !b.upper || b.lower < INT32_MIN;
  if (a->never) return;
  require_at_most(a, b.upper, MAX_UPPER);
  hd_op *op = value->is_block_arg ? NULL : hd_value_op(value);
  if (!op || is_outside(a, value)) return;
  if (hd_op_is(op, HD_OP_scf_if)) {
    for (uint32_t r = 0; r < 2; ++r) need(a, hd_operand(hd_op_region(op, r)->first->last, value->index));
    return;
  }
  a->never |= op->region_count != 0;
  for (uint32_t i = 0; i < op->operand_count; ++i) need(a, hd_operand(op, i));
}

static void require_natural(asker *a, hd_value *value) {
  if (value->type->kind == HD_TYPE_INDEX) a->never |= !is_natural(bound_of(a, value));
}

/* A buffer that the loop moves elements of takes at most MAX_BYTES. Its memory is there, so the product of its
 * sizes does not wrap; where one of them is 0 nothing is moved. */
static void require_small(asker *a, hd_value *buffer) {
  bool is_new;
  while (hd_op_is(hd_value_op(buffer), HD_OP_memref_collapse_shape)) buffer = hd_operand(hd_value_op(buffer), 0);
  hd_map_insert(a->arena, &a->buffers, buffer, &is_new);
  if (!is_new || !is_outside(a, buffer)) return;
  hd_type type = buffer->type, index = hd_type_index(a->host->context);
  int64_t bytes = (int64_t)hd_type_element_bytes(type->shaped.element);
  hd_value *size = index_of(a, bytes);
  for (uint32_t d = 0; d < type->shaped.rank; ++d) {
    int64_t known = type->shaped.dims[d];
    hd_value *dim =
        known == HD_DYNAMIC ? hd_build(a->host, HD_OP_memref_dim, index, buffer, index_of(a, d)) : index_of(a, known);
    size = compute(a, HD_OP_arith_muli, dim, size);
  }
  require_at_most(a, size, MAX_BYTES);
}

static bool is_access(const hd_op *op, uint32_t *out_buffer) {
  *out_buffer =
      hd_op_is(op, HD_OP_memref_store) || hd_op_is(op, HD_OP_vector_store) || hd_op_is(op, HD_OP_memref_atomic_rmw);
  return *out_buffer || hd_op_is(op, HD_OP_memref_load) || hd_op_is(op, HD_OP_vector_load);
}

/* Ops whose low 32 bits follow from those of their operands. */
static bool wraps(const hd_op *op) {
  hd_integer_kind kind = hd_integer_op_of(op).kind;
  if (hd_integer_is_modular(kind) || hd_op_is(op, HD_OP_arith_select)) return true;
  if (hd_op_is(op, HD_OP_scf_yield)) return true; /* what loops carry has no bound of its own */
  return kind == HD_INTEGER_CAST &&
         (hd_result_type(op, 0)->kind == HD_TYPE_INDEX || hd_type_bits(hd_result_type(op, 0)) <= 32);
}

static bool visit(hd_op *op, void *user) {
  asker *a = user;
  uint32_t at;
  if (op == a->loop || a->never) return !a->never;
  if (is_access(op, &at)) {
    require_small(a, hd_operand(op, at));
    for (uint32_t i = 0; i < at; ++i) need(a, hd_operand(op, i)); /* an index that is stored */
    return true;
  }
  if (wraps(op)) return true;
  for (uint32_t i = 0; i < op->operand_count; ++i) need(a, hd_operand(op, i));
  hd_integer_op integer = hd_integer_op_of(op);
  for (uint32_t i = 0; integer.is_unsigned && integer.kind != HD_INTEGER_CAST && i < 2; ++i)
    require_natural(a, hd_operand(op, i));
  if (hd_op_is(op, HD_OP_scf_for)) { /* the counter goes one step beyond the end */
    bound end = add(a, bound_of(a, hd_operand(op, 1)), bound_of(a, hd_operand(op, 2)), op);
    a->never |= !end.upper;
    if (end.upper) require_at_most(a, end.upper, MAX_UPPER);
  }
  return true;
}

/* ---- numbers of 64 bits that are clamped ---- */

static hd_value *wide_of(hd_value *value) {
  hd_op *op = hd_value_op(value);
  bool wide = hd_op_is(op, HD_OP_arith_index_cast) && hd_type_is_integer(hd_operand_type(op, 0), 64);
  return wide ? hd_operand(op, 0) : NULL;
}

/* min(index_cast %x, %n) of an i64 %x that a kernel reads becomes index_cast(min(%x, %n)), which has a bound. */
static bool clamp_before_cast(hd_op *op, void *user) {
  (void)user;
  bool clamps = hd_op_is(op, HD_OP_arith_minsi) || hd_op_is(op, HD_OP_arith_maxsi);
  if (!clamps || hd_result_type(op, 0)->kind != HD_TYPE_INDEX) return true;
  hd_value *wide[2] = {wide_of(hd_operand(op, 0)), wide_of(hd_operand(op, 1))};
  if (!wide[0] == !wide[1]) return true;
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_type i64 = hd_i64(b.context);
  for (uint32_t i = 0; i < 2; ++i)
    if (!wide[i]) wide[i] = hd_build(&b, HD_OP_arith_index_cast, i64, hd_operand(op, i));
  hd_value *clamped = hd_build(&b, hd_opcode_get(op), i64, wide[0], wide[1]);
  hd_value *result = hd_build(&b, HD_OP_arith_index_cast, hd_type_index(b.context), clamped);
  hd_op_replace(op, &result);
  return true;
}

hd_value *hd_index_width_condition(hd_builder *host, hd_op *loop, hd_value *threads, hd_arena *arena) {
  asker a = {.host = host, .loop = loop, .threads = threads, .arena = arena};
  hd_walk_post(loop, clamp_before_cast, NULL);
  require_at_most(&a, threads, MAX_UPPER);
  hd_walk_pre(loop, visit, &a);
  while (a.work.len && !a.never) require(&a, a.work.data[--a.work.len]);
  if (a.never) return NULL;
  return a.condition ? a.condition : hd_build_int(host, hd_i1(host->context), 1);
}
