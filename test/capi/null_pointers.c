/* SPDX-License-Identifier: Apache-2.0 */
/* Every public function with null where its header allows none: INVALID_ARGUMENT that names the pointer, or nothing. A
 * released, an unfilled or a forgotten object is then an error of the embedder that can be found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/cache.h"
#include "heddle/communicator.h"
#include "heddle/compile.h"
#include "heddle/constants.h"
#include "heddle/generalize.h"
#include "heddle/indexing_map.h"
#include "heddle/layout.h"
#include "heddle/ral.h"
#include "heddle/runtime.h"
#include "heddle/tensor_file.h"

static int wrong;

static void refuses(hd_status status, const char *call) {
  if (hd_status_code_of(status) != HD_INVALID_ARGUMENT || !strstr(hd_status_message(status), "null")) {
    printf("%s: expected INVALID_ARGUMENT with 'null', got %s: %s\n", call,
           hd_status_code_name(hd_status_code_of(status)), hd_status_message(status));
    ++wrong;
  }
  hd_status_free(status);
}
#define REFUSES(call) refuses(call, #call)

static void gives_nothing(bool nothing, const char *call) {
  if (nothing) return;
  printf("%s: expected nothing\n", call);
  ++wrong;
}
#define NOTHING(call) gives_nothing(!(call), #call)

static void must(hd_status status, const char *doing) {
  if (hd_is_ok(status)) return;
  printf("%s: %s\n", doing, hd_status_message(status));
  exit(1);
}
#define MUST(call) must(call, #call)

static bool still_fails(void *user, const char *program, size_t size) {
  (void)user, (void)program, (void)size;
  return false;
}

static const char PROGRAM[] = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}\n";
static const char STATIC[] = "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n  return %a : tensor<3xf32>\n}\n";
enum { SIZE = sizeof PROGRAM - 1 };

static void compiler(void) {
  hd_message_sink sink = {0};
  hd_blob blob = {0};
  hd_eval_results *results;
  hd_shape_form *form;
  hd_shape_rule *rule;
  hd_check_counts counts;
  size_t rank = 7;
  bool equal;
  hd_host_tensor bad = {.type = HD_ELEMENT_F32, .rank = 1, .size = 4};
  const char *const missing[] = {"opt", NULL};
  hd_blob_free(NULL);
  REFUSES(hd_compile(NULL, 1, "x", NULL, sink, &blob));
  REFUSES(hd_compile(PROGRAM, SIZE, "x", NULL, sink, NULL));
  REFUSES(hd_eval(NULL, 1, "x", NULL, NULL, 0, sink, &results));
  REFUSES(hd_eval(PROGRAM, SIZE, "x", NULL, NULL, 1, sink, &results));
  REFUSES(hd_eval(PROGRAM, SIZE, "x", NULL, &bad, 1, sink, &results));
  REFUSES(hd_eval(PROGRAM, SIZE, "x", NULL, NULL, 0, sink, NULL));
  NOTHING(hd_eval_results_count(NULL));
  NOTHING(hd_eval_results_get(NULL, 0).data);
  hd_eval_results_free(NULL);
  REFUSES(hd_program_signature(NULL, 1, "x", NULL, sink, &blob));
  REFUSES(hd_program_signature(PROGRAM, SIZE, "x", NULL, sink, NULL));
  REFUSES(hd_bisect(NULL, 1, "x", NULL, NULL, NULL, 0, sink, &equal, &blob));
  REFUSES(hd_bisect(PROGRAM, SIZE, "x", NULL, NULL, NULL, 1, sink, &equal, &blob));
  REFUSES(hd_bisect(PROGRAM, SIZE, "x", NULL, NULL, NULL, 0, sink, NULL, &blob));
  REFUSES(hd_bisect(PROGRAM, SIZE, "x", NULL, NULL, NULL, 0, sink, &equal, NULL));
  /* Every list of the options that has a count, at every door that takes them. */
  const char *no_level[] = {"native", NULL};
  hd_named_dim no_name[] = {{NULL, 3}};
  const hd_compile_options lists[] = {{.struct_size = sizeof *lists, .mcpu_count = 1},
                                      {.struct_size = sizeof *lists, .constant_arg_count = 1},
                                      {.struct_size = sizeof *lists, .fixed_dim_count = 1},
                                      {.struct_size = sizeof *lists, .mcpu = no_level, .mcpu_count = 2},
                                      {.struct_size = sizeof *lists, .fixed_dims = no_name, .fixed_dim_count = 1}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
    REFUSES(hd_compile(PROGRAM, SIZE, "x", &lists[i], sink, &blob));
    REFUSES(hd_program_signature(PROGRAM, SIZE, "x", &lists[i], sink, &blob));
    REFUSES(hd_eval(PROGRAM, SIZE, "x", &lists[i], NULL, 0, sink, &results));
    REFUSES(hd_bisect(PROGRAM, SIZE, "x", &lists[i], NULL, NULL, 0, sink, &equal, &blob));
    REFUSES(hd_output_writer(PROGRAM, SIZE, "x", &lists[i], 0, sink, &blob));
    REFUSES(hd_check(PROGRAM, SIZE, "x", NULL, &lists[i], sink, &counts));
    REFUSES(hd_explain(PROGRAM, SIZE, "x", &lists[i], HD_EXPLAIN_TEXT, sink, &blob));
    REFUSES(hd_program_cost(PROGRAM, SIZE, "x", &lists[i], sink, &(hd_program_costs){0}));
    REFUSES(hd_shape_form_create(STATIC, sizeof STATIC - 1, "x", &lists[i], sink, &form));
  }
  REFUSES(hd_output_writer(NULL, 1, "x", NULL, 0, sink, &blob));
  REFUSES(hd_output_writer(PROGRAM, SIZE, "x", NULL, 0, sink, NULL));
  REFUSES(hd_reduce(NULL, 1, "x", NULL, still_fails, NULL, sink, &blob));
  REFUSES(hd_reduce(PROGRAM, SIZE, "x", NULL, NULL, NULL, sink, &blob));
  REFUSES(hd_reduce(PROGRAM, SIZE, "x", NULL, still_fails, NULL, sink, NULL));
  REFUSES(hd_check(NULL, 1, "x", NULL, NULL, sink, &counts));
  REFUSES(hd_check(PROGRAM, SIZE, "x", &(hd_check_options){.struct_size = sizeof(hd_check_options), .input_count = 1},
                   NULL, sink, &counts));
  REFUSES(hd_check(PROGRAM, SIZE, "x", NULL, NULL, sink, NULL));
  REFUSES(hd_explain(NULL, 1, "x", NULL, HD_EXPLAIN_TEXT, sink, &blob));
  REFUSES(hd_explain(PROGRAM, SIZE, "x", NULL, HD_EXPLAIN_TEXT, sink, NULL));
  hd_program_costs costs;
  REFUSES(hd_program_cost(NULL, 1, "x", NULL, sink, &costs));
  REFUSES(hd_program_cost(PROGRAM, SIZE, "x", NULL, sink, NULL));
  MUST(hd_program_cost(PROGRAM, SIZE, NULL, NULL, sink, &costs));
  REFUSES(hd_layout_show(NULL, "16x16", NULL, HD_LAYOUT_TEXT, sink, &blob));
  REFUSES(hd_layout_show("#ttg.shared_memory", NULL, NULL, HD_LAYOUT_TEXT, sink, &blob));
  REFUSES(hd_layout_show("#ttg.shared_memory", "16x16", NULL, HD_LAYOUT_TEXT, sink, NULL));
  REFUSES(hd_indexing_map_show(NULL, NULL, sink, &blob));
  REFUSES(hd_indexing_map_show("(d0) -> (d0)", NULL, sink, NULL));
  REFUSES(hd_opt(2, NULL, PROGRAM, SIZE, "x", sink, &blob));
  REFUSES(hd_opt(2, missing, PROGRAM, SIZE, "x", sink, &blob));
  REFUSES(hd_opt(0, NULL, NULL, 1, "x", sink, &blob));
  REFUSES(hd_opt(0, NULL, PROGRAM, SIZE, "x", sink, NULL));
  REFUSES(hd_opt_help(NULL));
  MUST(hd_compile(PROGRAM, SIZE, NULL, NULL, sink, &blob)); /* a program may have no name */
  hd_blob_free(&blob);
  MUST(hd_explain(PROGRAM, SIZE, NULL, NULL, HD_EXPLAIN_TEXT, sink, &blob));
  hd_blob_free(&blob);
  MUST(hd_program_signature(PROGRAM, SIZE, NULL, NULL, sink, &blob));
  hd_blob_free(&blob);

  REFUSES(hd_shape_form_create(NULL, 1, "x", NULL, sink, &form));
  REFUSES(hd_shape_form_create(STATIC, sizeof STATIC - 1, "x", NULL, sink, NULL));
  MUST(hd_shape_form_create(STATIC, sizeof STATIC - 1, NULL, NULL, sink, &form));
  const hd_shape_form *forms[] = {form, NULL};
  NOTHING(hd_shape_form_key(NULL));
  NOTHING(hd_shape_form_identity(NULL));
  NOTHING(hd_shape_form_argument(NULL, 0, &rank) || rank);
  gives_nothing(hd_shape_form_argument(form, 0, NULL)[0] == 3, "hd_shape_form_argument(form, 0, NULL) is not the dims");
  REFUSES(hd_generalize(NULL, 2, sink, &blob, &rule));
  REFUSES(hd_generalize(forms, 2, sink, &blob, &rule));
  REFUSES(hd_generalize(forms, 2, sink, NULL, &rule));
  REFUSES(hd_generalize(forms, 2, sink, &blob, NULL));
  NOTHING(hd_shape_rule_admits(NULL, form));
  NOTHING(hd_shape_rule_symbols(NULL));
  NOTHING(hd_shape_rule_lifted(NULL));
  NOTHING(hd_shape_rule_feeds(NULL, form, 0).data);
  gives_nothing(hd_shape_form_unlike(NULL, form) == SIZE_MAX, "hd_shape_form_unlike(NULL, form) is not SIZE_MAX");
  hd_shape_rule_release(NULL);
  hd_shape_form_release(form);
  hd_shape_form_release(NULL);
}

static void executables(hd_runtime *runtime) {
  hd_blob artifact;
  hd_executable *executable, *other;
  hd_event *event;
  int64_t dims[1] = {2}, values[1];
  const int64_t *shapes[1] = {dims}, *no_shapes[1] = {NULL};
  int64_t *outs[1] = {values}, *no_outs[1] = {NULL};
  hd_buffer *none[1] = {NULL};
  MUST(hd_compile(PROGRAM, SIZE, "x", NULL, (hd_message_sink){0}, &artifact));
  NOTHING(hd_artifact_is(NULL, 8));
  REFUSES(hd_executable_load(NULL, artifact.data, artifact.size, NULL, &executable));
  REFUSES(hd_executable_load(runtime, NULL, artifact.size, NULL, &executable));
  REFUSES(hd_executable_load(runtime, artifact.data, artifact.size, NULL, NULL));
  REFUSES(hd_executable_load_file(NULL, "x.hdl", NULL, &executable));
  REFUSES(hd_executable_load_file(runtime, NULL, NULL, &executable));
  REFUSES(hd_executable_load_file(runtime, "x.hdl", NULL, NULL));
  hd_artifact_target_list targets;
  hd_runtime *opened;
  REFUSES(hd_artifact_targets(NULL, 8, NULL, &targets));
  REFUSES(hd_artifact_targets(artifact.data, artifact.size, NULL, NULL));
  REFUSES(hd_executable_open(NULL, NULL, NULL, artifact.size, NULL, &opened, &executable));
  REFUSES(hd_executable_open(NULL, NULL, artifact.data, artifact.size, NULL, NULL, &executable));
  REFUSES(hd_executable_open(NULL, NULL, artifact.data, artifact.size, NULL, &opened, NULL));
  REFUSES(hd_executable_open_file(NULL, NULL, NULL, NULL, &opened, &executable));
  REFUSES(hd_executable_open_file(NULL, NULL, "x.hdl", NULL, NULL, &executable));
  REFUSES(hd_executable_open_file(NULL, NULL, "x.hdl", NULL, &opened, NULL));
  MUST(hd_artifact_targets(artifact.data, artifact.size, NULL, &targets));
  MUST(hd_executable_open(NULL, NULL, artifact.data, artifact.size, NULL, &opened, &executable));
  hd_executable_release(executable);
  hd_runtime_release(opened);
  MUST(hd_executable_load(runtime, artifact.data, artifact.size, NULL, &executable));
  hd_blob_free(&artifact);
  REFUSES(hd_executable_other_entry(NULL, "main", &other));
  REFUSES(hd_executable_other_entry(executable, "main", NULL));
  NOTHING(hd_executable_retain(NULL));
  hd_executable_release(NULL);
  NOTHING(hd_executable_name(NULL));
  NOTHING(hd_executable_module(NULL));
  NOTHING(hd_executable_target(NULL));
  NOTHING(hd_executable_driver(NULL));
  NOTHING(hd_executable_metadata(NULL));
  NOTHING(hd_executable_entry_count(NULL));
  NOTHING(hd_executable_entry_name(NULL, 0));
  NOTHING(hd_executable_input_count(NULL));
  NOTHING(hd_executable_output_count(NULL));
  NOTHING(hd_executable_input(NULL, 0).dims);
  NOTHING(hd_executable_output(NULL, 0).dims);
  NOTHING(hd_executable_symbol_count(NULL));
  NOTHING(hd_executable_symbol_name(NULL, 0));
  NOTHING(hd_executable_kernel_count(NULL));
  NOTHING(hd_executable_kernel_name(NULL, 0));
  NOTHING(hd_executable_kernel_source(NULL, 0));
  hd_kernel_report report;
  REFUSES(hd_executable_kernel_report(NULL, 0, &report));
  REFUSES(hd_executable_kernel_report(executable, 0, NULL));
  REFUSES(hd_runtime_count_kernels(NULL, true));
  NOTHING(strcmp(hd_driver_of_target(NULL), "cpu")); /* null is the CPU */
  NOTHING(hd_executable_call_count(NULL));
  NOTHING(hd_executable_call_name(NULL, 0));
  REFUSES(hd_executable_input_dims(NULL, 0, values, dims));
  REFUSES(hd_executable_input_dims(executable, 0, NULL, dims));
  REFUSES(hd_executable_input_dims(executable, 0, dims, NULL));
  REFUSES(hd_executable_symbol_values(NULL, shapes, values));
  REFUSES(hd_executable_symbol_values(executable, NULL, values));
  REFUSES(hd_executable_symbol_values(executable, no_shapes, values));
  REFUSES(hd_executable_symbol_values(executable, shapes, NULL));
  REFUSES(hd_executable_output_shapes(NULL, shapes, outs));
  REFUSES(hd_executable_output_shapes(executable, no_shapes, outs));
  REFUSES(hd_executable_output_shapes(executable, shapes, NULL));
  REFUSES(hd_executable_output_shapes(executable, shapes, no_outs));
  REFUSES(hd_executable_bind(NULL, 0, NULL));
  REFUSES(hd_executable_execute(NULL, NULL, none, 1, none, 1));
  REFUSES(hd_executable_execute(executable, NULL, NULL, 1, none, 1));
  REFUSES(hd_executable_execute(executable, NULL, none, 1, NULL, 1));
  REFUSES(hd_executable_execute_async(NULL, NULL, none, 1, none, 1, &event));
  REFUSES(hd_executable_execute_async(executable, NULL, NULL, 1, none, 1, &event));
  REFUSES(hd_executable_execute_async(executable, NULL, none, 1, NULL, 1, &event));
  REFUSES(hd_executable_execute_async(executable, NULL, none, 1, none, 1, NULL));
  hd_executable_release(executable);
}

static void runtimes(void) {
  hd_runtime *runtime;
  hd_buffer *buffer;
  char *json;
  size_t size;
  int64_t dims[1] = {2};
  float data[2];
  REFUSES(hd_runtime_create(NULL, NULL));
  MUST(hd_runtime_create(NULL, &runtime));
  NOTHING(hd_runtime_retain(NULL));
  hd_runtime_release(NULL);
  REFUSES(hd_driver_describe(0, NULL));
  NOTHING(hd_runtime_threads(NULL));
  hd_memory_stats memory = hd_runtime_memory(NULL), zero;
  memset(&zero, 0, sizeof zero);
  NOTHING(memcmp(&memory, &zero, sizeof zero));
  hd_runtime_trim(NULL);
  hd_runtime_profile(NULL, true);
  hd_runtime_profile_take(NULL, NULL, NULL);
  hd_runtime_profile_take(runtime, NULL, NULL);
  REFUSES(hd_runtime_profile_json(NULL, &json, &size));
  REFUSES(hd_runtime_profile_json(runtime, NULL, &size));
  REFUSES(hd_runtime_profile_json(runtime, &json, NULL));
  REFUSES(hd_buffer_create(NULL, HD_ELEMENT_F32, 1, dims, &buffer));
  REFUSES(hd_buffer_create(runtime, HD_ELEMENT_F32, 1, NULL, &buffer));
  REFUSES(hd_buffer_create(runtime, HD_ELEMENT_F32, 1, dims, NULL));
  REFUSES(hd_buffer_wrap(NULL, HD_ELEMENT_F32, 1, dims, NULL, data, NULL, NULL, &buffer));
  REFUSES(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 1, NULL, NULL, data, NULL, NULL, &buffer));
  REFUSES(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 1, dims, NULL, NULL, NULL, NULL, &buffer));
  REFUSES(hd_buffer_wrap(runtime, HD_ELEMENT_F32, 1, dims, NULL, data, NULL, NULL, NULL));
  NOTHING(hd_buffer_retain(NULL));
  hd_buffer_release(NULL);
  NOTHING(hd_buffer_type(NULL));
  NOTHING(hd_buffer_rank(NULL));
  NOTHING(hd_buffer_dims(NULL));
  NOTHING(hd_buffer_strides(NULL));
  NOTHING(hd_buffer_elements(NULL));
  NOTHING(hd_buffer_bytes(NULL));
  NOTHING(hd_buffer_data(NULL));
  NOTHING(hd_buffer_device_data(NULL));
  REFUSES(hd_buffer_wait(NULL));
  REFUSES(hd_buffer_read(NULL, data, sizeof data));
  REFUSES(hd_buffer_write(NULL, data, sizeof data));
  executables(runtime);
  NOTHING(hd_event_retain(NULL));
  hd_event_release(NULL);
  NOTHING(!hd_event_is_done(NULL)); /* nobody waits for it for ever */
  REFUSES(hd_event_wait(NULL, -1));
  hd_event_cancel(NULL);
  REFUSES(hd_event_on_done(NULL, NULL, NULL));
  REFUSES(hd_custom_call_register(NULL, NULL, NULL));
  NOTHING(hd_custom_call_registered(NULL));
  ral_api_call(NULL, NULL, NULL);
  REFUSES(hd_ral_register(NULL, NULL));
  REFUSES(hd_ral_register("cpu", &(hd_ral_api){NULL, NULL}));
  hd_ral_fail(NULL, hd_status_create(HD_ABORTED, "no run"));
  NOTHING(hd_ral_runtime(NULL));
  NOTHING(hd_ral_wait(NULL));
  NOTHING(hd_ral_on_host(NULL, NULL, 4, HD_HOST_READ));
  NOTHING(hd_ral_library_begin(NULL));
  hd_ral_library_end(NULL, NULL, 0);
  hd_runtime_release(runtime);
}

static void files(const char *folder) {
  char path[4096];
  hd_cache *cache;
  hd_tensor_file *file;
  hd_npz_writer *writer;
  hd_communicator *communicator, *on_device;
  hd_runtime *device;
  const uint8_t key[16] = {1};
  const void *data;
  size_t size;
  uint64_t bytes = 7, entries = 7;
  int64_t dims[1] = {2};
  float values[2] = {1, 2};
  NOTHING(hd_cache_directory("x", NULL, NULL, NULL, 4));
  NOTHING(hd_cache_directory(NULL, NULL, NULL, path, sizeof path));
  REFUSES(hd_cache_open(NULL, 0, &cache));
  REFUSES(hd_cache_open(folder, 0, NULL));
  snprintf(path, sizeof path, "%s/cache", folder);
  MUST(hd_cache_open(path, 0, &cache));
  REFUSES(hd_cache_get(NULL, key, &data, &size));
  REFUSES(hd_cache_get(cache, NULL, &data, &size));
  REFUSES(hd_cache_get(cache, key, NULL, &size));
  REFUSES(hd_cache_get(cache, key, &data, NULL));
  hd_cache_unmap(NULL, 0);
  REFUSES(hd_cache_put(NULL, key, values, sizeof values));
  REFUSES(hd_cache_put(cache, NULL, values, sizeof values));
  REFUSES(hd_cache_put(cache, key, NULL, sizeof values));
  hd_cache_usage(NULL, &bytes, &entries);
  NOTHING(bytes || entries);
  hd_cache_usage(cache, NULL, NULL);
  hd_cache_close(cache);
  hd_cache_close(NULL);

  REFUSES(hd_npz_create(NULL, &writer));
  snprintf(path, sizeof path, "%s/x.npz", folder);
  REFUSES(hd_npz_create(path, NULL));
  MUST(hd_npz_create(path, &writer));
  REFUSES(hd_npz_add(NULL, "x", HD_ELEMENT_F32, 1, dims, values));
  REFUSES(hd_npz_add(writer, NULL, HD_ELEMENT_F32, 1, dims, values));
  REFUSES(hd_npz_add(writer, "x", HD_ELEMENT_F32, 1, NULL, values));
  REFUSES(hd_npz_add(writer, "x", HD_ELEMENT_F32, 1, dims, NULL));
  MUST(hd_npz_add(writer, "x", HD_ELEMENT_F32, 1, dims, values));
  MUST(hd_npz_close(writer));
  REFUSES(hd_npz_close(NULL));
  hd_npz_abandon(NULL);
  REFUSES(hd_tensor_file_open(NULL, &file));
  REFUSES(hd_tensor_file_open(path, NULL));
  REFUSES(hd_tensor_file_open_memory(NULL, 1, "x", &file));
  REFUSES(hd_tensor_file_open_memory(values, sizeof values, "x", NULL));
  MUST(hd_tensor_file_open(path, &file));
  NOTHING(hd_tensor_file_count(NULL));
  NOTHING(hd_tensor_file_get(NULL, 0));
  NOTHING(hd_tensor_file_get(file, 1));
  NOTHING(hd_tensor_file_find(NULL, "x"));
  NOTHING(hd_tensor_file_find(file, NULL));
  NOTHING(hd_file_tensor_is(NULL, HD_ELEMENT_F32));
  NOTHING(hd_file_tensor_map(NULL));
  REFUSES(hd_file_tensor_read(NULL, values));
  REFUSES(hd_file_tensor_read(hd_tensor_file_get(file, 0), NULL));
  hd_tensor_file_close(file);
  hd_tensor_file_close(NULL);
  REFUSES(hd_random_fill(HD_ELEMENT_F32, 0, 0, 1, 1, NULL));
  REFUSES(hd_random_scale(HD_ELEMENT_F32, 2, 1, NULL));
  REFUSES(hd_constants_update(NULL, values, sizeof values, NULL));
  REFUSES(hd_constants_update(path, NULL, sizeof values, NULL));

  REFUSES(hd_communicator_create_local(2, NULL));
  REFUSES(hd_communicator_create_mpi(NULL, NULL));
  MUST(hd_communicator_create_local(1, &communicator));
  MUST(hd_runtime_create(NULL, &device));
  REFUSES(hd_communicator_create_on_device(NULL, device, NULL, 0, &on_device));
  REFUSES(hd_communicator_create_on_device(communicator, NULL, NULL, 0, &on_device));
  REFUSES(hd_communicator_create_on_device(communicator, device, NULL, 0, NULL));
  MUST(hd_communicator_create_on_device(communicator, device, NULL, 9, &on_device));
  hd_communicator_release(on_device);
  hd_runtime_release(device);
  hd_communicator_abort(NULL, "x");
  hd_communicator_abort(communicator, NULL);
  hd_communicator_release(communicator);
  hd_communicator_release(NULL);
  NOTHING(hd_communicator_retain(NULL));
  NOTHING(hd_communicator_rank(NULL));
  NOTHING(hd_communicator_size(NULL));
}

int main(int argc, char **argv) {
  uint64_t features;
  if (argc != 2) return 2;
  compiler();
  runtimes();
  files(argv[1]);
  REFUSES(hd_cpu_level_features(NULL, &features));
  REFUSES(hd_cpu_level_features("native", NULL));
  NOTHING(hd_element_from_text(NULL));
  hd_status told = hd_status_create(HD_ABORTED, NULL);
  NOTHING(*hd_status_message(told));
  hd_status_free(told);
  if (!hd_target_pipeline(NULL)) ++wrong;
  hd_status known = hd_target_check(NULL);
  if (!hd_is_ok(known)) ++wrong;
  hd_status_free(known);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
