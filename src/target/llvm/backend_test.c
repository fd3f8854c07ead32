/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that are the first of a process to generate code, at once and each for another target, all get it. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/testing.h"
#include "target/llvm/machine.h"

enum { ROUNDS = 40, TARGETS = 3 };

static const hd_llvm_machine machines[TARGETS] = {
    {.triple = "x86_64-unknown-linux-gnu", .cpu = "x86-64-v3", .features = "", .passes = "verify", .binary = true},
    {.triple = "nvptx64-nvidia-cuda", .cpu = "sm_80", .features = "", .passes = "verify"},
    {.triple = "spirv64-unknown-unknown", .cpu = "", .features = "", .passes = "verify"},
};

static pthread_barrier_t together;

static void *make(void *argument) {
  hd_arena arena;
  hd_str image;
  hd_arena_init(&arena, NULL);
  pthread_barrier_wait(&together);
  hd_status status = hd_llvm_compile_kernels(argument, NULL, 0, &arena, &image);
  bool good = hd_is_ok(status) && image.len > 0;
  hd_status_ignore(status);
  hd_arena_free(&arena);
  return good ? argument : NULL;
}

/* In a process of its own: what is set up first is so once. */
static bool make_all(void) {
  pthread_t threads[TARGETS];
  bool good = !pthread_barrier_init(&together, NULL, TARGETS);
  for (int i = 0; i < TARGETS; ++i)
    if (pthread_create(&threads[i], NULL, make, (void *)(uintptr_t)&machines[i])) _exit(2);
  for (int i = 0; i < TARGETS; ++i) {
    void *made;
    good &= !pthread_join(threads[i], &made) && made;
  }
  return good;
}

int main(void) {
  for (int round = 0; round < ROUNDS; ++round) {
    pid_t child = fork();
    if (!child) _exit(make_all() ? 0 : 1);
    int status = 1;
    waitpid(child, &status, 0);
    HD_CHECK_INT(status, 0);
  }
  return HD_TEST_RESULT();
}
