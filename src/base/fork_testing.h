/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of what a forked child finds: locks that are free, and what they protect whole, whatever the threads of its
 * parent did at the fork. */
#ifndef HD_BASE_FORK_TESTING_H_
#define HD_BASE_FORK_TESTING_H_

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/testing.h"

/* |body| in a forked child, which it ends well and in time: one that hangs is ended. */
__attribute__((unused)) static bool hd_test_child_is_well(bool (*body)(void *user), void *user) {
  pid_t child = fork();
  if (!child) {
    alarm(20);
    _exit(!body(user));
  }
  int outcome = -1;
  return child > 0 && waitpid(child, &outcome, 0) == child && outcome == 0;
}

typedef struct hd_test_use_ {
  void (*use)(void *user);
  void *user;
  atomic_bool ended;
} hd_test_use_;

__attribute__((unused)) static void *hd_test_keep_using_(void *argument) {
  hd_test_use_ *u = argument;
  while (!atomic_load(&u->ended)) u->use(u->user);
  return NULL;
}

/* Forks |children| times while two threads go on with |use|; |in_child| is run in each child. */
__attribute__((unused)) static void hd_test_forks(int children, void (*use)(void *user), bool (*in_child)(void *user),
                                                  void *user) {
  hd_test_use_ u = {.use = use, .user = user};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) HD_CHECK(!pthread_create(&threads[i], NULL, hd_test_keep_using_, &u));
  bool well = true;
  for (int i = 0; i < children && well; ++i) well = hd_test_child_is_well(in_child, user);
  HD_CHECK(well);
  atomic_store(&u.ended, true);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

#endif
