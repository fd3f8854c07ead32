/* SPDX-License-Identifier: Apache-2.0 */
/* The entry function as the artifact describes it: arguments, results, aliases and what the runtime checks. */
#include <stdio.h>
#include <string.h>

#include "driver/entry_describer.h"
#include "ir/element_types.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "ir/program_entry.h"

hd_op *hd_entry_function(hd_module *module) {
  hd_op *entry = hd_program_entry(module, HD_STR(""), NULL);
  if (hd_op_is(entry, HD_OP_func_func)) return entry;
  /* the one that is left of those that an option named */
  hd_for_each_op(op, hd_module_body(module)) {
    if (hd_op_is(op, HD_OP_func_func) && !hd_discardable_kernel(op)) return op;
  }
  return NULL;
}

static bool describe_tensor(hd_entry_describer *d, hd_op *func, hd_value *value, hd_artifact_tensor *out) {
  bool is_buffer = value->type->kind == HD_TYPE_MEMREF && hd_type_has_rank(value->type) && !value->type->shaped.layout;
  if (value->type->kind != HD_TYPE_TENSOR && !is_buffer)
    return hd_op_error(
        func, "has an argument or result that is no ranked tensor or dense buffer, which has no compiled path");
  out->name = "";
  out->type = hd_element_type_of(value->type->shaped.element);
  if (out->type == HD_ELEMENT_INVALID)
    return hd_op_error(func, "has an argument or result of an element type that the runtime does not have");
  out->rank = hd_type_rank(value->type);
  out->alias = HD_NO_INPUT;
  hd_artifact_dim *dims = hd_new_array(d->arena, hd_artifact_dim, out->rank);
  const hd_value_shape *shape = hd_shapes_get(d->shapes, value);
  for (uint32_t i = 0; i < out->rank; ++i) {
    hd_dim dim = hd_dim_resolve(&d->shapes->table, shape->dims[i]);
    dims[i].program = hd_entry_program_of(d, dim);
    dims[i].text = dims[i].program.len ? hd_entry_dim_text(d, dim) : "?";
  }
  out->dims = dims;
  return true;
}

static void collect_symbols(hd_entry_describer *d) {
  for (size_t i = 0; i < d->shapes->table.atoms.len; ++i) {
    hd_atom *atom = d->shapes->table.atoms.data[i];
    const hd_symbol_origin *origin = atom->origin;
    if (atom->kind != HD_ATOM_SYMBOL || atom->replacement || !hd_entry_is_argument_dim(d, origin)) continue;
    hd_entry_words w = {0};
    hd_entry_write_origin(d, &w, origin);
    hd_artifact_symbol symbol = {
        atom->name, (int32_t)origin->value->index, (int32_t)origin->index, {w.data, (uint32_t)w.len}};
    hd_vec_push(d->arena, &d->symbols, symbol);
    hd_map_insert(d->arena, &d->index, atom, NULL)->value.i64 = (int64_t)d->symbols.len;
  }
}

int64_t hd_bound_of_dim(hd_type type, uint32_t dim) {
  hd_attr encoding = type->shaped.encoding;
  bool is_bounds =
      hd_attr_is(encoding, HD_ATTR_STRUCT) && (encoding->structure.row == HD_STRUCT_stablehlo_bounds ||
                                               encoding->structure.row == HD_STRUCT_stablehlo_type_extensions);
  return is_bounds && hd_type_dim(type, dim) == HD_DYNAMIC
             ? hd_attr_int_at_or(encoding->structure.params[0], dim, HD_DYNAMIC)
             : HD_DYNAMIC;
}

static bool same_shape(hd_entry_describer *d, const hd_value *a, const hd_value *b) {
  if (a->type->shaped.element != b->type->shaped.element || hd_type_rank(a->type) != hd_type_rank(b->type))
    return false;
  for (uint32_t i = 0; i < hd_type_rank(a->type); ++i)
    if (!hd_dim_equal(&d->shapes->table, hd_shapes_dim(d->shapes, (hd_value *)a, i),
                      hd_shapes_dim(d->shapes, (hd_value *)b, i)))
      return false;
  return true;
}

static bool same_bytes(hd_entry_describer *d, hd_value *a, hd_value *b) {
  hd_dim_table *t = &d->shapes->table;
  hd_value *values[] = {a, b};
  hd_dim bytes[2];
  for (int i = 0; i < 2; ++i) {
    hd_dim each = hd_dim_const(t, (int64_t)hd_type_element_bytes(values[i]->type->shaped.element));
    hd_dim elements = hd_shapes_num_elements(d->shapes, values[i]);
    if (!elements) return false;
    bytes[i] = hd_dim_mul(t, each, elements);
  }
  return hd_dim_equal(t, bytes[0], bytes[1]);
}

/* Arguments marked for donation: tf.aliasing_output names the result, jax.buffer_donor leaves the choice to us, which
 * is the first result of the same type and dims that no other argument has. Where there is none, it is given up for one
 * of as many bytes, whose memory is its own all the same: a caller that counts on the donation expects no more. */
static void describe_aliases(hd_entry_describer *d, hd_op *func, hd_op *ret, hd_artifact_tensor *inputs,
                             hd_artifact_tensor *outputs) {
  hd_attr attrs = hd_function_like_arg_attrs(func);
  bool *matched = hd_new_array(d->arena, bool, ret->operand_count + 1u);
  enum { NAMED, SAME_SHAPE, SAME_BYTES, PASSES };
  for (int pass = 0; attrs && pass < PASSES; ++pass)
    for (uint32_t i = 0; i < d->entry->arg_count && i < attrs->array.count; ++i) {
      hd_attr named = hd_dict_get(attrs->array.items[i], pass ? HD_NAME_jax_buffer_donor : HD_NAME_tf_aliasing_output);
      if (pass == NAMED && hd_attr_is(named, HD_ATTR_INTEGER)) {
        int64_t k = named->integer;
        if (k >= 0 && k < (int64_t)ret->operand_count &&
            same_shape(d, d->entry->args[i], hd_operand(ret, (uint32_t)k))) {
          outputs[k].alias = (int32_t)i;
          matched[k] = true;
        }
      }
      for (uint32_t k = 0; pass != NAMED && named && inputs[i].alias != (int32_t)i && k < ret->operand_count; ++k) {
        hd_value *result = hd_operand(ret, k);
        if (matched[k] ||
            !(pass == SAME_SHAPE ? same_shape(d, d->entry->args[i], result) : same_bytes(d, d->entry->args[i], result)))
          continue;
        matched[k] = true;
        inputs[i].alias = (int32_t)i;
        if (pass == SAME_SHAPE) outputs[k].alias = (int32_t)i;
      }
    }
}

/* A framework may ask for an order of dims in memory, minor to major as "{1,0}" (mhlo.layout_mode). There is one. */
static bool check_layout(hd_op *func, hd_name list, const char *what, uint32_t index, uint32_t rank) {
  hd_attr attrs = hd_op_attr_get(func, list);
  hd_attr mode =
      attrs && index < attrs->array.count ? hd_dict_get(attrs->array.items[index], HD_NAME_mhlo_layout_mode) : NULL;
  if (!hd_attr_is(mode, HD_ATTR_STRING) || mode->string->text[0] != '{') return true; /* "default", "auto" */
  char expected[4 * HD_MAX_RANK + 2];
  size_t used = 0;
  expected[used++] = '{';
  for (uint32_t d = rank; d-- > 0;)
    used += (size_t)snprintf(expected + used, sizeof expected - used, d ? "%u," : "%u", d);
  expected[used++] = '}';
  expected[used] = 0;
  return !strcmp(mode->string->text, expected) ||
         hd_op_error(func, "has %s %u laid out as %s, dims from minor to major; expected row major, %s", what, index,
                     mode->string->text, expected);
}

/* Of a function on buffers, which may have several blocks: its returns give the same types. */
static hd_op *first_return(hd_op *func) {
  hd_for_each_block(block, hd_op_region(func, 0))
    if (hd_op_is(block->last, HD_OP_func_return)) return block->last;
  return NULL;
}

bool hd_entry_describe(hd_op *func, hd_arena *arena, hd_artifact_entry *out) {
  /* A caller's own pipeline may not have looked. */
  if (!hd_op_region(func, 0)->first) return hd_op_error(func, "is the entry: expected a body, got a declaration");
  hd_entry_describer d = {.shapes = hd_shapes_of(func, arena), .arena = arena, .entry = hd_op_region(func, 0)->first};
  hd_op *ret = first_return(func);
  if (!ret) return hd_op_error(func, "is the entry: expected a return in it, got none");
  collect_symbols(&d);
  hd_artifact_tensor *inputs = hd_new_array(arena, hd_artifact_tensor, d.entry->arg_count),
                     *outputs = hd_new_array(arena, hd_artifact_tensor, ret->operand_count);
  for (uint32_t i = 0; i < d.entry->arg_count; ++i)
    if (!describe_tensor(&d, func, d.entry->args[i], &inputs[i]) ||
        !check_layout(func, HD_NAME_arg_attrs, "argument", i, inputs[i].rank))
      return false;
  for (uint32_t i = 0; i < d.entry->arg_count; ++i) hd_entry_describe_bounds(&d, i, d.entry->args[i]->type);
  for (uint32_t i = 0; i < ret->operand_count; ++i)
    if (!describe_tensor(&d, func, hd_operand(ret, i), &outputs[i]) ||
        !check_layout(func, HD_NAME_res_attrs, "result", i, outputs[i].rank))
      return false;
  describe_aliases(&d, func, ret, inputs, outputs);
  for (size_t i = 0; i < d.shapes->assertions.len; ++i)
    if (!hd_entry_describe_assertion(&d, &d.shapes->assertions.data[i])) return false;
  for (size_t i = 0; i < d.shapes->fits.len; ++i)
    if (!hd_entry_describe_fit(&d, &d.shapes->fits.data[i])) return false;
  for (size_t i = 0; i < d.shapes->guards.len; ++i)
    if (!hd_entry_describe_guard(&d, &d.shapes->guards.data[i])) return false;
  hd_str name = hd_symbol_name(func);
  *out = (hd_artifact_entry){.name = hd_arena_copy(arena, name.data, name.len),
                             .input_count = d.entry->arg_count,
                             .output_count = ret->operand_count,
                             .symbol_count = (uint32_t)d.symbols.len,
                             .constraint_count = (uint32_t)d.constraints.len,
                             .inputs = inputs,
                             .outputs = outputs,
                             .symbols = d.symbols.data,
                             .constraints = d.constraints.data};
  return true;
}
