/* SPDX-License-Identifier: Apache-2.0 */
/* Locks across fork: the order in which they are taken and released in parent and child. */
#include "base/fork.h"

#include <sched.h>

#include "base/fork_testing.h"

typedef struct owner {
  pthread_mutex_t mutex;
  int locked, unlocked, reset, turn;
  hd_fork_guard guard;
} owner;

static int locks;

static void lock(void *user) {
  owner *o = user;
  pthread_mutex_lock(&o->mutex);
  ++o->locked;
  o->turn = locks++;
}

static void unlock(void *user) {
  owner *o = user;
  ++o->unlocked;
  pthread_mutex_unlock(&o->mutex);
}

static void reset(void *user) {
  owner *o = user;
  ++o->reset;
  pthread_mutex_init(&o->mutex, NULL);
}

static void add(owner *o, hd_fork_rank rank) {
  *o = (owner){.guard = {lock, unlock, reset, o, rank, NULL, NULL}};
  pthread_mutex_init(&o->mutex, NULL);
  HD_CHECK(hd_is_ok(hd_fork_guard_add(&o->guard)));
}

/* The exit status of a child in which |check| tells 0 when all is well. */
static int child_says(int (*check)(owner *owners), owner *owners) {
  pid_t child = fork();
  if (!child) _exit(check(owners));
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

static int all_were_reset(owner *owners) {
  for (int i = 0; i < 3; ++i)
    if (owners[i].reset != 1 || owners[i].unlocked || pthread_mutex_trylock(&owners[i].mutex)) return 1 + i;
  return hd_fork_generation() == 1 ? 0 : 4;
}

static int the_middle_was_left(owner *owners) {
  return owners[0].reset != 1 || owners[1].reset || owners[1].locked > 1 || owners[2].reset != 1;
}

/* Whatever the order in which they are added: outer ones before all that are there, inner ones after all. */
static void check_ranks(void) {
  static const hd_fork_rank ranks[] = {HD_FORK_INNER,  HD_FORK_MIDDLE, HD_FORK_OUTER,
                                       HD_FORK_MIDDLE, HD_FORK_INNER,  HD_FORK_OUTER};
  static const int expected[] = {4, 2, 1, 3, 5, 0};
  enum { COUNT = 6 };
  owner owners[COUNT];
  for (int i = 0; i < COUNT; ++i) add(&owners[i], ranks[i]);
  locks = 0;
  pid_t child = fork();
  if (!child) _exit(0);
  waitpid(child, NULL, 0);
  for (int i = 0; i < COUNT; ++i) {
    HD_CHECK_INT(owners[i].turn, expected[i]);
    hd_fork_guard_remove(&owners[i].guard);
  }
}

static hd_fork_mutex shared = HD_FORK_MUTEX_INIT;
static void use(void *value) {
  hd_fork_mutex_lock(&shared);
  ++*(volatile int *)value;
  --*(volatile int *)value;
  hd_fork_mutex_unlock(&shared);
}

static bool is_free_and_whole(void *value) {
  hd_fork_mutex_lock(&shared);
  return *(int *)value == 7;
}

/* A guard that says when a fork has begun to lock. */
static atomic_bool forking;
static void say_forking(void *user) { atomic_store((atomic_bool *)user, true); }
static void nothing(void *user) { (void)user; }

static void *fork_once(void *outcome) {
  *(bool *)outcome = hd_test_child_is_well(is_free_and_whole, &(int){7});
  return NULL;
}

/* What is first locked under another lock, while a fork waits for that one, is locked at once. */
static bool first_use_in_a_fork(void *unused) {
  (void)unused;
  hd_fork_mutex outer, inner;
  hd_fork_guard first = {say_forking, nothing, nothing, &forking, HD_FORK_OUTER, NULL, NULL};
  pthread_t thread;
  bool well = false;
  hd_fork_mutex_init(&inner, HD_FORK_INNER);
  hd_fork_mutex_init(&outer, HD_FORK_OUTER);
  hd_fork_mutex_lock(&outer);
  hd_status status = hd_fork_guard_add(&first);
  bool good = hd_is_ok(status) && !pthread_create(&thread, NULL, fork_once, &well);
  hd_status_free(status);
  if (!good) return false;
  while (!atomic_load(&forking)) sched_yield();
  hd_fork_mutex_lock(&inner);
  hd_fork_mutex_unlock(&inner);
  hd_fork_mutex_unlock(&outer);
  pthread_join(thread, NULL);
  hd_fork_guard_remove(&first);
  hd_fork_mutex_destroy(&outer);
  hd_fork_mutex_destroy(&inner);
  return well;
}

int main(void) {
  owner owners[3];
  for (int i = 0; i < 3; ++i) add(&owners[i], HD_FORK_MIDDLE);
  HD_CHECK_INT(child_says(all_were_reset, owners), 0);
  HD_CHECK_INT(hd_fork_generation(), 0);
  for (int i = 0; i < 3; ++i) HD_CHECK(owners[i].locked == 1 && owners[i].unlocked == 1 && !owners[i].reset);
  hd_fork_guard_remove(&owners[1].guard);
  hd_fork_guard_remove(&owners[1].guard); /* a second time is nothing */
  HD_CHECK_INT(child_says(the_middle_was_left, owners), 0);
  hd_fork_guard_remove(&owners[2].guard);
  hd_fork_guard_remove(&owners[0].guard);
  add(&owners[1], HD_FORK_MIDDLE);
  HD_CHECK(owners[1].guard.link != NULL);
  hd_fork_guard_remove(&owners[1].guard);
  check_ranks();
  int protected_value = 7;
  hd_test_forks(100, use, is_free_and_whole, &protected_value);
  HD_CHECK(hd_test_child_is_well(first_use_in_a_fork, NULL)); /* in a child, which is ended where it hangs */
  return HD_TEST_RESULT();
}
