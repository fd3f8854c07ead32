/* SPDX-License-Identifier: Apache-2.0 */
/* Status values: codes, messages and their formatting. */
#include "base/status.h"

#include "base/testing.h"

static hd_status fail(int n) { return hd_make_status(HD_INVALID_ARGUMENT, "dim %d is bad", n); }
static hd_status pass_on(void) {
  HD_TRY_MSG(fail(3), "argument %d", 1);
  return HD_STATUS_OK;
}

int main(void) {
  HD_CHECK_OK(HD_STATUS_OK);
  HD_CHECK_FAILS(fail(2), HD_INVALID_ARGUMENT, "dim 2 is bad");
  HD_CHECK_FAILS(pass_on(), HD_INVALID_ARGUMENT, "argument 1: dim 3 is bad");
  hd_status twice = hd_status_join(hd_make_status(HD_ABORTED, "x"), hd_make_status(HD_INTERNAL, "x"));
  HD_CHECK(!strcmp(hd_status_message(twice), "x"));
  HD_CHECK_FAILS(twice, HD_ABORTED, "x");
  HD_CHECK_FAILS(hd_status_join(fail(1), hd_make_status(HD_INTERNAL, "x")), HD_INVALID_ARGUMENT, "dim 1 is bad; x");
  HD_CHECK_STR(hd_status_message(HD_STATUS_OK), "");
  HD_CHECK_STR(hd_status_code_name(HD_RESOURCE_EXHAUSTED), "RESOURCE_EXHAUSTED");
  HD_CHECK_INT(hd_status_code_of(HD_STATUS_OK), HD_OK);
  return HD_TEST_RESULT();
}
