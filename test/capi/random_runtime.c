/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libheddle_rt.so with random arguments and objects: random_calls.h. */
#include "heddle/cache.h"
#include "heddle/communicator.h"
#include "heddle/constants.h"
#include "heddle/ral.h"
#include "heddle/tensor_file.h"
#include "random_calls.h"

/* ---- objects: a few of each kind, or null ------------------------------------------------------------------------ */

static hd_runtime *runtimes[2];
static hd_executable *executables[2];
static hd_buffer *buffers[ENTRIES];
static hd_event *events[2];
static hd_cache *caches[2];
static hd_tensor_file *files[2];
static hd_npz_writer *writers[2];
static hd_communicator *ranks[ENTRIES];
static hd_blob artifact;

#define SOME(list) OR_NULL((list)[below(sizeof(list) / sizeof *(list))])
/* |made| in a random place of |list|, whose object goes. */
#define KEEP(list, made, drop)                        \
  do {                                                \
    size_t at = below(sizeof(list) / sizeof *(list)); \
    drop((list)[at]);                                 \
    (list)[at] = (made);                              \
  } while (0)

static hd_element_type type(void) {
  return once_in(2) ? HD_ELEMENT_F32 : (hd_element_type)(below(HD_ELEMENT_TYPE_LIMIT + 3) - 1);
}

static const int64_t *dims(void) {
  static int64_t list[ENTRIES];
  for (int i = 0; i < ENTRIES; ++i) list[i] = once_in(20) ? number() : (int64_t)below(3);
  return OR_NULL(list);
}

/* ---- runtimes and buffers ---------------------------------------------------------------------------------------- */

static void *allocate(void *user, size_t bytes, size_t alignment) {
  (void)user;
  return once_in(9) ? NULL : aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void give_back(void *user, void *data, size_t bytes) { (void)user, (void)bytes, free(data); }
static void run_here(void *user, int64_t count, void (*body)(void *argument, int64_t i), void *argument) {
  (void)user;
  for (int64_t i = 0; i < count; ++i) body(argument, i);
}

static void make_runtime(void) {
  hd_allocator allocator = {NULL, once_in(4) ? NULL : allocate, once_in(4) ? NULL : give_back};
  hd_thread_pool pool = {NULL, count_or_worse(), once_in(4) ? NULL : run_here};
  hd_runtime_options o = HD_INIT(hd_runtime_options);
  if (once_in(3)) o.threads = count_or_worse() % 8;
  if (once_in(8)) o.threads = (int32_t)number();
  if (once_in(4)) o.memory_limit = (size_t)number();
  if (once_in(4)) o.allocator = &allocator;
  if (once_in(8)) o.host_allocator = &allocator;
  if (once_in(4)) o.thread_pool = &pool;
  if (once_in(8)) o.cpu_features = next();
  if (once_in(8)) o.driver = ONE_OF((const char *[]){"cpu", "simt", "guarded", "null", "", "none"});
  if (once_in(8)) o.stream_bytes = number();
  o.profile = once_in(8);
  void *options = once_in(3) ? NULL : cut_options(&o, sizeof o);
  hd_runtime *made = NULL;
  answer(hd_runtime_create(options, OR_NULL(&made)));
  free(options);
  KEEP(runtimes, made, hd_runtime_release);
}

static void visit(void *user, const hd_profile_span *span) {
  if (user || !span->name) abort();
}

static void use_runtime(void) {
  hd_runtime *runtime = SOME(runtimes);
  hd_runtime_release(hd_runtime_retain(runtime));
  hd_device_description device;
  answer(hd_driver_describe((int32_t)below((size_t)hd_driver_count() + 2) - 1, OR_NULL(&device)));
  hd_runtime_threads(runtime);
  hd_runtime_memory(runtime);
  hd_runtime_trim(runtime);
  hd_runtime_profile(runtime, once_in(2));
  answer(hd_runtime_count_kernels(runtime, once_in(2)));
  hd_runtime_profile_take(runtime, once_in(2) ? visit : NULL, NULL);
  char *json = NULL;
  size_t size;
  answer(hd_runtime_profile_json(runtime, OR_NULL(&json), OR_NULL(&size)));
  free(json);
}

static void make_buffer(void) {
  hd_buffer *made = NULL;
  if (once_in(3))
    answer(hd_buffer_create(SOME(runtimes), type(), count_or_worse(), dims(), OR_NULL(&made)));
  else
    answer(
        hd_buffer_wrap(SOME(runtimes), type(), count_or_worse(), dims(), NULL, memory(), NULL, NULL, OR_NULL(&made)));
  if (made && hd_buffer_bytes(made) > sizeof scratch / 2) { /* more than there is */
    hd_buffer_release(made);
    made = NULL;
  }
  KEEP(buffers, made, hd_buffer_release);
}

static void use_buffer(void) {
  hd_buffer *buffer = SOME(buffers);
  hd_buffer_release(hd_buffer_retain(buffer));
  if (hd_buffer_rank(buffer) && (!hd_buffer_dims(buffer) || !hd_buffer_strides(buffer))) abort();
  if (hd_buffer_elements(buffer) < 0 ||
      (!hd_buffer_data(buffer) && !hd_buffer_device_data(buffer) && hd_buffer_bytes(buffer)))
    abort();
  size_t bytes = once_in(4) ? (size_t)number() : hd_buffer_bytes(buffer);
  answer(hd_buffer_wait(buffer));
  answer(hd_buffer_read(buffer, OR_NULL(scratch), bytes));
  answer(hd_buffer_write(buffer, OR_NULL(scratch), bytes));
  hd_element_text(hd_buffer_type(buffer));
}

/* ---- executables ------------------------------------------------------------------------------------------------- */

static void make_executable(void) {
  hd_load_options o = {.entry = once_in(2) ? NULL : ONE_OF((const char *[]){"main", "", "none"}),
                       .trust_constants = once_in(2)};
  if (once_in(8)) o.constants = OR_NULL("none.hdc");
  void *options = once_in(3) ? NULL : cut_options(&o, sizeof o);
  hd_executable *made = NULL;
  size_t size = once_in(4) ? below(artifact.size) : artifact.size;
  hd_artifact_is(OR_NULL(artifact.data), size);
  if (once_in(4)) {
    hd_artifact_target_list targets;
    hd_runtime *opened = NULL;
    const char *target =
        once_in(2) ? NULL : ONE_OF((const char *[]){"cpu", "simt", "cpu+simt", "", "+", "cpu:80", "none"});
    answer(hd_artifact_targets(OR_NULL(artifact.data), size, OR_NULL("cpu+simt"), OR_NULL(&targets)));
    if (once_in(2))
      answer(hd_executable_open_file(NULL, target, OR_NULL(folder), options, OR_NULL(&opened), OR_NULL(&made)));
    else
      answer(hd_executable_open(NULL, target, OR_NULL(artifact.data), size, options, OR_NULL(&opened), OR_NULL(&made)));
    hd_runtime_release(opened);
  } else if (once_in(6))
    answer(hd_executable_load_file(SOME(runtimes), OR_NULL(folder), options, OR_NULL(&made)));
  else if (once_in(6))
    answer(hd_executable_other_entry(SOME(executables), once_in(2) ? NULL : "main", OR_NULL(&made)));
  else
    answer(hd_executable_load(SOME(runtimes), OR_NULL(artifact.data), size, options, OR_NULL(&made)));
  free(options);
  KEEP(executables, made, hd_executable_release);
}

static void look_at_executable(void) {
  hd_executable *e = SOME(executables);
  int32_t i = count_or_worse();
  int64_t values[ENTRIES] = {number(), number()}, shapes[ENTRIES][ENTRIES] = {{number()}, {number()}};
  const int64_t *ins[ENTRIES] = {OR_NULL(shapes[0]), OR_NULL(shapes[1])};
  int64_t *outs[ENTRIES] = {OR_NULL(shapes[2]), OR_NULL(shapes[3])};
  hd_executable_release(hd_executable_retain(e));
  hd_executable_name(e), hd_executable_module(e), hd_executable_target(e), hd_executable_driver(e),
      hd_executable_metadata(e);
  hd_executable_entry_count(e), hd_executable_entry_name(e, i);
  hd_executable_input_count(e), hd_executable_input(e, i);
  hd_executable_output_count(e), hd_executable_output(e, i);
  hd_executable_symbol_count(e), hd_executable_symbol_name(e, i);
  hd_executable_kernel_count(e), hd_executable_kernel_name(e, i), hd_executable_kernel_source(e, i);
  hd_kernel_report report;
  answer(hd_executable_kernel_report(e, i, OR_NULL(&report)));
  hd_executable_call_count(e), hd_executable_call_name(e, i);
  answer(hd_executable_input_dims(e, i, OR_NULL(values), OR_NULL(shapes[4])));
  answer(hd_executable_symbol_values(e, OR_NULL(ins), OR_NULL(values)));
  answer(hd_executable_output_shapes(e, OR_NULL(ins), OR_NULL(outs)));
  if (once_in(8)) answer(hd_executable_bind(e, i, SOME(buffers)));
}

static void hear_done(void *user) { ++*(int *)user; }

static void execute(void) {
  static const int32_t zero;
  static int heard;
  bool donated[ENTRIES] = {once_in(2), once_in(2)};
  hd_run_stats stats;
  hd_feeds feeds = {0};
  hd_execute_options o = {.timeout_ns = once_in(8) ? number() : 0, .serial = once_in(2)};
  if (once_in(8)) o.memory_limit = (size_t)number();
  if (once_in(4)) o.cancel = &zero;
  if (once_in(4)) o.donated = donated;
  if (once_in(4)) o.out_stats = &stats;
  if (once_in(4)) o.feeds = &feeds;
  if (once_in(4)) o.communicator = SOME(ranks);
  void *options = once_in(3) ? NULL : cut_options(&o, sizeof o);
  hd_buffer *ins[ENTRIES] = {SOME(buffers), SOME(buffers), SOME(buffers)}, *outs[ENTRIES] = {NULL}, *given[ENTRIES];
  for (int i = 0; i < ENTRIES; ++i) given[i] = outs[i] = once_in(8) ? hd_buffer_retain(SOME(buffers)) : NULL;
  int32_t in_count = once_in(4) ? count_or_worse() : 2, out_count = once_in(4) ? count_or_worse() : 2;
  hd_event *event = NULL;
  if (once_in(2)) {
    answer(hd_executable_execute_async(SOME(executables), options, OR_NULL(ins), in_count, OR_NULL(outs), out_count,
                                       OR_NULL(&event)));
    hd_event_is_done(event);
    answer(hd_event_on_done(OR_NULL(event), once_in(4) ? NULL : hear_done, &heard));
    if (once_in(4)) hd_event_cancel(OR_NULL(event));
    answer(hd_event_wait(OR_NULL(event), number()));
    if (event) answer(hd_event_wait(event, -1)); /* the outputs are written until then */
    hd_event_release(hd_event_retain(event));
  } else {
    answer(hd_executable_execute(SOME(executables), options, OR_NULL(ins), in_count, OR_NULL(outs), out_count));
  }
  free(options);
  KEEP(events, event, hd_event_release);
  for (int i = 0; i < ENTRIES; ++i) hd_buffer_release(outs[i] ? outs[i] : given[i]);
}

static hd_status called(void *user, const hd_custom_call *call) {
  (void)user, (void)call;
  return hd_status_create((hd_status_code)below(20), OR_NULL("called"));
}

static void names(void) {
  uint64_t features;
  answer(hd_custom_call_register(OR_NULL("called"), once_in(2) ? called : NULL, NULL));
  hd_custom_call_registered(
      OR_NULL(ONE_OF((const char *[]){"called", "", "lapack_sgetrf_ffi", "lapack_", "lapack_x_ffi"})));
  answer(hd_cpu_level_features(OR_NULL(ONE_OF((const char *[]){"native", "", "x86-64-v4"})), OR_NULL(&features)));
  hd_cpu_level_name(next()), hd_cpu_feature_name(next()), hd_cpu_features(), hd_cpu_brand();
  hd_cpu_cache_sizes(), hd_cpu_stream_bytes(), hd_cpu_count();
  hd_element_bytes(type()), hd_element_text(type()), hd_element_from_text(OR_NULL("f32"));
  ral_api_call(NULL, OR_NULL("none"), NULL);
  hd_ral_api api = {OR_NULL(ONE_OF((const char *[]){"", "none", "ral_none___pvoid_i64___void"})), NULL};
  answer(hd_ral_register(OR_NULL("simt"), OR_NULL(&api)));
  hd_ral_fail(NULL, hd_status_create(HD_ABORTED, "no run"));
  if (hd_ral_runtime(NULL) || hd_ral_wait(NULL) || hd_ral_on_host(NULL, scratch, 4, 1)) abort();
  hd_ral_library_end(NULL, OR_NULL("none"), hd_ral_library_begin(NULL));
  answer(hd_status_create((hd_status_code)number(), OR_NULL("x")));
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static const char *path(const char *name) {
  static char text[4096];
  snprintf(text, sizeof text, "%s/%s", folder, name);
  return OR_NULL(text);
}

static void use_cache(void) {
  static const uint8_t keys[2][16] = {{1}, {2}};
  const void *data = NULL;
  size_t size = 0;
  uint64_t bytes, entries;
  char text[64];
  if (once_in(9)) {
    hd_cache *made = NULL;
    answer(hd_cache_open(path("cache"), (uint64_t)number(), OR_NULL(&made)));
    KEEP(caches, made, hd_cache_close);
  }
  hd_cache *cache = SOME(caches);
  hd_cache_directory(OR_NULL("x"), OR_NULL("y"), OR_NULL("z"), OR_NULL(text), below(sizeof text));
  answer(hd_cache_put(cache, OR_NULL(keys[below(2)]), memory(), below(100)));
  answer(hd_cache_get(cache, OR_NULL(keys[below(2)]), OR_NULL(&data), OR_NULL(&size)));
  if (data && size) hd_cache_unmap(data, size);
  hd_cache_unmap(NULL, size);
  hd_cache_usage(cache, OR_NULL(&bytes), OR_NULL(&entries));
}

static void write_file(void) {
  if (once_in(4)) {
    hd_npz_writer *made = NULL;
    answer(hd_npz_create(path("x.npz"), OR_NULL(&made)));
    KEEP(writers, made, hd_npz_abandon);
  }
  size_t at = below(2);
  hd_element_type element = type();
  const int64_t *sizes = dims();
  int32_t rank = count_or_worse();
  int64_t bytes = (int64_t)hd_element_bytes(element); /* what is said to be there is there */
  for (int32_t i = 0; sizes && i < rank && i < ENTRIES; ++i)
    bytes = sizes[i] > 8 ? 1 << 20 : bytes * (sizes[i] < 0 ? 0 : sizes[i]);
  if (rank < ENTRIES && bytes < 2048)
    answer(hd_npz_add(OR_NULL(writers[at]), OR_NULL("a"), element, rank, sizes, memory()));
  if (once_in(3)) {
    answer(hd_npz_close(writers[at]));
    writers[at] = NULL;
  }
}

static void read_file(void) {
  if (once_in(2)) {
    hd_tensor_file *made = NULL;
    if (once_in(2))
      answer(hd_tensor_file_open(path("x.npz"), OR_NULL(&made)));
    else
      answer(hd_tensor_file_open_memory(memory(), below(200), OR_NULL("x"), OR_NULL(&made)));
    KEEP(files, made, hd_tensor_file_close);
  }
  hd_tensor_file *file = SOME(files);
  hd_tensor_file_count(file);
  const hd_file_tensor *tensor =
      once_in(2) ? hd_tensor_file_get(file, below(3)) : hd_tensor_file_find(file, OR_NULL("a"));
  hd_file_tensor_is(tensor, type());
  const unsigned char *mapped = hd_file_tensor_map(tensor);
  if (mapped && tensor->bytes) scratch[0] = (char)mapped[tensor->bytes - 1];
  if (!tensor || tensor->bytes < sizeof scratch - 32) answer(hd_file_tensor_read(tensor, memory()));
  answer(hd_random_fill(type(), next(), next(), (uint32_t)below(9), below(64), memory()));
  answer(hd_random_scale(type(), (double)number(), below(64), memory()));
  hd_constants_stats stats;
  answer(hd_constants_update(path("x.hdc"), memory(), below(100), OR_NULL(&stats)));
}

static void communicate(void) {
  hd_communicator *made[ENTRIES] = {NULL}, *none;
  answer(hd_communicator_create_local(count_or_worse() % ENTRIES, OR_NULL(made)));
  answer(hd_communicator_create_mpi("/none/libmpi.so", OR_NULL(&none)));
  for (int i = 0; i < ENTRIES; ++i) KEEP(ranks, made[i], hd_communicator_release);
  hd_communicator *rank = SOME(ranks);
  hd_communicator_release(hd_communicator_retain(rank));
  char why[9];
  hd_communicator *on_device = NULL;
  if (hd_communicator_size(rank) < 2) /* the others would have to come too */
    answer(hd_communicator_create_on_device(rank, SOME(runtimes), OR_NULL(why), below(sizeof why + 1),
                                            OR_NULL(&on_device)));
  hd_communicator_release(on_device);
  if (hd_communicator_rank(rank) > hd_communicator_size(rank)) abort();
  if (once_in(4)) hd_communicator_abort(rank, OR_NULL("why"));
}

static void end(void) {
  for (int i = 0; i < ENTRIES; ++i) hd_buffer_release(buffers[i]), hd_communicator_release(ranks[i]);
  for (int i = 0; i < 2; ++i) {
    hd_event_release(events[i]);
    hd_executable_release(executables[i]);
    hd_tensor_file_close(files[i]);
    hd_cache_close(caches[i]);
    hd_npz_abandon(writers[i]);
  }
  for (int i = 0; i < 2; ++i) hd_runtime_release(runtimes[i]);
  hd_blob_free(&artifact);
}

int main(int argc, char **argv) {
  static void (*const calls[])(void) = {make_runtime, use_runtime, make_buffer, make_buffer,     use_buffer,
                                        execute,      execute,     execute,     make_executable, look_at_executable,
                                        names,        use_cache,   write_file,  read_file,       communicate};
  if (hd_compile(PROGRAM, sizeof PROGRAM - 1, "x", NULL, (hd_message_sink){0}, &artifact)) return 3;
  return run_calls(argc, argv, calls, sizeof calls / sizeof *calls, end);
}
