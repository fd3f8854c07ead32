/* SPDX-License-Identifier: Apache-2.0 */
/* A clone walks as its original does, so the number of an observer in the walk names the same op in both. Outfeeds that
 * the program has itself get the number -1 in front; nobody reads them. */
#include "driver/check_observe.h"

#include <string.h>

#include "base/vec.h"
#include "ir/builder.h"
#include "ir/ops/stablehlo.h"

bool hd_check_observes(const hd_op *op) {
  if (hd_str_starts(hd_ident_str(op->name), "check.") || hd_op_is(op, HD_OP_interpreter_print) ||
      hd_op_is(op, HD_OP_interpreter_probe))
    return true;
  return hd_op_is(op, HD_OP_stablehlo_custom_call) &&
         hd_str_starts(hd_stablehlo_custom_call_call_target_name(op), "check.");
}

typedef struct found {
  hd_arena *arena;
  hd_vec(hd_op *) observers;
  hd_vec(hd_op *) outfeeds;
} found;

static bool collect(hd_op *op, void *user) {
  found *f = user;
  if (hd_check_observes(op)) hd_vec_push(f->arena, &f->observers, op);
  if (hd_op_is(op, HD_OP_stablehlo_outfeed)) hd_vec_push(f->arena, &f->outfeeds, op);
  return true;
}

void hd_check_observers_init(hd_check_observers *out, hd_module *module, hd_evaluator *evaluator, hd_arena *arena) {
  found f = {.arena = arena};
  hd_walk_pre(module->op, collect, &f);
  *out = (hd_check_observers){.evaluator = evaluator, .ops = f.observers.data, .count = f.observers.len};
  pthread_mutex_init(&out->lock, NULL);
}

static hd_value *number(hd_builder *b, int64_t value) {
  hd_type type = hd_type_tensor(hd_i64(b->context), NULL, 0, NULL);
  return hd_build_hlo_constant(b, hd_attr_dense(type, &value, sizeof value, true));
}

/* An outfeed of |id| and the first |count| operands of |op|, before it; after |token|, or null: any time. */
static hd_value *feed(hd_op *op, int64_t id, uint32_t count, hd_value *token, hd_arena *scratch) {
  hd_builder b = hd_builder_before(op);
  b.loc = op->loc;
  hd_type type = hd_type_dialect(b.context, HD_TYPE_ROW_stablehlo_token, NULL, 0);
  hd_value **operands = hd_new_array(scratch, hd_value *, count + 2);
  operands[0] = number(&b, id);
  for (uint32_t i = 0; i < count; ++i) operands[i + 1] = hd_operand(op, i);
  operands[count + 1] =
      token ? token : hd_result(hd_build_op(&b, HD_OP_stablehlo_create_token, NULL, 0, &type, 1, NULL, 0, 0), 0);
  return hd_result(hd_build_op(&b, HD_OP_stablehlo_outfeed, operands, count + 2, &type, 1, NULL, 0, 0), 0);
}

void hd_check_feed_out(hd_module *copy, hd_op *function, bool drop, hd_arena *scratch) {
  found f = {.arena = scratch};
  hd_walk_pre(copy->op, collect, &f);
  for (size_t i = 0; i < f.outfeeds.len; ++i) {
    hd_op *op = f.outfeeds.data[i];
    if (!op->operand_count || op->result_count != 1) continue; /* the verifier's to refuse */
    uint32_t last = op->operand_count - 1;
    hd_value_replace_uses(hd_result(op, 0), feed(op, -1, last, hd_operand(op, last), scratch));
    hd_op_erase(op);
  }
  for (size_t i = 0; i < f.observers.len; ++i) {
    hd_op *op = f.observers.data[i];
    if (function && hd_op_parent(op) == function && !op->result_count) continue;
    if (!drop) (void)feed(op, (int64_t)i, op->operand_count, NULL, scratch);
    /* what a custom call says of its operands is computed by the program too; a probe passes its operand on */
    if (hd_op_is(op, HD_OP_stablehlo_custom_call) && op->result_count) continue;
    for (uint32_t k = 0; k < op->result_count; ++k) hd_value_replace_uses(hd_result(op, k), hd_operand(op, k));
    hd_op_erase(op);
  }
}

enum { MOST_OPERANDS = 8 };

/* |value| as a tensor of the evaluator, of the element type that the program declares. */
static hd_status take(hd_evaluator *evaluator, hd_type declared, const hd_custom_tensor *value, hd_tensor *out) {
  if (!hd_type_is_tensor(declared)) return hd_make_status(HD_UNIMPLEMENTED, "a checked value is no tensor");
  hd_type type = hd_type_tensor(declared->shaped.element, value->dims, (size_t)value->rank, NULL);
  HD_TRY(hd_tensor_create(hd_evaluator_heap(evaluator), type, out));
  size_t bytes = hd_element_bytes(value->type);
  for (int32_t d = 0; d < value->rank; ++d) bytes *= (size_t)value->dims[d];
  if (out->buffer->size != bytes) return hd_make_status(HD_INTERNAL, "a checked value has another size than its type");
  if (bytes) memcpy(hd_tensor_data(out), value->data, bytes);
  return HD_STATUS_OK;
}

hd_status hd_check_judge(hd_check_observers *observers, hd_op *op, const hd_custom_tensor *values) {
  hd_tensor in[MOST_OPERANDS] = {0};
  if (op->operand_count > MOST_OPERANDS)
    return hd_make_status(HD_UNIMPLEMENTED, "an expectation has more than %d operands", MOST_OPERANDS);
  pthread_mutex_lock(&observers->lock);
  hd_status status = HD_STATUS_OK;
  for (uint32_t i = 0; i < op->operand_count && hd_is_ok(status); ++i)
    status = take(observers->evaluator, hd_operand_type(op, i), &values[i], &in[i]);
  if (hd_is_ok(status)) status = hd_evaluator_run_op(observers->evaluator, op, in);
  for (uint32_t i = 0; i < op->operand_count; ++i) hd_tensor_release(&in[i]);
  pthread_mutex_unlock(&observers->lock);
  return status;
}

hd_status hd_check_outfeed(void *user, const hd_custom_tensor *values, int32_t count) {
  hd_check_observers *observers = user;
  int64_t id = -1;
  if (count < 1 || values[0].type != HD_ELEMENT_I64 || values[0].rank)
    return hd_make_status(HD_INTERNAL, "an outfeed without a number");
  memcpy(&id, values[0].data, sizeof id);
  if (id < 0) return HD_STATUS_OK;
  if ((uint64_t)id >= observers->count || observers->ops[id]->operand_count != (uint32_t)count - 1)
    return hd_make_status(HD_INTERNAL, "an outfeed of a number that names nothing");
  return hd_check_judge(observers, observers->ops[id], values + 1);
}
