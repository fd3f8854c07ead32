/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/address_space.h"

#include "ir/attributes.h"

/* The space of gpu's names that |attr| means, a number of LLVM's spaces and SPIR-V's storage classes too; -1: none. */
static int64_t space_of(hd_attr attr) {
  if (hd_attr_is(attr, HD_ATTR_INTEGER))
    return attr->integer == 1   ? HD_GPU_ADDRESS_SPACE_GLOBAL
           : attr->integer == 3 ? HD_GPU_ADDRESS_SPACE_WORKGROUP
           : attr->integer == 5 ? HD_GPU_ADDRESS_SPACE_PRIVATE
                                : -1;
  if (!hd_attr_is(attr, HD_ATTR_ENUM)) return -1;
  if (attr->enumerant.row == HD_ENUM_gpu_address_space) return attr->enumerant.value;
  if (attr->enumerant.row != HD_ENUM_spirv_storage_class) return -1;
  switch (attr->enumerant.value) {
    case HD_SPIRV_STORAGE_CLASS_CROSSWORKGROUP:
      return HD_GPU_ADDRESS_SPACE_GLOBAL;
    case HD_SPIRV_STORAGE_CLASS_WORKGROUP:
      return HD_GPU_ADDRESS_SPACE_WORKGROUP;
    case HD_SPIRV_STORAGE_CLASS_FUNCTION:
    case HD_SPIRV_STORAGE_CLASS_PRIVATE:
      return HD_GPU_ADDRESS_SPACE_PRIVATE;
    default:
      return -1;
  }
}

bool hd_is_in_address_space(hd_type type, hd_enum_gpu_address_space space) {
  return hd_type_is(type, HD_TYPE_MEMREF) && space_of(type->shaped.space) == (int64_t)space;
}
