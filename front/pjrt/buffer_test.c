/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of the PJRT C API: shapes, strides and layouts that are wrong, in each of the ways of making a buffer; what
 * is deleted; errors that callers describe. */
#include "testing.h"

typedef struct given {
  PJRT_Buffer_Type type;
  const int64_t *dims;
  size_t rank;
  const int64_t *strides;
  size_t stride_count;
  PJRT_Buffer_MemoryLayout *layout;
  const void *data;
} given;

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
  static const size_t ranks[] = {65, 998, 1000, (size_t)1 << 32, SIZE_MAX};
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

int main(void) {
  open_client();
  test_shapes();
  test_strides_and_layouts();
  test_reading();
  test_errors_of_others();
  close_client();
  return HD_TEST_RESULT();
}
