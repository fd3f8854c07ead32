/* SPDX-License-Identifier: Apache-2.0 */
/* Prints types. */
#include <inttypes.h>

#include "text/printer.h"

void hd_print_dims(hd_printer *out, const int64_t *dims, size_t count, const bool *scalable) {
  for (size_t i = 0; i < count; ++i) {
    if (scalable && scalable[i]) hd_putc(out, '[');
    if (dims[i] == HD_DYNAMIC)
      hd_putc(out, '?');
    else
      hd_printf(out, "%" PRId64, dims[i]);
    if (scalable && scalable[i]) hd_putc(out, ']');
    hd_putc(out, 'x');
  }
}

static void print_types(hd_printer *out, const hd_type *types, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (i) hd_puts(out, ", ");
    hd_print_type(out, types[i]);
  }
}

static void print_function(hd_printer *out, hd_type type) {
  hd_putc(out, '(');
  print_types(out, type->function.ins, type->function.in_count);
  hd_puts(out, ") -> ");
  bool bare = type->function.out_count == 1 && type->function.outs[0]->kind != HD_TYPE_FUNCTION;
  if (!bare) hd_putc(out, '(');
  print_types(out, type->function.outs, type->function.out_count);
  if (!bare) hd_putc(out, ')');
}

static void print_scale(hd_printer *out, hd_type type, uint32_t i) {
  double scale = type->quant.scales[i];
  uint64_t bits;
  memcpy(&bits, &scale, sizeof bits);
  hd_print_float(out->out, HD_F64, bits);
  if (type->quant.zero_points[i]) hd_printf(out, ":%" PRId64, type->quant.zero_points[i]);
}

static void print_scales(hd_printer *out, hd_type type, uint32_t level, uint32_t *next) {
  if (level == type->quant.scale_rank) {
    print_scale(out, type, (*next)++);
    return;
  }
  hd_putc(out, '{');
  for (int64_t i = 0; i < type->quant.scale_dims[level]; ++i) {
    if (i) hd_puts(out, ", ");
    print_scales(out, type, level + 1, next);
  }
  hd_putc(out, '}');
}

static void print_quant(hd_printer *out, hd_type type) {
  uint32_t width = type->quant.storage->integer.width;
  bool is_signed = type->quant.is_signed;
  hd_printf(out, "!quant.uniform<%c%u", is_signed ? 'i' : 'u', width);
  int64_t low = is_signed ? -(1ll << (width - 1)) : 0, high = is_signed ? (1ll << (width - 1)) - 1 : (1ll << width) - 1;
  if (type->quant.storage_min != low || type->quant.storage_max != high)
    hd_printf(out, "<%" PRId64 ":%" PRId64 ">", type->quant.storage_min, type->quant.storage_max);
  hd_putc(out, ':');
  hd_print_type(out, type->quant.expressed);
  if (type->quant.block_rank) {
    hd_puts(out, ":{");
    for (uint32_t i = 0; i < type->quant.block_rank; ++i)
      hd_printf(out, "%s%" PRId64 ":%" PRId64, i ? ", " : "", type->quant.block_axes[i], type->quant.block_sizes[i]);
    hd_puts(out, "}, ");
    uint32_t next = 0;
    print_scales(out, type, 0, &next);
  } else if (type->quant.per_axis) {
    hd_printf(out, ":%d, {", type->quant.axis);
    for (uint32_t i = 0; i < type->quant.count; ++i) {
      if (i) hd_putc(out, ',');
      print_scale(out, type, i);
    }
    hd_putc(out, '}');
  } else {
    hd_puts(out, ", ");
    print_scale(out, type, 0);
  }
  hd_putc(out, '>');
}

static void print_memref(hd_printer *out, hd_type type) {
  hd_puts(out, "memref<");
  if (type->kind == HD_TYPE_UNRANKED_MEMREF)
    hd_puts(out, "*x");
  else
    hd_print_dims(out, type->shaped.dims, type->shaped.rank, NULL);
  hd_print_type(out, type->shaped.element);
  if (type->shaped.layout) {
    hd_puts(out, ", ");
    hd_print_attr(out, type->shaped.layout, HD_TYPE_NEVER);
  }
  if (type->shaped.space) {
    hd_puts(out, ", ");
    hd_print_attr(out, type->shaped.space, HD_TYPE_MAY);
  }
  hd_putc(out, '>');
}

void hd_print_type(hd_printer *out, hd_type type) {
  if (!type) {
    hd_puts(out, "<<null type>>");
    return;
  }
  if (!out->context) out->context = type->context;
  if (!hd_visit_type(out, type) && !hd_print_type_alias(out, type)) hd_print_type_in_full(out, type);
}

void hd_print_type_in_full(hd_printer *out, hd_type type) {
  switch (type->kind) {
    case HD_TYPE_NONE:
      hd_puts(out, "none");
      break;
    case HD_TYPE_INDEX:
      hd_puts(out, "index");
      break;
    case HD_TYPE_INTEGER:
      if (type->integer.signedness != HD_SIGNLESS) hd_putc(out, type->integer.signedness == HD_SIGNED ? 's' : 'u');
      hd_printf(out, "i%u", type->integer.width);
      break;
    case HD_TYPE_FLOAT:
      hd_puts(out, hd_float_formats[type->float_kind].name);
      break;
    case HD_TYPE_COMPLEX:
      hd_puts(out, "complex<");
      hd_print_type(out, type->shaped.element);
      hd_putc(out, '>');
      break;
    case HD_TYPE_FUNCTION:
      print_function(out, type);
      break;
    case HD_TYPE_TUPLE:
      hd_puts(out, "tuple<");
      print_types(out, type->function.ins, type->function.in_count);
      hd_putc(out, '>');
      break;
    case HD_TYPE_VECTOR:
      hd_puts(out, "vector<");
      hd_print_dims(out, type->shaped.dims, type->shaped.rank, type->shaped.scalable);
      hd_print_type(out, type->shaped.element);
      hd_putc(out, '>');
      break;
    case HD_TYPE_TENSOR:
      hd_puts(out, "tensor<");
      hd_print_dims(out, type->shaped.dims, type->shaped.rank, NULL);
      hd_print_type(out, type->shaped.element);
      if (type->shaped.encoding) {
        hd_puts(out, ", ");
        hd_print_attr(out, type->shaped.encoding, HD_TYPE_NEVER);
      }
      hd_putc(out, '>');
      break;
    case HD_TYPE_UNRANKED_TENSOR:
      hd_puts(out, "tensor<*x");
      hd_print_type(out, type->shaped.element);
      hd_putc(out, '>');
      break;
    case HD_TYPE_MEMREF:
    case HD_TYPE_UNRANKED_MEMREF:
      print_memref(out, type);
      break;
    case HD_TYPE_QUANT:
      print_quant(out, type);
      break;
    case HD_TYPE_DIALECT: {
      const hd_attr_row_info *info = hd_type_row_info_of(type->dialect.row);
      hd_printf(out, "!%s.%s", info->dialect, info->name);
      hd_print_row_params(out, hd_type_row_format(out->context, type->dialect.row), type->dialect.params,
                          (hd_spacing){false, true});
      break;
    }
    case HD_TYPE_OPAQUE:
      hd_printf(out, "!%s%s", type->opaque.dialect->text, type->opaque.text->text);
      break;
  }
}
