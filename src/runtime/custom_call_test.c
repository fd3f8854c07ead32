/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the embedder's functions serves a forked child whatever the parent's threads did with it at the fork. */
#include <stdio.h>

#include "base/fork_testing.h"
#include "base/status.h"
#include "heddle/runtime.h"

enum { CHILDREN = 200, NAMES = 500 };

static hd_status nothing(void *user, const hd_custom_call *call) {
  (void)user;
  (void)call;
  return HD_STATUS_OK;
}

static void name_of(unsigned i, char *out, size_t size) { snprintf(out, size, "function_%u", i % NAMES); }

static void use(void *unused) {
  static _Thread_local unsigned i;
  char name[32];
  (void)unused;
  name_of(i++, name, sizeof name);
  hd_status_ignore(hd_custom_call_register(name, nothing, NULL));
}

static bool in_child(void *name) {
  return hd_is_ok(hd_custom_call_register("of_the_child", nothing, NULL)) &&
         hd_custom_call_registered("of_the_child") && hd_custom_call_registered(name);
}

int main(void) {
  char name[32];
  for (unsigned i = 0; i < NAMES; ++i) {
    name_of(i, name, sizeof name);
    HD_CHECK_OK(hd_custom_call_register(name, nothing, NULL));
  }
  hd_test_forks(CHILDREN, use, in_child, name);
  HD_CHECK(!hd_custom_call_registered("of_the_child"));
  return HD_TEST_RESULT();
}
