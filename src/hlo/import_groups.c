/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of processes, which all become a matrix with a row for each: lists, a box of numbers, axes of a mesh. */
#include "hlo/import.h"

/* {{0,1},{2}}: short lists are filled with -1, which names no process. */
hd_attr hd_hlo_read_lists(hd_hlo_cursor *c) {
  hd_arena *arena = &c->r->scratch;
  hd_vec(hd_hlo_ints) lists = {0};
  size_t longest = 0;
  if (!hd_hlo_expect(c, '{')) return NULL;
  while (hd_hlo_next_is(c, '{')) {
    hd_hlo_ints list;
    if (!hd_hlo_int_list(c, &list)) return NULL;
    hd_vec_push(arena, &lists, list);
    if (list.len > longest) longest = list.len;
    if (!hd_hlo_accept(c, ',')) break;
  }
  if (!hd_hlo_expect(c, '}')) return NULL;
  if (lists.len && longest > (1u << 24) / lists.len) {
    hd_hlo_fail(c->r, c->at, "expected groups of at most %d processes, got %zu of %zu", 1 << 24, lists.len, longest);
    return NULL;
  }
  int64_t *values = hd_new_array(arena, int64_t, lists.len *longest + 1);
  for (size_t i = 0; i < lists.len; ++i)
    for (size_t k = 0; k < longest; ++k) values[i * longest + k] = k < lists.data[i].len ? lists.data[i].data[k] : -1;
  return hd_hlo_matrix(c->r->context, values, lists.len, longest);
}

static bool read_sizes(hd_hlo_cursor *c, hd_hlo_ints *out, int64_t *out_product) {
  const char *at = c->at;
  *out_product = 1;
  do {
    int64_t size;
    if (!hd_hlo_int(c, &size)) return false;
    if (size < 1 || size > (1 << 20) / *out_product)
      return hd_hlo_fail(c->r, at, "expected sizes of 1 to %d processes, got %lld more", 1 << 20, (long long)size);
    *out_product *= size;
    hd_vec_push(&c->r->scratch, out, size);
  } while (hd_hlo_accept(c, ','));
  return hd_hlo_expect(c, ']');
}

static bool read_permutation(hd_hlo_cursor *c, size_t rank, int64_t *order) {
  const char *at = c->at;
  uint64_t seen = 0;
  if (!hd_hlo_expect(c, 'T') || !hd_hlo_expect(c, '(')) return false;
  for (size_t i = 0; i < rank; ++i) {
    if ((i && !hd_hlo_expect(c, ',')) || !hd_hlo_int(c, &order[i])) return false;
    if (order[i] < 0 || order[i] >= (int64_t)rank || seen >> order[i] & 1)
      return hd_hlo_fail(c->r, at, "expected the %zu dims, each once, got %lld", rank, (long long)order[i]);
    seen |= 1ull << order[i];
  }
  return hd_hlo_expect(c, ')');
}

/* The numbers of a box as they are when its dims are transposed. */
static int64_t *numbers_of(hd_hlo_cursor *c, const hd_hlo_ints *box, const int64_t *order, int64_t count) {
  int64_t index[HD_MAX_RANK] = {0}, *values = hd_new_array(&c->r->scratch, int64_t, (size_t)count);
  for (int64_t n = 0; n < count; ++n) {
    int64_t value = 0;
    for (size_t d = 0; d < box->len; ++d) {
      int64_t at_dim = 0;
      for (size_t k = 0; k < box->len; ++k)
        if (order[k] == (int64_t)d) at_dim = index[k];
      value = value * box->data[d] + at_dim;
    }
    values[n] = value;
    for (size_t k = box->len; k-- > 0 && ++index[k] == box->data[order[k]];) index[k] = 0;
  }
  return values;
}

/* 4,2], 4,2]T(1,0) after the bracket; null when an error was reported. */
static int64_t *read_box(hd_hlo_cursor *c, int64_t *out_count) {
  hd_hlo_ints box = {0};
  int64_t order[HD_MAX_RANK];
  const char *at = c->at;
  if (!read_sizes(c, &box, out_count)) return NULL;
  if (box.len > HD_MAX_RANK)
    return hd_hlo_fail(c->r, at, "expected at most %d dims, got %zu", HD_MAX_RANK, box.len), NULL;
  for (size_t i = 0; i < box.len; ++i) order[i] = (int64_t)i;
  if (hd_hlo_next_is(c, 'T') && !read_permutation(c, box.len, order)) return NULL;
  return numbers_of(c, &box, order, *out_count);
}

/* [2,4]<=[8], [2,4]<=[4,2]T(1,0): the numbers of a box, its dims transposed, as rows. */
static hd_attr read_iota_groups(hd_hlo_cursor *c) {
  hd_hlo_ints shape = {0};
  const char *at = c->at++;
  int64_t total, count;
  if (!read_sizes(c, &shape, &total) || !hd_hlo_expect(c, '<') || !hd_hlo_expect(c, '=') || !hd_hlo_expect(c, '['))
    return NULL;
  int64_t *values = read_box(c, &count);
  if (!values) return NULL;
  if (shape.len == 2 && total == count)
    return hd_hlo_matrix(c->r->context, values, (size_t)shape.data[0], (size_t)shape.data[1]);
  hd_hlo_fail(c->r, at, "expected [groups,processes]<=[sizes] of as many processes, got %zu sizes for %lld and %lld",
              shape.len, (long long)total, (long long)count);
  return NULL;
}

typedef struct axis {
  hd_str name;
  int64_t size, stride; /* of a step along it, in places of the mesh */
} axis;

typedef hd_vec(axis) axes;

/* 'name' */
static bool read_axis_name(hd_hlo_cursor *c, hd_str *out) {
  if (!hd_hlo_expect(c, '\'')) return false;
  const char *start = c->at, *end = memchr(start, '\'', (size_t)(c->end - start));
  if (!end) return hd_hlo_fail(c->r, start - 1, "expected '\'' at the end of this name, got the end of the text");
  *out = (hd_str){start, (size_t)(end - start)};
  c->at = end + 1;
  return true;
}

/* 'a'=4,'b'=2] after the bracket. */
static bool read_mesh_axes(hd_hlo_cursor *c, axes *out, int64_t *out_places) {
  const char *at = c->at;
  *out_places = 1;
  do {
    axis a = {0};
    if (!read_axis_name(c, &a.name) || !hd_hlo_expect(c, '=') || !hd_hlo_int(c, &a.size)) return false;
    if (a.size < 1 || a.size > (1 << 20) / *out_places)
      return hd_hlo_fail(c->r, at, "expected axes of 1 to %d processes, got %lld more", 1 << 20, (long long)a.size);
    *out_places *= a.size;
    hd_vec_push(&c->r->scratch, out, a);
  } while (hd_hlo_accept(c, ','));
  for (size_t i = out->len, stride = 1; i-- > 0; stride *= (size_t)out->data[i].size)
    out->data[i].stride = (int64_t)stride;
  return hd_hlo_expect(c, ']');
}

/* device_ids=(3,2,1,0), device_ids=([2,2]T(1,0)): the process at each place of the mesh. */
static int64_t *read_devices(hd_hlo_cursor *c, int64_t places) {
  const char *at = c->at;
  int64_t count, *ids = NULL;
  hd_hlo_cursor look = *c;
  if (!hd_str_is(hd_hlo_word(c), "device_ids")) return hd_hlo_expected(&look, "'device_ids='"), NULL;
  if (!hd_hlo_expect(c, '=') || !hd_hlo_expect(c, '(')) return NULL;
  if (hd_hlo_accept(c, '[')) {
    ids = read_box(c, &count);
  } else {
    hd_hlo_ints list = {0};
    do {
      int64_t id;
      if (!hd_hlo_int(c, &id)) return NULL;
      if (id < 0 || id >= places)
        return hd_hlo_fail(c->r, at, "expected a process of a mesh of %lld, got %lld", (long long)places,
                           (long long)id),
               NULL;
      hd_vec_push(&c->r->scratch, &list, id);
    } while (hd_hlo_accept(c, ','));
    ids = list.data;
    count = (int64_t)list.len;
  }
  if (!ids || !hd_hlo_expect(c, ')')) return NULL;
  if (count != places)
    return hd_hlo_fail(c->r, at, "expected %lld processes, those of the mesh, got %lld", (long long)places,
                       (long long)count),
           NULL;
  return ids;
}

/* 'a', 'b':(2)4 in braces: the axes along which groups are, or of an axis of 2 x 4 x n places the middle. */
static bool read_group_axes(hd_hlo_cursor *c, const axes *mesh, axes *out) {
  if (!hd_hlo_expect(c, '{')) return false;
  do {
    axis a;
    hd_hlo_more(c);
    const char *at = c->at;
    int64_t before, size;
    if (!read_axis_name(c, &a.name)) return false;
    size_t i = 0;
    while (i < mesh->len && !hd_str_equal(mesh->data[i].name, a.name)) ++i;
    if (i == mesh->len)
      return hd_hlo_fail(c->r, at, "expected an axis of the mesh, got '%.*s'", (int)a.name.len, a.name.data);
    a = mesh->data[i];
    if (hd_hlo_accept(c, ':')) {
      if (!hd_hlo_expect(c, '(') || !hd_hlo_int(c, &before) || !hd_hlo_expect(c, ')') || !hd_hlo_int(c, &size))
        return false;
      if (before < 1 || size < 1 || before > a.size || size > a.size || a.size % (before * size))
        return hd_hlo_fail(c->r, at, "expected a part of an axis of %lld, got (%lld)%lld", (long long)a.size,
                           (long long)before, (long long)size);
      a.stride *= a.size / (before * size);
      a.size = size;
    }
    hd_vec_push(&c->r->scratch, out, a);
  } while (hd_hlo_accept(c, ','));
  return hd_hlo_expect(c, '}');
}

/* mesh['a'=4,'b'=2], device_ids=(...) {'a'}: members of a group differ in where they are along its axes. */
static hd_attr read_mesh_groups(hd_hlo_cursor *c) {
  axes mesh = {0}, along = {0};
  int64_t places, *ids = NULL, members = 1, groups = 0;
  const char *at = c->at;
  hd_hlo_word(c);
  if (!hd_hlo_expect(c, '[') || !read_mesh_axes(c, &mesh, &places)) return NULL;
  if (hd_hlo_accept(c, ',') && !(ids = read_devices(c, places))) return NULL;
  if (!read_group_axes(c, &mesh, &along)) return NULL;
  for (size_t i = 0; i < along.len && members <= places; ++i) members *= along.data[i].size;
  int64_t *group_of = hd_new_array(&c->r->scratch, int64_t, (size_t)places); /* by the place of its first member */
  int64_t *values = hd_new_array(&c->r->scratch, int64_t, (size_t)places), left = places;
  memset(values, -1, (size_t)places * sizeof *values);
  memset(group_of, -1, (size_t)places * sizeof *group_of);
  for (int64_t place = 0; place < places && places % members == 0; ++place) {
    int64_t first = place, member = 0;
    for (size_t i = 0; i < along.len; ++i) {
      int64_t digit = place / along.data[i].stride % along.data[i].size;
      first -= digit * along.data[i].stride;
      member = member * along.data[i].size + digit;
    }
    if (first == place) {
      if (groups == places / members) break;
      group_of[place] = groups++;
    }
    if (first < 0 || group_of[first] < 0) break;
    int64_t *slot = &values[group_of[first] * members + member];
    if (*slot >= 0) break;
    *slot = ids ? ids[place] : place;
    --left;
  }
  if (!left) return hd_hlo_matrix(c->r->context, values, (size_t)groups, (size_t)members);
  hd_hlo_fail(c->r, at, "expected axes of a group that are disjoint, got some that overlap");
  return NULL;
}

hd_attr hd_hlo_read_groups(hd_hlo_cursor *c) {
  if (hd_hlo_next_is(c, '[')) return read_iota_groups(c);
  return hd_hlo_next_is(c, 'm') ? read_mesh_groups(c) : hd_hlo_read_lists(c);
}
