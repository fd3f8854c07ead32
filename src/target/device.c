/* SPDX-License-Identifier: Apache-2.0 */
#include "target/device.h"

#include "analysis/kernel_sizes.h"
#include "base/vec.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"
#include "ir/ops/structs.h"
#include "passes/passes.h"

typedef hd_vec(hd_artifact_device_kernel) kernel_rows;

/* Shared memory that a block may have on any device without a request for more. */
enum { DEFAULT_SHARED = 48 << 10 };

const char *hd_source_place(hd_loc loc, hd_arena *arena) {
  for (int depth = 0; loc && depth < 64; ++depth) {
    if (loc->kind == HD_ATTR_LOC_FILE)
      return hd_arena_printf(arena, "%s:%u:%u", loc->loc.name->text, loc->loc.line, loc->loc.column);
    if (loc->kind == HD_ATTR_LOC_UNKNOWN || !loc->loc.count) break;
    loc = loc->loc.children[0];
  }
  return "";
}

/* Bytes of a value of |type|, a number or an array of arrays of numbers; 0 for other types and where they do not fit.
 */
static uint64_t bytes_of(hd_type type) {
  uint64_t count = 1, bytes;
  for (int depth = 0; type->kind == HD_TYPE_DIALECT && type->dialect.row == HD_TYPE_ROW_llvm_array && depth < 64;
       ++depth) {
    int64_t length = type->dialect.params[0]->integer;
    if (length < 0 || __builtin_mul_overflow(count, (uint64_t)length, &count)) return 0;
    type = type->dialect.params[1]->type_value;
  }
  if (type->kind != HD_TYPE_INTEGER && type->kind != HD_TYPE_FLOAT) return 0;
  return __builtin_mul_overflow(count, (uint64_t)((hd_type_bits(type) + 7) / 8), &bytes) ? 0 : bytes;
}

/* Memory of the block, which is in globals of the gpu.module. */
static hd_status shared_bytes(hd_op *kernels, uint32_t *out, bool *out_dynamic) {
  uint64_t bytes = 0;
  *out_dynamic = false;
  hd_for_each_op(op, hd_op_region(kernels, 0)->first) {
    if (!hd_op_is(op, HD_OP_llvm_mlir_global) || hd_llvm_mlir_global_addr_space(op) != 3) continue;
    if (hd_is_dynamic_shared(op)) {
      *out_dynamic = true;
      continue;
    }
    uint64_t one = bytes_of(hd_llvm_mlir_global_global_type(op)->type_value);
    if (!one || __builtin_add_overflow(bytes, one, &bytes) || bytes > UINT32_MAX) {
      hd_str name = hd_symbol_name(op);
      return hd_make_status(HD_INVALID_ARGUMENT, "'%.*s': memory of a block of a size that no device has",
                            (int)name.len, name.data);
    }
  }
  *out = (uint32_t)bytes;
  return HD_STATUS_OK;
}

static const char *copy_text(hd_str text, hd_arena *arena) { return hd_arena_copy(arena, text.data, text.len); }

/* What the argument of a kernel, of |type| with the attributes |facts|, is to who launches it: verify-machine-form has
 * seen the attributes. */
static hd_artifact_word word_of(hd_type type, hd_attr facts) {
  hd_artifact_word word = {HD_WORD_POINTER, 64, 1, INT64_MIN, INT64_MAX};
  if (type->kind != HD_TYPE_DIALECT) {
    word.kind = type->kind == HD_TYPE_FLOAT ? HD_WORD_FLOAT : HD_WORD_INTEGER;
    word.bits = hd_type_bits(type);
  }
  hd_attr range = hd_dict_get(facts, HD_NAME_llvm_range);
  int64_t align = hd_attr_int_or(hd_dict_get(facts, HD_NAME_llvm_align), 1),
          divisor = hd_attr_int_or(hd_dict_get(facts, HD_NAME_tt_divisibility), 1);
  word.alignment = (uint32_t)(align > divisor ? align : divisor);
  if (range) {
    word.least = hd_attr_llvm_constant_range_lower(range);
    word.most = hd_attr_llvm_constant_range_upper(range) - 1;
  }
  return word;
}

static const hd_artifact_word *words_of(hd_op *kernel, uint32_t *out_count, hd_arena *arena) {
  const hd_block *entry = hd_op_region(kernel, 0)->first;
  hd_attr facts = hd_function_like_arg_attrs(kernel);
  *out_count = entry ? entry->arg_count : 0;
  hd_artifact_word *words = hd_new_array(arena, hd_artifact_word, *out_count + 1);
  for (uint32_t i = 0; i < *out_count; ++i)
    words[i] = word_of(entry->args[i]->type, i < hd_attr_count(facts) ? facts->array.items[i] : NULL);
  return words;
}

/* Bytes that launches may add: what they are known to, else all that a block has without a request for more. */
static uint32_t most_dynamic(hd_op *kernel, uint32_t shared) {
  int64_t known = hd_attr_int_or(hd_discardable_dynamic_shared_attr(kernel), -1);
  if (known >= 0 && known <= UINT32_MAX) return (uint32_t)known;
  return shared < DEFAULT_SHARED ? DEFAULT_SHARED - shared : 0;
}

/* A launch names the gpu.module, which has one kernel. */
static hd_status add_module(hd_op *kernels, hd_arena *arena, kernel_rows *rows) {
  uint32_t shared;
  bool dynamic;
  HD_TRY(shared_bytes(kernels, &shared, &dynamic));
  hd_op *kernel = NULL;
  hd_str name = hd_symbol_name(kernels);
  hd_for_each_op(op, hd_op_region(kernels, 0)->first) {
    if (!hd_op_is(op, HD_OP_llvm_func) || !hd_discardable_gpu_kernel(op)) continue;
    if (kernel)
      return hd_make_status(HD_INVALID_ARGUMENT, "gpu.module '%.*s' has several kernels, expected one", (int)name.len,
                            name.data);
    kernel = op;
  }
  if (!kernel) return HD_STATUS_OK;
  hd_str ops = hd_discardable_source(kernel);
  const char *place = hd_source_place(kernel->loc, arena);
  hd_artifact_device_kernel row = {
      .name = copy_text(name, arena),
      .symbol = copy_text(hd_symbol_name(kernel), arena),
      .source =
          ops.len ? hd_arena_printf(arena, "%.*s%s%s", (int)ops.len, ops.data, *place ? " at " : "", place) : place,
      .shared_static = shared,
      .registers = HD_NOT_KNOWN,
      .spill_bytes = HD_NOT_KNOWN};
  for (size_t i = 0; i < rows->len; ++i)
    if (!strcmp(rows->data[i].symbol, row.symbol))
      return hd_make_status(HD_INVALID_ARGUMENT, "gpu.modules '%s' and '%s' have kernels of one name, '%s'",
                            rows->data[i].name, row.name, row.symbol);
  row.words = words_of(kernel, &row.word_count, arena);
  if (dynamic) row.shared_dynamic = most_dynamic(kernel, shared);
  hd_attr block = hd_discardable_gpu_known_block_size(kernel);
  for (uint32_t d = 0; d < 3 && block; ++d) {
    int64_t size = hd_attr_int_at(block, d);
    if (size < 1 || size > HD_BLOCK_LIMIT)
      return hd_make_status(HD_INVALID_ARGUMENT, "kernel '%s': a block of %lld threads along a dim, expected 1 to %d",
                            row.symbol, (long long)size, (int)HD_BLOCK_LIMIT);
    row.block[d] = (uint32_t)size;
  }
  hd_vec_push(arena, rows, row);
  return HD_STATUS_OK;
}

static hd_status check_architecture(const hd_image_format *format, uint32_t architecture) {
  if (!format->architectures)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: has no architectures, got %u", format->driver, architecture);
  for (const uint32_t *known = format->architectures; *known; ++known)
    if (*known == architecture) return HD_STATUS_OK;
  if (format->subgroups)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: unknown size of subgroups %u, expected 32, or 1 for none",
                          format->driver, architecture);
  return hd_make_status(HD_INVALID_ARGUMENT, "%s: unknown architecture %u, expected 70 to 120, as 80 or 90",
                        format->driver, architecture);
}

typedef struct image_list {
  hd_vec(hd_artifact_image) images;
  kernel_rows rows;
} image_list;

static void add_image(image_list *list, hd_arena *arena, hd_artifact_image image, const kernel_rows *rows) {
  for (size_t k = 0; k < rows->len; ++k) {
    rows->data[k].image = (uint32_t)list->images.len;
    hd_vec_push(arena, &list->rows, rows->data[k]);
  }
  hd_vec_push(arena, &list->images, image);
}

static hd_status add_images(hd_module *module, const hd_device_request *request, uint32_t architecture,
                            const kernel_rows *rows, hd_arena *arena, image_list *list) {
  const hd_image_format *format = request->format;
  hd_str bytes, assembled;
  HD_TRY(format->compile(module, architecture, arena, &bytes));
  add_image(list, arena, (hd_artifact_image){format->driver, architecture, format->name, bytes.data, bytes.len}, rows);
  if (!request->assembler) return HD_STATUS_OK;
  kernel_rows known = {0};
  hd_vec_append(arena, &known, rows->data, rows->len);
  HD_TRY(format->assemble(request->assembler, bytes, architecture, arena, known.data, known.len, &assembled));
  hd_artifact_image image = {format->driver, architecture, format->assembled, assembled.data, assembled.len};
  add_image(list, arena, image, &known);
  return HD_STATUS_OK;
}

static hd_status check_request(const hd_device_request *request) {
  if (request->assembler && !request->format->assemble)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: its images are not assembled, got '%s'", request->format->driver,
                          request->assembler);
  for (size_t i = 0; i < request->architecture_count; ++i)
    HD_TRY(check_architecture(request->format, request->architectures[i]));
  return HD_STATUS_OK;
}

/* ---- subgroups ------------------------------------------------------------------------------------------------- */

static bool looks_for_lanes(hd_op *op, void *user) {
  bool *found = user;
  *found |= hd_op_has_trait(op, HD_TRAIT(BY_LANES));
  return !*found;
}

static bool goes_by_lanes(hd_module *module) {
  bool found = false;
  hd_for_each_op(op, hd_module_body(module))
    if (hd_op_is(op, HD_OP_gpu_module)) hd_walk_pre(op, looks_for_lanes, &found);
  return found;
}

/* The gpu.modules of |module| without exchanges between lanes, in a module of their own, the caller's to free. */
static hd_status without_lanes(hd_module *module, hd_arena *arena, hd_module **out) {
  hd_pipeline pipeline = {0};
  HD_TRY(hd_pipeline_parse(hd_passes(), HD_STR("subgroups-to-shared"), arena, &pipeline));
  *out = hd_module_create(module->context, module->op->loc);
  hd_for_each_op(op, hd_module_body(module)) {
    if (!hd_op_is(op, HD_OP_gpu_module)) continue;
    hd_op_append(hd_op_clone(*out, op, arena, NULL), hd_module_body(*out));
  }
  hd_status status = hd_pipeline_run(&pipeline, *out, NULL, NULL);
  if (hd_is_ok(status)) return status;
  hd_module_free(*out);
  *out = NULL;
  return status;
}

static hd_status rows_of(hd_module *module, hd_arena *arena, kernel_rows *rows) {
  hd_for_each_op(op, hd_module_body(module))
    if (hd_op_is(op, HD_OP_gpu_module)) HD_TRY(add_module(op, arena, rows));
  return HD_STATUS_OK;
}

static hd_status add_without_lanes(hd_module *module, const hd_device_request *request, hd_arena *arena,
                                   image_list *list) {
  hd_module *own;
  kernel_rows rows = {0};
  HD_TRY(without_lanes(module, arena, &own));
  hd_status status = rows_of(own, arena, &rows);
  if (hd_is_ok(status)) status = add_images(own, request, 1, &rows, arena, list);
  hd_module_free(own);
  return status;
}

/* ---- requests -------------------------------------------------------------------------------------------------- */

/* What |add_form| reports on the way, as warnings. */
typedef struct softened {
  hd_diagnostic_sink sink;
  void *user;
} softened;

static void soften(void *user, const hd_diagnostic *diagnostic) {
  const softened *s = user;
  hd_diagnostic weaker = *diagnostic;
  if (weaker.severity == HD_ERROR) weaker.severity = HD_WARNING;
  if (s && s->sink) s->sink(s->user, &weaker);
}

static hd_status add_form(hd_module *module, const hd_device_request *request, uint32_t architecture,
                          const kernel_rows *rows, hd_arena *arena, image_list *list) {
  bool without = request->format->subgroups && architecture == 1;
  return without ? add_without_lanes(module, request, arena, list)
                 : add_images(module, request, architecture, rows, arena, list);
}

/* Images for subgroups of each of |count| sizes that nobody asked for by name: one that cannot be made is left out,
 * with a warning, where there is another, and devices that have no image say so. */
static hd_status add_usual(hd_module *module, const hd_device_request *request, const uint32_t *architectures,
                           size_t count, const kernel_rows *rows, hd_arena *arena, image_list *list) {
  hd_context *context = module->context;
  softened s = {context->sink, context->sink_user};
  size_t errors = context->error_count, failed = 0;
  bool *fails = hd_new_array(arena, bool, count);
  context->sink = soften;
  context->sink_user = NULL;
  for (size_t i = 0; i < count; ++i) {
    hd_status status = add_form(module, request, architectures[i], rows, arena, list);
    failed += fails[i] = !hd_is_ok(status);
    hd_status_free(status);
  }
  context->sink_user = &s;
  for (size_t i = 0; i < count && failed < count; ++i) {
    if (!fails[i]) continue;
    hd_status status = add_form(module, request, architectures[i], rows, arena, list);
    hd_report(context, HD_WARNING, module->op->loc, "no image for devices %s subgroups of 32: %s",
              architectures[i] == 1 ? "without" : "with", hd_status_message(status));
    hd_status_free(status);
  }
  context->sink = s.sink;
  context->sink_user = s.user;
  context->error_count = errors;
  return failed < count ? HD_STATUS_OK : add_form(module, request, architectures[0], rows, arena, list);
}

static hd_status answer(hd_module *module, const hd_device_request *request, const kernel_rows *rows, hd_arena *arena,
                        image_list *list) {
  static const uint32_t one[] = {0};
  const hd_image_format *format = request->format;
  const uint32_t *architectures = request->architecture_count ? request->architectures
                                  : format->usual             ? format->usual
                                                              : one;
  size_t count = request->architecture_count ? request->architecture_count : 1;
  while (!request->architecture_count && architectures[count - 1] && architectures[count]) ++count;
  if (format->subgroups && !goes_by_lanes(module)) return add_images(module, request, 1, rows, arena, list);
  if (!request->architecture_count && count > 1)
    return add_usual(module, request, architectures, count, rows, arena, list);
  for (size_t i = 0; i < count; ++i) HD_TRY(add_form(module, request, architectures[i], rows, arena, list));
  return HD_STATUS_OK;
}

hd_status hd_device_images(hd_module *module, const hd_device_request *requests, size_t count, hd_arena *arena,
                           hd_artifact_program *code) {
  kernel_rows rows = {0};
  image_list list = {0};
  for (size_t i = 0; i < count; ++i) HD_TRY(check_request(&requests[i]));
  HD_TRY(rows_of(module, arena, &rows));
  if (!rows.len) return HD_STATUS_OK;
  for (size_t i = 0; i < count; ++i) HD_TRY(answer(module, &requests[i], &rows, arena, &list));
  code->images = list.images.data;
  code->image_count = (uint32_t)list.images.len;
  code->device_kernels = list.rows.data;
  code->device_kernel_count = (uint32_t)list.rows.len;
  return HD_STATUS_OK;
}
