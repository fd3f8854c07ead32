/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads on one client, through the PJRT C API alone:
 *
 *   pjrt_stress                      compiles its programs and runs them
 *   pjrt_stress --write FOLDER       compiles them and writes the serialised executables
 *   pjrt_stress --read FOLDER        runs those; needs no compiler, so that all that is built with a sanitizer is
 *                                    checked by it (code of the programs is not instrumented)
 *
 * Threads make buffers, copy and read them, execute on one device and on all, share buffers that others delete, donate,
 * wait by events and by callbacks, load and unload executables, and profile. Every value that comes back is checked. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi.h"
#include "base/testing.h"
#include "heddle/status.h"

const PJRT_Api *GetPjrtApi(void);
static const PJRT_Api *api;

enum { DEVICES = 2, THREADS = 6, SHARED = 4, SIZE = 5000, SMALL = 100 };

#define CALL(name, ...)                                                               \
  PJRT_##name##_Args name##_args = {.struct_size = PJRT_##name##_BYTES, __VA_ARGS__}; \
  PJRT_Error *name##_error = api->name(&name##_args);                                 \
  if (name##_error) report(#name, name##_error, true)

static int report(const char *what, PJRT_Error *error, bool unexpected) {
  PJRT_Error_GetCode_Args code = {.struct_size = PJRT_Error_GetCode_BYTES, .error = error};
  PJRT_Error_Message_Args text = {.struct_size = PJRT_Error_Message_BYTES, .error = error};
  PJRT_Error_Destroy_Args destroy = {.struct_size = PJRT_Error_Destroy_BYTES, .error = error};
  HD_CHECK(!api->Error_GetCode(&code));
  api->Error_Message(&text);
  if (unexpected) hd_test_check_(false, __FILE__, __LINE__, "%s: %.*s", what, (int)text.message_size, text.message);
  api->Error_Destroy(&destroy);
  return (int)code.code;
}

/* ---- programs -------------------------------------------------------------------------------------------------- */

typedef enum program { SCALE, DONATE, MEET, PROGRAMS } program;
static const char *const names[] = {"scale", "donate", "meet"};
static const char *const sources[] = {
    "module @scale { func.func public @main(%a: tensor<5000xf32>, %b: tensor<5000xf32>) -> tensor<5000xf32> {\n"
    "  %0 = stablehlo.multiply %a, %b : tensor<5000xf32>\n"
    "  %1 = stablehlo.add %0, %a : tensor<5000xf32>\n"
    "  return %1 : tensor<5000xf32> } }",
    "module @donate { func.func public @main(%a: tensor<5000xf32> {tf.aliasing_output = 0 : i32}) -> tensor<5000xf32> "
    "{\n"
    "  %0 = stablehlo.add %a, %a : tensor<5000xf32>\n"
    "  return %0 : tensor<5000xf32> } }",
    "module @meet attributes {mhlo.num_partitions = 2 : i32} {\n"
    "sdy.mesh @mesh = <[\"x\"=2]>\n"
    "func.func public @main(%a: tensor<200xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}) -> tensor<f32> {\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<200xf32>, "
    "tensor<f32>)"
    " -> tensor<f32>\n"
    "  return %0 : tensor<f32> } }"};
/* CompileOptionsProto { executable_build_options { num_replicas = 1, num_partitions } } */
static const char options_one[] = {0x1a, 4, 0x20, 1, 0x28, 1}, options_two[] = {0x1a, 4, 0x20, 1, 0x28, 2};

typedef struct bytes {
  char *data;
  size_t size;
} bytes;

static PJRT_Client *client;
static PJRT_Device *const *devices;
static bytes serialised[PROGRAMS];
static PJRT_LoadedExecutable *executables[PROGRAMS];

static PJRT_LoadedExecutable *compile(program k) {
  PJRT_Program given = {.struct_size = 48,
                        .code = (char *)sources[k],
                        .code_size = strlen(sources[k]),
                        .format = "mlir",
                        .format_size = 4};
  CALL(Client_Compile, .client = client, .program = &given, .compile_options = k == MEET ? options_two : options_one,
       .compile_options_size = sizeof options_one);
  return Client_Compile_args.executable;
}

static PJRT_LoadedExecutable *load(program k) {
  CALL(Executable_DeserializeAndLoad, .client = client, .serialized_executable = serialised[k].data,
       .serialized_executable_size = serialised[k].size);
  return Executable_DeserializeAndLoad_args.loaded_executable;
}

static void unload(PJRT_LoadedExecutable *executable) { CALL(LoadedExecutable_Destroy, .executable = executable); }

static bytes serialise(PJRT_LoadedExecutable *loaded) {
  CALL(LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  CALL(Executable_Serialize, .executable = LoadedExecutable_GetExecutable_args.executable);
  bytes copy = {malloc(Executable_Serialize_args.serialized_bytes_size),
                Executable_Serialize_args.serialized_bytes_size};
  memcpy(copy.data, Executable_Serialize_args.serialized_bytes, copy.size);
  Executable_Serialize_args.serialized_executable_deleter(Executable_Serialize_args.serialized_executable);
  CALL(Executable_Destroy, .executable = LoadedExecutable_GetExecutable_args.executable);
  return copy;
}

/* ---- buffers --------------------------------------------------------------------------------------------------- */

static void end_event(PJRT_Event *event) { CALL(Event_Destroy, .event = event); }

static void await(PJRT_Event *event) {
  CALL(Event_Await, .event = event);
  end_event(event);
}

static PJRT_Buffer *put(const float *data, int64_t size, PJRT_HostBufferSemantics semantics, PJRT_Device *device) {
  CALL(Client_BufferFromHostBuffer, .client = client, .data = data, .type = PJRT_Buffer_Type_F32, .dims = &size,
       .num_dims = 1, .host_buffer_semantics = semantics, .device = device);
  if (Client_BufferFromHostBuffer_args.done_with_host_buffer)
    end_event(Client_BufferFromHostBuffer_args.done_with_host_buffer);
  return Client_BufferFromHostBuffer_args.buffer;
}

static void drop(PJRT_Buffer *buffer) {
  if (!buffer) return;
  CALL(Buffer_Destroy, .buffer = buffer);
}

static void read_back(PJRT_Buffer *buffer, float *out, size_t count) {
  if (!buffer) return;
  CALL(Buffer_ToHostBuffer, .src = buffer, .dst = out, .dst_size = count * sizeof *out);
  if (!Buffer_ToHostBuffer_error) await(Buffer_ToHostBuffer_args.event);
}

/* INVALID_ARGUMENT is what a deleted argument gives; |*out_events| may be null. */
static bool execute(PJRT_LoadedExecutable *executable, PJRT_Buffer *const *const *arguments, size_t device_count,
                    size_t count, PJRT_Buffer **const *outputs, PJRT_Event **events, bool may_fail) {
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  PJRT_LoadedExecutable_Execute_Args args = {.struct_size = PJRT_LoadedExecutable_Execute_BYTES,
                                             .executable = executable,
                                             .options = &options,
                                             .argument_lists = arguments,
                                             .num_devices = device_count,
                                             .num_args = count,
                                             .output_lists = outputs,
                                             .device_complete_events = events};
  PJRT_Error *error = api->LoadedExecutable_Execute(&args);
  if (!error) return true;
  int code = report("LoadedExecutable_Execute", error, !may_fail);
  HD_CHECK_INT(code, HD_INVALID_ARGUMENT);
  return false;
}

/* ---- what threads do ------------------------------------------------------------------------------------------- */

static PJRT_Buffer *shared[SHARED]; /* all of ones; deleted and made anew under the lock */
static pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;
static float ones[SIZE] __attribute__((aligned(64)));
static atomic_int called;

static void note(PJRT_Error *error, void *user) {
  if (error) report("callback", error, false);
  atomic_fetch_add((atomic_int *)user, 1);
}

static void scale(unsigned *seed, float *data, float *back) {
  float factor = (float)(rand_r(seed) % 100);
  for (int i = 0; i < SIZE; ++i) data[i] = factor;
  PJRT_Buffer *a = put(data, SIZE,
                       rand_r(seed) % 2 ? PJRT_HostBufferSemantics_kImmutableOnlyDuringCall
                                        : PJRT_HostBufferSemantics_kImmutableZeroCopy,
                       devices[0]),
              *out = NULL;
  PJRT_Event *event = NULL;
  pthread_rwlock_rdlock(&shared_lock);
  PJRT_Buffer *b = shared[rand_r(seed) % SHARED];
  PJRT_Buffer *const list[] = {a, b}, *const *lists = list;
  PJRT_Buffer **outs = &out;
  bool ran = execute(executables[SCALE], &lists, 1, 2, &outs, &event, true);
  if (rand_r(seed) % 4 == 0) {
    CALL(Buffer_Delete, .buffer = b);
  }
  pthread_rwlock_unlock(&shared_lock);
  drop(a); /* before the execution has ended, perhaps */
  if (ran) {
    CALL(Event_OnReady, .event = event, .callback = note, .user_arg = &called);
    read_back(out, back, SIZE);
    HD_CHECK(back[0] == 2 * factor && back[SIZE - 1] == 2 * factor);
    await(event);
    drop(out);
  }
}

static void renew(unsigned *seed) {
  pthread_rwlock_wrlock(&shared_lock);
  int i = rand_r(seed) % SHARED;
  drop(shared[i]);
  shared[i] = put(ones, SIZE, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes, devices[0]);
  pthread_rwlock_unlock(&shared_lock);
}

static void donate(unsigned *seed, float *data, float *back) {
  float value = (float)(rand_r(seed) % 100);
  for (int i = 0; i < SIZE; ++i) data[i] = value;
  PJRT_Buffer *x = put(data, SIZE, PJRT_HostBufferSemantics_kImmutableOnlyDuringCall, devices[0]);
  for (int i = 0; i < 4; ++i) {
    PJRT_Buffer *out = NULL, *const *list = &x, **outs = &out;
    execute(executables[DONATE], &list, 1, 1, &outs, NULL, false);
    CALL(Buffer_IsDeleted, .buffer = x);
    HD_CHECK(Buffer_IsDeleted_args.is_deleted);
    PJRT_Buffer *none = NULL, **nones = &none;
    HD_CHECK(!execute(executables[DONATE], &list, 1, 1, &nones, NULL, true));
    drop(x);
    x = out;
  }
  read_back(x, back, SIZE);
  HD_CHECK(back[0] == 16 * value && back[SIZE / 2] == 16 * value);
  drop(x);
}

static void meet(unsigned *seed, float *data, float *back) {
  float value = (float)(rand_r(seed) % 100);
  for (int i = 0; i < SMALL; ++i) data[i] = value;
  PJRT_Buffer *in[DEVICES], *out[DEVICES] = {0}, *const * lists[DEVICES], **outs[DEVICES];
  PJRT_Event *events[DEVICES] = {0};
  for (int d = 0; d < DEVICES; ++d) {
    in[d] = put(data, SMALL, PJRT_HostBufferSemantics_kImmutableOnlyDuringCall, devices[d]);
    lists[d] = &in[d];
    outs[d] = &out[d];
  }
  bool ran = execute(executables[MEET], lists, DEVICES, 1, outs, events, false);
  for (int d = 0; d < DEVICES; ++d) drop(in[d]);
  for (int d = 0; ran && d < DEVICES; ++d) {
    read_back(out[d], back, 1);
    HD_CHECK(back[0] == 2 * SMALL * value);
    await(events[d]);
    drop(out[d]);
  }
}

static void move(unsigned *seed, float *data, float *back) {
  (void)data;
  pthread_rwlock_rdlock(&shared_lock);
  PJRT_Buffer_CopyToDevice_Args args = {
      .struct_size = PJRT_Buffer_CopyToDevice_BYTES, .buffer = shared[rand_r(seed) % SHARED], .dst_device = devices[1]};
  PJRT_Error *error = api->Buffer_CopyToDevice(&args);
  pthread_rwlock_unlock(&shared_lock);
  if (error) {
    HD_CHECK_INT(report("Buffer_CopyToDevice", error, false), HD_INVALID_ARGUMENT);
    return;
  }
  CALL(Buffer_ReadyEvent, .buffer = args.dst_buffer);
  await(Buffer_ReadyEvent_args.event);
  read_back(args.dst_buffer, back, SIZE);
  HD_CHECK(back[0] == 1 && back[SIZE - 1] == 1);
  drop(args.dst_buffer);
}

static void reload(unsigned *seed) {
  PJRT_LoadedExecutable *loaded = load((program)(rand_r(seed) % PROGRAMS));
  if (loaded) unload(loaded);
}

static void profile(void) {
  PJRT_Extension_Base *e = api->extension_start;
  while (e && e->type != PJRT_Extension_Type_Profiler) e = e->next;
  if (!HD_CHECK(e)) return;
  const PLUGIN_Profiler_Api *profiler = ((PJRT_Profiler_Extension *)e)->profiler_api;
  PLUGIN_Profiler_Create_Args create = {.struct_size = sizeof create};
  HD_CHECK(!profiler->create(&create));
  HD_CHECK(!profiler->start(&(PLUGIN_Profiler_Start_Args){sizeof(PLUGIN_Profiler_Start_Args), create.profiler}));
  usleep(2000);
  HD_CHECK(!profiler->stop(&(PLUGIN_Profiler_Stop_Args){sizeof(PLUGIN_Profiler_Stop_Args), create.profiler}));
  PLUGIN_Profiler_CollectData_Args data = {.struct_size = sizeof data, .profiler = create.profiler};
  HD_CHECK(!profiler->collect_data(&data));
  HD_CHECK(data.buffer && data.buffer_size_in_bytes);
  profiler->destroy(&(PLUGIN_Profiler_Destroy_Args){sizeof(PLUGIN_Profiler_Destroy_Args), create.profiler});
}

static int rounds = 60;

static void *thread_main(void *argument) {
  unsigned seed = (unsigned)(uintptr_t)argument;
  float *data = aligned_alloc(64, (SIZE * sizeof *data + 63) / 64 * 64), *back = malloc(SIZE * sizeof *back);
  for (int i = 0; data && back && i < rounds; ++i) {
    switch (rand_r(&seed) % 8) {
      case 0:
      case 1:
        scale(&seed, data, back);
        break;
      case 2:
        renew(&seed);
        break;
      case 3:
        donate(&seed, data, back);
        break;
      case 4:
      case 5:
        meet(&seed, data, back);
        break;
      case 6:
        move(&seed, data, back);
        break;
      default:
        reload(&seed);
        if (i % 16 == 0) profile();
        break;
    }
  }
  free(data);
  free(back);
  return NULL;
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

static bool write_all(const char *folder) {
  for (int k = 0; k < PROGRAMS; ++k) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.bin", folder, names[k]);
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(serialised[k].data, 1, serialised[k].size, file) == serialised[k].size;
    if (file) good &= !fclose(file);
    if (!HD_CHECK(good)) return false;
  }
  return true;
}

static bool read_all(const char *folder) {
  for (int k = 0; k < PROGRAMS; ++k) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.bin", folder, names[k]);
    FILE *file = fopen(path, "rb");
    if (!HD_CHECK(file)) return false;
    fseek(file, 0, SEEK_END);
    serialised[k].size = (size_t)ftell(file);
    rewind(file);
    serialised[k].data = malloc(serialised[k].size + 1);
    bool good = serialised[k].data && fread(serialised[k].data, 1, serialised[k].size, file) == serialised[k].size;
    fclose(file);
    if (!HD_CHECK(good)) return false;
  }
  return true;
}

static void run_threads(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < SIZE; ++i) ones[i] = 1;
  for (int i = 0; i < SHARED; ++i)
    shared[i] = put(ones, SIZE, PJRT_HostBufferSemantics_kImmutableOnlyDuringCall, devices[0]);
  for (uintptr_t i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, thread_main, (void *)(i + 1));
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < SHARED; ++i) drop(shared[i]);
}

int main(int argc, char **argv) {
  bool writes = argc == 3 && !strcmp(argv[1], "--write"), reads = argc == 3 && !strcmp(argv[1], "--read");
  api = GetPjrtApi();
  if (getenv("PJRT_STRESS_ROUNDS")) rounds = atoi(getenv("PJRT_STRESS_ROUNDS"));
  PJRT_NamedValue option = {.struct_size = 56,
                            .name = "num_devices",
                            .name_size = 11,
                            .type = PJRT_NamedValue_kInt64,
                            .int64_value = DEVICES,
                            .value_size = 1};
  CALL(Client_Create, .create_options = &option, .num_options = 1);
  if (!(client = Client_Create_args.client)) return 1;
  CALL(Client_Devices, .client = client);
  devices = Client_Devices_args.devices;
  if (reads && !read_all(argv[2])) return 1;
  for (int k = 0; k < PROGRAMS; ++k) {
    executables[k] = reads ? load((program)k) : compile((program)k);
    if (!executables[k]) return 1;
    if (!reads) serialised[k] = serialise(executables[k]);
  }
  if (writes)
    write_all(argv[2]);
  else
    run_threads();
  for (int k = 0; k < PROGRAMS; ++k) {
    unload(executables[k]);
    free(serialised[k].data);
  }
  CALL(Client_Destroy, .client = client);
  return HD_TEST_RESULT();
}
