/* SPDX-License-Identifier: Apache-2.0 */
/* Loading artifacts, and what can be asked of them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/options.h"
#include "runtime/map_file.h"
#include "runtime/objects.h"
#include "runtime/ral_api.h"

/* ---- the artifact ---------------------------------------------------------------------------------------------- */

static void loaded_release(hd_loaded *loaded) {
  if (!loaded || atomic_fetch_sub_explicit(&loaded->references, 1, memory_order_acq_rel) != 1) return;
  for (uint32_t i = 0; loaded->own_constants && i < loaded->program->constant_count; ++i)
    hd_constant_unload(loaded->runtime->driver, &loaded->own_constants[i]);
  hd_constants_close(&loaded->runtime->constants, loaded->runtime->driver, loaded->constants_file);
  for (uint32_t i = 0; loaded->guarded && i < loaded->program->constant_count; ++i)
    hd_bounds_give(loaded->runtime->bounds, loaded->guarded[i]);
  free(loaded->guarded);
  hd_device_image_unload(loaded->runtime->driver, loaded->image);
  hd_code_free(loaded->code);
  hd_arena_free(&loaded->arena);
  if (loaded->is_mapped)
    munmap(loaded->bytes, loaded->size);
  else
    free(loaded->bytes);
  hd_runtime_release(loaded->runtime);
  free(loaded);
}

static hd_status choose_variant(hd_loaded *loaded) {
  const hd_artifact_program *program = loaded->program;
  uint64_t have = loaded->runtime->cpu_features;
  int best = -1;
  for (uint32_t i = 0; i < program->variant_count; ++i) {
    const hd_artifact_variant *variant = &program->variants[i];
    if (variant->features & ~have || __builtin_popcountll(variant->features) <= best) continue;
    best = __builtin_popcountll(variant->features);
    loaded->variant = variant;
  }
  if (loaded->variant) return HD_STATUS_OK;
  if (!program->variant_count) return hd_make_status(HD_FAILED_PRECONDITION, "the artifact holds no code");
  const hd_artifact_variant *first = &program->variants[0];
  return hd_make_status(HD_FAILED_PRECONDITION, "no code for this machine: it lacks %s, which '%s' needs",
                        hd_cpu_feature_name(first->features & ~have), first->target);
}

static hd_status prepare(void *argument) {
  hd_loaded *loaded = argument;
  const hd_artifact_program *program = loaded->program;
  HD_TRY(choose_variant(loaded));
  hd_ral_fn *table = hd_new_array(&loaded->arena, hd_ral_fn, program->ral_name_count + 1);
  HD_TRY(hd_ral_resolve(loaded->runtime->driver->vtable->name, program->ral_names, program->ral_name_count, table));
  HD_TRY(hd_code_load(loaded->variant->objects, loaded->variant->object_count, table, program->ral_name_count,
                      &loaded->code));
  loaded->kernels = hd_new_array(&loaded->arena, hd_kernel_fn, program->kernel_count + 1);
  loaded->kernel_names = hd_new_array(&loaded->arena, const char *, program->kernel_count + 1);
  loaded->kernel_sources = hd_new_array(&loaded->arena, const char *, program->kernel_count + 1);
  for (uint32_t i = 0; i < program->kernel_count; ++i) {
    const hd_artifact_kernel *kernel = &program->kernels[i];
    loaded->kernels[i] = (hd_kernel_fn)(uintptr_t)hd_code_symbol(loaded->code, kernel->symbol);
    if (!loaded->kernels[i])
      return hd_make_status(HD_FAILED_PRECONDITION, "kernel %u: symbol '%s' is not defined in the artifact", i,
                            kernel->symbol);
    loaded->kernel_names[i] = hd_trace_intern(loaded->runtime->trace, *kernel->name ? kernel->name : kernel->symbol);
    loaded->kernel_sources[i] = hd_trace_intern(loaded->runtime->trace, kernel->source);
  }
  HD_TRY(hd_loaded_device(loaded));
  if (loaded->runtime->perf_map) {
    for (uint32_t i = 0; i < program->kernel_count; ++i)
      hd_code_set_name(loaded->code, program->kernels[i].symbol, loaded->kernel_names[i]);
    hd_status_ignore(hd_code_write_perf_map(loaded->code));
  }
  return HD_STATUS_OK;
}

/* Where the constants file of |artifact| is: as the caller says, else from the folder of the artifact's |path|. */
static hd_status constants_path(hd_arena *arena, const hd_artifact *artifact, const char *path, const char *given,
                                const char **out) {
  const char *named = artifact->constants_file, *slash = path ? strrchr(path, '/') : NULL;
  *out = hd_arena_copy(arena, given ? given : named, strlen(given ? given : named));
  if (given || *named == '/') return HD_STATUS_OK;
  if (!path)
    return hd_make_status(HD_FAILED_PRECONDITION,
                          "the constants are in the file '%s' beside the artifact, which is not loaded from a file: "
                          "say where it is (hd_load_options.constants)",
                          named);
  if (slash) *out = hd_arena_printf(arena, "%.*s%s", (int)(slash + 1 - path), path, named);
  return HD_STATUS_OK;
}

typedef struct constants_call {
  hd_loaded *loaded;
  const char *path;
  const hd_load_options *options;
} constants_call;

/* Gives each constant of the artifact its slot. */
static hd_status find_constants(void *argument) {
  constants_call *call = argument;
  hd_loaded *loaded = call->loaded;
  const hd_artifact_program *program = loaded->program;
  loaded->constants = hd_new_array(&loaded->arena, hd_constant_slot *, program->constant_count + 1);
  loaded->own_constants = hd_new_array(&loaded->arena, hd_constant_slot, program->constant_count + 1);
  for (uint32_t i = 0; i < program->constant_count; ++i) {
    const hd_artifact_constant *constant = &program->constants[i];
    if (!constant->is_external) { /* hd_artifact_read has compared it with its hash */
      loaded->constants[i] = &loaded->own_constants[i];
      loaded->constants[i]->constant = constant;
      atomic_store(&loaded->constants[i]->is_good, true);
      continue;
    }
    if (!loaded->constants_path) {
      HD_TRY(constants_path(&loaded->arena, &loaded->artifact, call->path, call->options->constants,
                            &loaded->constants_path));
      HD_TRY_MSG(hd_constants_open(&loaded->runtime->constants, loaded->constants_path, &loaded->constants_file),
                 "constants");
    }
    HD_TRY_MSG(hd_constants_find(loaded->constants_file, constant, &loaded->constants[i]), "constants: %s",
               loaded->constants_path);
  }
  return HD_STATUS_OK;
}

hd_status hd_loaded_constant(hd_loaded *loaded, uint32_t index, hd_constant_slot **out_slot) {
  *out_slot = loaded->constants[index];
  if (loaded->trust_constants) return HD_STATUS_OK;
  HD_TRY_MSG(hd_constant_check(*out_slot), "constants: %s", loaded->constants_path);
  return HD_STATUS_OK;
}

hd_status hd_loaded_constant_data(hd_loaded *loaded, uint32_t index, void **out_data) {
  hd_constant_slot *slot;
  HD_TRY(hd_loaded_constant(loaded, index, &slot));
  *out_data = (void *)slot->constant->data;
  if (!loaded->guarded) return HD_STATUS_OK;
  hd_runtime *runtime = loaded->runtime;
  size_t size = loaded->program->constants[index].size;
  hd_status status = HD_STATUS_OK;
  pthread_mutex_lock(&runtime->constants.upload);
  void *copy = loaded->guarded[index];
  if (!copy) {
    status = hd_bounds_take(runtime->bounds, size, &copy);
    if (hd_is_ok(status) && size) memcpy(copy, *out_data, size);
    loaded->guarded[index] = copy; /* others look for it without the lock */
  }
  *out_data = copy;
  pthread_mutex_unlock(&runtime->constants.upload);
  return status;
}

/* Takes |bytes|, also on failure. |path| is the artifact's, null when it is not from a file. */
static hd_status load_artifact(hd_runtime *runtime, void *bytes, size_t size, const char *path,
                               const hd_load_options *options, hd_loaded **out) {
  bool is_mapped = path != NULL;
  *out = NULL;
  hd_loaded *loaded = calloc(1, sizeof *loaded);
  if (!loaded) {
    if (is_mapped)
      munmap(bytes, size);
    else
      free(bytes);
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  atomic_store(&loaded->references, 1);
  loaded->runtime = hd_runtime_retain(runtime);
  loaded->bytes = bytes;
  loaded->size = size;
  loaded->is_mapped = is_mapped;
  hd_arena_init(&loaded->arena, NULL);
  loaded->trust_constants = options->trust_constants;
  hd_status status = hd_artifact_read(bytes, size, !options->trust_constants, &loaded->arena, &loaded->artifact);
  if (hd_is_ok(status)) status = hd_loaded_choose(loaded);
  constants_call constants = {loaded, path, options};
  if (hd_is_ok(status)) status = hd_guarded_call(find_constants, &constants);
  if (hd_is_ok(status) && runtime->bounds && loaded->program->constant_count) {
    loaded->guarded = calloc(loaded->program->constant_count, sizeof *loaded->guarded);
    if (!loaded->guarded) status = hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  }
  if (hd_is_ok(status)) status = hd_guarded_call(prepare, loaded);
  if (!hd_is_ok(status)) {
    loaded_release(loaded);
    return status;
  }
  *out = loaded;
  return HD_STATUS_OK;
}

/* ---- the executable -------------------------------------------------------------------------------------------- */

static hd_status find_entry(const hd_artifact_program *program, const char *name, const hd_artifact_entry **out) {
  char known[256] = "";
  for (uint32_t i = 0; i < program->entry_count; ++i) {
    const hd_artifact_entry *entry = &program->entries[i];
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s'%s'", used ? ", " : "", entry->name);
    if (strcmp(entry->name, name ? name : "main")) continue;
    *out = entry;
    return HD_STATUS_OK;
  }
  *out = program->entries;
  if (!name && program->entry_count == 1) return HD_STATUS_OK;
  return hd_make_status(HD_NOT_FOUND, "no entry '%s'; there are: %s", name ? name : "main", known);
}

/* Dims and their texts, in the form that the public questions lend. */
static void describe(hd_arena *arena, const hd_artifact_tensor *tensors, uint32_t count, int64_t ***dims,
                     const char ****texts) {
  *dims = hd_new_array(arena, int64_t *, count + 1);
  *texts = hd_new_array(arena, const char **, count + 1);
  for (uint32_t i = 0; i < count; ++i) {
    (*dims)[i] = hd_new_array(arena, int64_t, tensors[i].rank + 1);
    (*texts)[i] = hd_new_array(arena, const char *, tensors[i].rank + 1);
    for (uint32_t d = 0; d < tensors[i].rank; ++d) {
      const hd_artifact_dim *dim = &tensors[i].dims[d];
      bool constant = dim->program.len == 2 && dim->program.words[0] == HD_DIM_CONST;
      (*dims)[i][d] = constant ? dim->program.words[1] : HD_DIM_UNKNOWN;
      (*texts)[i][d] = dim->text;
    }
  }
}

static hd_status describe_entry(void *argument) {
  hd_executable *e = argument;
  describe(&e->arena, e->entry->inputs, e->entry->input_count, &e->input_dims, &e->input_texts);
  describe(&e->arena, e->entry->outputs, e->entry->output_count, &e->output_dims, &e->output_texts);
  e->bound = hd_new_array(&e->arena, hd_buffer *, e->entry->input_count + 1);
  return HD_STATUS_OK;
}

/* Takes a reference of |loaded|, also on failure. */
static hd_status make_executable(hd_loaded *loaded, const char *name, hd_executable **out) {
  *out = NULL;
  const hd_artifact_entry *entry;
  hd_status status = find_entry(loaded->program, name, &entry);
  hd_executable *executable = hd_is_ok(status) ? calloc(1, sizeof *executable) : NULL;
  if (!executable) {
    loaded_release(loaded);
    return hd_is_ok(status) ? hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory") : status;
  }
  atomic_store(&executable->references, 1);
  executable->loaded = loaded;
  executable->entry = entry;
  executable->run = (hd_entry_fn)(uintptr_t)hd_code_symbol(loaded->code, entry->symbol);
  /* Programs of frameworks all start with main: their modules tell them apart. */
  const char *module = hd_executable_module(executable);
  executable->trace_name = hd_trace_intern(loaded->runtime->trace, *module ? module : entry->name);
  hd_arena_init(&executable->arena, NULL);
  pthread_rwlock_init(&executable->lock, NULL);
  hd_fork_mutex_init(&executable->packing, HD_FORK_OUTER);
  status = executable->run
               ? hd_guarded_call(describe_entry, executable)
               : hd_make_status(HD_FAILED_PRECONDITION, "entry '%s': symbol '%s' is not defined in the artifact",
                                entry->name, entry->symbol);
  if (!hd_is_ok(status)) {
    hd_executable_release(executable);
    return status;
  }
  *out = executable;
  return HD_STATUS_OK;
}

hd_status hd_executable_load(hd_runtime *runtime, const void *data, size_t size, const hd_load_options *given,
                             hd_executable **out_executable) {
  HD_REQUIRE(out_executable);
  *out_executable = NULL;
  HD_REQUIRE(runtime);
  if (size) HD_REQUIRE(data);
  hd_load_options options;
  HD_TRY(hd_options_read("hd_load_options", given, &options, sizeof options));
  void *copy = size < SIZE_MAX - 64 ? aligned_alloc(64, (size + 64) / 64 * 64) : NULL;
  if (!copy) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory for an artifact of %zu bytes", size);
  if (size) memcpy(copy, data, size);
  hd_loaded *loaded;
  HD_TRY(load_artifact(runtime, copy, size, NULL, &options, &loaded));
  return make_executable(loaded, options.entry, out_executable);
}

hd_status hd_executable_load_file(hd_runtime *runtime, const char *path, const hd_load_options *given,
                                  hd_executable **out_executable) {
  HD_REQUIRE(out_executable);
  *out_executable = NULL;
  HD_REQUIRE(runtime);
  HD_REQUIRE(path);
  hd_load_options options;
  HD_TRY(hd_options_read("hd_load_options", given, &options, sizeof options));
  void *data;
  size_t size;
  HD_TRY(hd_map_file(path, "an artifact", &data, &size, NULL));
  hd_loaded *loaded;
  HD_TRY_MSG(load_artifact(runtime, data, size, path, &options, &loaded), "%s", path);
  HD_TRY_MSG(make_executable(loaded, options.entry, out_executable), "%s", path);
  return HD_STATUS_OK;
}

hd_status hd_executable_other_entry(hd_executable *executable, const char *entry, hd_executable **out_executable) {
  HD_REQUIRE(out_executable);
  *out_executable = NULL;
  HD_REQUIRE(executable);
  atomic_fetch_add_explicit(&executable->loaded->references, 1, memory_order_relaxed);
  return make_executable(executable->loaded, entry, out_executable);
}

hd_executable *hd_executable_retain(hd_executable *executable) {
  if (executable) atomic_fetch_add_explicit(&executable->references, 1, memory_order_relaxed);
  return executable;
}

void hd_executable_release(hd_executable *executable) {
  if (!executable || atomic_fetch_sub_explicit(&executable->references, 1, memory_order_acq_rel) != 1) return;
  hd_packed_forget(executable, NULL);
  for (uint32_t i = 0; executable->bound && i < executable->entry->input_count; ++i)
    hd_buffer_release(executable->bound[i]);
  hd_fork_mutex_destroy(&executable->packing);
  pthread_rwlock_destroy(&executable->lock);
  hd_arena_free(&executable->arena);
  loaded_release(executable->loaded);
  free(executable);
}

/* |buffer|, or where a device reads its own memory alone a copy in it; a reference of the caller's. */
static hd_status bindable(hd_runtime *runtime, hd_buffer *buffer, hd_buffer **out) {
  *out = NULL;
  bool device = runtime->driver->vtable->caps & HD_DRIVER_IMAGES;
  if (!buffer || !device || hd_buffer_is_of_driver(buffer, runtime)) {
    *out = hd_buffer_retain(buffer);
    return HD_STATUS_OK;
  }
  HD_TRY(hd_buffer_create(runtime, buffer->type, buffer->rank, buffer->dims, out));
  hd_status status = hd_buffer_copy_dense(*out, buffer, NULL);
  if (hd_is_ok(status)) return status;
  hd_buffer_release(*out);
  *out = NULL;
  return status;
}

hd_status hd_executable_bind(hd_executable *executable, int32_t i, hd_buffer *buffer) {
  HD_REQUIRE(executable);
  const hd_artifact_entry *entry = executable->entry;
  if (i < 0 || (uint32_t)i >= entry->input_count)
    return hd_make_status(HD_OUT_OF_RANGE, "argument %d, expected below %u", i, entry->input_count);
  const hd_artifact_tensor *input = &entry->inputs[i];
  if (buffer && (buffer->type != input->type || (uint32_t)buffer->rank != input->rank))
    return hd_make_status(HD_INVALID_ARGUMENT, "argument %d: expected %s of rank %u, got %s of rank %d", i,
                          hd_element_text(input->type), input->rank, hd_element_text(buffer->type), buffer->rank);
  if (buffer && !hd_buffer_is_dense(buffer))
    return hd_make_status(HD_INVALID_ARGUMENT, "argument %d: a bound buffer must be dense", i);
  for (uint32_t d = 0; buffer && d < input->rank; ++d)
    if (executable->input_dims[i][d] != HD_DIM_UNKNOWN && executable->input_dims[i][d] != buffer->dims[d])
      return hd_make_status(HD_INVALID_ARGUMENT, "argument %d: dim %u is %lld, expected %lld", i, d,
                            (long long)buffer->dims[d], (long long)executable->input_dims[i][d]);
  hd_buffer *bound;
  HD_TRY_MSG(bindable(executable->loaded->runtime, buffer, &bound), "argument %d", i);
  if (pthread_rwlock_trywrlock(&executable->lock)) {
    hd_buffer_release(bound);
    return hd_make_status(HD_FAILED_PRECONDITION, "argument %d cannot be bound while an execution runs", i);
  }
  hd_buffer *old = executable->bound[i];
  if (old) hd_packed_forget(executable, old);
  executable->bound[i] = bound;
  executable->bound_count += (buffer != NULL) - (old != NULL);
  pthread_rwlock_unlock(&executable->lock);
  hd_buffer_release(old);
  return HD_STATUS_OK;
}

/* ---- questions ------------------------------------------------------------------------------------------------- */

static bool in_range(int32_t i, uint32_t count) { return i >= 0 && (uint32_t)i < count; }

const char *hd_executable_name(const hd_executable *e) { return e ? e->entry->name : NULL; }
const char *hd_executable_metadata(const hd_executable *e) { return e ? e->loaded->artifact.metadata : NULL; }
const char *hd_executable_module(const hd_executable *e) { return e ? e->loaded->artifact.module : NULL; }
const char *hd_executable_driver(const hd_executable *e) { return e ? e->loaded->runtime->driver->vtable->name : NULL; }
const char *hd_executable_target(const hd_executable *e) { return e ? e->loaded->variant->target : NULL; }
int32_t hd_executable_entry_count(const hd_executable *e) { return e ? (int32_t)e->loaded->program->entry_count : 0; }
const char *hd_executable_entry_name(const hd_executable *e, int32_t i) {
  return e && in_range(i, e->loaded->program->entry_count) ? e->loaded->program->entries[i].name : NULL;
}
int32_t hd_executable_input_count(const hd_executable *e) { return e ? (int32_t)e->entry->input_count : 0; }
int32_t hd_executable_output_count(const hd_executable *e) { return e ? (int32_t)e->entry->output_count : 0; }

static hd_tensor_info info_of(const hd_artifact_tensor *t, const int64_t *dims, const char *const *texts) {
  return (hd_tensor_info){t->name, t->type, (int32_t)t->rank, dims, texts, t->alias};
}
hd_tensor_info hd_executable_input(const hd_executable *e, int32_t i) {
  if (!e || !in_range(i, e->entry->input_count)) return (hd_tensor_info){0};
  return info_of(&e->entry->inputs[i], e->input_dims[i], e->input_texts[i]);
}
hd_tensor_info hd_executable_output(const hd_executable *e, int32_t i) {
  if (!e || !in_range(i, e->entry->output_count)) return (hd_tensor_info){0};
  return info_of(&e->entry->outputs[i], e->output_dims[i], e->output_texts[i]);
}

int32_t hd_executable_symbol_count(const hd_executable *e) { return e ? (int32_t)e->entry->symbol_count : 0; }
const char *hd_executable_symbol_name(const hd_executable *e, int32_t i) {
  return e && in_range(i, e->entry->symbol_count) ? e->entry->symbols[i].name : NULL;
}
/* Those of the CPU, then those of the image. */
int32_t hd_executable_kernel_count(const hd_executable *e) {
  return e ? (int32_t)(e->loaded->program->kernel_count + e->loaded->device_kernel_count) : 0;
}
static const hd_artifact_device_kernel *device_kernel(const hd_executable *e, int32_t i) {
  return e->loaded->device_kernels[i - (int32_t)e->loaded->program->kernel_count].row;
}
const char *hd_executable_kernel_name(const hd_executable *e, int32_t i) {
  if (!e || !in_range(i, (uint32_t)hd_executable_kernel_count(e))) return NULL;
  bool host = in_range(i, e->loaded->program->kernel_count);
  return host ? e->loaded->program->kernels[i].name : device_kernel(e, i)->name;
}
const char *hd_executable_kernel_source(const hd_executable *e, int32_t i) {
  if (!e || !in_range(i, (uint32_t)hd_executable_kernel_count(e))) return NULL;
  bool host = in_range(i, e->loaded->program->kernel_count);
  return host ? e->loaded->program->kernels[i].source : device_kernel(e, i)->source;
}
/* The row of the same kernel whose registers an assembler reported; |row| itself where there is none. */
static const hd_artifact_device_kernel *assembled(const hd_artifact_program *a, const hd_artifact_device_kernel *row) {
  if (row->registers != HD_NOT_KNOWN) return row;
  for (uint32_t i = 0; i < a->device_kernel_count; ++i)
    if (a->device_kernels[i].registers != HD_NOT_KNOWN && !strcmp(a->device_kernels[i].name, row->name))
      return &a->device_kernels[i];
  return row;
}

hd_status hd_executable_kernel_report(const hd_executable *e, int32_t i, hd_kernel_report *out_report) {
  HD_REQUIRE(e);
  HD_REQUIRE(out_report);
  *out_report = (hd_kernel_report){0};
  if (!in_range(i, (uint32_t)hd_executable_kernel_count(e)) || in_range(i, e->loaded->program->kernel_count))
    return hd_make_status(HD_INVALID_ARGUMENT, "kernel %d, expected one of the device: %u to below %d", i,
                          e->loaded->program->kernel_count, hd_executable_kernel_count(e));
  const hd_device_kernel *kernel = &e->loaded->device_kernels[i - (int32_t)e->loaded->program->kernel_count];
  const hd_artifact_device_kernel *row = kernel->row, *told = assembled(e->loaded->program, row);
  *out_report = (hd_kernel_report){.name = row->name,
                                   .source = row->source,
                                   .block = {row->block[0], row->block[1], row->block[2]},
                                   .shared_static = row->shared_static,
                                   .shared_dynamic = row->shared_dynamic,
                                   .registers = told->registers,
                                   .spill_bytes = told->spill_bytes,
                                   .launches = kernel->launches,
                                   .counters = kernel->counters};
  return HD_STATUS_OK;
}

int32_t hd_executable_call_count(const hd_executable *e) { return e ? (int32_t)e->loaded->program->ral_name_count : 0; }
const char *hd_executable_call_name(const hd_executable *e, int32_t i) {
  return e && in_range(i, e->loaded->program->ral_name_count) ? e->loaded->program->ral_names[i] : NULL;
}
