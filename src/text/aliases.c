/* SPDX-License-Identifier: Apache-2.0 */
/* Which attributes and types get an alias, and its number, as MLIR counts them. The op is printed to nothing first:
 * everything that an op's form mentions is visited in the order of printing, each attribute and type once with what is
 * inside it. Aliases are then numbered per name, those without aliases inside first. Those that only locations of ops
 * mention are defined after the program, all others before it. */
#include <inttypes.h>
#include <stdlib.h>

#include "text/printer.h"

enum { TUPLE_ALIAS_ABOVE = 16 }; /* types */

typedef hd_vec(uint32_t) index_vec;

typedef struct alias {
  const void *key;   /* attribute or type */
  const char *name;  /* null: has none, but what is inside may */
  index_vec inside;  /* what it mentions */
  uint32_t position; /* in the order of visits */
  uint32_t depth;    /* of aliases in aliases, itself included */
  uint32_t number;
  bool is_type, deferred;
} alias;

struct hd_aliases {
  hd_map places; /* attribute or type -> position */
  hd_vec(alias) list;
  index_vec *inside; /* of what is being visited */
  uint32_t depth;    /* of what it has inside so far */
  bool visiting, deferred;
};

static const char *attr_name(hd_attr attr) {
  switch (attr->kind) {
    case HD_ATTR_AFFINE_MAP:
      return "map";
    case HD_ATTR_AFFINE_SET:
      return "set";
    case HD_ATTR_DISTINCT:
      return attr->distinct.inner->kind == HD_ATTR_UNIT ? NULL : "distinct";
    case HD_ATTR_LOC_FILE:
    case HD_ATTR_LOC_NAME:
    case HD_ATTR_LOC_CALLSITE:
    case HD_ATTR_LOC_FUSED:
    case HD_ATTR_LOC_UNKNOWN:
      return "loc";
    case HD_ATTR_STRUCT: {
      const char *name = hd_attr_row_info_of(attr->structure.row)->alias;
      return name && *name ? name : NULL;
    }
    default:
      return NULL;
  }
}

static const char *type_name(hd_type type) {
  return type->kind == HD_TYPE_TUPLE && type->function.in_count > TUPLE_ALIAS_ABOVE ? "tuple" : NULL;
}

static void forbid_deferring(struct hd_aliases *a, uint32_t position) {
  alias *known = &a->list.data[position];
  if (!known->deferred) return;
  known->deferred = false;
  for (size_t i = 0; i < known->inside.len; ++i) forbid_deferring(a, known->inside.data[i]);
}

/* What is inside, by printing it; what cannot hold aliases is left out. */
static void visit_inside(hd_printer *out, hd_attr attr, hd_type type) {
  if (type) {
    hd_print_type_in_full(out, type);
    return;
  }
  switch (attr->kind) {
    case HD_ATTR_INTEGER:
    case HD_ATTR_FLOAT:
    case HD_ATTR_DENSE_ARRAY:
    case HD_ATTR_AFFINE_MAP:
    case HD_ATTR_AFFINE_SET:
      break;
    case HD_ATTR_DENSE:
    case HD_ATTR_DENSE_RESOURCE:
    case HD_ATTR_DENSE_STRINGS:
    case HD_ATTR_SPARSE:
      hd_print_type(out, attr->type);
      break;
    default:
      hd_print_attr_in_full(out, attr, HD_TYPE_NEVER);
      break;
  }
}

static void visit(hd_printer *out, hd_attr attr, hd_type type, bool deferred) {
  struct hd_aliases *a = out->aliases;
  bool is_new;
  const void *key = attr ? (const void *)attr : type;
  hd_map_entry *entry = hd_map_insert(&out->scratch, &a->places, key, &is_new);
  if (is_new) entry->value.i64 = (int64_t)a->list.len;
  uint32_t position = (uint32_t)entry->value.i64;
  if (is_new) {
    const char *name = type ? type_name(type) : attr_name(attr);
    hd_vec_push(&out->scratch, &a->list, (alias){key, name, {0}, position, name ? 1 : 0, 0, type != NULL, deferred});
    index_vec inside = {0}, *outer = a->inside;
    uint32_t outer_depth = a->depth;
    bool outer_deferred = a->deferred;
    a->inside = &inside;
    a->depth = 0;
    a->deferred = deferred;
    visit_inside(out, attr, type);
    alias *made = &a->list.data[position];
    made->inside = inside;
    if (a->depth) made->depth = a->depth + 1;
    a->inside = outer;
    a->depth = outer_depth;
    a->deferred = outer_deferred;
  } else if (!deferred) {
    forbid_deferring(a, position);
  }
  if (!a->inside) return;
  hd_vec_push(&out->scratch, a->inside, position);
  if (a->list.data[position].depth > a->depth) a->depth = a->list.data[position].depth;
}

bool hd_visit_attr(hd_printer *out, hd_attr attr) {
  if (!out->aliases || !out->aliases->visiting) return false;
  visit(out, attr, NULL, out->aliases->deferred);
  return true;
}

bool hd_visit_type(hd_printer *out, hd_type type) {
  if (!out->aliases || !out->aliases->visiting) return false;
  visit(out, NULL, type, out->aliases->deferred);
  return true;
}

bool hd_visit_loc(hd_printer *out, hd_loc loc, bool deferred) {
  if (!out->aliases || !out->aliases->visiting) return false;
  if (out->options.locations) visit(out, loc, NULL, deferred);
  return true;
}

bool hd_is_visiting(const hd_printer *out) { return out->aliases && out->aliases->visiting; }

static int by_depth_and_name(const void *left, const void *right) {
  const alias *a = left, *b = right;
  if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
  if (a->is_type != b->is_type) return a->is_type ? -1 : 1;
  int order = strcmp(a->name, b->name);
  return order ? order : a->position < b->position ? -1 : 1;
}

static void number_aliases(hd_printer *out) {
  struct hd_aliases *a = out->aliases;
  hd_map counts = {0};
  size_t kept = 0;
  for (size_t i = 0; i < a->list.len; ++i)
    if (a->list.data[i].name) a->list.data[kept++] = a->list.data[i];
  a->list.len = kept;
  if (kept > 1) qsort(a->list.data, kept, sizeof *a->list.data, by_depth_and_name);
  a->places = (hd_map){0};
  for (size_t i = 0; i < kept; ++i) {
    alias *next = &a->list.data[i];
    next->number =
        (uint32_t)hd_map_insert_bytes(&out->scratch, &counts, next->name, strlen(next->name), NULL)->value.i64++;
    hd_map_insert(&out->scratch, &a->places, next->key, NULL)->value.i64 = (int64_t)i;
  }
}

void hd_begin_aliases(hd_printer *out) {
  out->aliases = hd_new(&out->scratch, struct hd_aliases);
  out->aliases->visiting = true;
}

void hd_end_aliases(hd_printer *out) {
  out->aliases->visiting = false;
  number_aliases(out);
}

static void print_name(hd_printer *out, const alias *a) {
  hd_printf(out, "%c%s", a->is_type ? '!' : '#', a->name);
  if (a->number) hd_printf(out, "%" PRIu32, a->number);
}

static bool print_alias(hd_printer *out, const void *key, const char *name) {
  if (!name || !out->aliases) return false;
  const hd_map_entry *entry = hd_map_find(&out->aliases->places, key);
  if (entry) print_name(out, &out->aliases->list.data[entry->value.i64]);
  return entry != NULL;
}

bool hd_print_attr_alias(hd_printer *out, hd_attr attr) { return print_alias(out, attr, attr_name(attr)); }
bool hd_print_type_alias(hd_printer *out, hd_type type) { return print_alias(out, type, type_name(type)); }

void hd_print_alias_definitions(hd_printer *out, bool deferred) {
  for (size_t i = 0; out->aliases && i < out->aliases->list.len; ++i) {
    const alias *a = &out->aliases->list.data[i];
    if (a->deferred != deferred) continue;
    print_name(out, a);
    hd_puts(out, " = ");
    if (a->is_type)
      hd_print_type_in_full(out, a->key);
    else
      hd_print_attr_in_full(out, a->key, HD_TYPE_NEVER);
    hd_putc(out, '\n');
  }
}
