/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/shape_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "driver/passes.h"
#include "driver/session.h"
#include "ir/builder.h"
#include "ir/dynamic_form.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "text/text.h"

/* ---- which numbers count --------------------------------------------------------------------------------------- */

bool hd_form_has_numbers(const hd_op *op, hd_ident name) {
  const hd_name *sizes = hd_opcode_size_attrs(hd_opcode_get(op));
  for (; sizes && *sizes != HD_NAME_COUNT; ++sizes)
    if (*sizes == name->name) return true;
  return false;
}

/* The value of all elements, where that is an integer or a whole float. */
static int64_t whole_value(hd_attr value) {
  hd_type element = hd_type_element(value->type);
  if (element->kind == HD_TYPE_INTEGER && element->integer.width > 1) return hd_attr_int_at(value, 0);
  const void *data = hd_attr_element_data(value, 0);
  double number = 0.5;
  if (hd_type_is_float(element, HD_F32)) {
    float single;
    memcpy(&single, data, sizeof single);
    number = single;
  } else if (hd_type_is_float(element, HD_F64)) {
    memcpy(&number, data, sizeof number);
  }
  if (!(number >= -16777216 && number <= 16777216) || (number == 0 && signbit(number))) return HD_NOT_WHOLE;
  return (double)(int64_t)number == number ? (int64_t)number : HD_NOT_WHOLE;
}

/* ---- the walk -------------------------------------------------------------------------------------------------- */

typedef struct walker {
  hd_arena *arena;
  hd_shape_form *form;
  hd_form_places *places;
  hd_hash128_state family;
  hd_map values;   /* value -> number + 1 */
  hd_map contents; /* attribute -> hash of its elements */
  int64_t value_count;
  hd_vec(int64_t) numbers;
  hd_vec(hd_form_constant) constants;
} walker;

static void put_word(walker *w, int64_t word) { hd_hash128_add(&w->family, &word, sizeof word); }
static void put_text(walker *w, const hd_strbuf *text) { hd_hash128_add_string(&w->family, hd_strbuf_text(text)); }

static void place(walker *w, hd_map *map, const void *key) {
  if (w->places) hd_map_insert(w->places->arena, map, key, NULL)->value.i64 = (int64_t)w->numbers.len + 1;
}

static void put_number(walker *w, int64_t number) { hd_vec_push(w->arena, &w->numbers, number); }

static void put_attr(walker *w, hd_attr attr) {
  hd_strbuf text;
  hd_strbuf_init(&text, w->arena);
  hd_text_print_attr(attr, &text);
  put_text(w, &text);
}

/* A type whose dims are numbers. */
static void put_type(walker *w, hd_type type) {
  hd_strbuf text;
  hd_strbuf_init(&text, w->arena);
  if (type->kind != HD_TYPE_TENSOR) {
    hd_text_print_type(type, &text);
    put_text(w, &text);
    return;
  }
  hd_text_print_type(type->shaped.element, &text);
  put_text(w, &text);
  put_word(w, hd_type_rank(type));
  for (uint32_t i = 0; i < hd_type_rank(type); ++i) put_number(w, hd_type_dim(type, i));
  if (type->shaped.encoding) put_attr(w, type->shaped.encoding);
}

static void put_value(walker *w, hd_value *value) {
  hd_map_insert(w->arena, &w->values, value, NULL)->value.i64 = ++w->value_count;
  if (w->places) place(w, &w->places->values, value);
  put_type(w, value->type);
}

/* Once per attribute: tables may be large, and used often. */
static hd_hash128 content_of(walker *w, hd_attr value, size_t size) {
  hd_map_entry *entry = hd_map_insert(w->arena, &w->contents, value, NULL);
  if (!entry->value.ptr) {
    hd_hash128 *content = hd_new(w->arena, hd_hash128);
    *content = hd_hash128_of(value->dense.data, size);
    entry->value.ptr = content;
  }
  return *(const hd_hash128 *)entry->value.ptr;
}

/* A constant's elements are no part of the structure: tables and numbers may follow from sizes, however they do. The
 * type is the result's, whose dims start at |dims|. */
static void put_constant(walker *w, hd_op *op, size_t dims, hd_attr value) {
  hd_form_constant constant = {.dims = dims, .whole = w->numbers.len};
  int64_t whole = HD_NOT_WHOLE;
  bool dense = hd_attr_is(value, HD_ATTR_DENSE) && value->type->kind == HD_TYPE_TENSOR;
  put_word(w, dense);
  if (dense) {
    int64_t elements = hd_type_num_elements(value->type);
    constant.rank = hd_type_rank(value->type);
    constant.empty = elements == 0;
    constant.splat = elements == 1 || (value->dense.splat && elements);
    constant.data = value->dense.data;
    constant.size = constant.empty ? 0 : value->dense.size;
    constant.content = content_of(w, value, constant.size);
    if (constant.splat) whole = whole_value(value);
  } else if (hd_attr_is(value, HD_ATTR_DENSE_RESOURCE)) {
    hd_map_entry *entry = hd_map_find_bytes(&hd_op_context(op)->resources, value->resource->text, value->resource->len);
    const hd_resource *resource = entry ? entry->value.ptr : NULL;
    if (resource) constant.content = hd_hash128_of(resource->data, resource->size);
  } else {
    put_attr(w, value);
  }
  put_number(w, whole);
  hd_vec_push(w->arena, &w->constants, constant);
  if (w->places)
    hd_map_insert(w->places->arena, &w->places->constants, op, NULL)->value.i64 = (int64_t)w->constants.len;
}

static void put_region(walker *w, hd_region *region);

static void put_op(walker *w, hd_op *op) {
  hd_hash128_add_string(&w->family, op->name->text);
  put_word(w, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_map_entry *entry = hd_map_find(&w->values, hd_operand(op, i));
    put_word(w, entry ? entry->value.i64 : 0);
  }
  size_t dims = w->numbers.len;
  put_word(w, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) put_value(w, hd_result(op, i));
  if (w->places) place(w, &w->places->ops, op);
  hd_for_each_attr(attr, op) {
    put_word(w, 1);
    hd_hash128_add_string(&w->family, attr.name->text);
    if (hd_op_is(op, HD_OP_stablehlo_constant) && attr.name == hd_name_ident(hd_op_context(op), HD_NAME_value)) {
      put_constant(w, op, dims, attr.value);
    } else if (hd_form_has_numbers(op, attr.name)) {
      size_t count = hd_attr_count(attr.value);
      put_word(w, (int64_t)count);
      for (size_t k = 0; k < count; ++k) put_number(w, hd_attr_int_at(attr.value, k));
    } else {
      put_attr(w, attr.value);
    }
  }
  put_word(w, 0);
  put_word(w, op->region_count);
  for (uint32_t r = 0; r < op->region_count; ++r) put_region(w, hd_op_region(op, r));
}

static void put_region(walker *w, hd_region *region) {
  hd_for_each_block(block, region) {
    put_word(w, block->arg_count);
    for (uint32_t i = 0; i < block->arg_count; ++i) put_value(w, block->args[i]);
    hd_for_each_op(op, block) put_op(w, op);
    put_word(w, -1);
  }
}

void hd_form_walk(hd_op *func, hd_arena *arena, hd_shape_form *form, hd_form_places *places) {
  walker w = {.arena = arena, .form = form, .places = places};
  hd_hash128_init(&w.family);
  hd_hash128_add_string(&w.family, "form");
  hd_attr attrs = hd_function_like_arg_attrs(func);
  if (attrs) put_attr(&w, attrs);
  hd_attr results = hd_function_like_res_attrs(func); /* names of results do not count */
  for (uint32_t i = 0; results && i < results->array.count; ++i) {
    hd_attr layout = hd_dict_get(results->array.items[i], HD_NAME_mhlo_layout_mode);
    if (layout) put_attr(&w, layout);
  }
  /* What collectives mean depends on how many processes there are. */
  hd_op *module = hd_op_parent(func);
  put_word(&w, hd_attr_int_or(hd_discardable_mhlo_num_partitions(module), 1));
  put_word(&w, hd_attr_int_or(hd_discardable_mhlo_num_replicas(module), 1));
  put_region(&w, hd_op_region(func, 0));
  form->family = hd_hash128_finish(&w.family);
  form->numbers = w.numbers.data;
  form->number_count = w.numbers.len;
  form->constants = w.constants.data;
  form->constant_count = w.constants.len;
  hd_hash128_state identity;
  hd_hash128_init(&identity);
  hd_hash128_add(&identity, &form->family, sizeof form->family);
  if (form->number_count) hd_hash128_add(&identity, form->numbers, form->number_count * sizeof *form->numbers);
  for (size_t i = 0; i < form->constant_count; ++i)
    hd_hash128_add(&identity, &form->constants[i].content, sizeof form->constants[i].content);
  form->identity = hd_hash128_finish(&identity);
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

/* Frameworks make equal constants one, at the front, and so the structure would tell which sizes happen to be equal.
 * Here each use has its own, before its op. */
static void give_uses_their_constants(hd_op *func, hd_arena *arena) {
  hd_op_list ops = hd_ops_where(func, NULL, arena);
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *op = ops.data[i];
    for (uint32_t k = 0; k < op->operand_count; ++k) {
      hd_op *constant = hd_value_op(hd_operand(op, k));
      if (!constant || !hd_op_is(constant, HD_OP_stablehlo_constant)) continue;
      hd_builder b = hd_builder_before(op);
      b.loc = constant->loc;
      hd_attr_arg value = {HD_NAME_value, hd_stablehlo_constant_value(constant)};
      hd_op_set_operand(op, k,
                        hd_build_one_(&b, HD_OP_stablehlo_constant, hd_result_type(constant, 0), NULL, 0, &value, 1));
    }
  }
  for (size_t i = 0; i < ops.len; ++i)
    if (hd_op_is(ops.data[i], HD_OP_stablehlo_constant)) hd_op_erase(ops.data[i]);
}

hd_status hd_form_load(hd_session *session, const void *program, size_t size, const char *name, const char *entry,
                       hd_arena *arena, hd_module **out_module, hd_op **out_func) {
  HD_TRY(hd_session_load(session, program, size, name, out_module));
  hd_pipeline pipeline = {0};
  HD_TRY(hd_pipeline_parse(hd_passes(), HD_STR("inline,disc-unused-function-removal"), arena, &pipeline));
  hd_pass_option option = {HD_STR("entry"), hd_str_of(entry ? entry : "")};
  for (size_t i = 0; entry && i < pipeline.steps.len; ++i) {
    pipeline.steps.data[i].options = &option;
    pipeline.steps.data[i].option_count = 1;
  }
  HD_TRY(hd_pipeline_run(&pipeline, *out_module, NULL, NULL));
  *out_func = NULL;
  hd_for_each_op(op, hd_module_body(*out_module))
    if (hd_op_is(op, HD_OP_func_func)) *out_func = op;
  if (!*out_func || !hd_op_region(*out_func, 0)->first || hd_op_region(*out_func, 0)->first->next)
    return hd_make_status(HD_INVALID_ARGUMENT, "the program has no entry of one block");
  give_uses_their_constants(*out_func, arena);
  return HD_STATUS_OK;
}

typedef struct reading {
  hd_session session;
  hd_module *module;
  hd_arena arena;
  const void *program;
  size_t size;
  const char *name, *entry;
  hd_shape_form *form;
} reading;

static void *copy_of(const void *data, size_t size) {
  void *copy = malloc(size + 1);
  if (copy && size) memcpy(copy, data, size);
  if (copy) ((char *)copy)[size] = 0;
  return copy;
}

/* The constants and their data, in one allocation; those of one attribute once. */
static hd_form_constant *copy_constants(hd_arena *arena, const hd_form_constant *constants, size_t count) {
  size_t size = count * sizeof *constants;
  hd_map offsets = {0}; /* data -> offset + 1 */
  for (size_t i = 0; i < count; ++i) {
    if (!constants[i].size || hd_map_find(&offsets, constants[i].data)) continue;
    hd_map_insert(arena, &offsets, constants[i].data, NULL)->value.i64 = (int64_t)size + 1;
    size += constants[i].size;
  }
  char *copy = malloc(size + 1);
  for (size_t i = 0; copy && i < count; ++i) {
    hd_form_constant *to = (hd_form_constant *)copy + i;
    *to = constants[i];
    if (!to->data) continue;
    to->data = copy + (to->size ? hd_map_find(&offsets, constants[i].data)->value.i64 - 1 : 0);
    if (to->size) memcpy((char *)to->data, constants[i].data, to->size);
  }
  return (hd_form_constant *)copy;
}

static hd_status read_form(void *argument) {
  reading *r = argument;
  hd_op *func;
  HD_TRY(hd_form_load(&r->session, r->program, r->size, r->name, r->entry, &r->arena, &r->module, &func));
  hd_shape_form *form = r->form;
  hd_form_walk(func, &r->arena, form, NULL);
  hd_block *block = hd_op_region(func, 0)->first;
  form->argument_count = block->arg_count;
  const int64_t *numbers = form->numbers;
  form->constants = copy_constants(&r->arena, form->constants, form->constant_count);
  form->numbers = NULL;
  form->argument_ranks = calloc(2 * (size_t)block->arg_count + 1, sizeof *form->argument_ranks);
  form->argument_starts = form->argument_ranks ? form->argument_ranks + block->arg_count : NULL;
  form->numbers = copy_of(numbers, form->number_count * sizeof *numbers);
  form->program = copy_of(r->program, r->size);
  form->program_size = r->size;
  form->name = copy_of(r->name, strlen(r->name));
  if (!form->argument_ranks || !form->numbers || !form->constants || !form->program || !form->name)
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  size_t at = 0;
  for (uint32_t i = 0; i < block->arg_count; ++i) {
    hd_type type = block->args[i]->type;
    form->argument_ranks[i] = type->kind == HD_TYPE_TENSOR ? hd_type_rank(type) : 0;
    form->argument_starts[i] = at;
    at += form->argument_ranks[i];
    if (type->kind == HD_TYPE_TENSOR && !hd_type_is_static(type))
      return hd_make_status(HD_FAILED_PRECONDITION, "argument %u has unknown dims already", i);
  }
  return HD_STATUS_OK;
}

hd_status hd_shape_form_create(const void *program, size_t size, const char *name, const hd_compile_options *options,
                               hd_message_sink sink, hd_shape_form **out_form) {
  HD_REQUIRE(out_form);
  *out_form = NULL;
  if (size) HD_REQUIRE(program);
  if (!name) name = "program";
  hd_compile_options known;
  HD_TRY(hd_compile_options_read(options, &known));
  reading r = {.program = program, .size = size, .name = name, .entry = known.entry};
  r.form = calloc(1, sizeof *r.form);
  if (!r.form) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_status status = hd_session_open(&r.session, &known, sink);
  if (hd_is_ok(status)) {
    hd_arena_init(&r.arena, &r.session.context->budget);
    status = hd_guarded_call(read_form, &r);
    hd_arena_free(&r.arena);
    hd_module_free(r.module);
    hd_session_close(&r.session);
  }
  if (hd_is_ok(status))
    *out_form = r.form;
  else
    hd_shape_form_release(r.form);
  return status;
}

void hd_shape_form_release(hd_shape_form *form) {
  if (!form) return;
  free(form->numbers);
  free(form->constants);
  free(form->argument_ranks);
  free(form->program);
  free(form->name);
  free(form);
}

const uint8_t *hd_shape_form_key(const hd_shape_form *form) { return form ? form->family.bytes : NULL; }
const uint8_t *hd_shape_form_identity(const hd_shape_form *form) { return form ? form->identity.bytes : NULL; }

const int64_t *hd_shape_form_argument(const hd_shape_form *form, size_t i, size_t *out_rank) {
  if (out_rank) *out_rank = 0;
  if (!form || i >= form->argument_count) return NULL;
  if (out_rank) *out_rank = form->argument_ranks[i];
  return form->numbers + form->argument_starts[i];
}

size_t hd_shape_form_unlike(const hd_shape_form *a, const hd_shape_form *b) {
  if (!a || !b || !hd_hash128_equal(&a->family, &b->family) || a->number_count != b->number_count ||
      a->constant_count != b->constant_count || a->argument_count != b->argument_count)
    return SIZE_MAX;
  size_t dims = 0, unlike = 0;
  for (size_t i = 0; i < a->argument_count; ++i) dims += a->argument_ranks[i];
  if (!dims || !memcmp(a->numbers, b->numbers, dims * sizeof *a->numbers)) return SIZE_MAX;
  for (size_t i = 0; i < a->constant_count; ++i) {
    const hd_form_constant *one = &a->constants[i], *other = &b->constants[i];
    bool whole = a->numbers[one->whole] != HD_NOT_WHOLE && b->numbers[other->whole] != HD_NOT_WHOLE;
    unlike += !whole && !one->empty && !other->empty && !hd_hash128_equal(&one->content, &other->content);
  }
  return unlike;
}
