/* SPDX-License-Identifier: Apache-2.0 */
/* The door: functions in the order of their first calls, what the header says, and the guard around it all. */
#include "hlo/import.h"
#include "text/text.h"

/* A function with its arguments and without its body, which import_functions fills. */
hd_op *hd_hlo_function_of(hd_hlo_reader *r, hd_hlo_computation *computation) {
  if (computation->func) return computation->func;
  hd_vec(hd_type) ins = {0};
  uint32_t outs;
  for (size_t i = 0; i < computation->params.len; ++i) {
    uint32_t count;
    hd_type *types = hd_hlo_leaf_types(r, &computation->insts.data[computation->params.data[i]].shape, &count);
    hd_vec_append(&r->scratch, &ins, types, count);
  }
  const hd_hlo_inst *root = &computation->insts.data[computation->root];
  hd_type *results = hd_hlo_leaf_types(r, &root->shape, &outs);
  hd_builder b = hd_builder_at_end(r->module, hd_module_body(r->module));
  b.loc = hd_hlo_loc(r, root);
  hd_type type = hd_type_function(r->context, ins.data, ins.len, results, outs);
  computation->func = hd_build_func(&b, computation->name, type, computation != r->entry);
  hd_vec_push(&r->scratch, &r->called, computation);
  return computation->func;
}

static bool fill_function(hd_hlo_reader *r, hd_hlo_computation *computation) {
  hd_block *body = hd_op_region(computation->func, 0)->first;
  hd_hlo_import s = {.r = r, .computation = computation, .b = hd_builder_at_end(r->module, body), .args = body->args};
  uint32_t next = 0;
  for (size_t i = 0; i < computation->params.len; ++i) {
    const hd_hlo_inst *param = &computation->insts.data[computation->params.data[i]];
    for (uint32_t k = 0; k < param->shape.leaves; ++k) body->args[next++]->loc = hd_hlo_loc(r, param);
  }
  hd_hlo_values root;
  if (!hd_hlo_import_body(&s, &root)) return false;
  s.b.loc = hd_hlo_loc(r, &computation->insts.data[computation->root]);
  hd_build_op(&s.b, HD_OP_func_return, root.data, root.count, NULL, 0, NULL, 0, 0);
  return true;
}

/* Attributes of the entry's arguments, gathered by leaf. */
typedef struct arguments {
  hd_hlo_reader *r;
  uint32_t count;
  hd_attr *attrs; /* dictionaries, null where empty */
} arguments;

static void say(arguments *a, uint32_t i, hd_name name, hd_attr value) {
  hd_context *context = a->r->context;
  hd_named_attr items[8] = {{hd_name_ident(context, name), value}};
  uint32_t count = 1;
  for (uint32_t k = 0; a->attrs[i] && k < a->attrs[i]->dict.count && count < 8; ++k)
    items[count++] = a->attrs[i]->dict.items[k];
  a->attrs[i] = hd_attr_dict(context, items, count);
}

/* The leaf that |path| inside of |shape| is; false when it is none or several. */
static bool leaf_at(const hd_hlo_shape *shape, const hd_hlo_ints *path, uint32_t *out) {
  *out = 0;
  for (size_t i = 0; i < path->len; ++i) {
    if (shape->type || path->data[i] < 0 || path->data[i] >= shape->count) return false;
    for (int64_t k = 0; k < path->data[i]; ++k) *out += shape->elements[k].leaves;
    shape = &shape->elements[path->data[i]];
  }
  return shape->type != NULL;
}

static bool argument_at(hd_hlo_reader *r, int64_t number, const hd_hlo_ints *path, uint32_t *out) {
  const hd_hlo_computation *entry = r->entry;
  if (number < 0 || number >= (int64_t)entry->params.len) return false;
  uint32_t first = 0;
  for (int64_t i = 0; i < number; ++i) first += entry->insts.data[entry->params.data[i]].shape.leaves;
  if (!leaf_at(&entry->insts.data[entry->params.data[number]].shape, path, out)) return false;
  *out += first;
  return true;
}

/* input_output_alias={ {0}: (1, {}, may-alias) }: result 0 may have the memory of parameter 1. */
static bool read_aliases(arguments *a, hd_hlo_cursor *c) {
  if (!hd_hlo_expect(c, '{')) return false;
  while (hd_hlo_next_is(c, '{')) {
    const char *at = c->at;
    hd_hlo_ints output, path;
    int64_t number;
    uint32_t result, argument;
    if (!hd_hlo_int_list(c, &output) || !hd_hlo_expect(c, ':') || !hd_hlo_expect(c, '(') || !hd_hlo_int(c, &number) ||
        !hd_hlo_expect(c, ',') || !hd_hlo_int_list(c, &path))
      return false;
    if (hd_hlo_accept(c, ',')) hd_hlo_word(c);
    if (!hd_hlo_expect(c, ')')) return false;
    if (!leaf_at(&a->r->entry->insts.data[a->r->entry->root].shape, &output, &result) ||
        !argument_at(a->r, number, &path, &argument))
      return hd_hlo_fail(a->r, at,
                         "expected an array of the result and one of a parameter, got none for parameter %lld",
                         (long long)number);
    say(a, argument, HD_NAME_tf_aliasing_output, hd_attr_i32(a->r->context, result));
    if (!hd_hlo_accept(c, ',')) break;
  }
  return hd_hlo_expect(c, '}');
}

/* buffer_donor={ (1, {}) } */
static bool read_donors(arguments *a, hd_hlo_cursor *c) {
  if (!hd_hlo_expect(c, '{')) return false;
  while (hd_hlo_next_is(c, '(')) {
    const char *at = c->at;
    hd_hlo_ints path;
    int64_t number;
    uint32_t argument;
    if (!hd_hlo_expect(c, '(') || !hd_hlo_int(c, &number) || !hd_hlo_expect(c, ',') || !hd_hlo_int_list(c, &path) ||
        !hd_hlo_expect(c, ')'))
      return false;
    if (!argument_at(a->r, number, &path, &argument))
      return hd_hlo_fail(a->r, at, "expected an array of a parameter, got none for parameter %lld", (long long)number);
    say(a, argument, HD_NAME_jax_buffer_donor, hd_attr_bool(a->r->context, true));
    if (!hd_hlo_accept(c, ',')) break;
  }
  return hd_hlo_expect(c, '}');
}

static bool read_count(hd_hlo_reader *r, hd_hlo_cursor *c, hd_name name) {
  const char *at = c->at;
  int64_t count;
  if (!hd_hlo_int(c, &count)) return false;
  if (count < 1 || count > INT32_MAX)
    return hd_hlo_fail(r, at, "expected a number of devices, got %lld", (long long)count);
  hd_op_attr_set(r->module->op, name, hd_attr_i32(r->context, count));
  return true;
}

/* entry_computation_layout={(f32[4]{0})->f32[4]{0}}: the layouts are the callers', the shapes are the entry's. */
static bool check_entry_layout(hd_hlo_reader *r, hd_hlo_cursor *c) {
  hd_hlo_signature said;
  return hd_hlo_expect(c, '{') && hd_hlo_expect(c, '(') && hd_hlo_parse_signature(c, &said) && hd_hlo_expect(c, '}') &&
         hd_hlo_check_signature(r, r->entry, &said);
}

static bool read_frontend_attributes(hd_hlo_reader *r, hd_hlo_cursor *c) {
  hd_attr dict = hd_hlo_read_dictionary(c);
  if (dict) hd_op_attr_set(r->module->op, HD_NAME_mhlo_frontend_attributes, dict);
  return dict != NULL;
}

/* What else XLA writes there says how it compiles: nothing here depends on it. What it does not write is said. */
static void drop(hd_hlo_reader *r, hd_str name) {
  static const char *const dropped[] = {"is_scheduled",
                                        "alias_passthrough_params",
                                        "allow_spmd_sharding_propagation_to_parameters",
                                        "allow_spmd_sharding_propagation_to_output",
                                        "use_auto_spmd_partitioning",
                                        "origin_recovery_table"};
  for (size_t i = 0; i < sizeof dropped / sizeof *dropped; ++i)
    if (hd_str_is(name, dropped[i])) return;
  hd_report(r->context, HD_REMARK, hd_hlo_place(r, name.data), "'%.*s' of a module has no meaning here", (int)name.len,
            name.data);
}

static bool read_header(arguments *a) {
  hd_hlo_reader *r = a->r;
  for (size_t i = 0; i < r->header.len; ++i) {
    hd_str name = r->header.data[i].name;
    hd_hlo_cursor c = hd_hlo_cursor_of(r, r->header.data[i].value);
    bool ok = true;
    if (hd_str_is(name, "input_output_alias"))
      ok = read_aliases(a, &c);
    else if (hd_str_is(name, "buffer_donor"))
      ok = read_donors(a, &c);
    else if (hd_str_is(name, "entry_computation_layout"))
      ok = check_entry_layout(r, &c);
    else if (hd_str_is(name, "replica_count"))
      ok = read_count(r, &c, HD_NAME_mhlo_num_replicas);
    else if (hd_str_is(name, "num_partitions"))
      ok = read_count(r, &c, HD_NAME_mhlo_num_partitions);
    else if (hd_str_is(name, "frontend_attributes"))
      ok = read_frontend_attributes(r, &c);
    else
      drop(r, name);
    if (!ok) return false;
  }
  return true;
}

static bool read_arguments(hd_hlo_reader *r) {
  const hd_hlo_computation *entry = r->entry;
  arguments a = {.r = r, .count = hd_op_region(entry->func, 0)->first->arg_count};
  a.attrs = hd_new_array(&r->scratch, hd_attr, a.count + 1);
  uint32_t next = 0;
  for (size_t i = 0; i < entry->params.len; ++i) {
    const hd_hlo_inst *param = &entry->insts.data[entry->params.data[i]];
    hd_str sharding = hd_hlo_find_attr(param, "sharding");
    if (sharding.data && param->shape.type)
      say(&a, next, hd_hlo_sharding_name(r), hd_attr_string(r->context, sharding));
    next += param->shape.leaves;
  }
  if (!read_header(&a)) return false;
  bool any = false;
  for (uint32_t i = 0; i < a.count; ++i) {
    any |= a.attrs[i] != NULL;
    if (!a.attrs[i]) a.attrs[i] = hd_attr_dict(r->context, NULL, 0);
  }
  if (any) hd_op_attr_set(entry->func, HD_NAME_arg_attrs, hd_attr_array(r->context, a.attrs, a.count));
  return true;
}

static bool ends_in(hd_str text, const char *end) {
  size_t len = strlen(end);
  return text.len >= len && !memcmp(text.data + text.len - len, end, len);
}

hd_name hd_hlo_sharding_name(const hd_hlo_reader *r) {
  return r->divided ? HD_NAME_hd_spmd_sharding : HD_NAME_mhlo_sharding;
}

bool hd_hlo_import_module(hd_hlo_reader *r) {
  /* Text without a header is named by its entry. */
  hd_str name = r->module_name.len ? r->module_name : r->entry->name;
  hd_op_attr_set(r->module->op, HD_NAME_sym_name, hd_attr_string(r->context, name));
  r->divided = ends_in(r->entry->name, "_spmd"); /* as XLA's partitioner names what it makes */
  hd_hlo_function_of(r, r->entry);
  for (size_t i = 0; i < r->called.len; ++i)
    if (!fill_function(r, r->called.data[i])) return false;
  return read_arguments(r);
}

static hd_status read_guarded(void *user) {
  hd_hlo_reader *r = user;
  r->module = hd_module_create(r->context, hd_loc_file(r->context, r->file, 0, 0));
  if (!hd_hlo_parse_module(r) || !hd_hlo_import_module(r)) return hd_failed(r->context);
  return HD_STATUS_OK;
}

hd_status hd_hlo_parse(hd_context *context, hd_str source, const char *file_name, hd_module **out_module) {
  *out_module = NULL;
  if (source.len > UINT32_MAX)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: programs of 4 GiB and more are not read", file_name);
  if (!source.len) source = HD_STR("");
  hd_text_install(context);
  hd_hlo_reader r = {.context = context, .source = source, .file = hd_str_of(file_name), .line = 1};
  r.counted = r.line_start = source.data;
  hd_scratch_init(&r.scratch, &context->budget);
  hd_status status = hd_guarded_call(read_guarded, &r);
  hd_arena_free(&r.scratch);
  if (!hd_is_ok(status)) {
    if (r.module) hd_module_free(r.module);
    return status;
  }
  *out_module = r.module;
  return HD_STATUS_OK;
}
