/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the tensor cores, and the products that they add to it. It is a view as shared memory is one, and what is
 * asynchronous is done when it begins. */
#include "eval/tile/memory.h"
#include "ir/ops/ttng.h"

/* The token that comes after |results| other results, if the op has it. */
static void give_token(hd_op *op, uint32_t results, hd_tensor *out) {
  if (op->result_count > results) out[results] = hd_async_token(hd_result_type(op, results));
}

HD_EVAL_HOOK(ttng_tmem_alloc) {
  give_token(op, 1, out);
  return hd_shared_allocate(frame, op, op->operand_count ? &in[0] : NULL, out);
}

HD_EVAL_HOOK(ttng_tmem_load) {
  give_token(op, 1, out);
  return hd_shared_read(frame, &in[0], out);
}

HD_EVAL_HOOK(ttng_tmem_store) {
  const hd_tensor *value = &in[op->operand_count - 2], *predicate = value + 1;
  give_token(op, 0, out);
  return hd_eval_int(predicate) ? hd_shared_write(&in[0], value) : HD_STATUS_OK;
}

HD_EVAL_HOOK(ttng_tmem_subslice) {
  const hd_shared_view *view = hd_shared_view_of(&in[0]);
  return hd_shared_view_create(frame, hd_result_type(op, 0), view->storage,
                               view->offset + hd_ttng_tmem_subslice_N(op) * view->strides[1], view->strides, out);
}

HD_EVAL_HOOK(ttng_tmem_copy) {
  hd_tensor value = {0};
  HD_TRY(hd_shared_read(frame, &in[0], &value));
  hd_status status = hd_shared_write(&in[1], &value);
  hd_tensor_release(&value);
  return hd_is_ok(status) && op->operand_count > 2 ? hd_barrier_arrive(&in[2], 1) : status;
}

HD_EVAL_HOOK(ttng_tc_gen5_commit) {
  if (op->operand_count > 1 && !hd_eval_int(&in[1])) return HD_STATUS_OK;
  return hd_barrier_arrive(&in[0], 1);
}

/* ---- products ---- */

/* What a product is made of, the operands of both ops in one order. */
typedef struct product {
  hd_op *op;
  const hd_tensor *a, *b, *d, *use_d, *scales[2];
  hd_enum_tt_scale_type types[2];
} product;

static hd_status compute(hd_eval_frame *frame, const product *p, hd_tensor values[4]) {
  HD_TRY(hd_shared_read(frame, p->a, &values[0]));
  HD_TRY(hd_shared_read(frame, p->b, &values[1]));
  HD_TRY(hd_shared_read(frame, p->d, &values[2]));
  hd_type type = values[2].type;
  const hd_tensor *c = hd_eval_int(p->use_d) ? &values[2] : NULL;
  if (!p->scales[0]) return hd_tile_dot(frame, type, HD_TT_INPUT_PRECISION_TF32, &values[0], &values[1], c, &values[3]);
  hd_scaled_operand sides[2];
  for (int i = 0; i < 2; ++i) sides[i] = (hd_scaled_operand){&values[i], p->scales[i], p->types[i]};
  return hd_tile_dot_scaled(frame, type, sides[0], sides[1], c, &values[3]);
}

static hd_status add_product(hd_eval_frame *frame, const product *p) {
  hd_tensor values[4] = {{0}, {0}, {0}, {0}};
  hd_status status = compute(frame, p, values);
  if (hd_is_ok(status)) status = hd_shared_write(p->d, &values[3]);
  for (int i = 0; i < 4; ++i) hd_tensor_release(&values[i]);
  return status;
}

/* The barriers arrive whether or not the product is wanted: what they tell is that all before them is done. */
static hd_status arrive_all(hd_op *op, const hd_tensor *in, size_t item) {
  uint32_t start, count, first, predicates;
  hd_op_operand_range(op, item, &start, &count);
  hd_op_operand_range(op, item + 1, &first, &predicates);
  for (uint32_t i = 0; i < count; ++i)
    if (i >= predicates || hd_eval_int(&in[first + i])) HD_TRY(hd_barrier_arrive(&in[start + i], 1));
  return HD_STATUS_OK;
}

HD_EVAL_HOOK(ttng_tc_gen5_mma) {
  product p = {.op = op, .a = &in[0], .b = &in[1], .d = &in[2], .use_d = hd_optional_operand(op, in, 4)};
  give_token(op, 0, out);
  if (!hd_eval_int(hd_optional_operand(op, in, 5))) return HD_STATUS_OK;
  HD_TRY(add_product(frame, &p));
  return arrive_all(op, in, 6);
}

HD_EVAL_HOOK(ttng_tc_gen5_mma_scaled) {
  hd_tensor scales[2] = {{0}, {0}};
  product p = {.op = op,
               .a = &in[0],
               .b = &in[1],
               .d = &in[2],
               .use_d = hd_optional_operand(op, in, 6),
               .scales = {&scales[0], &scales[1]},
               .types = {hd_ttng_tc_gen5_mma_scaled_a_type(op), hd_ttng_tc_gen5_mma_scaled_b_type(op)}};
  give_token(op, 0, out);
  if (!hd_eval_int(hd_optional_operand(op, in, 7))) return HD_STATUS_OK;
  hd_status status = hd_shared_read(frame, hd_optional_operand(op, in, 4), &scales[0]);
  if (hd_is_ok(status)) status = hd_shared_read(frame, hd_optional_operand(op, in, 5), &scales[1]);
  if (hd_is_ok(status)) status = add_product(frame, &p);
  for (int i = 0; i < 2; ++i) hd_tensor_release(&scales[i]);
  return hd_is_ok(status) ? arrive_all(op, in, 8) : status;
}
