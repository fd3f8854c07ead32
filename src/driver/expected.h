/* SPDX-License-Identifier: Apache-2.0 */
/* heddle-opt --verify-diagnostics: comments that say which diagnostics a program must give, and the check that it gives
 * these and no others.
 *
 *   // expected-error@+1 {{text}}      error, warning, remark or note; on the line given by +N, -N, above, below, or on
 *   // expected-error-re@-2 {{a{{.*}}b}}   this one; the text is a part of the message, with regular expressions in -re
 *   // expected-error@unknown {{text}}  a diagnostic without a place
 */
#ifndef HD_DRIVER_EXPECTED_H_
#define HD_DRIVER_EXPECTED_H_

#include "base/vec.h"
#include "ir/attributes.h"

typedef struct hd_expected {
  hd_severity severity;
  bool regex, unknown, seen;
  uint32_t line, at_line; /* of the diagnostic, and of the comment */
  hd_str text;
} hd_expected;

typedef struct hd_expectations {
  hd_arena *arena;
  const char *file;
  hd_vec(hd_expected) items;
  hd_vec(const char *) problems; /* rendered: what was wrong */
} hd_expectations;

/* Gathers the comments of |source|. */
void hd_expectations_read(hd_expectations *expectations, hd_str source);
/* Ticks off the expectation that |diagnostic| meets; a problem when there is none (notes need none). */
void hd_expectations_meet(hd_expectations *expectations, const hd_diagnostic *diagnostic);
/* Problems for what did not come. */
void hd_expectations_finish(hd_expectations *expectations);

#endif
