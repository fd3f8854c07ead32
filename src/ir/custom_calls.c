/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/custom_calls.h"

#include <stddef.h>

bool hd_custom_call_is_annotation(hd_str target) {
  static const char *const names[] = {"Sharding",
                                      "SPMDFullToShardShape",
                                      "SPMDShardToFullShape",
                                      "annotate_device_placement",
                                      "LayoutConstraint",
                                      "MoveToHost",
                                      "MoveToDevice",
                                      "xla.sdy.FuncResultSharding",
                                      "AssumeGatherIndicesInBound",
                                      "ProvenanceTracking"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (hd_str_is(target, names[i])) return true;
  return false;
}

bool hd_custom_call_is_compiled(hd_str target) {
  return hd_custom_call_is_annotation(target) || hd_str_is(target, "shape_assertion") ||
         hd_str_starts(target, "heddle.") || hd_str_starts(target, "check.");
}
