/* SPDX-License-Identifier: Apache-2.0 */
/* What the guarded driver shows: host code that dereferences, waits that are missing, memory that is used too late. */
#include "runtime/drivers/guarded/guarded.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/testing.h"
#include "runtime/memory.h"

enum { N = 4096 };

/* Does |touch|(|data|) end a process? */
static bool ends(void (*touch)(char *), char *data) {
  pid_t child = fork();
  if (!child) {
    signal(SIGSEGV, SIG_DFL);
    touch(data);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) || WEXITSTATUS(status); /* a sanitizer reports and exits */
}

static void read_it(char *data) { (void)*(volatile char *)data; }
static void write_it(char *data) { *(volatile char *)data = 1; }

static void check_touches(hd_driver *driver) {
  char *data;
  if (!HD_CHECK_OK(hd_driver_allocate(driver, N, (void **)&data))) return;
  HD_CHECK(ends(read_it, data) && ends(write_it, data) && ends(read_it, data + N - 1));
  hd_driver_release(driver, data, N);
}

/* ---- a stream that is held, so that what follows depends on no clock ---- */

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static hd_status pass_gate(hd_guarded_driver *driver, hd_guarded_task *task) {
  (void)driver, (void)task;
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return HD_STATUS_OK;
}

/* What |stream| is given from here on is done after let_go. */
static void hold(hd_driver *driver, hd_stream *stream) {
  hd_guarded_task *task = calloc(1, sizeof *task);
  task->run = pass_gate;
  pthread_mutex_lock(&gate);
  HD_CHECK_OK(hd_guarded_queue((hd_guarded_driver *)driver, stream, task));
}

static void let_go(void) { pthread_mutex_unlock(&gate); }

/* Without a wait the result is not there; with one it is. */
static void check_late(hd_driver *driver, hd_stream *stream, void *data) {
  char from[N], to[N];
  memset(from, 3, N);
  memset(to, 0, N);
  hold(driver, stream);
  HD_CHECK_OK(hd_stream_copy(driver, stream, data, from, N));
  memset(from, 0, N); /* it was taken at the call */
  HD_CHECK_OK(hd_stream_copy(driver, stream, to, data, N));
  HD_CHECK(!*(volatile char *)to);
  let_go();
  HD_CHECK_OK(hd_stream_wait(driver, stream));
  HD_CHECK(to[0] == 3 && to[N - 1] == 3);
}

/* Pinned memory is read when the copy is done. */
static void check_pinned(hd_driver *driver, hd_stream *stream, void *data) {
  char *from, to[N];
  if (!HD_CHECK_OK(hd_driver_allocate_host(driver, N, (void **)&from))) return;
  memset(from, 1, N);
  hold(driver, stream);
  HD_CHECK_OK(hd_stream_copy(driver, stream, data, from, N));
  memset(from, 2, N);
  HD_CHECK_OK(hd_stream_copy(driver, stream, to, data, N));
  let_go();
  HD_CHECK_OK(hd_stream_wait(driver, stream));
  HD_CHECK(to[0] == 2 && to[N - 1] == 2);
  hd_driver_release_host(driver, from, N);
}

/* Work on memory that was released fails, and what follows it is left out; afterwards the stream is as new. */
static void check_released(hd_driver *driver, hd_stream *stream, void *data) {
  void *gone;
  char to[4] = {0}, from[4] = {7, 7, 7, 7};
  if (!HD_CHECK_OK(hd_driver_allocate(driver, N, &gone))) return;
  HD_CHECK_OK(hd_stream_fill(driver, stream, data, 1, N));
  HD_CHECK_OK(hd_stream_wait(driver, stream));
  hd_driver_release(driver, gone, N);
  HD_CHECK_OK(hd_stream_fill(driver, stream, gone, 2, N)); /* taken, as by a device */
  HD_CHECK_OK(hd_stream_copy(driver, stream, data, from, sizeof from));
  HD_CHECK_FAILS(hd_stream_wait(driver, stream), HD_INVALID_ARGUMENT, "which are not in the device's memory any more");
  HD_CHECK_OK(hd_stream_copy(driver, stream, to, data, sizeof to));
  HD_CHECK_OK(hd_stream_wait(driver, stream));
  HD_CHECK_INT(to[0], 1);
}

static void check_ranges(hd_driver *driver, hd_stream *stream, void *data) {
  HD_CHECK_OK(hd_stream_fill(driver, stream, (char *)data + 1, 0, N));
  HD_CHECK_FAILS(hd_stream_wait(driver, stream), HD_INVALID_ARGUMENT, "fill of 4096 bytes");
}

/* Memory that is new or was given back was written by nobody, in the order of the stream
 * that gave it: the host gets none of it. */
static void check_unwritten(hd_driver *driver, hd_stream *stream, void *other) {
  hd_memory *memory;
  void *data;
  size_t capacity;
  unsigned char to[N];
  if (!HD_CHECK_OK(hd_memory_create(driver, 0, &memory))) return;
  for (int i = 0; i < 2; ++i) { /* new, and used before */
    HD_CHECK_OK(hd_memory_take(memory, N, NULL, &data, &capacity));
    HD_CHECK_OK(hd_stream_copy(driver, stream, to, data, 1));
    HD_CHECK_FAILS(hd_stream_wait(driver, stream), HD_INVALID_ARGUMENT, "of which nobody wrote byte 0");
    HD_CHECK_OK(hd_stream_fill(driver, stream, data, 1, N / 2));
    HD_CHECK_OK(hd_stream_copy(driver, stream, to, data, N / 2));
    HD_CHECK_OK(hd_stream_wait(driver, stream));
    HD_CHECK(to[0] == 1 && to[N / 2 - 1] == 1);
    HD_CHECK_OK(hd_stream_fill(driver, stream, other, 2, N));
    HD_CHECK_OK(hd_stream_copy(driver, stream, other, data, N)); /* what nobody wrote stays so */
    HD_CHECK_OK(hd_stream_wait(driver, stream));
    HD_CHECK_OK(hd_stream_copy(driver, stream, to, other, N));
    HD_CHECK_FAILS(hd_stream_wait(driver, stream), HD_INVALID_ARGUMENT, "of which nobody wrote byte 2048");
    HD_CHECK_OK(hd_stream_copy(driver, stream, (char *)data + N / 2, to, N / 2));
    HD_CHECK_OK(hd_stream_copy(driver, stream, to, data, N));
    HD_CHECK_OK(hd_stream_wait(driver, stream));
    hd_memory_give(memory, data, capacity, NULL);
  }
  hd_memory_free(memory);
}

/* A fill with any byte writes, with that of the pattern too. */
static void check_fill_as_pattern(hd_driver *driver, hd_stream *stream) {
  void *data;
  unsigned char to[N] = {0};
  if (!HD_CHECK_OK(hd_driver_allocate(driver, N, &data))) return;
  HD_CHECK_OK(hd_stream_fill(driver, stream, data, 0xa5, N));
  HD_CHECK_OK(hd_stream_copy(driver, stream, to, data, N));
  HD_CHECK_OK(hd_stream_wait(driver, stream));
  HD_CHECK(to[0] == 0xa5 && to[N - 1] == 0xa5);
  hd_driver_release(driver, data, N);
}

/* What one piece of work gives back is its own to use again, and others' once it is done. */
static void check_order(hd_driver *driver) {
  hd_works *works;
  hd_work *one, *two;
  hd_memory *memory;
  void *a, *b, *c;
  size_t ca, cb, cc;
  HD_CHECK_OK(hd_works_create(driver, &works));
  HD_CHECK_OK(hd_memory_create(driver, 0, &memory));
  if (!HD_CHECK(works && memory)) return;
  HD_CHECK_OK(hd_work_begin(works, &one));
  HD_CHECK_OK(hd_work_begin(works, &two));
  HD_CHECK(hd_work_stream(one) != hd_work_stream(two));
  HD_CHECK_OK(hd_memory_take(memory, N, one, &a, &ca));
  hd_memory_give(memory, a, ca, one);
  HD_CHECK_OK(hd_memory_take(memory, N, two, &b, &cb));
  HD_CHECK_OK(hd_memory_take(memory, N, one, &c, &cc));
  HD_CHECK(b != a && c == a);
  hd_memory_give(memory, c, cc, one);
  HD_CHECK_OK(hd_work_wait(one));
  HD_CHECK(hd_work_is_done(one) && !hd_work_is_done(two));
  HD_CHECK_OK(hd_memory_take(memory, N, two, &c, &cc));
  HD_CHECK(c == a);
  hd_memory_give(memory, b, cb, two);
  hd_memory_give(memory, c, cc, two);
  HD_CHECK_OK(hd_work_wait(two));
  hd_work_release(one);
  hd_work_release(two);
  hd_memory_free(memory);
  hd_works_free(works);
}

static void count(void *data) { ++*(int *)data; }

/* Work that goes on by itself ends with what it keeps, and hands its failure to what follows it. */
static void check_later(hd_driver *driver, void *data) {
  hd_works *works;
  hd_work *bad, *after;
  int ended = 0;
  HD_CHECK_OK(hd_works_create(driver, &works));
  HD_CHECK_OK(hd_work_begin(works, &bad));
  HD_CHECK_OK(hd_stream_fill(driver, hd_work_stream(bad), (char *)data + 1, 0, N));
  hd_work_keep(bad, count, &ended);
  HD_CHECK_OK(hd_work_later(bad));
  HD_CHECK_OK(hd_work_begin(works, &after));
  HD_CHECK_OK(hd_work_follow(after, bad));
  HD_CHECK_OK(hd_stream_fill(driver, hd_work_stream(after), data, 3, N));
  HD_CHECK_OK(hd_stream_fill(driver, hd_work_stream(after), data, 3, N + 1)); /* which may come of what failed before */
  hd_work_keep(after, count, &ended);
  HD_CHECK_OK(hd_work_later(after));
  HD_CHECK_FAILS(hd_work_wait(after), HD_INVALID_ARGUMENT, "fill of 4096 bytes");
  HD_CHECK_FAILS(hd_work_wait(after), HD_INVALID_ARGUMENT, "fill of 4096 bytes");
  HD_CHECK(hd_work_is_done(bad));
  HD_CHECK_INT(ended, 1 + 1);
  hd_works_wait(works);
  hd_work_release(bad);
  hd_work_release(after);
  hd_works_free(works);
}

/* A child has the memory and streams of its own; what was queued is done by the parent. */
static void check_fork(hd_driver *driver, hd_stream *stream, void *data) {
  char to[4] = {0};
  HD_CHECK_OK(hd_stream_fill(driver, stream, data, 9, N));
  pid_t child = fork();
  if (!child) {
    bool good = hd_is_ok(hd_stream_fill(driver, stream, data, 5, N)) &&
                hd_is_ok(hd_stream_copy(driver, stream, to, data, sizeof to)) &&
                hd_is_ok(hd_stream_wait(driver, stream));
    _exit(good && to[0] == 5 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  HD_CHECK_INT(status, 0);
  HD_CHECK_OK(hd_stream_copy(driver, stream, to, data, sizeof to));
  HD_CHECK_OK(hd_stream_wait(driver, stream));
  HD_CHECK_INT(to[0], 9);
}

int main(void) {
  hd_pool *pool;
  hd_driver *driver;
  hd_stream *stream;
  void *data;
  HD_CHECK_OK(hd_pool_create(2, NULL, &pool));
  if (!HD_CHECK_OK(hd_driver_open("guarded", &(hd_driver_config){.pool = pool}, &driver))) return HD_TEST_RESULT();
  HD_CHECK_OK(hd_stream_create(driver, &stream));
  HD_CHECK_OK(hd_driver_allocate(driver, N, &data));
  check_touches(driver);
  check_late(driver, stream, data);
  check_pinned(driver, stream, data);
  check_released(driver, stream, data);
  check_ranges(driver, stream, data);
  check_unwritten(driver, stream, data);
  check_fill_as_pattern(driver, stream);
  check_order(driver);
  check_later(driver, data);
  check_fork(driver, stream, data);
  hd_driver_release(driver, data, N);
  hd_stream_destroy(driver, stream);
  hd_driver_close(driver);
  hd_allocator own = {NULL, NULL, NULL};
  HD_CHECK_FAILS(hd_driver_open("guarded", &(hd_driver_config){.pool = pool, .allocator = &own}, &driver),
                 HD_INVALID_ARGUMENT, "expected no allocator");
  hd_pool_free(pool);
  return HD_TEST_RESULT();
}
