/* SPDX-License-Identifier: Apache-2.0 */
/* A context of products serves a forked child whatever the parent's threads did with it at the fork. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/testing.h"
#include "runtime/libraries/gemm_problem.h"

enum { CHILDREN = 200, SECONDS = 10 };

static atomic_bool done;

static void *hammer(void *context) {
  while (!atomic_load(&done)) hd_gemm_block_release(context, hd_gemm_block_acquire(context, 4096));
  return NULL;
}

int main(void) {
  hd_gemm_context *context;
  hd_status status = hd_gemm_context_create(0, &context);
  if (!hd_is_ok(status)) {
    HD_TEST_SKIP("%s", hd_status_message(status));
    hd_status_free(status);
    return HD_TEST_RESULT();
  }
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) HD_CHECK(!pthread_create(&threads[i], NULL, hammer, context));
  bool well = true;
  for (int i = 0; i < CHILDREN && well; ++i) {
    pid_t child = fork();
    if (!child) {
      alarm(SECONDS); /* a child that hangs is ended */
      hd_gemm_block_release(context, hd_gemm_block_acquire(context, 4096));
      _exit(0);
    }
    int outcome = -1;
    well = child > 0 && waitpid(child, &outcome, 0) == child && outcome == 0;
  }
  HD_CHECK(well);
  atomic_store(&done, true);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  hd_gemm_context_release(context);
  return HD_TEST_RESULT();
}
