/* SPDX-License-Identifier: Apache-2.0 */
/* disc-specialize-fusion-with-speculation, products: thin tiles for few rows, large
 * ones where there are enough for a device. */
#include "codegen/emit/gpu/schedules.h"
#include "ir/ops/arith.h"
#include "ir/ops/discardable.h"
#include "passes/gpu/specializer.h"

/* What the host can tell of a condition before it runs: that it never holds, that it always does, or how to ask. */
typedef struct answer {
  bool never;
  hd_value *ask; /* null: never or always */
} answer;

static bool ask_size(hd_specializer *s, hd_op *fusion, hd_dim size, bool at_most, int64_t bound, answer *out) {
  int64_t least = size ? hd_dim_lower(size) : 0, most = size ? hd_dim_upper(size) : INT64_MAX;
  bool always = at_most ? most <= bound : least >= bound;
  *out = (answer){.never = !size || (at_most ? least > bound : most < bound)};
  if (out->never || always) return true;
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *known = hd_host_dim(&s->ctx, &b, size, fusion);
  if (known)
    out->ask = hd_arith_cmpi(&b, at_most ? HD_ARITH_CMPI_ULE : HD_ARITH_CMPI_UGE, known, hd_build_index(&b, bound));
  return known != NULL;
}

/* Is |size| a multiple of |tile|? */
static bool ask_multiple(hd_specializer *s, hd_op *fusion, hd_dim size, int64_t tile, answer *out) {
  int64_t number;
  bool always = size && hd_dim_divisor(&s->ctx.shapes->table, size) % tile == 0;
  *out = (answer){.never = !size || (!always && hd_dim_is_const(&s->ctx.shapes->table, size, &number))};
  if (out->never || always) return true;
  hd_builder b = hd_builder_before(fusion);
  b.loc = fusion->loc;
  hd_value *known = hd_host_dim(&s->ctx, &b, size, fusion);
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
static void add_tiles(hd_specializer *s, hd_op **fusion, hd_enum_schedule schedule, answer when) {
  if (when.never) return;
  hd_builder b = hd_builder_before(*fusion);
  b.loc = (*fusion)->loc;
  hd_op *version = when.ask ? hd_specialize_fork(s, &b, when.ask, *fusion) : *fusion;
  hd_discardable_set_schedule(version, schedule);
  s->ctx.pass->changed = true;
  if (!when.ask) *fusion = NULL;
}

/* Are there enough large tiles to keep a device busy, of all matrices together, and
 * does the result fill more than half of one? */
static bool ask_large(hd_specializer *s, hd_op *fusion, const hd_product *p, int64_t height, int64_t width,
                      answer *out) {
  enum { ENOUGH_TILES = 128 };
  hd_dim_table *t = &s->ctx.shapes->table;
  hd_dim rows = hd_gpu_product_size(s->ctx.shapes, p, true), columns = hd_gpu_product_size(s->ctx.shapes, p, false),
         tiles = hd_dim_const(t, p->feature_groups * p->batch_groups);
  for (uint32_t i = 0; i < p->batch_count; ++i)
    tiles = hd_dim_mul(t, tiles, hd_shapes_dim(s->ctx.shapes, p->out, p->batch[i]));
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

/* Has a result of few rows few columns or terms too, since they are one dim? Then it is little work on any tiles. */
static bool is_little(hd_specializer *s, const hd_product *p) {
  hd_dim_table *t = &s->ctx.shapes->table;
  hd_dim rows = hd_gpu_product_size(s->ctx.shapes, p, true), columns = hd_gpu_product_size(s->ctx.shapes, p, false),
         terms = hd_gpu_product_terms(s->ctx.shapes, p);
  return rows && ((columns && hd_dim_equal(t, rows, columns)) || (terms && hd_dim_equal(t, rows, terms)));
}

/* Large tiles read least, and pay where they keep a device busy; sums of eight bytes would take all of a thread's
 * registers. Where they are whole along columns and terms nothing is checked that differs from one thread to the next;
 * of terms that are known to be, the loop over them checks nothing anyhow. */
bool hd_specialize_product(hd_specializer *s, hd_op *fusion) {
  enum { MOST_LARGE_BYTES = 4 };
  const hd_gpu_tile *thin = &s->target->thin, *large = &s->target->large;
  hd_product p;
  hd_op *product = NULL;
  hd_for_each_op(op, hd_op_region(fusion, 0)->first)
    if (hd_gpu_tiles_product(op)) product = op;
  if (!product || !hd_product_of(product, &p) || hd_discardable_schedule_attr(fusion)) return true;
  hd_shapes *shapes = s->ctx.shapes;
  int64_t width = large->columns * large->own_columns, height = large->rows * large->own_rows * large->strips;
  answer few, enough, whole, terms;
  if (!ask_size(s, fusion, hd_gpu_product_size(shapes, &p, true), true, thin->rows * thin->own_rows * thin->strips,
                &few))
    return false;
  if (!few.ask || !is_little(s, &p)) add_tiles(s, &fusion, HD_SCHEDULE_TILE_THIN, few);
  if (fusion && hd_type_element_bytes(hd_type_element(p.out->type)) <= MOST_LARGE_BYTES) {
    if (!ask_large(s, fusion, &p, height, width, &enough) ||
        !ask_multiple(s, fusion, hd_gpu_product_size(shapes, &p, false), width, &whole) ||
        !ask_multiple(s, fusion, hd_gpu_product_terms(shapes, &p), large->depth, &terms))
      return false;
    bool by_terms = terms.ask != NULL;
    whole = both(fusion, whole, terms);
    if (by_terms && whole.ask) add_tiles(s, &fusion, HD_SCHEDULE_TILE_LARGE_WHOLE, both(fusion, enough, whole));
  }
  if (fusion && hd_type_element_bytes(hd_type_element(p.out->type)) <= MOST_LARGE_BYTES) {
    if (!ask_large(s, fusion, &p, height, width, &enough)) return false;
    add_tiles(s, &fusion, HD_SCHEDULE_TILE_LARGE, enough);
  }
  if (fusion) add_tiles(s, &fusion, HD_SCHEDULE_TILE_SMALL, (answer){0});
  return true;
}
