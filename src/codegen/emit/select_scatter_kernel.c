/* SPDX-License-Identifier: Apache-2.0 */
/* select_and_scatter: an item is a place in the dims that the windows do not leave (batch and channel of a pooling), so
 * items write apart from each other. Within an item, in row-major order of the source, as the specification has it:
 *
 *   out = init
 *   for source index s:  best = the first element of the window at s; each next one takes its place unless
 *                        select(best, next)
 *     if there was one:  out[place of best] = scatter(out[place of best], source[s]) */
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/window_choice.h"

#define L hd_generator_lanes(g) /* at the place of code that g->b is now */

typedef struct pooling {
  hd_frame f;
  hd_window_op w;
  hd_lane_index item[HD_COMPILED_MAX_RANK];
} pooling;

/* Runs |body| for every index of |buffer|'s dims that are not the item's. */
static bool for_each(pooling *p, hd_value *buffer, bool (*body)(pooling *p, const hd_index_tuple *at)) {
  hd_generator *g = &p->f.g;
  hd_builder builders[HD_COMPILED_MAX_RANK], *outer[HD_COMPILED_MAX_RANK];
  hd_op *loops[HD_COMPILED_MAX_RANK];
  hd_index_tuple *at = hd_new_tuple(g, p->w.rank);
  for (uint32_t d = 0; d < p->w.rank; ++d) {
    at->at[d] = p->item[d];
    if (p->w.apart[d]) continue;
    outer[d] = g->b;
    hd_value *size = hd_generate_dim(g, hd_generator_dim_of(g, buffer, d));
    loops[d] = hd_open_carried(g, &builders[d], size, NULL, 0);
    at->at[d] = hd_lane_scalar(hd_op_region(loops[d], 0)->first->args[0]);
  }
  bool ok = body(p, at);
  for (uint32_t d = p->w.rank; d-- > 0;)
    if (!p->w.apart[d]) hd_close_carried(g, loops[d], &builders[d], outer[d], NULL, 0);
  return ok;
}

static bool fill(pooling *p, const hd_index_tuple *at) {
  hd_element value;
  return hd_generate(&p->f.g, p->w.init, hd_new_tuple(&p->f.g, 0), &value) &&
         hd_generate_store(&p->f.g, p->w.out, at, value);
}

static bool scatter(pooling *p, const hd_index_tuple *source) {
  hd_generator *g = &p->f.g;
  hd_window_choice choice;
  if (!hd_choose_in_window(g, &p->w, source, &choice)) return false;
  hd_op *branch = hd_build_if(g->b, choice.found, NULL, 0, false);
  hd_builder *around = g->b, then = hd_builder_at_end(g->b->module, hd_op_region(branch, 0)->first);
  then.loc = around->loc;
  g->b = &then;
  hd_index_tuple *to = hd_new_tuple(g, p->w.rank);
  for (uint32_t d = 0; d < p->w.rank; ++d) to->at[d] = hd_lane_scalar(choice.place[d]);
  hd_element now, result;
  bool ok = hd_generate(g, p->w.out, to, &now) && hd_scatter_in_window(g, &p->w, now, source, &result) &&
            hd_generate_store(g, p->w.out, to, result);
  hd_build_yield(&then, NULL, 0);
  g->b = around;
  return ok;
}

bool hd_emit_select_and_scatter_kernel(hd_shapes *shapes, const hd_kernel_ops *ops, const char *name, hd_arena *arena,
                                       hd_kernel_launch *out) {
  hd_op *op = ops->ops[0];
  pooling p = {0};
  if (!hd_window_op_of(op, &p.w)) return false;
  hd_kernel_ops none = {ops->ops, ops->count, NULL, 0};
  hd_frame_open(&p.f, shapes, &none, name, arena);
  hd_generator *g = &p.f.g;
  g->writers = (hd_map){0}; /* what it writes it also reads, from memory */
  hd_op *items = hd_build_for(g->b, p.f.begin, p.f.end, hd_build_index(g->b, 1), NULL, 0);
  hd_builder item = hd_builder_at_end(g->b->module, hd_op_region(items, 0)->first);
  item.loc = g->b->loc;
  g->b = &item;
  hd_dim count = hd_dim_const(&shapes->table, 1);
  hd_lane_index rest = hd_lane_scalar(hd_op_region(items, 0)->first->args[0]);
  for (uint32_t d = p.w.rank; d-- > 0;) {
    if (!p.w.apart[d]) continue;
    hd_dim dim = hd_generator_dim_of(g, p.w.operand, d);
    hd_lane_index size = hd_lane_scalar(hd_generate_dim(g, dim));
    p.item[d] = hd_lane_rem(L, rest, size);
    rest = hd_lane_div(L, rest, size);
    count = hd_dim_mul(&shapes->table, count, dim);
  }
  bool ok = for_each(&p, p.w.out, fill) && for_each(&p, p.w.source, scatter);
  hd_build_yield(&item, NULL, 0);
  g->b = &p.f.entry;
  ok &= hd_frame_close(&p.f, out);
  out->extent = count;
  out->grain = hd_dim_const(&shapes->table, 1);
  return ok;
}
