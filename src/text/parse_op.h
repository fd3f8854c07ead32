/* SPDX-License-Identifier: Apache-2.0 */
/* An op while it is read: what the format's elements and the hooks fill in, made into an hd_op at its end. */
#ifndef HD_TEXT_PARSE_OP_H_
#define HD_TEXT_PARSE_OP_H_

#include "text/implied.h"
#include "text/rows.h"

/* A use of a value: %name or %name#number. */
typedef struct hd_operand_ref {
  hd_str name;
  uint32_t number;
  const char *at;
} hd_operand_ref;
typedef hd_vec(hd_operand_ref) hd_operand_vec;

typedef hd_vec(hd_region *) hd_region_vec;
typedef hd_vec(hd_block *) hd_block_vec;
typedef hd_vec(hd_value *) hd_value_vec;
typedef hd_vec(hd_op_attr) hd_op_attr_vec;

/* Operands or results of one item of the signature. */
typedef struct hd_op_item {
  hd_operand_vec refs; /* operands only */
  hd_type_vec types;
  bool typed; /* |types| is what the text says */
} hd_op_item;

typedef struct hd_op_parser {
  hd_parser *p;
  hd_opcode opcode;
  const hd_op_info *info;
  const hd_signature *signature;
  hd_ident name;
  const char *at; /* of the name */
  hd_loc loc;
  uint32_t bound_results;     /* how many results the text binds: %a, %b:2 = gives 3 */
  hd_op_item *args, *results; /* by item */
  hd_op_attr_vec attrs;
  hd_region_vec *regions; /* by item */
  hd_block_vec successors;
  /* Set by hooks that know everything: used in place of |args| and |results|. */
  bool resolved;
  hd_value_vec operands;
  hd_type_vec result_types;
} hd_op_parser;

/* A block argument of a region that a hook describes. */
typedef struct hd_region_arg {
  hd_operand_ref name; /* name.len 0: unnamed */
  hd_type type;
  hd_loc loc;
} hd_region_arg;
typedef hd_vec(hd_region_arg) hd_region_arg_vec;

/* Values */
bool hd_parse_operand(hd_parser *p, hd_operand_ref *out);
bool hd_parse_one_operand(hd_parser *p, hd_operand_vec *out);  /* %a, appended */
bool hd_parse_operand_list(hd_parser *p, hd_operand_vec *out); /* %a, %b; at least one */
bool hd_parse_operands_until(hd_parser *p, hd_token_kind open, hd_token_kind close, hd_operand_vec *out);
/* The value; a placeholder while it is not defined. Null: the type differs from its definition or other uses. */
hd_value *hd_resolve_operand(hd_parser *p, const hd_operand_ref *ref, hd_type type);
/* The type of a value that is defined or used already, null when nothing is known. */
hd_type hd_known_type(hd_parser *p, const hd_operand_ref *ref);
bool hd_resolve_into(hd_op_parser *op, const hd_operand_vec *refs, hd_type type); /* appends to op->operands */
bool hd_resolve_each(hd_op_parser *op, const hd_operand_vec *refs, const hd_type_vec *types);

/* Parts of ops */
void hd_op_parser_attr(hd_op_parser *op, const char *name, hd_attr value);
hd_attr hd_op_parser_get(const hd_op_parser *op, const char *name);
bool hd_parse_attr_dict(hd_op_parser *op);         /* optional {...} */
bool hd_parse_attr_dict_keyword(hd_op_parser *op); /* optional attributes {...} */
void hd_op_parser_segments(hd_op_parser *op, const char *name, const int32_t *sizes, size_t count);
/* { ... } with |args| as the entry block's arguments where the text does not give them. */
bool hd_parse_region(hd_op_parser *op, const hd_region_arg *args, size_t arg_count, bool isolated, hd_region **out);
bool hd_op_parser_region(hd_op_parser *op, size_t item, const hd_region_arg *args, size_t arg_count);
bool hd_parse_successor(hd_parser *p, hd_block **out);
/* %name [: type] [loc]. */
bool hd_parse_region_arg(hd_parser *p, bool typed, hd_region_arg *out);
hd_region *hd_empty_region(hd_parser *p);

/* (%a = %x, ...): names for a region's arguments and the operands they begin with. */
bool hd_parse_assignments(hd_parser *p, hd_region_arg_vec *names, hd_operand_vec *refs);
/* [%a, 2]: the constants with HD_DYNAMIC for the operands, which are appended to |refs|. */
hd_attr hd_parse_index_list(hd_parser *p, hd_token_kind open, hd_token_kind close, hd_operand_vec *refs);
bool hd_parse_prefetch_words(hd_op_parser *op); /* , read, locality<3>, data */
/* -> t or -> (t, t), if there. */
bool hd_parse_arrow_types(hd_parser *p, hd_type_vec *out);
/* ^block or ^block(%a : t). */
bool hd_parse_successor_and_operands(hd_op_parser *op, hd_operand_vec *refs, hd_type_vec *types);

/* Interprets the format of the row. */
bool hd_parse_by_format(hd_op_parser *op, const hd_format_list *format);
/* Runs a part of it, for hooks that handle their arguments. */
hd_op_item *hd_arg_item(hd_op_parser *op, const hd_format *arg); /* of $x or type($x) */
/* Operand types, result types, operands: fills op->operands and op->result_types. */
bool hd_resolve_types(hd_op_parser *op);

/* One op with its results, appended to |block|. */
bool hd_parse_op_into(hd_parser *p, hd_block *block);

#endif
