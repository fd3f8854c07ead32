/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of instructions: those of the row by their kinds, and those that every instruction may have. */
#include "hlo/import.h"

hd_str hd_hlo_find_attr(const hd_hlo_inst *inst, const char *name) {
  for (uint32_t i = 0; i < inst->attr_count; ++i)
    if (hd_str_is(inst->attrs[i].name, name)) return inst->attrs[i].value;
  return (hd_str){0};
}

hd_attr hd_hlo_matrix(hd_context *context, const int64_t *values, size_t rows, size_t columns) {
  hd_type type = hd_type_tensor(hd_i64(context), (int64_t[]){(int64_t)rows, (int64_t)columns}, 2, NULL);
  return hd_attr_dense(type, values, rows * columns * sizeof *values, false);
}

static bool read_bool(hd_hlo_cursor *c, bool *out) {
  hd_hlo_cursor look = *c;
  hd_str word = hd_hlo_word(c);
  *out = hd_str_is(word, "true");
  return *out || hd_str_is(word, "false") || hd_hlo_expected(&look, "true or false");
}

static bool same_letters(hd_str a, hd_str b) {
  if (a.len != b.len) return false;
  for (size_t i = 0; i < a.len; ++i)
    if ((a.data[i] | 32) != (b.data[i] | 32)) return false;
  return true;
}

static hd_attr read_enum(hd_hlo_cursor *c, int row, const char *prefix) {
  hd_hlo_cursor look = *c;
  hd_str word = hd_hlo_word(c);
  size_t skipped = prefix && hd_str_starts(word, prefix) ? strlen(prefix) : 0;
  word = (hd_str){word.data + skipped, word.len - skipped};
  for (int64_t value = 0; value < 32 && word.len; ++value) {
    hd_str name = hd_enum_case_name(row, value);
    if (!name.len || !same_letters(name, word)) continue;
    bool is_int = !strcmp(hd_attr_row_info_of(row)->format, "int32");
    return is_int ? hd_attr_i32(c->r->context, value) : hd_attr_enum(c->r->context, row, value);
  }
  hd_hlo_expected(&look, hd_attr_row_info_of(row)->params);
  return NULL;
}

static hd_attr read_precision(hd_hlo_cursor *c) {
  hd_attr items[16];
  size_t count = 0;
  if (!hd_hlo_expect(c, '{')) return NULL;
  do {
    if (count == 16) {
      hd_hlo_fail(c->r, c->at, "expected at most 16 precisions, got more");
      return NULL;
    }
    if (!(items[count++] = read_enum(c, HD_ENUM_stablehlo_precision, ""))) return NULL;
  } while (hd_hlo_accept(c, ','));
  return hd_hlo_expect(c, '}') ? hd_attr_array(c->r->context, items, count) : NULL;
}

/* {{0}: (1, {}), {1}: (0, {0}, may-alias)} */
static hd_attr read_aliases(hd_hlo_cursor *c) {
  hd_context *context = c->r->context;
  hd_vec(hd_attr) items = {0};
  if (!hd_hlo_expect(c, '{')) return NULL;
  while (hd_hlo_next_is(c, '{')) {
    hd_hlo_ints output, operand;
    int64_t number;
    if (!hd_hlo_int_list(c, &output) || !hd_hlo_expect(c, ':') || !hd_hlo_expect(c, '(') || !hd_hlo_int(c, &number) ||
        !hd_hlo_expect(c, ',') || !hd_hlo_int_list(c, &operand))
      return NULL;
    if (hd_hlo_accept(c, ',') && !hd_hlo_word(c).len) return hd_hlo_expected(c, "how it aliases"), NULL;
    if (!hd_hlo_expect(c, ')')) return NULL;
    hd_attr params[] = {output.len ? hd_attr_i64_array(context, output.data, output.len) : NULL,
                        hd_attr_i64(context, number),
                        operand.len ? hd_attr_i64_array(context, operand.data, operand.len) : NULL};
    for (int i = 0; i < 3; i += 2)
      if (!params[i]) params[i] = hd_attr_i64_array(context, NULL, 0);
    hd_vec_push(&c->r->scratch, &items, hd_attr_struct(context, HD_STRUCT_stablehlo_output_operand_alias, params, 3));
    if (!hd_hlo_accept(c, ',')) break;
  }
  return hd_hlo_expect(c, '}') ? hd_attr_array(context, items.data, items.len) : NULL;
}

static hd_attr read_dims(hd_hlo_cursor *c) {
  hd_hlo_ints list;
  if (!hd_hlo_int_list(c, &list)) return NULL;
  return hd_attr_i64_array(c->r->context, list.data, list.len);
}

static hd_attr read_dim(hd_hlo_cursor *c) {
  hd_hlo_ints list;
  const char *at = c->at;
  if (!hd_hlo_int_list(c, &list)) return NULL;
  if (list.len == 1) return hd_attr_i64(c->r->context, list.data[0]);
  hd_hlo_fail(c->r, at, "expected one dim, got %zu", list.len);
  return NULL;
}

static hd_attr read_int(hd_hlo_cursor *c, hd_type type) {
  int64_t value;
  const char *at = c->at;
  if (!hd_hlo_int(c, &value)) return NULL;
  if (type->integer.width == 64 || value == (int32_t)value) return hd_attr_integer(type, value);
  hd_hlo_fail(c->r, at, "expected a number of 32 bits, got %lld", (long long)value);
  return NULL;
}

static hd_attr read_channel(hd_hlo_cursor *c) {
  int64_t value;
  if (!hd_hlo_int(c, &value)) return NULL;
  hd_attr params[] = {hd_attr_i64(c->r->context, value), hd_attr_i64(c->r->context, 0)};
  return hd_attr_struct(c->r->context, HD_STRUCT_stablehlo_channel_handle, params, 2);
}

/* A float as literals write it. */
static hd_attr read_float(hd_hlo_cursor *c) {
  hd_type f32 = hd_f32(c->r->context);
  hd_attr value = hd_hlo_literal(c->r, hd_type_tensor(f32, NULL, 0, NULL), (hd_str){c->at, (size_t)(c->end - c->at)});
  double number;
  c->at = c->end;
  return value && hd_attr_splat_float(value, &number) ? hd_attr_float(f32, number) : NULL;
}

static hd_attr read_string(hd_hlo_cursor *c) {
  hd_str text;
  return hd_hlo_string(c, &text) ? hd_attr_string(c->r->context, text) : NULL;
}

/* Null when it reported an error, or for a false unit. */
static hd_attr read_kind(hd_hlo_cursor *c, const hd_hlo_attr_row *row) {
  hd_context *context = c->r->context;
  hd_str value_text;
  bool value;
  switch (row->kind) {
    case HD_HLO_DIMS:
      return read_dims(c);
    case HD_HLO_DIM:
      return read_dim(c);
    case HD_HLO_I64:
      return read_int(c, hd_i64(context));
    case HD_HLO_I32:
      return read_int(c, hd_i32(context));
    case HD_HLO_BOOL:
      return read_bool(c, &value) ? hd_attr_bool(context, value) : NULL;
    case HD_HLO_UNIT:
      return read_bool(c, &value) && value ? hd_attr_unit(context) : NULL;
    case HD_HLO_FLOAT:
      return read_float(c);
    case HD_HLO_ENUM:
      return read_enum(c, row->row, row->prefix);
    case HD_HLO_STRING:
      return read_string(c);
    case HD_HLO_PRECISION:
      return read_precision(c);
    case HD_HLO_GROUPS:
      return hd_hlo_read_groups(c);
    case HD_HLO_PAIRS:
      return hd_hlo_read_lists(c);
    case HD_HLO_CHANNEL:
      return read_channel(c);
    case HD_HLO_ALIASES:
      return read_aliases(c);
    case HD_HLO_ALGORITHM:
      return hd_hlo_read_algorithm(c);
    case HD_HLO_ACCURACY:
      return hd_hlo_read_accuracy(c);
    case HD_HLO_RAW:
      value_text = (hd_str){c->at, (size_t)(c->end - c->at)};
      c->at = c->end;
      return hd_attr_string(context, value_text);
    default:
      return NULL;
  }
}

static hd_attr missing_value(hd_context *context, const hd_hlo_attr_row *row) {
  switch (row->kind) {
    case HD_HLO_DIMS:
      return hd_attr_i64_array(context, NULL, 0);
    case HD_HLO_I64:
      return hd_attr_i64(context, 0);
    case HD_HLO_BOOL:
      return hd_attr_bool(context, false);
    default:
      return NULL;
  }
}

/* The parts of one struct attribute, those that are missing or empty left out. */
static void set_part(hd_context *context, hd_hlo_attr_args *args, const hd_hlo_attr_row *row, hd_attr value) {
  hd_attr params[8] = {0};
  hd_signature_list list = hd_signature_parse_list(context, hd_attr_row_info_of(row->row)->params);
  hd_attr_arg *arg = NULL;
  for (size_t i = 0; i < args->len; ++i)
    if (args->data[i].name == row->attr) arg = &args->data[i];
  if (arg)
    memcpy(params, arg->value->structure.params, list.count * sizeof *params);
  else
    arg = &args->data[args->len++];
  if (value && value->kind == HD_ATTR_DENSE_ARRAY && !value->dense.count) value = NULL;
  params[row->param] = value;
  *arg = (hd_attr_arg){row->attr, hd_attr_struct(context, row->row, params, list.count)};
}

static const hd_hlo_attr_row *find_row(const hd_hlo_inst *inst, hd_str name) {
  for (const hd_hlo_attr_row *row = inst->row ? inst->row->attrs : NULL; row && row->name; ++row)
    if (hd_str_is(name, row->name)) return row;
  return NULL;
}

hd_attr hd_hlo_read_dictionary(hd_hlo_cursor *c) {
  hd_vec(hd_named_attr) items = {0};
  if (!hd_hlo_expect(c, '{')) return NULL;
  while (!hd_hlo_next_is(c, '}')) {
    hd_str name, value;
    if (!hd_hlo_name(c, "an attribute", &name) || !hd_hlo_expect(c, '=')) return NULL;
    if (hd_hlo_next_is(c, '"') ? !hd_hlo_string(c, &value) : !hd_hlo_skip_value(c, &value)) return NULL;
    hd_named_attr item = {hd_ident_get(c->r->context, name), hd_attr_string(c->r->context, value)};
    hd_vec_push(&c->r->scratch, &items, item);
    if (!hd_hlo_accept(c, ',')) break;
  }
  return hd_hlo_expect(c, '}') ? hd_attr_dict(c->r->context, items.data, items.len) : NULL;
}

/* What every instruction may have. Metadata is the op's location (import.c). */
static bool read_common(hd_hlo_reader *r, const hd_hlo_inst *inst, const hd_hlo_attr *attr, hd_hlo_attr_args *out) {
  static const char *const dropped[] = {"metadata",       "control-predecessors",   "statistics",     "origin",
                                        "original_value", "async_execution_thread", "result_accuracy"};
  hd_context *context = r->context;
  for (size_t i = 0; i < sizeof dropped / sizeof *dropped; ++i)
    if (hd_str_is(attr->name, dropped[i])) return true;
  if (hd_str_is(attr->name, "sharding")) {
    out->data[out->len++] = (hd_attr_arg){hd_hlo_sharding_name(r), hd_attr_string(context, attr->value)};
  } else if (hd_str_is(attr->name, "backend_config")) {
    out->data[out->len++] = (hd_attr_arg){HD_NAME_mhlo_backend_config, hd_attr_string(context, attr->value)};
  } else if (hd_str_is(attr->name, "frontend_attributes")) {
    hd_hlo_cursor c = hd_hlo_cursor_of(r, attr->value);
    hd_attr dict = hd_hlo_read_dictionary(&c);
    if (!dict) return false;
    out->data[out->len++] = (hd_attr_arg){HD_NAME_mhlo_frontend_attributes, dict};
  } else {
    return hd_hlo_fail(r, attr->name.data, "expected an attribute of '%.*s', got '%.*s'", (int)inst->opcode.len,
                       inst->opcode.data, (int)attr->name.len, attr->name.data);
  }
  return true;
}

static bool read_one(hd_hlo_reader *r, const hd_hlo_inst *inst, const hd_hlo_attr *attr, hd_hlo_attr_args *out) {
  const hd_hlo_attr_row *row = find_row(inst, attr->name);
  if (!row) return read_common(r, inst, attr, out);
  if (row->kind == HD_HLO_OTHER || row->kind == HD_HLO_DROPPED) return true;
  if (row->kind == HD_HLO_ALGORITHM && hd_str_is(attr->value, "unset")) return true;
  hd_hlo_cursor c = hd_hlo_cursor_of(r, attr->value);
  hd_attr value = read_kind(&c, row);
  if (!value) {
    if (row->kind == HD_HLO_UNIT && !r->failed) return true;
    return hd_hlo_fail(r, attr->value.data, "expected a value of '%s', got '%.*s'", row->name, (int)attr->value.len,
                       attr->value.data);
  }
  if (!hd_hlo_at_end(&c, "the attribute")) return false;
  if (row->kind == HD_HLO_BOOL && !row->always && !hd_attr_bool_or(value, false)) return true; /* as when absent */
  if (row->param >= 0)
    set_part(r->context, out, row, value);
  else
    out->data[out->len++] = (hd_attr_arg){row->attr, value};
  return true;
}

static bool is_first(const hd_hlo_inst *inst, uint32_t i) {
  for (uint32_t k = 0; k < i; ++k)
    if (hd_str_equal(inst->attrs[k].name, inst->attrs[i].name)) return false;
  return true;
}

bool hd_hlo_read_attrs(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *out) {
  hd_hlo_reader *r = s->r;
  out->len = 0;
  for (uint32_t i = 0; i < inst->attr_count; ++i) {
    const hd_hlo_attr *attr = &inst->attrs[i];
    if (!is_first(inst, i))
      return hd_hlo_fail(r, attr->name.data, "expected each attribute once, got a second '%.*s'", (int)attr->name.len,
                         attr->name.data);
    if (out->len == sizeof out->data / sizeof *out->data)
      return hd_hlo_fail(r, attr->name.data, "expected at most %zu attributes, got more", out->len);
    if (!read_one(r, inst, attr, out)) return false;
  }
  for (const hd_hlo_attr_row *row = inst->row->attrs; row->name; ++row) {
    if (hd_hlo_find_attr(inst, row->name).data) continue;
    if (row->param >= 0 && row->kind == HD_HLO_I64)
      set_part(r->context, out, row, hd_attr_i64(r->context, 0));
    else if (row->param >= 0)
      set_part(r->context, out, row, NULL);
    else if (row->always && missing_value(r->context, row))
      out->data[out->len++] = (hd_attr_arg){row->attr, missing_value(r->context, row)};
  }
  return true;
}

bool hd_hlo_add_attr(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *attrs, hd_name name, hd_attr value) {
  if (attrs->len == sizeof attrs->data / sizeof *attrs->data)
    return hd_hlo_fail(s->r, inst->at, "expected at most %zu attributes, got more", attrs->len);
  attrs->data[attrs->len++] = (hd_attr_arg){name, value};
  return true;
}
