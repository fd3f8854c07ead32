/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, branches and calls of a kernel. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ir/ops/llvm.h"
#include "target/simt/encoder.h"

bool hd_simt_fail(hd_simt_encoder *e, hd_op *op, const char *format, ...) {
  if (!hd_is_ok(e->status)) return false;
  va_list args;
  va_start(args, format);
  e->status = hd_op_unimplemented(op, format, args);
  va_end(args);
  return false;
}

/* ---- types ---- */

static bool is_row(hd_type type, int row) { return hd_type_is(type, HD_TYPE_DIALECT) && (int)type->dialect.row == row; }

static bool number_of(hd_type type, hd_simt_scalar *out) {
  *out = (hd_simt_scalar){.kind = HD_SIMT_INT};
  if (is_row(type, HD_TYPE_ROW_llvm_ptr) || type->kind == HD_TYPE_INDEX) {
    out->bits = 64;
    out->bytes = 8;
  } else if (type->kind == HD_TYPE_INTEGER && type->integer.width >= 1 && type->integer.width <= 64) {
    out->bits = type->integer.width;
    out->bytes = (uint32_t)hd_type_element_bytes(type);
  } else if (hd_type_is_float(type, HD_F16) || hd_type_is_float(type, HD_BF16)) {
    out->kind = hd_type_is_float(type, HD_F16) ? HD_SIMT_F16 : HD_SIMT_BF16;
    out->bits = 16;
    out->bytes = 2;
  } else if (hd_type_is_float(type, HD_F32) || hd_type_is_float(type, HD_F64)) {
    out->kind = hd_type_is_float(type, HD_F32) ? HD_SIMT_F32 : HD_SIMT_F64;
    out->bits = out->kind == HD_SIMT_F32 ? 32 : 64;
    out->bytes = out->bits / 8;
  }
  out->slots = out->bits > 32 ? 2 : 1;
  if (out->bytes & (out->bytes - 1) || out->bytes > 8) out->bytes = 0;
  return out->bits != 0;
}

bool hd_simt_scalar_of(hd_simt_encoder *e, hd_op *op, hd_type type, hd_simt_scalar *out, uint32_t *out_count) {
  hd_type element = type;
  *out_count = 1;
  if (type->kind == HD_TYPE_VECTOR && type->shaped.rank == 1 && !type->shaped.scalable && type->shaped.dims[0] >= 1 &&
      type->shaped.dims[0] <= 64) {
    *out_count = (uint32_t)type->shaped.dims[0];
    element = type->shaped.element;
  }
  return number_of(element, out) || hd_simt_fail(e, op, "has a type without a form on a device");
}

uint64_t hd_simt_bytes_of(hd_type type, uint64_t *out_align) {
  uint64_t bytes = 0, align = 1;
  hd_simt_scalar scalar;
  if (is_row(type, HD_TYPE_ROW_llvm_array)) {
    int64_t count = type->dialect.params[0]->integer;
    uint64_t each = hd_simt_bytes_of(type->dialect.params[1]->type_value, &align);
    if (count < 0 || __builtin_mul_overflow(each, (uint64_t)count, &bytes)) bytes = 0;
  } else if (type->kind == HD_TYPE_VECTOR && hd_type_is_static(type) && number_of(type->shaped.element, &scalar)) {
    align = scalar.bytes;
    bytes = scalar.bytes * (uint64_t)hd_type_num_elements(type);
  } else if (number_of(type, &scalar)) {
    align = bytes = scalar.bytes;
  }
  *out_align = align ? align : 1;
  return bytes;
}

/* ---- registers and instructions ---- */

int32_t hd_simt_new_register(hd_simt_encoder *e, uint32_t slots) {
  hd_vec_push(e->arena, &e->registers, (hd_simt_register){.slots = (uint8_t)slots});
  return (int32_t)e->registers.len - 1;
}

int32_t hd_simt_constant_of(hd_simt_encoder *e, uint32_t slots, uint64_t bits) {
  uint64_t key[2] = {slots, slots == 1 ? (uint32_t)bits : bits};
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(e->arena, &e->constants, key, sizeof key, &is_new);
  if (is_new) {
    entry->value.i64 = (int64_t)e->registers.len;
    hd_vec_push(e->arena, &e->registers,
                (hd_simt_register){.slots = (uint8_t)slots, .fixed = true, .is_constant = true, .bits = key[1]});
  }
  return (int32_t)entry->value.i64;
}

hd_simt_draft *hd_simt_add(hd_simt_encoder *e, hd_simt_opcode op) {
  hd_simt_node *node = e->nodes.data[e->node];
  hd_vec_push(
      e->arena, &node->code,
      (hd_simt_draft){.op = (uint16_t)op, .d = -1, .a = -1, .b = -1, .c = -1, .valid = -1, .origin = e->origin});
  ++e->count;
  return &hd_vec_last(&node->code);
}

int32_t hd_simt_emit(hd_simt_encoder *e, hd_simt_opcode op, int32_t a, int32_t b, int32_t c) {
  int32_t d = hd_simt_new_register(e, hd_simt_opcode_rows[op].result);
  hd_simt_draft *draft = hd_simt_add(e, op);
  draft->a = a;
  draft->b = b;
  draft->c = c;
  return draft->d = d;
}

int32_t hd_simt_emit_x(hd_simt_encoder *e, hd_simt_opcode op, int32_t a, uint32_t x) {
  int32_t d = hd_simt_emit(e, op, a, HD_SIMT_NO_REGISTER, HD_SIMT_NO_REGISTER);
  hd_vec_last(&e->nodes.data[e->node]->code).x = (uint16_t)x;
  return d;
}

static int32_t extend(hd_simt_encoder *e, int32_t value, uint32_t bits, hd_simt_opcode narrow, hd_simt_opcode wide) {
  if (bits == 32 || bits == 64) return value;
  return hd_simt_emit_x(e, bits < 32 ? narrow : wide, value, bits);
}
int32_t hd_simt_zero_extend(hd_simt_encoder *e, int32_t value, uint32_t bits) {
  return extend(e, value, bits, HD_SIMT_zext32, HD_SIMT_zext64);
}
int32_t hd_simt_sign_extend(hd_simt_encoder *e, int32_t value, uint32_t bits) {
  return extend(e, value, bits, HD_SIMT_sext32, HD_SIMT_sext64);
}

int32_t hd_simt_undefined_of(hd_simt_encoder *e, uint32_t slots) {
  hd_vec_push(e->arena, &e->registers,
              (hd_simt_register){.slots = (uint8_t)slots, .fixed = true, .is_undefined = true});
  return (int32_t)e->registers.len - 1;
}

static void move_to(hd_simt_encoder *e, int32_t to, int32_t from) {
  hd_simt_draft *draft = hd_simt_add(e, e->registers.data[to].slots == 2 ? HD_SIMT_mov64 : HD_SIMT_mov32);
  draft->d = to;
  draft->a = from;
}

/* ---- values ---- */

hd_simt_parts *hd_simt_new_parts(hd_simt_encoder *e, uint32_t count) {
  hd_simt_parts *parts = hd_arena_zalloc(e->arena, sizeof *parts + count * sizeof *parts->at);
  parts->count = count;
  return parts;
}

hd_simt_parts *hd_simt_operand(hd_simt_encoder *e, hd_op *op, uint32_t i) {
  hd_simt_parts *parts = hd_map_get(&e->frame->values, hd_operand(op, i));
  HD_ASSERT(parts); /* checked before an op is lowered */
  return parts;
}

bool hd_simt_give(hd_simt_encoder *e, hd_op *op, uint32_t i, hd_simt_parts *parts) {
  hd_map_set(e->arena, &e->frame->values, hd_result(op, i), parts);
  return true;
}

bool hd_simt_give_one(hd_simt_encoder *e, hd_op *op, int32_t value) {
  hd_simt_parts *parts = hd_simt_new_parts(e, 1);
  parts->at[0] = value;
  return hd_simt_give(e, op, 0, parts);
}

static hd_simt_parts *parts_of_type(hd_simt_encoder *e, hd_op *op, hd_type type) {
  hd_simt_scalar scalar;
  uint32_t count;
  if (!hd_simt_scalar_of(e, op, type, &scalar, &count)) return NULL;
  hd_simt_parts *parts = hd_simt_new_parts(e, count);
  for (uint32_t i = 0; i < count; ++i) parts->at[i] = hd_simt_new_register(e, scalar.slots);
  return parts;
}

/* ---- nodes and jumps ---- */

static uint32_t new_node(hd_simt_encoder *e) {
  hd_vec_push(e->arena, &e->nodes, hd_new(e->arena, hd_simt_node));
  return (uint32_t)e->nodes.len - 1;
}

static void begin_node(hd_simt_encoder *e, uint32_t node) {
  e->node = node;
  hd_vec_push(e->arena, &e->order, node);
}

static void jump_to(hd_simt_encoder *e, uint32_t node) { hd_simt_add(e, HD_SIMT_branch)->targets[0] = node; }

/* All of |from| to |to| at once: what is written before it is read is copied first. */
static void move_all(hd_simt_encoder *e, const int32_t *to, const int32_t *from, uint32_t count) {
  int32_t *sources = hd_new_array(e->arena, int32_t, count + 1);
  for (uint32_t i = 0; i < count; ++i) {
    sources[i] = from[i];
    for (uint32_t k = 0; k < i; ++k) {
      if (to[k] != from[i] || to[i] == from[i]) continue;
      sources[i] = hd_simt_new_register(e, e->registers.data[from[i]].slots);
      move_to(e, sources[i], from[i]);
      break;
    }
  }
  for (uint32_t i = 0; i < count; ++i)
    if (to[i] != sources[i]) move_to(e, to[i], sources[i]);
}

static bool pass_operands(hd_simt_encoder *e, hd_op *op, uint32_t successor) {
  uint32_t first, count;
  hd_vec(int32_t) to = {0}, from = {0};
  hd_op_successor_operands(op, successor, &first, &count);
  for (uint32_t k = 0; k < count; ++k) {
    hd_simt_parts *source = hd_simt_operand(e, op, first + k);
    hd_simt_parts *target = hd_map_get(&e->frame->values, op->successors[successor]->args[k]);
    if (!target || target->count != source->count) return hd_simt_fail(e, op, "passes a value of another type");
    hd_vec_append(e->arena, &to, target->at, target->count);
    hd_vec_append(e->arena, &from, source->at, source->count);
  }
  move_all(e, to.data, from.data, (uint32_t)to.len);
  return true;
}

static uint32_t node_of(hd_simt_encoder *e, const hd_block *block) {
  hd_map_entry *entry = hd_map_find(&e->frame->nodes, block);
  HD_ASSERT(entry);
  return (uint32_t)entry->value.i64 - 1;
}

static bool lower_branch(hd_simt_encoder *e, hd_op *op) {
  if (op->successor_count == 1) {
    if (!pass_operands(e, op, 0)) return false;
    jump_to(e, node_of(e, op->successors[0]));
    return true;
  }
  uint32_t targets[2], from = e->node;
  for (uint32_t i = 0; i < 2; ++i) {
    uint32_t first, count;
    hd_op_successor_operands(op, i, &first, &count);
    targets[i] = count ? new_node(e) : node_of(e, op->successors[i]);
  }
  int32_t condition = hd_simt_operand(e, op, 0)->at[0];
  hd_simt_draft *draft = hd_simt_add(e, HD_SIMT_branch_if);
  draft->a = condition;
  memcpy(draft->targets, targets, sizeof targets);
  for (uint32_t i = 0; i < 2; ++i) {
    if (targets[i] == node_of(e, op->successors[i])) continue;
    begin_node(e, targets[i]);
    if (!pass_operands(e, op, i)) return false;
    jump_to(e, node_of(e, op->successors[i]));
  }
  e->node = from;
  return true;
}

/* ---- functions ---- */

static bool lower_op(hd_simt_encoder *e, hd_op *op);

static bool lower_return(hd_simt_encoder *e, hd_op *op) {
  hd_simt_frame *frame = e->frame;
  if (!frame->caller) {
    hd_simt_add(e, HD_SIMT_exit);
    return true;
  }
  hd_simt_parts *value = op->operand_count ? hd_simt_operand(e, op, 0) : hd_simt_new_parts(e, 0);
  if (frame->after == HD_SIMT_NOWHERE) {
    frame->results = value;
    return true;
  }
  if (!frame->results || frame->results->count != value->count)
    return hd_simt_fail(e, op, "gives a value of another type");
  move_all(e, frame->results->at, value->at, value->count);
  jump_to(e, frame->after);
  return true;
}

/* Blocks but the first get nodes and registers for their arguments. */
static bool prepare_blocks(hd_simt_encoder *e, hd_op *function) {
  hd_region *region = hd_op_region(function, 0);
  hd_for_each_block(block, region) {
    uint32_t node = block == region->first ? e->node : new_node(e);
    hd_map_insert(e->arena, &e->frame->nodes, block, NULL)->value.i64 = node + 1;
    for (uint32_t i = 0; i < block->arg_count && block != region->first; ++i) {
      hd_simt_parts *parts = parts_of_type(e, function, block->args[i]->type);
      if (!parts) return false;
      hd_map_set(e->arena, &e->frame->values, block->args[i], parts);
    }
  }
  return true;
}

static bool lower_blocks(hd_simt_encoder *e, hd_op *function) {
  hd_region *region = hd_op_region(function, 0);
  if (!prepare_blocks(e, function)) return false;
  hd_for_each_block(block, region) {
    if (block != region->first) begin_node(e, node_of(e, block));
    hd_for_each_op(op, block)
      if (!lower_op(e, op)) return false;
  }
  return true;
}

static bool lower_call(hd_simt_encoder *e, hd_op *op) {
  hd_op *callee = hd_symbol_resolve(op, hd_llvm_call_callee(op));
  hd_region *region = hd_op_is(callee, HD_OP_llvm_func) ? hd_op_region(callee, 0) : NULL;
  if (!region || !region->first || region->first->arg_count != op->operand_count)
    return hd_simt_fail(e, op, "calls what is no function here");
  if (e->frame->depth == HD_SIMT_INLINE_DEPTH)
    return hd_simt_fail(e, op, "is a call within %d others", HD_SIMT_INLINE_DEPTH);
  hd_simt_frame frame = {
      .caller = e->frame, .function = callee, .after = HD_SIMT_NOWHERE, .depth = e->frame->depth + 1};
  for (uint32_t i = 0; i < op->operand_count; ++i)
    hd_map_set(e->arena, &frame.values, region->first->args[i], hd_simt_operand(e, op, i));
  if (region->first->next) {
    frame.after = new_node(e);
    frame.results = op->result_count ? parts_of_type(e, op, hd_result_type(op, 0)) : hd_simt_new_parts(e, 0);
    if (!frame.results) return false;
  }
  e->frame = &frame;
  bool ok = lower_blocks(e, callee);
  e->frame = frame.caller;
  if (!ok) return false;
  if (frame.after != HD_SIMT_NOWHERE) begin_node(e, frame.after);
  if (!op->result_count) return true;
  return frame.results ? hd_simt_give(e, op, 0, frame.results)
                       : hd_simt_fail(e, op, "calls a function that gives nothing");
}

/* Which of the kernel's sources |op| is. */
static uint32_t origin_of(hd_simt_encoder *e, hd_op *op) {
  char text[400];
  bool is_new;
  hd_loc at = hd_loc_file_position(op->loc);
  int length = at ? snprintf(text, sizeof text, "%.255s:%u:%u: %.60s", at->loc.name->text, at->loc.line, at->loc.column,
                             op->name->text)
                  : snprintf(text, sizeof text, "%.60s", op->name->text);
  hd_map_entry *entry = hd_map_insert_bytes(e->arena, &e->source_numbers, text, (size_t)length, &is_new);
  if (is_new) {
    entry->value.i64 = (int64_t)e->sources.len;
    hd_vec_push(e->arena, &e->sources, hd_arena_copy(e->arena, text, (size_t)length));
  }
  return (uint32_t)entry->value.i64;
}

static bool lower_op(hd_simt_encoder *e, hd_op *op) {
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_map_get(&e->frame->values, hd_operand(op, i)))
      return hd_simt_fail(e, op, "uses operand #%u before it is defined in the text", i);
  if (e->count > HD_SIMT_CODE_LIMIT)
    return hd_simt_fail(e, op, "is beyond %d instructions of its kernel", HD_SIMT_CODE_LIMIT);
  e->origin = origin_of(e, op);
  switch (hd_opcode_get(op)) {
#define CONTROL(opcode, call) \
  case HD_OP_##opcode:        \
    return call;
#include "target/simt/lower.def"
    default:
      break;
  }
  int (*const files[])(hd_simt_encoder *, hd_op *) = {hd_simt_lower_memory, hd_simt_lower_threads, hd_simt_lower_nvvm,
                                                      hd_simt_lower_numbers};
  int done = 0;
  for (size_t i = 0; i < sizeof files / sizeof *files && !done; ++i) done = files[i](e, op);
  return done ? done > 0 : hd_simt_fail(e, op, "has no code on simt");
}

bool hd_simt_lower_kernel(hd_simt_encoder *e, hd_op *function) {
  hd_region *region = hd_op_region(function, 0);
  hd_simt_frame frame = {.function = function, .after = HD_SIMT_NOWHERE};
  if (!region->first) return hd_simt_fail(e, function, "has no body");
  e->frame = &frame;
  e->origin = origin_of(e, function);
  begin_node(e, new_node(e));
  for (uint32_t i = 0; i < region->first->arg_count; ++i) {
    hd_value *arg = region->first->args[i];
    hd_simt_parts *parts = parts_of_type(e, function, arg->type);
    if (!parts) return false;
    if (parts->count != 1) return hd_simt_fail(e, function, "takes a vector as an argument");
    e->registers.data[parts->at[0]].fixed = true;
    hd_vec_push(e->arena, &e->arguments, parts->at[0]);
    hd_map_set(e->arena, &frame.values, arg, parts);
  }
  bool ok = lower_blocks(e, function);
  e->frame = NULL;
  return ok;
}
