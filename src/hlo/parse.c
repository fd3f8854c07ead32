/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, computations and instructions. Operands are resolved here: an instruction uses what precedes it. */
#include "hlo/rows.h"
#include "hlo/syntax.h"

static bool starts_word(hd_hlo_cursor *c, const char *word) {
  hd_hlo_cursor look = *c;
  return hd_str_is(hd_hlo_word(&look), word);
}

static bool accept_word(hd_hlo_cursor *c, const char *word) {
  hd_hlo_cursor look = *c;
  if (!hd_str_is(hd_hlo_word(&look), word)) return false;
  *c = look;
  return true;
}

bool hd_hlo_is(hd_str source) {
  if (!source.len) return false;
  hd_hlo_cursor c = {NULL, source.data, source.data + source.len};
  if (starts_word(&c, "HloModule") || starts_word(&c, "ENTRY")) return true;
  bool percent = hd_hlo_accept(&c, '%');
  hd_str name = hd_hlo_word(&c);
  if (!name.len || !hd_hlo_more(&c)) return false;
  /* `module {` begins MLIR, as does `%0 = ...`. */
  return percent ? *c.at == '(' || *c.at == '{' : *c.at == '{' && !hd_str_is(name, "module");
}

/* mesh['a'=2], device_ids=(1,0) {'a'} is one value, which goes on after what was read of it. */
static bool skip_mesh(hd_hlo_cursor *c, hd_str *value) {
  hd_str part;
  hd_hlo_cursor look = *c;
  if (!hd_str_starts(*value, "mesh[")) return true;
  if (hd_hlo_accept(&look, ',') && accept_word(&look, "device_ids") && hd_hlo_accept(&look, '=')) {
    if (!hd_hlo_skip_value(&look, &part)) return false;
    *c = look;
  }
  if (hd_hlo_next_is(c, '{') && !hd_hlo_skip_value(c, &part)) return false;
  value->len = (size_t)(c->at - value->data);
  return true;
}

/* literal=s32[2]{0} {1, 2}: a shape, and the elements after a blank. */
static bool skip_literal(hd_hlo_cursor *c, hd_str *value) {
  hd_hlo_shape shape;
  hd_str elements;
  if (!hd_hlo_more(c)) return hd_hlo_expected(c, "a shape");
  const char *start = c->at;
  if (!hd_hlo_parse_shape(c, &shape) || !hd_hlo_skip_value(c, &elements)) return false;
  *value = (hd_str){start, (size_t)(c->at - start)};
  return true;
}

static bool skip_attr_value(hd_hlo_cursor *c, hd_hlo_attr *attr) {
  if (hd_str_is(attr->name, "literal")) return skip_literal(c, &attr->value);
  return hd_hlo_skip_value(c, &attr->value) && skip_mesh(c, &attr->value);
}

/* |name| = |value| after a comma, as often as they come. */
static bool parse_attrs(hd_hlo_cursor *c, const hd_hlo_attr **out, uint32_t *out_count) {
  hd_vec(hd_hlo_attr) attrs = {0};
  while (hd_hlo_accept(c, ',')) {
    hd_hlo_attr attr;
    if (!hd_hlo_name(c, "an attribute", &attr.name) || !hd_hlo_expect(c, '=') || !skip_attr_value(c, &attr))
      return false;
    hd_vec_push(&c->r->scratch, &attrs, attr);
  }
  *out = attrs.data;
  *out_count = (uint32_t)attrs.len;
  return true;
}

/* What is between parentheses, the first of which is passed. */
static bool take_payload(hd_hlo_cursor *c, hd_str *out) {
  const char *start = c->at;
  size_t depth = 0;
  for (; c->at < c->end; ++c->at) {
    char next = *c->at;
    if (next == ')' && !depth) {
      *out = (hd_str){start, (size_t)(c->at++ - start)};
      return true;
    }
    depth += next == '(';
    depth -= next == ')';
  }
  return hd_hlo_fail(c->r, start - 1, "expected ')' for this '(', got the end of the text");
}

/* A shape may be before a name: `f32[] %x`, `(f32[], s32[]) %t`. */
static bool parse_operand_shape(hd_hlo_cursor *c, hd_hlo_said *out) {
  hd_hlo_cursor look = *c;
  *out = (hd_hlo_said){0};
  if (hd_hlo_next_is(c, '%')) return true;
  bool shape = hd_hlo_next_is(c, '(') || (hd_hlo_word(&look).len && look.at < look.end && *look.at == '[');
  if (!shape) return true;
  out->at = c->at;
  return hd_hlo_parse_shape(c, &out->shape);
}

static bool parse_operands(hd_hlo_cursor *c, hd_hlo_computation *computation, hd_hlo_inst *inst) {
  hd_hlo_reader *r = c->r;
  hd_vec(uint32_t) operands = {0};
  if (hd_hlo_accept(c, ')')) return true;
  do {
    hd_str name;
    hd_hlo_said said;
    if (!parse_operand_shape(c, &said)) return false;
    hd_hlo_more(c);
    const char *at = c->at;
    if (!hd_hlo_name(c, "an operand", &name)) return false;
    hd_map_entry *entry = hd_map_find_bytes(&r->names, name.data, name.len);
    if (!entry)
      return hd_hlo_fail(r, at, "expected an instruction before this one, got '%.*s'", (int)name.len, name.data);
    uint32_t number = (uint32_t)(entry->value.i64 - 1);
    const hd_hlo_inst *operand = &computation->insts.data[number];
    said.inst = number;
    if (said.at && operand->shapeless)
      hd_vec_push(&r->scratch, &computation->said, said);
    else if (said.at && !hd_hlo_check_shape(r, said.at, operand, &said.shape))
      return false;
    hd_vec_push(&r->scratch, &operands, number);
  } while (hd_hlo_accept(c, ','));
  inst->operands = operands.data;
  inst->operand_count = (uint32_t)operands.len;
  return hd_hlo_expect(c, ')');
}

static void count_lines(hd_hlo_reader *r, hd_hlo_inst *inst) {
  const char *next;
  while (r->counted < inst->at && (next = memchr(r->counted, '\n', (size_t)(inst->at - r->counted)))) {
    r->counted = r->line_start = next + 1;
    ++r->line;
  }
  r->counted = inst->at;
  inst->line = r->line;
  inst->column = (uint32_t)(inst->at - r->line_start) + 1;
}

static bool is_literal(hd_str opcode) { return hd_str_is(opcode, "parameter") || hd_str_is(opcode, "constant"); }

/* `add(` is an opcode where a shape might be. */
static bool leaves_out_shape(hd_hlo_cursor c) { return hd_hlo_word(&c).len && hd_hlo_next_is(&c, '('); }

static bool parse_instruction(hd_hlo_cursor *c, hd_hlo_computation *computation) {
  hd_hlo_reader *r = c->r;
  hd_hlo_inst inst = {0};
  bool is_root = accept_word(c, "ROOT");
  hd_hlo_more(c);
  inst.at = c->at;
  count_lines(r, &inst);
  if (!hd_hlo_name(c, "an instruction", &inst.name) || !hd_hlo_expect(c, '=')) return false;
  inst.shapeless = leaves_out_shape(*c);
  computation->shapeless |= inst.shapeless;
  if (!inst.shapeless && !hd_hlo_parse_shape(c, &inst.shape)) return false;
  inst.opcode = hd_hlo_word(c);
  if (!inst.opcode.len) return hd_hlo_expected(c, "an opcode");
  inst.row = hd_hlo_row_of(inst.opcode);
  if (!hd_hlo_expect(c, '(')) return false;
  if (is_literal(inst.opcode) ? !take_payload(c, &inst.payload) : !parse_operands(c, computation, &inst)) return false;
  if (!parse_attrs(c, &inst.attrs, &inst.attr_count)) return false;
  bool is_new;
  hd_map_entry *entry = hd_map_insert_bytes(&r->scratch, &r->names, inst.name.data, inst.name.len, &is_new);
  if (!is_new)
    return hd_hlo_fail(r, inst.at, "expected a new name of an instruction, got a second '%.*s'", (int)inst.name.len,
                       inst.name.data);
  hd_vec_push(&r->scratch, &computation->insts, inst);
  entry->value.i64 = (int64_t)computation->insts.len;
  if (is_root && computation->root != UINT32_MAX)
    return hd_hlo_fail(r, inst.at, "expected one ROOT in a computation, got a second");
  if (is_root) computation->root = (uint32_t)computation->insts.len - 1;
  return true;
}

/* The instruction of each parameter, which are numbered from 0. */
static bool find_params(hd_hlo_reader *r, hd_hlo_computation *computation) {
  size_t count = 0;
  for (size_t i = 0; i < computation->insts.len; ++i)
    count += hd_str_is(computation->insts.data[i].opcode, "parameter");
  for (size_t i = 0; i < count; ++i) hd_vec_push(&r->scratch, &computation->params, UINT32_MAX);
  for (size_t i = 0; i < computation->insts.len; ++i) {
    hd_hlo_inst *inst = &computation->insts.data[i];
    if (!hd_str_is(inst->opcode, "parameter")) continue;
    hd_hlo_cursor c = hd_hlo_cursor_of(r, inst->payload);
    int64_t number;
    if (!hd_hlo_int(&c, &number) || !hd_hlo_at_end(&c, "the parameter's number")) return false;
    if (number < 0 || number >= (int64_t)count || computation->params.data[number] != UINT32_MAX)
      return hd_hlo_fail(r, inst->at, "expected parameters 0 to %zu, each once, got %lld", count - 1,
                         (long long)number);
    computation->params.data[number] = (uint32_t)i;
  }
  return true;
}

static bool parse_computation(hd_hlo_cursor *c) {
  hd_hlo_reader *r = c->r;
  hd_hlo_computation *computation = hd_new(&r->scratch, hd_hlo_computation);
  const hd_hlo_attr *attrs;
  uint32_t attr_count;
  hd_hlo_signature signature = {0};
  computation->entry = accept_word(c, "ENTRY");
  computation->root = UINT32_MAX;
  hd_hlo_more(c);
  computation->at = c->at;
  if (!hd_hlo_name(c, "a computation", &computation->name)) return false;
  if ((hd_hlo_accept(c, '(') && !hd_hlo_parse_signature(c, &signature)) || !hd_hlo_expect(c, '{')) return false;
  r->names = (hd_map){0};
  while (!hd_hlo_next_is(c, '}'))
    if (!parse_instruction(c, computation)) return false;
  if (!hd_hlo_accept(c, '}') || !parse_attrs(c, &attrs, &attr_count)) return false;
  if (!computation->insts.len)
    return hd_hlo_fail(r, computation->at, "expected an instruction in a computation, got none");
  if (computation->root == UINT32_MAX) computation->root = (uint32_t)computation->insts.len - 1;
  r->inst_count += computation->insts.len;
  bool is_new;
  hd_map_entry *entry =
      hd_map_insert_bytes(&r->scratch, &r->by_name, computation->name.data, computation->name.len, &is_new);
  if (!is_new)
    return hd_hlo_fail(r, computation->at, "expected a new name of a computation, got a second '%.*s'",
                       (int)computation->name.len, computation->name.data);
  entry->value.ptr = computation;
  if (computation->entry && r->entry)
    return hd_hlo_fail(r, computation->at, "expected one ENTRY computation, got a second");
  if (computation->entry) r->entry = computation;
  hd_vec_push(&r->scratch, &r->computations, computation);
  return find_params(r, computation) && (!computation->shapeless || hd_hlo_infer_shapes(r, computation)) &&
         hd_hlo_check_signature(r, computation, &signature);
}

/* Tables that metadata's stack_frame_id counts in: a name on its line, then lines that begin with a number. */
static bool skip_tables(hd_hlo_cursor *c) {
  static const char *const names[] = {"FileNames", "FunctionNames", "FileLocations", "StackFrames"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!accept_word(c, names[i])) continue;
    while (hd_hlo_more(c) && *c->at >= '0' && *c->at <= '9') {
      int64_t number;
      hd_str ignored;
      if (!hd_hlo_int(c, &number) || !hd_hlo_skip_value(c, &ignored)) return false;
    }
  }
  return true;
}

static bool parse_header(hd_hlo_cursor *c) {
  hd_hlo_reader *r = c->r;
  const hd_hlo_attr *attrs;
  uint32_t count;
  if (!accept_word(c, "HloModule")) return true;
  if (!hd_hlo_name(c, "a module", &r->module_name)) return false;
  hd_hlo_accept(c, ':');
  if (!parse_attrs(c, &attrs, &count)) return false;
  hd_vec_append(&r->scratch, &r->header, attrs, count);
  return skip_tables(c);
}

bool hd_hlo_parse_module(hd_hlo_reader *r) {
  hd_hlo_cursor c = hd_hlo_cursor_of(r, r->source);
  if (!parse_header(&c)) return false;
  while (hd_hlo_more(&c))
    if (!parse_computation(&c)) return false;
  if (!r->computations.len) return hd_hlo_expected(&c, "a computation");
  if (!r->entry) r->entry = hd_vec_last(&r->computations);
  return true;
}
