/* SPDX-License-Identifier: Apache-2.0 */
#include "program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash128.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "crash.h"
#include "driver/targets.h"
#include "heddle/cache.h"
#include "watchdog.h"

/* 0-11,14 */
static hd_status parse_ranges(hd_arena *arena, const char *text, const hd_arg_range **out, size_t *count) {
  hd_vec(hd_arg_range) ranges = {0};
  for (const char *at = text; *at;) {
    char *end;
    unsigned long first = strtoul(at, &end, 10), last = first;
    bool good = end != at && *at >= '0' && *at <= '9';
    if (good && *end == '-') {
      at = end + 1;
      last = strtoul(at, &end, 10);
      good = end != at && *at >= '0' && *at <= '9';
    }
    if (!good || first > last || last > 100000 || (*end && *end != ','))
      return hd_make_status(HD_INVALID_ARGUMENT, "--constant-args: expected such as 0-11,14, got '%s'", text);
    hd_vec_push(arena, &ranges, (hd_arg_range){(uint32_t)first, (uint32_t)last});
    at = *end ? end + 1 : end;
  }
  *out = ranges.data;
  *count = ranges.len;
  return HD_STATUS_OK;
}

/* 4 or 4,2 or 4,2,1 */
static hd_status parse_grid(const char *text, int64_t out[3]) {
  const char *at = text;
  for (int i = 0; i < 3; ++i) {
    char *end;
    if (*at < '0' || *at > '9') break;
    long long value = strtoll(at, &end, 10);
    if (value < 1 || value > INT32_MAX) break;
    out[i] = value;
    if (!*end) return HD_STATUS_OK;
    if (*end != ',') break;
    at = end + 1;
  }
  return hd_make_status(HD_INVALID_ARGUMENT, "--grid: expected such as 4 or 4,2,1, got '%s'", text);
}

hd_status hd_cli_constant_args(hd_arena *arena, const hd_cli_options *options, int32_t count, bool **out) {
  const hd_arg_range *ranges = NULL;
  size_t len = 0;
  *out = hd_new_array(arena, bool, count + 1);
  if (options->constant_args) HD_TRY(parse_ranges(arena, options->constant_args, &ranges, &len));
  for (size_t i = 0; i < len; ++i) {
    if (ranges[i].last >= (uint32_t)count)
      return hd_make_status(HD_INVALID_ARGUMENT, "--constant-args: the program has %d arguments, got %u", count,
                            ranges[i].last);
    for (uint32_t k = ranges[i].first; k <= ranges[i].last; ++k) (*out)[k] = true;
  }
  return HD_STATUS_OK;
}

const char *hd_cli_cache_directory(hd_arena *arena, const hd_cli_options *options) {
  char path[4096];
  if (options->no_cache || options->dump_to) return NULL;
  if (!hd_cache_directory(getenv("HEDDLE_CACHE_DIR"), getenv("XDG_CACHE_HOME"), getenv("HOME"), path, sizeof path))
    return NULL;
  return hd_arena_copy(arena, path, strlen(path));
}

/* What the named CPUs have, for the libraries of the runtime too; 0, all that this one has, when none is named. */
static hd_status cpu_features(const hd_cli_options *options, uint64_t *out) {
  *out = 0;
  for (size_t i = 0; i < options->mcpu.len; ++i) {
    uint64_t features;
    HD_TRY_MSG(hd_cpu_level_features(options->mcpu.data[i], &features), "--mcpu");
    *out |= features;
  }
  return HD_STATUS_OK;
}

hd_status hd_cli_option_status(const hd_cli_options *options, hd_status status) {
  static const char *const fields[][2] = {{"entry: ", "--entry: "},
                                          {"target: ", "--target: "},
                                          {"mcpu: ", "--mcpu: "},
                                          {"constant_args: ", "--constant-args: "},
                                          {"math: ", "--math: "},
                                          {"then: ", "--then: "},
                                          {"thread: ", "--thread: "},
                                          {"element bits: ", "--element-bits: "},
                                          {"pass_options: ", "--pass-options: "},
                                          {"pass_pipeline: ", "--pass-pipeline: "}};
  const char *message = hd_status_message(status);
  for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i) {
    size_t n = strlen(fields[i][0]);
    if (strncmp(message, fields[i][0], n) != 0) continue;
    hd_status told = hd_make_status(hd_status_code_of(status), "%s%s", fields[i][1], message + n);
    hd_status_free(status);
    return told;
  }
  /* An artifact knows its entries alone. */
  return options->entry && hd_status_code_of(status) == HD_NOT_FOUND ? hd_status_annotate(status, "--entry") : status;
}

hd_status hd_cli_compile_options(hd_arena *arena, const hd_cli_options *options, hd_compile_options *out) {
  uint64_t features;
  *out = (hd_compile_options)HD_COMPILE_OPTIONS_INIT;
  HD_TRY(cpu_features(options, &features));
  out->target = options->target;
  out->entry = options->entry;
  out->mcpu = options->mcpu.data;
  out->mcpu_count = options->mcpu.len;
  if (options->constant_args)
    HD_TRY(parse_ranges(arena, options->constant_args, &out->constant_args, &out->constant_arg_count));
  out->numerics =
      (hd_numerics){options->no_contract, options->no_excess_precision, options->tf32, options->deterministic};
  out->threads = (int)options->threads;
  out->memory_limit = options->memory_limit;
  out->timeout_s = options->timeout;
  out->cache_dir = hd_cli_cache_directory(arena, options);
  out->dump_to = options->dump_to;
  out->pass_pipeline = options->pass_pipeline;
  out->pass_options = options->pass_options;
  out->no_graph_passes = options->no_graph_passes;
  out->library_products = options->library_products;
  out->custom_calls_later = options->custom_calls_later;
  out->ptxas = options->ptxas;
  out->math = options->math;
  out->excess_precision = options->excess_precision;
  out->platform_index = (int32_t)options->platform_index;
  return options->grid ? parse_grid(options->grid, out->grid) : HD_STATUS_OK;
}

/* How an artifact is loaded. */
typedef struct loading {
  hd_runtime_options runtime;
  hd_load_options load;
} loading;

/* Everything that the artifact depends on. */
static hd_hash128 cache_key(const hd_cli_options *options, const hd_blob *program) {
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add_string(&state, "module");
  hd_hash128_add_string(&state, hd_compiler_identity());
  const char *texts[] = {options->target, options->entry, options->constant_args, options->pass_pipeline,
                         options->ptxas,  options->math,  options->pass_options};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) hd_hash128_add_string(&state, texts[i] ? texts[i] : "");
  for (size_t i = 0; i < options->mcpu.len; ++i) hd_hash128_add_string(&state, options->mcpu.data[i]);
  uint8_t flags[] = {options->no_contract,   options->no_excess_precision, options->tf32,
                     options->deterministic, options->no_graph_passes,     options->library_products};
  uint64_t features = hd_cpu_features();
  hd_hash128_add(&state, flags, sizeof flags);
  hd_hash128_add(&state, &options->platform_index, sizeof options->platform_index);
  hd_hash128_add(&state, &features, sizeof features);
  hd_hash128_add(&state, program->data, program->size);
  return hd_hash128_finish(&state);
}

hd_status hd_cli_compile_bytes(const hd_cli_options *options, const hd_blob *bytes, const hd_compile_options *compile,
                               hd_blob *out_artifact) {
  const hd_compiler *compiler;
  HD_TRY(hd_compiler_open(&compiler));
  const char *passes = options->pass_pipeline ? options->pass_pipeline : compiler->hd_target_pipeline(compile->target);
  hd_cli_watch_crashes(bytes, (const char *const[]){passes ? "--pass-pipeline" : NULL, passes, "--target",
                                                    compile->target ? compile->target : hd_default_target(),
                                                    options->no_graph_passes ? "--no-graph-passes" : NULL, NULL});
  hd_cli_watch_phase("compiling");
  hd_status status =
      compiler->hd_compile(bytes->data, bytes->size, options->name, compile, hd_cli_sink(), out_artifact);
  hd_cli_watch_phase(NULL);
  hd_cli_watch_crashes(NULL, NULL);
  return hd_cli_option_status(options, status);
}

/* On the runtime that there is, else on one of the first target of the artifact that this machine has. */
static hd_status load_bytes(const loading *l, hd_cli_program *program, const void *data, size_t size) {
  if (program->runtime) return hd_executable_load(program->runtime, data, size, &l->load, &program->executable);
  return hd_executable_open(&l->runtime, NULL, data, size, &l->load, &program->runtime, &program->executable);
}

static hd_status compile(hd_arena *arena, const hd_cli_options *options, hd_cli_program *program, hd_cache *cache,
                         const hd_hash128 *key, const loading *l) {
  hd_blob *artifact = hd_cli_blob(arena);
  hd_compile_options compile_options;
  HD_TRY(hd_cli_compile_options(arena, options, &compile_options));
  hd_cli_progress("compiling", program->name);
  hd_status status = hd_cli_compile_bytes(options, &program->bytes, &compile_options, artifact);
  hd_cli_progress(NULL, NULL);
  if (!hd_is_ok(status)) return status;
  program->source = HD_CLI_COMPILED;
  status = load_bytes(l, program, artifact->data, artifact->size);
  if (hd_is_ok(status) && cache) hd_status_ignore(hd_cache_put(cache, key->bytes, artifact->data, artifact->size));
  hd_compiler_free(artifact); /* before the run */
  return status;
}

/* A hit loads; a damaged entry is a miss. */
static bool load_cached(hd_cli_program *program, hd_cache *cache, const hd_hash128 *key, const loading *l) {
  const void *data;
  size_t size;
  hd_status status = hd_cache_get(cache, key->bytes, &data, &size);
  if (hd_is_ok(status)) {
    status = load_bytes(l, program, data, size);
    hd_cache_unmap(data, size);
  }
  hd_status_ignore(status);
  return program->executable != NULL;
}

/* By the first bytes, or by the name: an artifact whose magic is damaged is no program. */
static bool is_artifact(const char *name, const void *bytes, size_t size) {
  size_t n = strlen(name);
  return hd_artifact_is(bytes, size) || (n > 4 && !strcmp(name + n - 4, ".hdl"));
}

/* A file whose bytes may be looked at and are there again for the next reader: no pipe. */
static bool is_artifact_file(const char *path) {
  struct stat info;
  char bytes[16];
  if (!strcmp(path, "-") || stat(path, &info) || !S_ISREG(info.st_mode)) return false;
  FILE *file = fopen(path, "rbe");
  if (!file) return false;
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return is_artifact(path, bytes, size);
}

/* A driver of a name that there is not is the command line's fault; one whose device is not here is not. */
static hd_status driver_status(const hd_cli_options *options, hd_status status) {
  const char *message = hd_status_message(status);
  bool names = !strncmp(message, "no driver '", 11) || !strncmp(message, "driver '", 8);
  return options->driver && names ? hd_status_annotate(status, "--driver") : status;
}

/* An artifact in a file is mapped by the runtime; one from a pipe was read. */
static hd_status load_artifact(const hd_cli_options *options, hd_cli_program *out, bool in_file, const loading *l) {
  HD_TRY(hd_cli_artifact_options(options));
  out->source = HD_CLI_ARTIFACT;
  hd_status status = in_file ? hd_executable_open_file(&l->runtime, options->target, options->file, &l->load,
                                                       &out->runtime, &out->executable)
                             : hd_executable_open(&l->runtime, options->target, out->bytes.data, out->bytes.size,
                                                  &l->load, &out->runtime, &out->executable);
  return hd_cli_option_status(options, driver_status(options, status));
}

static void unload(void *kept) {
  hd_cli_program *program = kept;
  hd_executable_release(program->executable);
  hd_runtime_release(program->runtime);
}

hd_cli_program *hd_cli_program_create(hd_arena *arena, const char *name) {
  void **kept = hd_arena_on_free(arena, unload);
  hd_cli_program *program = hd_new(arena, hd_cli_program);
  program->name = name;
  *kept = program;
  return program;
}

hd_status hd_cli_load(hd_arena *arena, const hd_cli_options *options, hd_cli_program **out_program) {
  hd_cli_program *out = *out_program = hd_cli_program_create(arena, options->name);
  loading l = {HD_INIT(hd_runtime_options), HD_INIT(hd_load_options)};
  l.runtime.threads = (int32_t)options->threads;
  l.runtime.memory_limit = options->memory_limit;
  l.runtime.check_bounds = options->check_bounds;
  l.runtime.profile = options->profile != NULL;
  l.runtime.perf_map = options->perf_map;
  l.runtime.driver = options->driver;
  l.runtime.cache_dir = hd_cli_cache_directory(arena, options);
  l.load.entry = options->entry;
  l.load.constants = options->constants;
  HD_TRY(cpu_features(options, &l.runtime.cpu_features));
  bool in_file = is_artifact_file(options->file);
  if (!in_file) HD_TRY(hd_cli_read_file(arena, options->file, &out->bytes));
  double start = hd_cli_now_ms();
  if (in_file || is_artifact(options->file, out->bytes.data, out->bytes.size)) {
    HD_TRY(load_artifact(options, out, in_file, &l));
  } else if (options->constants) {
    return hd_make_status(HD_INVALID_ARGUMENT, "--constants: %s is a program, which has its constants in itself",
                          options->name);
  } else {
    /* A device that is not there is reported before anything is compiled for it alone. */
    if (!l.runtime.driver && !hd_target_driver_at(options->target, 1))
      l.runtime.driver = hd_target_driver(options->target);
    if (l.runtime.driver) {
      hd_status status = driver_status(options, hd_runtime_create(&l.runtime, &out->runtime));
      HD_TRY(hd_compiler_target_status("--target: ", options->target, status));
    }
    hd_cache *cache = NULL;
    hd_hash128 key = cache_key(options, &out->bytes);
    const char *directory = l.runtime.cache_dir;
    hd_status status = directory ? hd_cache_open(directory, 0, &cache) : HD_STATUS_OK;
    if (!hd_is_ok(status)) fprintf(stderr, "heddle: note: running without a cache: %s\n", hd_status_message(status));
    hd_status_free(status);
    out->source = HD_CLI_CACHED;
    status = cache && load_cached(out, cache, &key, &l) ? HD_STATUS_OK : compile(arena, options, out, cache, &key, &l);
    if (cache) hd_cache_close(cache);
    HD_TRY(status);
  }
  out->compile_ms = hd_cli_now_ms() - start;
  return HD_STATUS_OK;
}

const hd_cli_source_name hd_cli_source_names[] = {
    [HD_CLI_COMPILED] = {"compiler", "compiled"},
    [HD_CLI_CACHED] = {"cache", "loaded from the cache"},
    [HD_CLI_ARTIFACT] = {"artifact", "loaded"},
};

void hd_cli_print_program(const hd_cli_program *program) {
  int32_t kernels = hd_executable_kernel_count(program->executable), threads = hd_runtime_threads(program->runtime);
  const char *driver = hd_executable_driver(program->executable);
  bool device = strcmp(driver, "cpu") != 0;
  printf("%s: %s in %.1f ms: %d kernel%s, %s%s%s, %d thread%s", program->name,
         hd_cli_source_names[program->source].text, program->compile_ms, kernels, kernels == 1 ? "" : "s",
         device ? driver : "", device ? " and " : "", hd_executable_target(program->executable), threads,
         threads == 1 ? "" : "s");
}

static hd_status dims_of(void *user, int32_t i, const int64_t *values, int64_t *out_dims) {
  return hd_executable_input_dims(user, i, values, out_dims);
}

hd_cli_signature hd_cli_signature_of(hd_arena *arena, hd_executable *executable) {
  int32_t args = hd_executable_input_count(executable), symbols = hd_executable_symbol_count(executable);
  hd_cli_arg *list = hd_new_array(arena, hd_cli_arg, args + 1);
  const char **names = hd_new_array(arena, const char *, symbols + 1);
  for (int32_t i = 0; i < args; ++i) {
    hd_tensor_info info = hd_executable_input(executable, i);
    list[i] = (hd_cli_arg){info.name, info.type, info.rank, info.dim_texts};
  }
  for (int32_t i = 0; i < symbols; ++i) names[i] = hd_executable_symbol_name(executable, i);
  return (hd_cli_signature){args, symbols, list, names, dims_of, executable};
}
