/* SPDX-License-Identifier: Apache-2.0 */
/* The list of the embedder's functions serves a forked child whatever the parent's threads did with it at the fork. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "base/testing.h"
#include "heddle/runtime.h"

enum { CHILDREN = 200, NAMES = 500, SECONDS = 20 };

static atomic_bool done;

static hd_status nothing(void *user, const hd_custom_call *call) {
  (void)user;
  (void)call;
  return HD_STATUS_OK;
}

static void name_of(unsigned i, char *out, size_t size) { snprintf(out, size, "function_%u", i % NAMES); }

static void *hammer(void *argument) {
  char name[32];
  for (unsigned i = (unsigned)(size_t)argument; !atomic_load(&done); ++i) {
    name_of(i, name, sizeof name);
    hd_status_ignore(hd_custom_call_register(name, nothing, NULL));
  }
  return NULL;
}

int main(void) {
  char name[32];
  for (unsigned i = 0; i < NAMES; ++i) {
    name_of(i, name, sizeof name);
    HD_CHECK_OK(hd_custom_call_register(name, nothing, NULL));
  }
  pthread_t threads[2];
  for (size_t i = 0; i < 2; ++i) HD_CHECK(!pthread_create(&threads[i], NULL, hammer, (void *)i));
  bool well = true;
  for (int i = 0; i < CHILDREN && well; ++i) {
    pid_t child = fork();
    if (!child) {
      alarm(SECONDS); /* a child that hangs is ended */
      bool good = hd_is_ok(hd_custom_call_register("of_the_child", nothing, NULL)) &&
                  hd_custom_call_registered("of_the_child") && hd_custom_call_registered(name);
      _exit(!good);
    }
    int outcome = -1;
    well = child > 0 && waitpid(child, &outcome, 0) == child && outcome == 0;
  }
  HD_CHECK(well);
  HD_CHECK(!hd_custom_call_registered("of_the_child"));
  atomic_store(&done, true);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return HD_TEST_RESULT();
}
