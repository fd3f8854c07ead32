/* SPDX-License-Identifier: Apache-2.0 */
/* Prints an op by its row's format. */
#include "ir/constraints.h"
#include "text/defaults.h"
#include "text/printer.h"
#include "text/rows.h"

/* True when the attribute is present and not its default. */
static bool attr_is_set(hd_op *op, size_t index) {
  hd_context *context = hd_op_context(op);
  const hd_signature_item *item = &hd_signature_of(context, op->info->opcode)->attrs.items[index];
  hd_attr attr = hd_op_attr_get_ident(op, item->name);
  return attr && (!item->default_text.len || hd_default_of(context, item) != attr);
}

void hd_arg_range(hd_op *op, const hd_format *arg, uint32_t *out_start, uint32_t *out_count) {
  if (arg->kind == HD_FORMAT_TYPE) arg = &arg->args[0];
  *out_start = *out_count = 0;
  if (arg->kind == HD_FORMAT_OPERAND) hd_op_operand_range(op, (size_t)arg->index, out_start, out_count);
  if (arg->kind == HD_FORMAT_RESULT) hd_op_result_range(op, (size_t)arg->index, out_start, out_count);
  if (arg->kind == HD_FORMAT_OPERANDS) *out_count = op->operand_count;
  if (arg->kind == HD_FORMAT_RESULTS) *out_count = op->result_count;
}

/* The regions of item |index|. */
static void region_range(hd_op *op, size_t index, uint32_t *out_start, uint32_t *out_count) {
  const hd_signature_list *list = &hd_signature_of(hd_op_context(op), op->info->opcode)->regions;
  uint32_t fixed = (uint32_t)(list->count - list->variable);
  *out_start = *out_count = 0;
  for (size_t i = 0; i <= index; ++i) {
    *out_start += *out_count;
    *out_count = list->items[i].arity == HD_ONE ? 1 : op->region_count - fixed;
  }
}

/* The op has what its row says, as far as printing by the format needs it. */
bool hd_op_fits_format(hd_op *op) {
  const hd_signature *signature = hd_signature_of(hd_op_context(op), op->info->opcode);
  const hd_signature_list *lists[] = {&signature->args, &signature->results, &signature->regions};
  uint32_t counts[] = {op->operand_count, op->result_count, op->region_count};
  for (int i = 0; i < 3; ++i) {
    size_t fixed = lists[i]->count - lists[i]->variable;
    if (counts[i] < fixed || (!lists[i]->variable && counts[i] != fixed)) return false;
  }
  const char *segments[] = {"operandSegmentSizes", "resultSegmentSizes"};
  for (int i = 0; i < 2; ++i) {
    hd_attr sizes = hd_op_attr_get_named(op, segments[i]);
    if (!(op->info->traits & (i ? HD_TRAIT(SEGMENTED_RESULTS) : HD_TRAIT(SEGMENTED_OPERANDS)))) continue;
    if (!hd_attr_is(sizes, HD_ATTR_DENSE_ARRAY) || sizes->dense.count != lists[i]->count) return false;
    int64_t total = 0;
    for (size_t k = 0; k < lists[i]->count; ++k) {
      int64_t size = hd_attr_int_at(sizes, k);
      if (size < 0 || (size != 1 && lists[i]->items[k].arity == HD_ONE)) return false;
      total += size;
    }
    if (total != counts[i]) return false;
  }
  for (uint32_t i = 0; i < op->operand_count; ++i)
    if (!hd_operand(op, i)) return false;
  for (size_t i = 0; i < signature->attrs.count; ++i) {
    const hd_signature_item *item = &signature->attrs.items[i];
    hd_attr attr = hd_op_attr_get_ident(op, item->name);
    if (attr ? !hd_attr_satisfies(item->constraint, attr) : item->arity == HD_ONE && !item->default_text.len)
      return false;
  }
  uint32_t wanted = (op->info->traits & HD_TRAIT(HAS_SUCCESSORS)) != 0;
  return op->successor_count >= wanted || op->info->traits & HD_TRAIT(HAS_SUCCESSORS);
}

typedef struct format_printer {
  hd_printer *out;
  hd_op *op;
  const hd_signature *signature;
  const hd_format_list *format;
  hd_spacing spacing;
  bool silent; /* a group that is not there still moves the spacing */
} format_printer;

static void print_items(format_printer *f, const hd_format *items, size_t count, const hd_format *skipped);

static void blank(format_printer *f) {
  if (!f->silent && (f->spacing.wanted || !f->spacing.punctuation)) hd_putc(f->out, ' ');
  f->spacing = (hd_spacing){true, false};
}

static void print_literal(format_printer *f, hd_str text) {
  if (!f->silent) {
    if (f->spacing.wanted && hd_space_before_literal(text, f->spacing.punctuation)) hd_putc(f->out, ' ');
    hd_put_str(f->out, text);
  }
  char c = text.data[0];
  f->spacing.wanted = text.len != 1 || !strchr("<({[", c);
  f->spacing.punctuation = c != '_' && !((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool is_unit(format_printer *f, const hd_format *item) {
  return item->kind == HD_FORMAT_ATTR && hd_str_starts(f->signature->attrs.items[item->index].constraint, "unit");
}

static bool is_false(hd_attr attr) { return hd_attr_is(attr, HD_ATTR_INTEGER) && !attr->integer; }

static bool is_there(format_printer *f, const hd_format *anchor) {
  uint32_t start, count;
  switch (anchor->kind) {
    case HD_FORMAT_ATTR: /* a unit may be spelled as a truth */
      if (is_unit(f, anchor) && is_false(hd_op_attr_get_ident(f->op, f->signature->attrs.items[anchor->index].name)))
        return false;
      return attr_is_set(f->op, (size_t)anchor->index);
    case HD_FORMAT_OPERAND:
    case HD_FORMAT_RESULT:
    case HD_FORMAT_OPERANDS:
    case HD_FORMAT_RESULTS:
      hd_arg_range(f->op, anchor, &start, &count);
      return count > 0;
    case HD_FORMAT_TYPE:
      return is_there(f, &anchor->args[0]);
    case HD_FORMAT_FUNCTIONAL_TYPE:
      return is_there(f, &anchor->args[0]) || is_there(f, &anchor->args[1]);
    case HD_FORMAT_REGION:
      region_range(f->op, (size_t)anchor->index, &start, &count);
      return count > 0 && f->op->regions[start].first;
    case HD_FORMAT_REGIONS:
      return f->op->region_count > 0;
    case HD_FORMAT_SUCCESSOR:
      return (uint32_t)anchor->index < f->op->successor_count;
    case HD_FORMAT_SUCCESSORS:
      return f->op->successor_count > 0;
    case HD_FORMAT_CUSTOM:
      for (size_t i = 0; i < anchor->arg_count; ++i)
        if (!anchor->args[i].ref && anchor->args[i].kind != HD_FORMAT_STRING && is_there(f, &anchor->args[i]))
          return true;
      return false;
    default:
      return true;
  }
}

static void print_group(format_printer *f, const hd_format *group) {
  const hd_format *anchor = &group->args[group->anchor];
  bool there = is_there(f, anchor), silent = f->silent;
  /* A unit alone is written as its name, else it is written by the literals around it. */
  const hd_format *skipped = is_unit(f, anchor) && group->arg_count > 1 ? anchor : NULL;
  f->silent = silent || !there;
  print_items(f, group->args, group->arg_count, skipped);
  if (group->otherwise_count) {
    f->silent = silent || there;
    print_items(f, group->otherwise, group->otherwise_count, NULL);
  }
  f->silent = silent;
}

static void print_oilist(format_printer *f, const hd_format *list) {
  bool silent = f->silent;
  for (size_t i = 0; i < list->arg_count; ++i) {
    const hd_format *group = &list->args[i];
    bool there = is_there(f, &group->args[group->anchor]);
    f->silent = silent || !there;
    if (there) { /* each alternative begins as after a word */
      f->spacing = (hd_spacing){true, false};
      for (size_t k = 0; k < group->arg_count; ++k)
        if (!is_unit(f, &group->args[k])) print_items(f, &group->args[k], 1, NULL);
    }
  }
  f->silent = silent;
  f->spacing = (hd_spacing){true, false};
}

static void print_attribute(format_printer *f, const hd_format *item) {
  const hd_signature_item *sig = &f->signature->attrs.items[item->index];
  hd_attr attr = hd_op_attr_get_ident(f->op, sig->name);
  if (!attr) attr = hd_default_of(f->out->context, sig);
  if (is_unit(f, item)) {
    hd_put_str(f->out, hd_ident_str(sig->name));
    return;
  }
  if (!attr) return;
  if (item->qualified)
    hd_print_attr(f->out, attr, HD_TYPE_NEVER);
  else
    hd_print_by_constraint(f->out, sig->constraint, hd_ident_str(sig->name), attr);
}

/* What attr-dict leaves out: what the format writes, defaults, segments. */
static void print_attr_dict(format_printer *f, bool keyword) {
  const char *few[34], **hidden = few;
  size_t count = 0, limit = f->signature->attrs.count + 4;
  if (limit > 34) hidden = hd_new_array(&f->out->scratch, const char *, limit);
  hidden[count++] = "operandSegmentSizes";
  hidden[count++] = "resultSegmentSizes";
  hidden[count++] = "case_operand_segments";
  bool properties = false; /* prop-dict has written what is inherent */
  for (size_t i = 0; i < f->format->count; ++i) properties |= f->format->items[i].kind == HD_FORMAT_PROP_DICT;
  for (size_t i = 0; i < f->signature->attrs.count; ++i)
    if (properties || (i < 64 && f->format->mentioned >> i & 1) || !attr_is_set(f->op, i))
      hidden[count++] = f->signature->attrs.items[i].name->text;
  hidden[count] = NULL;
  if (keyword)
    hd_print_attr_dict_keyword(f->out, f->op, hidden);
  else
    hd_print_attr_dict(f->out, f->op, hidden);
}

static void print_prop_dict(format_printer *f) {
  bool any = false;
  hd_for_each_attr(attr, f->op) {
    if (!attr.inherent) continue;
    hd_puts(f->out, any ? ", " : " <{");
    hd_print_word_or_string(f->out->out, hd_ident_str(attr.name));
    hd_puts(f->out, " = ");
    hd_print_attr(f->out, attr.value, HD_TYPE_NEVER);
    any = true;
  }
  if (any) hd_puts(f->out, "}>");
}

static void print_type_of(format_printer *f, const hd_format *of) {
  uint32_t start, count;
  hd_arg_range(f->op, of, &start, &count);
  if (of->kind == HD_FORMAT_OPERAND || of->kind == HD_FORMAT_OPERANDS)
    hd_print_operand_types(f->out, f->op, start, count);
  else
    hd_print_result_types(f->out, f->op, start, count);
}

/* type($x) of one operand or result whose types are written without their name; null where they are not. */
static hd_type stripped_type(const format_printer *f, const hd_format *item) {
  const hd_format *of = &item->args[0];
  bool result = of->kind == HD_FORMAT_RESULT;
  if (item->qualified || of->qualified || (of->kind != HD_FORMAT_OPERAND && !result)) return NULL;
  const hd_signature_item *named = &(result ? &f->signature->results : &f->signature->args)->items[of->index];
  int row = named->arity == HD_ONE ? hd_stripped_row(named->constraint) : -1;
  if (row < 0) return NULL;
  uint32_t start, count;
  hd_arg_range(f->op, of, &start, &count);
  hd_type type = count != 1 ? NULL : result ? hd_result_type(f->op, start) : hd_operand_type(f->op, start);
  bool is_row = type && type->kind == HD_TYPE_DIALECT && type->dialect.row == row;
  /* The name stays where nothing would be left. */
  return is_row && type->dialect.params[0] && (row != HD_TYPE_ROW_llvm_ptr || type->dialect.params[0]->integer) ? type
                                                                                                                : NULL;
}

static void print_functional(format_printer *f, const hd_format *item) {
  uint32_t start, count;
  hd_putc(f->out, '(');
  print_type_of(f, &item->args[0]);
  hd_puts(f->out, ") -> ");
  hd_arg_range(f->op, &item->args[1], &start, &count);
  if (item->args[1].kind == HD_FORMAT_RESULT || item->args[1].kind == HD_FORMAT_RESULTS)
    hd_print_arrow_results(f->out, f->op, start, count);
  else
    print_type_of(f, &item->args[1]);
}

static void print_variable(format_printer *f, const hd_format *item) {
  uint32_t start, count;
  switch (item->kind) {
    case HD_FORMAT_OPERAND:
    case HD_FORMAT_OPERANDS:
      hd_arg_range(f->op, item, &start, &count);
      hd_print_operands(f->out, f->op, start, count);
      break;
    case HD_FORMAT_ATTR:
      print_attribute(f, item);
      break;
    case HD_FORMAT_REGION:
    case HD_FORMAT_REGIONS:
      if (item->kind == HD_FORMAT_REGION)
        region_range(f->op, (size_t)item->index, &start, &count);
      else
        start = 0, count = f->op->region_count;
      for (uint32_t i = 0; i < count; ++i) {
        if (i) hd_puts(f->out, ", ");
        hd_print_format_region(f->out, f->op, &f->op->regions[start + i]);
      }
      break;
    case HD_FORMAT_SUCCESSOR:
      if ((uint32_t)item->index < f->op->successor_count) hd_print_block_name(f->out, f->op->successors[item->index]);
      break;
    case HD_FORMAT_SUCCESSORS:
      for (uint32_t i = 0; i < f->op->successor_count; ++i) {
        if (i) hd_puts(f->out, ", ");
        hd_print_block_name(f->out, f->op->successors[i]);
      }
      break;
    case HD_FORMAT_TYPE: {
      hd_type type = stripped_type(f, item);
      if (type)
        hd_print_row_params(f->out, hd_type_row_format(f->out->context, type->dialect.row), type->dialect.params,
                            (hd_spacing){false, true});
      else
        print_type_of(f, &item->args[0]);
      break;
    }
    case HD_FORMAT_FUNCTIONAL_TYPE:
      print_functional(f, item);
      break;
    case HD_FORMAT_CUSTOM:
      item->hook->print(f->out, f->op, item->args, item->arg_count);
      break;
    default:
      break;
  }
}

static void print_items(format_printer *f, const hd_format *items, size_t count, const hd_format *skipped) {
  for (size_t i = 0; i < count; ++i) {
    const hd_format *item = &items[i];
    if (item == skipped) continue;
    switch (item->kind) {
      case HD_FORMAT_LITERAL:
        print_literal(f, item->text);
        break;
      case HD_FORMAT_SPACE:
        if (!f->silent) hd_putc(f->out, ' ');
        f->spacing = (hd_spacing){false, false};
        f->spacing.punctuation = true;
        break;
      case HD_FORMAT_NO_SPACE:
        f->spacing = (hd_spacing){false, true};
        break;
      case HD_FORMAT_NEWLINE:
        if (!f->silent) hd_print_newline(f->out);
        f->spacing = (hd_spacing){false, true};
        break;
      case HD_FORMAT_ATTR_DICT:
      case HD_FORMAT_ATTR_DICT_KEYWORD:
        if (!f->silent) print_attr_dict(f, item->kind == HD_FORMAT_ATTR_DICT_KEYWORD);
        f->spacing.punctuation = false;
        break;
      case HD_FORMAT_PROP_DICT:
        if (!f->silent) print_prop_dict(f);
        f->spacing.punctuation = false;
        break;
      case HD_FORMAT_GROUP:
        print_group(f, item);
        break;
      case HD_FORMAT_OILIST:
        print_oilist(f, item);
        break;
      default:
        /* A hook without arguments writes the whole op and knows its spacing. */
        if (item->kind != HD_FORMAT_CUSTOM || item->arg_count) blank(f);
        if (!f->silent) print_variable(f, item);
        break;
    }
  }
}

void hd_print_by_format(hd_printer *out, hd_op *op, const hd_format_list *format) {
  format_printer f = {out, op, hd_signature_of(out->context, op->info->opcode), format, {true, false}, false};
  print_items(&f, format->items, format->count, NULL);
}
