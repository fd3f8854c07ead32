/* SPDX-License-Identifier: Apache-2.0 */
/* A branch is divergent when its condition may differ between threads of a block: where it comes from numbers of
 * threads, memory or exchanges, or from arguments of blocks to which threads come by different ways. What is between
 * a divergent branch and its post-dominator is not reached by all threads. There:
 *
 *     cond_br %c, ^then, ^end                      br ^then
 *   ^then:                                       ^then:
 *     %x = load %p                                 cond_br %c, ^do, ^done(zero)
 *     %y = shuffle %x                              ^do: %l = load %p; br ^done(%l)
 *     store %y, %q                       ->      ^done(%x):
 *     br ^end(%y)                                  %y = shuffle %x
 *                                                  cond_br %c, ^do', ^done'    ^do': store %y, %q; br ^done'
 *                                                ^done':
 *                                                  br ^end(select %c, %y, ...)
 *
 * Threads that were to skip ^then compute on zeros, and nothing of it is seen. What they compute ends no loop: they
 * leave those in which nobody meets by the shortest way, and stay in others as long as all do. */
#include "passes/machine/uniform_control.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "ir/builder.h"
#include "ir/grid_number.h"
#include "ir/ops/llvm.h"

enum { NONE = -1 };

typedef struct flow {
  hd_pass *pass;
  hd_arena *arena;
  hd_op *kernel;
  bool (*meets)(const hd_op *op);
  int count;
  hd_block **blocks;
  hd_map numbers;   /* hd_block* -> position + 1 */
  int *meet;        /* the immediate post-dominator; NONE: the end of the kernel */
  hd_map divergent; /* values */
  bool *branches;   /* divergent, by their block */
  bool *inside;     /* count x count: [b][x]: x is between divergent branch b and meet[b] */
} flow;

static int number_of(flow *f, const hd_block *block) {
  const hd_map_entry *entry = hd_map_find(&f->numbers, block);
  return entry ? (int)entry->value.i64 : NONE;
}

static uint32_t successor_count(const flow *f, int b) {
  const hd_op *last = f->blocks[b]->last;
  return last ? last->successor_count : 0;
}

static int successor(flow *f, int b, uint32_t i) { return number_of(f, f->blocks[b]->last->successors[i]); }

/* ---- post-dominators ------------------------------------------------------------------------------------------- */

/* Sets of blocks: [b] has those that all ways from b go through. */
static bool narrow(flow *f, bool *sets, int b) {
  bool changed = false;
  for (int x = 0; x < f->count; ++x) {
    bool in = successor_count(f, b) > 0;
    for (uint32_t i = 0; i < successor_count(f, b); ++i) in &= sets[successor(f, b, i) * f->count + x];
    in |= x == b;
    changed |= in != sets[b * f->count + x];
    sets[b * f->count + x] = in;
  }
  return changed;
}

static int size_of(const flow *f, const bool *set) {
  int size = 0;
  for (int x = 0; x < f->count; ++x) size += set[x];
  return size;
}

static void find_meets(flow *f) {
  bool *sets = hd_new_array(f->arena, bool, (size_t)f->count *(size_t)f->count);
  memset(sets, true, (size_t)f->count * (size_t)f->count);
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = f->count; b-- > 0;) changed |= narrow(f, sets, b);
  }
  for (int b = 0; b < f->count; ++b) {
    f->meet[b] = NONE;
    for (int x = 0; x < f->count; ++x)
      if (x != b && sets[b * f->count + x] && size_of(f, &sets[x * f->count]) == size_of(f, &sets[b * f->count]) - 1)
        f->meet[b] = x;
  }
}

/* ---- divergence ------------------------------------------------------------------------------------------------ */

static bool is_divergent(flow *f, hd_value *value) { return hd_map_find(&f->divergent, value) != NULL; }

static bool mark(flow *f, hd_value *value) {
  bool is_new = !is_divergent(f, value);
  if (is_new) hd_map_set(f->arena, &f->divergent, value, value);
  return is_new;
}

/* Does |op| give something of its thread alone? */
static bool is_of_thread(const hd_op *op) {
  return hd_grid_differs_in_block(hd_grid_number_of(op).what) || !strncmp(op->info->name, "nvvm.", 5) ||
         !hd_op_is_pure((hd_op *)op);
}

static bool any_operand(flow *f, const hd_op *op, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i)
    if (is_divergent(f, hd_operand(op, first + i))) return true;
  return false;
}

/* What threads come to by different ways: the blocks inside, and where they meet. */
static bool is_joined(const flow *f, int b) {
  for (int d = 0; d < f->count; ++d)
    if (f->branches[d] && (f->inside[d * f->count + b] || f->meet[d] == b)) return true;
  return false;
}

static void find_inside(flow *f, int d) {
  hd_vec(int) work = {0};
  bool *inside = &f->inside[d * f->count];
  hd_vec_push(f->arena, &work, d);
  while (work.len) {
    int b = hd_vec_pop(&work);
    for (uint32_t i = 0; i < successor_count(f, b); ++i) {
      int next = successor(f, b, i);
      if (next == f->meet[d] || inside[next]) continue;
      inside[next] = true;
      hd_vec_push(f->arena, &work, next);
    }
  }
}

/* One round over |block|; true where something new is divergent. */
static bool spread(flow *f, int b) {
  hd_block *block = f->blocks[b];
  bool changed = false, joined = is_joined(f, b);
  for (uint32_t i = 0; i < block->arg_count && b && joined; ++i) changed |= mark(f, block->args[i]);
  hd_for_each_op(op, block) {
    if (op->result_count && (is_of_thread(op) || any_operand(f, op, 0, op->operand_count)))
      for (uint32_t r = 0; r < op->result_count; ++r) changed |= mark(f, hd_result(op, r));
    for (uint32_t i = 0; i < op->successor_count; ++i) {
      uint32_t start, count;
      hd_op_successor_operands(op, i, &start, &count);
      for (uint32_t k = 0; k < count; ++k)
        if (is_divergent(f, hd_operand(op, start + k))) changed |= mark(f, op->successors[i]->args[k]);
    }
    if (op->successor_count > 1 && !f->branches[b] && is_divergent(f, hd_operand(op, 0))) {
      f->branches[b] = changed = true;
      find_inside(f, b);
    }
  }
  return changed;
}

static void analyse(flow *f) {
  f->count = 0;
  f->numbers = f->divergent = (hd_map){0};
  hd_for_each_block(block, hd_op_region(f->kernel, 0)) ++f->count;
  size_t count = (size_t)f->count;
  f->blocks = hd_new_array(f->arena, hd_block *, count);
  f->meet = hd_new_array(f->arena, int, count);
  f->branches = hd_new_array(f->arena, bool, count);
  f->inside = hd_new_array(f->arena, bool, count *count);
  int b = 0;
  hd_for_each_block(block, hd_op_region(f->kernel, 0)) {
    bool is_new;
    f->blocks[b] = block;
    hd_map_insert(f->arena, &f->numbers, block, &is_new)->value.i64 = b++;
  }
  find_meets(f);
  for (bool changed = true; changed;) {
    changed = false;
    for (b = 0; b < f->count; ++b) changed |= spread(f, b);
  }
}

/* ---- one way for all ------------------------------------------------------------------------------------------- */

static void jump(hd_builder *b, hd_block *to, hd_value *const *passed, uint32_t count) {
  hd_build_state(b, &(hd_op_state){.opcode = HD_OP_llvm_br,
                                   .operands = passed,
                                   .operand_count = count,
                                   .successors = &to,
                                   .successor_count = 1});
}

/* The arguments of |no| are |passed|; |yes| has none. */
static void jump_if(flow *f, hd_builder *b, hd_value *condition, hd_block *yes, hd_block *no, hd_value *const *passed,
                    uint32_t count) {
  hd_value **operands = hd_new_array(f->arena, hd_value *, count + 1);
  operands[0] = condition;
  for (uint32_t i = 0; i < count; ++i) operands[i + 1] = passed[i];
  hd_op_attr segments = {hd_name_ident(b->context, HD_NAME_operandSegmentSizes),
                         hd_attr_i32_array(b->context, (int32_t[]){1, 0, (int32_t)count}, 3), true};
  hd_build_state(b, &(hd_op_state){.opcode = HD_OP_llvm_cond_br,
                                   .operands = operands,
                                   .operand_count = count + 1,
                                   .attrs = &segments,
                                   .attr_count = 1,
                                   .successors = (hd_block *[]){yes, no},
                                   .successor_count = 2});
}

/* |op| is done by threads of which |condition| holds; its results are zeros for others. */
static void do_under(flow *f, hd_value *condition, hd_op *op) {
  hd_module *module = f->pass->module;
  hd_block *before = op->block, *work = hd_block_split(module, before, op),
           *after = hd_block_split(module, work, op->next);
  uint32_t count = op->result_count;
  hd_value **zeros = hd_new_array(f->arena, hd_value *, count + 1),
           **made = hd_new_array(f->arena, hd_value *, count + 1);
  hd_builder b = hd_builder_at_end(module, before);
  b.loc = op->loc;
  for (uint32_t i = 0; i < count; ++i) {
    zeros[i] = hd_build_one_(&b, HD_OP_llvm_mlir_zero, hd_result_type(op, i), NULL, 0, NULL, 0);
    hd_value_replace_uses(hd_result(op, i), hd_block_add_arg(module, after, hd_result_type(op, i)));
    made[i] = hd_result(op, i);
  }
  jump_if(f, &b, condition, work, after, zeros, count);
  b = hd_builder_at_end(module, work);
  b.loc = op->loc;
  jump(&b, after, made, count);
}

static bool divides_by_constant(const hd_op *op) {
  int64_t divisor;
  bool divides = hd_op_is(op, HD_OP_llvm_udiv) || hd_op_is(op, HD_OP_llvm_urem) || hd_op_is(op, HD_OP_llvm_sdiv) ||
                 hd_op_is(op, HD_OP_llvm_srem);
  return divides && hd_value_constant_int(hd_operand(op, 1), &divisor) && divisor > 0;
}

/* May threads that should not do |op| do it all the same? */
static bool is_harmless(const flow *f, hd_op *op) {
  return hd_op_is_speculatable(op) || divides_by_constant(op) || op->successor_count ||
         hd_op_has_trait(op, HD_TRAIT(CONVERGENT)) || hd_op_is(op, HD_OP_llvm_alloca) || f->meets(op);
}

/* What a branch takes for threads that only come along: of its ways out of the loop the shorter one. */
typedef struct way_out {
  hd_op *branch;
  bool taken;
} way_out;

/* A branch all of whose ways but the direct one to its meet become everybody's. */
typedef struct detour {
  int branch, first, meet;
  bool when; /* the condition of those that it is for */
  hd_vec(way_out) ways_out;
} detour;

static bool is_inside(const flow *f, int branch, int b) { return f->inside[branch * f->count + b]; }

/* Can only |d|'s branch lead into it, once, and does it end at the meet? */
static bool is_closed(flow *f, const detour *d) {
  int entries = 0;
  if (d->meet == NONE || is_inside(f, d->branch, d->branch)) return false;
  for (int b = 0; b < f->count; ++b)
    for (uint32_t i = 0; i < successor_count(f, b); ++i)
      if (is_inside(f, d->branch, successor(f, b, i)) && !is_inside(f, d->branch, b))
        entries += b == d->branch && successor(f, b, i) == d->first ? 1 : 2;
  return entries == 1;
}

/* ---- loops that threads which only come along leave ------------------------------------------------------------ */

static bool meets_in(const flow *f, int b) {
  hd_for_each_op(op, f->blocks[b]) {
    if (f->meets(op)) return true;
  }
  return false;
}

/* [b][x]: inside |d| a way leads from block b to x; with |alone|, through blocks where threads do not meet. */
static bool *find_ways(flow *f, const detour *d, bool alone) {
  bool *ways = hd_new_array(f->arena, bool, (size_t)f->count *(size_t)f->count);
  for (int b = 0; b < f->count; ++b) {
    hd_vec(int) work = {0};
    if (is_inside(f, d->branch, b) && !(alone && meets_in(f, b))) hd_vec_push(f->arena, &work, b);
    while (work.len) {
      int at = hd_vec_pop(&work);
      for (uint32_t i = 0; i < successor_count(f, at); ++i) {
        int next = successor(f, at, i);
        if (ways[b * f->count + next] || !is_inside(f, d->branch, next) || (alone && meets_in(f, next))) continue;
        ways[b * f->count + next] = true;
        hd_vec_push(f->arena, &work, next);
      }
    }
  }
  return ways;
}

static bool same_loop(const flow *f, const bool *ways, int a, int b) {
  return ways[a * f->count + b] && ways[b * f->count + a];
}

/* From each block of the loop of |b|: how many steps to where it is left; above the count of blocks: none. */
static int *steps_out(flow *f, const bool *ways, int b) {
  int *steps = hd_new_array(f->arena, int, (size_t)f->count);
  for (int x = 0; x < f->count; ++x) steps[x] = same_loop(f, ways, b, x) ? f->count + 1 : 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int x = 0; x < f->count; ++x)
      for (uint32_t i = 0; i < successor_count(f, x) && steps[x]; ++i) {
        int next = steps[successor(f, x, i)] + 1;
        if (next < steps[x]) steps[x] = next, changed = true;
      }
  }
  return steps;
}

/* The ways out of all loops inside |d| in which threads do not meet. False: there is a loop that no cond_br can end. */
static bool find_ways_out(flow *f, detour *d) {
  const bool *ways = find_ways(f, d, true);
  for (int b = 0; b < f->count; ++b) {
    if (!same_loop(f, ways, b, b)) continue;
    const int *steps = steps_out(f, ways, b);
    hd_op *end = f->blocks[b]->last;
    if (steps[b] > f->count) return false;
    if (end->successor_count < 2) continue;
    if (!hd_op_is(end, HD_OP_llvm_cond_br)) return false;
    int yes = steps[successor(f, b, 0)], no = steps[successor(f, b, 1)];
    if (yes != no) hd_vec_push(f->arena, &d->ways_out, ((way_out){end, yes < no}));
  }
  return true;
}

/* What goes on while a number is below a bound ends for every bound; until it equals one, maybe not for all. */
static bool counts_to_bound(const hd_op *end) {
  hd_op *compare = hd_value_op(hd_operand(end, 0));
  if (!hd_op_is(end, HD_OP_llvm_cond_br) || !hd_op_is(compare, HD_OP_llvm_icmp)) return false;
  hd_enum_llvm_icmp_predicate predicate = hd_llvm_icmp_predicate(compare);
  return predicate != HD_LLVM_ICMP_EQ && predicate != HD_LLVM_ICMP_NE;
}

/* Loops in which threads meet are left by all at once (or are refused in another round). They must end where nobody is
 * to go in, too. */
static bool meetings_end(flow *f, const detour *d) {
  const bool *ways = find_ways(f, d, false);
  for (int b = 0; b < f->count; ++b) {
    bool meets = false, leaves = false;
    for (int x = 0; x < f->count; ++x) meets |= same_loop(f, ways, b, x) && meets_in(f, x);
    for (uint32_t i = 0; i < successor_count(f, b); ++i) leaves |= !same_loop(f, ways, b, successor(f, b, i));
    if (meets && leaves && successor_count(f, b) > 1 && !counts_to_bound(f->blocks[b]->last)) return false;
  }
  return true;
}

static bool find_detour(flow *f, int branch, detour *out) {
  hd_op *op = f->blocks[branch]->last;
  if (!hd_op_is(op, HD_OP_llvm_cond_br)) return false;
  int yes = successor(f, branch, 0), no = successor(f, branch, 1);
  *out = (detour){branch, yes == f->meet[branch] ? no : yes, f->meet[branch], yes != f->meet[branch], {0}};
  return (yes == out->meet) != (no == out->meet) && is_closed(f, out) && meetings_end(f, out) && find_ways_out(f, out);
}

/* Edges from inside to the meet pass what they did to those that they are for, and to others what the direct edge
 * passes. */
static void select_passed(flow *f, const detour *d, hd_value *condition, hd_value *const *direct) {
  for (int b = 0; b < f->count; ++b) {
    hd_op *end = f->blocks[b]->last;
    for (uint32_t i = 0; is_inside(f, d->branch, b) && i < end->successor_count; ++i) {
      uint32_t start, count;
      if (successor(f, b, i) != d->meet) continue;
      hd_op_successor_operands(end, i, &start, &count);
      for (uint32_t k = 0; k < count; ++k) {
        hd_builder before = hd_builder_before(end);
        hd_value *passed = hd_operand(end, start + k);
        hd_op_set_operand(end, start + k,
                          hd_build(&before, HD_OP_llvm_select, passed->type, condition, passed, direct[k]));
      }
    }
  }
}

static hd_value **passed_by(flow *f, const hd_op *op, uint32_t i, uint32_t *out_count) {
  uint32_t start;
  hd_op_successor_operands(op, i, &start, out_count);
  hd_value **passed = hd_new_array(f->arena, hd_value *, *out_count + 1);
  for (uint32_t k = 0; k < *out_count; ++k) passed[k] = hd_operand(op, start + k);
  return passed;
}

static hd_value *negated(hd_builder *b, hd_value *condition) {
  hd_attr_arg one[] = {{HD_NAME_value, hd_attr_integer(condition->type, 1)}};
  hd_value *yes = hd_build_one_(b, HD_OP_llvm_mlir_constant, condition->type, NULL, 0, one, 1);
  return hd_build(b, HD_OP_llvm_xor, condition->type, condition, yes);
}

/* Threads of which |condition| does not hold take it, whatever they computed. */
static void force(const way_out *way, hd_value *condition) {
  hd_builder b = hd_builder_before(way->branch);
  hd_value *own = hd_operand(way->branch, 0);
  own = way->taken ? hd_build(&b, HD_OP_llvm_or, own->type, own, negated(&b, condition))
                   : hd_build(&b, HD_OP_llvm_and, own->type, own, condition);
  hd_op_set_operand(way->branch, 0, own);
}

static void take_detour(flow *f, const detour *d) {
  hd_op *op = f->blocks[d->branch]->last;
  hd_builder b = hd_builder_before(op);
  hd_value *condition = hd_operand(op, 0);
  uint32_t count;
  if (!d->when) condition = negated(&b, condition);
  for (size_t i = 0; i < d->ways_out.len; ++i) force(&d->ways_out.data[i], condition);
  select_passed(f, d, condition, passed_by(f, op, d->when, &count));
  hd_value *const *passed = passed_by(f, op, !d->when, &count);
  jump(&b, f->blocks[d->first], passed, count);
  hd_op_erase(op);
  hd_vec(hd_op *) masked = {0};
  for (int x = 0; x < f->count; ++x)
    if (is_inside(f, d->branch, x))
      hd_for_each_op(each, f->blocks[x])
        if (!is_harmless(f, each)) hd_vec_push(f->arena, &masked, each);
  for (size_t i = 0; i < masked.len; ++i) do_under(f, condition, masked.data[i]);
  f->pass->changed = true;
}

/* The outermost divergent branch that keeps threads from block |b|; NONE. */
static int keeps_from(const flow *f, int b) {
  int found = NONE;
  for (int d = 0; d < f->count; ++d)
    if (f->branches[d] && is_inside(f, d, b) && (found == NONE || is_inside(f, d, found))) found = d;
  return found;
}

static hd_op *find_kept(flow *f, int *out_branch) {
  for (int b = 0; b < f->count; ++b)
    hd_for_each_op(op, f->blocks[b]) {
      if (f->meets(op) && (*out_branch = keeps_from(f, b)) != NONE) return op;
    }
  return NULL;
}

bool hd_make_uniform(hd_pass *pass, hd_op *kernel, bool (*meets)(const hd_op *op)) {
  flow f = {.pass = pass, .arena = &pass->arena, .kernel = kernel, .meets = meets};
  for (int branch;;) {
    detour d;
    analyse(&f);
    hd_op *op = find_kept(&f, &branch);
    if (!op) return true;
    if (!find_detour(&f, branch, &d))
      return hd_op_error(
          op,
          "is not reached by all threads of a block together: it is in a loop that they leave at different times, "
          "on one of two ways, or "
          "beside a loop that may not end; expected control that all share");
    take_detour(&f, &d);
  }
}
