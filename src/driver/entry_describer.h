/* SPDX-License-Identifier: Apache-2.0 */
/* What entry.c, entry_dims.c and entry_constraints.c share: the state of one hd_entry_describe. */
#ifndef HD_DRIVER_ENTRY_DESCRIBER_H_
#define HD_DRIVER_ENTRY_DESCRIBER_H_

#include "driver/entry.h"

typedef hd_vec(int64_t) hd_entry_words;

typedef struct hd_entry_describer {
  hd_shapes *shapes;
  hd_arena *arena;
  hd_block *entry;
  hd_vec(hd_artifact_symbol) symbols;
  hd_map index; /* atom -> symbol + 1 */
  bool raw;     /* dims of arguments are read as they came, equal ones apart */
  hd_vec(hd_artifact_constraint) constraints;
} hd_entry_describer;

/* A dim of an argument, or a quotient of one? */
bool hd_entry_is_argument_dim(const hd_entry_describer *d, const hd_symbol_origin *origin);
void hd_entry_word(hd_entry_describer *d, hd_entry_words *w, int64_t value);
void hd_entry_write_origin(hd_entry_describer *d, hd_entry_words *w, const hd_symbol_origin *origin);
/* Postfix; false when the value is not known before the run, or takes too long a program. */
bool hd_entry_write_dim(hd_entry_describer *d, hd_entry_words *w, hd_dim dim);
/* Can the runtime's stack hold what a program keeps on it? */
bool hd_entry_fits_stack(const hd_entry_words *w);
/* Empty where it would be too long, or too deep for the stack. */
hd_dim_program hd_entry_program_of(hd_entry_describer *d, hd_dim dim);
const char *hd_entry_dim_text(hd_entry_describer *d, hd_dim dim);

/* Adds a constraint unless it is proven. False after an error at the op: it is never true, or cannot be checked. */
bool hd_entry_describe_assertion(hd_entry_describer *d, const hd_shape_assertion *assertion);
bool hd_entry_describe_guard(hd_entry_describer *d, const hd_shape_guard *guard);
bool hd_entry_describe_fit(hd_entry_describer *d, const hd_shape_fit *fit);
void hd_entry_describe_bounds(hd_entry_describer *d, uint32_t input, hd_type type);

#endif
