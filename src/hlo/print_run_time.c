/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions whose sizes come while the program runs, and scans. */
#include "hlo/print.h"
#include "ir/ops/interfaces.h"

bool hd_hlo_print_scan(hd_hlo_printer *p, hd_op *op) {
  uint32_t inputs, outputs;
  hd_scan_counts(op, &inputs, &outputs);
  if (!inputs && !outputs) return hd_hlo_cannot(p, op, "the size of a scan without arrays");
  const char *body = hd_hlo_print_region(p, op, 0, "region");
  if (!body || !hd_hlo_begin(p, op, "scan")) return false;
  hd_hlo_put_operands(p, op, 0, op->operand_count);
  hd_strbuf_printf(&p->text, ", num_carries=%u, to_apply=%%%s", op->operand_count - inputs, body);
  return hd_hlo_end(p, op);
}

static bool is_size(hd_value *value) {
  hd_op *op = hd_value_op(value);
  return hd_op_is(op, HD_OP_stablehlo_reshape) && hd_value_has_one_use(value) &&
         hd_type_is_scalar(hd_operand_type(op, 0));
}

/* The shape of a dynamic_reshape as scalars: reshapes of them, joined where there are several, that nothing else uses.
 * The values that are reshaped, null where the shape is made otherwise. */
static hd_value **sizes_of(hd_hlo_printer *p, hd_op *op, uint32_t *out_count) {
  hd_value *shape = hd_operand(op, 1);
  hd_op *join = hd_value_op(shape);
  bool joined = hd_op_is(join, HD_OP_stablehlo_concatenate) && hd_value_has_one_use(shape);
  *out_count = joined ? join->operand_count : 1;
  hd_value **sizes = hd_new_array(&p->w->scratch, hd_value *, *out_count + 1);
  for (uint32_t i = 0; i < *out_count; ++i) {
    hd_value *size = joined ? hd_operand(join, i) : shape;
    if (!is_size(size)) return NULL;
    sizes[i] = hd_operand(hd_value_op(size), 0);
  }
  return sizes;
}

bool hd_hlo_is_part_of_shape(hd_hlo_printer *p, hd_op *op) {
  if (op->result_count != 1 || !hd_value_has_one_use(hd_result(op, 0))) return false;
  hd_use *use = hd_result(op, 0)->first_use;
  hd_op *user = use->owner;
  uint32_t count;
  if (hd_op_is(op, HD_OP_stablehlo_reshape) && hd_op_is(user, HD_OP_stablehlo_concatenate)) {
    if (!hd_value_has_one_use(hd_result(user, 0))) return false;
    use = hd_result(user, 0)->first_use;
    user = use->owner;
  } else if (!hd_op_is(op, HD_OP_stablehlo_reshape) && !hd_op_is(op, HD_OP_stablehlo_concatenate)) {
    return false;
  }
  return hd_op_is(user, HD_OP_stablehlo_dynamic_reshape) && use->index == 1 && user->block == op->block &&
         sizes_of(p, user, &count);
}

bool hd_hlo_print_dynamic_reshape(hd_hlo_printer *p, hd_op *op) {
  uint32_t count;
  hd_value **sizes = sizes_of(p, op, &count);
  if (!sizes) return hd_hlo_cannot(p, op, "a shape that is not made of scalars");
  if (!hd_hlo_begin(p, op, "dynamic-reshape")) return false;
  hd_strbuf_printf(&p->text, "%%%s", hd_hlo_value_name(p, hd_operand(op, 0)));
  for (uint32_t i = 0; i < count; ++i) hd_strbuf_printf(&p->text, ", %%%s", hd_hlo_value_name(p, sizes[i]));
  hd_strbuf_putc(&p->text, ')');
  return hd_hlo_end(p, op);
}

bool hd_hlo_is_ragged_all_to_all(hd_op *op) {
  hd_attr config = hd_op_attr_get(op, HD_NAME_backend_config);
  return hd_str_is(hd_op_string_attr(op, HD_NAME_call_target_name), HD_HLO_RAGGED_ALL_TO_ALL) &&
         hd_attr_is(config, HD_ATTR_DICT) && hd_dict_get(config, HD_NAME_replica_groups);
}

bool hd_hlo_print_ragged_all_to_all(hd_hlo_printer *p, hd_op *op) {
  hd_attr config = hd_op_attr_get(op, HD_NAME_backend_config), channel = hd_dict_get(config, HD_NAME_channel_id);
  if (!hd_hlo_begin(p, op, "ragged-all-to-all")) return false;
  hd_hlo_put_operands(p, op, 0, op->operand_count);
  hd_strbuf_puts(&p->text, ", replica_groups=");
  if (!hd_hlo_put_lists(&p->text, hd_dict_get(config, HD_NAME_replica_groups)))
    return hd_hlo_cannot(p, op, "replica_groups");
  if (channel) hd_strbuf_printf(&p->text, ", channel_id=%lld", (long long)hd_attr_int_or(channel, 0));
  hd_hlo_put_common_attrs(p, op);
  hd_hlo_put_metadata(p, op->loc);
  hd_strbuf_putc(&p->text, '\n');
  hd_hlo_put_elements(p, op);
  return true;
}
