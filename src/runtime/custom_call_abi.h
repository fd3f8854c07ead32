/* SPDX-License-Identifier: Apache-2.0 */
/* The words of ral_custom_call: its descriptor; the name of the target and the attributes (heddle/runtime.h), eight
 * bytes a word, the last word of each filled with zeros; then every input and output, each with its dims after it. */
#ifndef HD_RUNTIME_CUSTOM_CALL_ABI_H_
#define HD_RUNTIME_CUSTOM_CALL_ABI_H_

#include "runtime/words_abi.h"

typedef struct hd_custom_call_descriptor {
  int64_t inputs, outputs;
  int64_t name_bytes, attribute_bytes;
} hd_custom_call_descriptor;
HD_ABI_LAYOUT(hd_custom_call_descriptor, 4, attribute_bytes);

typedef struct hd_custom_call_tensor {
  int64_t address;
  int64_t type; /* hd_element_type */
  int64_t rank; /* as many dims follow */
} hd_custom_call_tensor;
HD_ABI_LAYOUT(hd_custom_call_tensor, 3, rank);

#endif
