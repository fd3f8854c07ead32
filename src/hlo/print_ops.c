/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions whose text is more than operands and attributes. */
#include "hlo/import.h"
#include "hlo/print.h"

static const char *opcode_of(const hd_op *op) { return hd_hlo_row_of_op(hd_opcode_get(op))->name; }

bool hd_hlo_print_plain(hd_hlo_printer *p, hd_op *op) {
  return hd_hlo_begin(p, op, opcode_of(op)) && hd_hlo_put_operands(p, op, 0, op->operand_count) && hd_hlo_end(p, op);
}

bool hd_hlo_print_topk(hd_hlo_printer *p, hd_op *op) { return hd_hlo_print_plain(p, op); }
bool hd_hlo_print_dynamic_slice(hd_hlo_printer *p, hd_op *op) { return hd_hlo_print_plain(p, op); }
bool hd_hlo_print_copy(hd_hlo_printer *p, hd_op *op) { return hd_hlo_print_plain(p, op); }
bool hd_hlo_print_bitcast(hd_hlo_printer *p, hd_op *op) { return hd_hlo_print_plain(p, op); }
bool hd_hlo_print_async_done(hd_hlo_printer *p, hd_op *op) { return hd_hlo_print_plain(p, op); }

/* Its one operand is a tuple where there are several. */
bool hd_hlo_print_barrier(hd_hlo_printer *p, hd_op *op) {
  hd_value **values = hd_new_array(&p->w->scratch, hd_value *, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) values[i] = hd_operand(op, i);
  const char *operand = hd_hlo_pack(p, values, op->operand_count);
  if (!hd_hlo_begin(p, op, "opt-barrier")) return false;
  hd_strbuf_printf(&p->text, "%%%s)", operand);
  return hd_hlo_end(p, op);
}

/* The shape of a random array is an operand, which no instruction is where nothing else uses it. */
static bool is_shape_of_rng(hd_op *op) {
  hd_value *value = hd_result(op, 0);
  return hd_value_has_one_use(value) && hd_op_is(value->first_use->owner, HD_OP_stablehlo_rng) &&
         value->first_use->index == 2;
}

bool hd_hlo_print_constant(hd_hlo_printer *p, hd_op *op) {
  if (is_shape_of_rng(op)) return true;
  if (!hd_hlo_begin(p, op, "constant")) return false;
  if (!hd_hlo_print_literal(hd_op_attr_get(op, HD_NAME_value), &p->text))
    return hd_hlo_cannot(p, op, "elements without a literal");
  hd_strbuf_putc(&p->text, ')');
  return hd_hlo_end(p, op);
}

bool hd_hlo_print_rng(hd_hlo_printer *p, hd_op *op) {
  if (!hd_type_is_static(hd_result_type(op, 0))) return hd_hlo_cannot(p, op, "a result of unknown dims");
  return hd_hlo_begin(p, op, "rng") && hd_hlo_put_operands(p, op, 0, 2) && hd_hlo_end(p, op);
}

/* An op with one computation, which |attribute| names. */
static bool with_region(hd_hlo_printer *p, hd_op *op, const char *base, const char *attribute) {
  const char *body = hd_hlo_print_region(p, op, 0, base);
  if (!body || !hd_hlo_begin(p, op, opcode_of(op))) return false;
  hd_hlo_put_operands(p, op, 0, op->operand_count);
  hd_strbuf_printf(&p->text, ", %s=%%%s", attribute, body);
  return hd_hlo_end(p, op);
}

bool hd_hlo_print_to_apply(hd_hlo_printer *p, hd_op *op) { return with_region(p, op, "region", "to_apply"); }
bool hd_hlo_print_fusion(hd_hlo_printer *p, hd_op *op) { return with_region(p, op, "fused_computation", "calls"); }

bool hd_hlo_print_collective(hd_hlo_printer *p, hd_op *op) {
  return op->region_count ? with_region(p, op, "region", "to_apply") : hd_hlo_print_plain(p, op);
}

bool hd_hlo_print_all_to_all(hd_hlo_printer *p, hd_op *op) {
  int64_t dim = hd_op_int_attr(op, HD_NAME_split_dimension, 0);
  if (dim != hd_op_int_attr(op, HD_NAME_concat_dimension, 0))
    return hd_hlo_cannot(p, op, "different dims that are split and joined");
  if (!hd_hlo_begin(p, op, "all-to-all") || !hd_hlo_put_operands(p, op, 0, op->operand_count)) return false;
  hd_strbuf_printf(&p->text, ", dimensions={%lld}", (long long)dim);
  return hd_hlo_end(p, op);
}

bool hd_hlo_print_call(hd_hlo_printer *p, hd_op *op) {
  hd_op *func = hd_symbol_resolve(op, hd_op_attr_get(op, HD_NAME_callee));
  const char *callee = func ? hd_hlo_print_function(p, op, func) : NULL;
  if (!callee || !hd_hlo_begin(p, op, "call")) return false;
  hd_hlo_put_operands(p, op, 0, op->operand_count);
  hd_strbuf_printf(&p->text, ", to_apply=%%%s", callee);
  return hd_hlo_end(p, op);
}

/* Values used inside of a region and defined outside. */
typedef struct captures {
  hd_arena *arena;
  hd_region *region;
  hd_map seen;
  hd_vec(hd_value *) values;
} captures;

static bool is_inside(const hd_value *value, const hd_region *region) {
  hd_block *block = hd_value_block(value);
  while (block && block->region != region) {
    hd_op *parent = hd_block_parent_op(block);
    block = parent ? parent->block : NULL;
  }
  return block != NULL;
}

static bool find_captures(hd_op *op, void *user) {
  captures *c = user;
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *value = hd_operand(op, i);
    bool is_new;
    if (is_inside(value, c->region)) continue;
    hd_map_insert(c->arena, &c->seen, value, &is_new);
    if (is_new) hd_vec_push(c->arena, &c->values, value);
  }
  return true;
}

uint32_t hd_hlo_captures(hd_hlo_writer *w, hd_region *region, hd_value ***out) {
  captures c = {.arena = &w->scratch, .region = region};
  hd_for_each_block(block, region)
    hd_for_each_op(op, block) hd_walk_pre(op, find_captures, &c);
  *out = c.values.data;
  return (uint32_t)c.values.len;
}

bool hd_hlo_print_conditional(hd_hlo_printer *p, hd_op *op) {
  const char **names = hd_new_array(&p->w->scratch, const char *, op->region_count);
  const char **operands = hd_new_array(&p->w->scratch, const char *, op->region_count);
  for (uint32_t i = 0; i < op->region_count; ++i) {
    hd_hlo_body body = {.block = hd_op_region(op, i)->first, .base = HD_STR("branch"), .packed = true};
    hd_value **captured;
    body.capture_count = hd_hlo_captures(p->w, hd_op_region(op, i), &captured);
    body.captured = captured;
    operands[i] = hd_hlo_pack(p, captured, body.capture_count);
    if (!(names[i] = hd_hlo_print_computation(p->w, &body))) return false;
  }
  if (!hd_hlo_begin(p, op, "conditional")) return false;
  hd_strbuf_printf(&p->text, "%%%s", hd_hlo_value_name(p, hd_operand(op, 0)));
  for (uint32_t i = 0; i < op->region_count; ++i) hd_strbuf_printf(&p->text, ", %%%s", operands[i]);
  if (hd_op_is(op, HD_OP_stablehlo_if)) {
    hd_strbuf_printf(&p->text, "), true_computation=%%%s, false_computation=%%%s", names[0], names[1]);
  } else {
    hd_strbuf_puts(&p->text, "), branch_computations={");
    for (uint32_t i = 0; i < op->region_count; ++i) hd_strbuf_printf(&p->text, "%s%%%s", i ? ", " : "", names[i]);
    hd_strbuf_putc(&p->text, '}');
  }
  return hd_hlo_end(p, op);
}

/* What the loop uses from outside is carried unchanged. */
static uint32_t loop_captures(hd_hlo_printer *p, hd_op *op, hd_value ***out) {
  hd_value **first, **second;
  uint32_t count = hd_hlo_captures(p->w, hd_op_region(op, 0), &first);
  uint32_t more = hd_hlo_captures(p->w, hd_op_region(op, 1), &second), total = count;
  hd_value **all = hd_new_array(&p->w->scratch, hd_value *, count + more + 1);
  for (uint32_t i = 0; i < count; ++i) all[i] = first[i];
  for (uint32_t i = 0; i < more; ++i) {
    bool known = false;
    for (uint32_t k = 0; k < count && !known; ++k) known = first[k] == second[i];
    if (!known) all[total++] = second[i];
  }
  *out = all;
  return total;
}

bool hd_hlo_print_while(hd_hlo_printer *p, hd_op *op) {
  hd_value **captured;
  uint32_t extra = loop_captures(p, op, &captured), count = op->operand_count + extra;
  hd_hlo_body condition = {.block = hd_op_region(op, 0)->first, .base = HD_STR("condition"), .packed = true};
  hd_hlo_body body = {.block = hd_op_region(op, 1)->first, .base = HD_STR("body"), .packed = true};
  condition.captured = body.captured = captured;
  condition.capture_count = body.capture_count = extra;
  body.returns_captured = true;
  const char *condition_name = hd_hlo_print_computation(p->w, &condition);
  const char *body_name = condition_name ? hd_hlo_print_computation(p->w, &body) : NULL;
  if (!body_name) return false;
  hd_value **carried = hd_new_array(&p->w->scratch, hd_value *, count + 1);
  for (uint32_t i = 0; i < count; ++i)
    carried[i] = i < op->operand_count ? hd_operand(op, i) : captured[i - op->operand_count];
  const char *operand = hd_hlo_pack(p, carried, count);
  const hd_value *alone = op->result_count == 1 && !extra ? hd_result(op, 0) : NULL;
  const char *name = hd_hlo_name_op(p, op, "while");
  hd_hlo_put_line(p, alone, name);
  if (!hd_hlo_put_value_types(p, carried, count)) return hd_hlo_cannot(p, op, "a type of its results");
  hd_strbuf_printf(&p->text, " while(%%%s), condition=%%%s, body=%%%s", operand, condition_name, body_name);
  if (!hd_hlo_put_attrs(p, op)) return false;
  hd_hlo_put_metadata(p, op->loc);
  hd_strbuf_putc(&p->text, '\n');
  hd_hlo_put_results(p, op, count);
  return true;
}

bool hd_hlo_print_async_start(hd_hlo_printer *p, hd_op *op) {
  const char *body = hd_hlo_print_region(p, op, 0, "async_computation");
  if (!body) return false;
  hd_op *last = hd_op_region(op, 0)->first->last;
  const char *name = hd_hlo_name_op(p, op, "async-start");
  hd_value **ins = hd_new_array(&p->w->scratch, hd_value *, op->operand_count + 1);
  hd_value **outs = hd_new_array(&p->w->scratch, hd_value *, last->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; ++i) ins[i] = hd_operand(op, i);
  for (uint32_t i = 0; i < last->operand_count; ++i) outs[i] = hd_operand(last, i);
  hd_hlo_put_line(p, NULL, name);
  hd_strbuf_puts(&p->text, op->operand_count == 1 ? "((" : "(");
  if (!hd_hlo_put_value_types(p, ins, op->operand_count)) return hd_hlo_cannot(p, op, "a type of its operands");
  hd_strbuf_puts(&p->text, op->operand_count == 1 ? "), " : ", ");
  if (!hd_hlo_put_value_types(p, outs, last->operand_count)) return hd_hlo_cannot(p, op, "a type of its results");
  hd_strbuf_puts(&p->text, ") async-start(");
  hd_hlo_put_operands(p, op, 0, op->operand_count);
  hd_strbuf_printf(&p->text, ", calls=%%%s", body);
  return hd_hlo_end(p, op);
}

/* (f32[4], u32[], token[]): what is sent, a context, a token. */
static bool put_channel_op(hd_hlo_printer *p, hd_op *op, const char *opcode, hd_type data) {
  const char *name = hd_hlo_name_op(p, op, opcode);
  if (op->result_count == 1) name = hd_hlo_new_name(p, hd_str_of(opcode));
  hd_hlo_put_line(p, NULL, name);
  hd_strbuf_putc(&p->text, '(');
  if (!hd_hlo_put_type(p, data)) return hd_hlo_cannot(p, op, "the type of what it moves");
  hd_strbuf_printf(&p->text, ", u32[], token[]) %s(", opcode);
  hd_hlo_put_operands(p, op, 0, op->operand_count);
  if (!hd_hlo_put_attrs(p, op)) return false;
  hd_strbuf_putc(&p->text, '\n');
  const char *done =
      op->result_count == 1 ? hd_hlo_value_name(p, hd_result(op, 0)) : hd_hlo_new_name(p, HD_STR("done"));
  hd_hlo_put_line(p, op->result_count == 1 ? hd_result(op, 0) : NULL, done);
  if (!hd_hlo_put_types(p, op->results, op->result_count)) return hd_hlo_cannot(p, op, "a type of its results");
  hd_strbuf_printf(&p->text, " %s-done(%%%s)", opcode, name);
  hd_attr channel = hd_op_attr_get(op, HD_NAME_channel_handle);
  if (channel)
    hd_strbuf_printf(&p->text, ", channel_id=%lld", (long long)hd_attr_int_or(channel->structure.params[0], 0));
  if (hd_attr_bool_or(hd_op_attr_get(op, HD_NAME_is_host_transfer), false))
    hd_strbuf_puts(&p->text, ", is_host_transfer=true");
  hd_hlo_put_metadata(p, op->loc);
  hd_strbuf_putc(&p->text, '\n');
  p->op_name = done;
  hd_hlo_put_elements(p, op);
  return true;
}

bool hd_hlo_print_send(hd_hlo_printer *p, hd_op *op) {
  if (op->operand_count != 2) return hd_hlo_cannot(p, op, "several arrays that are sent");
  return put_channel_op(p, op, "send", hd_operand_type(op, 0));
}

bool hd_hlo_print_recv(hd_hlo_printer *p, hd_op *op) {
  if (op->result_count != 2) return hd_hlo_cannot(p, op, "several arrays that are received");
  return put_channel_op(p, op, "recv", hd_result_type(op, 0));
}

bool hd_hlo_print_domain(hd_hlo_printer *p, hd_op *op) {
  hd_str entry = hd_op_string_attr(op, HD_NAME_entry_metadata), exit = hd_op_string_attr(op, HD_NAME_exit_metadata);
  if (!hd_hlo_begin(p, op, "domain") || !hd_hlo_put_operands(p, op, 0, op->operand_count)) return false;
  hd_strbuf_puts(&p->text, ", domain={kind=\"sharding\", entry=");
  hd_strbuf_put_str(&p->text, entry);
  hd_strbuf_puts(&p->text, ", exit=");
  hd_strbuf_put_str(&p->text, exit);
  hd_strbuf_putc(&p->text, '}');
  return hd_hlo_end(p, op);
}
