/* SPDX-License-Identifier: Apache-2.0 */
/* The first half of select_and_scatter, for kernels of every target: which element of a window a source's goes to. */
#ifndef HD_CODEGEN_EMIT_WINDOW_CHOICE_H_
#define HD_CODEGEN_EMIT_WINDOW_CHOICE_H_

#include "codegen/emit/frame.h"

typedef struct hd_window_op {
  hd_op *op; /* select_and_scatter */
  hd_value *operand, *source, *init, *out;
  hd_attr window, strides, padding;
  uint32_t rank;
  bool apart[HD_COMPILED_MAX_RANK]; /* the window does not leave this dim */
} hd_window_op;

typedef struct hd_window_choice {
  hd_value *found; /* i1: is any element of the window inside? */
  hd_value *place[HD_COMPILED_MAX_RANK];
} hd_window_choice;

/* False with an error reported when the op is too large for a kernel. */
bool hd_window_op_of(hd_op *op, hd_window_op *out);

/* The place that `select` chooses in the window at |source|, in scalar code: the first element, and each next one takes
 * its place unless select(best, next). */
bool hd_choose_in_window(hd_generator *g, const hd_window_op *p, const hd_index_tuple *source, hd_window_choice *out);

/* out[place] = scatter(out[place], source[from]) for a value |now| that is there: the combined value. */
bool hd_scatter_in_window(hd_generator *g, const hd_window_op *p, hd_element now, const hd_index_tuple *from,
                          hd_element *out);

/* for [0, upper) carrying |values|, which become the inner ones; the builder of the body becomes g->b. Closing gives
 * the results in |values|. */
hd_op *hd_open_carried(hd_generator *g, hd_builder *inside, hd_value *upper, hd_value **values, size_t count);
void hd_close_carried(hd_generator *g, hd_op *loop, hd_builder *inside, hd_builder *outer, hd_value **values,
                      size_t count);
/* Carried |values| become what |body| makes of them where |inside| holds, everywhere when that is null. */
typedef bool (*hd_carried_fn)(hd_generator *g, void *user, hd_value **values);
bool hd_carry_where(hd_generator *g, hd_value *inside, hd_value **values, size_t count, hd_carried_fn body, void *user);

#endif
