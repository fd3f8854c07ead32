/* SPDX-License-Identifier: Apache-2.0 */
/* The table of passes, a row for each one of passes.def: what pipelines and the command line find passes in. */
#include "passes/analyses.h"
#include "passes/passes.h"

/* The words of the columns |need| and |preserves|. */
enum {
  NEEDED = false,
  FASTER = true,
  NOTHING = HD_PRESERVES_NOTHING,
#define ANALYSIS(bit, ...) bit = HD_PRESERVES_##bit,
#include "passes/analyses.def"
};

static const hd_pass_info rows[] = {
#define PASS(function, name, aliases, level, takes, need, preserves, options, doc) \
  {name, aliases, HD_PASS_##level, HD_PASS_##takes, need, preserves, hd_pass_##function, options, doc},
#include "passes/passes.def"
};

const hd_pass_table *hd_passes(void) {
  static const hd_pass_table table = {rows, sizeof rows / sizeof *rows};
  return &table;
}
