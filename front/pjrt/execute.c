/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of executables: an execution on each device (execution.h), all of which start at once. */
#include <stdlib.h>
#include <string.h>

#include "execution.h"

/* A rank for each execution of a program on several devices. */
static hd_status give_communicators(hd_execution **all, size_t count) {
  hd_communicator **ranks = calloc(count, sizeof(*ranks));
  if (!ranks) return hd_pjrt_out_of_memory();
  hd_status status = hd_communicator_create_local((int32_t)count, ranks);
  for (size_t d = 0; hd_is_ok(status) && d < count; ++d) all[d]->communicator = ranks[d];
  free(ranks);
  return status;
}

/* All executions of a call: the queues of several devices get them in one go, so that any two programs come in the same
 * order on every device and meet themselves there. */
static hd_status start_all(PJRT_LoadedExecutable_Execute_Args *args, hd_execution **all, size_t count) {
  PJRT_Client *client = args->executable->program->client;
  hd_status status = HD_STATUS_OK;
  if (count > 1) {
    HD_TRY(give_communicators(all, count));
    pthread_mutex_lock(&client->launching);
  }
  for (size_t d = 0; hd_is_ok(status) && d < count; ++d) {
    hd_execution *x = all[d];
    all[d] = NULL;
    status = hd_execution_start(x, args->output_lists[d]);
  }
  if (count > 1) pthread_mutex_unlock(&client->launching);
  return status;
}

static hd_status execute(PJRT_LoadedExecutable_Execute_Args *args, hd_execution **all, hd_promise **ends) {
  hd_pjrt_program *program = args->executable->program;
  for (size_t d = 0; d < args->num_devices; ++d) {
    PJRT_Device *device = args->execute_device ? args->execute_device : program->devices[d];
    HD_TRY(
        hd_execution_prepare(device, program, args->options, args->argument_lists[d], args->output_lists[d], &all[d]));
    ends[d] = hd_promise_retain(all[d]->end);
  }
  return start_all(args, all, args->num_devices);
}

static void drop_outputs(PJRT_Buffer **outputs, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    PJRT_Buffer_Destroy_Args args = {.buffer = outputs[i]};
    hd_status_ignore(hd_pjrt_Buffer_Destroy(&args));
    outputs[i] = NULL;
  }
}

static hd_status check_lists(const PJRT_LoadedExecutable_Execute_Args *args, const hd_pjrt_program *program) {
  bool good = (!program->input_count || args->argument_lists) && (!program->output_count || args->output_lists);
  for (size_t d = 0; good && d < args->num_devices; ++d)
    good = (!program->input_count || args->argument_lists[d]) && (!program->output_count || args->output_lists[d]);
  if (!good) return hd_make_status(HD_INVALID_ARGUMENT, "a list of arguments or results is null");
  if (args->options && args->options->num_non_donatable_input_indices && !args->options->non_donatable_input_indices)
    return hd_make_status(HD_INVALID_ARGUMENT, "the list of arguments that are not donated is null");
  return HD_STATUS_OK;
}

static hd_status take_options(const PJRT_ExecuteOptions *given, PJRT_ExecuteOptions *out) {
  static const hd_pjrt_struct about = {"PJRT_ExecuteOptions", sizeof *out, 0,
                                       HD_PJRT_SIZE_OF(PJRT_ExecuteOptions, launch_id)};
  size_t known;
  memset(out, 0, sizeof *out);
  HD_TRY(hd_pjrt_known_size(&about, given, &known));
  memcpy(out, given, known);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args *args) {
  hd_pjrt_program *program = args->executable->program;
  if (atomic_load_explicit(&args->executable->deleted, memory_order_relaxed))
    return hd_make_status(HD_INVALID_ARGUMENT, "the executable has been deleted");
  if (args->num_args != (size_t)program->input_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected %d arguments, got %zu", program->input_count, args->num_args);
  if (args->execute_device && args->execute_device->client != program->client)
    return hd_make_status(HD_INVALID_ARGUMENT, "the device is another client's");
  if (args->execute_device && program->device_count > 1)
    return hd_make_status(HD_UNIMPLEMENTED, "a program of %zu devices runs on all of them at once, not on one",
                          program->device_count);
  if (args->num_devices != program->device_count)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected arguments for %zu devices, got %zu", program->device_count,
                          args->num_devices);
  PJRT_LoadedExecutable_Execute_Args own;
  PJRT_ExecuteOptions options;
  if (args->options) {
    HD_TRY(take_options(args->options, &options));
    own = *args;
    own.options = &options;
    args = &own;
  }
  HD_TRY(check_lists(args, program));
  hd_execution *few[8];
  hd_promise *few_ends[8];
  bool many = args->num_devices > 8;
  hd_execution **all = many ? malloc(args->num_devices * sizeof *all) : few;
  hd_promise **ends = many ? malloc(args->num_devices * sizeof *ends) : few_ends;
  hd_status status = all && ends ? HD_STATUS_OK : hd_pjrt_out_of_memory();
  for (size_t d = 0; hd_is_ok(status) && d < args->num_devices; ++d) {
    all[d] = NULL;
    ends[d] = NULL;
    for (int32_t i = 0; i < program->output_count; ++i) args->output_lists[d][i] = NULL;
  }
  bool begun = hd_is_ok(status);
  if (begun) status = execute(args, all, ends);
  for (size_t d = 0; begun && d < args->num_devices; ++d) {
    if (all[d]) hd_execution_free(all[d]);
    if (!hd_is_ok(status)) drop_outputs(args->output_lists[d], program->output_count);
    if (hd_is_ok(status) && args->device_complete_events)
      args->device_complete_events[d] = hd_promise_as_event(ends[d]);
    else
      hd_promise_release(ends[d]);
  }
  if (many) {
    free(all);
    free(ends);
  }
  return status;
}

/* Contexts carry what the FFI extension adds; nothing is added yet that an execution would read. */
struct PJRT_ExecuteContext {
  char unused;
};

hd_status hd_pjrt_ExecuteContext_Create(PJRT_ExecuteContext_Create_Args *args) {
  args->context = calloc(1, sizeof *args->context);
  return args->context ? HD_STATUS_OK : hd_pjrt_out_of_memory();
}

hd_status hd_pjrt_ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args *args) {
  free(args->context);
  return HD_STATUS_OK;
}
