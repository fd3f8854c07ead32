/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of layouts: ranks that agree, sizes that are powers of two, orders that are permutations, parents that
 * exist, so that who uses their fields need not ask again. */
#include <inttypes.h>

#include "ir/layouts.h"
#include "ir/op.h"
#include "ir/tile_types.h"

enum { MAX_NESTING = 16 }; /* of parents */

static bool power_of_two(int64_t value) { return value > 0 && !(value & (value - 1)); }

static bool say(hd_strbuf *why, const char *format, ...) HD_PRINTF(2, 3);
static bool say(hd_strbuf *why, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  hd_strbuf_vprintf(why, format, arguments);
  va_end(arguments);
  return false;
}

static hd_attr get(hd_attr layout, hd_name name) { return hd_struct_get(layout, name); }

static bool kind_holds(hd_attr layout, hd_name name, bool (*is)(hd_attr attr), const char *what, hd_strbuf *why) {
  hd_attr value = get(layout, name);
  return (value && is(value)) || say(why, "needs %s as '%s'", what, hd_name_text(name));
}

static bool is_size_list(hd_attr a) {
  return a->kind == HD_ATTR_DENSE_ARRAY && hd_type_is_integer(a->dense.element, 32);
}

/* |name| is a list of |rank| powers of two whose product stays within HD_LAYOUT_MAX_SIZE. */
static bool sizes_hold(hd_attr layout, hd_name name, uint32_t rank, hd_strbuf *why) {
  if (!kind_holds(layout, name, is_size_list, "a list of i32", why)) return false;
  hd_attr list = get(layout, name);
  if (list->dense.count != rank)
    return say(why, "has %zu entries in '%s' for %u dims", list->dense.count, hd_name_text(name), rank);
  int64_t product = 1;
  for (uint32_t i = 0; i < rank; ++i) {
    int64_t size = hd_attr_int_at(list, i);
    if (!power_of_two(size)) return say(why, "needs powers of two in '%s', got %" PRId64, hd_name_text(name), size);
    if ((product *= size > HD_LAYOUT_MAX_SIZE ? HD_LAYOUT_MAX_SIZE + 1 : size) > HD_LAYOUT_MAX_SIZE)
      return say(why, "has more than %d in '%s'", HD_LAYOUT_MAX_SIZE, hd_name_text(name));
  }
  return true;
}

static bool number_holds(hd_attr layout, hd_name name, int64_t absent, hd_strbuf *why) {
  int64_t value = hd_attr_int_or(get(layout, name), absent);
  return (power_of_two(value) && value <= HD_LAYOUT_MAX_SIZE) ||
         say(why, "needs a power of two up to %d as '%s', got %" PRId64, HD_LAYOUT_MAX_SIZE, hd_name_text(name), value);
}

/* The order tells the rank. */
static bool order_holds(hd_attr layout, uint32_t *out_rank, hd_strbuf *why) {
  if (!kind_holds(layout, HD_NAME_order, is_size_list, "a list of i32", why)) return false;
  hd_attr order = get(layout, HD_NAME_order);
  size_t rank = order->dense.count;
  if (rank < 1 || rank > HD_LAYOUT_MAX_RANK)
    return say(why, "needs 1 to %d entries in 'order', got %zu", HD_LAYOUT_MAX_RANK, rank);
  *out_rank = (uint32_t)rank;
  for (uint32_t d = 0; d < rank; ++d)
    if (hd_attr_find_int(order, d) < 0) return say(why, "needs a permutation of its %zu dims as 'order'", rank);
  return true;
}

static bool base_holds(hd_attr base, uint32_t *rank, const char *name, hd_strbuf *why) {
  if (base->kind != HD_ATTR_ARRAY) return say(why, "needs a list of lists as '%s'", name);
  if (!*rank && base->array.count <= HD_LAYOUT_MAX_RANK) *rank = base->array.count;
  if (!base->array.count || base->array.count != *rank)
    return say(why, "has a base of %u coordinates in '%s' for %u dims", base->array.count, name, *rank);
  for (uint32_t d = 0; d < base->array.count; ++d) {
    hd_attr item = base->array.items[d];
    if (!hd_attr_is(item, HD_ATTR_INTEGER) || item->integer < 0 || item->integer > HD_LAYOUT_MAX_SIZE)
      return say(why, "needs coordinates between 0 and %d in '%s'", HD_LAYOUT_MAX_SIZE, name);
  }
  return true;
}

/* |rank| 0: that of the first base. */
static bool bases_hold(hd_attr layout, hd_name name, uint32_t *rank, hd_strbuf *why) {
  hd_attr list = get(layout, name);
  if (!list) return true;
  if (list->kind != HD_ATTR_ARRAY || list->array.count > HD_LAYOUT_MAX_BASES)
    return say(why, "needs a list of up to %d bases as '%s'", HD_LAYOUT_MAX_BASES, hd_name_text(name));
  for (uint32_t i = 0; i < list->array.count; ++i)
    if (!base_holds(list->array.items[i], rank, hd_name_text(name), why)) return false;
  return true;
}

static bool blocked_holds(hd_attr layout, hd_strbuf *why) {
  uint32_t rank;
  return order_holds(layout, &rank, why) && sizes_hold(layout, HD_NAME_sizePerThread, rank, why) &&
         sizes_hold(layout, HD_NAME_threadsPerWarp, rank, why) && sizes_hold(layout, HD_NAME_warpsPerCTA, rank, why) &&
         bases_hold(layout, HD_NAME_CGALayout, &rank, why);
}

static bool holds(hd_attr attr, int depth, hd_strbuf *why);

static bool parent_holds(hd_attr layout, int depth, hd_strbuf *why) {
  hd_attr parent = get(layout, HD_NAME_parent);
  if (!parent || !hd_layout_is_distributed(parent)) return say(why, "needs a layout of tensors as 'parent'");
  if (depth >= MAX_NESTING) return say(why, "nests more than %d parents", MAX_NESTING);
  return holds(parent, depth + 1, why);
}

static bool slice_holds(hd_attr layout, int depth, hd_strbuf *why) {
  if (!parent_holds(layout, depth, why)) return false;
  int64_t dim = hd_attr_int_or(get(layout, HD_NAME_dim), -1);
  uint32_t rank = hd_layout_rank(get(layout, HD_NAME_parent));
  if (rank < 2) return say(why, "needs a parent of two dims or more, got %u", rank);
  return (dim >= 0 && dim < rank) || say(why, "needs a 'dim' between 0 and %u, got %" PRId64, rank - 1, dim);
}

static bool dot_operand_holds(hd_attr layout, int depth, hd_strbuf *why) {
  if (!parent_holds(layout, depth, why)) return false;
  int64_t operand = hd_attr_int_or(get(layout, HD_NAME_opIdx), -1),
          width = hd_attr_int_or(get(layout, HD_NAME_kWidth), 0);
  if (operand != 0 && operand != 1) return say(why, "needs 0 or 1 as 'opIdx', got %" PRId64, operand);
  hd_attr parent = get(layout, HD_NAME_parent);
  if (hd_layout_rank(parent) < 2) return say(why, "needs a parent of two dims or more");
  if (hd_layout_row(parent) == HD_STRUCT_ttg_blocked)
    return !width || say(why, "needs no 'kWidth' with a blocked parent, got %" PRId64, width);
  if (hd_layout_row(parent) != HD_STRUCT_ttg_nvidia_mma) return say(why, "needs a blocked or mma parent");
  int64_t version = hd_layout_mma(parent).version_major;
  if (version == 3 && operand) return say(why, "needs 0 as 'opIdx' with an mma parent of version 3");
  return (power_of_two(width) && width <= 64) ||
         say(why, "needs a power of two up to 64 as 'kWidth' with an mma parent, got %" PRId64, width);
}

static bool mma_holds(hd_attr layout, hd_strbuf *why) {
  if (!kind_holds(layout, HD_NAME_warpsPerCTA, is_size_list, "a list of i32", why) ||
      !kind_holds(layout, HD_NAME_instrShape, is_size_list, "a list of i32", why))
    return false;
  int64_t version = hd_attr_int_or(get(layout, HD_NAME_versionMajor), 0);
  uint32_t rank = (uint32_t)get(layout, HD_NAME_warpsPerCTA)->dense.count;
  hd_attr shape = get(layout, HD_NAME_instrShape);
  if (version < 1 || version > 5) return say(why, "needs 1 to 5 as 'versionMajor', got %" PRId64, version);
  if (rank != 2 && rank != 3) return say(why, "needs 2 or 3 entries in 'warpsPerCTA', got %u", rank);
  if (!sizes_hold(layout, HD_NAME_warpsPerCTA, rank, why) || !bases_hold(layout, HD_NAME_CGALayout, &rank, why))
    return false;
  size_t wanted = version == 3 ? 3 : rank;
  if (shape->dense.count != wanted)
    return say(why, "needs %zu entries in 'instrShape' of version %" PRId64 ", got %zu", wanted, version,
               shape->dense.count);
  for (size_t i = 0; i < wanted; ++i) {
    int64_t size = hd_attr_int_at(shape, i);
    bool multiple = version == 3 && i == 1 && size > 0 && size <= 256 && !(size % 8); /* n of wgmma */
    bool batch = version == 2 && wanted == 3 && i == 0, is_k = version == 3 && i == 2;
    if (!multiple && (!power_of_two(size) || size > 256 || (version > 1 && !batch && !is_k && size < 8)))
      return say(why, "needs sizes of an instruction in 'instrShape', got %" PRId64, size);
  }
  return true;
}

/* Coordinates of a base as one number: those of dim d from bit shift[d] on. */
static uint64_t packed(hd_attr base, uint32_t rank, const uint32_t *shift) {
  uint64_t out = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    uint64_t coordinate = (uint64_t)base->array.items[d]->integer;
    if (coordinate) out ^= coordinate << shift[d]; /* a dim without bits may begin at bit 64 */
  }
  return out;
}

/* Reduces |vector| by |leading|, a vector per highest bit, and adds what is left. False: nothing is. */
static bool adds(uint64_t *leading, uint64_t vector) {
  while (vector) {
    int bit = 63 - __builtin_clzll(vector);
    if (!leading[bit]) return (leading[bit] = vector) != 0;
    vector ^= leading[bit];
  }
  return false;
}

/* But for bases of zeros, which repeat elements, sums of bases give each index of the tensor that they span once. */
static bool reaches_each_once(const hd_attr *parts, size_t count, uint32_t rank, hd_strbuf *why) {
  uint64_t leading[64] = {0};
  uint32_t shift[HD_LAYOUT_MAX_RANK] = {0}, total = 0, bases = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    int64_t all = 0;
    for (size_t p = 0; p < count; ++p)
      for (uint32_t i = 0; parts[p] && i < parts[p]->array.count; ++i)
        all |= parts[p]->array.items[i]->array.items[d]->integer;
    shift[d] = total;
    for (; all; all >>= 1) ++total;
  }
  if (total > 64) return say(why, "has bases that span more than 64 bits of an index, got %u", total);
  for (size_t p = 0; p < count; ++p)
    for (uint32_t i = 0; parts[p] && i < parts[p]->array.count; ++i) {
      uint64_t base = packed(parts[p]->array.items[i], rank, shift);
      if (base && !adds(leading, base)) return say(why, "needs bases of which none is a sum of others");
      bases += base != 0;
    }
  return bases == total || say(why, "needs bases whose sums give each index, got %u of %u bits", bases, total);
}

static bool linear_holds(hd_attr layout, hd_strbuf *why) {
  static const hd_name names[] = {HD_NAME_register, HD_NAME_lane, HD_NAME_warp, HD_NAME_block};
  uint32_t rank = 0;
  for (size_t i = 0; i < 4; ++i)
    if (!bases_hold(layout, names[i], &rank, why)) return false;
  if (!rank) return say(why, "needs a base, which tells its rank");
  hd_attr parts[4];
  for (size_t i = 0; i < 4; ++i) parts[i] = get(layout, names[i]);
  for (size_t p = 0; p < 4; ++p)
    for (uint32_t i = 0; parts[p] && i < parts[p]->array.count; ++i) {
      uint32_t moves = 0;
      for (uint32_t d = 0; d < rank; ++d) moves += parts[p]->array.items[i]->array.items[d]->integer != 0;
      if (moves > 1) return say(why, "needs bases that move along one dim each, got one along %u", moves);
    }
  return reaches_each_once(parts, 4, rank, why);
}

static bool swizzled_holds(hd_attr layout, hd_strbuf *why) {
  uint32_t rank;
  return order_holds(layout, &rank, why) && number_holds(layout, HD_NAME_vec, 1, why) &&
         number_holds(layout, HD_NAME_perPhase, 1, why) && number_holds(layout, HD_NAME_maxPhase, 1, why) &&
         bases_hold(layout, HD_NAME_CGALayout, &rank, why);
}

static bool nvmma_shared_holds(hd_attr layout, hd_strbuf *why) {
  int64_t bytes = hd_attr_int_or(get(layout, HD_NAME_swizzlingByteWidth), -1);
  int64_t bits = hd_attr_int_or(get(layout, HD_NAME_elementBitWidth), 0),
          rank = hd_attr_int_or(get(layout, HD_NAME_rank), 2);
  uint32_t of_bases = 0;
  if (bytes != 0 && bytes != 32 && bytes != 64 && bytes != 128)
    return say(why, "needs 0, 32, 64 or 128 as 'swizzlingByteWidth', got %" PRId64, bytes);
  if (!power_of_two(bits) || bits < 4 || bits > 64)
    return say(why, "needs a power of two between 4 and 64 as 'elementBitWidth', got %" PRId64, bits);
  if (rank < 1 || rank > HD_LAYOUT_MAX_RANK)
    return say(why, "needs 1 to %d as 'rank', got %" PRId64, HD_LAYOUT_MAX_RANK, rank);
  return bases_hold(layout, HD_NAME_CGALayout, &of_bases, why);
}

static bool shared_linear_holds(hd_attr layout, hd_strbuf *why) {
  uint32_t rank = 0;
  if (!bases_hold(layout, HD_NAME_offset, &rank, why) || !bases_hold(layout, HD_NAME_block, &rank, why) ||
      !number_holds(layout, HD_NAME_alignment, 16, why))
    return false;
  return rank > 0 || say(why, "needs a base, which tells its rank");
}

static bool padded_holds(hd_attr layout, hd_strbuf *why) {
  hd_attr intervals = get(layout, HD_NAME_intervals);
  uint32_t rank = 0, pairs = intervals && is_size_list(intervals) ? (uint32_t)intervals->dense.count : 0;
  if (!pairs) return say(why, "needs an interval and its padding");
  for (uint32_t i = 0; i < pairs; ++i)
    for (uint32_t k = 0; k < i; ++k)
      if (hd_attr_int_at(intervals, i) == hd_attr_int_at(intervals, k)) return say(why, "has an interval twice");
  if (!sizes_hold(layout, HD_NAME_intervals, pairs, why) || !sizes_hold(layout, HD_NAME_paddings, pairs, why))
    return false;
  if (get(layout, HD_NAME_order))
    return order_holds(layout, &rank, why) && sizes_hold(layout, HD_NAME_shape, rank, why) &&
           bases_hold(layout, HD_NAME_CGALayout, &rank, why);
  if (!bases_hold(layout, HD_NAME_offset, &rank, why) || !bases_hold(layout, HD_NAME_block, &rank, why)) return false;
  return rank > 0 || say(why, "needs 'order' and 'shape', or a base");
}

static bool tensor_memory_holds(hd_attr layout, hd_strbuf *why) {
  static const hd_name names[] = {HD_NAME_CTASplitM, HD_NAME_CTASplitN, HD_NAME_blockM, HD_NAME_blockN,
                                  HD_NAME_colStride};
  size_t count = hd_layout_row(layout) == HD_STRUCT_ttng_tensor_memory_encoding ? 5 : 2;
  for (size_t i = 0; i < count; ++i)
    if (!number_holds(layout, names[i], 1, why)) return false;
  if (count == 2) return true;
  int64_t rows = hd_attr_int_or(get(layout, HD_NAME_blockM), 0),
          stride = hd_attr_int_or(get(layout, HD_NAME_colStride), 1);
  if (rows != 64 && rows != 128) return say(why, "needs 64 or 128 as 'blockM', got %" PRId64, rows);
  return stride <= 4 || say(why, "needs 1, 2 or 4 as 'colStride', got %" PRId64, stride);
}

static bool holds(hd_attr attr, int depth, hd_strbuf *why) {
  switch (attr->structure.row) {
    case HD_STRUCT_ttg_blocked:
      return blocked_holds(attr, why);
    case HD_STRUCT_ttg_slice:
      return slice_holds(attr, depth, why);
    case HD_STRUCT_ttg_dot_op:
      return dot_operand_holds(attr, depth, why);
    case HD_STRUCT_ttg_nvidia_mma:
      return mma_holds(attr, why);
    case HD_STRUCT_ttg_linear:
      return linear_holds(attr, why);
    case HD_STRUCT_ttg_swizzled_shared:
      return swizzled_holds(attr, why);
    case HD_STRUCT_ttg_nvmma_shared:
      return nvmma_shared_holds(attr, why);
    case HD_STRUCT_ttg_shared_linear:
      return shared_linear_holds(attr, why);
    case HD_STRUCT_ttg_padded_shared:
      return padded_holds(attr, why);
    default:
      return tensor_memory_holds(attr, why);
  }
}

bool hd_layout_holds(hd_attr attr, hd_strbuf *why) { return !hd_attr_is_layout(attr) || holds(attr, 0, why); }

bool hd_tile_type_holds(hd_type type, hd_strbuf *why) {
  bool memdesc = hd_type_is_memdesc(type);
  if (hd_type_is_tensordesc(type) && !hd_type_is(hd_tensordesc_block(type), HD_TYPE_TENSOR))
    return say(why, "needs a ranked tensor as its block");
  if (memdesc && !hd_memdesc_holds(type, why)) return false;
  hd_attr layout = hd_type_layout(type);
  if (!layout) return true;
  if (!hd_layout_holds(layout, why)) return false;
  uint32_t rank = memdesc ? hd_memdesc_of(type).rank : type->shaped.rank, wanted = hd_layout_rank(layout);
  /* Of memory, a dim more in front counts buffers of the layout. */
  if (rank == wanted || (!hd_layout_is_distributed(layout) && rank == wanted + 1)) return true;
  return say(why, "has a layout of %u dims for a shape of %u", wanted, rank);
}

static bool check_type(hd_op *op, hd_type type) {
  hd_arena scratch;
  hd_strbuf why;
  if (!hd_type_layout(type) && type->kind != HD_TYPE_DIALECT) return true;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf_init(&why, &scratch);
  bool ok = hd_tile_type_holds(type, &why) || hd_op_misfit_error(op, type, NULL, "a type %s", hd_strbuf_text(&why));
  hd_arena_free(&scratch);
  return ok;
}

/* Elementwise ops do not mix layouts. */
static bool check_one_layout(hd_op *op) {
  hd_type first = NULL;
  for (uint32_t i = 0; i < op->operand_count + op->result_count; ++i) {
    hd_type type = i < op->operand_count ? hd_operand_type(op, i) : hd_result_type(op, i - op->operand_count);
    if (!hd_type_is(type, HD_TYPE_TENSOR)) continue;
    if (!first) first = type;
    if (hd_type_layout(type) != hd_type_layout(first))
      return hd_op_type_error(op, first, type, "requires one layout for all operands and results");
  }
  return true;
}

bool hd_verify_layouts(hd_op *op) {
  for (uint32_t i = 0; i < op->result_count; ++i)
    if (!check_type(op, hd_result_type(op, i))) return false;
  for (uint32_t r = 0; r < op->region_count; ++r)
    hd_for_each_block(block, hd_op_region(op, r))
      for (uint32_t i = 0; i < block->arg_count; ++i)
        if (!check_type(op, block->args[i]->type)) return false;
  return (!hd_op_has_trait(op, HD_TRAIT(ELEMENTWISE)) || check_one_layout(op)) && hd_verify_tile_types(op);
}
