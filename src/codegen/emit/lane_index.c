/* SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/lane_index.h"

#include "ir/ops/arith.h"

static hd_type index_type(hd_lanes l) { return hd_type_index(l.b->context); }
static hd_type vector_type(hd_lanes l) { return hd_type_vector(index_type(l), (int64_t[]){l.count}, 1, NULL); }

bool hd_lane_is_const(hd_lane_index i, int64_t *out) {
  return !hd_lane_varies(i) && hd_value_constant_int(i.scalar, out);
}

static bool is_whole(hd_lanes l, hd_lane_index i) {
  int64_t value;
  return l.count && !i.vector && !i.pattern &&
         (i.whole || (hd_value_constant_int(i.scalar, &value) && value % l.count == 0));
}

hd_lane_index hd_lane_const(hd_lanes l, int64_t value) { return hd_lane_scalar(hd_build_index(l.b, value)); }

hd_lane_index hd_lane_of_pattern(hd_lanes l, hd_value *scalar, const int64_t *pattern) {
  bool even = true;
  for (uint32_t i = 2; i < l.count; ++i) even &= pattern[i] - pattern[i - 1] == pattern[1] - pattern[0];
  hd_value *first = hd_build_index(l.b, pattern[0]);
  if (even)
    return hd_lane_add(l, hd_lane_scalar(scalar), (hd_lane_index){.scalar = first, .step = pattern[1] - pattern[0]});
  int64_t *copy = hd_new_array(&l.b->module->arena, int64_t, l.count);
  for (uint32_t i = 0; i < l.count; ++i) copy[i] = pattern[i];
  return (hd_lane_index){.scalar = scalar, .pattern = copy};
}

/* What lane |lane| adds to the scalar. */
static int64_t offset_at(hd_lane_index i, uint32_t lane) {
  return i.pattern ? i.pattern[lane] : i.step * (int64_t)lane;
}

bool hd_lane_are_const(hd_lanes l, hd_lane_index i, int64_t *out) {
  int64_t first;
  if (i.vector || i.when || !hd_value_constant_int(i.scalar, &first)) return false;
  for (uint32_t lane = 0; lane < l.count || !lane; ++lane) out[lane] = first + (l.count ? offset_at(i, lane) : 0);
  return true;
}

/* scalar + x * (a's lanes) + y * (b's lanes), neither of which |when| stops. */
static hd_lane_index pattern_of(hd_lanes l, hd_value *scalar, hd_lane_index a, int64_t x, hd_lane_index b, int64_t y) {
  int64_t *sum = hd_new_array(&l.b->module->arena, int64_t, l.count);
  for (uint32_t i = 0; i < l.count; ++i) sum[i] = x * offset_at(a, i) + y * offset_at(b, i);
  return hd_lane_of_pattern(l, scalar, sum);
}

hd_value *hd_lane_spread(hd_lanes l, hd_lane_index i) {
  if (!l.count) return i.scalar;
  if (i.vector) return i.vector;
  hd_type type = vector_type(l);
  hd_value *base = hd_build(l.b, HD_OP_vector_broadcast, type, i.scalar);
  if (i.pattern) {
    hd_attr numbers = hd_attr_dense(type, i.pattern, l.count * sizeof *i.pattern, false);
    return hd_build(l.b, HD_OP_arith_addi, type, base, hd_build_constant(l.b, numbers));
  }
  if (!i.step) return base;
  hd_value *lane = hd_build_one_(l.b, HD_OP_vector_step, type, NULL, 0, NULL, 0);
  if (i.step != 1) lane = hd_build(l.b, HD_OP_arith_muli, type, lane, hd_build_int(l.b, type, i.step));
  if (i.when) lane = hd_build(l.b, HD_OP_arith_select, type, i.when, lane, hd_build_int(l.b, type, 0));
  return hd_build(l.b, HD_OP_arith_addi, type, base, lane);
}

/* Do lanes of |i| move by one step, |*out|, in aligned runs of |run|? */
static bool steps_in_runs(hd_lanes l, hd_lane_index i, uint32_t run, int64_t *out) {
  *out = i.pattern ? i.pattern[1] - i.pattern[0] : i.step;
  if (i.vector) return run <= i.run;
  for (uint32_t lane = 1; lane < l.count && i.pattern; ++lane)
    if (lane % run && i.pattern[lane] - i.pattern[lane - 1] != *out) return false;
  return !i.when;
}

/* The step of `opcode(a, b)` where those of |a| and |b| are |x| and |y|; false when there is none. */
static bool step_of(hd_opcode opcode, hd_lane_index a, int64_t x, hd_lane_index b, int64_t y, int64_t *out) {
  int64_t factor;
  *out = opcode == HD_OP_arith_addi ? x + y : opcode == HD_OP_arith_subi ? x - y : 0;
  if (opcode == HD_OP_arith_muli && hd_lane_is_const(b, &factor)) *out = x * factor;
  if (opcode == HD_OP_arith_muli && hd_lane_is_const(a, &factor)) *out = y * factor;
  return *out || (!x && !y) || opcode == HD_OP_arith_addi || opcode == HD_OP_arith_subi;
}

static hd_lane_index vector_op(hd_lanes l, hd_opcode opcode, hd_lane_index a, hd_lane_index b) {
  hd_value *vector = hd_build(l.b, opcode, vector_type(l), hd_lane_spread(l, a), hd_lane_spread(l, b));
  hd_lane_index made = {.vector = vector, .run = l.count & -l.count};
  int64_t x, y;
  for (; made.run > 1; made.run /= 2)
    if (steps_in_runs(l, a, made.run, &x) && steps_in_runs(l, b, made.run, &y) &&
        step_of(opcode, a, x, b, y, &made.step))
      return made;
  made.step = 0;
  return made;
}

hd_lane_index hd_lane_of_vector(hd_lanes l, hd_value *vector, const hd_lane_index *from, uint32_t count) {
  uint32_t run = l.count & -l.count;
  for (uint32_t i = 0; i < count; ++i) {
    int64_t step;
    while (run > 1 && !(steps_in_runs(l, from[i], run, &step) && !step)) run /= 2;
  }
  return (hd_lane_index){.vector = vector, .run = run};
}

/* Sum or difference: steps add up where they move together. */
static hd_lane_index linear(hd_lanes l, hd_opcode opcode, hd_lane_index a, hd_lane_index b, int64_t step) {
  if (a.vector || b.vector || (a.step && b.step && a.when != b.when)) return vector_op(l, opcode, a, b);
  if (a.pattern || b.pattern) {
    if (a.when || b.when) return vector_op(l, opcode, a, b);
    return pattern_of(l, hd_build_folded(l.b, opcode, a.scalar, b.scalar), a, 1, b,
                      opcode == HD_OP_arith_addi ? 1 : -1);
  }
  return (hd_lane_index){.scalar = hd_build_folded(l.b, opcode, a.scalar, b.scalar),
                         .step = step,
                         .when = a.step ? a.when : b.when,
                         .whole = is_whole(l, a) && is_whole(l, b)};
}

hd_lane_index hd_lane_add(hd_lanes l, hd_lane_index a, hd_lane_index b) {
  return linear(l, HD_OP_arith_addi, a, b, a.step + b.step);
}

hd_lane_index hd_lane_sub(hd_lanes l, hd_lane_index a, hd_lane_index b) {
  return linear(l, HD_OP_arith_subi, a, b, a.step - b.step);
}

hd_lane_index hd_lane_if(hd_lanes l, hd_lane_index i, hd_value *moves) {
  hd_value *zero = hd_build_index(l.b, 0);
  if (i.vector || i.when || i.pattern) {
    hd_value *all = hd_lane_spread(l, i);
    hd_value *none = l.count ? hd_build_int(l.b, all->type, 0) : zero;
    all = hd_build(l.b, HD_OP_arith_select, all->type, moves, all, none);
    return l.count ? (hd_lane_index){.vector = all} : hd_lane_scalar(all);
  }
  hd_value *scalar = hd_build(l.b, HD_OP_arith_select, zero->type, moves, i.scalar, zero);
  return (hd_lane_index){.scalar = scalar, .step = i.step, .when = i.step ? moves : NULL, .whole = i.whole};
}

hd_lane_index hd_lane_mul(hd_lanes l, hd_lane_index a, hd_lane_index b) {
  int64_t factor;
  if (hd_lane_is_const(a, &factor)) {
    hd_lane_index swap = a;
    a = b;
    b = swap;
  }
  if (hd_lane_is_const(b, &factor) && a.pattern)
    return pattern_of(l, hd_build_folded(l.b, HD_OP_arith_muli, a.scalar, b.scalar), a, factor, b, 0);
  if (hd_lane_is_const(b, &factor) && !a.vector)
    return (hd_lane_index){.scalar = hd_build_folded(l.b, HD_OP_arith_muli, a.scalar, b.scalar),
                           .step = a.step * factor,
                           .when = factor ? a.when : NULL,
                           .whole = is_whole(l, a) || is_whole(l, b)};
  if (hd_lane_varies(a) || hd_lane_varies(b)) return vector_op(l, HD_OP_arith_muli, a, b);
  return hd_lane_scalar(hd_build_folded(l.b, HD_OP_arith_muli, a.scalar, b.scalar));
}

static hd_lane_index general(hd_lanes l, hd_opcode opcode, hd_lane_index a, hd_lane_index b) {
  if (hd_lane_varies(a) || hd_lane_varies(b)) return vector_op(l, opcode, a, b);
  return hd_lane_scalar(hd_build_folded(l.b, opcode, a.scalar, b.scalar));
}

/* Do lanes of |a| that are one apart fall into one run of |b| elements? */
static bool stays_in_run(hd_lanes l, hd_lane_index a, hd_lane_index b) {
  int64_t size;
  return a.step == 1 && is_whole(l, a) && hd_lane_is_const(b, &size) && size % l.count == 0;
}

hd_lane_index hd_lane_div(hd_lanes l, hd_lane_index a, hd_lane_index b) {
  int64_t one;
  if (hd_lane_is_const(b, &one) && one == 1) return a;
  if (stays_in_run(l, a, b)) return hd_lane_scalar(hd_build_folded(l.b, HD_OP_arith_divui, a.scalar, b.scalar));
  return general(l, HD_OP_arith_divui, a, b);
}

hd_lane_index hd_lane_rem(hd_lanes l, hd_lane_index a, hd_lane_index b) {
  if (!stays_in_run(l, a, b)) return general(l, HD_OP_arith_remui, a, b);
  return (hd_lane_index){
      .scalar = hd_build_folded(l.b, HD_OP_arith_remui, a.scalar, b.scalar), .step = 1, .when = a.when, .whole = true};
}

hd_lane_index hd_lane_max(hd_lanes l, hd_lane_index a, hd_lane_index b) { return general(l, HD_OP_arith_maxsi, a, b); }
hd_lane_index hd_lane_min(hd_lanes l, hd_lane_index a, hd_lane_index b) { return general(l, HD_OP_arith_minsi, a, b); }

static hd_value *compare(hd_lanes l, hd_enum_arith_cmpi_predicate predicate, hd_lane_index a, hd_lane_index b) {
  bool vector = hd_lane_varies(a) || hd_lane_varies(b);
  hd_value *x = vector ? hd_lane_spread(l, a) : a.scalar, *y = vector ? hd_lane_spread(l, b) : b.scalar;
  return hd_arith_cmpi(l.b, predicate, x, y);
}

hd_value *hd_lane_less(hd_lanes l, hd_lane_index a, hd_lane_index b) { return compare(l, HD_ARITH_CMPI_SLT, a, b); }

hd_value *hd_lane_inside(hd_lanes l, hd_lane_index i, hd_lane_index size) {
  return compare(l, HD_ARITH_CMPI_ULT, i, size);
}
