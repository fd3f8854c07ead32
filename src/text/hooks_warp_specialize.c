/* SPDX-License-Identifier: Apache-2.0 */
/* ttg.warp_specialize, whose partitions are regions of an op that its second region holds:
 *
 *   ttg.warp_specialize(%a) attributes {...}
 *   default {
 *     ttg.warp_yield %x : t
 *   }
 *   partition0(%b: i32) num_warps(4) {
 *     ttg.warp_return
 *   } : (i32) -> t */
#include "text/parse_op.h"
#include "text/printer.h"

#define UNUSED_ARGS (void)args, (void)count

static bool region_arg_item(hd_parser *p, void *user) {
  hd_region_arg_vec *out = user;
  hd_region_arg arg;
  if (!hd_parse_region_arg(p, true, &arg)) return false;
  hd_vec_push(&p->scratch, out, arg);
  return true;
}

/* The word is that of partition |number|. */
static bool at_partition(hd_parser *p, size_t number) {
  return hd_at_word(p, hd_arena_printf(&p->scratch, "partition%zu", number));
}

/* partitionN(%a: t) num_warps(4) { ... } */
static bool parse_partition(hd_op_parser *op, const hd_op_info *holder, hd_region_vec *regions, int32_t *out_warps) {
  hd_parser *p = op->p;
  hd_region_arg_vec args = {0};
  hd_region *region;
  uint32_t warps;
  hd_advance(p);
  if (!hd_parse_list(p, TOK_LPAREN, TOK_RPAREN, region_arg_item, &args) || !hd_expect_word(p, "num_warps") ||
      !hd_expect(p, TOK_LPAREN, "'('"))
    return false;
  const char *at = hd_here(p);
  if (!hd_parse_u32(p, &warps)) return false;
  if (warps > INT32_MAX) return hd_parser_error(p, at, "integer value too large");
  *out_warps = (int32_t)warps;
  if (!hd_expect(p, TOK_RPAREN, "')'") || !hd_parse_region(op, args.data, args.len, hd_is_isolated(holder), &region))
    return false;
  hd_vec_push(&p->scratch, regions, region);
  return true;
}

/* The region with the op that holds the partitions. */
static hd_region *make_holder(hd_op_parser *op, const hd_value_vec *captures, const hd_region_vec *regions) {
  hd_parser *p = op->p;
  const hd_op_info *info = hd_op_info_of(HD_OP_ttg_warp_specialize_partitions);
  hd_op_state state = {.context = p->context,
                       .loc = op->loc,
                       .opcode = info->opcode,
                       .name = hd_ident_cstr(p->context, info->name),
                       .operands = captures->data,
                       .operand_count = captures->len,
                       .region_count = regions->len,
                       .regions = regions->data};
  hd_region *holder = hd_empty_region(p);
  hd_block *block = hd_block_create(p->module);
  hd_region_append(holder, block);
  hd_op_append(hd_op_create(p->module, &state), block);
  return holder;
}

bool hd_parse_hook_WarpSpecialize(struct hd_op_parser *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_parser *p = op->p;
  const hd_op_info *holder = hd_op_info_of(HD_OP_ttg_warp_specialize_partitions);
  hd_operand_vec refs = {0};
  hd_region_vec regions = {0};
  hd_type_vec types = {0};
  hd_vec(int32_t) warps = {0};
  if (!hd_parse_operands_until(p, TOK_LPAREN, TOK_RPAREN, &refs) || !hd_parse_attr_dict_keyword(op) ||
      !hd_expect_word(p, "default") || !hd_op_parser_region(op, 0, NULL, 0))
    return false;
  while (at_partition(p, regions.len)) {
    int32_t number;
    if (!parse_partition(op, holder, &regions, &number)) return false;
    hd_vec_push(&p->scratch, &warps, number);
  }
  hd_op_parser_attr(op, "partitionNumWarps", hd_attr_i32_array(p->context, warps.data, warps.len));
  if (!hd_expect(p, TOK_COLON, "':'") || !hd_parse_function_type(p, &types, &op->result_types)) return false;
  if (!hd_resolve_each(op, &refs, &types)) return false;
  hd_value_vec captures = op->operands; /* the holder's */
  op->operands = (hd_value_vec){0};
  hd_vec_push(&p->scratch, &op->regions[1], make_holder(op, &captures, &regions));
  return op->resolved = true;
}

static void print_partition(hd_printer *out, hd_region *region, hd_attr warps, uint32_t number) {
  hd_block *entry = region->first;
  hd_print_newline(out);
  hd_printf(out, "partition%u(", number);
  for (uint32_t i = 0; entry && i < entry->arg_count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_block_arg(out, entry->args[i]);
  }
  hd_printf(out, ") num_warps(%d) ", number < hd_attr_count(warps) ? (int)hd_attr_int_at(warps, number) : 0);
  hd_print_region(out, region, false, true, true);
}

void hd_print_hook_WarpSpecialize(hd_printer *out, hd_op *op, const hd_format *args, size_t count) {
  UNUSED_ARGS;
  hd_op *holder = op->regions[1].first ? op->regions[1].first->first : NULL;
  hd_putc(out, '(');
  if (holder) hd_print_operands(out, holder, 0, holder->operand_count);
  hd_putc(out, ')');
  hd_print_attr_dict_keyword(out, op, (const char *const[]){"partitionNumWarps", NULL});
  hd_print_newline(out);
  hd_puts(out, "default ");
  hd_print_region(out, &op->regions[0], false, true, true);
  for (uint32_t i = 0; holder && i < holder->region_count; ++i)
    print_partition(out, &holder->regions[i], hd_op_attr_get(op, HD_NAME_partitionNumWarps), i);
  hd_puts(out, " : (");
  if (holder) hd_print_operand_types(out, holder, 0, holder->operand_count);
  hd_puts(out, ") -> ");
  hd_print_arrow_results(out, op, 0, op->result_count);
}
