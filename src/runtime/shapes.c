/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes before a run: values of symbols from the inputs' dims, checks that name argument, dim and constraint, and dims
 * of outputs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/objects.h"

char *hd_format_message(const char *message, const int64_t *values, int64_t count) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  for (const char *p = message; *p;) {
    char *end;
    if (*p == '{' && p[1] >= '0' && p[1] <= '9') {
      long long k = strtoll(p + 1, &end, 10);
      if (*end == '}' && k < count) {
        fprintf(out, "%" PRId64, values[k]);
        p = end + 1;
        continue;
      }
    }
    fputc(*p++, out);
  }
  return fclose(out) ? NULL : text;
}

/* Is |program| just one symbol? Gives which. */
static bool is_symbol(const hd_dim_program *program, int64_t *out_symbol) {
  *out_symbol = program->len == 2 && program->words[0] == HD_DIM_SYMBOL ? program->words[1] : -1;
  return *out_symbol >= 0;
}

/* "argument 1: dim 0 is 5, but b is 4 by argument 0", "..., but 2*n+1 is 9 (n is 4 by argument 0)", "..., expected 768"
 */
static hd_status mismatch(const hd_artifact_entry *entry, uint32_t argument, uint32_t d, int64_t got, int64_t want,
                          const int64_t *symbols) {
  const hd_artifact_dim *dim = &entry->inputs[argument].dims[d];
  int64_t symbol;
  bool constant = true;
  char reasons[512] = "";
  for (uint32_t at = 0; at < dim->program.len; at += dim->program.words[at] <= HD_DIM_SYMBOL ? 2 : 1) {
    if (dim->program.words[at] != HD_DIM_SYMBOL) continue;
    constant = false;
    const hd_artifact_symbol *s = &entry->symbols[dim->program.words[at + 1]];
    size_t used = strlen(reasons);
    snprintf(reasons + used, sizeof reasons - used, "%s%s is %" PRId64 " by argument %d", used ? ", " : "", s->name,
             symbols[dim->program.words[at + 1]], s->argument);
  }
  if (constant)
    return hd_make_status(HD_INVALID_ARGUMENT, "argument %u: dim %u is %" PRId64 ", expected %" PRId64, argument, d,
                          got, want);
  if (is_symbol(&dim->program, &symbol))
    return hd_make_status(HD_INVALID_ARGUMENT, "argument %u: dim %u is %" PRId64 ", but %s", argument, d, got, reasons);
  return hd_make_status(HD_INVALID_ARGUMENT, "argument %u: dim %u is %" PRId64 ", but %s is %" PRId64 " (%s)", argument,
                        d, got, dim->text, want, reasons);
}

static hd_status check_dims(const hd_artifact_entry *entry, const int64_t *const *input_dims, const int64_t *symbols) {
  for (uint32_t i = 0; i < entry->input_count; ++i)
    for (uint32_t d = 0; d < entry->inputs[i].rank; ++d) {
      const hd_dim_program *program = &entry->inputs[i].dims[d].program;
      int64_t want;
      if (program->len == 2)
        want = program->words[0] == HD_DIM_CONST ? program->words[1] : symbols[program->words[1]];
      else
        HD_TRY_MSG(hd_dim_evaluate(program, symbols, NULL, &want), "argument %u: dim %u", i, d);
      if (input_dims[i][d] != want) return mismatch(entry, i, d, input_dims[i][d], want, symbols);
    }
  return HD_STATUS_OK;
}

/* Does |program| look at dims of inputs themselves? */
static bool reads_inputs(const hd_dim_program *program) {
  for (uint32_t at = 0; at < program->len; at += hd_dim_op_words(program->words[at]))
    if (program->words[at] == HD_DIM_INPUT) return true;
  return false;
}

static hd_status check_constraint(const hd_artifact_constraint *constraint, const int64_t *symbols,
                                  const int64_t *const *input_dims) {
  int64_t holds;
  hd_status evaluated = hd_dim_evaluate(&constraint->condition, symbols, input_dims, &holds);
  if (hd_is_ok(evaluated) && holds) return HD_STATUS_OK;
  hd_status_ignore(evaluated); /* beyond 64 bits nothing holds */
  int64_t *values = calloc(constraint->value_count + 1, sizeof *values);
  hd_status status = values ? HD_STATUS_OK : hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  for (uint32_t i = 0; hd_is_ok(status) && i < constraint->value_count; ++i)
    if (!hd_is_ok(status = hd_dim_evaluate(&constraint->values[i], symbols, input_dims, &values[i])))
      status = hd_status_annotate(status, "%s", constraint->message);
  if (hd_is_ok(status)) {
    char *text = hd_format_message(constraint->message, values, constraint->value_count);
    status = hd_make_status(HD_INVALID_ARGUMENT, "%s", text ? text : constraint->message);
    free(text);
  }
  free(values);
  return status;
}

hd_status hd_check_shapes(const hd_artifact_entry *entry, const int64_t *const *input_dims, int64_t *out_values) {
  for (uint32_t i = 0; i < entry->input_count; ++i)
    for (uint32_t d = 0; d < entry->inputs[i].rank; ++d)
      if (input_dims[i][d] < 0)
        return hd_make_status(HD_INVALID_ARGUMENT, "argument %u: dim %u is %" PRId64 ", expected at least 0", i, d,
                              input_dims[i][d]);
  for (uint32_t i = 0; i < entry->symbol_count; ++i) {
    const hd_artifact_symbol *s = &entry->symbols[i];
    HD_TRY_MSG(hd_dim_evaluate(&s->definition, out_values, input_dims, &out_values[i]), "argument %d: dim %d",
               s->argument, s->dim);
  }
  /* What the program says about its arguments' dims itself comes before what follows from it. */
  for (int early = 1; early >= 0; --early) {
    if (!early) HD_TRY(check_dims(entry, input_dims, out_values));
    for (uint32_t i = 0; i < entry->constraint_count; ++i)
      if (reads_inputs(&entry->constraints[i].condition) == early)
        HD_TRY(check_constraint(&entry->constraints[i], out_values, input_dims));
  }
  return HD_STATUS_OK;
}

/* Does |program| have a value when unknown symbols have none? */
static bool is_known(const hd_dim_program *program, const int64_t *values) {
  for (uint32_t at = 0; at < program->len; at += program->words[at] <= HD_DIM_SYMBOL ? 2 : 1)
    if (program->words[at] == HD_DIM_SYMBOL && values[program->words[at + 1]] == HD_DIM_UNKNOWN) return false;
  return program->len > 0;
}

hd_status hd_signature_dims(const hd_artifact_entry *entry, const hd_artifact_tensor *tensor, const int64_t *values,
                            int64_t *out_dims) {
  (void)entry;
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    out_dims[d] = HD_DIM_UNKNOWN;
    if (is_known(&tensor->dims[d].program, values))
      HD_TRY_MSG(hd_dim_evaluate(&tensor->dims[d].program, values, NULL, &out_dims[d]), "dim %u", d);
  }
  return HD_STATUS_OK;
}

/* ---- the public questions -------------------------------------------------------------------------------------- */

hd_status hd_executable_input_dims(const hd_executable *executable, int32_t i, const int64_t *values,
                                   int64_t *out_dims) {
  HD_REQUIRE(executable);
  const hd_artifact_entry *entry = executable->entry;
  if (i < 0 || (uint32_t)i >= entry->input_count)
    return hd_make_status(HD_OUT_OF_RANGE, "argument %d, expected below %u", i, entry->input_count);
  if (entry->symbol_count) HD_REQUIRE(values);
  if (entry->inputs[i].rank) HD_REQUIRE(out_dims);
  HD_TRY_MSG(hd_signature_dims(entry, &entry->inputs[i], values, out_dims), "argument %d", i);
  return HD_STATUS_OK;
}

static hd_status require_dims(const hd_artifact_tensor *tensors, uint32_t count, const int64_t *const *dims,
                              const char *what) {
  for (uint32_t i = 0; i < count; ++i)
    if (!dims || (tensors[i].rank && !dims[i]))
      return hd_make_status(HD_INVALID_ARGUMENT, "the dims of %s %u are null", what, i);
  return HD_STATUS_OK;
}

hd_status hd_executable_symbol_values(const hd_executable *executable, const int64_t *const *input_dims,
                                      int64_t *out_values) {
  HD_REQUIRE(executable);
  HD_TRY(require_dims(executable->entry->inputs, executable->entry->input_count, input_dims, "argument"));
  if (executable->entry->symbol_count) HD_REQUIRE(out_values);
  return hd_check_shapes(executable->entry, input_dims, out_values);
}

hd_status hd_executable_output_shapes(const hd_executable *executable, const int64_t *const *input_dims,
                                      int64_t *const *out_dims) {
  HD_REQUIRE(executable);
  const hd_artifact_entry *entry = executable->entry;
  HD_TRY(require_dims(entry->inputs, entry->input_count, input_dims, "argument"));
  HD_TRY(require_dims(entry->outputs, entry->output_count, (const int64_t *const *)out_dims, "output"));
  int64_t *values = calloc(entry->symbol_count + 1, sizeof *values);
  if (!values) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_status status = hd_check_shapes(entry, input_dims, values);
  for (uint32_t i = 0; hd_is_ok(status) && i < entry->output_count; ++i)
    status = hd_signature_dims(entry, &entry->outputs[i], values, out_dims[i]);
  free(values);
  return status;
}
