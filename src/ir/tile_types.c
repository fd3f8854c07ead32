/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/tile_types.h"

#include <string.h>

/* The columns of the rows in ops/types.def. */
enum { POINTEE, ADDRESS_SPACE, POINTER_PARAMS };
enum { SHAPE, ELEMENT, LAYOUT_OF, SPACE, MUTABLE, ALLOCATED, MEMDESC_PARAMS };

hd_type hd_type_pointer(hd_type pointee, int64_t address_space) {
  hd_context *c = pointee->context;
  hd_attr params[POINTER_PARAMS] = {hd_attr_type(pointee),
                                    address_space == HD_GLOBAL_MEMORY ? NULL : hd_attr_i32(c, address_space)};
  return hd_type_dialect(c, HD_TYPE_ROW_tt_ptr, params, POINTER_PARAMS);
}

hd_type hd_type_pointee(hd_type type) {
  if (hd_type_is_pointer(type)) return type->dialect.params[POINTEE]->type_value;
  if (!hd_type_is(type, HD_TYPE_TENSOR) || !hd_type_is_pointer(type->shaped.element)) return NULL;
  return hd_type_with_element(type, hd_type_pointee(type->shaped.element));
}

hd_type hd_tensordesc_block(hd_type type) { return type->dialect.params[0]->type_value; }

static const int64_t *dims_of(hd_attr list, uint32_t *out_rank) {
  *out_rank = (uint32_t)list->dense.count;
  return (const int64_t *)(const void *)list->dense.data;
}

hd_memdesc hd_memdesc_of(hd_type type) {
  const hd_attr *params = type->dialect.params;
  hd_memdesc m = {.element = params[ELEMENT]->type_value,
                  .layout = params[LAYOUT_OF],
                  .space = params[SPACE],
                  .is_mutable = hd_attr_bool_or(params[MUTABLE], false)};
  m.dims = dims_of(params[SHAPE], &m.rank);
  m.allocated = params[ALLOCATED] ? dims_of(params[ALLOCATED], &m.allocated_rank) : m.dims;
  if (!params[ALLOCATED]) m.allocated_rank = m.rank;
  return m;
}

hd_type hd_type_memdesc(const hd_memdesc *m) {
  hd_context *c = m->element->context;
  bool whole =
      !m->allocated || (m->allocated_rank == m->rank && !memcmp(m->allocated, m->dims, m->rank * sizeof *m->dims));
  hd_attr params[MEMDESC_PARAMS] = {hd_attr_i64_array(c, m->dims, m->rank),
                                    hd_attr_type(m->element),
                                    m->layout,
                                    m->space,
                                    m->is_mutable ? hd_attr_bool(c, true) : NULL,
                                    whole ? NULL : hd_attr_i64_array(c, m->allocated, m->allocated_rank)};
  return hd_type_dialect(c, HD_TYPE_ROW_ttg_memdesc, params, MEMDESC_PARAMS);
}
