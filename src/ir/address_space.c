/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/address_space.h"

#include "ir/attributes.h"

bool hd_is_in_address_space(hd_type type, hd_enum_gpu_address_space space) {
  hd_attr attr = hd_type_is(type, HD_TYPE_MEMREF) ? type->shaped.space : NULL;
  return hd_attr_is(attr, HD_ATTR_ENUM) && attr->enumerant.row == HD_ENUM_gpu_address_space &&
         attr->enumerant.value == (int64_t)space;
}
