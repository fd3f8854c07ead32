/* SPDX-License-Identifier: Apache-2.0 */
/* A mesh is a box of devices. Its axes, divided where a group takes a part of one, are numbered from slow to fast; the
 * groups' axes move after the others, and what then is side by side is a group. */
#include "ir/replica_groups.h"

#include "base/vec.h"
#include "ir/attributes.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/sdy.h"

enum { MOST_AXES = 64, MOST_DEVICES = 1 << 20 };

typedef struct axis {
  hd_str name;
  int64_t before, size; /* of the whole axis: |before| is the product of the parts to the left */
  int64_t stride;
  bool taken;
} axis;

typedef struct axes {
  axis items[MOST_AXES];
  size_t count;
} axes;

static hd_str text_of(hd_attr attr) {
  return hd_attr_is(attr, HD_ATTR_STRING) ? hd_ident_str(attr->string) : (hd_str){0};
}

static int64_t int_of(hd_attr attr) { return hd_attr_is(attr, HD_ATTR_INTEGER) ? attr->integer : 0; }

static bool add(axes *to, hd_str name, int64_t before, int64_t size) {
  if (to->count == MOST_AXES || size < 1 || size > MOST_DEVICES) return false;
  to->items[to->count++] = (axis){.name = name, .before = before, .size = size};
  return true;
}

/* Divides the part of axis |name| that |at| devices from the left is in, so that a part starts there. */
static bool split(axes *a, hd_str name, int64_t at) {
  for (size_t i = 0; i < a->count; ++i) {
    axis *part = &a->items[i];
    if (!hd_str_equal(part->name, name) || at <= part->before || at >= part->before * part->size) continue;
    int64_t left = at / part->before;
    if (at % part->before || part->size % left || a->count == MOST_AXES) return false;
    for (size_t k = a->count++; k > i + 1; --k) a->items[k] = a->items[k - 1];
    a->items[i + 1] = (axis){.name = name, .before = at, .size = part->size / left};
    part->size = left;
    return true;
  }
  return true;
}

static hd_attr mesh_of(hd_op *op, hd_attr mesh) {
  if (!hd_attr_is(mesh, HD_ATTR_SYMBOL)) return mesh;
  hd_op *holder = hd_symbol_resolve(op, mesh);
  hd_attr held = hd_op_is(holder, HD_OP_sdy_mesh) ? hd_sdy_mesh_mesh(holder) : NULL;
  return held || !holder ? held : hd_discardable_stablehlo_mesh(holder);
}

/* The parts that the reference |ref| takes, in |order| from |*count| on. */
static bool take(axes *a, hd_attr ref, size_t *order, size_t *count) {
  hd_str name = text_of(hd_struct_get(ref, HD_NAME_name));
  hd_attr info = hd_struct_get(ref, HD_NAME_sub_axis_info);
  int64_t from = info ? int_of(hd_struct_get(info, HD_NAME_pre_size)) : 1, to = 0;
  for (size_t i = 0; i < a->count; ++i)
    if (hd_str_equal(a->items[i].name, name)) to = a->items[i].before * a->items[i].size;
  if (info) to = from * int_of(hd_struct_get(info, HD_NAME_size));
  for (size_t i = 0; i < a->count; ++i) {
    axis *part = &a->items[i];
    if (!hd_str_equal(part->name, name) || part->before < from || part->before >= to) continue;
    if (part->taken || part->before * part->size > to) return false;
    part->taken = true;
    order[(*count)++] = i;
  }
  return to > 0;
}

hd_attr hd_replica_groups(hd_op *op) {
  hd_attr groups = hd_with_replica_groups_replica_groups_if_any(op);
  if (!groups) return NULL;
  if (hd_attr_is(groups, HD_ATTR_DENSE))
    return hd_type_has_rank(groups->type) && groups->type->shaped.rank == 2 ? groups : NULL;
  hd_attr mesh = mesh_of(op, hd_struct_get(groups, HD_NAME_mesh)), refs = hd_struct_get(groups, HD_NAME_axes);
  hd_attr declared = mesh ? hd_struct_get(mesh, HD_NAME_axes) : NULL,
          ids = mesh ? hd_struct_get(mesh, HD_NAME_device_ids) : NULL;
  if (!hd_attr_is(declared, HD_ATTR_ARRAY) || !hd_attr_is(refs, HD_ATTR_ARRAY)) return NULL;
  axes a = {0};
  for (size_t i = 0; i < declared->array.count; ++i)
    if (!add(&a, text_of(hd_struct_get(declared->array.items[i], HD_NAME_name)), 1,
             int_of(hd_struct_get(declared->array.items[i], HD_NAME_size))))
      return NULL;
  for (size_t i = 0; i < refs->array.count; ++i) {
    hd_attr info = hd_struct_get(refs->array.items[i], HD_NAME_sub_axis_info);
    if (!info) continue;
    hd_str name = text_of(hd_struct_get(refs->array.items[i], HD_NAME_name));
    int64_t from = int_of(hd_struct_get(info, HD_NAME_pre_size)), size = int_of(hd_struct_get(info, HD_NAME_size));
    if (from < 1 || size < 1 || from > MOST_DEVICES || size > MOST_DEVICES || !split(&a, name, from) ||
        !split(&a, name, from * size))
      return NULL;
  }
  int64_t devices = 1, columns = 1;
  for (size_t i = a.count; i-- > 0;) {
    a.items[i].stride = devices;
    devices *= a.items[i].size;
    if (devices > MOST_DEVICES) return NULL;
  }
  size_t inner[MOST_AXES], inner_count = 0, order[MOST_AXES], order_count = 0;
  for (size_t i = 0; i < refs->array.count; ++i)
    if (!take(&a, refs->array.items[i], inner, &inner_count)) return NULL;
  for (size_t i = 0; i < a.count; ++i)
    if (!a.items[i].taken) order[order_count++] = i;
  for (size_t i = 0; i < inner_count; ++i) {
    columns *= a.items[inner[i]].size;
    order[order_count++] = inner[i];
  }
  bool has_ids = ids && hd_attr_count(ids);
  if (has_ids && hd_attr_count(ids) != (size_t)devices) return NULL;
  int64_t *matrix = hd_new_array(&op->module->arena, int64_t, (size_t)devices);
  for (int64_t at = 0; at < devices; ++at) {
    int64_t rest = at, from = 0;
    for (size_t i = order_count; i-- > 0;) {
      from += rest % a.items[order[i]].size * a.items[order[i]].stride;
      rest /= a.items[order[i]].size;
    }
    matrix[at] = has_ids ? hd_attr_int_at(ids, (size_t)from) : from;
  }
  int64_t dims[] = {devices / columns, columns};
  hd_type type = hd_type_tensor(hd_i64(op->module->context), dims, 2, NULL);
  return hd_attr_dense(type, matrix, (size_t)devices * sizeof *matrix, false);
}
