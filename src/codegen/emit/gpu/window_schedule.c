/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of select_and_scatter: a thread per element of the result, which asks every window that it is in
 * whether it is the one that the window chooses. No thread writes what another one does, and sums are in the order of
 * the source, as on the CPU.
 *
 *   scf.parallel (%r...) {
 *     acc = init
 *     for each source index s whose window has r, in row-major order:
 *       acc = choice(s) == r ? scatter(acc, source[s]) : acc
 *     out[%r...] = acc
 *   } */
#include "codegen/emit/generate_ops.h"
#include "codegen/emit/gpu/schedules.h"
#include "codegen/emit/window_choice.h"
#include "ir/ops/arith.h"

#define L hd_generator_lanes(g) /* at the place of code that g->b is now */

typedef struct question {
  const hd_window_op *p;
  const hd_index_tuple *r, *source;
} question;

/* The accumulated value, |values|, after the source at |source|, if its window chooses |r|. */
static bool ask(hd_generator *g, void *user, hd_value **values) {
  const question *q = user;
  const hd_window_op *p = q->p;
  const hd_index_tuple *r = q->r, *source = q->source;
  hd_element now = {values[0], values[1]};
  hd_window_choice choice;
  if (!hd_choose_in_window(g, p, source, &choice)) return false;
  hd_value *mine = choice.found;
  for (uint32_t d = 0; d < p->rank; ++d)
    if (!p->apart[d])
      mine = hd_generate_and(g, mine, hd_arith_cmpi(g->b, HD_ARITH_CMPI_EQ, choice.place[d], r->at[d].scalar));
  hd_element next;
  if (!hd_scatter_in_window(g, p, now, source, &next)) return false;
  now = hd_emit_select(g->b, mine, next, now);
  values[0] = now.re;
  values[1] = now.im;
  return true;
}

/* What |r| becomes: loops over the window, last offset first, so that the sources come in order. */
static bool accumulate(hd_generator *g, const hd_window_op *p, const hd_index_tuple *r, hd_element *acc) {
  hd_value *values[2] = {acc->re, acc->im};
  uint32_t count = acc->im ? 2 : 1;
  hd_builder builders[HD_COMPILED_MAX_RANK], *outer[HD_COMPILED_MAX_RANK];
  hd_op *loops[HD_COMPILED_MAX_RANK];
  hd_index_tuple *source = hd_new_tuple(g, p->rank);
  hd_value *inside = NULL;
  for (uint32_t d = 0; d < p->rank; ++d) {
    source->at[d] = r->at[d];
    if (p->apart[d]) continue;
    int64_t size = hd_attr_int_at_or(p->window, d, 1), stride = hd_attr_int_at_or(p->strides, d, 1),
            low = hd_attr_int_at_or(p->padding, 2 * d, 0);
    outer[d] = g->b;
    loops[d] = hd_open_carried(g, &builders[d], hd_build_index(g->b, size), values, count);
    hd_lane_index step = hd_lane_scalar(hd_op_region(loops[d], 0)->first->args[0]);
    hd_lane_index from = hd_lane_add(L, hd_lane_add(L, r->at[d], hd_lane_const(L, low - (size - 1))), step);
    inside = hd_generate_and(g, inside, hd_lane_less(L, hd_lane_const(L, -1), from));
    hd_lane_index positive = hd_lane_max(L, from, hd_lane_const(L, 0));
    if (stride != 1)
      inside = hd_generate_and(
          g, inside, hd_lane_less(L, hd_lane_rem(L, positive, hd_lane_const(L, stride)), hd_lane_const(L, 1)));
    source->at[d] = stride == 1 ? positive : hd_lane_div(L, positive, hd_lane_const(L, stride));
    hd_lane_index most = hd_lane_scalar(hd_generate_dim(g, hd_generator_dim_of(g, p->source, d)));
    inside = hd_generate_and(g, inside, hd_lane_less(L, source->at[d], most));
  }
  bool ok = hd_carry_where(g, inside, values, count, ask, &(question){p, r, source});
  for (uint32_t d = p->rank; d-- > 0;)
    if (!p->apart[d]) hd_close_carried(g, loops[d], &builders[d], outer[d], values, count);
  *acc = (hd_element){values[0], values[1]};
  return ok;
}

bool hd_gpu_emit_window_scatter(hd_gpu_frame *f, hd_op *op) {
  hd_generator *g = &f->g;
  hd_window_op p;
  if (!hd_window_op_of(op, &p)) return false;
  hd_index_tuple *r;
  hd_builder *outer = g->b, inside = hd_gpu_over_elements(f, p.out, "", &r);
  g->b = &inside;
  hd_element value;
  bool ok = hd_generate(g, p.init, hd_new_tuple(g, 0), &value) && accumulate(g, &p, r, &value) &&
            hd_generate_store(g, p.out, r, value);
  g->b = outer;
  return ok && !g->failed;
}
