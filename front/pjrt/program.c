/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: compiling through the cache, loading, serialising, and what is known of one from the start. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../cli/compiler.h"
#include "base/hash128.h"
#include "plugin.h"

static char *copy_bytes(const void *data, size_t size) {
  char *copy = malloc(size + 1);
  if (!copy) return NULL;
  if (size) memcpy(copy, data, size);
  copy[size] = 0;
  return copy;
}

hd_pjrt_program *hd_pjrt_program_retain(hd_pjrt_program *program) {
  atomic_fetch_add_explicit(&program->references, 1, memory_order_relaxed);
  return program;
}

void hd_pjrt_program_release(hd_pjrt_program *program) {
  if (!program || atomic_fetch_sub_explicit(&program->references, 1, memory_order_acq_rel) != 1) return;
  hd_executable_release(program->executable);
  hd_pjrt_layouts_free(program->layouts);
  free(program->artifact);
  free(program->source);
  free(program->options);
  free(program->parsed.device_ids);
  free(program->name);
  free(program->output_types);
  free(program->output_dims);
  free(program->output_ranks);
  free(program->donatable);
  free(program->memory_kinds);
  free(program->memory_kind_sizes);
  free(program->properties);
  free(program->devices);
  PJRT_Client *client = program->client;
  free(program);
  hd_pjrt_client_release(client);
}

/* ---- what is known of a program ---------------------------------------------------------------------------------- */

static int64_t bytes_of(const hd_tensor_info *info) {
  int64_t bytes = (int64_t)hd_element_bytes(info->type);
  for (int32_t i = 0; i < info->rank; ++i)
    if (info->dims[i] == HD_DIM_UNKNOWN || __builtin_mul_overflow(bytes, info->dims[i], &bytes)) return 0;
  return bytes;
}

static hd_status assign_devices(hd_pjrt_program *program) {
  const hd_pjrt_options *options = &program->parsed;
  program->device_count = (size_t)(options->replicas * options->partitions);
  program->devices = calloc(program->device_count, sizeof *program->devices);
  if (!program->devices) return hd_pjrt_out_of_memory();
  for (size_t i = 0; i < program->device_count; ++i) {
    int64_t id = options->device_ids                                          ? options->device_ids[i]
                 : program->device_count == 1 && options->device_ordinal >= 0 ? options->device_ordinal
                                                                              : (int64_t)i;
    program->devices[i] = hd_pjrt_device(program->client, id);
    if (!program->devices[i])
      return hd_make_status(HD_INVALID_ARGUMENT, "the program is for device %lld; there are %d", (long long)id,
                            program->client->device_count);
  }
  return HD_STATUS_OK;
}

static hd_status describe_outputs(hd_pjrt_program *program) {
  hd_executable *e = program->executable;
  size_t count = (size_t)program->output_count, dims = 0;
  for (int32_t i = 0; i < program->output_count; ++i) dims += (size_t)hd_executable_output(e, i).rank;
  program->output_types = calloc(count + 1, sizeof *program->output_types);
  program->output_ranks = calloc(count + 1, sizeof *program->output_ranks);
  program->output_dims = calloc(dims + 1, sizeof *program->output_dims);
  program->memory_kinds = calloc(count + 1, sizeof *program->memory_kinds);
  program->memory_kind_sizes = calloc(count + 1, sizeof *program->memory_kind_sizes);
  program->donatable = calloc((size_t)program->input_count + 1, sizeof *program->donatable);
  if (!program->output_types || !program->output_ranks || !program->output_dims || !program->memory_kinds ||
      !program->memory_kind_sizes || !program->donatable)
    return hd_pjrt_out_of_memory();
  dims = 0;
  for (int32_t i = 0; i < program->output_count; ++i) {
    hd_tensor_info info = hd_executable_output(e, i);
    program->output_types[i] = hd_pjrt_buffer_type(info.type);
    if (program->output_types[i] == PJRT_Buffer_Type_INVALID)
      return hd_make_status(HD_UNIMPLEMENTED, "output %d: element type %s has no counterpart in the PJRT C API", i,
                            hd_element_text(info.type));
    program->output_ranks[i] = (size_t)info.rank;
    for (int32_t d = 0; d < info.rank; ++d) {
      program->output_dims[dims++] = info.dims[d];
      program->dynamic |= info.dims[d] == HD_DIM_UNKNOWN;
    }
    program->memory_kinds[i] = program->client->devices[0].memories[0].kind;
    program->memory_kind_sizes[i] = strlen(program->memory_kinds[i]);
    program->output_bytes += bytes_of(&info);
    if (info.alias >= 0) {
      program->donatable[info.alias] = true;
      program->alias_bytes += bytes_of(&info);
    }
  }
  return hd_pjrt_layouts_make(program->output_ranks, program->output_count, &program->layouts);
}

static hd_status describe(hd_pjrt_program *program) {
  hd_executable *e = program->executable;
  program->input_count = hd_executable_input_count(e);
  program->output_count = hd_executable_output_count(e);
  for (int32_t i = 0; i < program->input_count; ++i) {
    hd_tensor_info info = hd_executable_input(e, i);
    program->input_bytes += bytes_of(&info);
  }
  const char *name = hd_executable_module(e);
  if (!(program->name = copy_bytes(name, strlen(name)))) return hd_pjrt_out_of_memory();
  HD_TRY(describe_outputs(program));
  HD_TRY(assign_devices(program));
  program->properties = calloc(2, sizeof *program->properties);
  if (!program->properties) return hd_pjrt_out_of_memory();
  static const char accessed[] = "bytes accessed", kernels[] = "kernels";
  program->properties[0] = (PJRT_NamedValue){.struct_size = HD_PJRT_SIZE_OF(PJRT_NamedValue, value_size),
                                             .name = accessed,
                                             .name_size = sizeof accessed - 1,
                                             .type = PJRT_NamedValue_kFloat,
                                             .float_value = (float)(program->input_bytes + program->output_bytes),
                                             .value_size = 1};
  program->properties[1] = program->properties[0];
  program->properties[1].name = kernels;
  program->properties[1].name_size = sizeof kernels - 1;
  program->properties[1].float_value = (float)hd_executable_kernel_count(e);
  program->property_count = 2;
  return HD_STATUS_OK;
}

static hd_status create(PJRT_Client *client, const char *options, size_t options_size, hd_pjrt_program **out) {
  hd_pjrt_program *program = *out = calloc(1, sizeof *program);
  if (!program) return hd_pjrt_out_of_memory();
  atomic_store_explicit(&program->references, 1, memory_order_relaxed);
  program->client = hd_pjrt_client_retain(client);
  program->options_size = options_size;
  if (!(program->options = copy_bytes(options, options_size))) return hd_pjrt_out_of_memory();
  return hd_pjrt_options_read(options, options_size, &program->parsed);
}

/* ---- compiling --------------------------------------------------------------------------------------------------- */

/* The compiler's library and its identity, found once. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

static hd_status open_compiler(const hd_compiler **out) {
  pthread_mutex_lock(&opening);
  hd_status status = hd_compiler_open(out);
  pthread_mutex_unlock(&opening);
  return status;
}

static hd_hash128 key_of(const PJRT_Program *given) {
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add_string(&state, "pjrt");
  pthread_mutex_lock(&opening);
  hd_hash128_add_string(&state, hd_compiler_identity());
  pthread_mutex_unlock(&opening);
  uint64_t features = hd_cpu_features();
  hd_hash128_add(&state, &features, sizeof features);
  hd_hash128_add(&state, given->code, given->code_size);
  return hd_hash128_finish(&state);
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static hd_status take_artifact(hd_pjrt_program *program, const void *data, size_t size) {
  program->artifact_size = size;
  if (!(program->artifact = copy_bytes(data, size))) return hd_pjrt_out_of_memory();
  return hd_executable_load(program->client->runtime, data, size, NULL, &program->executable);
}

static bool load_cached(hd_pjrt_program *program, const hd_hash128 *key) {
  const void *data;
  size_t size;
  if (!program->client->cache) return false;
  hd_status status = hd_cache_get(program->client->cache, key->bytes, &data, &size);
  if (hd_is_ok(status)) {
    status = take_artifact(program, data, size);
    hd_cache_unmap(data, size);
  }
  bool loaded = hd_is_ok(status);
  hd_status_free(status);
  if (!loaded) {
    free(program->artifact);
    program->artifact = NULL;
  }
  return loaded;
}

static hd_status compile_now(hd_pjrt_program *program, const PJRT_Program *given, const hd_hash128 *key) {
  const hd_compiler *compiler;
  hd_compile_options options = HD_COMPILE_OPTIONS_INIT;
  hd_blob artifact;
  HD_TRY(open_compiler(&compiler));
  options.cache_dir = program->client->cache_path;
  hd_message_sink no_sink = {0};
  HD_TRY(compiler->hd_compile(given->code, given->code_size, "program", &options, no_sink, &artifact));
  hd_status status = take_artifact(program, artifact.data, artifact.size);
  if (hd_is_ok(status) && program->client->cache)
    hd_status_ignore(hd_cache_put(program->client->cache, key->bytes, artifact.data, artifact.size));
  compiler->hd_blob_free(&artifact);
  return status;
}

static hd_status compile(hd_pjrt_program *program, const PJRT_Program *given) {
  if (given->format_size != 4 || memcmp(given->format, "mlir", 4))
    return hd_make_status(HD_UNIMPLEMENTED, "program format '%.*s', expected 'mlir'", (int)given->format_size,
                          given->format);
  if (program->parsed.replicas * program->parsed.partitions > 1)
    return hd_make_status(HD_UNIMPLEMENTED, "a program of %lld replicas and %lld partitions; expected one of each",
                          (long long)program->parsed.replicas, (long long)program->parsed.partitions);
  double start = now_ms();
  hd_hash128 key = key_of(given);
  hd_hash128_hex(&key, program->fingerprint);
  bool cached = load_cached(program, &key);
  if (!cached) HD_TRY(compile_now(program, given, &key));
  program->source_size = given->code_size;
  if (!(program->source = copy_bytes(given->code, given->code_size))) return hd_pjrt_out_of_memory();
  HD_TRY(describe(program));
  if (program->client->log)
    fprintf(stderr, "heddle: %s: %s in %.1f ms, %d kernels\n", program->name, cached ? "from the cache" : "compiled",
            now_ms() - start, hd_executable_kernel_count(program->executable));
  return HD_STATUS_OK;
}

hd_status hd_pjrt_program_compile(PJRT_Client *client, const PJRT_Program *given, const char *options,
                                  size_t options_size, hd_pjrt_program **out) {
  hd_status status = create(client, options, options_size, out);
  if (hd_is_ok(status)) status = compile(*out, given);
  if (hd_is_ok(status)) return status;
  hd_pjrt_program_release(*out);
  *out = NULL;
  return status;
}

/* ---- serialising ------------------------------------------------------------------------------------------------- */

/* A head, then the bytes of options, source and artifact. */
typedef struct head {
  char magic[8];
  char fingerprint[40];
  uint64_t options_size, source_size, artifact_size;
} head;

static const char magic[8] = "HDPJRT\1";

hd_status hd_pjrt_program_serialise(const hd_pjrt_program *program, PJRT_Bytes **out) {
  head h = {.options_size = program->options_size,
            .source_size = program->source_size,
            .artifact_size = program->artifact_size};
  memcpy(h.magic, magic, sizeof magic);
  memcpy(h.fingerprint, program->fingerprint, sizeof program->fingerprint);
  *out = hd_pjrt_bytes(NULL, sizeof h + h.options_size + h.source_size + h.artifact_size);
  if (!*out) return hd_pjrt_out_of_memory();
  char *at = (*out)->data;
  memcpy(at, &h, sizeof h), at += sizeof h;
  memcpy(at, program->options, h.options_size), at += h.options_size;
  if (h.source_size) memcpy(at, program->source, h.source_size), at += h.source_size;
  memcpy(at, program->artifact, h.artifact_size);
  return HD_STATUS_OK;
}

static hd_status load(hd_pjrt_program *program, const head *h, const char *rest) {
  memcpy(program->fingerprint, h->fingerprint, sizeof program->fingerprint);
  program->fingerprint[sizeof program->fingerprint - 1] = 0;
  rest += h->options_size;
  program->source_size = h->source_size;
  if (!(program->source = copy_bytes(rest, h->source_size))) return hd_pjrt_out_of_memory();
  HD_TRY(take_artifact(program, rest + h->source_size, h->artifact_size));
  return describe(program);
}

hd_status hd_pjrt_program_load(PJRT_Client *client, const char *bytes, size_t size, const char *options,
                               size_t options_size, hd_pjrt_program **out) {
  *out = NULL;
  head h;
  if (size < sizeof h || memcmp(bytes, magic, sizeof magic))
    return hd_make_status(HD_INVALID_ARGUMENT, "no executable that the heddle plugin serialised");
  memcpy(&h, bytes, sizeof h);
  size_t left = size - sizeof h;
  if (h.options_size > left || h.source_size > left - h.options_size ||
      h.artifact_size != left - h.options_size - h.source_size)
    return hd_make_status(HD_DATA_LOSS, "the serialised executable has %zu bytes, its head says another number", size);
  const char *rest = bytes + sizeof h;
  bool overridden = options && options_size;
  hd_status status = create(client, overridden ? options : rest, overridden ? options_size : h.options_size, out);
  if (hd_is_ok(status)) status = load(*out, &h, rest);
  if (hd_is_ok(status)) return status;
  hd_pjrt_program_release(*out);
  *out = NULL;
  return status;
}
