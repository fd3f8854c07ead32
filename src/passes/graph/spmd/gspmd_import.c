/* SPDX-License-Identifier: Apache-2.0 */
/* Shardings of the older form become those of sdy, with a mesh of their own, before anything else is read:
 *
 *   %a: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}"}
 *   ->
 *   sdy.sharding = #sdy.sharding<mesh<["t0"=2, "t1"=1, "r2"=2], device_ids=[0, 2, 1, 3]>, [{"t0"}, {"t1"}]>
 *
 *   custom_call @Sharding(%x)               ->   sdy.sharding_constraint
 *   custom_call @SPMDFullToShardShape(%x)   keep: between them the code is a device's own, along all axes, or
 *   custom_call @SPMDShardToFullShape(%x)   along those of the mesh that last_tile_dims calls manual ("m2")
 *
 * Forms: replicated, manual, maximal (one device has it: here all do), unknown, and devices with or without
 * last_tile_dims of replicated, manual and unreduced. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/sdy.h"
#include "ir/ops/stablehlo.h"
#include "passes/graph/spmd/spmd.h"

enum { TILES = HD_MESH_AXES };

typedef enum form { WHOLE, OWN, TILED } form;

typedef struct older {
  form form;
  uint32_t count, subgroups; /* tile dims, of which the last |subgroups| belong to no dim of the tensor */
  int64_t sizes[TILES], *ids;
  char kinds[TILES]; /* of each tile dim: t(ile), r(eplicated), m(anual), u(nreduced) */
  bool iota;         /* |ids| are 0, 1, 2, ... */
} older;

/* ---- reading --------------------------------------------------------------------------------------------------- */

typedef struct reader {
  hd_spmd *s;
  const char *at, *end;
} reader;

static bool accept(reader *r, const char *text) {
  size_t size = strlen(text);
  if ((size_t)(r->end - r->at) < size || memcmp(r->at, text, size)) return false;
  r->at += size;
  return true;
}

static bool number(reader *r, int64_t *out) {
  const char *from = r->at;
  for (*out = 0; r->at < r->end && *r->at >= '0' && *r->at <= '9' && *out < 1 << 24; ++r->at)
    *out = *out * 10 + (*r->at - '0');
  return r->at > from;
}

/* Numbers up to |close|. */
static bool numbers(reader *r, const char *close, int64_t *out, uint32_t *count) {
  *count = 0;
  do {
    if (*count == TILES || !number(r, &out[(*count)++])) return false;
  } while (accept(r, ","));
  return accept(r, close);
}

static bool product_is(const int64_t *sizes, uint32_t count, int64_t product) {
  int64_t all = 1;
  for (uint32_t i = 0; i < count; ++i)
    if (sizes[i] < 1 || __builtin_mul_overflow(all, sizes[i], &all)) return false;
  return all == product;
}

/* <=[2,3]T(1,0): 0 to 5 as 2 x 3, transposed. */
static bool counted_ids(reader *r, older *out) {
  int64_t shape[TILES], order[TILES], devices = r->s->devices;
  uint32_t rank, ordered = 0, seen = 0;
  if (!numbers(r, "]", shape, &rank) || !product_is(shape, rank, devices)) return false;
  bool turned = accept(r, "T(");
  if (turned && (!numbers(r, ")", order, &ordered) || ordered != rank)) return false;
  for (uint32_t i = 0; turned && i < rank; ++i) {
    if (order[i] >= rank || seen >> order[i] & 1) return false;
    seen |= 1u << order[i];
  }
  for (int64_t place = 0; place < devices; ++place) {
    int64_t id = 0, left = place;
    for (uint32_t i = rank; i-- > 0;) {
      uint32_t d = turned ? (uint32_t)order[i] : i;
      int64_t stride = 1;
      for (uint32_t k = d + 1; k < rank; ++k) stride *= shape[k];
      id += left % shape[d] * stride;
      left /= shape[d];
    }
    out->ids[place] = id;
  }
  return true;
}

static bool listed_ids(reader *r, older *out) {
  for (int64_t i = 0; i < r->s->devices; ++i)
    if ((i && !accept(r, ",")) || !number(r, &out->ids[i])) return false;
  return true;
}

static bool subgroups(reader *r, older *out) {
  static const char *const words[] = {"replicated", "manual", "unreduced"};
  char kinds[TILES];
  do {
    int k = 0;
    while (k < 3 && !accept(r, words[k])) ++k;
    if (k == 3 || out->subgroups == out->count) return false;
    kinds[out->subgroups++] = words[k][0];
    accept(r, " ");
  } while (accept(r, ",") && (accept(r, " ") || true));
  memcpy(out->kinds + out->count - out->subgroups, kinds, out->subgroups);
  return accept(r, "}");
}

static bool tiles(reader *r, older *out) {
  out->form = TILED;
  out->ids = hd_new_array(r->s->arena, int64_t, (size_t)r->s->devices);
  memset(out->kinds, 't', sizeof out->kinds);
  if (!numbers(r, "]", out->sizes, &out->count) || !product_is(out->sizes, out->count, r->s->devices)) return false;
  if (!(accept(r, "<=[") ? counted_ids(r, out) : listed_ids(r, out))) return false;
  if (accept(r, " last_tile_dim_replicate")) {
    out->kinds[out->count - 1] = 'r';
    out->subgroups = 1;
  } else if (accept(r, " last_tile_dims={") && !subgroups(r, out)) {
    return false;
  }
  out->iota = true;
  for (int64_t i = 0; i < r->s->devices; ++i) out->iota &= out->ids[i] == i;
  return true;
}

/* Groups of tensors that are to be alike, and where a sharding comes from, say nothing that matters. */
static void skip_remarks(reader *r) {
  int64_t group;
  if (accept(r, " shard_as ") || accept(r, " shard_like ")) (void)number(r, &group);
  if (accept(r, " metadata="))
    while (r->at + 1 < r->end) ++r->at;
}

static bool read(hd_spmd *s, hd_op *op, hd_str text, older *out) {
  reader r = {s, text.data, text.data + text.len};
  int64_t device;
  *out = (older){0};
  bool good = accept(&r, "{");
  if (good && accept(&r, "devices=["))
    good = tiles(&r, out);
  else if (good && accept(&r, "manual"))
    out->form = OWN;
  else if (good && accept(&r, "maximal device="))
    good = number(&r, &device);
  else
    good = good && (accept(&r, "replicated") || accept(&r, "unknown"));
  skip_remarks(&r);
  if (good && accept(&r, "}") && r.at == r.end) return true;
  return hd_op_error(op, "has the sharding '%.*s' for %" PRId64 " partitions, which is not supported", (int)text.len,
                     text.data, s->devices);
}

/* ---- the same in sdy ------------------------------------------------------------------------------------------- */

static hd_attr axis_name(hd_context *c, const older *o, uint32_t i) {
  char name[16];
  snprintf(name, sizeof name, "%c%u", o->kinds[i], i);
  return hd_attr_cstring(c, name);
}

static hd_attr axis_list(hd_context *c, const older *o, uint32_t i) {
  hd_attr axis = hd_attr_struct(c, HD_STRUCT_sdy_axis_ref, (hd_attr[]){axis_name(c, o, i), NULL, NULL}, 3);
  return hd_attr_array(c, &axis, 1);
}

static bool is_open(hd_str config, uint32_t dim) {
  static const char word[] = "unspecified_dims=[";
  const char *at = config.len ? memmem(config.data, config.len, word, sizeof word - 1) : NULL;
  reader r = {NULL, at ? at + sizeof word - 1 : "", config.data + config.len};
  int64_t d;
  while (at && number(&r, &d)) {
    if (d == dim) return true;
    if (!accept(&r, ",")) break;
  }
  return false;
}

/* Null with an error at |op|. Dims that |config| leaves open may be split further. */
static hd_attr modern(hd_spmd *s, hd_op *op, const older *o, hd_type type, hd_str config) {
  hd_context *c = s->pass->context;
  uint32_t rank = hd_type_has_rank(type) ? hd_type_rank(type) : 0;
  if (o->form == TILED && o->count - o->subgroups != rank) {
    (void)hd_op_error(op, "expects a sharding of %u dims, one per dim of the tensor, got %u", rank,
                      o->count - o->subgroups);
    return NULL;
  }
  hd_attr *axes = hd_new_array(s->arena, hd_attr, o->count + 1u), *dims = hd_new_array(s->arena, hd_attr, rank + 1u);
  hd_attr sums = NULL;
  for (uint32_t i = 0; i < o->count; ++i) {
    hd_attr size = hd_attr_i64(c, o->sizes[i]);
    axes[i] = hd_attr_struct(c, HD_STRUCT_sdy_mesh_axis, (hd_attr[]){axis_name(c, o, i), size}, 2);
    if (o->kinds[i] == 'u') sums = axis_list(c, o, i);
  }
  for (uint32_t d = 0; d < rank; ++d) {
    hd_attr split = o->form == TILED ? axis_list(c, o, d) : hd_attr_array(c, NULL, 0);
    hd_attr dim[] = {split, hd_attr_bool(c, !is_open(config, d)), NULL};
    dims[d] = hd_attr_struct(c, HD_STRUCT_sdy_dimension_sharding, dim, 3);
  }
  hd_attr ids = o->form == TILED && !o->iota ? hd_attr_i64_array(c, o->ids, (size_t)s->devices) : NULL;
  hd_attr mesh = hd_attr_struct(c, HD_STRUCT_sdy_mesh, (hd_attr[]){hd_attr_array(c, axes, o->count), ids}, 2);
  hd_attr params[] = {mesh, hd_attr_array(c, dims, rank), NULL, sums};
  return hd_attr_struct(c, HD_STRUCT_sdy_sharding, params, 4);
}

/* ---- where shardings are ------------------------------------------------------------------------------------- */

static const hd_name mark = HD_NAME_mhlo_sharding;

static bool modern_list(hd_spmd *s, hd_op *func, hd_name name, bool results) {
  hd_context *c = s->pass->context;
  hd_attr list = hd_op_attr_get(func, name), function = hd_function_like_function_type(func);
  if (!hd_attr_is(list, HD_ATTR_ARRAY)) return true;
  hd_type type = function->type_value;
  hd_attr *items = hd_new_array(s->arena, hd_attr, list->array.count + 1u);
  for (uint32_t i = 0; i < list->array.count; ++i) {
    hd_attr dict = items[i] = list->array.items[i], text = hd_dict_get(dict, mark);
    if (!hd_attr_is(text, HD_ATTR_STRING) || hd_dict_get(dict, HD_NAME_sdy_sharding)) continue;
    older o;
    if (!read(s, func, hd_ident_str(text->string), &o)) return false;
    if (o.form == OWN) return hd_op_error(func, "has an argument or result that is manual, which is not supported");
    hd_named_attr *all = hd_new_array(s->arena, hd_named_attr, dict->dict.count + 1u);
    memcpy(all, dict->dict.items, dict->dict.count * sizeof *all);
    if (i >= (results ? type->function.out_count : type->function.in_count)) break;
    hd_type of = (results ? type->function.outs : type->function.ins)[i];
    hd_attr sharding = modern(s, func, &o, of, HD_STR(""));
    if (!sharding) return false;
    all[dict->dict.count] = (hd_named_attr){hd_name_ident(c, HD_NAME_sdy_sharding), sharding};
    items[i] = hd_attr_dict(c, all, dict->dict.count + 1u);
  }
  hd_op_attr_set(func, name, hd_attr_array(c, items, list->array.count));
  return true;
}

/* Whether |sharding| leaves some axes of its mesh to the device. */
static bool is_partly_own(hd_attr sharding) {
  hd_op *where;
  hd_attr mesh = hd_sharding_mesh(NULL, sharding, &where), axes = hd_attr_sdy_mesh_axes(mesh);
  for (uint32_t i = 0; i < axes->array.count; ++i)
    if (hd_str_starts(hd_attr_sdy_mesh_axis_name(axes->array.items[i]), "m")) return true;
  return false;
}

typedef struct change {
  hd_spmd *s;
  bool good;
} change;

static bool modern_call(hd_spmd *s, hd_op *op, hd_str target) {
  hd_attr text = hd_discardable_mhlo_sharding(op), config = hd_stablehlo_custom_call_backend_config(op);
  older o;
  if (!hd_attr_is(text, HD_ATTR_STRING) || op->operand_count != 1 || op->result_count != 1)
    return hd_op_error(op, "expects one operand, one result and '%s'", hd_name_text(mark));
  if (!read(s, op, hd_ident_str(text->string), &o)) return false;
  hd_value *x = hd_operand(op, 0);
  hd_str open = hd_attr_is(config, HD_ATTR_STRING) ? hd_ident_str(config->string) : HD_STR("");
  hd_attr sharding = o.form == OWN ? NULL : modern(s, op, &o, hd_result_type(op, 0), open);
  if (o.form != OWN && !sharding) return false;
  if (hd_str_is(target, "Sharding")) {
    if (sharding) {
      hd_builder b = hd_builder_before(op);
      hd_attr_arg arg = {HD_NAME_sharding, sharding};
      x = hd_build_one_(&b, HD_OP_sdy_sharding_constraint, x->type, &x, 1, &arg, 1);
    }
    hd_op_replace(op, &x);
    return true;
  }
  if (sharding) hd_discardable_set_sdy_sharding(op, sharding);
  hd_op *before = hd_value_op(x);
  hd_attr own = hd_op_is(before, HD_OP_sdy_sharding_constraint) ? hd_sdy_sharding_constraint_sharding(before) : NULL;
  if (hd_str_is(target, "SPMDShardToFullShape") && own && is_partly_own(own)) hd_discardable_set_manual(op, own);
  return true;
}

static bool visit(hd_op *op, void *user) {
  change *c = user;
  hd_str target =
      hd_op_is(op, HD_OP_stablehlo_custom_call) ? hd_stablehlo_custom_call_call_target_name(op) : HD_STR("");
  if (hd_str_is(target, "Sharding") || hd_str_is(target, "SPMDFullToShardShape") ||
      hd_str_is(target, "SPMDShardToFullShape"))
    c->good = modern_call(c->s, op, target);
  return c->good;
}

bool hd_spmd_modernise(hd_spmd *s, hd_op *func) {
  change c = {s, true};
  return modern_list(s, func, HD_NAME_arg_attrs, false) && modern_list(s, func, HD_NAME_res_attrs, true) &&
         (hd_walk_post(func, visit, &c), c.good);
}

/* ---- where a device's own code begins and ends ----------------------------------------------------------------- */

/* The manual axes in the code that |sharding| is of, as bits; null: all. */
static bool own_axes(hd_spmd *s, hd_op *op, hd_attr sharding, uint32_t *out) {
  *out = (1u << s->axis_count) - 1;
  if (!sharding) return true;
  hd_op *where;
  hd_attr mesh = hd_sharding_mesh(op, sharding, &where), axes = hd_attr_sdy_mesh_axes(mesh);
  *out = 0;
  for (uint32_t i = 0; i < axes->array.count; ++i) {
    hd_str name = hd_attr_sdy_mesh_axis_name(axes->array.items[i]);
    hd_split axis;
    if (!hd_str_starts(name, "m")) continue;
    if (!hd_mesh_axis(s, op, mesh, name, &axis)) return false;
    for (uint8_t k = 0; k < axis.count; ++k) *out |= 1u << axis.axes[k];
  }
  return true;
}

static hd_layout without(hd_spmd *s, hd_layout layout, uint32_t own) {
  hd_layout out = hd_layout_copy(s, layout);
  for (uint32_t d = 0; d < out.rank; ++d) {
    hd_split *split = &out.dims[d];
    split->count = 0;
    for (uint8_t k = 0; k < layout.dims[d].count; ++k)
      if (!(own >> layout.dims[d].axes[k] & 1)) split->axes[split->count++] = layout.dims[d].axes[k];
  }
  return out;
}

bool hd_spmd_border(hd_spmd *s, hd_op *op) {
  hd_placed *placed = hd_spmd_get(s, hd_operand(op, 0));
  hd_attr sharding = hd_discardable_sdy_sharding(op);
  hd_layout layout;
  hd_type type = hd_result_type(op, 0);
  uint32_t own;
  bool begins = hd_str_is(hd_stablehlo_custom_call_call_target_name(op), "SPMDFullToShardShape");
  if (!own_axes(s, op, begins ? sharding : hd_discardable_manual(op), &own)) return false;
  hd_value *value = placed->value;
  if (begins) {
    layout = without(s, placed->layout, own);
    value = hd_spmd_as(s, hd_operand(op, 0), hd_layout_outside(s, placed->layout, layout, own));
  } else if (sharding) {
    if (!hd_layout_read(s, op, sharding, type, true, &layout, NULL)) return false;
    layout = hd_layout_outside(s, layout, placed->layout, own);
  } else {
    return hd_op_error(op, "expects the sharding of a whole tensor, got {manual}");
  }
  if (layout.rank != hd_type_rank(type) || value->type != hd_layout_type(s, type, layout))
    return hd_op_error(op, "has another type than its operand and sharding give");
  hd_spmd_set(s, hd_result(op, 0), value, layout);
  return true;
}
