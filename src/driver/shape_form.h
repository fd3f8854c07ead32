/* SPDX-License-Identifier: Apache-2.0 */
/* The form of a static program: a hash of its structure, and its numbers and constants in the order of a fixed walk. */
#ifndef HD_DRIVER_SHAPE_FORM_H_
#define HD_DRIVER_SHAPE_FORM_H_

#include "base/hash128.h"
#include "base/map.h"
#include "driver/session.h"
#include "heddle/generalize.h"
#include "ir/op.h"

/* What is no whole number. */
#define HD_NOT_WHOLE INT64_MIN

typedef struct hd_form_constant {
  hd_hash128 content; /* of the elements' bytes */
  bool splat;         /* |data| is one element that stands for all */
  bool empty;         /* there are no elements: any content is as good */
  size_t dims;        /* where its dims are among the numbers */
  uint32_t rank;
  size_t whole;     /* the number that is all elements' value, HD_NOT_WHOLE where there is none */
  const char *data; /* of the elements, as in memory; null where only the content is known */
  size_t size;
} hd_form_constant;

struct hd_shape_form {
  hd_hash128 family, identity;
  int64_t *numbers; /* dims of types, bounds, values of constants; first the arguments' dims */
  size_t number_count;
  hd_form_constant *constants;
  size_t constant_count;
  size_t argument_count;
  size_t *argument_ranks, *argument_starts; /* into |numbers| */
  char *program;                            /* as it was given */
  size_t program_size;
  char *name;
};

/* Where the numbers of a value's type or of an op's attributes start, by hd_value or hd_op: filled by the walk. */
typedef struct hd_form_places {
  hd_arena *arena;
  hd_map values, ops; /* start + 1 as i64 */
  hd_map constants;   /* a constant -> its index + 1 as i64 */
} hd_form_places;

/* The walk over the entry function |func| of a module with calls inlined. Fills |form|'s hashes, and the numbers and
 * constants, which are put into |arena|; their data are the module's. |places| may be null. */
void hd_form_walk(hd_op *func, hd_arena *arena, hd_shape_form *form, hd_form_places *places);

/* Are the integers of |op|'s attribute |name| numbers of the form? They follow each other in the order of the names. */
bool hd_form_has_numbers(const hd_op *op, hd_ident name);

/* Reads the program into |session|'s context, inlines calls and gives the entry. */
hd_status hd_form_load(hd_session *session, const void *program, size_t size, const char *name, const char *entry,
                       hd_arena *arena, hd_module **out_module, hd_op **out_func) HD_MUST_USE;

#endif
