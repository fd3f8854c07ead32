/* SPDX-License-Identifier: Apache-2.0 */
/* disc-specialize-fusion-with-speculation: versions of a fusion for what only the run tells, chosen on the host.
 *
 *   "lmhlo.fusion"() ({...})     ->   scf.if %condition { fusion for this case } else { the fusion as it was }
 *
 *   broadcasts   candidates have dims that are not known to differ nor known to agree with the result's. If all agree at
 *                run time: a version without these broadcasts, or, where the ranks differ, one that need not ask for each
 *                element whether a dim is 1 (hd.agrees; not on the CPU)
 *   rows         by the size of a row and the target's thresholds: one warp a row, a block, a large block; a thread for
 *                rows of less than a warp that are reduced in the order of their elements (argmax); parts where few
 *                rows are long and nothing but their reductions is wanted
 *   transposes   if both dims that a transpose exchanges are at least half a tile: through shared memory
 *   products     by the size of the result: thin tiles for few rows, large ones where there are enough for a device, small ones
 *   vectors      if the width of a load divides what a thread goes along: each thread has as many neighbours. That is all
 *                elements where everything is read where it is written, the last dim beside broadcasts, a row in row
 *                kernels
 *
 * What is known at compile time makes no version: the fusion is marked (hd.schedule, hd.threads, hd.vector) and no
 * more. Every version has temporary buffers of its own, which go when it is lowered. The CPU has the first
 * kind alone: its row kernels take rows of any size, its loops end in a masked tail.
 *
 * Versions are kernels by themselves. On the CPU all kernels compile in parallel; on a GPU each is a module, which the
 * runtime loads when it is first launched. So a version that is never taken costs no time of a run. */
#include "analysis/indexing/of_op.h"
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/reduction.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "passes/analyses.h"
#include "passes/kernel/lowering.h"

enum { MAX_VECTOR = 16, MAX_VECTOR_CODE = 384 /* ops times elements */ };

typedef struct specializer {
  hd_lowering z;
  hd_indexing *indexing;
  const hd_gpu_target *target; /* null: the CPU */
} specializer;

/* A copy of |fusion| with temporary buffers of its own, at the start of |block|. */
static hd_op *copy_into(specializer *s, hd_op *fusion, hd_block *block) {
  hd_module *module = s->z.pass->module;
  hd_arena *arena = &s->z.pass->arena;
  hd_kernel_set set = {0};
  hd_kernel_collect(&s->z, fusion, &set);
  hd_map map = {0};
  for (size_t i = 0; i < set.ops.len; ++i)
    for (uint32_t o = 0; o < hd_buffer_output_count(set.ops.data[i]); ++o) {
      hd_value *buffer = hd_buffer_output(set.ops.data[i], o);
      bool output = false;
      for (size_t k = 0; k < set.outputs.len; ++k) output |= set.outputs.data[k] == buffer;
      hd_op *alloc = hd_value_op(buffer);
      if (output || !hd_op_is(alloc, HD_OP_memref_alloc) || hd_map_find(&map, buffer)) continue;
      hd_op *own = hd_op_clone(module, alloc, arena, NULL);
      hd_op_insert_after(own, alloc);
      const hd_value_shape *shape = hd_shapes_get(s->z.shapes, buffer);
      hd_shapes_set_dims(s->z.shapes, hd_result(own, 0), shape->dims, shape->rank);
      hd_map_set(arena, &map, buffer, hd_result(own, 0));
    }
  hd_op *copy = hd_op_clone(module, fusion, arena, &map);
  hd_op_prepend(copy, block);
  return copy;
}

/* scf.if |condition| before |fusion|: the new version is given, the old one moves into the other branch. */
static hd_op *fork_version(specializer *s, hd_builder *b, hd_value *condition, hd_op *fusion) {
  hd_op *branch = hd_build_if(b, condition, NULL, 0, true);
  for (uint32_t r = 0; r < 2; ++r) {
    hd_block *block = hd_op_region(branch, r)->first;
    hd_builder end = hd_builder_at_end(b->module, block);
    if (!block->last) hd_build_yield(&end, NULL, 0);
  }
  hd_op *copy = copy_into(s, fusion, hd_op_region(branch, 0)->first);
  hd_op_unlink(fusion);
  hd_op_prepend(fusion, hd_op_region(branch, 1)->first);
  s->z.pass->changed = true;
  return copy;
}

static void mark_rows(hd_op *fusion, const char *schedule, int64_t threads) {
  hd_discardable_set_schedule(fusion, schedule);
  hd_discardable_set_threads(fusion, threads);
}

static hd_op *first_row_reduction(hd_op *fusion) {
  hd_for_each_op(op, hd_op_region(fusion, 0)->first) if (op->info->derived_from && hd_is_row_reduction(op)) return op;
  return NULL;
}

static hd_op *ordered_reduction(hd_op *fusion) {
  hd_for_each_op(
      op, hd_op_region(fusion, 0)->first) if (op->info->derived_from && hd_gpu_is_ordered_reduction(op)) return op;
  return NULL;
}

/* Does nothing in |fusion| read what its reductions give? */
static bool only_reduces(hd_op *fusion) {
  hd_for_each_op(op, hd_op_region(fusion, 0)->first) {
    if (hd_buffer_opcode(op) != HD_OP_stablehlo_reduce) continue;
    if (!hd_is_row_reduction(op)) return false;
    hd_for_each_use(use, hd_buffer_output(op, 0)) if (use->owner != op && use->owner->block == op->block) return false;
  }
  return true;
}

/* Few rows, each long enough for many blocks. */
static bool specialize_parts(specializer *s, hd_op *fusion) {
  enum { LONG_ROW = 65536, FEW_ROWS = 64 };
  hd_op *reduce = first_row_reduction(fusion);
  if (!reduce || hd_discardable_schedule_attr(fusion) || !only_reduces(fusion)) return true;
  hd_dim_table *t = &s->z.shapes->table;
  uint32_t rank = hd_type_rank(hd_operand_type(reduce, 0)),
           count = (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(reduce));
  hd_dim inner = hd_gpu_reduced_size(s->z.shapes, reduce), rows = hd_dim_const(t, 1);
  for (uint32_t d = 0; d < rank - count; ++d)
    rows = hd_dim_mul(t, rows, hd_shapes_dim(s->z.shapes, hd_operand(reduce, 0), d));
  if (!inner || !rows || hd_dim_upper(inner) < LONG_ROW || hd_dim_lower(rows) > FEW_ROWS) return true;
  bool is_long = hd_dim_lower(inner) >= LONG_ROW, are_few = hd_dim_upper(rows) <= FEW_ROWS;
  if (is_long && are_few) {
    mark_rows(fusion, "parts", s->target->block_small);
    s->z.pass->changed = true;
    return true;
  }
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *row = hd_host_dim(&s->z, &b, inner, fusion), *number = hd_host_dim(&s->z, &b, rows, fusion);
  if (!row || !number) return false;
  hd_value *condition = hd_arith_cmpi(&b, HD_ARITH_CMPI_UGE, row, hd_build_index(&b, LONG_ROW));
  if (!are_few)
    condition = hd_build(&b, HD_OP_arith_andi, condition->type, condition,
                         hd_arith_cmpi(&b, HD_ARITH_CMPI_ULE, number, hd_build_index(&b, FEW_ROWS)));
  mark_rows(fork_version(s, &b, condition, fusion), "parts", s->target->block_small);
  return true;
}

static bool specialize_rows(specializer *s, hd_op *fusion) {
  hd_op *reduce = first_row_reduction(fusion);
  bool ordered = !reduce;
  if (ordered) reduce = ordered_reduction(fusion);
  if (!reduce || hd_discardable_schedule_attr(fusion)) return true;
  hd_dim_table *t = &s->z.shapes->table;
  uint32_t rank = hd_type_rank(hd_operand_type(reduce, 0)),
           count = (uint32_t)hd_attr_count(hd_stablehlo_reduce_dimensions(reduce));
  hd_dim inner = hd_dim_const(t, 1);
  for (uint32_t d = rank - count; d < rank; ++d)
    inner = hd_dim_mul(t, inner, hd_shapes_dim(s->z.shapes, hd_operand(reduce, 0), d));
  if (!inner) return true;
  int64_t least = hd_dim_lower(inner), most = hd_dim_upper(inner), warp = s->target->one_warp_below,
          large = s->target->large_from;
  bool may_large = most >= large && s->target->block_large != s->target->block_small;
  if (ordered && most < s->target->warp) {
    mark_rows(fusion, "loop", s->target->block_small); /* a thread has a row: in a warp most would have nothing */
    return true;
  }
  if (most < warp && !(ordered && least < s->target->warp)) {
    mark_rows(fusion, "row-one-round", s->target->block_small);
    return true;
  }
  if (least >= large || (least >= warp && !may_large)) {
    mark_rows(fusion, "row-two-rounds", least >= large ? s->target->block_large : s->target->block_small);
    return true;
  }
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *size = hd_host_dim(&s->z, &b, inner, fusion);
  if (!size) return false;
  if (ordered && least < s->target->warp) {
    hd_op *tiny =
        fork_version(s, &b, hd_arith_cmpi(&b, HD_ARITH_CMPI_ULT, size, hd_build_index(&b, s->target->warp)), fusion);
    mark_rows(tiny, "loop", s->target->block_small);
    if (most < warp) {
      mark_rows(fusion, "row-one-round", s->target->block_small);
      return true;
    }
    b = hd_builder_before(fusion);
    b.loc = fusion->loc;
  }
  if (least < warp) {
    hd_op *small = fork_version(s, &b, hd_arith_cmpi(&b, HD_ARITH_CMPI_ULT, size, hd_build_index(&b, warp)), fusion);
    mark_rows(small, "row-one-round", s->target->block_small);
  }
  if (may_large) {
    hd_builder at = hd_builder_before(fusion);
    at.loc = fusion->loc;
    hd_op *version =
        fork_version(s, &at, hd_arith_cmpi(&at, HD_ARITH_CMPI_UGE, size, hd_build_index(&at, large)), fusion);
    mark_rows(version, "row-two-rounds", s->target->block_large);
  }
  mark_rows(fusion, "row-two-rounds", s->target->block_small);
  return true;
}

/* ---- vectors ---- */

/* Does |op| read its first operand at the index of its result, or one element of it? */
static bool reads_in_place(specializer *s, hd_op *op) {
  hd_index_maps *maps = hd_new_array(&s->z.pass->arena, hd_index_maps, op->operand_count);
  if (!hd_index_output_to_input(s->indexing, op, 0, maps) || maps[0].len != 1) return false;
  const hd_index_map *map = maps[0].data[0];
  bool one = !map->range_count && !map->runtime_count;
  for (uint32_t d = 0; d < map->result_count; ++d) one &= map->results[d]->kind == HD_AFFINE_CONST;
  return one || hd_index_map_is_identity(map);
}

/* Loops of elementwise ops alone: others would repeat their own loops. |*out_flat|: all is read at the position at
 * which it is written, or is one element. */
static bool is_elementwise(specializer *s, const hd_kernel_set *set, bool *out_flat) {
  *out_flat = true;
  for (size_t i = 0; i < set->ops.len; ++i) {
    hd_op *op = set->ops.data[i];
    switch (hd_buffer_opcode(op)) {
      case HD_OP_stablehlo_broadcast_in_dim:
      case HD_OP_stablehlo_dynamic_broadcast_in_dim:
        *out_flat &= reads_in_place(s, op);
        continue;
      case HD_OP_stablehlo_constant: /* of one value */
        continue;
      default:
        break;
    }
    if (!hd_is_elementwise(op)) return false;
  }
  return true;
}

/* The most bytes that an element of |set|'s outputs and of |full|, where it is not null, takes. */
static int64_t element_bytes(const hd_kernel_set *set, hd_value *full) {
  size_t bytes = full ? hd_type_element_bytes(hd_type_element(full->type)) : 1;
  for (size_t o = 0; o < set->outputs.len; ++o) {
    size_t own = hd_type_element_bytes(hd_type_element(set->outputs.data[o]->type));
    bytes = own > bytes ? own : bytes;
  }
  return (int64_t)bytes;
}

static void mark_vectors(hd_op *fusion, int64_t width, const char *of) {
  hd_discardable_set_vector(fusion, width);
  hd_discardable_set_vector_of(fusion, of);
}

/* Marks |fusion| with the widest vectors that divide |size|, or makes a version for |width|. |*out|: the version where
 * the width divides, which may be |fusion|; null when there is none. */
static bool vectors_of(specializer *s, hd_op *fusion, int64_t width, hd_dim size, const char *of, hd_op **out) {
  hd_dim_table *t = &s->z.shapes->table;
  int64_t divisor = hd_dim_divisor(t, size), known;
  bool is_known = hd_dim_is_const(t, size, &known);
  *out = NULL;
  while (is_known && width > 1 && divisor % width) width /= 2;
  if (width < 2) return true;
  if (divisor % width == 0) {
    mark_vectors(fusion, width, of);
    s->z.pass->changed = true;
    *out = fusion;
    return true;
  }
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *elements = hd_host_dim(&s->z, &b, size, fusion);
  if (!elements) return false;
  hd_value *rest = hd_build(&b, HD_OP_arith_remui, elements->type, elements, hd_build_index(&b, width));
  *out = fork_version(s, &b, hd_arith_cmpi(&b, HD_ARITH_CMPI_EQ, rest, hd_build_index(&b, 0)), fusion);
  mark_vectors(*out, width, of);
  return true;
}

/* How many neighbours a thread of |set|'s kernel has, each of |bytes|. */
static int64_t vector_width(const specializer *s, const hd_kernel_set *set, int64_t bytes) {
  int64_t width = s->target->vector_bytes / bytes;
  if (width > MAX_VECTOR) width = MAX_VECTOR;
  while (width > 1 && (int64_t)set->ops.len * width > MAX_VECTOR_CODE) width /= 2;
  return width;
}

static bool specialize_vectors(specializer *s, hd_op *fusion) {
  hd_kernel_set set = {0};
  hd_kernel_collect(&s->z, fusion, &set);
  bool flat;
  if (!set.outputs.len || hd_discardable_vector_attr(fusion) || !set.outputs.data[0]->type->shaped.space ||
      !is_elementwise(s, &set, &flat))
    return true;
  hd_value *root = set.outputs.data[0];
  uint32_t rank = hd_type_rank(root->type);
  if (!rank) return true;
  for (size_t o = 1; o < set.outputs.len; ++o)
    if (hd_type_rank(set.outputs.data[o]->type) != rank || !hd_shapes_same(s->z.shapes, root, set.outputs.data[o]))
      return true;
  hd_dim size = flat ? hd_shapes_num_elements(s->z.shapes, root) : hd_shapes_dim(s->z.shapes, root, rank - 1);
  hd_op *version;
  return !size ||
         vectors_of(s, fusion, vector_width(s, &set, element_bytes(&set, NULL)), size, flat ? "all" : "rows", &version);
}

/* Rows of one dim: a thread has neighbours of it. |*out| as vectors_of gives it. */
static bool specialize_row_vectors(specializer *s, hd_op *fusion, hd_op **out) {
  *out = NULL;
  hd_op *reduce = first_row_reduction(fusion);
  if (!reduce || hd_discardable_vector_attr(fusion) || hd_attr_count(hd_stablehlo_reduce_dimensions(reduce)) != 1)
    return true;
  hd_kernel_set set = {0};
  hd_kernel_collect(&s->z, fusion, &set);
  hd_value *full = hd_operand(reduce, 0);
  int64_t width = vector_width(s, &set, element_bytes(&set, full));
  hd_dim row = hd_shapes_dim(s->z.shapes, full, hd_type_rank(full->type) - 1);
  /* A warp has a row's elements at once: with vectors some of its threads would have none. */
  if (hd_dim_upper(row) < s->target->warp * width) return true;
  return vectors_of(s, fusion, width, row, "rows", out);
}

/* ---- transposes ---- */

/* Tiles of 32 by 32 pay from half of one on: below, most threads of a block would have nothing. */
static bool specialize_transposes(specializer *s, hd_op *fusion) {
  enum { LEAST = 16 };
  hd_kernel_set set = {0};
  hd_kernel_collect(&s->z, fusion, &set);
  hd_kernel_ops ops = {set.ops.data, set.ops.len, set.outputs.data, set.outputs.len};
  hd_gpu_transposes found;
  if (hd_discardable_schedule_attr(fusion) || !set.outputs.len || !set.outputs.data[0]->type->shaped.space ||
      hd_update_of(&set) || !hd_gpu_find_transposes(s->z.shapes, &ops, &found))
    return true;
  hd_value *root = set.outputs.data[0], *condition = NULL;
  hd_dim sizes[2] = {hd_shapes_dim(s->z.shapes, root, found.dim),
                     hd_shapes_dim(s->z.shapes, root, hd_type_rank(root->type) - 1)};
  for (int i = 0; i < 2; ++i)
    if (hd_dim_upper(sizes[i]) < LEAST) return true;
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  for (int i = 0; i < 2; ++i) {
    if (hd_dim_lower(sizes[i]) >= LEAST) continue;
    hd_value *size = hd_host_dim(&s->z, &b, sizes[i], fusion);
    if (!size) return false;
    hd_value *enough = hd_arith_cmpi(&b, HD_ARITH_CMPI_UGE, size, hd_build_index(&b, LEAST));
    condition = condition ? hd_build_binary(&b, HD_OP_arith_andi, condition, enough) : enough;
  }
  mark_rows(condition ? fork_version(s, &b, condition, fusion) : fusion, "transpose", 2 * s->target->block_small);
  s->z.pass->changed = true;
  return true;
}

/* ---- products ---- */

/* What the host can tell of a condition before it runs: that it never holds, that it always does, or how to ask. */
typedef struct answer {
  bool never;
  hd_value *ask; /* null: never or always */
} answer;

static bool ask_size(specializer *s, hd_op *fusion, hd_dim size, bool at_most, int64_t bound, answer *out) {
  int64_t least = size ? hd_dim_lower(size) : 0, most = size ? hd_dim_upper(size) : INT64_MAX;
  bool always = at_most ? most <= bound : least >= bound;
  *out = (answer){.never = !size || (at_most ? least > bound : most < bound)};
  if (out->never || always) return true;
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *known = hd_host_dim(&s->z, &b, size, fusion);
  if (known)
    out->ask = hd_arith_cmpi(&b, at_most ? HD_ARITH_CMPI_ULE : HD_ARITH_CMPI_UGE, known, hd_build_index(&b, bound));
  return known != NULL;
}

/* Is |size| a multiple of |tile|? */
static bool ask_multiple(specializer *s, hd_op *fusion, hd_dim size, int64_t tile, answer *out) {
  int64_t number;
  bool always = size && hd_dim_divisor(&s->z.shapes->table, size) % tile == 0;
  *out = (answer){.never = !size || (!always && hd_dim_is_const(&s->z.shapes->table, size, &number))};
  if (out->never || always) return true;
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *known = hd_host_dim(&s->z, &b, size, fusion);
  if (!known) return false;
  hd_value *rest = hd_build_binary(&b, HD_OP_arith_remui, known, hd_build_index(&b, tile));
  out->ask = hd_arith_cmpi(&b, HD_ARITH_CMPI_EQ, rest, hd_build_index(&b, 0));
  return true;
}

static answer both(hd_op *fusion, answer x, answer y) {
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  if (x.never || y.never) return (answer){.never = true};
  return (answer){.ask = x.ask && y.ask ? hd_build_binary(&b, HD_OP_arith_andi, x.ask, y.ask) : x.ask ? x.ask : y.ask};
}

/* The version of |*fusion| with |schedule| where |when| holds; what is left in |*fusion|, null where nothing is. */
static void add_tiles(specializer *s, hd_op **fusion, const char *schedule, answer when) {
  if (when.never) return;
  hd_builder b = hd_builder_before(*fusion);
  b.loc = (*fusion)->loc;
  hd_op *version = when.ask ? fork_version(s, &b, when.ask, *fusion) : *fusion;
  hd_discardable_set_schedule(version, schedule);
  s->z.pass->changed = true;
  if (!when.ask) *fusion = NULL;
}

/* Are there enough large tiles to keep a device busy, of all matrices together, and does the result fill more than half of one? */
static bool ask_large(specializer *s, hd_op *fusion, const hd_product *p, int64_t height, int64_t width, answer *out) {
  enum { ENOUGH_TILES = 128 };
  hd_dim_table *t = &s->z.shapes->table;
  hd_dim rows = hd_gpu_product_size(s->z.shapes, p, true), columns = hd_gpu_product_size(s->z.shapes, p, false),
         tiles = hd_dim_const(t, p->feature_groups * p->batch_groups);
  for (uint32_t i = 0; i < p->batch_count; ++i)
    tiles = hd_dim_mul(t, tiles, hd_shapes_dim(s->z.shapes, p->out, p->batch[i]));
  tiles = hd_dim_mul(t, tiles, hd_dim_ceildiv(t, rows, hd_dim_const(t, height)));
  tiles = hd_dim_mul(t, tiles, hd_dim_ceildiv(t, columns, hd_dim_const(t, width)));
  answer high, wide;
  if (!ask_size(s, fusion, rows, false, height / 2 + 1, &high) ||
      !ask_size(s, fusion, columns, false, width / 2 + 1, &wide) ||
      !ask_size(s, fusion, tiles, false, ENOUGH_TILES, out))
    return false;
  *out = both(fusion, *out, both(fusion, high, wide));
  return true;
}

/* Large tiles read least, and pay where they keep a device busy; sums of eight bytes would take all of a thread's registers. Where they
 * are whole along columns and terms nothing is checked that differs from one thread to the next. */
static bool specialize_product(specializer *s, hd_op *fusion) {
  enum { MOST_LARGE_BYTES = 4 };
  const hd_gpu_tile *thin = &s->target->thin, *large = &s->target->large;
  hd_product p;
  hd_op *product = NULL;
  hd_for_each_op(op, hd_op_region(fusion, 0)->first) if (hd_gpu_tiles_product(op)) product = op;
  if (!product || !hd_product_of(product, &p) || hd_discardable_schedule_attr(fusion)) return true;
  hd_shapes *shapes = s->z.shapes;
  int64_t width = large->columns * large->own_columns, height = large->rows * large->own_rows * large->strips;
  answer few, enough, whole, terms;
  if (!ask_size(s, fusion, hd_gpu_product_size(shapes, &p, true), true, thin->rows * thin->own_rows * thin->strips,
                &few))
    return false;
  add_tiles(s, &fusion, "tile-thin", few);
  if (fusion && hd_type_element_bytes(hd_type_element(p.out->type)) <= MOST_LARGE_BYTES) {
    if (!ask_large(s, fusion, &p, height, width, &enough) ||
        !ask_multiple(s, fusion, hd_gpu_product_size(shapes, &p, false), width, &whole) ||
        !ask_multiple(s, fusion, hd_gpu_product_terms(shapes, &p), large->depth, &terms))
      return false;
    whole = both(fusion, whole, terms);
    if (whole.ask) add_tiles(s, &fusion, "tile-large-whole", both(fusion, enough, whole));
  }
  if (fusion && hd_type_element_bytes(hd_type_element(p.out->type)) <= MOST_LARGE_BYTES) {
    if (!ask_large(s, fusion, &p, height, width, &enough)) return false;
    add_tiles(s, &fusion, "tile-large", enough);
  }
  if (fusion) hd_discardable_set_schedule(fusion, "tile-small");
  return true;
}

/* ---- broadcasts ---- */

/* Must dim |d| of broadcast |op|'s operand agree with the result's for the operand to be read at the same index, and
 * does only the run tell? |*out_never|: it is known not to. */
static bool is_open(specializer *s, hd_op *op, uint32_t d, bool *out_never) {
  hd_dim_table *t = &s->z.shapes->table;
  uint32_t to = (uint32_t)hd_attr_int_at(hd_op_attr_get(op, HD_NAME_broadcast_dimensions), d);
  hd_dim x = hd_shapes_dim(s->z.shapes, hd_operand(op, 0), d),
         y = hd_shapes_dim(s->z.shapes, hd_buffer_output(op, 0), to);
  int64_t one;
  *out_never = false;
  if (hd_dim_equal(t, x, y)) return false;
  *out_never =
      hd_dim_known_different(t, x, y) || hd_dim_is_const(t, x, &one); /* 1 against ?: a broadcast almost always */
  return !*out_never;
}

/* A broadcast that a version can do without: it does nothing if the dims agree (|*out_drops|), or reads each element
 * where it belongs without asking which dims are 1. The second pays on a GPU alone: on the CPU a load branches on it. */
static bool is_candidate(specializer *s, const hd_kernel_set *set, hd_op *op, bool *out_drops) {
  hd_opcode opcode = hd_buffer_opcode(op);
  if (!op->info->derived_from ||
      (opcode != HD_OP_stablehlo_broadcast_in_dim && opcode != HD_OP_stablehlo_dynamic_broadcast_in_dim))
    return false;
  hd_value *to = hd_buffer_output(op, 0);
  uint32_t rank = hd_type_rank(hd_operand_type(op, 0));
  hd_attr dims = hd_op_attr_get(op, HD_NAME_broadcast_dimensions);
  bool some = false, never_one = false, never;
  *out_drops = hd_type_rank(to->type) == rank;
  for (size_t o = 0; o < set->outputs.len; ++o) *out_drops &= set->outputs.data[o] != to; /* it must be written */
  for (uint32_t d = 0; d < rank; ++d) {
    *out_drops &= hd_attr_int_at(dims, d) == d;
    some |= is_open(s, op, d, &never);
    never_one |= never;
  }
  if (*out_drops && never_one) *out_drops = false;
  return some && (*out_drops || s->target);
}

/* The version without broadcasts, or null when there is nothing to leave out. */
static bool specialize_broadcasts(specializer *s, hd_op *fusion, hd_op **out) {
  *out = NULL;
  hd_kernel_set set = {0};
  hd_kernel_collect(&s->z, fusion, &set);
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *all = NULL;
  bool drops, never;
  hd_for_each_op(op, hd_op_region(fusion, 0)->first) {
    if (!is_candidate(s, &set, op, &drops)) continue;
    hd_value *from = hd_operand(op, 0), *to = hd_buffer_output(op, 0);
    hd_attr dims = hd_op_attr_get(op, HD_NAME_broadcast_dimensions);
    for (uint32_t d = 0; d < hd_type_rank(from->type); ++d) {
      if (!is_open(s, op, d, &never)) continue;
      hd_dim x = hd_shapes_dim(s->z.shapes, from, d),
             y = hd_shapes_dim(s->z.shapes, to, (uint32_t)hd_attr_int_at(dims, d));
      hd_value *p = hd_host_dim(&s->z, &b, x, op), *q = p ? hd_host_dim(&s->z, &b, y, op) : NULL;
      if (!q) return false;
      hd_value *same = hd_arith_cmpi(&b, HD_ARITH_CMPI_EQ, p, q);
      all = all ? hd_build(&b, HD_OP_arith_andi, same->type, all, same) : same;
    }
  }
  if (!all) return true;
  *out = fork_version(s, &b, all, fusion);
  hd_block *body = hd_op_region(*out, 0)->first;
  hd_op *original = hd_op_region(fusion, 0)->first->first;
  hd_for_each_op_safe(op, body) {
    bool candidate = is_candidate(s, &set, original, &drops); /* the copy's buffers are of the same shapes */
    original = original->next;
    if (!candidate) continue;
    if (!drops) {
      hd_discardable_set_agrees(op, true);
      continue;
    }
    hd_value *from = hd_operand(op, 0), *to = hd_buffer_output(op, 0);
    hd_op_erase(op);
    for (hd_op *reader = body->first; reader; reader = reader->next)
      for (uint32_t i = 0; i < reader->operand_count; ++i)
        if (hd_operand(reader, i) == to) hd_op_set_operand(reader, i, from);
  }
  return true;
}

static bool specialize(specializer *s, hd_op *fusion) {
  hd_op *versions[2] = {fusion, NULL};
  if (!specialize_broadcasts(s, fusion, &versions[1])) return false;
  for (int i = 0; i < 2; ++i) {
    if (!versions[i]) continue;
    if (!s->target) continue;
    hd_str kind = hd_discardable_kind(versions[i]);
    if (hd_str_is(kind, "row")) {
      hd_op *wide;
      if (!specialize_parts(s, versions[i])) return false;
      if (hd_discardable_schedule_attr(versions[i])) continue;
      if (!specialize_row_vectors(s, versions[i], &wide) || !specialize_rows(s, versions[i])) return false;
      if (wide && wide != versions[i] && !specialize_rows(s, wide)) return false;
    }
    if (hd_str_is(kind, "product") && !specialize_product(s, versions[i])) return false;
    if (hd_str_is(kind, "loop") && !specialize_transposes(s, versions[i])) return false;
    if (hd_str_is(kind, "loop") &&
        !(ordered_reduction(versions[i]) ? specialize_rows : specialize_vectors)(s, versions[i]))
      return false;
  }
  return true;
}

static bool is_fusion(const hd_op *op) { return hd_op_is(op, HD_OP_lmhlo_fusion); }

/* A transpose of the device that nothing was fused with has its versions too. */
static bool is_lone_transpose(const hd_op *op) {
  return hd_op_is(op, HD_OP_lmhlo_transpose) && !is_fusion(hd_op_parent(op)) && hd_operand_type(op, 1)->shaped.space;
}

bool hd_pass_specialize_fusion(hd_pass *pass, hd_op *func) {
  specializer s = {.z = {.pass = pass, .shapes = hd_pass_shapes(pass, func), .func = func},
                   .target = pass->target->gpu};
  s.indexing = hd_indexing_create(&pass->arena, pass->context, s.z.shapes);
  hd_op_list transposes = hd_ops_where(func, is_lone_transpose, &pass->arena);
  for (size_t i = 0; i < transposes.len && s.target; ++i) {
    hd_wrap_in_fusion(transposes.data[i], "loop");
    pass->changed = true;
  }
  hd_op_list fusions = hd_ops_where(func, is_fusion, &pass->arena);
  for (size_t i = 0; i < fusions.len; ++i)
    if (!specialize(&s, fusions.data[i])) return false;
  return true;
}
