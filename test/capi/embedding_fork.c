/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that fork while they have objects of the runtime: what include/heddle/runtime.h says of the child. */
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "embedding.h"

static const char RELU[] =
    "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n  %0 = stablehlo.abs %a : tensor<?xf32>\n  return %0 : "
    "tensor<?xf32>\n}\n";
static const char CALL[] =
    "func.func @main(%a: tensor<?xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.custom_call @wait_here(%a) : "
    "(tensor<?xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n";

enum { COUNT = 1 << 20, SECONDS = 60 };

static float input[COUNT];

static void runs(hd_runtime *runtime, hd_executable *executable, bool background) {
  hd_buffer *in = wrap(runtime, input, COUNT), *out = NULL;
  if (background) {
    hd_event *event;
    must(hd_executable_execute_async(executable, NULL, &in, 1, &out, 1, &event), "starting");
    must(hd_event_wait(event, -1), "waiting");
    hd_event_release(event);
  } else {
    must(hd_executable_execute(executable, NULL, &in, 1, &out, 1), "running");
  }
  const float *got = hd_buffer_data(out);
  expect(got[0] == 1 && got[COUNT / 2] == 1 && got[COUNT - 1] == 1, "the values");
  hd_buffer_release(in);
  hd_buffer_release(out);
}

/* The child of this process ends well, and in time. */
static void child_is_well(pid_t child) {
  int status;
  expect(child > 0 && waitpid(child, &status, 0) == child && !status, "a child that ends well");
}

static pid_t fork_child(void) {
  fflush(stdout);
  pid_t child = fork();
  if (!child) alarm(SECONDS); /* a child that hangs is ended */
  return child;
}

/* |background|: the parent has run so before. The child runs both ways and releases all, and its own child too. */
static void child_runs(bool background) {
  for (int i = 0; i < COUNT; ++i) input[i] = i % 2 ? 1 : -1;
  hd_runtime_options options = HD_INIT(hd_runtime_options);
  options.threads = 4;
  hd_runtime *runtime;
  must(hd_runtime_create(&options, &runtime), "making a runtime");
  hd_executable *executable = load(runtime, RELU);
  for (int i = 0; i < 3; ++i) runs(runtime, executable, background);
  pid_t child = fork_child();
  if (!child) {
    for (int i = 0; i < 4; ++i) runs(runtime, executable, i % 2);
    pid_t grandchild = fork_child();
    for (int i = 0; i < 2; ++i) runs(runtime, executable, i % 2);
    if (grandchild) child_is_well(grandchild);
    hd_executable_release(executable);
    hd_runtime_release(runtime);
    fflush(stdout);
    _exit(0);
  }
  for (int i = 0; i < 4; ++i) runs(runtime, executable, i % 2); /* beside the child */
  child_is_well(child);
  hd_executable_release(executable);
  hd_runtime_release(runtime);
}

static void child_after_runs(void) { child_runs(false); }
static void child_after_background(void) { child_runs(true); }

static atomic_int arrived, may_go;

static hd_status wait_here(void *user, const hd_custom_call *call) {
  (void)user;
  atomic_store(&arrived, 1);
  while (!atomic_load(&may_go)) usleep(1000);
  for (int i = 0; i < 4; ++i) ((float *)call->outputs[0].data)[i] = 7;
  return HD_STATUS_OK;
}

/* One execution is under way and one waits for it when the process forks. */
static void child_meanwhile(void) {
  hd_runtime *runtime;
  must(hd_custom_call_register("wait_here", wait_here, NULL), "registering");
  must(hd_runtime_create(NULL, &runtime), "making a runtime");
  hd_executable *executable = load(runtime, CALL);
  hd_buffer *in = wrap(runtime, input, 4), *outs[2] = {NULL, NULL};
  hd_event *events[2];
  for (int i = 0; i < 2; ++i)
    must(hd_executable_execute_async(executable, NULL, &in, 1, &outs[i], 1, &events[i]), "starting");
  while (!atomic_load(&arrived)) usleep(1000);
  pid_t child = fork_child();
  if (!child) {
    for (int i = 0; i < 2; ++i) {
      expect(hd_event_is_done(events[i]), "an event that is done");
      expect_code(hd_event_wait(events[i], -1), HD_ABORTED, "forked", "waiting for the parent's execution");
      hd_event_release(events[i]);
    }
    hd_event *event;
    hd_buffer *out = NULL;
    expect_code(hd_executable_execute(executable, NULL, &in, 1, &out, 1), HD_FAILED_PRECONDITION, "forked", "running");
    expect_code(hd_executable_execute_async(executable, NULL, &in, 1, &out, 1, &event), HD_FAILED_PRECONDITION,
                "forked", "running in the background");
    hd_buffer_release(in);
    hd_executable_release(executable);
    hd_runtime_release(runtime);
    must(hd_runtime_create(NULL, &runtime), "making another runtime");
    executable = load(runtime, RELU);
    for (int i = 0; i < COUNT; ++i) input[i] = 1;
    for (int i = 0; i < 2; ++i) runs(runtime, executable, i % 2);
    hd_executable_release(executable);
    hd_runtime_release(runtime);
    fflush(stdout);
    _exit(0);
  }
  child_is_well(child);
  atomic_store(&may_go, 1);
  for (int i = 0; i < 2; ++i) {
    must(hd_event_wait(events[i], -1), "waiting");
    expect(((const float *)hd_buffer_data(outs[i]))[3] == 7, "the parent's values");
    hd_event_release(events[i]);
    hd_buffer_release(outs[i]);
  }
  hd_buffer_release(in);
  hd_executable_release(executable);
  hd_runtime_release(runtime);
  must(hd_custom_call_register("wait_here", NULL, NULL), "taking back");
}

int main(int argc, char **argv) {
  static const embedding_case cases[] = {{"child-after-runs", child_after_runs},
                                         {"child-after-background", child_after_background},
                                         {"child-meanwhile", child_meanwhile}};
  return run_cases(cases, sizeof cases / sizeof *cases, argc, argv);
}
