/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: artifacts of one program. */
#ifndef HD_RUNTIME_ARTIFACT_TESTING_H_
#define HD_RUNTIME_ARTIFACT_TESTING_H_

#include "runtime/artifact.h"

/* hd_artifact_write of |program| alone, for the target that is called as its |driver| is. */
static inline hd_status hd_test_write(const hd_artifact_program *program, const char *driver, void **out_data,
                                      size_t *out_size) {
  hd_artifact_target target = {driver, driver, 0};
  hd_artifact artifact = {.producer = "test",
                          .module = "m",
                          .metadata = "",
                          .target_count = 1,
                          .targets = &target,
                          .program_count = 1,
                          .programs = program};
  return hd_artifact_write(&artifact, out_data, out_size);
}

#endif
