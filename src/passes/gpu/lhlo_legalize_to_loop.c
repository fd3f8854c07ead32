/* SPDX-License-Identifier: Apache-2.0 */
/* disc-lhlo-legalize-to-loop: the roots of every fusion become parallel loops by a GPU schedule.
 *
 *   "lmhlo.fusion"() ({                            "lmhlo.fusion"() ({
 *     "lmhlo.multiply"(%x, %y, %t)                   "lmhlo.multiply"(%x, %y, %t)
 *     "lmhlo.add"(%t, %z, %out)            ->        scf.parallel (%i, %j) = (%c0, %c0) to (%d0, %d1) step (%c1, %c1) {
 *   }) {hd.kind = "loop"}                              %a = memref.load %t[%i, %j]
 *                                                      %b = memref.load %z[%i, %j]
 *                                                      %s = arith.addf %a, %b
 *                                                      memref.store %s, %out[%i, %j]
 *                                                    } {hd.threads = 256, hd.kernel_name = "loop_multiply_add_0"}
 *                                                  })
 * The other ops stay for disc-input-inline-fusion, which computes them where they are loaded.
 *
 * Which schedule (codegen/emit/gpu/schedules.h), by the fusion's roots:
 *
 *   row reduction | column reduction | others | schedule
 *   yes           | -                | -      | row: in one round of shuffles or in two, as hd.schedule of the fusion
 *                 |                  |        | says, else by the row's size; column reductions beside it by atomics
 *   no            | of other dims, more than a few elements each | parts; also where hd.schedule says so of rows
 *   no            | no               | yes    | loop
 * A fusion of kind "product" (disc-lower-to-library-calls) is tiles of a product, by hd.schedule of one of the target's
 * sizes.
 *
 * A reduction of rows by any other function (argmax), all of whose fusion is for it, is a row too, in the order of its
 * elements; rows of less than a warp are loops. Where such a function keeps the last dim its elements are divided into
 * parts.
 *
 * A dynamic_update_slice into the buffer that it reads is a loop over the update; scatter, sort and select_and_scatter
 * have schedules of their own. With deterministic, nothing is done by atomics: a second kernel brings parts together,
 * and columns beside rows leave them for a kernel after theirs.
 * A fusion that has loops is left alone. What is placed on the host is a loop with hd.host, which
 * disc-parallel-loop-split leaves there; integers of one element are computed without one. An op by itself is a fusion
 * of one. Products and other ops that no loop computes are left: library calls come before. */
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/reduction.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "ir/placement.h"
#include "passes/analyses.h"
#include "passes/lowering/library.h"

typedef struct legalizer {
  hd_lowering ctx;
  const hd_gpu_target *target;
  bool deterministic;
} legalizer;

typedef struct host_place {
  hd_lowering *ctx;
  hd_builder b;
  hd_op *fusion;
  hd_map cache;
} host_place;

static hd_value *host_dim(void *user, hd_dim dim) {
  host_place *h = user;
  return hd_host_dim_once(h->ctx, &h->b, dim, h->fusion, &h->cache);
}

/* Whether |op| writes what nobody reads: it needs no loop, and disc-input-inline-fusion drops it. */
static bool is_dead(const hd_kernel_set *set, const hd_op *op) {
  if (hd_kernel_has_output(set, hd_buffer_output(op, 0))) return false;
  hd_for_each_use(use, hd_buffer_output(op, 0))
    if (use->owner != op && use->owner->block == op->block) return false;
  return true;
}

/* Reductions of leading dims that can be done by atomics: roots over |full| (null: the first one's), not read inside.
 */
static bool all_columns(legalizer *l, const hd_kernel_set *set, hd_value *full, bool *out_some) {
  *out_some = false;
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce || hd_is_row_reduction(op) || is_dead(set, op)) continue;
    if (!hd_is_atomic_reduction(op) || l->deterministic || !hd_kernel_has_output(set, hd_buffer_output(op, 0)))
      return false;
    hd_for_each_use(use, hd_buffer_output(op, 0))
      if (use->owner != op && use->owner->block == op->block) return false;
    hd_value *operand = hd_operand(op, 0);
    if (!full) full = operand;
    bool same_columns =
        hd_type_rank(operand->type) == hd_type_rank(full->type) && hd_shapes_same(l->ctx.shapes, operand, full);
    if (!same_columns) return false;
    *out_some = true;
  }
  return true;
}

static bool same_reduced(legalizer *l, const hd_op *a, const hd_op *b) {
  hd_value *x = hd_operand(a, 0), *y = hd_operand(b, 0);
  if (hd_type_rank(x->type) != hd_type_rank(y->type) || !hd_shapes_same(l->ctx.shapes, x, y)) return false;
  hd_attr p = hd_stablehlo_reduce_dimensions(a), q = hd_stablehlo_reduce_dimensions(b);
  bool same = hd_attr_count(p) == hd_attr_count(q);
  for (size_t i = 0; i < hd_attr_count(p) && same; ++i) same = hd_attr_find_int(q, hd_attr_int_at(p, i)) >= 0;
  return same;
}

/* Does the schedule of parts take |op|, beside |first| (null: it is the first)? */
static bool may_be_in_parts(legalizer *l, const hd_op *op, const hd_op *first) {
  enum { MOST_OPERANDS = 8 };
  if (first) return hd_is_simple_reduction(op) && hd_is_simple_reduction(first) && same_reduced(l, op, first);
  hd_dim size = hd_gpu_reduced_size(l->ctx.shapes, op);
  if (size && hd_dim_upper(size) <= HD_GPU_FEW_ELEMENTS) return false;
  if (hd_is_simple_reduction(op)) return true;
  uint32_t outputs = hd_buffer_output_count(op);
  bool same_types = outputs <= MOST_OPERANDS;
  for (uint32_t o = 0; o < outputs && same_types; ++o)
    same_types = hd_type_element(hd_buffer_output(op, o)->type) == hd_type_element(hd_operand_type(op, o));
  return same_types && !hd_gpu_reduces_rows(l->ctx.shapes, op);
}

/* Every output is a reduction's, of one shape and the same dims, which nothing else reads here, or of the reduced
 * shape. */
static bool is_parts_kernel(legalizer *l, const hd_kernel_set *set) {
  hd_op *first = NULL;
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce) continue;
    bool lives = false;
    for (uint32_t o = 0; o < hd_buffer_output_count(op); ++o) {
      hd_value *output = hd_buffer_output(op, o);
      lives |= hd_kernel_has_output(set, output);
      hd_for_each_use(use, output)
        if (use->owner != op && use->owner->block == op->block) return false;
    }
    if (!lives) continue;
    if (!may_be_in_parts(l, op, first)) return false;
    first = first ? first : op;
  }
  if (!first) return false;
  hd_value *full = hd_operand(first, 0);
  for (size_t o = 0; o < set->outputs.len; ++o) {
    hd_value *output = set->outputs.data[o];
    hd_op *writer = hd_map_get(&set->writers, output);
    if (writer && hd_buffer_opcode(writer) == HD_OP_stablehlo_reduce) continue;
    if (hd_type_rank(output->type) != hd_type_rank(full->type) || !hd_shapes_same(l->ctx.shapes, output, full))
      return false;
  }
  return true;
}

static hd_op *first_row(const hd_kernel_set *set) {
  for (size_t i = 0; i < set->ops.len; ++i)
    if (hd_is_row_reduction(set->ops.data[i])) return set->ops.data[i];
  return NULL;
}

/* The least and the most elements of a row. */
static void row_bounds(legalizer *l, hd_op *reduce, int64_t *least, int64_t *most) {
  hd_dim_table *t = &l->ctx.shapes->table;
  uint32_t rank = hd_type_rank(hd_operand_type(reduce, 0)),
           count = (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(reduce));
  hd_dim inner = hd_dim_const(t, 1);
  for (uint32_t d = rank - count; d < rank; ++d)
    inner = hd_dim_mul(t, inner, hd_shapes_dim(l->ctx.shapes, hd_operand(reduce, 0), d));
  *least = inner ? hd_dim_lower(inner) : 0;
  *most = inner ? hd_dim_upper(inner) : INT64_MAX;
}

/* The reduction by any function of trailing dims whose results are all that |set| gives; null: there is none. */
static hd_op *only_ordered(const hd_kernel_set *set) {
  hd_op *reduce = set->outputs.len ? hd_map_get(&set->writers, set->outputs.data[0]) : NULL;
  if (!reduce || !reduce->info->derived_from || !hd_gpu_is_ordered_reduction(reduce)) return NULL;
  for (size_t o = 1; o < set->outputs.len; ++o)
    if (hd_map_get(&set->writers, set->outputs.data[o]) != reduce) return NULL;
  return reduce;
}

/* No row of this version has more elements: |most|, or what specialisation asked before it took it. */
static int64_t row_limit(legalizer *l, hd_op *fusion, int64_t most) {
  const hd_gpu_target *target = l->target;
  hd_enum_schedule hint = hd_discardable_schedule(fusion);
  int64_t asked = INT64_MAX;
  if (hint == HD_SCHEDULE_ROW_ONE_ROUND)
    asked = target->one_warp_below - 1;
  else if (hint == HD_SCHEDULE_ROW_TWO_ROUNDS && target->block_small != target->block_large &&
           hd_attr_int_or(hd_discardable_threads_attr(fusion), 0) == target->block_small)
    asked = target->large_from - 1;
  return most < asked ? most : asked;
}

static hd_gpu_schedule choose(legalizer *l, hd_op *fusion, const hd_kernel_set *set, hd_gpu_frame *f) {
  f->threads = l->target->block_small;
  f->row_limit = INT64_MAX;
  f->vector = hd_discardable_vector(fusion);
  f->of = hd_discardable_vector_of(fusion);
  hd_enum_schedule hint = hd_discardable_schedule(fusion);
  hd_op *row = first_row(set);
  hd_gpu_schedule schedule = HD_GPU_LOOP;
  hd_gpu_transposes transposes;
  if (f->host) {
    f->vector = 1;
  } else if (hd_discardable_kind(fusion) == HD_KIND_PRODUCT) {
    schedule = HD_GPU_PRODUCT;
    const hd_gpu_tile *tile = hd_gpu_tile_of(l->target, hint);
    f->threads = tile->columns * tile->rows;
  } else if (hint == HD_SCHEDULE_TRANSPOSE &&
             hd_gpu_find_transposes(l->ctx.shapes, f->ops, &l->ctx.pass->arena, &transposes)) {
    schedule = HD_GPU_TRANSPOSE;
    f->vector = 1;
  } else if (hint == HD_SCHEDULE_PARTS && is_parts_kernel(l, set)) {
    schedule = HD_GPU_PARTS;
  } else if (row && hd_discardable_kind(fusion) == HD_KIND_ROW) {
    int64_t least, most;
    row_bounds(l, row, &least, &most);
    bool one = most < l->target->one_warp_below;
    if (hint) one = hint == HD_SCHEDULE_ROW_ONE_ROUND;
    if (!one && least >= l->target->large_from) f->threads = l->target->block_large;
    schedule = one ? HD_GPU_ROW_ONE_ROUND : HD_GPU_ROW_TWO_ROUNDS;
    f->row_limit = row_limit(l, fusion, most);
  } else if (!row && only_ordered(set)) {
    int64_t least, most;
    row_bounds(l, only_ordered(set), &least, &most);
    bool one = most < l->target->one_warp_below;
    if (hint) one = hint == HD_SCHEDULE_ROW_ONE_ROUND;
    if (!one && least >= l->target->large_from) f->threads = l->target->block_large;
    bool is_short = hint ? hint == HD_SCHEDULE_LOOP : most < l->target->warp;
    schedule = is_short ? HD_GPU_LOOP : one ? HD_GPU_ORDERED_ONE_ROUND : HD_GPU_ORDERED_TWO_ROUNDS;
  } else if (!row && is_parts_kernel(l, set)) {
    schedule = HD_GPU_PARTS;
  }
  f->threads = hd_attr_int_or(hd_discardable_threads_attr(fusion), f->threads);
  return schedule;
}

static bool is_on_host(hd_op *op) {
  hd_attr entries = hd_placement_entries(op);
  return hd_attr_is(entries, HD_ATTR_ARRAY) && entries->array.count &&
         hd_placement_of_attr(entries->array.items[0]) == HD_PLACEMENT_HOST;
}

/* How often ops of a fusion name each buffer, stores apart. Counted there and not by the uses of buffers: one that
 * constants of many fusions are written to has uses in all of them. */
typedef struct mentions {
  hd_arena *arena;
  hd_map counts; /* of buffers */
  int by;        /* 1, or -1 for ops that go */
} mentions;

static bool mention(hd_op *op, void *user) {
  mentions *m = user;
  if (hd_op_is(op, HD_OP_memref_store) || hd_op_is(op, HD_OP_memref_atomic_rmw)) return true;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_type_is(hd_operand_type(op, i), HD_TYPE_MEMREF))
      hd_map_insert(m->arena, &m->counts, hd_operand(op, i), NULL)->value.i64 += m->by;
  return true;
}

static mentions mentions_in(legalizer *l, hd_op *fusion) {
  mentions m = {.arena = &l->ctx.pass->arena, .by = 1};
  hd_walk_pre(fusion, mention, &m);
  m.by = -1;
  return m;
}

/* Does an op or a loop of |op|'s fusion other than itself read what |op| writes? */
static bool is_read_inside(const mentions *m, hd_op *op) {
  for (uint32_t o = 0; o < hd_buffer_output_count(op); ++o) {
    hd_value *output = hd_buffer_output(op, o);
    hd_map_entry *all = hd_map_find(&m->counts, output);
    int64_t own = 0;
    for (uint32_t i = 0; i < op->operand_count; ++i) own += hd_operand(op, i) == output;
    if (all && all->value.i64 > own) return true;
  }
  return false;
}

/* |apart| computes for itself what |fusion| computes where it is read: |copied| has what it does already. */
static void copy_inline(legalizer *l, const hd_kernel_set *set, hd_op *reader, hd_op *apart, hd_map *copied) {
  for (uint32_t i = 0; i < hd_buffer_input_count(reader); ++i) {
    hd_op *writer = hd_map_get(&set->writers, hd_operand(reader, i));
    if (!writer || !hd_discardable_inline(writer) || hd_map_get(copied, writer)) continue;
    copy_inline(l, set, writer, apart, copied);
    hd_op *copy = hd_op_clone(l->ctx.pass->module, writer, &l->ctx.pass->arena, NULL);
    hd_map_set(&l->ctx.pass->arena, copied, writer, copy);
    hd_op_insert_before(copy, hd_op_region(apart, 0)->first->last);
  }
}

/* Columns beside the rows of |fusion| go to a fusion after it; what else they read of its insides it then writes. Null:
 * there are none, or atomics may do them. */
static hd_op *part_columns(legalizer *l, hd_op *fusion, const hd_kernel_set *set) {
  hd_op *apart = NULL;
  if (!l->deterministic || !first_row(set) || hd_discardable_kind(fusion) != HD_KIND_ROW) return NULL;
  mentions m = mentions_in(l, fusion);
  hd_map copied = {0};
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce || hd_is_row_reduction(op) || is_read_inside(&m, op)) continue;
    if (!apart) {
      hd_builder after = hd_builder_after(fusion);
      after.loc = fusion->loc;
      apart = hd_empty_fusion(after, HD_KIND_LOOP);
    }
    hd_walk_pre(op, mention, &m);
    copy_inline(l, set, op, apart, &copied);
    hd_op_move_before(op, hd_op_region(apart, 0)->first->last);
  }
  return apart;
}

/* Memory of the device is the host's to read by copies alone, which are calls of the runtime. */
static bool stays_in_memory(hd_op *op) {
  if (!hd_buffer_output_count(op) || hd_buffer_output(op, 0)->type->shaped.space) return true;
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (hd_type_is(hd_operand_type(op, i), HD_TYPE_MEMREF) && hd_operand_type(op, i)->shaped.space)
      return hd_op_error(op, "of the host accesses memory of the device: disc-lower-to-library-calls comes before");
  return true;
}

static bool emit_product(hd_gpu_frame *f, hd_op *fusion, const hd_kernel_set *set) {
  hd_product product;
  hd_op *op = hd_kernel_product(set);
  if (!op || !hd_gpu_tiles_product(op) || !hd_product_of(op, &product) || !hd_is_plain_product(set, op))
    return hd_op_error(fusion, "holds more than a product of numbers and a transpose of it, or none");
  return hd_gpu_emit_product(f, &product, &set->writers, hd_discardable_schedule(fusion));
}

static bool legalize(legalizer *l, hd_op *fusion) {
  hd_kernel_set set = {0};
  hd_kernel_collect(fusion, &l->ctx.pass->arena, &set);
  hd_op *apart = part_columns(l, fusion, &set);
  if (apart) return legalize(l, fusion) && legalize(l, apart);
  if (!set.outputs.len) { /* nobody reads what it writes */
    hd_op_erase(fusion);
    l->ctx.pass->changed = true;
    return true;
  }
  for (size_t i = 0; i < set.ops.len; ++i)
    if (!stays_in_memory(set.ops.data[i])) return false;
  if (!set.outputs.data[0]->type->shaped.space && hd_is_host_arithmetic(&set)) {
    l->ctx.pass->changed = true;
    return hd_lower_host_arithmetic(&l->ctx, fusion, &set);
  }
  for (size_t i = 0; i < set.ops.len; ++i)
    if (!hd_can_generate(set.ops.data[i])) return hd_op_error(set.ops.data[i], "has no GPU schedule inside a fusion");
  hd_arena *arena = &l->ctx.pass->arena;
  hd_kernel_ops ops = {set.ops.data, set.ops.len, set.outputs.data, set.outputs.len};
  hd_builder b = hd_builder_before(hd_op_region(fusion, 0)->first->last);
  b.loc = fusion->loc;
  host_place host = {&l->ctx, hd_builder_before(fusion), fusion, {0}};
  hd_gpu_frame f = {.target = l->target, .ops = &ops};
  hd_generator_init_direct(&f.g, l->ctx.shapes, &b, host_dim, &host, arena);
  for (size_t o = 0; o < set.outputs.len; ++o)
    hd_map_set(arena, &f.g.writers, set.outputs.data[o], hd_map_get(&set.writers, set.outputs.data[o]));
  hd_op *update = hd_update_of(&set);
  bool in_place = update && hd_operand(update, 0) == hd_buffer_output(update, 0);
  if (in_place) f.g.writers = (hd_map){0};
  f.host = is_on_host(set.ops.data[0]);
  hd_gpu_schedule schedule = choose(l, fusion, &set, &f);
  if (f.threads < l->target->warp || f.threads > l->target->block_limit || (f.threads & (f.threads - 1)))
    return hd_op_error(fusion, "has %lld threads a block, expected a power of two from %lld to %lld",
                       (long long)f.threads, (long long)l->target->warp, (long long)l->target->block_limit);
  static const char *const kinds[] = {"loop", "row", "row", "row", "row", "column", "tile", "product"};
  f.name = hd_kernel_name(&l->ctx, kinds[schedule], set.ops.data, set.ops.len);
  bool ok = false;
  switch (schedule) {
    case HD_GPU_LOOP:
      ok = in_place ? hd_gpu_emit_update(&f, update) : hd_gpu_emit_loop(&f);
      break;
    case HD_GPU_ROW_TWO_ROUNDS:
    case HD_GPU_ROW_ONE_ROUND: {
      bool columns;
      if (!all_columns(l, &set, hd_operand(first_row(&set), 0), &columns))
        return hd_op_error(fusion, "has a reduction that its rows cannot take along");
      ok = hd_gpu_emit_rows(&f, schedule == HD_GPU_ROW_TWO_ROUNDS);
      break;
    }
    case HD_GPU_ORDERED_TWO_ROUNDS:
    case HD_GPU_ORDERED_ONE_ROUND:
      ok = hd_gpu_emit_ordered_rows(&f, only_ordered(&set), schedule == HD_GPU_ORDERED_TWO_ROUNDS);
      break;
    case HD_GPU_PARTS:
      ok = hd_gpu_emit_parts(&f, l->deterministic);
      break;
    case HD_GPU_TRANSPOSE: {
      hd_gpu_transposes transposes;
      ok = hd_gpu_find_transposes(l->ctx.shapes, &ops, &l->ctx.pass->arena, &transposes) &&
           hd_gpu_emit_transposes(&f, &transposes);
      break;
    }
    case HD_GPU_PRODUCT:
      ok = emit_product(&f, fusion, &set);
      break;
  }
  if (!ok) return false;
  mentions m = mentions_in(l, fusion);
  for (size_t i = set.ops.len; i-- > 0;) {
    if (is_read_inside(&m, set.ops.data[i])) continue;
    hd_walk_pre(set.ops.data[i], mention, &m);
    hd_op_erase(set.ops.data[i]);
  }
  l->ctx.pass->changed = true;
  return true;
}

/* An op with a schedule of its own, which goes into host code: some of them are loops of launches. */
static bool legalize_single(legalizer *l, hd_op *op) {
  hd_block *loops = hd_block_create(l->ctx.pass->module); /* apart, so that sizes come before all of them */
  hd_builder b = hd_builder_at_end(l->ctx.pass->module, loops);
  b.loc = op->loc;
  host_place host = {&l->ctx, hd_builder_before(op), op, {0}};
  hd_gpu_frame f = {.target = l->target, .threads = l->target->block_small, .vector = 1, .host = is_on_host(op)};
  hd_generator_init_direct(&f.g, l->ctx.shapes, &b, host_dim, &host, &l->ctx.pass->arena);
  f.name = hd_kernel_name(&l->ctx, "loop", &op, 1);
  bool ok;
  switch (hd_buffer_opcode(op)) {
    case HD_OP_stablehlo_scatter:
      ok = hd_gpu_emit_scatter(&f, op, l->deterministic || f.host);
      break;
    case HD_OP_stablehlo_sort:
      ok = hd_gpu_emit_sort(&f, op);
      break;
    default:
      ok = hd_gpu_emit_window_scatter(&f, op);
  }
  if (!ok) return false;
  hd_block_splice(loops, op->block, op);
  hd_op_erase(op);
  l->ctx.pass->changed = true;
  return true;
}

static bool legalize_block(legalizer *l, hd_block *block) {
  hd_for_each_op_safe(op, block) {
    if (hd_op_is(op, HD_OP_lmhlo_fusion)) {
      bool is_done = hd_fusion_has_loops(op) || hd_discardable_kind(op) == HD_KIND_GEMM;
      if (!is_done && !legalize(l, op)) return false;
      continue;
    }
    if (hd_op_is(op, HD_OP_lmhlo_copy) && hd_operand(op, 0) == hd_operand(op, 1)) { /* updates in place, nothing */
      hd_op_erase(op);
      l->ctx.pass->changed = true;
      continue;
    }
    if (op->info->derived_from) {
      if (hd_buffer_reads_own_output(op))
        return hd_op_error(op, "reads what it writes: a kernel of the device needs another buffer to write");
      if (hd_gpu_has_schedule(op) ? !legalize_single(l, op)
                                  : hd_can_generate(op) && !legalize(l, hd_wrap_in_fusion(op, HD_KIND_LOOP)))
        return false;
      continue;
    }
    for (uint32_t r = 0; r < op->region_count; ++r)
      hd_for_each_block(inner, hd_op_region(op, r))
        if (!legalize_block(l, inner)) return false;
  }
  return true;
}

bool hd_pass_lhlo_legalize_to_loop(hd_pass *pass, hd_op *func) {
  legalizer l = {.ctx = {.pass = pass, .shapes = hd_pass_shapes(pass, func), .func = func},
                 .target = pass->target->gpu,
                 .deterministic = hd_option_bool(pass, "deterministic")};
  hd_for_each_block(block, hd_op_region(func, 0))
    if (!legalize_block(&l, block)) return false;
  return true;
}
