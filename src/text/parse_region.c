/* SPDX-License-Identifier: Apache-2.0 */
/* Regions and blocks, with their arguments, labels and the terminators that may be left out. */
#include "text/scopes.h"

hd_region *hd_empty_region(hd_parser *p) { return hd_new(&p->module->arena, hd_region); }

/* Puts the terminator that may be left out at the end of the region's blocks. */
static void add_terminator(hd_op_parser *op, hd_region *region) {
  hd_parser *p = op->p;
  const char *name = hd_implicit_terminator(op->info);
  hd_opcode opcode = name ? hd_opcode_of(p->context, hd_str_of(name)) : HD_OP_UNREGISTERED;
  if (!opcode) return;
  if (!region->first) hd_region_append(region, hd_block_create(p->module));
  hd_for_each_block(block, region) {
    if (block->last && hd_op_has_trait(block->last, HD_TRAIT(TERMINATOR))) continue;
    if (block->last && !block->last->info->opcode) continue; /* an unknown op may end a block */
    hd_op_state state = {.context = p->context, .loc = op->loc, .opcode = opcode};
    const hd_signature_list *regions = &hd_signature_of(p->context, opcode)->regions;
    state.region_count = regions->count - regions->variable;
    hd_op *terminator = hd_op_create(p->module, &state);
    for (uint32_t i = 0; i < terminator->region_count; ++i)
      hd_region_append(&terminator->regions[i], hd_block_create(p->module));
    hd_op_append(terminator, block);
  }
}

static bool block_arg_item(hd_parser *p, void *user) {
  hd_block *block = user;
  if (!hd_at(p, TOK_PERCENT)) return hd_parser_expected(p, "SSA operand");
  hd_str name = p->tok.text;
  const char *at = hd_here(p);
  hd_advance(p);
  if (!hd_expect(p, TOK_COLON, "':' and type for SSA operand")) return false;
  hd_type type = hd_parse_type(p);
  if (!type) return false;
  hd_value *arg = hd_block_add_arg(p->module, block, type);
  if (!(arg->loc = hd_parse_optional_loc(p, hd_parser_loc(p, at)))) return false;
  return hd_define_values(p, name, at, &arg, 1);
}

static bool parse_block_body(hd_parser *p, hd_block *block) {
  while (!hd_at(p, TOK_RBRACE) && !hd_at(p, TOK_CARET))
    if (!hd_parse_op_into(p, block)) return false;
  return true;
}

/* ^label(%a: t, ...): */
static bool parse_labelled_block(hd_parser *p, hd_region *region) {
  hd_str label = p->tok.text;
  const char *at = hd_here(p);
  hd_advance(p);
  hd_block *block = hd_define_block(p, label, at);
  if (!block) return false;
  hd_region_append(region, block);
  if (hd_at(p, TOK_LPAREN) && !hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, block_arg_item, block)) return false;
  return hd_expect(p, TOK_COLON, "':' after block name") && parse_block_body(p, block);
}

static bool parse_blocks(hd_op_parser *op, hd_region *region, const hd_region_arg *args, size_t arg_count) {
  hd_parser *p = op->p;
  if (arg_count) {
    hd_block *entry = hd_block_create(p->module);
    hd_region_append(region, entry);
    for (size_t i = 0; i < arg_count; ++i) {
      hd_value *arg = hd_block_add_arg(p->module, entry, args[i].type);
      arg->loc = args[i].loc;
      if (!arg->loc) arg->loc = args[i].name.at ? hd_parser_loc(p, args[i].name.at) : op->loc;
      if (args[i].name.name.len && !hd_define_values(p, args[i].name.name, args[i].name.at, &arg, 1)) return false;
    }
    if (hd_at(p, TOK_CARET) && args[0].name.name.len)
      return hd_parser_error(p, hd_here(p), "invalid block name in region with named arguments");
    if (!parse_block_body(p, entry)) return false;
  } else if (!hd_at(p, TOK_CARET) && !hd_at(p, TOK_RBRACE)) {
    hd_block *entry = hd_block_create(p->module);
    hd_region_append(region, entry);
    if (!parse_block_body(p, entry)) return false;
  }
  while (hd_at(p, TOK_CARET))
    if (!parse_labelled_block(p, region)) return false;
  return hd_expect(p, TOK_RBRACE, "'}' to end the region");
}

bool hd_parse_region(hd_op_parser *op, const hd_region_arg *args, size_t arg_count, bool isolated, hd_region **out) {
  hd_parser *p = op->p;
  if (!hd_at(p, TOK_LBRACE)) return hd_parser_expected(p, "'{' to begin a region");
  if (!hd_enter(p)) return false;
  hd_advance(p);
  hd_str outer = p->default_dialect;
  p->default_dialect = hd_default_dialect(op->opcode);
  hd_region *region = hd_empty_region(p);
  hd_scope_push(p, isolated);
  bool ok = parse_blocks(op, region, args, arg_count);
  if (ok) ok = hd_scope_pop(p);
  p->default_dialect = outer;
  hd_leave(p);
  if (!ok) return false;
  *out = region;
  return true;
}

bool hd_op_parser_region(hd_op_parser *op, size_t item, const hd_region_arg *args, size_t arg_count) {
  hd_region *region;
  if (!hd_parse_region(op, args, arg_count, hd_is_isolated(op->info), &region)) return false;
  add_terminator(op, region);
  hd_vec_push(&op->p->scratch, &op->regions[item], region);
  return true;
}

bool hd_parse_region_arg(hd_parser *p, bool typed, hd_region_arg *out) {
  *out = (hd_region_arg){0};
  if (!hd_parse_operand(p, &out->name)) return false;
  if (typed && (!hd_expect(p, TOK_COLON, "':'") || !(out->type = hd_parse_type(p)))) return false;
  return !hd_at_word(p, "loc") || (out->loc = hd_parse_loc(p)) != NULL;
}

bool hd_parse_successor(hd_parser *p, hd_block **out) {
  if (!hd_at(p, TOK_CARET)) return hd_parser_expected(p, "block name");
  *out = hd_use_block(p, p->tok.text, hd_here(p));
  hd_advance(p);
  return true;
}

bool hd_parse_assignments(hd_parser *p, hd_region_arg_vec *names, hd_operand_vec *refs) {
  if (!hd_expect(p, TOK_LPAREN, "'('")) return false;
  for (bool first = true; !hd_at(p, TOK_RPAREN); first = false) {
    hd_region_arg name;
    hd_operand_ref ref;
    if (!first && !hd_expect(p, TOK_COMMA, "','")) return false;
    if (!hd_parse_region_arg(p, false, &name) || !hd_expect(p, TOK_EQUAL, "'='") || !hd_parse_operand(p, &ref))
      return false;
    hd_vec_push(&p->scratch, names, name);
    hd_vec_push(&p->scratch, refs, ref);
  }
  hd_advance(p);
  return true;
}
