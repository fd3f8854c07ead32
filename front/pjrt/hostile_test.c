/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of the PJRT C API with arguments that no framework should give: nothing may end the process, and what
 * is wrong must be said. Objects that are gone, and memory that is not there, cannot be told from good ones and are not
 * tried. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi.h"
#include "base/testing.h"
#include "heddle/status.h"

const PJRT_Api *GetPjrtApi(void);
static const PJRT_Api *api;
static PJRT_Client *client;
static PJRT_Device *const *devices;

enum { BIG = 4096 };

/* The code of |error|, which is freed; its message must say something. */
static int code_of(PJRT_Error *error) {
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
  int code_##name = code_of(api->name(&args_##name));                                 \
  (void)code_##name

/* ---- nothing at all -------------------------------------------------------------------------------------------- */

/* Null arguments, arguments of no size, and full ones with nothing in them; null is an error wherever an object is
 * needed. Functions that create give an object, which leaks here once. */
static void test_nothing(void) {
  size_t slots = 0;
#define SLOT(name, ...)                                                                                         \
  {                                                                                                             \
    PJRT_##name##_Args args = {.struct_size = 0};                                                               \
    HD_CHECK(api->name != NULL);                                                                                \
    HD_CHECK(code_of(api->name(NULL)) == HD_INVALID_ARGUMENT);                                                  \
    int empty = code_of(api->name(&args));                                                                      \
    memset(&args, 0, sizeof args);                                                                              \
    args.struct_size = sizeof args;                                                                             \
    int full = code_of(api->name(&args));                                                                       \
    bool needs = sizeof(#__VA_ARGS__) > 1;                                                                      \
    if (needs && (empty != HD_INVALID_ARGUMENT || full != HD_INVALID_ARGUMENT))                                 \
      hd_test_check_(false, __FILE__, __LINE__, "PJRT_%s of null objects gives %d and %d", #name, empty, full); \
    ++slots;                                                                                                    \
  }
#define NONE(name, instead)                                  \
  {                                                          \
    PJRT_None_Args args = {.struct_size = sizeof args};      \
    HD_CHECK(api->name != NULL);                             \
    HD_CHECK(code_of(api->name(NULL)) == HD_UNIMPLEMENTED);  \
    HD_CHECK(code_of(api->name(&args)) == HD_UNIMPLEMENTED); \
    HD_CHECK(strlen(instead) > 8);                           \
    ++slots;                                                 \
  }
#include "slots.def"
  HD_CHECK(slots + 2 == 129); /* with Error_Destroy and Error_Message: all of version 0.94 */
  api->Error_Destroy(NULL);
  api->Error_Message(NULL);
  PJRT_Error_Message_Args none = {.struct_size = PJRT_Error_Message_BYTES};
  api->Error_Message(&none);
  HD_CHECK(none.message && !none.message_size);
  for (const PJRT_Extension_Base *e = api->extension_start; e; e = e->next) {
    if (e->type == PJRT_Extension_Type_Profiler) continue;
    PJRT_Error *(*const *functions)(void *) = (PJRT_Error * (*const *)(void *))(e + 1);
    for (size_t i = 0; i < (e->struct_size - sizeof *e) / sizeof *functions; ++i) {
      size_t args[32] = {sizeof args};
      HD_CHECK(code_of(functions[i](NULL)) != HD_OK);
      HD_CHECK(code_of(functions[i](args)) != HD_OK || e->type == PJRT_Extension_Type_FFI);
    }
  }
}

/* ---- the client ------------------------------------------------------------------------------------------------ */

static int with_option(const PJRT_NamedValue *option, size_t count) {
  CALL(Client_Create, .create_options = option, .num_options = count);
  HD_CHECK(!args_Client_Create.client == (code_Client_Create != HD_OK));
  CALL(TopologyDescription_Create, .create_options = option, .num_options = count);
  HD_CHECK(code_TopologyDescription_Create == code_Client_Create);
  return code_Client_Create;
}

static void test_client(void) {
  PJRT_NamedValue option = {.struct_size = sizeof option, .name = "num_devices", .name_size = 11, .value_size = 1};
  HD_CHECK(with_option(NULL, 1) == HD_INVALID_ARGUMENT);
  option.type = PJRT_NamedValue_kString;
  HD_CHECK(with_option(&option, 1) == HD_INVALID_ARGUMENT);
  option.type = PJRT_NamedValue_kInt64;
  static const int64_t counts[] = {0, -1, 1025, INT64_MAX, INT64_MIN};
  for (int i = 0; i < 5; ++i) {
    option.int64_value = counts[i];
    HD_CHECK(with_option(&option, 1) == HD_INVALID_ARGUMENT);
  }
  option.name = "devices";
  option.name_size = 7;
  HD_CHECK(with_option(&option, 1) == HD_INVALID_ARGUMENT);
  option.name = NULL;
  option.name_size = 11;
  HD_CHECK(with_option(&option, 1) == HD_INVALID_ARGUMENT);

  static const int ids[] = {-1, 2, INT32_MAX, INT32_MIN};
  for (int i = 0; i < 4; ++i) {
    CALL(Client_LookupDevice, .client = client, .id = ids[i]);
    HD_CHECK(code_Client_LookupDevice == HD_INVALID_ARGUMENT && !args_Client_LookupDevice.device);
    CALL(Client_LookupAddressableDevice, .client = client, .local_hardware_id = ids[i]);
    HD_CHECK(code_Client_LookupAddressableDevice == HD_INVALID_ARGUMENT);
  }
  int assignment[2] = {7, 7};
  static const int shapes[][3] = {{0, 1, 2}, {1, 0, 2}, {-1, -1, 2}, {2, 2, 2}, {INT32_MAX, INT32_MAX, 2}, {1, 2, 1}};
  for (int i = 0; i < 6; ++i) {
    CALL(Client_DefaultDeviceAssignment, .client = client, .num_replicas = shapes[i][0], .num_partitions = shapes[i][1],
         .default_assignment_size = (size_t)shapes[i][2], .default_assignment = assignment);
    HD_CHECK(code_Client_DefaultDeviceAssignment == HD_INVALID_ARGUMENT && assignment[0] == 7);
  }
}

/* ---- buffers --------------------------------------------------------------------------------------------------- */

static void destroy_buffer(PJRT_Buffer *buffer) {
  CALL(Buffer_Destroy, .buffer = buffer);
  HD_CHECK(!code_Buffer_Destroy);
}

static int end_event(PJRT_Event *event) {
  if (!event) return HD_OK;
  CALL(Event_Await, .event = event);
  CALL(Event_Destroy, .event = event);
  HD_CHECK(!code_Event_Destroy);
  return code_Event_Await;
}

typedef struct given {
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t rank;
  const int64_t *strides;
  size_t stride_count;
  PJRT_Buffer_MemoryLayout *layout;
  const void *data;
} given;

static char memory[BIG];

/* The code of making a buffer in each of the ways there are; all must agree that it is wrong, or give one. */
static int make(given g, PJRT_Buffer **out) {
  CALL(Client_BufferFromHostBuffer, .client = client, .data = g.data, .type = g.type, .dims = g.dims,
       .num_dims = g.rank, .byte_strides = g.strides, .num_byte_strides = g.stride_count, .device_layout = g.layout);
  HD_CHECK(!args_Client_BufferFromHostBuffer.buffer == (code_Client_BufferFromHostBuffer != HD_OK));
  HD_CHECK(!end_event(args_Client_BufferFromHostBuffer.done_with_host_buffer));
  if (!g.stride_count && g.data) {
    CALL(Client_CreateUninitializedBuffer, .client = client, .shape_dims = g.dims, .shape_num_dims = g.rank,
         .shape_element_type = g.type, .shape_layout = g.layout);
    HD_CHECK(code_Client_CreateUninitializedBuffer == code_Client_BufferFromHostBuffer);
    if (args_Client_CreateUninitializedBuffer.buffer) destroy_buffer(args_Client_CreateUninitializedBuffer.buffer);
    CALL(Client_CreateViewOfDeviceBuffer, .client = client, .device_buffer_ptr = memory, .dims = g.dims,
         .num_dims = g.rank, .element_type = g.type, .layout = g.layout);
    HD_CHECK(code_Client_CreateViewOfDeviceBuffer == code_Client_BufferFromHostBuffer);
    if (args_Client_CreateViewOfDeviceBuffer.buffer) destroy_buffer(args_Client_CreateViewOfDeviceBuffer.buffer);
  }
  if (out)
    *out = args_Client_BufferFromHostBuffer.buffer;
  else if (args_Client_BufferFromHostBuffer.buffer)
    destroy_buffer(args_Client_BufferFromHostBuffer.buffer);
  return code_Client_BufferFromHostBuffer;
}

static PJRT_Buffer *floats(int64_t rows, int64_t columns) {
  int64_t dims[] = {rows, columns};
  PJRT_Buffer *buffer = NULL;
  HD_CHECK(!make((given){PJRT_Buffer_Type_F32, dims, 2, .data = memory}, &buffer));
  return buffer;
}

static PJRT_Buffer_MemoryLayout tiled(const int64_t *order, size_t size) {
  return (PJRT_Buffer_MemoryLayout){.struct_size = sizeof(PJRT_Buffer_MemoryLayout),
                                    .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
                                    .tiled = {.minor_to_major = order, .minor_to_major_size = size}};
}

static PJRT_Buffer_MemoryLayout strided(const int64_t *strides, size_t size) {
  return (PJRT_Buffer_MemoryLayout){.struct_size = sizeof(PJRT_Buffer_MemoryLayout),
                                    .type = PJRT_Buffer_MemoryLayout_Type_Strides,
                                    .strides = {.byte_strides = strides, .num_byte_strides = size}};
}

static void test_shapes(void) {
  int64_t dims[1000] = {2, 3};
  for (int i = 2; i < 1000; ++i) dims[i] = 1;
  const given good = {PJRT_Buffer_Type_F32, dims, 2, .data = memory};
  HD_CHECK(!make(good, NULL));
  given g = good;
  for (int type = -2; type < 40; ++type) { /* every element type, and none */
    g.type = (PJRT_Buffer_Type)type;
    int code = make(g, NULL);
    bool known = type > PJRT_Buffer_Type_INVALID && type < PJRT_Buffer_Type_S1;
    HD_CHECK(code == (known ? HD_OK : HD_UNIMPLEMENTED));
  }
  g = good;
  static const int64_t sizes[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX / 2};
  for (int i = 0; i < 4; ++i) {
    dims[0] = sizes[i];
    HD_CHECK(make(g, NULL) == HD_INVALID_ARGUMENT);
  }
  dims[0] = (int64_t)1 << 31, dims[1] = (int64_t)1 << 31; /* wraps to 0 in bytes */
  HD_CHECK(make(g, NULL) == HD_INVALID_ARGUMENT);
  dims[0] = 0; /* no elements, whatever the other dim is */
  HD_CHECK(!make(g, NULL));
  dims[0] = 2, dims[1] = 3;
  static const size_t ranks[] = {17, 998, 1000, (size_t)1 << 32, SIZE_MAX};
  for (int i = 0; i < 5; ++i) {
    g.rank = ranks[i];
    HD_CHECK(make(g, NULL) == HD_INVALID_ARGUMENT);
  }
  g = good;
  g.dims = NULL;
  HD_CHECK(make(g, NULL) == HD_INVALID_ARGUMENT);
  g.rank = 0;
  HD_CHECK(!make(g, NULL));
  g = good;
  g.data = NULL;
  HD_CHECK(make(g, NULL) == HD_INVALID_ARGUMENT);
  dims[0] = 0;
  HD_CHECK(!make(g, NULL)); /* nothing to read */
  dims[0] = 2;
  /* More memory than there is: an error, and the process goes on. */
  int64_t huge[] = {(int64_t)1 << 45};
  CALL(Client_CreateUninitializedBuffer, .client = client, .shape_dims = huge, .shape_num_dims = 1,
       .shape_element_type = PJRT_Buffer_Type_F32);
  HD_CHECK(code_Client_CreateUninitializedBuffer == HD_RESOURCE_EXHAUSTED);
}

static void test_strides_and_layouts(void) {
  int64_t dims[] = {2, 3}, wide[] = {16, 4}, turned[] = {4, 8};
  given g = {PJRT_Buffer_Type_F32, dims, 2, .data = memory};
  static const size_t counts[] = {1, 3, SIZE_MAX};
  g.strides = wide;
  for (int i = 0; i < 3; ++i) {
    g.stride_count = counts[i];
    HD_CHECK(make(g, NULL) == HD_INVALID_ARGUMENT);
  }
  g.stride_count = 2;
  HD_CHECK(!make(g, NULL));
  g.strides = turned;
  HD_CHECK(!make(g, NULL));
  g.strides = NULL;
  HD_CHECK(make(g, NULL) == HD_INVALID_ARGUMENT);
  g.stride_count = 0;

  static const int64_t orders[][2] = {{2, 0}, {-1, 0}, {0, 0}, {INT64_MAX, 1}, {INT64_MIN, 1}};
  PJRT_Buffer *buffer = floats(2, 3);
  char room[64];
  for (int i = 0; i < 5; ++i) {
    PJRT_Buffer_MemoryLayout layout = tiled(orders[i], 2);
    g.layout = &layout;
    HD_CHECK(make(g, NULL) == HD_INVALID_ARGUMENT);
    CALL(Buffer_ToHostBuffer, .src = buffer, .host_layout = &layout, .dst = room, .dst_size = sizeof room);
    HD_CHECK(code_Buffer_ToHostBuffer == HD_INVALID_ARGUMENT);
  }
  static const int64_t column_major[] = {0, 1}, row_major[] = {1, 0};
  PJRT_Buffer_MemoryLayout bad[] = {tiled(NULL, 2), tiled(row_major, 1), strided(NULL, 2), strided(wide, 3),
                                    tiled(row_major, 2)};
  bad[4].type = (PJRT_Buffer_MemoryLayout_Type)9;
  for (int i = 0; i < 5; ++i) {
    g.layout = &bad[i];
    HD_CHECK(make(g, NULL) == HD_INVALID_ARGUMENT);
    CALL(Buffer_ToHostBuffer, .src = buffer, .host_layout = &bad[i], .dst = room, .dst_size = sizeof room);
    HD_CHECK(code_Buffer_ToHostBuffer == HD_INVALID_ARGUMENT);
  }
  PJRT_Buffer_MemoryLayout fine = tiled(row_major, 2), other = tiled(column_major, 2), tiles = tiled(row_major, 2);
  tiles.tiled.num_tiles = 1;
  g.layout = &fine;
  HD_CHECK(!make(g, NULL));
  g.layout = &other;
  HD_CHECK(make(g, NULL) == HD_UNIMPLEMENTED);
  g.layout = &tiles;
  HD_CHECK(make(g, NULL) == HD_UNIMPLEMENTED);

  /* What the host asks for must stay within its memory. */
  static const int64_t steps[][2] = {{64, 4}, {-12, 4}, {INT64_MAX, 4}, {12, INT64_MAX}};
  for (int i = 0; i < 4; ++i) {
    PJRT_Buffer_MemoryLayout layout = strided(steps[i], 2);
    CALL(Buffer_ToHostBuffer, .src = buffer, .host_layout = &layout, .dst = room, .dst_size = sizeof room);
    HD_CHECK(code_Buffer_ToHostBuffer == HD_INVALID_ARGUMENT);
  }
  PJRT_Buffer_MemoryLayout layout = strided(wide, 2);
  CALL(Buffer_ToHostBuffer, .src = buffer, .host_layout = &layout, .dst = room, .dst_size = sizeof room);
  HD_CHECK(!code_Buffer_ToHostBuffer && !end_event(args_Buffer_ToHostBuffer.event));
  destroy_buffer(buffer);
}

static void test_reading(void) {
  PJRT_Buffer *buffer = floats(2, 3);
  char room[24];
  {
    CALL(Buffer_ToHostBuffer, .src = buffer, .dst = room, .dst_size = 23);
    HD_CHECK(code_Buffer_ToHostBuffer == HD_INVALID_ARGUMENT);
  }
  static const int64_t ranges[][2] = {{-1, 4}, {0, -1}, {0, 25}, {24, 1}, {INT64_MAX, INT64_MAX}, {INT64_MIN, 0}};
  for (int i = 0; i < 6; ++i) {
    CALL(Buffer_CopyRawToHost, .buffer = buffer, .dst = room, .offset = ranges[i][0], .transfer_size = ranges[i][1]);
    int code = code_Buffer_CopyRawToHost ? code_Buffer_CopyRawToHost : end_event(args_Buffer_CopyRawToHost.event);
    HD_CHECK(code == HD_INVALID_ARGUMENT || code == HD_OUT_OF_RANGE);
  }
  {
    CALL(Buffer_CopyRawToHost, .buffer = buffer, .transfer_size = 4);
    HD_CHECK(code_Buffer_CopyRawToHost == HD_INVALID_ARGUMENT);
  }
  CALL(Buffer_DecreaseExternalReferenceCount, .buffer = buffer);
  HD_CHECK(code_Buffer_DecreaseExternalReferenceCount == HD_FAILED_PRECONDITION);
  CALL(Buffer_Delete, .buffer = buffer);
  HD_CHECK(!code_Buffer_Delete);
  /* What is deleted can still be asked for its shape, and says that it is gone. */
  CALL(Buffer_ReadyEvent, .buffer = buffer);
  HD_CHECK(!code_Buffer_ReadyEvent && end_event(args_Buffer_ReadyEvent.event) == HD_INVALID_ARGUMENT);
  CALL(Buffer_ToHostBuffer, .src = buffer, .dst = room, .dst_size = sizeof room);
  HD_CHECK(code_Buffer_ToHostBuffer == HD_INVALID_ARGUMENT);
  CALL(Buffer_CopyToDevice, .buffer = buffer, .dst_device = devices[1]);
  HD_CHECK(code_Buffer_CopyToDevice == HD_INVALID_ARGUMENT && !args_Buffer_CopyToDevice.dst_buffer);
  CALL(Buffer_UnsafePointer, .buffer = buffer);
  HD_CHECK(code_Buffer_UnsafePointer == HD_INVALID_ARGUMENT);
  CALL(Buffer_IncreaseExternalReferenceCount, .buffer = buffer);
  HD_CHECK(code_Buffer_IncreaseExternalReferenceCount == HD_INVALID_ARGUMENT);
  CALL(Buffer_Dimensions, .buffer = buffer);
  HD_CHECK(!code_Buffer_Dimensions && args_Buffer_Dimensions.dims[1] == 3);
  {
    CALL(Buffer_Delete, .buffer = buffer); /* twice */
    HD_CHECK(!code_Buffer_Delete);
  }
  destroy_buffer(buffer);
}

static void test_errors_of_others(void) {
  static const int codes[] = {0, -1, 17, INT32_MAX};
  int64_t dim = 3;
  for (int i = 0; i < 4; ++i) {
    CALL(Client_CreateErrorBuffer, .client = client, .error_code = codes[i], .error_message = "no", .shape_dims = &dim,
         .error_message_size = 2, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
    HD_CHECK(code_Client_CreateErrorBuffer == HD_INVALID_ARGUMENT);
    CALL(Event_Create, .event = NULL);
    HD_CHECK(!code_Event_Create);
    CALL(Event_Set, .event = args_Event_Create.event, .error_code = codes[i]);
    HD_CHECK(code_Event_Set == (codes[i] ? HD_INVALID_ARGUMENT : HD_OK));
    CALL(Event_Destroy, .event = args_Event_Create.event);
  }
  CALL(Client_CreateErrorBuffer, .client = client, .error_code = HD_DATA_LOSS, .error_message_size = SIZE_MAX,
       .shape_dims = &dim, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
  HD_CHECK(!code_Client_CreateErrorBuffer);
  CALL(Buffer_ReadyEvent, .buffer = args_Client_CreateErrorBuffer.buffer);
  CALL(Event_Await, .event = args_Buffer_ReadyEvent.event);
  HD_CHECK(code_Event_Await == HD_DATA_LOSS);
  CALL(Event_Destroy, .event = args_Buffer_ReadyEvent.event);
  destroy_buffer(args_Client_CreateErrorBuffer.buffer);
  CALL(Event_Create, .event = NULL);
  CALL(Event_Error, .event = args_Event_Create.event);
  HD_CHECK(code_Event_Error == HD_FAILED_PRECONDITION);
  CALL(Event_Set, .event = args_Event_Create.event);
  {
    CALL(Event_Set, .event = args_Event_Create.event);
    HD_CHECK(code_Event_Set == HD_FAILED_PRECONDITION);
  }
  HD_CHECK(!end_event(args_Event_Create.event));
}

/* ---- programs -------------------------------------------------------------------------------------------------- */

static const char source[] =
    "module @twice { func.func public @main(%a: tensor<2x3xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<2x3xf32>) "
    "-> tensor<2x3xf32> {\n  %0 = stablehlo.add %a, %b : tensor<2x3xf32>\n  return %0 : tensor<2x3xf32> } }";
static const char one[] = {0x1a, 4, 0x20, 1, 0x28, 1};

static PJRT_Program program_of(const char *text, size_t size) {
  return (PJRT_Program){.struct_size = 48, .code = (char *)text, .code_size = size, .format = "mlir", .format_size = 4};
}

static int compile(PJRT_Program program, const char *options, size_t size, PJRT_LoadedExecutable **out) {
  CALL(Client_Compile, .client = client, .program = &program, .compile_options = options, .compile_options_size = size);
  HD_CHECK(!args_Client_Compile.executable == (code_Client_Compile != HD_OK));
  if (out) *out = args_Client_Compile.executable;
  return code_Client_Compile;
}

static void test_compiling(void) {
  PJRT_Program good = program_of(source, sizeof source - 1), p = good;
  p.code = NULL;
  HD_CHECK(compile(p, one, sizeof one, NULL) == HD_INVALID_ARGUMENT);
  p = good, p.format = NULL;
  HD_CHECK(compile(p, one, sizeof one, NULL) == HD_INVALID_ARGUMENT);
  p = good, p.format = "hlo", p.format_size = 3;
  HD_CHECK(compile(p, one, sizeof one, NULL) == HD_UNIMPLEMENTED);
  p = good, p.code_size = 0;
  HD_CHECK(compile(p, one, sizeof one, NULL) == HD_INVALID_ARGUMENT);
  p = good, p.code_size /= 2;
  HD_CHECK(compile(p, one, sizeof one, NULL) == HD_INVALID_ARGUMENT);
  p = program_of("ML\xefR\x0d", 5);
  HD_CHECK(compile(p, one, sizeof one, NULL) == HD_INVALID_ARGUMENT);
  HD_CHECK(compile(good, NULL, 3, NULL) == HD_INVALID_ARGUMENT);
  /* CompileOptionsProto { executable_build_options: 3 { device_ordinal: 1, replicas: 4, partitions: 5, assignment: 9 },
   * overrides: 7 } */
  static const struct {
    const char *bytes;
    size_t size;
  } options[] = {
#define BYTES(text) {text, sizeof(text) - 1}
      BYTES("\x1a\x7f"),                                                         /* ends early */
      BYTES("\x1b"),                                                             /* a group */
      BYTES("\x1a\x02\x20\x00"),                                                 /* no replica */
      BYTES("\x1a\x0b\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),             /* -1 replicas */
      BYTES("\x1a\x04\x20\xa0\x8d\x06"),                                         /* 100000 replicas */
      BYTES("\x1a\x02\x08\x05"),                                                 /* device 5 */
      BYTES("\x1a\x04\x20\x01\x28\x03"),                                         /* three partitions of two devices */
      BYTES("\x1a\x09\x4a\x07\x1a\x05\x0a\x03\x00\x01\x00"),                     /* three devices for one */
      BYTES("\x1a\x10\x28\x02\x4a\x0c\x1a\x04\x0a\x02\x01\x01"),                 /* cut */
      BYTES("\x1a\x0e\x28\x02\x4a\x0a\x1a\x03\x0a\x01\x01\x1a\x03\x0a\x01\x01"), /* one device twice */
      BYTES("\x3a\x07\x0a\x01q\x12\x02\x10\x01"),                                /* option q */
  };
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i)
    if (compile(good, options[i].bytes, options[i].size, NULL) != HD_INVALID_ARGUMENT)
      hd_test_check_(false, __FILE__, __LINE__, "options %zu are not refused", i);
}

static int execute(PJRT_LoadedExecutable *executable, PJRT_Buffer **arguments, size_t count, size_t device_count,
                   PJRT_ExecuteOptions *options) {
  PJRT_Buffer *const *lists[] = {arguments, arguments};
  PJRT_Buffer *out[2] = {NULL, NULL}, **const outs[] = {out, out + 1};
  PJRT_Event *ends[2] = {NULL, NULL};
  CALL(LoadedExecutable_Execute, .executable = executable, .options = options, .argument_lists = lists,
       .num_devices = device_count, .num_args = count, .output_lists = outs, .device_complete_events = ends);
  HD_CHECK(!out[0] == (code_LoadedExecutable_Execute != HD_OK));
  int code = code_LoadedExecutable_Execute ? code_LoadedExecutable_Execute : end_event(ends[0]);
  if (out[0]) destroy_buffer(out[0]);
  return code;
}

static void test_executing(void) {
  PJRT_LoadedExecutable *executable;
  HD_CHECK(!compile(program_of(source, sizeof source - 1), one, sizeof one, &executable));
  PJRT_Buffer *a = floats(2, 3), *b = floats(2, 3), *wide = floats(2, 4), *flat, *integers;
  int64_t six = 6, dims[] = {2, 3};
  HD_CHECK(!make((given){PJRT_Buffer_Type_F32, &six, 1, .data = memory}, &flat));
  HD_CHECK(!make((given){PJRT_Buffer_Type_S32, dims, 2, .data = memory}, &integers));
  PJRT_Buffer *wrong[][2] = {{a, NULL}, {NULL, b},     {a, wide},     {wide, b},
                             {a, flat}, {a, integers}, {integers, b}, {a, a}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
    HD_CHECK(execute(executable, wrong[i], 2, 1, NULL) == HD_INVALID_ARGUMENT);
  PJRT_Buffer *right[] = {a, b};
  HD_CHECK(execute(executable, right, 1, 1, NULL) == HD_INVALID_ARGUMENT);
  HD_CHECK(execute(executable, right, SIZE_MAX, 1, NULL) == HD_INVALID_ARGUMENT);
  HD_CHECK(execute(executable, right, 2, 0, NULL) == HD_INVALID_ARGUMENT);
  HD_CHECK(execute(executable, right, 2, 2, NULL) == HD_INVALID_ARGUMENT);
  HD_CHECK(execute(executable, NULL, 2, 1, NULL) == HD_INVALID_ARGUMENT);
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .num_non_donatable_input_indices = 3};
  HD_CHECK(execute(executable, right, 2, 1, &options) == HD_INVALID_ARGUMENT);
  static const int64_t kept[] = {0, -5, 99};
  options.non_donatable_input_indices = kept;
  HD_CHECK(!execute(executable, right, 2, 1, &options));
  {
    CALL(LoadedExecutable_Execute, .executable = executable, .num_devices = 1, .num_args = 2);
    HD_CHECK(code_LoadedExecutable_Execute == HD_INVALID_ARGUMENT);
  }
  /* Nothing above has taken the donated argument; this does, and so it cannot be given again. */
  HD_CHECK(!execute(executable, right, 2, 1, NULL));
  HD_CHECK(execute(executable, right, 2, 1, NULL) == HD_INVALID_ARGUMENT);
  CALL(LoadedExecutable_Delete, .executable = executable);
  right[0] = wide;
  HD_CHECK(execute(executable, right, 2, 1, NULL) == HD_INVALID_ARGUMENT);
  CALL(LoadedExecutable_Destroy, .executable = executable);
  PJRT_Buffer *all[] = {a, b, wide, flat, integers};
  for (int i = 0; i < 5; ++i) destroy_buffer(all[i]);
}

/* Deleting while a program runs leaves the program its memory. */
static void test_deleting_while_running(void) {
  PJRT_LoadedExecutable *executable;
  HD_CHECK(!compile(program_of(source, sizeof source - 1), one, sizeof one, &executable));
  for (int i = 0; i < 50; ++i) {
    PJRT_Buffer *arguments[] = {floats(2, 3), floats(2, 3)};
    PJRT_Buffer *const *lists[] = {arguments};
    PJRT_Buffer *out[1], **const outs[] = {out};
    CALL(LoadedExecutable_Execute, .executable = executable, .argument_lists = lists, .num_devices = 1, .num_args = 2,
         .output_lists = outs);
    HD_CHECK(!code_LoadedExecutable_Execute);
    destroy_buffer(arguments[0]);
    destroy_buffer(arguments[1]);
    CALL(Buffer_ReadyEvent, .buffer = out[0]);
    if (i % 2) destroy_buffer(out[0]);
    HD_CHECK(!end_event(args_Buffer_ReadyEvent.event));
    if (i % 2 == 0) destroy_buffer(out[0]);
  }
  CALL(LoadedExecutable_Destroy, .executable = executable);
}

/* ---- serialised executables ------------------------------------------------------------------------------------ */

/* Loads |bytes| and, when that goes well, runs what came out. */
static int load(const char *bytes, size_t size) {
  CALL(Executable_DeserializeAndLoad, .client = client, .serialized_executable = bytes,
       .serialized_executable_size = size);
  PJRT_LoadedExecutable *loaded = args_Executable_DeserializeAndLoad.loaded_executable;
  HD_CHECK(!loaded == (code_Executable_DeserializeAndLoad != HD_OK));
  if (!loaded) return code_Executable_DeserializeAndLoad;
  PJRT_Buffer *arguments[] = {floats(2, 3), floats(2, 3)};
  (void)execute(loaded, arguments, 2, 1, NULL);
  destroy_buffer(arguments[0]);
  destroy_buffer(arguments[1]);
  CALL(LoadedExecutable_Destroy, .executable = loaded);
  return HD_OK;
}

static void test_damaged(void) {
  PJRT_LoadedExecutable *executable;
  HD_CHECK(!compile(program_of(source, sizeof source - 1), one, sizeof one, &executable));
  CALL(LoadedExecutable_GetExecutable, .loaded_executable = executable);
  CALL(Executable_Serialize, .executable = args_LoadedExecutable_GetExecutable.executable);
  HD_CHECK(!code_Executable_Serialize);
  size_t size = args_Executable_Serialize.serialized_bytes_size;
  int accepted = 0, tried = 0;
  char *copy = malloc(size);
  memcpy(copy, args_Executable_Serialize.serialized_bytes, size);
  args_Executable_Serialize.serialized_executable_deleter(args_Executable_Serialize.serialized_executable);
  CALL(Executable_Destroy, .executable = args_LoadedExecutable_GetExecutable.executable);
  CALL(LoadedExecutable_Destroy, .executable = executable); /* so that the damaged code is not found here */
  HD_CHECK(load(copy, size) == HD_OK);
  static const size_t sizes[] = {0, 1, 7, 8, 95, 96, 97};
  for (int i = 0; i < 7; ++i) HD_CHECK(load(copy, sizes[i]) != HD_OK);
  for (size_t cut = 100; cut < size; cut += size / 16) HD_CHECK(load(copy, cut) != HD_OK);
  /* Every byte of the head and of what follows it, then some of the code. */
  for (size_t at = 0; at < size; at += at < 700 ? 1 : size / 200)
    for (int bit = 0; bit < 8; bit += 7) {
      copy[at] ^= (char)(1 << bit);
      bool refused = load(copy, size) != HD_OK;
      for (int again = 0; again < 3 && !refused;
           ++again) { /* an execution may still hold the undamaged code, which serves */
        usleep(1000);
        refused = load(copy, size) != HD_OK;
      }
      accepted += !refused && at >= size / 2;
      tried += at >= size / 2;
      copy[at] ^= (char)(1 << bit);
    }
  HD_CHECK(tried && 10 * accepted < tried); /* code has a hash; gaps between its parts have not */
  HD_CHECK(load(copy, size) == HD_OK);
  free(copy);
}

int main(void) {
  setenv("HEDDLE_CACHE_DIR", "/dev/null/none", 1);
  setenv("HEDDLE_GENERALIZE", "0", 1); /* code goes with its last executable */
  unsetenv("HEDDLE_NUM_DEVICES");
  api = GetPjrtApi();
  HD_CHECK(api->struct_size == sizeof *api);
  PJRT_NamedValue option = {.struct_size = sizeof option,
                            .name = "num_devices",
                            .name_size = 11,
                            .type = PJRT_NamedValue_kInt64,
                            .int64_value = 2,
                            .value_size = 1};
  CALL(Client_Create, .create_options = &option, .num_options = 1);
  HD_CHECK(!code_Client_Create);
  client = args_Client_Create.client;
  CALL(Client_Devices, .client = client);
  devices = args_Client_Devices.devices;
  test_nothing();
  test_client();
  test_shapes();
  test_strides_and_layouts();
  test_reading();
  test_errors_of_others();
  test_compiling();
  test_executing();
  test_deleting_while_running();
  test_damaged();
  CALL(Client_Destroy, .client = client);
  return HD_TEST_RESULT();
}
