/* SPDX-License-Identifier: Apache-2.0 */
/* What a forked child finds of its parent's work on a device: locks that are free whatever the parent's threads did,
 * and work under way that stays the parent's. */
#include "runtime/work.h"

#include "base/fork_testing.h"
#include "runtime/threads.h"

enum { CHILDREN = 100 };

static hd_driver *driver;
static hd_works *works;

/* Work that fills |*out_data|; it goes on by itself. */
static hd_status start(void **out_data, hd_work **out_work) {
  HD_TRY(hd_driver_allocate(driver, 64, out_data));
  HD_TRY(hd_work_begin(works, out_work));
  HD_TRY(hd_stream_fill(driver, hd_work_stream(*out_work), *out_data, 7, 64));
  return hd_work_later(*out_work);
}

static hd_status run(void) {
  void *data;
  hd_work *work;
  HD_TRY(start(&data, &work));
  hd_works_reap(works);
  hd_status status = hd_work_wait(work);
  hd_work_release(work);
  hd_driver_release(driver, data, 64);
  return status;
}

static void use(void *unused) {
  (void)unused;
  hd_status_ignore(run());
}

static bool all_works(void *unused) {
  (void)unused;
  hd_works_wait(works);
  hd_works_reap(works);
  return hd_is_ok(run());
}

static bool is_the_parents(void *user) {
  hd_work *work = user;
  bool is_done = hd_work_is_done(work);
  hd_status status = hd_work_wait(work);
  bool aborted = hd_status_code_of(status) == HD_ABORTED;
  hd_status_free(status);
  return is_done && aborted && !hd_works_wait(works) && hd_is_ok(run());
}

static bool is_known(void *user) { return hd_work_is_done(user) && hd_is_ok(hd_work_wait(user)); }

static void check_under_way(void) {
  void *data;
  hd_work *work;
  HD_CHECK_OK(start(&data, &work));
  HD_CHECK(hd_test_child_is_well(is_the_parents, work));
  HD_CHECK_OK(hd_work_wait(work));
  HD_CHECK(hd_test_child_is_well(is_known, work)); /* what had ended has its outcome */
  hd_work_release(work);
  hd_driver_release(driver, data, 64);
}

int main(void) {
  hd_pool *pool;
  HD_CHECK_OK(hd_pool_create(2, NULL, &pool));
  hd_driver_config config = {.pool = pool};
  if (!HD_CHECK_OK(hd_driver_open("guarded", &config, &driver))) return HD_TEST_RESULT();
  HD_CHECK_OK(hd_works_create(driver, &works));
  check_under_way();
  hd_test_forks(CHILDREN, use, all_works, NULL);
  hd_works_free(works);
  hd_driver_close(driver);
  hd_pool_free(pool);
  return HD_TEST_RESULT();
}
