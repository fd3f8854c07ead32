/* SPDX-License-Identifier: Apache-2.0 */
/* A process that forks while an execution is under way: in the child its promises are over, with an error that says so,
 * whoever waits for them and since when. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testing.h"

enum { LAST = 300000000 };

/* Counts long enough for a fork. */
static const char COUNT[] =
    "func.func @main(%x: tensor<i64>) -> tensor<i64> {\n"
    "  %one = stablehlo.constant dense<1> : tensor<i64>\n"
    "  %end = stablehlo.constant dense<300000000> : tensor<i64>\n"
    "  %r = stablehlo.while(%i = %x) : tensor<i64>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %end : (tensor<i64>, tensor<i64>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %n = stablehlo.add %i, %one : tensor<i64>\n"
    "    stablehlo.return %n : tensor<i64>\n"
    "  }\n"
    "  return %r : tensor<i64>\n"
    "}\n";

static PJRT_Buffer *number(int64_t value) {
  CALL(Client_BufferFromHostBuffer, .client = client, .data = &value, .type = PJRT_Buffer_Type_S64);
  HD_CHECK(!code_Client_BufferFromHostBuffer);
  HD_CHECK(!end_event(args_Client_BufferFromHostBuffer.done_with_host_buffer));
  return args_Client_BufferFromHostBuffer.buffer;
}

/* |*out_end|: the event of the execution's end. */
static int execute(PJRT_LoadedExecutable *executable, PJRT_Buffer *x, PJRT_Buffer **out, PJRT_Event **out_end) {
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  PJRT_Buffer *const *arguments[] = {&x};
  PJRT_Buffer **outputs[] = {out};
  CALL(LoadedExecutable_Execute, .executable = executable, .options = &options, .argument_lists = arguments,
       .num_devices = 1, .num_args = 1, .output_lists = outputs, .device_complete_events = out_end);
  return code_LoadedExecutable_Execute;
}

static PJRT_Event *ready_event(PJRT_Buffer *buffer) {
  CALL(Buffer_ReadyEvent, .buffer = buffer);
  HD_CHECK(!code_Buffer_ReadyEvent);
  return args_Buffer_ReadyEvent.event;
}

static int told = -1;
static void hear(PJRT_Error *error, void *user) {
  (void)user;
  told = error_code(error);
}

static int read_number(PJRT_Buffer *buffer, int64_t *out) {
  CALL(Buffer_ToHostBuffer, .src = buffer, .dst = out, .dst_size = sizeof *out);
  return code_Buffer_ToHostBuffer ? code_Buffer_ToHostBuffer : end_event(args_Buffer_ToHostBuffer.event);
}

/* How many things are wrong in the child. */
static int in_child(PJRT_LoadedExecutable *executable, PJRT_Buffer *x, PJRT_Buffer *y, PJRT_Event *end,
                    PJRT_Event *ready) {
  int64_t value;
  int wrong = 0;
  CALL(Event_IsReady, .event = ready);
  wrong += !args_Event_IsReady.is_ready;
  wrong += told != HD_ABORTED; /* who asked before the fork */
  wrong += end_event(end) != HD_ABORTED;
  wrong += end_event(ready) != HD_ABORTED;
  wrong += end_event(ready_event(y)) != HD_ABORTED;
  wrong += read_number(y, &value) != HD_ABORTED;
  wrong += read_number(x, &value) || value != 0; /* what was done before the fork is there */
  /* The child executes where the parent's execution had not begun, and gets an error where it had. */
  PJRT_Buffer *late = number(LAST - 1), *again = NULL;
  PJRT_Event *again_end = NULL;
  int code = execute(executable, late, &again, &again_end);
  if (!code) code = end_event(again_end);
  wrong += code ? code != HD_FAILED_PRECONDITION : read_number(again, &value) || value != LAST;
  if (again) destroy_buffer(again);
  destroy_buffer(late);
  destroy_buffer(x);
  destroy_buffer(y);
  return wrong;
}

int main(void) {
  open_client();
  PJRT_LoadedExecutable *executable;
  PJRT_Program program = program_of(COUNT, strlen(COUNT));
  if (!HD_CHECK(!compile(program, one, sizeof one, &executable))) return HD_TEST_RESULT();
  PJRT_Buffer *x = number(0), *y = NULL;
  PJRT_Event *end;
  HD_CHECK(!execute(executable, x, &y, &end));
  PJRT_Event *ready = ready_event(y);
  CALL(Event_OnReady, .event = ready, .callback = hear);
  HD_CHECK(!code_Event_OnReady);
  HD_CHECK_INT(told, -1);
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    alarm(60); /* a child that hangs is ended */
    _exit(in_child(executable, x, y, end, ready));
  }
  int outcome = -1;
  HD_CHECK(child > 0 && waitpid(child, &outcome, 0) == child);
  HD_CHECK_INT(outcome, 0);
  int64_t value = 0;
  HD_CHECK(!end_event(end) && !end_event(ready) && told == HD_OK);
  HD_CHECK(!read_number(y, &value) && value == LAST);
  destroy_buffer(x);
  destroy_buffer(y);
  CALL(LoadedExecutable_Destroy, .executable = executable);
  close_client();
  return HD_TEST_RESULT();
}
