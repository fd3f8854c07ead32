/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of dims: the stack code by which an artifact computes sizes and conditions from symbols and the inputs' dims
 * (artifact.h). hd_dim_check says whether a program is well-formed; hd_dim_evaluate runs well-formed ones alone. */
#include "base/status.h"
#include "runtime/artifact.h"

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/* One binary op; false on overflow or division by zero. */
static bool binary(int64_t op, int64_t a, int64_t b, int64_t *out) {
  switch (op) {
    case HD_DIM_ADD:
      return !__builtin_add_overflow(a, b, out);
    case HD_DIM_SUB:
      return !__builtin_sub_overflow(a, b, out);
    case HD_DIM_MUL:
      return !__builtin_mul_overflow(a, b, out);
    case HD_DIM_FLOORDIV:
    case HD_DIM_CEILDIV:
    case HD_DIM_MOD:
      if (!b || (a == INT64_MIN && b == -1)) return false;
      *out = floor_div(a, b);
      if (op == HD_DIM_MOD) *out = a - *out * b;
      if (op == HD_DIM_CEILDIV && a % b != 0) ++*out;
      return true;
    case HD_DIM_MIN:
      *out = a < b ? a : b;
      return true;
    case HD_DIM_MAX:
      *out = a > b ? a : b;
      return true;
    case HD_DIM_EQ:
      *out = a == b;
      return true;
    case HD_DIM_NE:
      *out = a != b;
      return true;
    case HD_DIM_LT:
      *out = a < b;
      return true;
    case HD_DIM_LE:
      *out = a <= b;
      return true;
    case HD_DIM_AND:
      *out = a && b;
      return true;
    case HD_DIM_OR:
      *out = a || b;
      return true;
  }
  return false;
}

hd_status hd_dim_evaluate(const hd_dim_program *program, const int64_t *symbols, const int64_t *const *input_dims,
                          int64_t *out_value) {
  int64_t stack[HD_DIM_STACK];
  int depth = 0;
  *out_value = 0;
  for (uint32_t at = 0; at < program->len;) {
    const int64_t *word = &program->words[at];
    switch (*word) {
      case HD_DIM_CONST:
        stack[depth++] = word[1];
        at += 2;
        break;
      case HD_DIM_SYMBOL:
        stack[depth++] = symbols[word[1]];
        at += 2;
        break;
      case HD_DIM_INPUT:
        stack[depth++] = input_dims[word[1]][word[2]];
        at += 3;
        break;
      case HD_DIM_NOT:
        stack[depth - 1] = !stack[depth - 1];
        at += 1;
        break;
      case HD_DIM_WRAP32:
        stack[depth - 1] = (int32_t)(uint32_t)stack[depth - 1];
        at += 1;
        break;
      case HD_DIM_SELECT:
        depth -= 2;
        stack[depth - 1] = stack[depth - 1] ? stack[depth] : stack[depth + 1];
        at += 1;
        break;
      default:
        --depth;
        if (!binary(*word, stack[depth - 1], stack[depth], &stack[depth - 1]))
          return hd_make_status(HD_INVALID_ARGUMENT, "a dim overflows 64 bits or divides by zero");
        at += 1;
    }
  }
  *out_value = stack[0];
  return HD_STATUS_OK;
}

hd_status hd_dim_check(const hd_dim_program *program, uint32_t symbol_count, const hd_artifact_tensor *inputs,
                       uint32_t input_count) {
  int depth = 0;
  for (uint32_t at = 0; at < program->len;) {
    const int64_t *word = &program->words[at];
    int immediates = 0, takes = 0, leaves = 0;
    switch (*word) {
#define X(id, number, immediate_words, taken, left) \
  case number:                                      \
    immediates = immediate_words;                   \
    takes = taken;                                  \
    leaves = left;                                  \
    break;
      HD_DIM_OPS(X)
#undef X
      default:
        return hd_make_status(HD_DATA_LOSS, "dim program: unknown op %lld at word %u", (long long)*word, at);
    }
    if (program->len - at <= (uint32_t)immediates)
      return hd_make_status(HD_DATA_LOSS, "dim program: cut short at word %u", at);
    if (*word == HD_DIM_SYMBOL && (uint64_t)word[1] >= symbol_count)
      return hd_make_status(HD_DATA_LOSS, "dim program: symbol %lld, expected below %u", (long long)word[1],
                            symbol_count);
    if (*word == HD_DIM_INPUT && ((uint64_t)word[1] >= input_count || (uint64_t)word[2] >= inputs[word[1]].rank))
      return hd_make_status(HD_DATA_LOSS, "dim program: no dim %lld of input %lld", (long long)word[2],
                            (long long)word[1]);
    if (depth < takes) return hd_make_status(HD_DATA_LOSS, "dim program: too few values at word %u", at);
    depth += leaves - takes;
    if (depth > HD_DIM_STACK) return hd_make_status(HD_DATA_LOSS, "dim program: more than %d values", HD_DIM_STACK);
    at += 1 + (uint32_t)immediates;
  }
  if (program->len && depth != 1)
    return hd_make_status(HD_DATA_LOSS, "dim program: leaves %d values, expected 1", depth);
  return HD_STATUS_OK;
}
