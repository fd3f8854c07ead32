/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of the PJRT C API with its arguments cut at every byte: fields that are not there are neither read nor
 * written, a size that cuts one is refused, and what a function makes is handed over or not made. Arguments of a newer
 * caller, which are larger, do what those of this version do: what follows them is let be. The arguments are at
 * the end of a page that is followed by one that nobody may touch, objects in them are good ones. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "testing.h"

enum { PAGE = 4096, MOST = 256 };

static char *page; /* of two, the second without access */

/* |bytes| at the end of the page as an aligned struct allows; what follows them there is filled with 0xa5. */
static void *at_the_end(size_t bytes) {
  memset(page, 0xa5, PAGE);
  return page + PAGE - (bytes + 7) / 8 * 8;
}

static bool is_untouched(const char *end) {
  while (end < page + PAGE)
    if ((unsigned char)*end++ != 0xa5) return false;
  return true;
}

/* ---- good objects ---------------------------------------------------------------------------------------------- */

static const char NEGATE[] =
    "func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n  %0 = stablehlo.negate %a : tensor<2x3xf32>\n  return "
    "%0 : tensor<2x3xf32>\n}\n";
static PJRT_LoadedExecutable *loaded;
static PJRT_Executable *executable;
static PJRT_Buffer *buffer;
static PJRT_Event *event;
static PJRT_TopologyDescription *topology;
static PJRT_Memory *device_memory;
static PJRT_DeviceDescription *description;
static PJRT_Program program;
static int assignment[4];
static int64_t two_three[] = {2, 3};

static void callback(PJRT_Error *error, void *user) {
  (void)user;
  error_code(error);
}

static void no_callback(void *data, void *user) { (void)data, (void)user; }

static void open_objects(void) {
  program = program_of(NEGATE, sizeof NEGATE - 1);
  HD_CHECK(!compile(program, one, sizeof one, &loaded));
  CALL(LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  executable = args_LoadedExecutable_GetExecutable.executable;
  buffer = floats(2, 3);
  CALL(Event_Create, .event = NULL);
  event = args_Event_Create.event;
  CALL(Client_TopologyDescription, .client = client);
  topology = args_Client_TopologyDescription.topology;
  CALL(Device_DefaultMemory, .device = devices[0]);
  device_memory = args_Device_DefaultMemory.memory;
  CALL(Device_GetDescription, .device = devices[0]);
  description = args_Device_GetDescription.device_description;
}

static void close_objects(void) {
  CALL(Event_Set, .event = event);
  CALL(Event_Destroy, .event = event);
  destroy_buffer(buffer);
  CALL(Executable_Destroy, .executable = executable);
  CALL(LoadedExecutable_Destroy, .executable = loaded);
}

/* ---- what a call is given, and what it gives ------------------------------------------------------------------- */

#define GOOD(field)                               \
  _Generic((field),                               \
      PJRT_Client *: client,                      \
      PJRT_Device *: devices[0],                  \
      PJRT_DeviceDescription *: description,      \
      PJRT_Memory *: device_memory,               \
      PJRT_Buffer *: buffer,                      \
      PJRT_Event *: event,                        \
      PJRT_Executable *: executable,              \
      const PJRT_Executable *: executable,        \
      PJRT_LoadedExecutable *: loaded,            \
      PJRT_TopologyDescription *: topology,       \
      const PJRT_TopologyDescription *: topology, \
      const PJRT_Program *: &program,             \
      PJRT_Program *: &program_out,               \
      PJRT_Event_OnReadyCallback: callback,       \
      int *: assignment,                          \
      int64_t *: two_three,                       \
      const int64_t *: two_three,                 \
      void *: (void *)memory,                     \
      const void *: (void *)memory,               \
      const char *: (char *)memory,               \
      default: 0)

static PJRT_Program program_out;
static PJRT_ExecuteOptions execute_options = {.struct_size = sizeof execute_options};
static PJRT_Buffer *arguments[1], *results[1];
static PJRT_Buffer *const *argument_lists[1] = {arguments};
static PJRT_Buffer **result_lists[1] = {results};
static PJRT_Event *ends[1];

#define GIVE_0(name)
#define GIVE_1(name, a) args.a = GOOD(args.a);
#define GIVE_2(name, a, b) GIVE_1(name, a) GIVE_1(name, b)
#define GIVE_OF(_0, _1, _2, chosen, ...) chosen
#define GIVE(...) GIVE_OF(__VA_ARGS__, GIVE_2, GIVE_1, GIVE_0, )(__VA_ARGS__)

/* What calls that do something need beyond their objects. */
static void give_more(const char *name, void *args) {
#define IF(slot, ...)                    \
  if (!strcmp(name, #slot)) {            \
    PJRT_##slot##_Args *a UNUSED = args; \
    __VA_ARGS__                          \
  }
  IF(LoadedExecutable_Execute, arguments[0] = buffer; a->argument_lists = argument_lists;
     a->output_lists = (PJRT_Buffer * *const *)result_lists; a->num_devices = 1; a->num_args = 1;
     a->options = &execute_options; a->device_complete_events = ends; a->execute_device = devices[0];)
  IF(Client_Compile, a->compile_options = one; a->compile_options_size = sizeof one;)
  IF(Client_BufferFromHostBuffer, a->data = memory; a->type = PJRT_Buffer_Type_F32; a->dims = two_three;
     a->num_dims = 2; a->device = devices[0];)
  IF(Client_CreateViewOfDeviceBuffer, a->device_buffer_ptr = memory; a->element_type = PJRT_Buffer_Type_F32;
     a->dims = two_three; a->num_dims = 2; a->device = devices[0]; a->on_delete_callback = no_callback;)
  IF(Client_CreateUninitializedBuffer, a->shape_element_type = PJRT_Buffer_Type_F32; a->shape_dims = two_three;
     a->shape_num_dims = 2; a->device = devices[0];)
  IF(Client_CreateErrorBuffer, a->shape_element_type = PJRT_Buffer_Type_F32; a->shape_dims = two_three;
     a->shape_num_dims = 2; a->memory = device_memory; a->error_code = 3; a->error_message = "wrong";
     a->error_message_size = 5;)
  IF(Client_DefaultDeviceAssignment, a->num_replicas = 1; a->num_partitions = 1; a->default_assignment_size = 1;)
  IF(Buffer_ToHostBuffer, a->src = buffer; a->dst = memory; a->dst_size = 24;)
  IF(Buffer_CopyRawToHost, a->dst = memory; a->transfer_size = 24;)
  IF(Buffer_CopyToDevice, a->dst_device = devices[1];)
  IF(Buffer_CopyToMemory, a->dst_memory = device_memory;)
  IF(Executable_OptimizedProgram, program_out = (PJRT_Program){.struct_size = sizeof program_out};)
}

static void end_loaded(PJRT_LoadedExecutable *made) {
  if (made) {
    CALL(LoadedExecutable_Destroy, .executable = made);
  }
}

static void end_bytes(PJRT_Bytes *bytes, void (*deleter)(PJRT_Bytes *)) {
  if (bytes) deleter(bytes);
}

static void end_made(PJRT_Buffer *made) {
  if (made) destroy_buffer(made);
}

/* Takes what a call that went well made out of |args|, all of it. */
static void take_made(const char *name, void *args) {
  IF(Event_Create, CALL(Event_Set, .event = a->event); CALL(Event_Destroy, .event = a->event);)
  IF(Client_Create, CALL(Client_Destroy, .client = a->client);)
  IF(Client_Compile, end_loaded(a->executable);)
  IF(Client_BufferFromHostBuffer, end_event(a->done_with_host_buffer); end_made(a->buffer);)
  IF(Client_CreateUninitializedBuffer, end_made(a->buffer);)
  IF(Client_CreateErrorBuffer, end_made(a->buffer);)
  IF(Client_CreateViewOfDeviceBuffer, end_made(a->buffer);)
  IF(ExecuteContext_Create, CALL(ExecuteContext_Destroy, .context = a->context);)
  IF(Executable_Serialize, end_bytes(a->serialized_executable, a->serialized_executable_deleter);)
  IF(Executable_GetCompileOptions, end_bytes(a->serialized_compile_options, a->serialized_compile_options_deleter);)
  IF(LoadedExecutable_GetDeviceAssignment,
     end_bytes(a->serialized_device_assignment, a->serialized_device_assignment_deleter);)
  IF(LoadedExecutable_GetExecutable, CALL(Executable_Destroy, .executable = a->executable);)
  IF(Buffer_ToHostBuffer, end_event(a->event);)
  IF(Buffer_CopyRawToHost, end_event(a->event);)
  IF(Buffer_CopyToDevice, end_made(a->dst_buffer);)
  IF(Buffer_CopyToMemory, end_made(a->dst_buffer);)
  IF(Buffer_ReadyEvent, end_event(a->event);)
  IF(TopologyDescription_Create, CALL(TopologyDescription_Destroy, .topology = a->topology);)
  if (!strcmp(name, "LoadedExecutable_Execute")) {
    end_event(ends[0]);
    end_made(results[0]);
    ends[0] = NULL;
    results[0] = NULL;
  }
}

/* ---- every size ------------------------------------------------------------------------------------------------ */

/* Functions that wait for, or change, objects that others need are called with their objects missing. */
static bool needs_nothing(const char *name) {
  static const char *const names[] = {"Event_Await", "Event_Set", "Event_OnReady", "LoadedExecutable_Delete",
                                      "Buffer_Delete"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(names[i], name)) return true;
  return false;
}

static int calls, refused, larger;

static void one_size(const char *name, const void *full, size_t bytes, size_t size, PJRT_Error *(*call)(void *args)) {
  char *args = at_the_end(size > sizeof size ? size : sizeof size);
  memcpy(args, full, size > sizeof size ? size : sizeof size);
  memcpy(args, &size, sizeof size);
  int code = error_code(call(args));
  ++calls;
  refused += code == HD_INVALID_ARGUMENT;
  HD_CHECK(is_untouched(args + (size > sizeof size ? size : sizeof size)));
  bool cuts = size < bytes && size % 8;
  if (cuts && code != HD_INVALID_ARGUMENT && !(size == 153 && !strcmp(name, "Device_MemoryStats")))
    hd_test_check_(false, __FILE__, __LINE__, "PJRT_%s of %zu of %zu bytes gives %d", name, size, bytes, code);
  if (code != HD_OK) return;
  char whole[MOST] = {0};
  memcpy(whole, args, size < MOST ? size : MOST);
  take_made(name, whole);
}

/* The same from a caller that knows |more| bytes of fields after ours. */
static void larger_size(const char *name, const void *full, size_t bytes, size_t more,
                        PJRT_Error *(*call)(void *args)) {
  size_t size = bytes + more;
  char *args = at_the_end(bytes);
  memcpy(args, full, bytes);
  int expected = error_code(call(args));
  char whole[MOST] = {0};
  memcpy(whole, args, bytes);
  if (expected == HD_OK) take_made(name, whole);
  args = at_the_end(size);
  memcpy(args, full, bytes);
  memcpy(args, &size, sizeof size);
  int code = error_code(call(args));
  ++larger;
  if (code != expected)
    hd_test_check_(false, __FILE__, __LINE__, "PJRT_%s of %zu of %zu bytes gives %d, not %d", name, size, bytes, code,
                   expected);
  HD_CHECK(is_untouched(args + bytes));
  if (code != HD_OK) return;
  memcpy(whole, args, bytes);
  take_made(name, whole);
}

#define SLOT(name, ...)                                                  \
  static PJRT_Error *call_##name(void *args) { return api->name(args); } \
  static void sizes_of_##name(void) {                                    \
    PJRT_##name##_Args args;                                             \
    for (size_t size = 0; size <= PJRT_##name##_BYTES; ++size) {         \
      memset(&args, 0, sizeof args);                                     \
      if (!needs_nothing(#name)) {                                       \
        GIVE(name, ##__VA_ARGS__)                                        \
        give_more(#name, &args);                                         \
      }                                                                  \
      one_size(#name, &args, PJRT_##name##_BYTES, size, call_##name);    \
    }                                                                    \
    for (size_t more = 1; more <= 1024; more *= 4) {                     \
      memset(&args, 0, sizeof args);                                     \
      args.struct_size = PJRT_##name##_BYTES;                            \
      if (!needs_nothing(#name)) {                                       \
        GIVE(name, ##__VA_ARGS__)                                        \
        give_more(#name, &args);                                         \
      }                                                                  \
      args.struct_size = PJRT_##name##_BYTES;                            \
      larger_size(#name, &args, PJRT_##name##_BYTES, more, call_##name); \
    }                                                                    \
  }
#define NONE(name, instead)
#include "slots.def"

/* The structs that arguments point to, cut at every byte. */
static void test_inner_structs(void) {
  for (size_t size = 0; size < sizeof(PJRT_Program); ++size) {
    PJRT_Program *cut = at_the_end(size > 8 ? size : 8);
    memcpy(cut, &program, size > 8 ? size : 8);
    cut->struct_size = size;
    CALL(Client_Compile, .client = client, .program = cut, .compile_options = one, .compile_options_size = sizeof one);
    HD_CHECK_INT(code_Client_Compile, HD_INVALID_ARGUMENT);
  }
  int64_t kept = 0;
  PJRT_ExecuteOptions options = {.non_donatable_input_indices = &kept, .num_non_donatable_input_indices = 1};
  for (size_t size = 0; size <= sizeof options; ++size) {
    PJRT_ExecuteOptions *cut = at_the_end(size > 8 ? size : 8);
    memcpy(cut, &options, size > 8 ? size : 8);
    cut->struct_size = size;
    arguments[0] = buffer;
    CALL(LoadedExecutable_Execute, .executable = loaded, .options = cut, .argument_lists = argument_lists,
         .num_devices = 1, .num_args = 1, .output_lists = (PJRT_Buffer * *const *)result_lists,
         .device_complete_events = ends);
    bool whole = size % 8 == 0 || size == 52;
    HD_CHECK_INT(code_LoadedExecutable_Execute, whole ? HD_OK : HD_INVALID_ARGUMENT);
    if (whole) take_made("LoadedExecutable_Execute", NULL);
  }
  for (size_t size = 0; size < sizeof(PJRT_NamedValue); ++size) {
    PJRT_NamedValue *cut = at_the_end(size > 8 ? size : 8);
    cut->struct_size = size;
    CALL(Client_Create, .create_options = cut, .num_options = 1);
    HD_CHECK_INT(code_Client_Create, HD_INVALID_ARGUMENT);
  }
  /* 0 is what jaxlib leaves there in a layout that it makes whole. */
  for (size_t size = 1; size < HD_PJRT_SIZE_OF(PJRT_Buffer_MemoryLayout, type); ++size) {
    PJRT_Buffer_MemoryLayout *cut = at_the_end(size > 8 ? size : 8);
    cut->struct_size = size;
    CALL(Client_BufferFromHostBuffer, .client = client, .data = memory, .type = PJRT_Buffer_Type_F32, .dims = two_three,
         .num_dims = 2, .device_layout = cut);
    HD_CHECK_INT(code_Client_BufferFromHostBuffer, HD_INVALID_ARGUMENT);
  }
}

/* Functions of the extensions that have a list of them: nothing after the size is touched. */
static void test_extensions(void) {
  for (const PJRT_Extension_Base *e = api->extension_start; e; e = e->next) {
    if (e->type == PJRT_Extension_Type_Profiler) continue;
    PJRT_Error *(*const *functions)(void *) = (PJRT_Error * (*const *)(void *))(e + 1);
    for (size_t i = 0; i < (e->struct_size - sizeof *e) / sizeof *functions; ++i)
      for (size_t size = 0; size < 32; ++size) {
        char *args = at_the_end(size > 8 ? size : 8);
        memset(args, 0, size > 8 ? size : 8);
        memcpy(args, &size, sizeof size);
        HD_CHECK(error_code(functions[i](args)) != HD_OK);
        HD_CHECK(is_untouched(args + (size > 8 ? size : 8)));
      }
  }
}

int main(void) {
  page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  HD_CHECK(page != MAP_FAILED && !mprotect(page + PAGE, PAGE, PROT_NONE));
  open_client();
  open_objects();
#define SLOT(name, ...) sizes_of_##name();
#define NONE(name, instead)
#include "slots.def"
  HD_CHECK(larger > 500);
  HD_CHECK(calls > 3000 && refused > 1000 && calls - refused > 200);
  test_inner_structs();
  test_extensions();
  close_objects();
  close_client();
  munmap(page, 2 * PAGE);
  return HD_TEST_RESULT();
}
