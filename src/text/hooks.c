/* SPDX-License-Identifier: Apache-2.0 */
#include "text/hooks.h"

static const hd_text_hook hooks[] = {
#define HOOK(name) {#name, hd_parse_hook_##name, hd_print_hook_##name, NULL, NULL},
#define PARAM_HOOK(name) {#name, NULL, NULL, hd_parse_params_##name, hd_print_params_##name},
#include "text/hooks.def"
};

const hd_text_hook *hd_text_hook_find(hd_str name, bool params) {
  for (size_t i = 0; i < sizeof hooks / sizeof *hooks; ++i)
    if (hd_str_is(name, hooks[i].name) && (hooks[i].parse == NULL) == params) return &hooks[i];
  return NULL;
}
