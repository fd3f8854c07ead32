/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of IR share. */
#ifndef HD_IR_TESTING_H_
#define HD_IR_TESTING_H_

#include "base/testing.h"
#include "ir/context.h"

/* The main of a test: |all| gets a context of its own, inside a guard. */
static inline int hd_test_in_context(hd_status (*all)(void *context)) {
  hd_context *context;
  HD_CHECK_OK(hd_context_create(0, &context));
  HD_CHECK_OK(hd_guarded_call(all, context));
  hd_context_release(context);
  return HD_TEST_RESULT();
}

#endif
