/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the PJRT C API share: calls whose errors are codes, one client of two devices, buffers, programs.
 * All of it is the test's own, so a test is one file. */
#ifndef HD_FRONT_PJRT_TESTING_H_
#define HD_FRONT_PJRT_TESTING_H_

#include <stdlib.h>

#include "abi.h"
#include "base/testing.h"

#define UNUSED __attribute__((unused))

const PJRT_Api *GetPjrtApi(void);
static const PJRT_Api *api;
static PJRT_Client *client;
UNUSED static PJRT_Device *const *devices;

/* The code of |error|, which is freed; its message must say something. */
UNUSED static int error_code(PJRT_Error *error) {
  if (!error) return HD_OK;
  PJRT_Error_GetCode_Args code = {.struct_size = PJRT_Error_GetCode_BYTES, .error = error};
  PJRT_Error_Message_Args text = {.struct_size = PJRT_Error_Message_BYTES, .error = error};
  PJRT_Error_Destroy_Args destroy = {.struct_size = PJRT_Error_Destroy_BYTES, .error = error};
  HD_CHECK(!api->Error_GetCode(&code));
  api->Error_Message(&text);
  HD_CHECK(text.message_size > 8 || code.code == HD_DATA_LOSS); /* that one is the test's own */
  if (getenv("PJRT_HOSTILE_SHOW")) printf("%d %.*s\n", code.code, (int)text.message_size, text.message);
  api->Error_Destroy(&destroy);
  return code.code;
}

/* The last call's arguments are args_NAME. */
#define CALL(name, ...)                                                               \
  PJRT_##name##_Args args_##name = {.struct_size = PJRT_##name##_BYTES, __VA_ARGS__}; \
  int code_##name = error_code(api->name(&args_##name));                              \
  (void)code_##name

/* A client of two devices without a cache; null on failure. */
UNUSED static PJRT_Client *create_client(void) {
  PJRT_NamedValue option = {.struct_size = sizeof option,
                            .name = "num_devices",
                            .name_size = 11,
                            .type = PJRT_NamedValue_kInt64,
                            .int64_value = 2,
                            .value_size = 1};
  setenv("HEDDLE_CACHE_DIR", "/dev/null/none", 1);
  unsetenv("HEDDLE_NUM_DEVICES");
  api = GetPjrtApi();
  HD_CHECK(api->struct_size == sizeof *api);
  CALL(Client_Create, .create_options = &option, .num_options = 1);
  HD_CHECK(!code_Client_Create);
  return args_Client_Create.client;
}

/* |client| and |devices|. */
UNUSED static void open_client(void) {
  client = create_client();
  CALL(Client_Devices, .client = client);
  devices = args_Client_Devices.devices;
}

UNUSED static void close_client(void) {
  CALL(Client_Destroy, .client = client);
  HD_CHECK(!code_Client_Destroy);
}

/* ---- buffers --------------------------------------------------------------------------------------------------- */

UNUSED static void destroy_buffer(PJRT_Buffer *buffer) {
  CALL(Buffer_Destroy, .buffer = buffer);
  HD_CHECK(!code_Buffer_Destroy);
}

UNUSED static int end_event(PJRT_Event *event) {
  if (!event) return HD_OK;
  CALL(Event_Await, .event = event);
  CALL(Event_Destroy, .event = event);
  HD_CHECK(!code_Event_Destroy);
  return code_Event_Await;
}

enum { BIG = 4096 };
UNUSED static char memory[BIG];

/* A buffer of |rows| x |columns| f32, all zero. */
UNUSED static PJRT_Buffer *floats(int64_t rows, int64_t columns) {
  int64_t dims[] = {rows, columns};
  CALL(Client_BufferFromHostBuffer, .client = client, .data = memory, .type = PJRT_Buffer_Type_F32, .dims = dims,
       .num_dims = 2);
  HD_CHECK(!code_Client_BufferFromHostBuffer);
  HD_CHECK(!end_event(args_Client_BufferFromHostBuffer.done_with_host_buffer));
  return args_Client_BufferFromHostBuffer.buffer;
}

/* ---- programs -------------------------------------------------------------------------------------------------- */

/* CompileOptionsProto { executable_build_options { num_replicas = 1, num_partitions = 1 } } */
UNUSED static const char one[] = {0x1a, 4, 0x20, 1, 0x28, 1};

UNUSED static PJRT_Program program_of(const char *text, size_t size) {
  return (PJRT_Program){.struct_size = 48, .code = (char *)text, .code_size = size, .format = "mlir", .format_size = 4};
}

UNUSED static int compile(PJRT_Program program, const char *options, size_t size, PJRT_LoadedExecutable **out) {
  CALL(Client_Compile, .client = client, .program = &program, .compile_options = options, .compile_options_size = size);
  HD_CHECK(!args_Client_Compile.executable == (code_Client_Compile != HD_OK));
  if (out) *out = args_Client_Compile.executable;
  return code_Client_Compile;
}

#endif
