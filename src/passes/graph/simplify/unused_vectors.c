/* SPDX-License-Identifier: Apache-2.0 */
/* unused-vectors: routines of LAPACK that compute vectors too compute values alone where nobody reads the vectors,
 * which takes a fraction of the time. JAX's eigvalsh asks for both.
 *
 *   %v, %w, %i = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, ..}}   'V'
 *   ->                                                        {mhlo.backend_config = {mode = 78 : ui8, ..}}   'N'
 *
 * where %v has no use. Results keep their types, which are the same without vectors
 * (lapack_rows.def); so singular vectors, whose shapes the letter says, are left to the program, and letters that are
 * none, to the runtime's check. */
#include <string.h>

#include "ir/ops/discardable.h"
#include "ir/ops/stablehlo.h"
#include "pass/pass.h"
#include "passes/passes.h"

/* A routine of real or complex elements, the attribute that asks for vectors, and the results that are those. */
typedef struct row {
  const char *letters, *routine, *attribute;
  uint32_t first, last;
} row;

static const row rows[] = {{"sd", "syevd", "mode", 0, 0},         {"cz", "heevd", "mode", 0, 0},
                           {"sdcz", "gees", "mode", 1, 1},        {"sd", "geev", "compute_left", 2, 2},
                           {"sd", "geev", "compute_right", 3, 3}, {"cz", "geev", "compute_left", 1, 1},
                           {"cz", "geev", "compute_right", 2, 2}};

static bool is_routine(hd_str target, const row *r) {
  static const char before[] = "lapack_", after[] = "_ffi";
  size_t prefix = sizeof before - 1, suffix = sizeof after - 1, name = strlen(r->routine);
  return target.len == prefix + 1 + name + suffix && !memcmp(target.data, before, prefix) && target.data[prefix] &&
         strchr(r->letters, target.data[prefix]) && !memcmp(target.data + prefix + 1, r->routine, name) &&
         !memcmp(target.data + prefix + 1 + name, after, suffix);
}

static bool are_unused(const hd_op *op, const row *r) {
  if (r->last >= op->result_count) return false;
  for (uint32_t i = r->first; i <= r->last; ++i)
    if (hd_value_has_uses(hd_result(op, i))) return false;
  return true;
}

/* |config| with 'N' for |attribute|; null where that is not 'V'. */
static hd_attr without_vectors(hd_pass *pass, hd_attr config, const char *attribute) {
  hd_attr letter = hd_dict_get_named(config, attribute);
  if (!hd_attr_is(letter, HD_ATTR_INTEGER) || hd_attr_int_or(letter, 'N') != 'V') return NULL;
  size_t count = config->dict.count;
  hd_named_attr *items = hd_new_array(&pass->arena, hd_named_attr, count);
  for (size_t i = 0; i < count; ++i) {
    items[i] = config->dict.items[i];
    if (items[i].value == letter && !strcmp(items[i].name->text, attribute))
      items[i].value = hd_attr_integer(letter->type, 'N');
  }
  return hd_attr_dict(pass->context, items, count);
}

static bool visit(hd_op *op, void *user) {
  hd_pass *pass = user;
  if (!hd_op_is(op, HD_OP_stablehlo_custom_call)) return true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (!is_routine(hd_stablehlo_custom_call_call_target_name(op), &rows[i]) || !are_unused(op, &rows[i])) continue;
    bool discardable = hd_discardable_mhlo_backend_config(op) != NULL;
    hd_attr config = discardable ? hd_discardable_mhlo_backend_config(op) : hd_stablehlo_custom_call_backend_config(op);
    hd_attr changed = hd_attr_is(config, HD_ATTR_DICT) ? without_vectors(pass, config, rows[i].attribute) : NULL;
    if (!changed) continue;
    if (discardable)
      hd_discardable_set_mhlo_backend_config(op, changed);
    else
      hd_stablehlo_custom_call_set_backend_config(op, changed);
    pass->changed = true;
  }
  return true;
}

bool hd_pass_unused_vectors(hd_pass *pass, hd_op *func) { return hd_walk_post(func, visit, pass); }
