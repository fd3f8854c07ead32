/* SPDX-License-Identifier: Apache-2.0 */
/* The rows' declarative assembly formats as trees, made once per context. Parsing and printing walk the same tree. */
#ifndef HD_TEXT_FORMAT_H_
#define HD_TEXT_FORMAT_H_

#include "ir/op.h"

typedef enum hd_format_kind {
  HD_FORMAT_LITERAL,
  HD_FORMAT_SPACE,    /* ` ` */
  HD_FORMAT_NO_SPACE, /* `` */
  HD_FORMAT_NEWLINE,  /* `\n` */
  HD_FORMAT_OPERAND,
  HD_FORMAT_RESULT, /* inside type() only */
  HD_FORMAT_ATTR,   /* in rows of attributes and types: a parameter */
  HD_FORMAT_REGION,
  HD_FORMAT_SUCCESSOR,
  HD_FORMAT_TYPE, /* of args[0] */
  HD_FORMAT_ATTR_DICT,
  HD_FORMAT_ATTR_DICT_KEYWORD,
  HD_FORMAT_PROP_DICT,
  HD_FORMAT_OPERANDS,
  HD_FORMAT_RESULTS,
  HD_FORMAT_REGIONS,
  HD_FORMAT_SUCCESSORS,
  HD_FORMAT_FUNCTIONAL_TYPE, /* of args[0] and args[1] */
  HD_FORMAT_GROUP,           /* ( args ^ )? : ( otherwise )? */
  HD_FORMAT_OILIST,          /* alternatives in any order; args are groups */
  HD_FORMAT_CUSTOM,
  HD_FORMAT_PARAMS, /* params: all parameters by position */
  HD_FORMAT_STRUCT, /* struct($a, $b): by name, args; empty args: all */
  HD_FORMAT_STRING, /* "text" as an argument of custom<> */
} hd_format_kind;

struct hd_text_hook;

typedef struct hd_format {
  hd_format_kind kind;
  bool qualified; /* qualified($x): the full form of attribute or type */
  bool ref;       /* ref($x) in custom<>: for looking only */
  int index;      /* of operand, result, attribute, parameter, region, successor */
  int anchor;     /* of a group: the index in args */
  hd_str text;    /* literal, name of a variable or hook */
  const struct hd_text_hook *hook;
  const struct hd_format *args;
  size_t arg_count;
  const struct hd_format *otherwise;
  size_t otherwise_count;
} hd_format;

typedef struct hd_format_list {
  const hd_format *items;
  size_t count;
  const char *problem; /* null; else what is wrong with the row's format */
  uint64_t mentioned;  /* attributes that the format writes: left out of attr-dict */
} hd_format_list;

/* The format of an op; null when the op has none. */
const hd_format_list *hd_op_format(hd_context *context, hd_opcode opcode);

/* Parameters and format of a row in attributes.def or types.def. */
typedef struct hd_row_format {
  hd_signature_list params;
  hd_format_list format;
} hd_row_format;
const hd_row_format *hd_attr_row_format(hd_context *context, int row);
const hd_row_format *hd_type_row_format(hd_context *context, int row);

/* Item -> attribute: the defaults that have been read (defaults.h). */
hd_map *hd_default_cache(hd_context *context);

/* How the format string of an enum row writes its cases. */
typedef struct hd_enum_style {
  bool angles, bits, integer; /* <A>; a set of flags; an integer attribute of |width| */
  bool blank;                 /* a blank before the case in formats */
  const char *separator;
  uint32_t width;
} hd_enum_style;
hd_enum_style hd_enum_style_of(int row);

/* The type of an attribute whose constraint is a number of one type; null otherwise. */
hd_type hd_constraint_number(hd_context *context, hd_str constraint);

/* The row of a constraint "dialect.name"; -1 when it is none. */
int hd_constraint_row(hd_str constraint);

/* The type row of a constraint "!dialect.name" whose types formats write without that name, as MLIR does where an item
 * has one class of types: <3> for !llvm.ptr<3>; -1 when it is none. `qualified(type($x))` writes the whole type. */
int hd_stripped_row(hd_str constraint);

/* The spacing rules of printing: whether a blank goes before the element, and the state after it. */
typedef struct hd_spacing {
  bool wanted, punctuation;
} hd_spacing;
bool hd_space_before_literal(hd_str literal, bool punctuation);

#endif
