/* SPDX-License-Identifier: Apache-2.0 */
/* One compiled program for many static ones. Frameworks that trace per shape hand over programs that differ in sizes
 * alone; where one consistent set of unknown dims explains every difference, one program with those dims stands for
 * all. Provided by libheddle.so.
 *
 *   hd_shape_form_create  reads a static program: its structure without numbers (the family), the numbers, and the
 *                         constants.
 *   hd_generalize         makes, from two or more forms of a family, the program with unknown dims, and the rule that
 *                         tells which forms it stands for.
 *   hd_shape_rule_admits  decides for any form of the family: true only when each of its numbers is what the rule
 *                         computes from the dims of its arguments, so that the general program at those dims is, op by
 *                         op, the static one.
 *
 * Constants that differ and are no sums and products of dims (tables, square roots) are further inputs of the general
 * program, which hd_shape_rule_feeds gives for each form: so a form's own bytes are used, whatever they follow from.
 *
 * Ownership: create and generalize give, release takes. Forms and rules never change, so any thread may read them. */
#ifndef HEDDLE_GENERALIZE_H_
#define HEDDLE_GENERALIZE_H_

#include "heddle/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_shape_form hd_shape_form;
typedef struct hd_shape_rule hd_shape_rule;

/* Reads the entry of |size| bytes of program, calls inlined. INVALID_ARGUMENT as for hd_compile. |options| as there,
 * may be null. */
HD_API hd_status hd_shape_form_create(const void *program, size_t size, const char *name,
                                      const hd_compile_options *options, hd_message_sink sink,
                                      hd_shape_form **out_form) HD_MUST_USE;
HD_API void hd_shape_form_release(hd_shape_form *form);

/* 16 bytes: equal for programs that differ in numbers and locations alone. Lent. */
HD_API const uint8_t *hd_shape_form_key(const hd_shape_form *form);
/* 16 bytes: equal for programs that differ in locations alone. Lent. */
HD_API const uint8_t *hd_shape_form_identity(const hd_shape_form *form);
/* The dims of argument |i|, lent; null when out of range. */
HD_API const int64_t *hd_shape_form_argument(const hd_shape_form *form, size_t i, size_t *out_rank);

/* How many constants of |a| and |b|, other than whole numbers, differ; SIZE_MAX where no general program has both as
 * instances: they are of two families, or the dims of their arguments are the same. */
HD_API size_t hd_shape_form_unlike(const hd_shape_form *a, const hd_shape_form *b);

/* The program that stands for all |forms|, at least two of one family, as MLIR text, and its rule. FAILED_PRECONDITION
 * with the reason when there is none: a number differs that no dims of the arguments explain, or an op has no form for
 * an unknown size. */
HD_API hd_status hd_generalize(const hd_shape_form *const *forms, size_t count, hd_message_sink sink,
                               hd_blob *out_program, hd_shape_rule **out_rule) HD_MUST_USE;
HD_API void hd_shape_rule_release(hd_shape_rule *rule);
HD_API bool hd_shape_rule_admits(const hd_shape_rule *rule, const hd_shape_form *form);
/* How many dims the rule leaves unknown. */
HD_API size_t hd_shape_rule_symbols(const hd_shape_rule *rule);

typedef struct hd_shape_constant {
  const int64_t *dims;
  size_t rank;
  const void *data; /* of the elements, as in memory: |size| bytes, again and again until the tensor is full */
  size_t size;
} hd_shape_constant;
/* How many inputs the general program has after those of its forms. */
HD_API size_t hd_shape_rule_lifted(const hd_shape_rule *rule);
/* What the |i|th of them is for |form|, which the rule admits; lent by |form|. Zeroed when out of range. */
HD_API hd_shape_constant hd_shape_rule_feeds(const hd_shape_rule *rule, const hd_shape_form *form, size_t i);

#ifdef __cplusplus
}
#endif
#endif
