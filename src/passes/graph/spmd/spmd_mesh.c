/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes. A program may name several over the same devices, and parts of their axes; here all of them become one mesh,
 * whose axes are the coarsest parts of which each axis of each mesh, and each part that is named, is a product:
 *
 *   <["x"=8]>, <["a"=2, "b"=4]>                  ->   2 x 4:      x = both, a and b one each
 *   <["x"=8]> with "x":(2)2                      ->   2 x 2 x 2:  x = all, the part is the second
 *   <["x"=4]>, <["a"=2, "b"=2], device_ids=[0, 2, 1, 3]>
 *                                                ->   2 x 2:      a is the minor one, b the major one
 *
 * A place on this mesh is a place on the first one, so programs of one mesh without parts keep its axes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ir/ops/sdy.h"
#include "passes/graph/spmd/spmd.h"

/* ---- what a program names -------------------------------------------------------------------------------------- */

static int64_t devices_of(hd_attr mesh) {
  hd_attr axes = hd_attr_sdy_mesh_axes(mesh);
  int64_t devices = 1;
  for (uint32_t i = 0; i < axes->array.count; ++i)
    if (__builtin_mul_overflow(devices, hd_attr_sdy_mesh_axis_size(axes->array.items[i]), &devices) || devices < 1)
      return 0;
  return devices;
}

/* The place on |mesh| of each device. */
static bool places(hd_spmd *s, hd_op *op, hd_attr mesh, int64_t *out) {
  hd_attr ids = hd_attr_sdy_mesh_device_ids(mesh);
  for (int64_t d = 0; d < s->devices; ++d) out[d] = ids ? -1 : d;
  if (!ids) return true;
  if (hd_attr_count(ids) != (size_t)s->devices)
    return hd_op_error(op, "names %zu devices, expected %" PRId64, hd_attr_count(ids), s->devices);
  for (int64_t p = 0; p < s->devices; ++p) {
    int64_t d = hd_attr_int_at(ids, (size_t)p);
    if (d < 0 || d >= s->devices || out[d] >= 0)
      return hd_op_error(op, "expects each device from 0 to %" PRId64 " once in device_ids", s->devices - 1);
    out[d] = p;
  }
  return true;
}

hd_attr hd_sharding_mesh(hd_op *op, hd_attr sharding, hd_op **out_where) {
  hd_attr mesh = hd_attr_sdy_sharding_mesh(sharding);
  *out_where = op;
  if (mesh->kind != HD_ATTR_SYMBOL) return mesh;
  hd_op *named = hd_symbol_resolve(op, mesh);
  if (!hd_op_is(named, HD_OP_sdy_mesh)) return NULL;
  *out_where = named;
  return hd_sdy_mesh_mesh(named);
}

static hd_mesh *find_mesh(hd_spmd *s, hd_attr attr) {
  for (size_t i = 0; i < s->meshes.len; ++i)
    if (s->meshes.data[i]->attr == attr) return s->meshes.data[i];
  return NULL;
}

/* A mesh of one device divides nothing, however many devices run the program: what was made for one is called so. */
static bool add_mesh(hd_spmd *s, hd_op *op, hd_attr attr) {
  hd_attr axes = hd_attr_sdy_mesh_axes(attr);
  if (!axes->array.count || devices_of(attr) == 1 || find_mesh(s, attr)) return true;
  if (axes->array.count > HD_MESH_AXES)
    return hd_op_error(op, "expects at most %d axes, got %u", HD_MESH_AXES, axes->array.count);
  if (devices_of(attr) != s->devices)
    return hd_op_error(op, "has %" PRId64 " devices, and the program has %" PRId64 " partitions", devices_of(attr),
                       s->devices);
  hd_mesh *mesh = hd_new(s->arena, hd_mesh);
  mesh->attr = attr;
  mesh->where = op;
  mesh->places = hd_new_array(s->arena, int64_t, (size_t)s->devices);
  for (uint32_t i = 0; i < axes->array.count; ++i) {
    mesh->names[i] = hd_attr_sdy_mesh_axis_name(axes->array.items[i]);
    mesh->sizes[i] = hd_attr_sdy_mesh_axis_size(axes->array.items[i]);
  }
  mesh->axis_count = axes->array.count;
  hd_vec_push(s->arena, &s->meshes, mesh);
  return places(s, op, attr, mesh->places);
}

static void add_cut(hd_spmd *s, int64_t cut) {
  for (size_t i = 0; i < s->cuts.len; ++i)
    if (s->cuts.data[i] == cut) return;
  hd_vec_push(s->arena, &s->cuts, cut);
}

/* A part of an axis of |mesh| cuts the devices into as many as its outer parts give. */
static void add_parts(hd_spmd *s, const hd_mesh *mesh, hd_attr axes) {
  for (uint32_t i = 0; hd_attr_is(axes, HD_ATTR_ARRAY) && i < axes->array.count; ++i) {
    hd_attr axis = axes->array.items[i], before = hd_attr_sdy_axis_ref_pre_size_attr(axis),
            size = hd_attr_sdy_axis_ref_size_attr(axis);
    if (!before || !size) continue;
    hd_str name = hd_attr_sdy_axis_ref_name(axis);
    int64_t outer = 1, cut;
    for (uint32_t a = 0; a < mesh->axis_count && !hd_str_equal(mesh->names[a], name); ++a) outer *= mesh->sizes[a];
    if (!__builtin_mul_overflow(outer, before->integer, &outer)) add_cut(s, outer);
    if (!__builtin_mul_overflow(outer, size->integer, &cut)) add_cut(s, cut);
  }
}

/* All shardings in |attr|, whatever holds them. */
static bool see(hd_spmd *s, hd_op *op, hd_attr attr) {
  if (!attr) return true;
  bool good = true;
  if (attr->kind == HD_ATTR_ARRAY) {
    for (uint32_t i = 0; good && i < attr->array.count; ++i) good = see(s, op, attr->array.items[i]);
  } else if (attr->kind == HD_ATTR_DICT) {
    for (uint32_t i = 0; good && i < attr->dict.count; ++i) good = see(s, op, attr->dict.items[i].value);
  } else if (attr->kind == HD_ATTR_STRUCT && attr->structure.row == HD_STRUCT_sdy_sharding_per_value) {
    good = see(s, op, hd_attr_sdy_sharding_per_value_shardings(attr));
  } else if (attr->kind == HD_ATTR_STRUCT && attr->structure.row == HD_STRUCT_sdy_sharding) {
    hd_op *where;
    hd_attr mesh = hd_sharding_mesh(op, attr, &where);
    if (!mesh) return hd_op_error(op, "names no mesh in its sharding");
    if (!add_mesh(s, where, mesh)) return false;
    const hd_mesh *known = find_mesh(s, mesh);
    hd_attr dims = hd_attr_sdy_sharding_dims(attr);
    for (uint32_t d = 0; known && d < dims->array.count; ++d)
      add_parts(s, known, hd_attr_sdy_dimension_sharding_axes(dims->array.items[d]));
    if (known) add_parts(s, known, hd_attr_sdy_sharding_unreduced(attr));
  }
  return good;
}

typedef struct search {
  hd_spmd *s;
  bool good;
} search;

static bool see_op(hd_op *op, void *user) {
  search *found = user;
  hd_for_each_attr(attr, op) {
    if (!found->good) break;
    found->good = see(found->s, op, attr.value);
  }
  return found->good;
}

/* ---- one mesh -------------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static bool add_axis(hd_spmd *s, int64_t size) {
  if (s->axis_count == HD_MESH_AXES)
    return hd_op_error(s->meshes.data[0]->where, "and the others have more than %d axes together", HD_MESH_AXES);
  s->axis_sizes[s->axis_count++] = size;
  return true;
}

/* The axes between one cut and the next; cuts that do not divide one another are left to those who asked for them.
 * |fine|: down to prime numbers, of which any order of axes is made. */
static bool make_axes(hd_spmd *s, bool fine) {
  add_cut(s, s->devices);
  qsort(s->cuts.data, s->cuts.len, sizeof *s->cuts.data, compare);
  int64_t outer = 1;
  for (size_t i = 0; i < s->cuts.len; ++i) {
    int64_t cut = s->cuts.data[i];
    if (cut <= outer || cut % outer || s->devices % cut) continue;
    int64_t left = cut / outer;
    outer = cut;
    for (int64_t p = 2; fine && p * p <= left; ++p)
      for (; left % p == 0 && left > p; left /= p)
        if (!add_axis(s, p)) return false;
    if (left > 1 && !add_axis(s, left)) return false;
  }
  return true;
}

static int64_t stride_of(const hd_spmd *s, uint32_t axis) {
  int64_t stride = 1;
  for (uint32_t a = axis + 1; a < s->axis_count; ++a) stride *= s->axis_sizes[a];
  return stride;
}

/* Of which axes those of |mesh| are made. */
static bool map_axes(hd_spmd *s, hd_mesh *mesh) {
  static const char reason[] =
      "is laid out on the devices in another way than the first mesh, and both have no common parts, which is not "
      "supported";
  int64_t steps[HD_MESH_AXES];
  int64_t *devices = hd_new_array(s->arena, int64_t, (size_t)s->devices);
  for (int64_t d = 0; d < s->devices; ++d) devices[s->position[d]] = d;
  for (uint32_t a = 0; a < s->axis_count; ++a) steps[a] = mesh->places[devices[stride_of(s, a)]];
  for (int64_t d = 0; d < s->devices; ++d) {
    int64_t place = 0;
    for (uint32_t a = 0; a < s->axis_count; ++a)
      place += steps[a] * (s->position[d] / stride_of(s, a) % s->axis_sizes[a]);
    if (place != mesh->places[d]) return hd_op_error(mesh->where, "%s", reason);
  }
  int64_t stride = 1;
  for (uint32_t i = mesh->axis_count; i-- > 0;) {
    hd_split split = {0};
    int64_t left = mesh->sizes[i];
    while (left > 1) { /* from minor to major */
      uint8_t a = 0;
      while (a < s->axis_count && steps[a] != stride) ++a;
      if (a == s->axis_count || left % s->axis_sizes[a]) return hd_op_error(mesh->where, "%s", reason);
      memmove(split.axes + 1, split.axes, split.count++);
      split.axes[0] = a;
      left /= s->axis_sizes[a];
      stride *= s->axis_sizes[a];
    }
    mesh->axes[i] = split;
  }
  return true;
}

bool hd_mesh_read(hd_spmd *s, hd_op *func) {
  search found = {s, true};
  hd_walk_pre(func, see_op, &found);
  if (!found.good || !s->meshes.len) return found.good;
  hd_mesh *first = s->meshes.data[0];
  s->position = first->places;
  bool fine = false;
  for (size_t m = 0; m < s->meshes.len; ++m) {
    const hd_mesh *mesh = s->meshes.data[m];
    fine |= memcmp(mesh->places, first->places, (size_t)s->devices * sizeof *mesh->places) != 0;
    int64_t outer = 1;
    for (uint32_t a = 0; a < mesh->axis_count; ++a) add_cut(s, outer *= mesh->sizes[a]);
  }
  if (!make_axes(s, fine)) return false;
  for (size_t m = 0; m < s->meshes.len; ++m)
    if (!map_axes(s, s->meshes.data[m])) return false;
  return true;
}

/* ---- names ----------------------------------------------------------------------------------------------------- */

static bool is_axis_of_one(hd_attr mesh, hd_str name) {
  hd_attr axes = mesh && devices_of(mesh) == 1 ? hd_attr_sdy_mesh_axes(mesh) : NULL;
  for (uint32_t a = 0; axes && a < axes->array.count; ++a)
    if (hd_str_equal(hd_attr_sdy_mesh_axis_name(axes->array.items[a]), name)) return true;
  return false;
}

bool hd_mesh_find_axis(const hd_spmd *s, hd_attr mesh, hd_str name, hd_split *out) {
  *out = (hd_split){0};
  if (is_axis_of_one(mesh, name)) return true;
  for (size_t m = 0; m < s->meshes.len; ++m)
    for (uint32_t a = 0; a < s->meshes.data[m]->axis_count; ++a)
      if ((!mesh || s->meshes.data[m]->attr == mesh) && hd_str_equal(s->meshes.data[m]->names[a], name)) {
        *out = s->meshes.data[m]->axes[a];
        return true;
      }
  return false;
}

bool hd_mesh_axis(hd_spmd *s, hd_op *op, hd_attr mesh, hd_str name, hd_split *out) {
  if (hd_mesh_find_axis(s, mesh, name, out)) return true;
  return hd_op_error(op, "expects an axis of its mesh, got '%.*s'", (int)name.len, name.data);
}

bool hd_mesh_part(hd_spmd *s, hd_op *op, hd_split axis, int64_t before, int64_t size, hd_split *out) {
  int64_t outer = 1;
  uint8_t i = 0;
  *out = (hd_split){0};
  for (; i < axis.count && outer < before; ++i) outer *= s->axis_sizes[axis.axes[i]];
  if (outer != before) return hd_op_error(op, "has a part of a mesh axis that begins within another part");
  for (outer = 1; i < axis.count && outer < size; ++i) {
    outer *= s->axis_sizes[axis.axes[i]];
    out->axes[out->count++] = axis.axes[i];
  }
  return outer == size || hd_op_error(op, "has a part of a mesh axis that ends within another part");
}

void hd_mesh_trim(const hd_spmd *s, hd_split *split) {
  const hd_mesh *mesh = s->meshes.len ? s->meshes.data[0] : NULL;
  uint8_t kept = 0;
  for (bool more = mesh != NULL; more && kept < split->count;) {
    more = false;
    for (uint32_t a = 0; a < mesh->axis_count && !more; ++a) {
      hd_split axis = mesh->axes[a];
      more = axis.count && kept + axis.count <= split->count && !memcmp(split->axes + kept, axis.axes, axis.count);
      if (more) kept += axis.count;
    }
  }
  split->count = kept;
}

int64_t hd_mesh_place(const hd_spmd *s, int64_t device, hd_split split) {
  int64_t at = 0;
  for (uint8_t i = 0; i < split.count; ++i) {
    int64_t size = s->axis_sizes[split.axes[i]];
    at = at * size + s->position[device] / stride_of(s, split.axes[i]) % size;
  }
  return at;
}
