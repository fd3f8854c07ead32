/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier hook of scan: its body takes a slice of each input and the carries, and gives a slice of each output and the
 * next carries; a slice lacks the scanned dim. */
#include "ir/infer.h"
#include "ir/ops/interfaces.h"

typedef struct scan {
  hd_op *op, *last;
  hd_block *body;
  int64_t axis, size; /* |size|: HD_DYNAMIC until a type tells */
} scan;

/* |whole| has the scanned dim, |slice| is |whole| without it. */
static bool slices(scan *s, hd_type whole, hd_type slice, const char *what, uint32_t i) {
  if (!hd_is_ranked(whole) || s->axis < 0 || s->axis >= whole->shaped.rank)
    return hd_op_misfit_error(s->op, whole, NULL, "expects %s #%u to have a dim %lld", what, i, (long long)s->axis);
  int64_t dims[HD_MAX_RANK], size = whole->shaped.dims[s->axis];
  uint32_t rank = 0;
  for (uint32_t d = 0; d < whole->shaped.rank; ++d)
    if (d != s->axis) dims[rank++] = whole->shaped.dims[d];
  hd_type wanted = hd_type_with_dims(whole, dims, rank);
  if (!hd_is_ranked(slice) || !hd_types_compatible(wanted, slice))
    return hd_op_type_error(s->op, wanted, slice, "expects the body's slice of %s #%u without dim %lld", what, i,
                            (long long)s->axis);
  if (size == HD_DYNAMIC) return true;
  if (s->size != HD_DYNAMIC && s->size != size)
    return hd_op_error(s->op, "expects one size of dim %lld, got %lld and, of %s #%u, %lld", (long long)s->axis,
                       (long long)s->size, what, i, (long long)size);
  s->size = size;
  return true;
}

bool hd_verify_scan(hd_op *op) {
  uint32_t inputs, outputs;
  hd_scan_counts(op, &inputs, &outputs);
  uint32_t carries = op->operand_count - inputs;
  scan s = {.op = op,
            .body = op->region_count ? hd_op_region(op, 0)->first : NULL,
            .axis = hd_scan_like_dimension(op),
            .size = hd_attr_int_or(hd_scan_like_scan_dim_size_attr(op), HD_DYNAMIC)};
  s.last = s.body ? hd_block_terminator(s.body) : NULL;
  if (!s.last) return hd_op_error(op, "expects a body that ends in a return, got none");
  if (op->result_count - outputs != carries)
    return hd_op_error(op, "expects as many carries as inits, got %u and %u", op->result_count - outputs, carries);
  if (s.body->arg_count != op->operand_count)
    return hd_op_error(op, "expects the body to take %u values, got %u", op->operand_count, s.body->arg_count);
  if (s.last->operand_count != op->result_count)
    return hd_op_error(op, "expects the body to give %u values, got %u", op->result_count, s.last->operand_count);
  if (s.size != HD_DYNAMIC && s.size < 0)
    return hd_op_error(op, "expects 'scan_dim_size' of at least 0, got %lld", (long long)s.size);
  if (!inputs && s.size == HD_DYNAMIC) return hd_op_error(op, "expects an input or 'scan_dim_size', got neither");
  for (uint32_t i = 0; i < inputs; ++i)
    if (!slices(&s, hd_operand_type(op, i), s.body->args[i]->type, "input", i)) return false;
  for (uint32_t i = 0; i < outputs; ++i)
    if (!slices(&s, hd_result_type(op, i), hd_operand_type(s.last, i), "output", i)) return false;
  for (uint32_t i = 0; i < carries; ++i) {
    hd_type init = hd_operand_type(op, inputs + i);
    const hd_type others[] = {s.body->args[inputs + i]->type, hd_operand_type(s.last, outputs + i),
                              hd_result_type(op, outputs + i)};
    static const char *const what[] = {"taken by the body", "given by the body", "that results"};
    for (int k = 0; k < 3; ++k)
      if (!hd_is_ranked(init) || !hd_is_ranked(others[k]) || !hd_types_compatible(init, others[k]))
        return hd_op_type_error(op, init, others[k], "expects carry #%u %s in the type of its init", i, what[k]);
  }
  return true;
}
