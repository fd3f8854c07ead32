/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/passes.h"

#include <string.h>

#include "passes/passes.h"

static const hd_pass_info rows[] = {
#define PASS(function, name, alias, level, options, doc) \
  {name, alias, HD_PASS_##level, hd_pass_##function, options, doc},
#include "passes/passes.def"
};

const hd_pass_table *hd_passes(void) {
  static const hd_pass_table table = {rows, sizeof rows / sizeof *rows};
  return &table;
}

const char *hd_pipeline_of(const char *target) {
#define PIPELINE(name, text) \
  if (!strcmp(target, name)) return text;
#include "driver/pipelines.def"
  return NULL;
}
