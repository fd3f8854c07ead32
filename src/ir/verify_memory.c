/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hooks of memref, vector and gpu: index counts, ranks, masks, launches. */
#include <stdio.h>

#include "ir/infer.h"
#include "ir/launch_items.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/memref.h"
#include "ir/ops/vector.h"

static uint32_t operands_of(hd_op *op, size_t item) {
  uint32_t start, count;
  hd_op_operand_range(op, item, &start, &count);
  return count;
}

/* One index per dim of the memref (or tensor) that is item |memref|; the indices are the item after it. */
static bool indexed(hd_op *op, size_t memref) {
  uint32_t start, count;
  hd_op_operand_range(op, memref, &start, &count);
  hd_type type = count ? hd_operand_type(op, start) : NULL;
  uint32_t indices = operands_of(op, memref + 1);
  if (!type || !hd_type_has_rank(type)) return hd_op_misfit_error(op, type, NULL, "expects a ranked buffer");
  if (indices == type->shaped.rank) return true;
  return hd_op_error(op, "expects %u indices, one per dim, got %u", type->shaped.rank, indices);
}

bool hd_verify_indexed0(hd_op *op) { return indexed(op, 0); }
bool hd_verify_indexed1(hd_op *op) { return indexed(op, 1); }

/* One size per unknown dim of result 0; sizes are item |item|. */
static bool sized(hd_op *op, size_t item) {
  hd_type type = hd_result_type(op, 0);
  uint32_t unknown = 0;
  for (uint32_t i = 0; i < type->shaped.rank; ++i) unknown += type->shaped.dims[i] == HD_DYNAMIC;
  uint32_t sizes = operands_of(op, item);
  return sizes == unknown || hd_op_error(op, "expects %u sizes, one per unknown dim, got %u", unknown, sizes);
}

bool hd_verify_alloc(hd_op *op) { return sized(op, 0); }
/* gpu.alloc and tensor.splat, whose sizes are the second item. */
bool hd_verify_sized1(hd_op *op) { return sized(op, 1); }

bool hd_verify_memref_view(hd_op *op) {
  hd_type in = hd_operand_type(op, 0);
  if (in->shaped.rank != 1 || !hd_type_is_integer(in->shaped.element, 8))
    return hd_op_misfit_error(op, in, NULL, "expects a 1-d memref of i8");
  return sized(op, 2);
}

/* A body that takes the old value and gives the new one. */
bool hd_verify_generic_atomic_rmw(hd_op *op) {
  hd_block *body = hd_op_region(op, 0)->first;
  hd_op *last = body ? hd_block_terminator(body) : NULL;
  hd_type type = hd_result_type(op, 0);
  if (!hd_verify_indexed0(op)) return false;
  if (!hd_verify_ending(op, 0, last, HD_OP_memref_atomic_yield)) return false;
  if (body->arg_count != 1) return hd_op_error(op, "expects a body of 1 argument, got %u", body->arg_count);
  if (body->args[0]->type != type)
    return hd_op_type_error(op, type, body->args[0]->type, "expects the body's argument in the element type");
  return hd_operand_type(last, 0) == type ||
         hd_op_type_error(last, type, hd_operand_type(last, 0), "expects a value of the element type");
}

/* The base buffer, the offset, then sizes and strides, one of each per dim. */
bool hd_verify_strided_metadata(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), base = hd_result_type(op, 0);
  if (op->result_count != 2 + 2 * in->shaped.rank)
    return hd_op_error(op, "expects %u results, got %u", 2 + 2 * in->shaped.rank, op->result_count);
  if (base->shaped.rank || base->shaped.element != in->shaped.element)
    return hd_op_misfit_error(op, in, base, "expects the base buffer as a memref of one element");
  return true;
}

/* hd.memref: a ranked memref, whose sizes are the second item. */
bool hd_verify_memref_at(hd_op *op) {
  return hd_type_has_rank(hd_result_type(op, 0))
             ? hd_verify_sized1(op)
             : hd_op_misfit_error(op, hd_result_type(op, 0), NULL, "expects a ranked memref");
}

/* A source and a target that differ in what is known only: rank, element and space are the same. */
bool hd_verify_memref_cast(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  if (in->shaped.element != out->shaped.element)
    return hd_op_misfit_error(op, hd_type_element(in), hd_type_element(out),
                              "expects operand and result of one element type");
  if (!hd_type_has_rank(in) || !hd_type_has_rank(out)) return true;
  if (in->shaped.rank != out->shaped.rank)
    return hd_op_error(op, "expects operand and result of one rank, got %u and %u", in->shaped.rank, out->shaped.rank);
  for (uint32_t i = 0; i < in->shaped.rank; ++i) {
    int64_t a = in->shaped.dims[i], b = out->shaped.dims[i];
    if (a != b && a != HD_DYNAMIC && b != HD_DYNAMIC)
      return hd_op_error(op, "expects dim %u of one size, got %lld and %lld", i, (long long)a, (long long)b);
  }
  return true;
}

/* tensor.reshape, memref.reshape: the shape operand has one element per result dim. */
bool hd_verify_shape_operand(hd_op *op) {
  hd_type shape = hd_operand_type(op, 1), out = hd_result_type(op, 0);
  if (hd_type_element(hd_operand_type(op, 0)) != hd_type_element(out))
    return hd_op_misfit_error(op, hd_type_element(hd_operand_type(op, 0)), hd_type_element(out),
                              "expects operand and result of one element type");
  if (!hd_type_has_rank(out) || !hd_type_has_rank(shape) || shape->shaped.rank != 1 ||
      shape->shaped.dims[0] == HD_DYNAMIC)
    return true;
  return shape->shaped.dims[0] == out->shaped.rank ||
         hd_op_error(op, "expects %u shape elements, one per result dim, got %lld", out->shaped.rank,
                     (long long)shape->shaped.dims[0]);
}

bool hd_verify_memref_copy(hd_op *op) {
  hd_type a = hd_operand_type(op, 0), b = hd_operand_type(op, 1);
  return a->shaped.element == b->shaped.element ||
         hd_op_misfit_error(op, a->shaped.element, b->shaped.element, "expects source and target of one element type");
}

/* Offsets, sizes and strides: lists of |rank| entries, in each as many HD_DYNAMIC as there are operands of item 1 + k.
 */
static bool mixed_lists(hd_op *op, const hd_name *names, const uint32_t *ranks, size_t first_item) {
  for (uint32_t k = 0; k < 3; ++k) {
    hd_attr list = hd_op_attr_get(op, names[k]);
    if (hd_attr_count(list) != ranks[k])
      return hd_op_error(op, "expects %u entries in '%s', got %zu", ranks[k], hd_name_text(names[k]),
                         hd_attr_count(list));
    uint32_t unknown = 0;
    for (size_t i = 0; i < hd_attr_count(list); ++i) unknown += hd_attr_int_at(list, i) == HD_DYNAMIC;
    uint32_t given = operands_of(op, first_item + k);
    if (unknown != given)
      return hd_op_error(op, "expects %u operands for the unknown entries of '%s', got %u", unknown,
                         hd_name_text(names[k]), given);
  }
  return true;
}

static const hd_name list_names[] = {HD_NAME_static_offsets, HD_NAME_static_sizes, HD_NAME_static_strides};

static bool same_element(hd_op *op, hd_type a, hd_type b) {
  return a->shaped.element == b->shaped.element ||
         hd_op_misfit_error(op, a->shaped.element, b->shaped.element,
                            "expects the whole and the part of one element type");
}

bool hd_verify_subview(hd_op *op) {
  hd_type in = hd_operand_type(op, 0);
  uint32_t rank = hd_type_has_rank(in) ? in->shaped.rank : 0;
  return same_element(op, in, hd_result_type(op, 0)) && mixed_lists(op, list_names, (uint32_t[]){rank, rank, rank}, 1);
}
bool hd_verify_insert_slice(hd_op *op) {
  hd_type dest = hd_operand_type(op, 1);
  uint32_t rank = hd_type_has_rank(dest) ? dest->shaped.rank : 0;
  return same_element(op, hd_operand_type(op, 0), dest) &&
         mixed_lists(op, list_names, (uint32_t[]){rank, rank, rank}, 2);
}
bool hd_verify_reinterpret_cast(hd_op *op) {
  uint32_t rank = hd_result_type(op, 0)->shaped.rank;
  if (hd_type_element(hd_operand_type(op, 0)) != hd_type_element(hd_result_type(op, 0)))
    return hd_op_misfit_error(op, hd_type_element(hd_operand_type(op, 0)), hd_type_element(hd_result_type(op, 0)),
                              "expects operand and result of one element type");
  return mixed_lists(op, list_names, (uint32_t[]){1, rank, rank}, 1);
}

/* "4" or "?" */
static const char *dim_text(int64_t dim, char text[24]) {
  snprintf(text, 24, "%lld", (long long)dim);
  return dim == HD_DYNAMIC ? "?" : text;
}

/* Groups that partition the dims of the side of higher rank, one group per dim of the other. */
bool hd_verify_reassociation(hd_op *op) {
  hd_type in = hd_operand_type(op, 0), out = hd_result_type(op, 0);
  if (in->shaped.element != out->shaped.element)
    return hd_op_misfit_error(op, hd_type_element(in), hd_type_element(out),
                              "expects operand and result of one element type");
  if (!hd_type_has_rank(in) || !hd_type_has_rank(out))
    return hd_op_misfit_error(op, in, out, "expects operand and result of known ranks");
  hd_attr sizes = hd_reassociating_static_output_shape(op);
  if (sizes && hd_attr_count(sizes) != out->shaped.rank)
    return hd_op_error(op, "expects %u entries in 'static_output_shape', got %zu", out->shaped.rank,
                       hd_attr_count(sizes));
  uint32_t few = in->shaped.rank < out->shaped.rank ? in->shaped.rank : out->shaped.rank;
  uint32_t many = in->shaped.rank < out->shaped.rank ? out->shaped.rank : in->shaped.rank;
  hd_attr groups = hd_reassociating_reassociation(op);
  if (groups->array.count != few)
    return hd_op_error(op, "expects %u reassociation groups, got %u", few, groups->array.count);
  uint32_t next = 0;
  hd_type wide = in->shaped.rank < out->shaped.rank ? out : in, narrow = wide == in ? out : in;
  for (uint32_t g = 0; g < few; ++g) {
    hd_attr group = groups->array.items[g];
    if (!hd_attr_is(group, HD_ATTR_ARRAY))
      return hd_op_error(op, "expects reassociation group #%u as an array of integers, got another attribute", g);
    int64_t product = 1;
    for (uint32_t i = 0; i < group->array.count; ++i) {
      if (!hd_attr_is(group->array.items[i], HD_ATTR_INTEGER) || group->array.items[i]->integer != next || next >= many)
        return hd_op_error(op, "expects reassociation groups that count up from 0 to %u, got another dim than %u", many,
                           next);
      int64_t dim = wide->shaped.dims[next++];
      if (dim == HD_DYNAMIC || product == HD_DYNAMIC)
        product = HD_DYNAMIC;
      else if (__builtin_mul_overflow(product, dim, &product))
        return hd_op_error(op, "expects fewer than 2^63 elements in reassociation group #%u, got more", g);
    }
    if (product != narrow->shaped.dims[g]) {
      char expected[24], got[24];
      return hd_op_error(op, "expects dim %u of size %s, the product of its group, got %s", g,
                         dim_text(product, expected), dim_text(narrow->shaped.dims[g], got));
    }
  }
  /* A side of rank 0 has no groups; the other is all ones then. */
  return !few || next == many || hd_op_error(op, "expects reassociation groups over %u dims, got %u", many, next);
}

bool hd_verify_get_global(hd_op *op) {
  hd_attr name = hd_memref_get_global_name(op);
  hd_op *global = hd_symbol_resolve(op, name);
  if (!hd_op_is(global, HD_OP_memref_global))
    return hd_op_error(op, "'%s' does not reference a valid global memref", name->symbol.root->text);
  hd_attr type = hd_memref_global_type(global);
  if (!hd_attr_is(type, HD_ATTR_TYPE) || type->type_value != hd_result_type(op, 0))
    return hd_op_type_error(op, hd_attr_is(type, HD_ATTR_TYPE) ? type->type_value : NULL, hd_result_type(op, 0),
                            "expects the result in the type of the global");
  return true;
}

bool hd_verify_global(hd_op *op) {
  hd_type type = hd_memref_global_type(op)->type_value;
  if (!hd_type_is(type, HD_TYPE_MEMREF) || !hd_type_is_static(type))
    return hd_op_misfit_error(op, type, NULL, "expects a memref of known shape");
  hd_attr value = hd_memref_global_initial_value(op);
  if (!value || value->kind == HD_ATTR_UNIT) return true;
  if (!value->type || !hd_type_has_rank(value->type) || hd_type_element(value->type) != type->shaped.element ||
      hd_type_num_elements(value->type) != hd_type_num_elements(type))
    return hd_op_type_error(op, type, value->type, "expects an initial value with the elements of the memref");
  return true;
}

static bool elements_match(hd_op *op, hd_type memref, hd_type vector) {
  hd_type element = hd_type_element(memref);
  return element == hd_type_element(vector) || element == vector ||
         hd_op_misfit_error(op, element, vector, "expects buffer and vector of one element type");
}

bool hd_verify_vector_load(hd_op *op) {
  return indexed(op, 0) && elements_match(op, hd_operand_type(op, 0), hd_result_type(op, 0));
}
bool hd_verify_vector_store(hd_op *op) {
  return indexed(op, 1) && elements_match(op, hd_operand_type(op, 1), hd_operand_type(op, 0));
}

/* A mask with one lane per lane of |vector|. */
static bool mask_fits(hd_op *op, hd_type mask, hd_type vector) {
  if (hd_type_has_rank(vector) && hd_type_with_element(vector, hd_i1(hd_op_context(op))) == mask) return true;
  return hd_op_misfit_error(op, mask, vector, "expects a mask in the shape of the vector");
}

bool hd_verify_maskedload(hd_op *op) {
  uint32_t indices = operands_of(op, 1);
  hd_type result = hd_result_type(op, 0);
  if (!indexed(op, 0) || !elements_match(op, hd_operand_type(op, 0), result)) return false;
  if (hd_operand_type(op, 2 + indices) != result)
    return hd_op_type_error(op, result, hd_operand_type(op, 2 + indices),
                            "expects the pass-through value in the type of the result");
  return mask_fits(op, hd_operand_type(op, 1 + indices), result);
}
bool hd_verify_maskedstore(hd_op *op) {
  uint32_t indices = operands_of(op, 1);
  hd_type value = hd_operand_type(op, 2 + indices);
  return indexed(op, 0) && elements_match(op, hd_operand_type(op, 0), value) &&
         mask_fits(op, hd_operand_type(op, 1 + indices), value);
}
bool hd_verify_gather_lanes(hd_op *op) {
  uint32_t indices = operands_of(op, 1);
  hd_type lanes = hd_operand_type(op, 1 + indices), pass = hd_operand_type(op, 3 + indices);
  bool loads = op->result_count == 1 && hd_opcode_get(op) == HD_OP_vector_gather;
  if (!indexed(op, 0) || !elements_match(op, hd_operand_type(op, 0), pass)) return false;
  if (loads && pass != hd_result_type(op, 0))
    return hd_op_type_error(op, hd_result_type(op, 0), pass,
                            "expects the pass-through value in the type of the result");
  if (hd_type_with_element(pass, hd_type_element(lanes)) != lanes)
    return hd_op_misfit_error(op, lanes, pass, "expects one index per lane");
  return mask_fits(op, hd_operand_type(op, 2 + indices), pass);
}

bool hd_verify_gpu_launch_func(hd_op *op) {
  hd_attr kernel = hd_launch_like_kernel(op);
  hd_op *func = hd_symbol_resolve(op, kernel);
  if (!func) return true; /* the module may be elsewhere, as a binary */
  hd_attr attr = hd_function_like_function_type_if_any(func);
  if (!hd_attr_is(attr, HD_ATTR_TYPE) || attr->type_value->kind != HD_TYPE_FUNCTION) return true;
  uint32_t start, count;
  hd_op_operand_range(op, HD_LAUNCH_ARGUMENTS, &start, &count);
  hd_type type = attr->type_value;
  if (type->function.in_count != count)
    return hd_op_error(op, "expects %u kernel operands, got %u", type->function.in_count, count);
  for (uint32_t i = 0; i < count; ++i)
    if (type->function.ins[i] != hd_operand_type(op, start + i))
      return hd_op_type_error(op, type->function.ins[i], hd_operand_type(op, start + i),
                              "type of kernel operand #%u differs from the kernel's", i);
  return true;
}
