/* SPDX-License-Identifier: Apache-2.0 */
/* The printer's state and its parts. */
#ifndef HD_TEXT_PRINTER_H_
#define HD_TEXT_PRINTER_H_

#include "base/vec.h"
#include "text/hooks.h"
#include "text/text.h"

typedef struct hd_printer {
  hd_context *context; /* null while only a type or an attribute is printed and no row is met */
  hd_strbuf *out;
  hd_arena scratch;
  hd_text_print_options options;
  int indent;
  bool one_line;              /* regions as {...} */
  hd_map names;               /* value -> value_name of names.c, for results the first of each group */
  struct hd_aliases *aliases; /* null: none are used */
  hd_map distinct;            /* distinct attribute -> its number, as printed */
  hd_map resources;           /* names of the resources that were printed */
  hd_map predecessors;        /* block -> hd_vec(hd_block *), of regions with several blocks */
  hd_map result_names;        /* op name -> "alloc" */
  hd_str default_dialect;
  struct hd_name_scope *name_scope;
} hd_printer;

void hd_printer_init(hd_printer *out, hd_context *context, const hd_text_print_options *options, hd_strbuf *text);
void hd_printer_free(hd_printer *out);

#define hd_puts(printer, text) hd_strbuf_puts((printer)->out, (text))
#define hd_putc(printer, c) hd_strbuf_putc((printer)->out, (c))
#define hd_printf(printer, ...) hd_strbuf_printf((printer)->out, __VA_ARGS__)
static inline void hd_put_str(hd_printer *out, hd_str text) { hd_strbuf_put_str(out->out, text); }

/* Scalars and names */
void hd_print_float(hd_strbuf *out, hd_float_kind kind, uint64_t bits);      /* as MLIR writes it */
void hd_print_wide_float(hd_strbuf *out, hd_type type, const char *pattern); /* f80 and f128: ir/wide.h */
void hd_print_escaped(hd_strbuf *out, hd_str text);                          /* "text" */
bool hd_is_bare_word(hd_str text);
void hd_print_word_or_string(hd_strbuf *out, hd_str text);
void hd_print_symbol_name(hd_strbuf *out, hd_str name); /* @name */

/* Types and attributes */
void hd_print_type(hd_printer *out, hd_type type);
typedef enum hd_type_elision { HD_TYPE_NEVER, HD_TYPE_MAY, HD_TYPE_MUST } hd_type_elision;
void hd_print_attr(hd_printer *out, hd_attr attr, hd_type_elision elision);
void hd_print_affine_map_body(hd_printer *out, hd_attr map); /* (d0) -> (d0) */
void hd_print_trailing_loc(hd_printer *out, hd_loc loc);     /* of ops: " loc(...)" when locations are printed */
void hd_print_arg_loc(hd_printer *out, const hd_value *arg); /* the same of block arguments, without an alias */
void hd_print_dims(hd_printer *out, const int64_t *dims, size_t count, const bool *scalable);

/* Aliases (aliases.c) */
/* Between these, once, what is printed is visited for aliases. */
void hd_begin_aliases(hd_printer *out);
void hd_end_aliases(hd_printer *out);
/* While aliases are looked for, what is printed is visited and no text is made: true then. |deferred|: the aliases that
 * the location has may be after the program. */
bool hd_visit_attr(hd_printer *out, hd_attr attr);
bool hd_visit_type(hd_printer *out, hd_type type);
bool hd_visit_loc(hd_printer *out, hd_loc loc, bool deferred);
bool hd_is_visiting(const hd_printer *out);
/* The alias, if there is one. */
bool hd_print_attr_alias(hd_printer *out, hd_attr attr);
bool hd_print_type_alias(hd_printer *out, hd_type type);
void hd_print_alias_definitions(hd_printer *out, bool deferred);
/* Without an alias of its own. */
void hd_print_attr_in_full(hd_printer *out, hd_attr attr, hd_type_elision elision);
void hd_print_type_in_full(hd_printer *out, hd_type type);

/* Rows */
void hd_print_by_constraint(hd_printer *out, hd_str constraint, hd_str name, hd_attr attr);
void hd_print_enum_case(hd_printer *out, int row, int64_t value);
void hd_print_row_params(hd_printer *out, const hd_row_format *row, const hd_attr *params, hd_spacing spacing);
void hd_print_int_list(hd_printer *out, hd_attr list, const char *open, const char *close);

/* Values */
void hd_number_values(hd_printer *out, hd_op *top);
void hd_print_value(hd_printer *out, const hd_value *value);
void hd_print_operands(hd_printer *out, hd_op *op, uint32_t start, uint32_t count);
void hd_print_operand_types(hd_printer *out, hd_op *op, uint32_t start, uint32_t count);
void hd_print_result_types(hd_printer *out, hd_op *op, uint32_t start, uint32_t count);
void hd_print_functional_type(hd_printer *out, hd_op *op);
/* (types) -> types of operands and results in given ranges. */
void hd_print_arrow_results(hd_printer *out, hd_op *op, uint32_t start, uint32_t count); /* t or (t, t) or () */
/* " -> (t, t)" before the region of an op that has results, else nothing. */
void hd_print_region_results(hd_printer *out, hd_op *op);
/* " -> (t, u) { ... } attributes": what follows the operands of an op with one region. */
void hd_print_region_op_end(hd_printer *out, hd_op *op);
/* "%a:2, %b": results of |op|, before " = ". */
void hd_print_results(hd_printer *out, hd_op *op);

/* Ops */
void hd_print_op(hd_printer *out, hd_op *op); /* no indentation, no newline */
/* Without "results =" and location. */
void hd_print_op_unnamed(hd_printer *out, hd_op *op);
void hd_print_region(hd_printer *out, hd_region *region, bool entry_args, bool terminators, bool empty_block);
/* A region as formats write it: the terminator that may be left out is left out. */
void hd_print_format_region(hd_printer *out, hd_op *op, hd_region *region);
void hd_print_block_name(hd_printer *out, hd_block *block);
void hd_print_newline(hd_printer *out);
void hd_print_block_arg(hd_printer *out, hd_value *arg); /* %a: type loc */

/* " {a = 1}" of the attributes that are not in |hidden| (a null-terminated list of names, or null). */
void hd_print_attr_dict(hd_printer *out, hd_op *op, const char *const *hidden);
void hd_print_attr_dict_keyword(hd_printer *out, hd_op *op, const char *const *hidden);
void hd_print_dict_body(hd_printer *out, hd_attr dict); /* {a = 1} */

/* "prefix(%arg = %operand, ...)" for |count| arguments of |block| from |arg| on and operands from |start| on; nothing
 * when there are none. */
void hd_print_assignments(hd_printer *out, const char *prefix, hd_block *block, uint32_t arg, hd_op *op, uint32_t start,
                          uint32_t count);
void hd_print_arrow_types(hd_printer *out, hd_op *op); /* " -> t", " -> (t, t)" or nothing */
void hd_print_index_list(hd_printer *out, hd_op *op, uint32_t start, hd_attr values, const char *open,
                         const char *close);
void hd_print_prefetch_words(hd_printer *out, hd_op *op);
/* ^block(%a : t) */
void hd_print_successor(hd_printer *out, hd_op *op, uint32_t successor, uint32_t start, uint32_t count);
/* The block's arguments, "%a, %b". */
void hd_print_block_args(hd_printer *out, hd_block *block, uint32_t first, uint32_t count);

/* The op has what its row says, as far as its custom form needs it. */
bool hd_op_fits_format(hd_op *op);

void hd_print_by_format(hd_printer *out, hd_op *op, const hd_format_list *format);
/* The range of operands or results of $x or type($x). */
void hd_arg_range(hd_op *op, const hd_format *arg, uint32_t *out_start, uint32_t *out_count);

#endif
