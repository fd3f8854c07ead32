/* SPDX-License-Identifier: Apache-2.0 */
/* Computations become functions and regions. */
#include "hlo/import.h"

hd_hlo_computation *hd_hlo_computation_named(hd_hlo_reader *r, hd_hlo_cursor *c) {
  hd_str name;
  hd_hlo_more(c);
  const char *at = c->at;
  if (!hd_hlo_name(c, "a computation", &name)) return NULL;
  hd_map_entry *entry = hd_map_find_bytes(&r->by_name, name.data, name.len);
  hd_hlo_computation *found = entry ? entry->value.ptr : NULL;
  if (!found) hd_hlo_fail(r, at, "expected the name of a computation, got '%.*s'", (int)name.len, name.data);
  return found;
}

hd_hlo_computation *hd_hlo_find_computation(hd_hlo_import *s, const hd_hlo_inst *inst, const char *name) {
  hd_str text = hd_hlo_find_attr(inst, name);
  if (!text.data) {
    hd_hlo_fail(s->r, inst->at, "expected '%s=' and a computation for '%.*s', got none", name, (int)inst->opcode.len,
                inst->opcode.data);
    return NULL;
  }
  hd_hlo_cursor c = hd_hlo_cursor_of(s->r, text);
  hd_hlo_computation *found = hd_hlo_computation_named(s->r, &c);
  return found && hd_hlo_at_end(&c, "the computation") ? found : NULL;
}

/* |metadata| without its last entry where that counts in the header's tables, which are not kept. */
static hd_str without_frame(hd_str text) {
  static const char key[] = "stack_frame_id=";
  size_t end = text.len - 1, len = strlen(key); /* the brace that closes */
  size_t at = end;
  while (at > 0 && text.data[at - 1] >= '0' && text.data[at - 1] <= '9') --at;
  if (at == end || at <= len || memcmp(text.data + at - len, key, len) != 0) return text;
  at -= len;
  while (at > 1 && text.data[at - 1] == ' ') --at;
  return (hd_str){text.data, at};
}

static hd_attr metadata_of(hd_hlo_reader *r, hd_str text) {
  hd_str kept = without_frame(text);
  if (kept.len == text.len) return hd_attr_string(r->context, text);
  if (kept.len <= 1) return NULL;
  hd_strbuf closed;
  hd_strbuf_init(&closed, &r->scratch);
  hd_strbuf_put_str(&closed, kept);
  hd_strbuf_putc(&closed, '}');
  return hd_attr_string(r->context, (hd_str){closed.data, closed.len});
}

/* "name"(place in the text), with the metadata beside it. */
hd_loc hd_hlo_loc(hd_hlo_reader *r, const hd_hlo_inst *inst) {
  hd_loc loc = hd_loc_name(r->context, inst->name, hd_loc_file(r->context, r->file, inst->line, inst->column));
  hd_str metadata = hd_hlo_find_attr(inst, "metadata");
  hd_attr kept = metadata.len > 1 && metadata.data[0] == '{' ? metadata_of(r, metadata) : NULL;
  return kept ? hd_loc_fused(r->context, &loc, 1, kept) : loc;
}

hd_type *hd_hlo_leaf_types(hd_hlo_reader *r, const hd_hlo_shape *shape, uint32_t *out_count) {
  hd_type *types = hd_new_array(&r->scratch, hd_type, shape->leaves + 1);
  *out_count = shape->leaves;
  if (shape->type) {
    types[0] = shape->type;
    return types;
  }
  uint32_t next = 0;
  for (uint32_t i = 0; i < shape->count; ++i) {
    uint32_t count;
    hd_type *inner = hd_hlo_leaf_types(r, &shape->elements[i], &count);
    memcpy(types + next, inner, count * sizeof *types);
    next += count;
  }
  return types;
}

const char *hd_hlo_operand_name(const hd_hlo_import *s, const hd_hlo_inst *inst, uint32_t i) {
  hd_str name = i < inst->operand_count ? s->computation->insts.data[inst->operands[i]].name : HD_STR("");
  return hd_arena_printf(&s->r->scratch, "%.*s", (int)name.len, name.data);
}

bool hd_hlo_check_operands(hd_hlo_import *s, const hd_hlo_inst *inst, uint32_t count) {
  return inst->operand_count == count || hd_hlo_fail(s->r, inst->at, "expected %u operands of '%.*s', got %u", count,
                                                     (int)inst->opcode.len, inst->opcode.data, inst->operand_count);
}

bool hd_hlo_operands(hd_hlo_import *s, const hd_hlo_inst *inst, hd_value ***out, uint32_t *out_count) {
  hd_vec(hd_value *) values = {0};
  for (uint32_t i = 0; i < inst->operand_count; ++i) {
    const hd_hlo_values *operand = &s->values[inst->operands[i]];
    if (operand->async)
      return hd_hlo_fail(s->r, inst->at, "expected arrays as operand %u, got what is not done yet: use its -done", i);
    hd_vec_append(&s->r->scratch, &values, operand->data, operand->count);
  }
  if (values.len > UINT32_MAX / 2)
    return hd_hlo_fail(s->r, inst->at, "expected at most %u arrays as operands, got %zu", UINT32_MAX / 2, values.len);
  *out = values.data;
  *out_count = (uint32_t)values.len;
  return true;
}

bool hd_hlo_set(hd_hlo_import *s, const hd_hlo_inst *inst, hd_value *const *values, uint32_t count) {
  uint32_t leaves;
  hd_type *types = hd_hlo_leaf_types(s->r, &inst->shape, &leaves);
  if (leaves != count)
    return hd_hlo_fail(s->r, inst->at, "expected a shape of %u arrays, those of the operands, got %u", count, leaves);
  for (uint32_t i = 0; i < count; ++i)
    if (types[i] != values[i]->type)
      return hd_hlo_fail(s->r, inst->at, "expected %s, the shape of the operands, as array %u, got %s",
                         hd_hlo_type_text(s->r, values[i]->type), i, hd_hlo_type_text(s->r, types[i]));
  hd_hlo_values *to = &s->values[inst - s->computation->insts.data];
  *to = (hd_hlo_values){hd_new_array(&s->r->scratch, hd_value *, count + 1), count, false};
  if (count) memcpy(to->data, values, count * sizeof *values);
  return true;
}

void hd_hlo_set_async(hd_hlo_import *s, const hd_hlo_inst *inst, hd_value *value) {
  hd_hlo_values *to = &s->values[inst - s->computation->insts.data];
  *to = (hd_hlo_values){hd_new(&s->r->scratch, hd_value *), 1, true};
  to->data[0] = value;
}

hd_op *hd_hlo_make(hd_hlo_import *s, const hd_hlo_inst *inst, hd_opcode opcode, hd_value *const *operands,
                   uint32_t operand_count, const hd_hlo_attr_args *attrs, uint32_t regions) {
  uint32_t count;
  if (inst->shapeless && !hd_hlo_infer_results(s, inst, opcode, operands, operand_count, attrs)) return NULL;
  hd_type *types = hd_hlo_leaf_types(s->r, &inst->shape, &count);
  s->b.loc = hd_hlo_loc(s->r, inst);
  hd_op *op = hd_build_op(&s->b, opcode, operands, operand_count, types, count, attrs ? attrs->data : NULL,
                          attrs ? attrs->len : 0, regions);
  hd_hlo_values *to = &s->values[inst - s->computation->insts.data];
  *to = (hd_hlo_values){hd_new_array(&s->r->scratch, hd_value *, count + 1), count, false};
  for (uint32_t i = 0; i < count; ++i) to->data[i] = hd_result(op, i);
  return op;
}

hd_op *hd_hlo_make_plain(hd_hlo_import *s, const hd_hlo_inst *inst, uint32_t regions) {
  hd_value **operands;
  uint32_t count;
  hd_hlo_attr_args attrs;
  if (!hd_hlo_operands(s, inst, &operands, &count) || !hd_hlo_read_attrs(s, inst, &attrs)) return NULL;
  return hd_hlo_make(s, inst, inst->row->opcode, operands, count, &attrs, regions);
}

bool hd_hlo_import_plain(hd_hlo_import *s, const hd_hlo_inst *inst) { return hd_hlo_make_plain(s, inst, 0) != NULL; }

bool hd_hlo_import_parameter(hd_hlo_import *s, const hd_hlo_inst *inst) {
  uint32_t first = s->first_arg[inst - s->computation->insts.data];
  return hd_hlo_set(s, inst, s->args + first, inst->shape.leaves);
}

static bool import_inst(hd_hlo_import *s, const hd_hlo_inst *inst) {
  if (++s->r->imported > s->r->inst_count * HD_HLO_EXPANSION + HD_HLO_SMALL)
    return hd_hlo_fail(s->r, inst->at,
                       "expected computations that stand for at most %zu instructions, got more: they hold each other",
                       s->r->imported - 1);
  if (inst->shapeless && !hd_hlo_infer_shape(s, inst)) return false;
  if (inst->row) return inst->row->import(s, inst) && !s->r->failed;
  hd_str base = inst->opcode;
  if (base.len > 6 && !memcmp(base.data + base.len - 6, "-start", 6)) return hd_hlo_import_async_start(s, inst);
  if (base.len > 7 && !memcmp(base.data + base.len - 7, "-update", 7)) return hd_hlo_import_async_update(s, inst);
  if (base.len > 5 && !memcmp(base.data + base.len - 5, "-done", 5)) return hd_hlo_import_async_done(s, inst);
  return hd_hlo_fail(s->r, inst->opcode.data, "expected an opcode of HLO, got '%.*s'", (int)base.len, base.data);
}

bool hd_hlo_import_body(hd_hlo_import *s, hd_hlo_values *out) {
  const hd_hlo_computation *computation = s->computation;
  s->values = hd_new_array(&s->r->scratch, hd_hlo_values, computation->insts.len);
  s->first_arg = hd_new_array(&s->r->scratch, uint32_t, computation->insts.len);
  uint32_t args = 0;
  for (size_t i = 0; i < computation->params.len; ++i) {
    uint32_t param = computation->params.data[i];
    s->first_arg[param] = args;
    args += computation->insts.data[param].shape.leaves;
  }
  for (size_t i = 0; i < computation->insts.len; ++i)
    if (!import_inst(s, &computation->insts.data[i])) return false;
  *out = s->values[computation->root];
  return !out->async || hd_hlo_fail(s->r, computation->insts.data[computation->root].at,
                                    "expected an array or a tuple as ROOT, got what is not done yet");
}

static bool import_region(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_computation *computation, hd_region *region,
                          hd_value *const *args, uint32_t arg_count, bool captures) {
  hd_hlo_reader *r = s->r;
  if (r->depth >= HD_HLO_NESTING)
    return hd_hlo_fail(r, inst->at, "expected computations that hold each other at most %d deep, got more",
                       HD_HLO_NESTING);
  ++r->depth;
  hd_block *block = hd_block_create(r->module);
  hd_region_append(region, block);
  hd_hlo_import inner = {.r = r, .computation = computation, .b = hd_builder_at_end(r->module, block)};
  uint32_t count = 0;
  for (size_t i = 0; i < computation->params.len; ++i) {
    const hd_hlo_inst *param = &computation->insts.data[computation->params.data[i]];
    uint32_t leaves;
    hd_type *types = hd_hlo_leaf_types(r, &param->shape, &leaves);
    for (uint32_t k = 0; k < leaves && !captures; ++k)
      hd_block_add_arg(r->module, block, types[k])->loc = hd_hlo_loc(r, param);
    for (uint32_t k = 0; k < leaves && captures; ++k)
      if (count + k < arg_count && args[count + k]->type != types[k])
        return hd_hlo_fail(r, inst->at, "expected %s as array %u of the operands, for '%.*s', got %s",
                           hd_hlo_type_text(r, types[k]), count + k, (int)computation->name.len, computation->name.data,
                           hd_hlo_type_text(r, args[count + k]->type));
    count += leaves;
  }
  if (captures && count != arg_count)
    return hd_hlo_fail(r, inst->at, "expected %u arrays as operands, for '%.*s', got %u", count,
                       (int)computation->name.len, computation->name.data, arg_count);
  inner.args = captures ? args : block->args;
  hd_hlo_values root;
  if (!hd_hlo_import_body(&inner, &root)) return false;
  inner.b.loc = hd_hlo_loc(r, &computation->insts.data[computation->root]);
  hd_build_op(&inner.b, HD_OP_stablehlo_return, root.data, root.count, NULL, 0, NULL, 0, 0);
  --r->depth;
  return true;
}

bool hd_hlo_import_region(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_computation *computation,
                          hd_region *region) {
  return import_region(s, inst, computation, region, NULL, 0, false);
}

bool hd_hlo_import_branch(hd_hlo_import *s, const hd_hlo_inst *inst, hd_hlo_computation *computation, hd_region *region,
                          hd_value *const *args, uint32_t count) {
  return import_region(s, inst, computation, region, args, count, true);
}
