/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fork.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/testing.h"

typedef struct owner {
  pthread_mutex_t mutex;
  int locked, unlocked, reset;
  hd_fork_guard guard;
} owner;

static void lock(void *user) {
  owner *o = user;
  pthread_mutex_lock(&o->mutex);
  ++o->locked;
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

static void add(owner *o) {
  *o = (owner){.guard = {lock, unlock, reset, o, NULL, NULL}};
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

static hd_fork_mutex shared = HD_FORK_MUTEX_INIT;
static atomic_bool done;

static void *hammer(void *argument) {
  while (!atomic_load(&done)) {
    hd_fork_mutex_lock(&shared);
    ++*(volatile int *)argument;
    --*(volatile int *)argument;
    hd_fork_mutex_unlock(&shared);
  }
  return NULL;
}

/* Children of a process whose threads hold the mutex most of the time find it free, and what it protects whole. */
static void check_mutex(void) {
  int protected_value = 7, status = 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) HD_CHECK(!pthread_create(&threads[i], NULL, hammer, &protected_value));
  for (int i = 0; i < 100 && !status; ++i) {
    pid_t child = fork();
    if (!child) {
      alarm(20); /* a child that hangs is ended */
      hd_fork_mutex_lock(&shared);
      _exit(protected_value != 7);
    }
    waitpid(child, &status, 0);
  }
  HD_CHECK_INT(status, 0);
  atomic_store(&done, true);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

int main(void) {
  owner owners[3];
  for (int i = 0; i < 3; ++i) add(&owners[i]);
  HD_CHECK_INT(child_says(all_were_reset, owners), 0);
  HD_CHECK_INT(hd_fork_generation(), 0);
  for (int i = 0; i < 3; ++i) HD_CHECK(owners[i].locked == 1 && owners[i].unlocked == 1 && !owners[i].reset);
  hd_fork_guard_remove(&owners[1].guard);
  hd_fork_guard_remove(&owners[1].guard); /* a second time is nothing */
  HD_CHECK_INT(child_says(the_middle_was_left, owners), 0);
  hd_fork_guard_remove(&owners[2].guard);
  hd_fork_guard_remove(&owners[0].guard);
  add(&owners[1]);
  HD_CHECK(owners[1].guard.link != NULL);
  hd_fork_guard_remove(&owners[1].guard);
  check_mutex();
  return HD_TEST_RESULT();
}
