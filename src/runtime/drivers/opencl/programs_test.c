/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that are built at once, on a device that only counts: different ones together,
 * one of one module, and none that failed. */
#include <pthread.h>
#include <time.h>

#include "base/testing.h"
#include "runtime/drivers/opencl/opencl.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint32_t builds, at_once, most, wanted, releases;
static bool fails;
static char made[64];

static cl_program take_words(cl_context context, const void *words, size_t size, cl_int *code) {
  (void)context, (void)words, (void)size;
  pthread_mutex_lock(&lock);
  cl_program program = (cl_program)(void *)&made[builds++];
  pthread_mutex_unlock(&lock);
  *code = 0;
  return program;
}

/* Waits until |wanted| builds are under way, or for long: then they are not. */
static cl_int build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options, void *done,
                    void *user) {
  (void)program, (void)count, (void)devices, (void)options, (void)done, (void)user;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 20;
  pthread_mutex_lock(&lock);
  if (++at_once > most) most = at_once;
  pthread_cond_broadcast(&changed);
  while (most < wanted && !pthread_cond_timedwait(&changed, &lock, &until)) {
  }
  --at_once;
  pthread_mutex_unlock(&lock);
  return fails ? -11 : 0;
}

static cl_int release(cl_program program) {
  (void)program;
  ++releases;
  return 0;
}

static cl_int no_log(cl_program program, cl_device_id device, cl_uint what, size_t size, void *out, size_t *out_size) {
  (void)program, (void)device, (void)what, (void)size, (void)out, (void)out_size;
  return -30;
}

static const hd_cl_api api = {.clCreateProgramWithIL = take_words,
                              .clBuildProgram = build,
                              .clReleaseProgram = release,
                              .clGetProgramBuildInfo = no_log};
static hd_opencl_device device = {.cl = &api, .lock = PTHREAD_MUTEX_INITIALIZER, .built = PTHREAD_COND_INITIALIZER};
static hd_opencl_driver driver = {.device = &device, .cl = &api};

typedef struct request {
  uint32_t word;
  hd_opencl_program *program;
  bool ok;
} request;

static void *ask(void *user) {
  request *r = user;
  hd_opencl_module module = {.entry = "k", .words = &r->word, .count = 1};
  hd_status status = hd_opencl_program_take(&driver, &module, &r->program);
  r->ok = hd_is_ok(status);
  hd_status_free(status);
  return NULL;
}

static void ask_all(request *requests, size_t count) {
  pthread_t threads[8];
  builds = at_once = most = 0;
  for (size_t i = 0; i < count; ++i) HD_CHECK(!pthread_create(&threads[i], NULL, ask, &requests[i]));
  for (size_t i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

int main(void) {
  request different[4] = {{.word = 1}, {.word = 2}, {.word = 3}, {.word = 4}};
  wanted = 4;
  ask_all(different, 4);
  HD_CHECK_INT(most, 4);
  HD_CHECK_INT(builds, 4);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < i; ++k) HD_CHECK(different[i].ok && different[i].program != different[k].program);

  request same[8] = {0};
  for (int i = 0; i < 8; ++i) same[i].word = 5;
  wanted = 1;
  ask_all(same, 8);
  HD_CHECK_INT(builds, 1);
  for (int i = 0; i < 8; ++i) HD_CHECK(same[i].ok && same[i].program == same[0].program);
  HD_CHECK_INT(same[0].program->users, 8);
  HD_CHECK_INT(device.unused, 0);

  /* Every waiter gets the failure, and the next one tries again. */
  request failing[3] = {{.word = 6}, {.word = 6}, {.word = 6}};
  fails = true;
  ask_all(failing, 3);
  HD_CHECK_INT(builds, 3);
  for (int i = 0; i < 3; ++i) HD_CHECK(!failing[i].ok && !failing[i].program);
  fails = false;
  ask_all(failing, 1);
  HD_CHECK(failing[0].ok && failing[0].program);

  for (int i = 0; i < 8; ++i) hd_opencl_program_give(&driver, same[i].program);
  HD_CHECK_INT(device.unused, 1);
  ask_all(same, 1);
  HD_CHECK_INT(builds, 0);
  HD_CHECK_INT(device.unused, 0);
  HD_CHECK_INT(releases, 3);
  return HD_TEST_RESULT();
}
