/* SPDX-License-Identifier: Apache-2.0 */
/* Work that is started at one place and done at another, and exchanges between processes. */
#include "hlo/import.h"
#include "ir/ops/stablehlo.h"

static hd_type future_of(hd_context *context, const hd_op *results) {
  hd_attr *types = hd_new_array(&results->module->arena, hd_attr, results->operand_count + 1);
  for (uint32_t i = 0; i < results->operand_count; ++i) types[i] = hd_attr_type(hd_operand_type(results, i));
  hd_attr list = hd_attr_array(context, types, results->operand_count);
  return hd_type_dialect(context, HD_TYPE_ROW_stablehlo_future, &list, 1);
}

/* The region is filled before the result's type is known: it is made with a stand-in and replaced. */
static bool start(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_computation *body) {
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs = {.len = 0};
  hd_type none = hd_type_none(s->b.context);
  if (!hd_hlo_operands(s, inst, &values, &count) || (inst->row && !hd_hlo_read_attrs(s, inst, &attrs))) return false;
  s->b.loc = hd_hlo_loc(s->r, inst);
  hd_op *op = hd_build_op(&s->b, HD_OP_stablehlo_async_start, values, count, &none, 1, attrs.data, attrs.len, 1);
  if (!hd_hlo_import_region(s, inst, body, hd_op_region(op, 0))) return false;
  op->results[0].type = future_of(s->b.context, hd_op_region(op, 0)->first->last);
  hd_hlo_set_async(s, inst, hd_result(op, 0));
  return true;
}

/* What `add-start(...)` starts: a computation of that one instruction on parameters. Its shape is that of the result,
 * which follows the operands' in a tuple, but for those that give it alone. */
static bool start_one(hd_hlo_import *s, const hd_hlo_inst *inst, uint32_t result) {
  hd_arena *arena = &s->r->scratch;
  hd_hlo_computation *body = hd_new(arena, hd_hlo_computation);
  hd_hlo_inst made = *inst;
  made.opcode.len -= strlen("-start");
  if (!(made.row = hd_hlo_row_of(made.opcode)))
    return hd_hlo_fail(s->r, inst->opcode.data, "expected an opcode of HLO, got '%.*s'", (int)inst->opcode.len,
                       inst->opcode.data);
  bool alone = hd_str_is(made.opcode, "all-reduce");
  bool tuple = !inst->shape.type && inst->shape.count > 1;
  if (!alone && !tuple)
    return hd_hlo_fail(s->r, inst->at, "expected a tuple of operands and results, got %s",
                       hd_hlo_shape_text(s->r, &inst->shape));
  if (!alone) made.shape = inst->shape.elements[result];
  body->name = inst->name;
  uint32_t *operands = hd_new_array(arena, uint32_t, inst->operand_count + 1);
  for (uint32_t i = 0; i < inst->operand_count; ++i) {
    hd_hlo_inst param = s->computation->insts.data[inst->operands[i]];
    param.row = hd_hlo_row_of(HD_STR("parameter"));
    param.attr_count = 0;
    hd_vec_push(arena, &body->insts, param);
    hd_vec_push(arena, &body->params, i);
    operands[i] = i;
  }
  made.operands = operands;
  body->root = inst->operand_count;
  hd_vec_push(arena, &body->insts, made);
  return start(s, inst, body);
}

bool hd_hlo_import_async_start(hd_hlo_import *s, const hd_hlo_inst *inst) {
  if (!inst->row) return start_one(s, inst, 1);
  hd_hlo_computation *body = hd_hlo_find_computation(s, inst, "calls");
  return body && start(s, inst, body);
}

/* Goes on with what was started: nothing to do. */
bool hd_hlo_import_async_update(hd_hlo_import *s, const hd_hlo_inst *inst) {
  if (!hd_hlo_check_operands(s, inst, 1)) return false;
  const hd_hlo_values *started = &s->values[inst->operands[0]];
  if (!started->async)
    return hd_hlo_fail(s->r, inst->at, "expected what an async-start gives, got '%s'", hd_hlo_operand_name(s, inst, 0));
  hd_hlo_set_async(s, inst, started->data[0]);
  return true;
}

bool hd_hlo_import_async_done(hd_hlo_import *s, const hd_hlo_inst *inst) {
  if (!hd_hlo_check_operands(s, inst, 1)) return false;
  const hd_hlo_values *started = &s->values[inst->operands[0]];
  if (!started->async || !hd_type_is(started->data[0]->type, HD_TYPE_DIALECT) ||
      started->data[0]->type->dialect.row != HD_TYPE_ROW_stablehlo_future)
    return hd_hlo_fail(s->r, inst->at, "expected what a -start gives, got '%s'", hd_hlo_operand_name(s, inst, 0));
  hd_attr types = started->data[0]->type->dialect.params[0];
  uint32_t count;
  hd_type *leaves = hd_hlo_leaf_types(s->r, &inst->shape, &count);
  bool same = count == types->array.count;
  for (uint32_t i = 0; same && i < count; ++i) same = leaves[i] == types->array.items[i]->type_value;
  if (!same)
    return hd_hlo_fail(s->r, inst->at, "expected the shape that was started, got %s",
                       hd_hlo_shape_text(s->r, &inst->shape));
  hd_hlo_make(s, inst, HD_OP_stablehlo_async_done, &started->data[0], 1, NULL, 0);
  return true;
}

/* A started copy: the result comes first in its tuple. */
bool hd_hlo_import_copy_start(hd_hlo_import *s, const hd_hlo_inst *inst) { return start_one(s, inst, 0); }

/* Several operands of an exchange that has one in StableHLO: one exchange each. */
static bool import_each(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_computation *body) {
  hd_value **values, **results;
  uint32_t count, leaves;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  hd_type *types = hd_hlo_leaf_types(s->r, &inst->shape, &leaves);
  if (leaves != count)
    return hd_hlo_fail(s->r, inst->at, "expected a shape of %u arrays, those of the operands, got %u", count, leaves);
  results = hd_new_array(&s->r->scratch, hd_value *, count + 1);
  s->b.loc = hd_hlo_loc(s->r, inst);
  for (uint32_t i = 0; i < count; ++i) {
    hd_op *op = hd_build_op(&s->b, inst->row->opcode, &values[i], 1, &types[i], 1, attrs.data, attrs.len, body != NULL);
    if (body && !hd_hlo_import_region(s, inst, body, hd_op_region(op, 0))) return false;
    results[i] = hd_result(op, 0);
  }
  return hd_hlo_set(s, inst, results, count);
}

static bool takes_one(const hd_hlo_inst *inst) {
  hd_opcode opcode = inst->row->opcode;
  return opcode == HD_OP_stablehlo_reduce_scatter || opcode == HD_OP_stablehlo_collective_permute ||
         opcode == HD_OP_stablehlo_collective_broadcast;
}

/* A group of processes that exchange; the reduction is a region. */
bool hd_hlo_import_collective(hd_hlo_import *s, const hd_hlo_inst *inst) {
  bool reduces = hd_hlo_find_attr(inst, "to_apply").data != NULL;
  hd_hlo_computation *body = reduces ? hd_hlo_find_computation(s, inst, "to_apply") : NULL;
  if (reduces && !body) return false;
  if (takes_one(inst) && inst->operand_count > 1) return import_each(s, inst, body);
  hd_op *op = hd_hlo_make_plain(s, inst, reduces);
  return op && (!reduces || hd_hlo_import_region(s, inst, body, hd_op_region(op, 0)));
}

/* The operands go to the members of a group, one to each: as one array with a dim more, whose parts the members get. */
static bool import_tuple_all_to_all(hd_hlo_import *s, const hd_hlo_inst *inst, hd_value **values, uint32_t count,
                                    hd_hlo_attr_args *attrs) {
  hd_context *context = s->b.context;
  hd_type type = count ? values[0]->type : NULL;
  if (!type || !hd_type_is_tensor(type) || !hd_type_is_static(type) || hd_type_rank(type) >= HD_MAX_RANK)
    return hd_hlo_fail(s->r, inst->at, "expected 'dimensions=', or an array for each member of a group, got %s",
                       type ? hd_hlo_type_text(s->r, type) : "neither");
  for (uint32_t i = 0; i < count; ++i)
    if (values[i]->type != type)
      return hd_hlo_fail(s->r, inst->at, "expected %s, the shape of the others, as operand %u, got %s",
                         hd_hlo_type_text(s->r, type), i, hd_hlo_type_text(s->r, values[i]->type));
  uint32_t rank = hd_type_rank(type) + 1;
  int64_t dims[HD_MAX_RANK], zeros[HD_MAX_RANK] = {0}, ones[HD_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) {
    ones[d] = 1;
    dims[d] = d ? hd_type_dim(type, d - 1) : 1;
  }
  hd_attr dim = hd_attr_i64(context, 0);
  s->b.loc = hd_hlo_loc(s->r, inst);
  hd_type part = hd_type_tensor(hd_type_element(type), dims, rank, NULL);
  for (uint32_t i = 0; i < count; ++i) values[i] = hd_stablehlo_reshape(&s->b, part, values[i]);
  hd_value *x = hd_stablehlo_concatenate(&s->b, 0, values, count);
  if (!hd_hlo_add_attr(s, inst, attrs, HD_NAME_split_dimension, dim) ||
      !hd_hlo_add_attr(s, inst, attrs, HD_NAME_concat_dimension, dim) ||
      !hd_hlo_add_attr(s, inst, attrs, HD_NAME_split_count, hd_attr_i64(context, count)))
    return false;
  x = hd_build_one_(&s->b, HD_OP_stablehlo_all_to_all, x->type, &x, 1, attrs->data, attrs->len);
  for (uint32_t i = 0; i < count; ++i) {
    zeros[0] = i;
    dims[0] = i + 1;
    hd_value *slice =
        hd_stablehlo_slice(&s->b, hd_attr_i64_array(context, zeros, rank), hd_attr_i64_array(context, dims, rank),
                           hd_attr_i64_array(context, ones, rank), x);
    values[i] = hd_stablehlo_reshape(&s->b, type, slice);
  }
  return hd_hlo_set(s, inst, values, count);
}

/* The parts of one dim go to the members of a group. */
bool hd_hlo_import_all_to_all(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs;
  int64_t dim;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, hd_hlo_find_attr(inst, "dimensions"));
  if (!c.at) return import_tuple_all_to_all(s, inst, values, count, &attrs);
  if (!hd_hlo_expect(&c, '{') || !hd_hlo_int(&c, &dim) || !hd_hlo_expect(&c, '}')) return false;
  int64_t members = 1;
  for (size_t i = 0; i < attrs.len; ++i)
    if (attrs.data[i].name == HD_NAME_replica_groups) members = hd_type_dim(attrs.data[i].value->type, 1);
  hd_context *context = s->b.context;
  if (!hd_hlo_add_attr(s, inst, &attrs, HD_NAME_split_dimension, hd_attr_i64(context, dim)) ||
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_concat_dimension, hd_attr_i64(context, dim)) ||
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_split_count, hd_attr_i64(context, members)))
    return false;
  hd_hlo_make(s, inst, HD_OP_stablehlo_all_to_all, values, count, &attrs, 0);
  return true;
}

/* A transfer that names no channel is one of channel 0. */
static bool add_channel(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_attr_args *attrs) {
  for (size_t i = 0; i < attrs->len; ++i)
    if (attrs->data[i].name == HD_NAME_channel_handle) return true;
  hd_attr params[] = {hd_attr_i64(s->b.context, 0), hd_attr_i64(s->b.context, 0)};
  return hd_hlo_add_attr(s, inst, attrs, HD_NAME_channel_handle,
                         hd_attr_struct(s->b.context, HD_STRUCT_stablehlo_channel_handle, params, 2));
}

/* send gives a token when it is done, recv the array and a token: send-done and recv-done name them. */
bool hd_hlo_import_send(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs) ||
      !add_channel(s, inst, &attrs))
    return false;
  hd_type token = hd_type_dialect(s->b.context, HD_TYPE_ROW_stablehlo_token, NULL, 0);
  s->b.loc = hd_hlo_loc(s->r, inst);
  hd_op *op = hd_build_op(&s->b, HD_OP_stablehlo_send, values, count, &token, 1, attrs.data, attrs.len, 0);
  hd_hlo_set_async(s, inst, hd_result(op, 0));
  return true;
}

bool hd_hlo_import_recv(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs) ||
      !add_channel(s, inst, &attrs))
    return false;
  hd_type types[] = {NULL, hd_type_dialect(s->b.context, HD_TYPE_ROW_stablehlo_token, NULL, 0)};
  if (!inst->shape.type && inst->shape.count) types[0] = inst->shape.elements[0].type;
  if (!types[0])
    return hd_hlo_fail(s->r, inst->at, "expected a tuple that begins with an array, got %s",
                       hd_hlo_shape_text(s->r, &inst->shape));
  s->b.loc = hd_hlo_loc(s->r, inst);
  hd_op *op = hd_build_op(&s->b, HD_OP_stablehlo_recv, values, count, types, 2, attrs.data, attrs.len, 0);
  hd_hlo_set_async(s, inst, hd_result(op, 0));
  return true;
}

static bool finish(hd_hlo_import *s, const hd_hlo_inst *inst, hd_opcode opcode) {
  hd_hlo_attr_args attrs;
  if (!hd_hlo_read_attrs(s, inst, &attrs) || !hd_hlo_check_operands(s, inst, 1)) return false;
  const hd_hlo_values *started = &s->values[inst->operands[0]];
  hd_op *op = started->async ? hd_value_op(started->data[0]) : NULL;
  if (!hd_op_is(op, opcode))
    return hd_hlo_fail(s->r, inst->at, "expected what '%s' started, got '%s'",
                       opcode == HD_OP_stablehlo_send ? "send" : "recv", hd_hlo_operand_name(s, inst, 0));
  hd_value *values[2] = {0};
  for (uint32_t i = 0; i < op->result_count; ++i) values[i] = hd_result(op, i);
  return hd_hlo_set(s, inst, values, op->result_count);
}

bool hd_hlo_import_send_done(hd_hlo_import *s, const hd_hlo_inst *inst) {
  return finish(s, inst, HD_OP_stablehlo_send);
}

bool hd_hlo_import_recv_done(hd_hlo_import *s, const hd_hlo_inst *inst) {
  return finish(s, inst, HD_OP_stablehlo_recv);
}

/* domain={kind="sharding", entry={replicated}, exit={maximal device=0}} */
bool hd_hlo_import_domain(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values;
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, hd_hlo_find_attr(inst, "domain"));
  static const char *const names[] = {"kind", "entry", "exit"};
  hd_str parts[3];
  if (!c.at) return hd_hlo_fail(s->r, inst->at, "expected 'domain={', got none");
  if (!hd_hlo_expect(&c, '{')) return false;
  for (int i = 0; i < 3; ++i) {
    if (i && !hd_hlo_expect(&c, ',')) return false;
    if (!hd_str_is(hd_hlo_word(&c), names[i])) return hd_hlo_expected(&c, names[i]);
    if (!hd_hlo_expect(&c, '=') || !hd_hlo_skip_value(&c, &parts[i])) return false;
  }
  if (!hd_str_is(parts[0], "\"sharding\""))
    return hd_hlo_fail(s->r, parts[0].data, "expected \"sharding\", got %.*s", (int)parts[0].len, parts[0].data);
  hd_context *context = s->b.context;
  if (!hd_hlo_add_attr(s, inst, &attrs, HD_NAME_kind, hd_attr_enum(context, HD_ENUM_mhlo_kind, 0)) ||
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_entry_metadata, hd_attr_string(context, parts[1])) ||
      !hd_hlo_add_attr(s, inst, &attrs, HD_NAME_exit_metadata, hd_attr_string(context, parts[2])))
    return false;
  hd_hlo_make(s, inst, HD_OP_mhlo_domain, values, count, &attrs, 0);
  return true;
}

/* The result's shape is an operand of the op. */
bool hd_hlo_import_rng(hd_hlo_import *s, const hd_hlo_inst *inst) {
  hd_value **values, *operands[3];
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &values, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return false;
  hd_type type = inst->shape.type;
  if (count != 2 || !type || !hd_type_is_static(type))
    return hd_hlo_fail(s->r, inst->at,
                       "expected two operands of 'rng' and an array of known dims as result, got %u and %s", count,
                       type ? hd_hlo_type_text(s->r, type) : "a tuple");
  hd_type shape = hd_type_tensor(hd_i64(s->b.context), (int64_t[]){hd_type_rank(type)}, 1, NULL);
  s->b.loc = hd_hlo_loc(s->r, inst);
  operands[0] = values[0];
  operands[1] = values[1];
  operands[2] = hd_build_hlo_constant(
      &s->b, hd_attr_dense(shape, type->shaped.dims, hd_type_rank(type) * sizeof(int64_t), false));
  hd_hlo_make(s, inst, HD_OP_stablehlo_rng, operands, 3, &attrs, 0);
  return true;
}
