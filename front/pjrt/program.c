/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: compiling through the cache, loading, serialising, and what is known of one from the start. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/compiler.h"
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
  if (program->code) hd_pjrt_code_release(program->client, program->code);
  hd_pjrt_layouts_free(program->layouts);
  hd_pjrt_layouts_free(program->input_layouts);
  free(program->source);
  free(program->options);
  hd_pjrt_options_free(&program->parsed);
  for (size_t i = 0; program->lifted && i < program->fit.lifted_count; ++i)
    if (program->lifted[i]) hd_buffer_release(program->lifted[i]);
  free(program->lifted);
  hd_pjrt_fit_free(&program->fit);
  free(program->input_dims);
  free(program->output_types);
  free(program->output_dims);
  free(program->output_ranks);
  free(program->donatable);
  free(program->memory_kinds);
  free(program->output_memories);
  for (int32_t i = 0; program->input_orders && i < program->input_count; ++i) free(program->input_orders[i]);
  for (int32_t i = 0; program->output_orders && i < program->output_count; ++i) free(program->output_orders[i]);
  free(program->input_orders);
  free(program->output_orders);
  free(program->memory_kind_sizes);
  free(program->properties);
  pthread_mutex_destroy(&program->costing);
  free(program->devices);
  hd_pjrt_bytes_free(program->assignment);
  PJRT_Client *client = program->client;
  free(program);
  hd_pjrt_client_release(client);
}

/* ---- what is known of a program ---------------------------------------------------------------------------------- */

/* The form of a program that hd_pjrt_lay_out gives; no text: the program itself. */
typedef struct row_major {
  char *text;
  size_t size;
} row_major;

/* -1: more than can be counted; 0 where a dim is not known. */
static int64_t bytes_of(hd_element_type type, int32_t rank, const int64_t *dims) {
  int64_t bytes = (int64_t)hd_element_bytes(type);
  for (int32_t i = 0; i < rank; ++i) {
    if (dims[i] == HD_DIM_UNKNOWN) return 0;
    if (__builtin_mul_overflow(bytes, dims[i], &bytes)) return -1;
  }
  return bytes;
}

/* Frameworks end the process over a buffer whose elements they cannot count. */
static hd_status check_bytes(const char *what, int32_t i, int64_t bytes) {
  if (bytes >= 0) return HD_STATUS_OK;
  return hd_make_status(HD_RESOURCE_EXHAUSTED, "%s %d has more bytes than a 64-bit number counts", what, i);
}

static hd_status assign_devices(hd_pjrt_program *program) {
  const hd_pjrt_options *options = &program->parsed;
  program->device_count = (size_t)(options->replicas * options->partitions);
  program->devices = calloc(program->device_count, sizeof *program->devices);
  if (!program->devices) return hd_pjrt_out_of_memory();
  for (size_t i = 0; i < program->device_count; ++i) {
    /* Here replica by replica, as ranks count; assignments are written partition by partition. */
    size_t partitions = (size_t)options->partitions, replicas = (size_t)options->replicas;
    size_t assigned = i % partitions * replicas + i / partitions;
    int64_t id = options->device_ids                                          ? options->device_ids[assigned]
                 : program->device_count == 1 && options->device_ordinal >= 0 ? options->device_ordinal
                                                                              : (int64_t)i;
    program->devices[i] = hd_pjrt_device(program->client, id);
    for (size_t k = 0; program->devices[i] && k < i; ++k)
      if (program->devices[k] == program->devices[i])
        return hd_make_status(HD_INVALID_ARGUMENT, "the program is for device %lld twice", (long long)id);
    if (!program->devices[i])
      return hd_make_status(HD_INVALID_ARGUMENT, "the program is for device %lld; there are %d", (long long)id,
                            program->client->device_count);
  }
  hd_pjrt_options assigned = *options;
  int64_t id = program->devices[0]->description.id;
  if (!assigned.device_ids && program->device_count == 1) assigned.device_ids = &id;
  size_t size = 0;
  char *bytes = hd_pjrt_assignment_write(&assigned, &size);
  program->assignment = bytes ? hd_pjrt_bytes(bytes, size) : NULL;
  free(bytes);
  return program->assignment ? HD_STATUS_OK : hd_pjrt_out_of_memory();
}

/* The dims of all outputs, in order, for the program's own dims where they are known. */
static hd_status output_dims(hd_pjrt_program *program) {
  hd_executable *e = program->code->executable;
  bool known = true;
  for (int32_t i = 0; i < hd_executable_input_count(e); ++i)
    for (int32_t d = 0; d < hd_executable_input(e, i).rank; ++d) known &= program->input_dims[i][d] != HD_DIM_UNKNOWN;
  int64_t **each = calloc((size_t)program->output_count + 1, sizeof *each);
  if (!each) return hd_pjrt_out_of_memory();
  int64_t *at = program->output_dims;
  for (int32_t i = 0; i < program->output_count; ++i) {
    each[i] = at;
    hd_tensor_info info = hd_executable_output(e, i);
    for (int32_t d = 0; d < info.rank; ++d) *at++ = info.dims[d];
  }
  hd_status status = HD_STATUS_OK;
  if (known) status = hd_executable_output_shapes(e, (const int64_t *const *)program->input_dims, each);
  free(each);
  return status;
}

/* What the program, and |laid_out| if there is such a form of it, say of how its arguments and results are. Dims of
 * results become the caller's. */
static hd_status places(hd_pjrt_program *program, const row_major *laid_out) {
  hd_pjrt_places found = {program->input_count, program->output_count, program->output_memories, program->input_orders,
                          program->output_orders};
  if (!program->source) return HD_STATUS_OK;
  const char *text = laid_out->text ? laid_out->text : program->source;
  size_t size = laid_out->text ? laid_out->size : program->source_size;
  HD_TRY(hd_pjrt_read_places(program->client, text, size, &found));
  int64_t *at = program->output_dims;
  for (int32_t i = 0; i < program->output_count; ++i) {
    size_t rank = (size_t)hd_executable_output(program->code->executable, i).rank;
    int64_t in_memory[HD_PJRT_MAX_RANK];
    const int64_t *order = program->output_orders[i];
    if (order && rank <= HD_PJRT_MAX_RANK) {
      memcpy(in_memory, at, rank * sizeof *at);
      for (size_t k = 0; k < rank; ++k) at[order[k]] = in_memory[k];
    }
    at += rank;
  }
  return HD_STATUS_OK;
}

static hd_status describe_outputs(hd_pjrt_program *program, const row_major *laid_out) {
  hd_executable *e = program->code->executable;
  size_t count = (size_t)program->output_count, dims = 0;
  for (int32_t i = 0; i < program->output_count; ++i) dims += (size_t)hd_executable_output(e, i).rank;
  program->output_types = calloc(count + 1, sizeof *program->output_types);
  program->output_ranks = calloc(count + 1, sizeof *program->output_ranks);
  program->output_dims = calloc(dims + 1, sizeof *program->output_dims);
  program->memory_kinds = calloc(count + 1, sizeof *program->memory_kinds);
  program->output_memories = calloc(count + 1, sizeof *program->output_memories);
  program->memory_kind_sizes = calloc(count + 1, sizeof *program->memory_kind_sizes);
  program->donatable = calloc((size_t)program->input_count + 1, sizeof *program->donatable);
  program->input_orders = calloc((size_t)program->input_count + 1, sizeof *program->input_orders);
  program->output_orders = calloc(count + 1, sizeof *program->output_orders);
  if (!program->output_types || !program->output_ranks || !program->output_dims || !program->memory_kinds ||
      !program->output_memories || !program->memory_kind_sizes || !program->donatable || !program->input_orders ||
      !program->output_orders)
    return hd_pjrt_out_of_memory();
  HD_TRY(output_dims(program));
  HD_TRY(places(program, laid_out));
  for (int32_t i = 0; i < program->input_count; ++i) program->donatable[i] = hd_executable_input(e, i).alias == i;
  const int64_t *at = program->output_dims;
  for (int32_t i = 0; i < program->output_count; ++i) {
    hd_tensor_info info = hd_executable_output(e, i);
    program->output_types[i] = hd_pjrt_buffer_type(info.type);
    if (program->output_types[i] == PJRT_Buffer_Type_INVALID)
      return hd_make_status(HD_UNIMPLEMENTED, "output %d: element type %s has no counterpart in the PJRT C API", i,
                            hd_element_text(info.type));
    program->output_ranks[i] = (size_t)info.rank;
    int64_t bytes = bytes_of(info.type, info.rank, at);
    HD_TRY(check_bytes("output", i, bytes));
    for (int32_t d = 0; d < info.rank; ++d) program->dynamic |= *at++ == HD_DIM_UNKNOWN;
    program->memory_kinds[i] = program->client->devices[0].memories[program->output_memories[i]].kind;
    program->memory_kind_sizes[i] = strlen(program->memory_kinds[i]);
    program->output_bytes += bytes;
    if (info.alias >= 0) {
      program->donatable[info.alias] = true;
      program->alias_bytes += bytes;
    }
  }
  return hd_pjrt_layouts_make(program->output_ranks, program->output_orders, program->output_count, &program->layouts);
}

static hd_status describe_inputs(hd_pjrt_program *program) {
  hd_executable *e = program->code->executable;
  const int64_t *dims = program->fit.dims;
  int32_t inputs = hd_executable_input_count(e);
  size_t count = (size_t)inputs, total = 0;
  for (int32_t i = 0; i < inputs; ++i) total += (size_t)hd_executable_input(e, i).rank;
  program->input_dims = calloc(1, count * sizeof *program->input_dims + total * sizeof(int64_t) + 1);
  if (!program->input_dims) return hd_pjrt_out_of_memory();
  int64_t *at = (int64_t *)(program->input_dims + count);
  for (int32_t i = 0; i < inputs; ++i) {
    hd_tensor_info info = hd_executable_input(e, i);
    program->input_dims[i] = at;
    for (int32_t d = 0; d < info.rank; ++d) *at++ = dims ? *dims++ : info.dims[d];
    if (i >= program->input_count) continue;
    int64_t bytes = bytes_of(info.type, info.rank, program->input_dims[i]);
    HD_TRY(check_bytes("argument", i, bytes));
    program->input_bytes += bytes;
  }
  return HD_STATUS_OK;
}

static hd_status input_layouts(hd_pjrt_program *program) {
  size_t *ranks = calloc((size_t)program->input_count + 1, sizeof *ranks);
  if (!ranks) return hd_pjrt_out_of_memory();
  for (int32_t i = 0; i < program->input_count; ++i)
    ranks[i] = (size_t)hd_executable_input(program->code->executable, i).rank;
  hd_status status = hd_pjrt_layouts_make(ranks, program->input_orders, program->input_count, &program->input_layouts);
  free(ranks);
  return status;
}

/* Buffers of what the code is lifted, which all executions read. */
static hd_status feed(hd_pjrt_program *program) {
  const hd_pjrt_fit *fit = &program->fit;
  const char *at = fit->lifted;
  program->lifted = calloc(fit->lifted_count + 1, sizeof(*program->lifted));
  if (!program->lifted) return hd_pjrt_out_of_memory();
  for (size_t i = 0; i < fit->lifted_count; ++i) {
    int32_t input = program->input_count + (int32_t)i;
    hd_tensor_info info = hd_executable_input(program->code->executable, input);
    HD_TRY(hd_buffer_create(program->client->runtime, info.type, info.rank, program->input_dims[input],
                            &program->lifted[i]));
    size_t bytes = hd_buffer_bytes(program->lifted[i]);
    HD_TRY(hd_buffer_write(program->lifted[i], at, bytes));
    at += bytes;
  }
  return HD_STATUS_OK;
}

static hd_status describe(hd_pjrt_program *program, const row_major *laid_out) {
  hd_executable *e = program->code->executable;
  program->input_count = hd_executable_input_count(e) - (int32_t)program->fit.lifted_count;
  program->output_count = hd_executable_output_count(e);
  HD_TRY(describe_inputs(program));
  HD_TRY(feed(program));
  HD_TRY(describe_outputs(program, laid_out));
  HD_TRY(input_layouts(program));
  HD_TRY(assign_devices(program));
  return HD_STATUS_OK;
}

static void add_property(hd_pjrt_program *program, const char *name, double value) {
  program->properties[program->property_count++] =
      (PJRT_NamedValue){.struct_size = HD_PJRT_SIZE_OF(PJRT_NamedValue, value_size),
                        .name = name,
                        .name_size = strlen(name),
                        .type = PJRT_NamedValue_kFloat,
                        .float_value = (float)value,
                        .value_size = 1};
}

/* What the compiler counts, of the program as it was given; nothing where it cannot say. */
static hd_status add_costs(hd_pjrt_program *program) {
  const hd_compiler *compiler;
  hd_program_costs costs;
  hd_compile_options options = HD_COMPILE_OPTIONS_INIT;
  options.custom_calls_later = true;
  options.numerics = program->parsed.code.numerics;
  options.no_graph_passes = program->parsed.code.no_graph_passes;
  options.library_products = program->parsed.code.library_products;
  if (*program->parsed.code.pass_options) options.pass_options = program->parsed.code.pass_options;
  options.math = program->parsed.code.exact_math ? "exact" : "fast";
  options.timeout_s = program->parsed.timeout_s;
  options.memory_limit = program->parsed.memory_limit;
  HD_TRY(hd_compiler_open(&compiler));
  hd_message_sink no_sink = {0};
  HD_TRY(compiler->hd_program_cost(program->source, program->source_size, "program", &options, no_sink, &costs));
  if (costs.flops >= 0) add_property(program, "flops", costs.flops);
  add_property(program, "library calls", (double)costs.library_calls);
  return HD_STATUS_OK;
}

hd_status hd_pjrt_program_properties(hd_pjrt_program *program) {
  pthread_mutex_lock(&program->costing);
  hd_status status = HD_STATUS_OK;
  if (!program->properties) {
    program->properties = calloc(4, sizeof *program->properties);
    if (!program->properties) status = hd_pjrt_out_of_memory();
    if (program->properties) {
      add_property(program, "bytes accessed", (double)(program->input_bytes + program->output_bytes));
      add_property(program, "kernels", (double)hd_executable_kernel_count(program->code->executable));
      hd_status_ignore(add_costs(program));
    }
  }
  pthread_mutex_unlock(&program->costing);
  return status;
}

static hd_status create(PJRT_Client *client, const char *options, size_t options_size, hd_pjrt_program **out) {
  hd_pjrt_program *program = *out = calloc(1, sizeof *program);
  if (!program) return hd_pjrt_out_of_memory();
  atomic_store_explicit(&program->references, 1, memory_order_relaxed);
  pthread_mutex_init(&program->costing, NULL);
  program->client = hd_pjrt_client_retain(client);
  HD_TRY(hd_pjrt_options_read(options, options_size, &program->parsed));
  program->options_size = options_size;
  program->options = copy_bytes(options, options_size);
  return program->options ? HD_STATUS_OK : hd_pjrt_out_of_memory();
}

/* ---- compiling --------------------------------------------------------------------------------------------------- */

static hd_hash128 key_of(const PJRT_Client *client, const PJRT_Program *given, const hd_pjrt_options *options) {
  hd_hash128_state state;
  hd_hash128_init(&state);
  hd_hash128_add_string(&state, "pjrt");
  hd_hash128_add_string(&state, hd_compiler_identity());
  hd_hash128_add_string(&state, client->target ? client->target : "");
  uint64_t features = hd_cpu_features();
  hd_hash128_add(&state, &features, sizeof features);
  hd_hash128_add(&state, &options->code, sizeof options->code);
  hd_hash128_add(&state, given->code, given->code_size);
  return hd_hash128_finish(&state);
}

/* The code for |program->source|, of which |laid_out| may be another form. */
static hd_status find_code(hd_pjrt_program *program, const PJRT_Program *given, const row_major *laid_out) {
  PJRT_Program own = *given;
  own.code = laid_out->text ? laid_out->text : program->source;
  own.code_size = laid_out->text ? laid_out->size : program->source_size;
  hd_hash128 key = key_of(program->client, &own, &program->parsed);
  hd_hash128_hex(&key, program->fingerprint);
  HD_TRY(hd_pjrt_code_for(program->client, &own, &program->parsed, key.bytes, &program->code, &program->fit));
  return describe(program, laid_out);
}

static hd_status compile(hd_pjrt_program *program, const PJRT_Program *given) {
  HD_TRY(hd_pjrt_check_whole("PJRT_Program", given, sizeof *given));
  if (!given->code || !given->format)
    return hd_make_status(HD_INVALID_ARGUMENT, "the program is null, or its format is");
  if (given->format_size != 4 || memcmp(given->format, "mlir", 4))
    return hd_make_status(HD_UNIMPLEMENTED, "program format '%.*s', expected 'mlir'",
                          given->format_size > 64 ? 64 : (int)given->format_size, given->format);
  if (program->parsed.partitions > 1) {
    HD_TRY(hd_pjrt_partition(program->client, given, &program->source, &program->source_size));
  } else {
    program->source_size = given->code_size;
    program->source = copy_bytes(given->code, given->code_size);
    if (!program->source) return hd_pjrt_out_of_memory();
  }
  row_major laid_out = {0};
  HD_TRY(hd_pjrt_lay_out(program->client, program->source, program->source_size, &laid_out.text, &laid_out.size));
  hd_status status = find_code(program, given, &laid_out);
  free(laid_out.text);
  /* Frameworks read the shardings of a partitioned program from it. */
  if (hd_is_ok(status) && program->parsed.partitions > 1)
    status = hd_pjrt_to_stablehlo(program->client, &program->source, &program->source_size);
  return status;
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

/* A head, then the bytes of options, source, how the code fits, and artifact. The check covers all that follows it:
 * what frameworks keep in caches of their own comes back as the disk gives it. */
typedef struct head {
  char magic[8];
  hd_hash128 check;
  char fingerprint[40];
  uint8_t key[16];
  uint64_t options_size, source_size, fit_size, artifact_size;
} head;

static const char magic[8] = "HDPJRT\4";
enum { CHECKED_FROM = offsetof(head, fingerprint) };

static hd_hash128 check_of(const char *bytes, size_t size) {
  return hd_hash128_of(bytes + CHECKED_FROM, size - CHECKED_FROM);
}

hd_status hd_pjrt_program_serialise(const hd_pjrt_program *program, PJRT_Bytes **out) {
  size_t fit_size;
  void *fit = hd_pjrt_fit_write(&program->fit, &fit_size);
  if (!fit) return hd_pjrt_out_of_memory();
  head h = {.options_size = program->options_size,
            .source_size = program->source_size,
            .fit_size = fit_size,
            .artifact_size = program->code->artifact_size};
  memcpy(h.key, program->code->key, sizeof h.key);
  memcpy(h.magic, magic, sizeof magic);
  memcpy(h.fingerprint, program->fingerprint, sizeof program->fingerprint);
  *out = hd_pjrt_bytes(NULL, sizeof h + h.options_size + h.source_size + h.fit_size + h.artifact_size);
  if (*out) {
    char *at = (*out)->data;
    memcpy(at, &h, sizeof h), at += sizeof h;
    memcpy(at, program->options, h.options_size), at += h.options_size;
    if (h.source_size) memcpy(at, program->source, h.source_size), at += h.source_size;
    memcpy(at, fit, h.fit_size), at += h.fit_size;
    memcpy(at, program->code->artifact, h.artifact_size);
    h.check = check_of((*out)->data, (*out)->size);
    memcpy((*out)->data, &h, sizeof h);
  }
  free(fit);
  return *out ? HD_STATUS_OK : hd_pjrt_out_of_memory();
}

static hd_status load(hd_pjrt_program *program, const head *h, const char *rest) {
  memcpy(program->fingerprint, h->fingerprint, sizeof program->fingerprint);
  program->fingerprint[sizeof program->fingerprint - 1] = 0;
  rest += h->options_size;
  program->source_size = h->source_size;
  if (!(program->source = copy_bytes(rest, h->source_size))) return hd_pjrt_out_of_memory();
  rest += h->source_size;
  HD_TRY(hd_pjrt_code_load(program->client, h->key, rest + h->fit_size, h->artifact_size, &program->code));
  if (!hd_pjrt_fit_read(rest, h->fit_size, program->code, &program->fit))
    return hd_make_status(HD_DATA_LOSS, "the serialised executable has other inputs than its code");
  row_major laid_out = {0};
  HD_TRY(hd_pjrt_lay_out(program->client, program->source, program->source_size, &laid_out.text, &laid_out.size));
  hd_status status = describe(program, &laid_out);
  free(laid_out.text);
  return status;
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
      h.fit_size > left - h.options_size - h.source_size ||
      h.artifact_size != left - h.options_size - h.source_size - h.fit_size)
    return hd_make_status(HD_DATA_LOSS, "the serialised executable has %zu bytes, its head says another number", size);
  hd_hash128 check = check_of(bytes, size);
  if (!hd_hash128_equal(&check, &h.check))
    return hd_make_status(HD_DATA_LOSS, "the serialised executable is damaged: its bytes have another hash");
  const char *rest = bytes + sizeof h;
  bool overridden = options && options_size;
  hd_status status = create(client, overridden ? options : rest, overridden ? options_size : h.options_size, out);
  if (hd_is_ok(status)) status = load(*out, &h, rest);
  if (hd_is_ok(status)) return status;
  hd_pjrt_program_release(*out);
  *out = NULL;
  return status;
}
