/* SPDX-License-Identifier: Apache-2.0 */
/* Ops, blocks and regions. A stack of regions stands for recursion; values are numbered within the nearest isolated
 * region and may be used before they are defined. Ops of vhlo become what they stand for at once. */
#include <string.h>

#include "bytecode/reader.h"
#include "bytecode/vhlo.h"

/* Values of an isolated region and the regions inside that are being read. */
typedef struct scope {
  struct scope *outer;
  hd_vec(hd_value *) values; /* null until defined or used */
  hd_vec(bool) defined;
  size_t forward; /* placeholders of values that were used before they are defined */
} scope;

/* The regions of one op, from |region| on. */
typedef struct level {
  struct level *outer;
  hd_op *op;
  uint32_t region;
  bool isolated, started;
  hd_bc_bytes own, *in; /* |in| is |own| where the regions are a section, else the outer one */
  hd_block **blocks;
  size_t block_count, block;
  uint64_t ops_left;
  size_t first_value, next_value, value_count;
} level;

typedef struct ir {
  hd_bc_reader *r;
  scope *scope;
  level *level;
  uint32_t depth;
} ir;

static bool claim(ir *s, const uint8_t *where, uint64_t count) {
  if (count > s->r->size - s->r->claimed)
    return hd_bc_fail(s->r, where, "the file is too short for %llu values or blocks", (unsigned long long)count);
  s->r->claimed += (size_t)count;
  return true;
}

static hd_value *placeholder(ir *s) {
  hd_type none = hd_type_none(s->r->context);
  hd_op_state state = {.context = s->r->context,
                       .opcode = HD_OP_builtin_unrealized_conversion_cast,
                       .result_types = &none,
                       .result_count = 1};
  ++s->scope->forward;
  return hd_result(hd_op_create(s->r->module, &state), 0);
}

static hd_value *read_operand(ir *s, hd_bc_bytes *in) {
  const uint8_t *where = in->at;
  uint64_t index;
  if (!hd_bc_varint(s->r, in, &index)) return NULL;
  if (index >= s->scope->values.len) {
    hd_bc_fail(s->r, where, "value %llu, but there are %zu here", (unsigned long long)index, s->scope->values.len);
    return NULL;
  }
  hd_value **value = &s->scope->values.data[index];
  if (!*value) *value = placeholder(s);
  return *value;
}

static bool define(ir *s, const uint8_t *where, hd_value *value) {
  level *top = s->level;
  if (top->next_value == top->first_value + top->value_count)
    return hd_bc_fail(s->r, where, "more values than the %zu of this region", top->value_count);
  hd_value **slot = &s->scope->values.data[top->next_value], *used = *slot;
  *slot = value;
  s->scope->defined.data[top->next_value++] = true;
  if (used) {
    hd_value_replace_uses(used, value);
    --s->scope->forward;
  }
  return true;
}

/* Permutations of uses: order of uses has no meaning here. */
static bool skip_use_lists(ir *s, hd_bc_bytes *in, size_t values) {
  hd_bc_reader *r = s->r;
  size_t lists = 1;
  if (values > 1 && !hd_bc_count(r, in, 1, &lists)) return false;
  for (size_t i = 0; i < lists; ++i) {
    uint64_t ignored, count;
    bool pairs;
    if (values > 1 && !hd_bc_varint(r, in, &ignored)) return false;
    if (!hd_bc_flagged(r, in, &count, &pairs)) return false;
    if (count > hd_bc_left(in))
      return hd_bc_fail(r, in->at, "%llu uses, but only %zu bytes are left", (unsigned long long)count, hd_bc_left(in));
    for (uint64_t k = 0; k < count; ++k)
      if (!hd_bc_varint(r, in, &ignored)) return false;
  }
  return true;
}

static bool read_block_args(ir *s, hd_bc_bytes *in, hd_block *block) {
  hd_bc_reader *r = s->r;
  size_t count;
  uint8_t use_lists = 0;
  if (!hd_bc_count(r, in, 1, &count)) return false;
  for (size_t i = 0; i < count; ++i) {
    const uint8_t *where = in->at;
    uint64_t index;
    bool has_loc = true;
    if (r->version >= HD_BC_SHORT_ARG_LOCS ? !hd_bc_flagged(r, in, &index, &has_loc) : !hd_bc_varint(r, in, &index))
      return false;
    hd_type type = hd_bc_type_at(r, index, where);
    hd_loc loc = !type ? NULL : has_loc ? hd_bc_loc_ref(r, in) : hd_loc_unknown(r->context);
    if (!loc) return false;
    hd_value *arg = hd_block_add_arg(r->module, block, type);
    arg->loc = loc;
    if (!define(s, where, arg)) return false;
  }
  if (r->version < HD_BC_USE_LISTS) return true;
  if (!hd_bc_byte(r, in, &use_lists)) return false;
  return !use_lists || skip_use_lists(s, in, count);
}

static bool start_block(ir *s) {
  level *top = s->level;
  bool has_args;
  if (!hd_bc_flagged(s->r, top->in, &top->ops_left, &has_args)) return false;
  if (top->ops_left > hd_bc_left(top->in))
    return hd_bc_fail(s->r, top->in->at, "%llu ops, but only %zu bytes are left", (unsigned long long)top->ops_left,
                      hd_bc_left(top->in));
  return !has_args || read_block_args(s, top->in, top->blocks[top->block]);
}

static bool start_region(ir *s, bool *out_empty) {
  level *top = s->level;
  const uint8_t *where = top->in->at;
  size_t blocks, values;
  if (!hd_bc_count(s->r, top->in, 1, &blocks)) return false;
  *out_empty = !blocks;
  if (!blocks) return true;
  if (!hd_bc_count(s->r, top->in, 1, &values) || !claim(s, where, blocks) || !claim(s, where, values)) return false;
  top->blocks = hd_new_array(&s->r->scratch, hd_block *, blocks);
  top->block_count = blocks;
  top->block = 0;
  for (size_t i = 0; i < blocks; ++i) {
    top->blocks[i] = hd_block_create(s->r->module);
    hd_region_append(&top->op->regions[top->region], top->blocks[i]);
  }
  top->first_value = top->next_value = s->scope->values.len;
  top->value_count = values;
  for (size_t i = 0; i < values; ++i) {
    hd_vec_push(&s->r->scratch, &s->scope->values, NULL);
    hd_vec_push(&s->r->scratch, &s->scope->defined, false);
  }
  top->started = true;
  return start_block(s);
}

static bool end_region(ir *s) {
  level *top = s->level;
  if (top->next_value != top->first_value + top->value_count)
    return hd_bc_fail(s->r, top->in->at, "a region of %zu values defines %zu", top->value_count,
                      top->next_value - top->first_value);
  s->scope->values.len = s->scope->defined.len = top->first_value;
  top->started = false;
  ++top->region;
  return true;
}

static bool push_level(ir *s, hd_op *op, bool isolated) {
  hd_bc_reader *r = s->r;
  level *outer = s->level;
  if (++s->depth > HD_BC_NESTING) return hd_bc_fail(r, outer->in->at, "regions nest deeper than %d", HD_BC_NESTING);
  level *made = hd_new(&r->scratch, level);
  *made = (level){.outer = outer, .op = op, .isolated = isolated, .in = outer->in};
  if (isolated && r->version >= HD_BC_REGION_SECTIONS) {
    const uint8_t *where = outer->in->at;
    uint8_t id;
    if (!hd_bc_section_read(r, outer->in, &id, &made->own)) return false;
    if (id != HD_BC_IR) return hd_bc_fail(r, where, "expected a section of ops for the regions");
    made->in = &made->own;
  }
  if (isolated) {
    scope *inner = hd_new(&r->scratch, scope);
    inner->outer = s->scope;
    s->scope = inner;
  }
  s->level = made;
  return true;
}

static bool pop_level(ir *s) {
  level *top = s->level;
  if (top->isolated) {
    if (s->scope->forward)
      return hd_bc_fail(s->r, top->in->at, "%zu values are used and never defined", s->scope->forward);
    s->scope = s->scope->outer;
  }
  if (top->in == &top->own && !hd_bc_expect_end(s->r, top->in, "the ops of a region")) return false;
  s->level = top->outer;
  --s->depth;
  return true;
}

/* A property and an attribute may have one name where the op has no row. */
static bool has_duplicates(hd_opcode opcode, const hd_bc_op_attrs *attrs) {
  for (size_t i = 0; i < attrs->len && attrs->len < 64; ++i)
    for (size_t k = 0; k < i; ++k) {
      const hd_op_attr *a = &attrs->data[i], *b = &attrs->data[k];
      if (a->name == b->name && (opcode || a->inherent == b->inherent)) return true;
    }
  return false;
}

static bool read_attr_dict(ir *s, hd_bc_bytes *in, hd_bc_op_attrs *out) {
  const uint8_t *where = in->at;
  hd_attr dict = hd_bc_attr_ref(s->r, in);
  if (!dict) return false;
  if (dict->kind != HD_ATTR_DICT) return hd_bc_fail(s->r, where, "expected the dictionary of an op's attributes");
  for (uint32_t i = 0; i < dict->dict.count; ++i)
    hd_vec_push(&s->r->scratch, out, (hd_op_attr){dict->dict.items[i].name, dict->dict.items[i].value, false});
  return true;
}

/* What a vhlo op stands for. */
static bool convert_vhlo(ir *s, const uint8_t *where, hd_op_state *state, hd_bc_op_attrs *attrs) {
  hd_bc_reader *r = s->r;
  hd_vhlo_row row;
  if (!hd_vhlo_row_of(r->context, state->opcode, &row))
    return hd_bc_fail(r, where, "'%s' is not supported", hd_op_info_of(state->opcode)->name);
  hd_opcode target = row.target;
  if (!target) return hd_bc_fail(r, where, "'%s' is not supported", row.name);
  if (state->opcode == HD_OP_vhlo_return_v1 && hd_op_is(s->level->op, HD_OP_func_func)) target = HD_OP_func_return;
  hd_vhlo_attrs made = {0};
  hd_strbuf problem;
  hd_strbuf_init(&problem, &r->scratch);
  if (!hd_vhlo_import(r->context, &r->scratch, &row, attrs->data, attrs->len, &made, &problem))
    return hd_bc_fail(r, where, "%s", hd_strbuf_text(&problem));
  state->opcode = target;
  state->name = NULL;
  state->attrs = made.data;
  state->attr_count = made.len;
  return true;
}

static bool check_known(ir *s, const uint8_t *where, const hd_bc_op_name *name) {
  hd_str dialect = name->dialect->name;
  if (name->opcode || s->r->context->allow_unregistered) return true;
  if (hd_str_is(dialect, "vhlo"))
    return hd_bc_fail(s->r, where, "op '%s' is not known: expected StableHLO 0.9 to 1.20", name->name->text);
  return hd_bc_fail(
      s->r, where, "op '%s' is not known%s", name->name->text,
      hd_dialect_is_known(dialect) ? "" : ", nor is its dialect; such ops are read with --allow-unregistered-dialect");
}

static bool read_op(ir *s) {
  hd_bc_reader *r = s->r;
  level *top = s->level;
  hd_bc_bytes *in = top->in;
  const uint8_t *where = in->at;
  uint64_t index;
  uint8_t mask;
  if (!hd_bc_varint(r, in, &index)) return false;
  if (index >= r->op_names.len)
    return hd_bc_fail(r, where, "op name %llu, but there are %zu", (unsigned long long)index, r->op_names.len);
  const hd_bc_op_name *name = &r->op_names.data[index];
  if (!check_known(s, where, name) || !hd_bc_byte(r, in, &mask)) return false;
  if (mask & 0x80) return hd_bc_fail(r, in->at - 1, "an op has unknown parts: 0x%02x", mask);
  hd_op_state state = {.context = r->context, .opcode = name->opcode, .name = name->name};
  hd_bc_op_attrs attrs = {0};
  if (!(state.loc = hd_bc_loc_ref(r, in))) return false;
  if ((mask & HD_BC_HAS_ATTRS) && !read_attr_dict(s, in, &attrs)) return false;
  if (mask & HD_BC_HAS_PROPERTIES) {
    if (r->version < HD_BC_PROPERTIES)
      return hd_bc_fail(r, where, "properties in bytecode of version %d", (int)r->version);
    if (!hd_bc_properties(r, name, in, &attrs)) return false;
  }
  if (has_duplicates(name->opcode, &attrs))
    return hd_bc_fail(r, where, "'%s' has two attributes of one name", name->name->text);
  hd_type *types = NULL;
  if ((mask & HD_BC_HAS_RESULTS) && !hd_bc_type_list(r, in, &types, &state.result_count)) return false;
  state.result_types = types;
  hd_value **operands = NULL;
  if (mask & HD_BC_HAS_OPERANDS) {
    if (!hd_bc_count(r, in, 1, &state.operand_count)) return false;
    operands = hd_new_array(&r->scratch, hd_value *, state.operand_count);
    for (size_t i = 0; i < state.operand_count; ++i)
      if (!(operands[i] = read_operand(s, in))) return false;
  }
  state.operands = operands;
  hd_block **successors = NULL;
  if (mask & HD_BC_HAS_SUCCESSORS) {
    if (!hd_bc_count(r, in, 1, &state.successor_count)) return false;
    successors = hd_new_array(&r->scratch, hd_block *, state.successor_count);
    for (size_t i = 0; i < state.successor_count; ++i) {
      if (!hd_bc_varint(r, in, &index)) return false;
      if (index >= top->block_count)
        return hd_bc_fail(r, where, "block %llu, but there are %zu", (unsigned long long)index, top->block_count);
      successors[i] = top->blocks[index];
    }
  }
  state.successors = successors;
  if ((mask & HD_BC_HAS_USE_LISTS) && r->version >= HD_BC_USE_LISTS && !skip_use_lists(s, in, state.result_count))
    return false;
  bool isolated = false;
  uint64_t regions = 0;
  if ((mask & HD_BC_HAS_REGIONS) && !hd_bc_flagged(r, in, &regions, &isolated)) return false;
  if (regions > hd_bc_left(in) || !claim(s, where, regions))
    return hd_bc_fail(r, where, "%llu regions, but only %zu bytes are left", (unsigned long long)regions,
                      hd_bc_left(in));
  state.region_count = (size_t)regions;
  state.attrs = attrs.data;
  state.attr_count = attrs.len;
  if (hd_str_is(name->dialect->name, "vhlo") && name->opcode && !convert_vhlo(s, where, &state, &attrs)) return false;
  hd_op *op = hd_op_create(r->module, &state);
  hd_op_append(op, top->blocks[top->block]);
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!define(s, where, hd_result(op, i))) return false;
  return !regions || push_level(s, op, isolated);
}

/* Goes on with the top level: the next op, block or region, or its end. */
static bool step(ir *s) {
  level *top = s->level;
  bool empty;
  if (!top->started) {
    if (top->region == top->op->region_count) return pop_level(s);
    if (!start_region(s, &empty)) return false;
    if (empty) ++top->region;
    return true;
  }
  if (top->ops_left) {
    --top->ops_left;
    return read_op(s);
  }
  if (++top->block < top->block_count) return start_block(s);
  return end_region(s);
}

/* The module that holds all, when it is the only op; else the reader's own. */
static void unwrap(hd_bc_reader *r) {
  hd_block *body = hd_module_body(r->module);
  hd_op *only = body->first;
  if (!only || only->next || !hd_op_is(only, HD_OP_builtin_module) || only->region_count != 1 ||
      !only->regions[0].first)
    return;
  hd_op_unlink(only);
  r->module->op = only;
}

bool hd_bc_ir(hd_bc_reader *r) {
  r->module = hd_module_create(r->context, hd_loc_unknown(r->context));
  ir state = {.r = r};
  level bottom = {.op = r->module->op, .started = true, .in = &r->sections[HD_BC_IR]};
  scope outermost = {0};
  hd_block *body = hd_module_body(r->module);
  bottom.blocks = &body;
  bottom.block_count = 1;
  state.level = &bottom;
  state.scope = &outermost;
  if (!start_block(&state)) return false;
  while (bottom.started)
    if (!step(&state)) return false;
  if (outermost.forward) return hd_bc_fail(r, bottom.in->at, "values are used and never defined");
  if (!hd_bc_expect_end(r, bottom.in, "the ops")) return false;
  unwrap(r);
  return true;
}
