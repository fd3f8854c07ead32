/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions whose sizes come while the program runs, and scans. */
#include "hlo/import.h"
#include "ir/ops/stablehlo.h"

/* A value carried along a dim. The last |num_carries| operands and results are the carries. */
bool hd_hlo_import_scan(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_hlo_computation *body = hd_hlo_find_computation(s, inst, "to_apply");
  hd_value **values;
  uint32_t count, results;
  hd_hlo_attr_args attrs;
  int64_t carries;
  if (!body || !hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, hd_hlo_find_attr(inst, "num_carries"));
  if (!c.at) return hd_hlo_fail(s->r, inst->at, "expected 'num_carries=', got none");
  const char *at = c.at;
  if (!hd_hlo_int(&c, &carries) || !hd_hlo_at_end(&c, "the number of carries")) return false;
  hd_type *types = hd_hlo_leaf_types(s->r, &inst->shape, &results);
  if (carries < 0 || carries > count || carries > results)
    return hd_hlo_fail(s->r, at, "expected at most %u carries, those of %u operands and %u results, got %lld",
                       count < results ? count : results, count, results, (long long)carries);
  hd_context *context = s->b.context;
  int32_t operand_sizes[] = {(int32_t)(count - carries), (int32_t)carries};
  int32_t result_sizes[] = {(int32_t)(results - carries), (int32_t)carries};
  if (!hd_hlo_add_attr(s, inst, &attrs, HD_NAME_operandSegmentSizes, hd_attr_i32_array(context, operand_sizes, 2)) ||
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_resultSegmentSizes, hd_attr_i32_array(context, result_sizes, 2)))
    return false;
  int64_t dim = -1;
  for (size_t i = 0; i < attrs.len; ++i)
    if (attrs.data[i].name == HD_NAME_dimension) dim = hd_attr_int_or(attrs.data[i].value, -1);
  if (dim < 0)
    return hd_hlo_fail(s->r, inst->at, "expected 'dimensions={}' with the dim of the scan, got %lld", (long long)dim);
  bool only_outputs = !operand_sizes[0] && result_sizes[0] && hd_type_is_tensor(types[0]);
  if (only_outputs && dim < hd_type_rank(types[0]) && hd_type_dim(types[0], (uint32_t)dim) >= 0 &&
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_scan_dim_size,
                       hd_attr_i64(context, hd_type_dim(types[0], (uint32_t)dim))))
    return false;
  hd_op *op = hd_hlo_make(s, inst, HD_OP_chlo_scan, values, count, &attrs, 1);
  return op && hd_hlo_import_region(s, inst, body, hd_op_region(op, 0));
}

/* dynamic-reshape(x, n, m): the sizes are scalars, which become the elements of a shape. */
bool hd_hlo_import_dynamic_reshape(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values, *operands[2];
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  hd_type type = inst->shape.type;
  if (!type || !hd_type_is_tensor(type) || !hd_type_rank(type) || count != hd_type_rank(type) + 1)
    return hd_hlo_fail(s->r, inst->at,
                       "expected an array and a size for each dim of the result, got %u operands for %s", count,
                       type ? hd_hlo_type_text(s->r, type) : "a tuple");
  for (uint32_t i = 1; i < count; ++i)
    if (!hd_type_is_scalar(values[i]->type) || values[i]->type != values[1]->type ||
        !hd_type_is(hd_type_element(values[i]->type), HD_TYPE_INTEGER))
      return hd_hlo_fail(s->r, inst->at, "expected a scalar of integers, as the others are, as size %u, got %s", i - 1,
                         hd_hlo_type_text(s->r, values[i]->type));
  s->b.loc = hd_hlo_loc(s->r, inst);
  hd_type element = hd_type_element(values[1]->type);
  hd_type one = hd_type_tensor(element, (int64_t[]){1}, 1, NULL);
  for (uint32_t i = 1; i < count; ++i) values[i] = hd_stablehlo_reshape(&s->b, one, values[i]);
  operands[0] = values[0];
  operands[1] = values[1];
  if (count > 2) operands[1] = hd_stablehlo_concatenate(&s->b, 0, values + 1, count - 1);
  hd_hlo_make(s, inst, HD_OP_stablehlo_dynamic_reshape, operands, 2, &attrs, 0);
  return true;
}

/* The elements of |vector| as scalars. */
static void take_apart(hd_hlo_import *s, hd_value *vector, hd_value **out) {
  hd_type element = hd_type_element(vector->type);
  hd_type scalar = hd_type_tensor(element, NULL, 0, NULL);
  for (int64_t i = 0; i < hd_type_dim(vector->type, 0); ++i) {
    int64_t end = i + 1, step = 1;
    hd_value *x =
        hd_stablehlo_slice(&s->b, hd_attr_i64_array(s->b.context, &i, 1), hd_attr_i64_array(s->b.context, &end, 1),
                           hd_attr_i64_array(s->b.context, &step, 1), vector);
    out[i] = hd_stablehlo_reshape(&s->b, scalar, x);
  }
}

/* Where a slice begins is a scalar for each dim, in older text one vector of them. */
bool hd_hlo_import_dynamic_slice(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values, *scalars[HD_MAX_RANK + 2];
  uint32_t count, arrays = inst->row->opcode == HD_OP_stablehlo_dynamic_slice ? 1 : 2;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  hd_type start = count == arrays + 1 ? values[arrays]->type : NULL;
  if (start && hd_type_is_tensor(start) && hd_type_rank(start) == 1 && hd_type_dim(start, 0) >= 0 &&
      hd_type_dim(start, 0) <= HD_MAX_RANK) {
    s->b.loc = hd_hlo_loc(s->r, inst);
    for (uint32_t i = 0; i < arrays; ++i) scalars[i] = values[i];
    take_apart(s, values[arrays], scalars + arrays);
    count = arrays + (uint32_t)hd_type_dim(start, 0);
    values = scalars;
  }
  hd_hlo_make(s, inst, inst->row->opcode, values, count, &attrs, 0);
  return true;
}

/* The largest elements where it does not say which. */
bool hd_hlo_import_topk(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  for (size_t i = 0; i < attrs.len; ++i)
    if (attrs.data[i].name == HD_NAME_largest && !hd_hlo_find_attr(inst, "largest").data)
      attrs.data[i].value = hd_attr_bool(s->b.context, true);
  hd_hlo_make(s, inst, inst->row->opcode, values, count, &attrs, 0);
  return true;
}

/* What StableHLO has as a custom call of that name, the groups in its configuration. */
bool hd_hlo_import_ragged_all_to_all(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_context *context = s->b.context;
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs, kept = {.len = 0};
  hd_named_attr config[2];
  size_t configs = 0;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  for (size_t i = 0; i < attrs.len; ++i) {
    hd_attr_arg attr = attrs.data[i];
    if (attr.name == HD_NAME_replica_groups || attr.name == HD_NAME_channel_id)
      config[configs++] = (hd_named_attr){hd_name_ident(context, attr.name), attr.value};
    else
      kept.data[kept.len++] = attr;
  }
  if (!hd_hlo_add_attr(s, inst, &kept, HD_NAME_call_target_name, hd_attr_cstring(context, HD_HLO_RAGGED_ALL_TO_ALL)) ||
      !hd_hlo_add_attr(s, inst, &kept, HD_NAME_api_version, hd_attr_i32(context, 4)) ||
      !hd_hlo_add_attr(s, inst, &kept, HD_NAME_backend_config, hd_attr_dict(context, config, configs)))
    return false;
  hd_hlo_make(s, inst, HD_OP_stablehlo_custom_call, values, count, &kept, 0);
  return true;
}
