/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of custom calls (ir/custom_calls.def) and what they promise of the runtime. */
#include "ir/custom_calls.h"

#include <string.h>

#include "base/testing.h"
#include "runtime/libraries/lapack.h"

/* Annotations are known by their rows; every routine of the runtime that a row promises is there. */
static void test_custom_calls(void) {
  int routines = 0;
  for (const hd_custom_call_row *row = hd_custom_call_rows; row->target; ++row) {
    hd_str target = hd_str_of(row->target);
    HD_CHECK(row->doc && row->doc[0] &&
             hd_custom_call_is_annotation(target) == (row->kind == HD_CUSTOM_CALL_ANNOTATION));
    if (row->kind != HD_CUSTOM_CALL_RUNTIME) continue;
    char name[64];
    HD_CHECK(target.len < sizeof name && strchr(row->target, '*'));
    memcpy(name, row->target, target.len + 1);
    char *letter = strchr(name, '*');
    int known = 0, damaged = 0;
    for (const char *each = "sdczx"; *each; ++each) {
      *letter = *each;
      known += hd_lapack_knows(name, target.len);
      char last = name[target.len - 5];
      name[target.len - 5] = '_';
      damaged += hd_lapack_knows(name, target.len);
      name[target.len - 5] = last;
    }
    HD_CHECK(known == 4 || known == 2); /* some routines have a name for real elements, another for complex ones */
    HD_CHECK_INT(damaged, 0);
    ++routines;
  }
  HD_CHECK(routines > 10 && !hd_custom_call_is_annotation(HD_STR("Sharding2")));
}

int main(void) {
  test_custom_calls();
  return HD_TEST_RESULT();
}
