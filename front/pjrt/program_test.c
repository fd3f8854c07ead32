/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of the PJRT C API: options and texts that are wrong, arguments that do not fit, executables that are
 * damaged, and what a program says of its results. */
#include <unistd.h>

#include "testing.h"

static PJRT_Buffer *buffer_of(PJRT_Buffer_Type type, const int64_t *dims, size_t rank) {
  CALL(Client_BufferFromHostBuffer, .client = client, .data = memory, .type = type, .dims = dims, .num_dims = rank);
  HD_CHECK(!code_Client_BufferFromHostBuffer);
  HD_CHECK(!end_event(args_Client_BufferFromHostBuffer.done_with_host_buffer));
  return args_Client_BufferFromHostBuffer.buffer;
}

static const char source[] =
    "module @twice { func.func public @main(%a: tensor<2x3xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<2x3xf32>) "
    "-> tensor<2x3xf32> {\n  %0 = stablehlo.add %a, %b : tensor<2x3xf32>\n  return %0 : tensor<2x3xf32> } }";
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
  flat = buffer_of(PJRT_Buffer_Type_F32, &six, 1);
  integers = buffer_of(PJRT_Buffer_Type_S32, dims, 2);
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

/* Sizes of results that follow from the arguments' are known when a program of unknown dims is called: it runs after
 * the call, donated memory is taken, and results are in the memory that the program says. Sizes that the arguments
 * contradict are reported at once. */
static void test_unknown_dims(void) {
  static const char text[] =
      "module @grown { func.func public @main(%a: tensor<?x3xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<?x3xf32>) "
      "-> (tensor<?x3xf32>, tensor<?x3xf32> {mhlo.memory_kind = \"pinned_host\"}) {\n"
      "  %0 = stablehlo.add %a, %b : tensor<?x3xf32>\n"
      "  %1 = stablehlo.concatenate %b, %b, dim = 0 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>\n"
      "  return %0, %1 : tensor<?x3xf32>, tensor<?x3xf32> } }";
  PJRT_LoadedExecutable *executable;
  if (!HD_CHECK(!compile(program_of(text, sizeof text - 1), one, sizeof one, &executable))) return;
  for (int64_t n = 0; n < 6; ++n) {
    CALL(Client_CreateUninitializedBuffer, .client = client, .shape_dims = (int64_t[]){n, 3}, .shape_num_dims = 2,
         .shape_element_type = PJRT_Buffer_Type_F32, .device = devices[0]);
    PJRT_Buffer *arguments[] = {args_Client_CreateUninitializedBuffer.buffer, floats(n, 3)};
    CALL(Buffer_UnsafePointer, .buffer = arguments[0]);
    PJRT_Buffer *const *lists[] = {arguments};
    PJRT_Buffer *out[2], **const outs[] = {out};
    PJRT_Event *ends[1];
    CALL(LoadedExecutable_Execute, .executable = executable, .argument_lists = lists, .num_devices = 1, .num_args = 2,
         .output_lists = outs, .device_complete_events = ends);
    if (!HD_CHECK(!code_LoadedExecutable_Execute)) return;
    CALL(Buffer_IsDeleted, .buffer = arguments[0]);
    HD_CHECK(args_Buffer_IsDeleted.is_deleted);
    HD_CHECK(!end_event(ends[0]));
    for (int i = 0; i < 2; ++i) {
      CALL(Buffer_Dimensions, .buffer = out[i]);
      HD_CHECK(args_Buffer_Dimensions.num_dims == 2 && args_Buffer_Dimensions.dims[0] == (i + 1) * n);
      CALL(Buffer_Memory, .buffer = out[i]);
      CALL(Memory_Kind, .memory = args_Buffer_Memory.memory);
      HD_CHECK_STR(args_Memory_Kind.kind, i ? "pinned_host" : "device");
    }
    uintptr_t given = args_Buffer_UnsafePointer.buffer_pointer;
    {
      CALL(Buffer_UnsafePointer, .buffer = out[0]);
      HD_CHECK(!n || args_Buffer_UnsafePointer.buffer_pointer == given);
    }
    for (int i = 0; i < 2; ++i) destroy_buffer(arguments[i]), destroy_buffer(out[i]);
  }
  PJRT_Buffer *apart[] = {floats(2, 3), floats(4, 3)};
  HD_CHECK(execute(executable, apart, 2, 1, NULL) == HD_INVALID_ARGUMENT);
  CALL(Buffer_IsDeleted, .buffer = apart[0]);
  HD_CHECK(!args_Buffer_IsDeleted.is_deleted);
  for (int i = 0; i < 2; ++i) destroy_buffer(apart[i]);
  CALL(LoadedExecutable_Destroy, .executable = executable);
}

/* Two devices meet over unknown dims, where the call tells the sizes of results. */
static void test_unknown_dims_on_two(void) {
  static const char head[] =
      "module @meet attributes {mhlo.num_partitions = 2 : i32} {\n"
      "func.func public @main(%a: tensor<?x3xf32>) -> tensor<?x3xf32> {\n"
      "  %0 = \"stablehlo.all_reduce\"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, "
      "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({\n"
      "  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
      "    %s = stablehlo.add %x, %y : tensor<f32>\n"
      "    stablehlo.return %s : tensor<f32>\n  }) : (tensor<?x3xf32>) -> tensor<?x3xf32>\n"
      "  return %0 : tensor<?x3xf32> } }";
  static const char two[] = {0x1a, 4, 0x20, 1, 0x28, 2};
  PJRT_LoadedExecutable *executable;
  if (!HD_CHECK(!compile(program_of(head, sizeof head - 1), two, sizeof two, &executable))) return;
  int64_t dims[] = {4, 3};
  PJRT_Buffer *arguments[2], *out[2];
  for (int d = 0; d < 2; ++d) {
    float values[12];
    for (int i = 0; i < 12; ++i) values[i] = (float)(10 * d + i);
    CALL(Client_BufferFromHostBuffer, .client = client, .data = values, .type = PJRT_Buffer_Type_F32, .dims = dims,
         .num_dims = 2, .device = devices[d]);
    HD_CHECK(!end_event(args_Client_BufferFromHostBuffer.done_with_host_buffer));
    arguments[d] = args_Client_BufferFromHostBuffer.buffer;
  }
  PJRT_Buffer *const *lists[] = {arguments, arguments + 1};
  PJRT_Buffer **const outs[] = {out, out + 1};
  PJRT_Event *ends[2];
  CALL(LoadedExecutable_Execute, .executable = executable, .argument_lists = lists, .num_devices = 2, .num_args = 1,
       .output_lists = outs, .device_complete_events = ends);
  if (!HD_CHECK(!code_LoadedExecutable_Execute)) return;
  for (int d = 0; d < 2; ++d) {
    HD_CHECK(!end_event(ends[d]));
    float sums[12];
    CALL(Buffer_ToHostBuffer, .src = out[d], .dst = sums, .dst_size = sizeof sums);
    HD_CHECK(!code_Buffer_ToHostBuffer && !end_event(args_Buffer_ToHostBuffer.event));
    for (int i = 0; i < 12; ++i) HD_CHECK(sums[i] == (float)(10 + 2 * i));
    destroy_buffer(out[d]);
    destroy_buffer(arguments[d]);
  }
  CALL(LoadedExecutable_Destroy, .executable = executable);
}

/* Where only the run tells a size, the call waits for it. */
static void test_sizes_of_the_run(void) {
  static const char text[] =
      "module @counted { func.func public @main(%n: tensor<1xi32>) -> tensor<?xi32> {\n"
      "  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>\n"
      "  return %0 : tensor<?xi32> } }";
  PJRT_LoadedExecutable *executable;
  if (!HD_CHECK(!compile(program_of(text, sizeof text - 1), one, sizeof one, &executable))) return;
  int32_t length = 5;
  CALL(Client_BufferFromHostBuffer, .client = client, .data = &length, .type = PJRT_Buffer_Type_S32,
       .dims = (int64_t[]){1}, .num_dims = 1);
  HD_CHECK(!end_event(args_Client_BufferFromHostBuffer.done_with_host_buffer));
  PJRT_Buffer *arguments[] = {args_Client_BufferFromHostBuffer.buffer};
  PJRT_Buffer *const *lists[] = {arguments};
  PJRT_Buffer *out[1], **const outs[] = {out};
  CALL(LoadedExecutable_Execute, .executable = executable, .argument_lists = lists, .num_devices = 1, .num_args = 1,
       .output_lists = outs);
  if (!HD_CHECK(!code_LoadedExecutable_Execute)) return;
  CALL(Buffer_Dimensions, .buffer = out[0]);
  HD_CHECK(args_Buffer_Dimensions.num_dims == 1 && args_Buffer_Dimensions.dims[0] == 5);
  destroy_buffer(arguments[0]);
  destroy_buffer(out[0]);
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
  char *copy = malloc(size);
  memcpy(copy, args_Executable_Serialize.serialized_bytes, size);
  args_Executable_Serialize.serialized_executable_deleter(args_Executable_Serialize.serialized_executable);
  CALL(Executable_Destroy, .executable = args_LoadedExecutable_GetExecutable.executable);
  CALL(LoadedExecutable_Destroy, .executable = executable);
  HD_CHECK(load(copy, size) == HD_OK);
  static const size_t sizes[] = {0, 1, 7, 8, 111, 112, 113};
  for (int i = 0; i < 7; ++i) HD_CHECK(load(copy, sizes[i]) != HD_OK);
  for (size_t cut = 100; cut < size; cut += size / 16) HD_CHECK(load(copy, cut) != HD_OK);
  /* Every byte of the head and of what follows it, then some of the code. */
  for (size_t at = 0; at < size; at += at < 700 ? 1 : size / 200)
    for (int bit = 0; bit < 8; bit += 7) {
      copy[at] ^= (char)(1 << bit);
      HD_CHECK(load(copy, size) != HD_OK);
      copy[at] ^= (char)(1 << bit);
    }
  HD_CHECK(load(copy, size) == HD_OK);
  free(copy);
}

/* ---- kinds of memory ------------------------------------------------------------------------------------------- */

/* Where results are to be is in their attributes, among names of dims that may hold anything. */
static void test_memory_kinds(void) {
  static const char text[] =
      "module @kinds { func.func public @main(%a: tensor<?x3xf32> {hd.dims = [\"}{\", \"3\"]}) -> "
      "(tensor<?x3xf32>, tensor<?x3xf32> {mhlo.memory_kind = \"pinned_host\"}) {\n"
      "  %0 = stablehlo.add %a, %a : tensor<?x3xf32>\n"
      "  return %0, %0 : tensor<?x3xf32>, tensor<?x3xf32> } }";
  static const char nowhere[] =
      "module @kinds { func.func public @main(%a: tensor<2xf32>) -> (tensor<2xf32> {mhlo.memory_kind = \"device2\"}) "
      "{\n  return %a : tensor<2xf32> } }";
  PJRT_LoadedExecutable *executable;
  HD_CHECK(compile(program_of(nowhere, sizeof nowhere - 1), one, sizeof one, NULL) == HD_INVALID_ARGUMENT);
  if (!HD_CHECK(!compile(program_of(text, sizeof text - 1), one, sizeof one, &executable))) return;
  CALL(LoadedExecutable_GetExecutable, .loaded_executable = executable);
  CALL(Executable_OutputMemoryKinds, .executable = args_LoadedExecutable_GetExecutable.executable);
  HD_CHECK(!code_Executable_OutputMemoryKinds);
  HD_CHECK_INT(args_Executable_OutputMemoryKinds.num_outputs, 2);
  HD_CHECK_STR(args_Executable_OutputMemoryKinds.memory_kinds[0], "device");
  HD_CHECK_STR(args_Executable_OutputMemoryKinds.memory_kinds[1], "pinned_host");
  CALL(Executable_Destroy, .executable = args_LoadedExecutable_GetExecutable.executable);
  CALL(LoadedExecutable_Destroy, .executable = executable);
}

int main(void) {
  setenv("HEDDLE_GENERALIZE", "0", 1); /* code goes with its last executable */
  open_client();
  test_compiling();
  test_executing();
  test_deleting_while_running();
  test_unknown_dims();
  test_unknown_dims_on_two();
  test_sizes_of_the_run();
  test_damaged();
  test_memory_kinds();
  close_client();
  return HD_TEST_RESULT();
}
