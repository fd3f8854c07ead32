/* SPDX-License-Identifier: Apache-2.0 */
/* convolution and dynamic_conv by definition. Operands are brought to one layout,
 *
 *   lhs      [batch, space..., features]
 *   rhs      [window..., features / groups, out features]
 *   result   [batch, space..., out features]
 *
 * and each result element is the sum over window positions, then input features, in order, in the accumulator of dots.
 */
#include <string.h>

#include "eval/graph/accumulate.h"
#include "eval/graph/shape_ops.h"
#include "eval/graph/window.h"
#include "ir/ops/interfaces.h"

typedef struct conv_numbers {
  int64_t input_batch, input_feature, kernel_input, kernel_output, output_batch, output_feature;
  hd_eval_ints input_space, kernel_space, output_space;
} conv_numbers;

static hd_status one_int(hd_attr numbers, hd_name name, int64_t *out) {
  hd_attr attr = hd_struct_get(numbers, name);
  if (!hd_attr_is(attr, HD_ATTR_INTEGER))
    return hd_make_status(HD_INVALID_ARGUMENT, "dimension_numbers lacks %s", hd_name_text(name));
  *out = attr->integer;
  return HD_STATUS_OK;
}

static hd_status read_numbers(hd_eval_frame *frame, hd_op *op, conv_numbers *out) {
  hd_attr numbers = hd_convolution_like_dimension_numbers(op);
  HD_TRY(one_int(numbers, HD_NAME_input_batch_dimension, &out->input_batch));
  HD_TRY(one_int(numbers, HD_NAME_input_feature_dimension, &out->input_feature));
  HD_TRY(one_int(numbers, HD_NAME_kernel_input_feature_dimension, &out->kernel_input));
  HD_TRY(one_int(numbers, HD_NAME_kernel_output_feature_dimension, &out->kernel_output));
  HD_TRY(one_int(numbers, HD_NAME_output_batch_dimension, &out->output_batch));
  HD_TRY(one_int(numbers, HD_NAME_output_feature_dimension, &out->output_feature));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_conv_input_spatial_dimensions(numbers), &out->input_space));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_conv_kernel_spatial_dimensions(numbers), &out->kernel_space));
  HD_TRY(hd_eval_ints_of(frame, hd_attr_stablehlo_conv_output_spatial_dimensions(numbers), &out->output_space));
  return HD_STATUS_OK;
}

/* first, space..., last as one permutation of |rank| dims. */
static hd_status permutation_of(int64_t first, const hd_eval_ints *space, int64_t last, uint32_t rank, const char *what,
                                int64_t *out) {
  if (space->count + 2 != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "%s: expected %u spatial dims, got %zu", what, rank - 2, space->count);
  out[0] = first;
  for (size_t i = 0; i < space->count; ++i) out[1 + i] = space->data[i];
  out[rank - 1] = last;
  return hd_eval_check_axes(&(hd_eval_ints){rank, out}, rank, what);
}

typedef struct conv_shape {
  uint32_t space; /* number of spatial dims */
  int64_t batch, features, out_batch, out_features, kernel_features;
  int64_t groups, batch_groups;
  int64_t in_dims[HD_MAX_RANK], kernel_dims[HD_MAX_RANK], out_dims[HD_MAX_RANK];
  hd_window window;
  bool reversal[HD_MAX_RANK];
} conv_shape;

/* Result positions in order; for each the window; for each position inside the input, its features by all outputs. */
#define CONVOLVE(name, T, PRODUCT)                                                                                    \
  static hd_status name(hd_eval_frame *frame, const conv_shape *s, const T *lhs, const T *rhs, T *out) {              \
    int64_t group_outputs = s->out_features / s->groups, batch_outputs = s->out_features / s->batch_groups;           \
    int64_t in_size = 1, window_size = 1;                                                                             \
    for (uint32_t d = 0; d < s->space; ++d) in_size *= s->in_dims[d], window_size *= s->kernel_dims[d];               \
    for (int64_t n = 0; n < s->out_batch; ++n) {                                                                      \
      int64_t position[HD_MAX_RANK] = {0};                                                                            \
      do {                                                                                                            \
        HD_TRY(hd_eval_poll(frame));                                                                                  \
        int64_t tap[HD_MAX_RANK] = {0};                                                                               \
        if (window_size) do {                                                                                         \
            int64_t at = 0, kernel_at = 0;                                                                            \
            bool inside = true;                                                                                       \
            for (uint32_t d = 0; d < s->space; ++d) {                                                                 \
              int64_t input = 0;                                                                                      \
              inside &= hd_window_input(&s->window, d, position[d], tap[d], s->in_dims[d], &input);                   \
              at = at * s->in_dims[d] + input;                                                                        \
              kernel_at = kernel_at * s->kernel_dims[d] + (s->reversal[d] ? s->kernel_dims[d] - 1 - tap[d] : tap[d]); \
            }                                                                                                         \
            for (int64_t b = 0; b < s->batch_groups; ++b) {                                                           \
              const T *pixel = lhs + ((n + b * s->out_batch) * in_size + (inside ? at : 0)) * s->features;            \
              for (int64_t g = 0; g < s->groups; ++g) {                                                               \
                /* either batch groups or feature groups: the other is 1 */                                           \
                int64_t first = s->batch_groups > 1 ? b * batch_outputs : g * group_outputs;                          \
                int64_t outputs = s->batch_groups > 1 ? batch_outputs : group_outputs;                                \
                for (int64_t f = 0; f < s->kernel_features; ++f) {                                                    \
                  T x = inside ? pixel[g * s->kernel_features + f]                                                    \
                               : 0; /* padding is zeros: they meet infinite weights */                                \
                  const T *line = rhs + (kernel_at * s->kernel_features + f) * s->out_features + first;               \
                  for (int64_t o = 0; o < outputs; ++o) out[first + o] += PRODUCT(x, line[o]);                        \
                }                                                                                                     \
              }                                                                                                       \
            }                                                                                                         \
          } while (hd_index_next(s->space, s->kernel_dims, tap));                                                     \
        out += s->out_features;                                                                                       \
      } while (hd_index_next(s->space, s->out_dims, position));                                                       \
    }                                                                                                                 \
    return HD_STATUS_OK;                                                                                              \
  }
CONVOLVE(convolve_f32, float, HD_PRODUCT)
CONVOLVE(convolve_f64, double, HD_PRODUCT)
CONVOLVE(convolve_int, uint64_t, HD_PRODUCT)
CONVOLVE(convolve_c64, float complex, hd_product_c64)
CONVOLVE(convolve_c128, double complex, hd_product_c128)

static hd_status convolve(hd_eval_frame *frame, hd_accumulator kind, const conv_shape *s, const void *lhs,
                          const void *rhs, void *out) {
  switch (kind) {
    case HD_ACCUMULATE_F32:
      return convolve_f32(frame, s, lhs, rhs, out);
    case HD_ACCUMULATE_F64:
      return convolve_f64(frame, s, lhs, rhs, out);
    case HD_ACCUMULATE_INT:
      return convolve_int(frame, s, lhs, rhs, out);
    case HD_ACCUMULATE_C64:
      return convolve_c64(frame, s, lhs, rhs, out);
    case HD_ACCUMULATE_C128:
      return convolve_c128(frame, s, lhs, rhs, out);
    default:
      return hd_make_status(HD_UNIMPLEMENTED, "no product of elements of this type");
  }
}

static hd_status convolution(hd_eval_frame *frame, hd_op *op, const hd_tensor *lhs, const hd_tensor *rhs,
                             const hd_eval_ints *padding, hd_tensor *out) {
  conv_numbers numbers;
  HD_TRY(read_numbers(frame, op, &numbers));
  uint32_t rank = hd_tensor_rank(lhs);
  if (rank < 2 || hd_tensor_rank(rhs) != rank)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected operands of one rank of 2 or more, got %u and %u", rank,
                          hd_tensor_rank(rhs));
  conv_shape s = {.space = rank - 2};
  s.groups = hd_convolution_like_feature_group_count(op);
  s.batch_groups = hd_convolution_like_batch_group_count(op);
  int64_t lhs_order[HD_MAX_RANK], rhs_order[HD_MAX_RANK], out_order[HD_MAX_RANK];
  HD_TRY(
      permutation_of(numbers.input_batch, &numbers.input_space, numbers.input_feature, rank, "input dims", lhs_order));
  /* the kernel has its spatial dims first */
  HD_TRY(permutation_of(numbers.kernel_input, &numbers.kernel_space, numbers.kernel_output, rank, "kernel dims",
                        rhs_order));
  memmove(rhs_order, rhs_order + 1, s.space * sizeof *rhs_order);
  rhs_order[s.space] = numbers.kernel_input;
  HD_TRY(permutation_of(numbers.output_batch, &numbers.output_space, numbers.output_feature, rank, "output dims",
                        out_order));

  s.batch = hd_tensor_dims(lhs)[numbers.input_batch];
  s.features = hd_tensor_dims(lhs)[numbers.input_feature];
  s.kernel_features = hd_tensor_dims(rhs)[numbers.kernel_input];
  s.out_features = hd_tensor_dims(rhs)[numbers.kernel_output];
  if (s.groups < 1 || s.batch_groups < 1 || (s.groups > 1 && s.batch_groups > 1))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected group counts of 1 or more, and one of them to be 1");
  if (s.features % s.groups || s.features / s.groups != s.kernel_features)
    return hd_make_status(HD_INVALID_ARGUMENT, "features differ: input has %lld in %lld groups, kernel has %lld",
                          (long long)s.features, (long long)s.groups, (long long)s.kernel_features);
  if (s.out_features % s.groups || s.out_features % s.batch_groups || s.batch % s.batch_groups)
    return hd_make_status(HD_INVALID_ARGUMENT, "group counts do not divide the batch or the output features");
  s.out_batch = s.batch / s.batch_groups;

  hd_attr reversal = hd_convolution_like_window_reversal(op);
  if (reversal && hd_attr_count(reversal) != s.space)
    return hd_make_status(HD_INVALID_ARGUMENT, "window_reversal: expected %u entries", s.space);
  int64_t window_sizes[HD_MAX_RANK];
  for (uint32_t d = 0; d < s.space; ++d) {
    s.in_dims[d] = hd_tensor_dims(lhs)[numbers.input_space.data[d]];
    window_sizes[d] = s.kernel_dims[d] = hd_tensor_dims(rhs)[numbers.kernel_space.data[d]];
    s.reversal[d] = reversal && hd_attr_int_at(reversal, d) != 0;
  }
  HD_TRY(hd_window_read(frame, op,
                        &(hd_window_names){HD_NAME_window_strides, HD_NAME_lhs_dilation, HD_NAME_rhs_dilation}, s.space,
                        window_sizes, padding, &s.window));
  HD_TRY(hd_window_output(&s.window, s.in_dims, s.out_dims));

  int64_t dims[HD_MAX_RANK], canonical[HD_MAX_RANK], back[HD_MAX_RANK];
  canonical[0] = s.out_batch;
  memcpy(canonical + 1, s.out_dims, s.space * sizeof *canonical);
  canonical[rank - 1] = s.out_features;
  for (uint32_t i = 0; i < rank; ++i) {
    dims[out_order[i]] = canonical[i];
    back[out_order[i]] = i;
  }
  int64_t count;
  if (!hd_dims_product(rank, dims, &count))
    return hd_make_status(HD_RESOURCE_EXHAUSTED, "the size of the result overflows");
  hd_type result = hd_result_type(op, 0);
  if (!hd_type_is_tensor(result)) return hd_make_status(HD_INVALID_ARGUMENT, "expected a tensor result");
  hd_type element = result->shaped.element;
  if (element->kind == HD_TYPE_QUANT && hd_frame_is_expressing(frame)) element = element->quant.expressed;
  if (!count) return hd_eval_result(frame, op, 0, rank, dims, out);
  hd_accumulator kind = hd_accumulator_of_product(lhs, rhs, element);
  hd_tensor a = {0}, b = {0}, c = {0};
  void *wide_a, *wide_b, *wide_c;
  hd_status status = hd_eval_transposed(frame, lhs, lhs_order, &a);
  if (hd_is_ok(status)) status = hd_eval_transposed(frame, rhs, rhs_order, &b);
  if (hd_is_ok(status)) status = hd_eval_widened(frame, &a, kind, &wide_a);
  if (hd_is_ok(status)) status = hd_eval_widened(frame, &b, kind, &wide_b);
  if (hd_is_ok(status)) status = hd_eval_temp(frame, (size_t)count, hd_accumulator_bytes(kind), &wide_c);
  if (hd_is_ok(status)) status = convolve(frame, kind, &s, wide_a, wide_b, wide_c);
  if (hd_is_ok(status)) status = hd_eval_tensor(frame, element, rank, canonical, &c);
  if (hd_is_ok(status)) {
    hd_narrow(kind, wide_c, element, hd_tensor_data(&c), (size_t)count);
    status = hd_eval_transposed(frame, &c, back, out);
  }
  hd_tensor_release(&a);
  hd_tensor_release(&b);
  hd_tensor_release(&c);
  return status;
}

HD_EVAL_HOOK(convolution) {
  hd_eval_ints padding;
  HD_TRY(hd_eval_ints_attr(frame, op, HD_NAME_padding, &padding));
  return convolution(frame, op, &in[0], &in[1], &padding, out);
}

HD_EVAL_HOOK(dynamic_conv) {
  hd_tensor flat;
  int64_t count = (int64_t)hd_tensor_count(&in[2]);
  HD_TRY(hd_eval_reshaped(frame, &in[2], hd_tensor_element(&in[2]), 1, &count, &flat));
  hd_eval_ints padding;
  hd_status status = hd_eval_operand_ints(frame, &flat, "padding", &padding);
  hd_tensor_release(&flat);
  HD_TRY(status);
  return convolution(frame, op, &in[0], &in[1], &padding, out);
}
