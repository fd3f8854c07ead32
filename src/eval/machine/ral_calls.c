/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the runtime by name (runtime/abi.h, docs/ral.md) and kernel launches. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "eval/core/state.h"
#include "eval/machine/gpu_launch.h"
#include "eval/machine/library_calls.h"
#include "eval/machine/program.h"
#include "ir/constant_content.h"
#include "ir/ops/discardable.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"

/* ---- kernels ---- */

HD_EVAL_HOOK(hd_kernel_index) {
  hd_op *kernel = hd_symbol_resolve(op, hd_launch_like_kernel(op));
  for (int64_t i = 0; kernel; ++i) {
    hd_op *at = hd_kernel_at(op, i);
    if (at == kernel) return hd_eval_int_result(frame, op, 0, i, out);
    if (!at) break;
  }
  return hd_make_status(HD_NOT_FOUND, "there is no such kernel");
}

/* Any split of the range gives the same: it is run in three parts, the last one first. */
static hd_status run_in_parts(hd_eval_frame *frame, hd_op *kernel, hd_type type, hd_tensor *args, int64_t extent,
                              int64_t grain) {
  int64_t part = extent / 3 / grain * grain;
  if (__builtin_add_overflow(part, grain, &part)) part = INT64_MAX;
  hd_status status = HD_STATUS_OK;
  for (int64_t begin = extent ? (extent - 1) / part * part : -1; begin >= 0 && hd_is_ok(status); begin -= part)
    status = hd_kernel_run(frame, kernel, type, args, begin, part < extent - begin ? begin + part : extent);
  return status;
}

static hd_eval_area area_of(hd_storage *storage) {
  if (!storage) return (hd_eval_area){0};
  return (hd_eval_area){storage->buffer, storage->shape, storage->origin, storage->writer};
}

/* The words in |table|, if it is a table of words. */
static size_t words_in(const hd_tensor *table) {
  bool is_table = hd_is_memref(table) && hd_type_is(table->type->shaped.element, HD_TYPE_INTEGER) &&
                  table->type->shaped.element->integer.width == 64 && table->type->shaped.rank == 1;
  return is_table ? (size_t)hd_memref_of(table)->dims[0] : 0;
}

/* |tables|: what words of tables point to is handed over too. */
static hd_status describe_launch(hd_eval_frame *frame, const hd_tensor *in, bool tables, hd_eval_launch *launch) {
  uint64_t *words;
  hd_eval_area *areas;
  size_t most = launch->count;
  for (uint32_t i = 0; tables && i < launch->count; ++i) most += words_in(&in[i]);
  HD_TRY(hd_eval_temp(frame, launch->count + 1, sizeof *words, &words));
  HD_TRY(hd_eval_temp(frame, most + 1, sizeof *areas, &areas));
  launch->area_count = launch->count;
  for (uint32_t i = 0; i < launch->count; ++i) {
    words[i] = hd_call_address(&in[i]);
    bool points = hd_is_memref(&in[i]) || hd_type_is(in[i].type, HD_TYPE_DIALECT);
    areas[i] = area_of(points ? hd_storage_find(frame, words[i]) : NULL);
    size_t size = tables ? words_in(&in[i]) : 0;
    char *table = NULL;
    if (size) HD_TRY(hd_call_bytes(frame, words[i], size * 8, &table));
    for (size_t k = 0; k < size; ++k) {
      uint64_t word;
      memcpy(&word, table + 8 * k, sizeof word);
      hd_storage *storage = hd_storage_find(frame, word);
      if (storage) areas[launch->area_count++] = area_of(storage);
    }
  }
  launch->words = words;
  launch->areas = areas;
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(hd_launch) {
  hd_op *kernel = hd_symbol_resolve(op, hd_launch_like_kernel(op));
  hd_type type;
  HD_TRY(hd_kernel_type(kernel, &type));
  uint32_t n = type->function.in_count;
  if (n != op->operand_count || n < 2)
    return hd_make_status(HD_INVALID_ARGUMENT, "gives %u arguments to a kernel of %u", op->operand_count, n);
  int64_t extent = hd_eval_int(&in[0]), grain = hd_eval_int(&in[1]);
  if (extent < 0) return hd_make_status(HD_INVALID_ARGUMENT, "has an extent of %lld", (long long)extent);
  hd_tensor *args;
  HD_TRY(hd_eval_temp(frame, n + 1, sizeof *args, &args));
  for (uint32_t i = 0; i + 2 < n; ++i) HD_TRY(hd_kernel_operand(frame, type->function.ins[i], &in[2 + i], &args[i]));
  const hd_eval_options *options = &frame->evaluator->options;
  hd_eval_launch launch = {.op = op, .kernel = kernel, .extent = extent, .count = n - 2};
  hd_status status = options->launch ? describe_launch(frame, in + 2, false, &launch) : HD_STATUS_OK;
  if (hd_is_ok(status) && options->launch) status = options->launch(options->launch_user, &launch, false);
  if (hd_is_ok(status)) status = run_in_parts(frame, kernel, type, args, extent, grain < 1 ? 1 : grain);
  if (hd_is_ok(status) && options->launch) status = options->launch(options->launch_user, &launch, true);
  for (uint32_t i = 0; i + 2 < n; ++i) hd_tensor_release(&args[i]);
  return status;
}

/* ---- memory, inputs and outputs ---- */

static hd_status copy(hd_eval_frame *frame, const hd_tensor *in) {
  int64_t bytes = hd_eval_int(&in[3]);
  char *to, *from;
  if (bytes < 0) return hd_make_status(HD_INVALID_ARGUMENT, "copies %lld bytes", (long long)bytes);
  HD_TRY(hd_call_bytes_to(frame, hd_call_address(&in[1]), (size_t)bytes, &to));
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[2]), (size_t)bytes, &from));
  if (bytes) memmove(to, from, (size_t)bytes);
  return HD_STATUS_OK;
}

static hd_status allocate(hd_eval_frame *frame, hd_op *op, const hd_tensor *size, hd_tensor *out) {
  int64_t bytes = hd_eval_int(size);
  hd_storage *storage;
  if (bytes < 0) return hd_make_status(HD_INVALID_ARGUMENT, "a buffer of %lld bytes", (long long)bytes);
  HD_TRY(hd_storage_create(frame, (size_t)bytes, op, false, &storage));
  return hd_eval_pointer(frame, hd_result_type(op, 0), (uint64_t)(uintptr_t)storage->data, out);
}

static hd_status reference(hd_eval_frame *frame, const hd_tensor *value, bool add) {
  uint64_t address = hd_call_address(value);
  if (!address) return HD_STATUS_OK;
  hd_storage *storage = hd_is_memref(value) ? hd_memref_of(value)->storage : hd_storage_find(frame, address);
  if (!storage) return hd_make_status(HD_INVALID_ARGUMENT, "frees or retains what is no live buffer");
  if (!add) return hd_storage_free(frame, storage);
  if (!storage->buffer) return hd_make_status(HD_INVALID_ARGUMENT, "retains a buffer that is freed");
  if (!storage->lent) ++storage->references;
  return HD_STATUS_OK;
}

/* Memory of the context with the elements of |value|; what the same call has given before is given again. */
static hd_status lend(hd_eval_frame *frame, hd_op *op, hd_attr value, hd_tensor *out) {
  hd_memory *memory = hd_frame_memory(frame);
  hd_storage *storage = NULL;
  for (size_t i = 0; i < memory->storages.len && !storage; ++i)
    if (memory->storages.data[i]->origin == op) storage = memory->storages.data[i];
  if (!storage) {
    hd_tensor elements = {0};
    HD_TRY(hd_tensor_from_attr(hd_frame_heap(frame), value, &elements));
    HD_TRY(hd_storage_create(frame, elements.buffer->size, op, false, &storage));
    memcpy(storage->data, hd_tensor_data(&elements), elements.buffer->size);
    storage->lent = true; /* the program may return it */
    hd_tensor_release(&elements);
  }
  return hd_eval_pointer(frame, hd_result_type(op, 0), (uint64_t)(uintptr_t)storage->data, out);
}

/* An attribute of the function that |op| is in, null when it has none. */
static hd_attr function_attr(hd_op *op, hd_name name) {
  hd_op *function = hd_op_function(op);
  return function ? hd_op_attr_get(function, name) : NULL;
}

static hd_status constant_list(hd_op *op, hd_name attribute, hd_attr *out) {
  *out = function_attr(op, attribute);
  return hd_attr_is(*out, HD_ATTR_ARRAY)
             ? HD_STATUS_OK
             : hd_make_status(HD_NOT_FOUND, "the function has no %s", hd_name_text(attribute));
}

/* Whether a relation of two sizes holds: 0 equal, 1 at most, 2 one or equal, 3 the product is at most HD_MAX_EXTENT,
 * either way. */
static bool relation_holds(int64_t relation, int64_t lhs, int64_t rhs) {
  switch (relation) {
    case 0:
      return lhs == rhs;
    case 1:
      return lhs <= rhs;
    case 2:
      return lhs == 1 || lhs == rhs;
    default:
      return lhs == 0 || rhs == 0 || (lhs != INT64_MIN && rhs != INT64_MIN && llabs(rhs) <= HD_MAX_EXTENT / llabs(lhs));
  }
}

static hd_status check(hd_op *op, const hd_tensor *in) {
  int64_t relation = hd_eval_int(&in[0]), lhs = hd_eval_int(&in[1]), rhs = hd_eval_int(&in[2]),
          index = hd_eval_int(&in[3]);
  if (relation_holds(relation, lhs, rhs)) return HD_STATUS_OK;
  hd_attr list = function_attr(op, HD_NAME_hd_messages);
  bool has = hd_attr_is(list, HD_ATTR_ARRAY) && index >= 0 && index < (int64_t)list->array.count &&
             hd_attr_is(list->array.items[index], HD_ATTR_STRING);
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: {0} is %lld, {1} is %lld",
                        has ? list->array.items[index]->string->text : "a check of sizes fails", (long long)lhs,
                        (long long)rhs);
}

static hd_status constant_at(hd_eval_frame *frame, hd_op *op, int64_t index, hd_tensor *out) {
  hd_attr list;
  HD_TRY(constant_list(op, HD_NAME_hd_constants, &list));
  if (index < 0 || index >= (int64_t)list->array.count)
    return hd_make_status(HD_INVALID_ARGUMENT, "there is no constant %lld", (long long)index);
  return lend(frame, op, list->array.items[index], out);
}

/* By the name of its content, among those of one memory. */
static hd_status constant_named(hd_eval_frame *frame, hd_op *op, hd_name attribute, const hd_tensor *name,
                                hd_tensor *out) {
  hd_attr list, found = NULL;
  hd_str text;
  HD_TRY(constant_list(op, attribute, &list));
  HD_TRY(hd_call_text(frame, name, &text));
  hd_arena arena;
  hd_scratch_init(&arena, NULL);
  for (size_t i = 0; i < list->array.count && !found; ++i) {
    hd_attr value = list->array.items[i];
    hd_constant_content content;
    if (hd_attr_is(value, HD_ATTR_DENSE) && hd_constant_content_of(&arena, value, &content) &&
        hd_str_is(text, content.name))
      found = value;
  }
  hd_arena_free(&arena);
  if (found) return lend(frame, op, found, out);
  return hd_make_status(HD_NOT_FOUND, "there is no constant '%.*s' in %s", (int)text.len, text.data,
                        hd_name_text(attribute));
}

/* (stream, name, blocks x 3, threads x 3, dynamic shared bytes, words, word count) */
static hd_status gpu_launch(hd_eval_frame *frame, hd_op *op, const hd_tensor *in) {
  hd_str name;
  int64_t sizes[6], count = hd_eval_int(&in[10]);
  char *words = NULL;
  HD_TRY(hd_call_text(frame, &in[1], &name));
  for (int i = 0; i < 6; ++i) sizes[i] = hd_eval_int(&in[2 + i]);
  if (count < 0 || count > INT32_MAX) return hd_make_status(HD_INVALID_ARGUMENT, "gives %lld words", (long long)count);
  HD_TRY(hd_call_bytes(frame, hd_call_address(&in[9]), (size_t)count * 8, &words));
  hd_op *module = op, *function = NULL;
  while (hd_op_parent(module)) module = hd_op_parent(module);
  hd_op *kernels = hd_symbol_lookup(module, name);
  if (hd_op_is(kernels, HD_OP_gpu_module))
    hd_for_each_op(each, hd_op_region(kernels, 0)->first)
      if ((hd_op_is(each, HD_OP_gpu_func) || hd_op_is(each, HD_OP_llvm_func)) && hd_discardable_gpu_kernel(each))
        function = each;
  if (!function) return hd_make_status(HD_NOT_FOUND, "there is no kernel '%.*s'", (int)name.len, name.data);
  uint64_t *copy;
  HD_TRY(hd_eval_temp(frame, (size_t)count + 1, sizeof *copy, &copy));
  if (count) memcpy(copy, words, (size_t)count * 8);
  return hd_eval_launch_words(frame, function, sizes, hd_eval_int(&in[8]), copy, (size_t)count);
}

/* A call by its name up to the types. |takes| has a letter per operand, |gives| that of the result, if there is one: i
 * an integer, p an address, m a memref. */
typedef struct call_row {
  const char *name, *takes, *gives;
  hd_status (*run)(hd_eval_frame *frame, hd_op *op, const hd_tensor *in, hd_tensor *out);
  bool library; /* a library computes it, as a kernel would */
} call_row;

#define CALL(name)                                                                                              \
  static hd_status call_##name(hd_eval_frame *frame __attribute__((unused)), hd_op *op __attribute__((unused)), \
                               const hd_tensor *in __attribute__((unused)), hd_tensor *out __attribute__((unused)))

CALL(alloc) { return allocate(frame, op, &in[0], out); }
CALL(alloc_output) { return allocate(frame, op, &in[1], out); }
CALL(alloc_donated) { return allocate(frame, op, &in[2], out); }
CALL(free) { return reference(frame, &in[0], false); }
CALL(retain) { return reference(frame, &in[0], true); }
CALL(constant) { return constant_at(frame, op, hd_eval_int(&in[0]), out); }
CALL(constant_host) { return constant_named(frame, op, HD_NAME_hd_constants, &in[0], out); }
CALL(constant_device) { return constant_named(frame, op, HD_NAME_hd_device_constants, &in[0], out); }
CALL(check) { return check(op, in); }
CALL(copy) { return copy(frame, in); }
CALL(gpu_launch) { return gpu_launch(frame, op, in); }
CALL(recv_input) { return hd_program_input(frame, hd_eval_int(&in[0]), op, out); }
CALL(send_output) {
  HD_TRY(hd_program_output(frame, hd_eval_int(&in[0]), &in[1]));
  return reference(frame, &in[1], false);
}
CALL(print) {
  hd_tensor value = {0};
  HD_TRY(hd_memref_read(frame, &in[2], &value));
  hd_status status = hd_eval_interpreter_print(frame, op, &value, NULL);
  hd_tensor_release(&value);
  return status;
}
CALL(go_on) { return hd_eval_poll(frame); }
CALL(stream) { return hd_eval_pointer(frame, hd_result_type(op, 0), 0, out); }
CALL(stream_bytes) { return hd_eval_int_result(frame, op, 0, 0, out); } /* all kernels: so both kinds of store run */
CALL(ready) { return hd_eval_int_result(frame, op, 0, 1, out); }        /* libraries do what they can */

static const call_row calls[] = {
    {"ral_alloc", "ii", "p", call_alloc},
    {"ral_alloc_output", "iii", "p", call_alloc_output},
    {"ral_alloc_donated", "iiii", "p", call_alloc_donated},
    {"ral_free", "p", "", call_free},
    {"ral_retain", "p", "", call_retain},
    {"ral_host_alloc", "ii", "p", call_alloc},
    {"ral_host_free", "p", "", call_free},
    {"ral_constant", "i", "p", call_constant},
    {"ral_constant_host", "p", "p", call_constant_host},
    {"ral_constant_device", "p", "p", call_constant_device},
    {"ral_check", "iiii", "", call_check},
    {"ral_copy", "pppi", "", call_copy},
    {"ral_h2d", "pppi", "", call_copy},
    {"ral_d2h", "pppi", "", call_copy},
    {"ral_gpu_launch", "ppiiiiiiipi", "", call_gpu_launch},
    {"ral_recv_input", "i", "m", call_recv_input},
    {"ral_send_output", "im", "", call_send_output},
    {"ral_print", "iim", "", call_print},
    {"ral_go_on", "", "", call_go_on},
    {"ral_stream", "", "p", call_stream},
    {"ral_stream_bytes", "", "i", call_stream_bytes},
    {"ral_product_ready", "ipi", "i", call_ready},
    {"ral_convolution_ready", "ipi", "i", call_ready},
    {"ral_dot_general", "ppppipiipi", "", hd_call_dot_general, true},
    {"ral_convolution", "ppppipiipi", "", hd_call_convolution, true},
    {"ral_gemm", "pmmmii", "", hd_call_gemm, true},
    {"ral_attention", "ppppppiipiipi", "", hd_call_attention, true},
    {"ral_cholesky", "ppppipi", "", hd_call_cholesky, true},
    {"ral_triangular_solve", "ppppipi", "", hd_call_triangular_solve, true},
    {"ral_fft", "ppppipi", "", hd_call_fft, true},
    {"ral_sort", "pi", "", hd_call_sort, true},
    {"ral_rng_call", "p", "", hd_call_rng_call},
    {"ral_custom_call", "ppi", "", hd_call_custom_call, true},
    {"ral_collective", "ppppi", "", hd_call_collective},
    {"ral_process_id", "piii", "", hd_call_process_id},
};

static bool is_of(char kind, const hd_tensor *value) {
  bool address = hd_is_memref(value) || hd_is_pointer(value->type);
  return kind == 'm' ? hd_is_memref(value) : kind == 'p' ? address : hd_class_of(value->type) == HD_CLASS_INT;
}

static const char *kind_text(char kind) { return kind == 'm' ? "a memref" : kind == 'p' ? "an address" : "an integer"; }

static hd_status check_call(hd_op *op, const call_row *row, const hd_tensor *in) {
  size_t operands = strlen(row->takes), results = strlen(row->gives);
  if (operands != op->operand_count || results != op->result_count)
    return hd_make_status(HD_INVALID_ARGUMENT,
                          "calls '%s' with %u arguments and %u results, expected %zu arguments and %zu results",
                          row->name, op->operand_count, op->result_count, operands, results);
  for (uint32_t i = 0; i < operands; ++i)
    if (!is_of(row->takes[i], &in[i]))
      return hd_make_status(HD_INVALID_ARGUMENT, "calls '%s' with %s expected as argument %u, got another type",
                            row->name, kind_text(row->takes[i]), i);
  if (results && row->gives[0] == 'p' && !hd_is_pointer(hd_result_type(op, 0)))
    return hd_make_status(HD_INVALID_ARGUMENT, "calls '%s', which gives a pointer, for another type", row->name);
  return HD_STATUS_OK;
}

static hd_status run_call(hd_eval_frame *frame, hd_op *op, const call_row *row, const hd_tensor *in, hd_tensor *out) {
  const hd_eval_options *options = &frame->evaluator->options;
  if (!row->library || !options->launch) return row->run(frame, op, in, out);
  hd_eval_launch launch = {.op = op, .count = op->operand_count, .operands = in};
  HD_TRY(describe_launch(frame, in, true, &launch));
  HD_TRY(options->launch(options->launch_user, &launch, false));
  HD_TRY(row->run(frame, op, in, out));
  return options->launch(options->launch_user, &launch, true);
}

HD_EVAL_HOOK(hd_ral_call) {
  hd_str api = hd_hd_ral_call_api(op), name = api;
  for (size_t i = 0; i + 3 <= api.len; ++i)
    if (!memcmp(api.data + i, "___", 3)) {
      name.len = i;
      break;
    }
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    if (hd_str_is(name, calls[i].name)) {
      HD_TRY(check_call(op, &calls[i], in));
      return run_call(frame, op, &calls[i], in, out);
    }
  return hd_make_status(HD_UNIMPLEMENTED, "the evaluator does not know the runtime call '%.*s'", (int)api.len,
                        api.data);
}
