/* SPDX-License-Identifier: Apache-2.0 */
/* The fusions of a program: what becomes one kernel or library call, what it costs, and why it ends where it does. */
#include <string.h>

#include "analysis/buffer_deps.h"
#include "analysis/buffer_op.h"
#include "analysis/short_dims.h"
#include "codegen/emit/gpu/schedules.h"
#include "driver/explaining.h"
#include "driver/targets.h"
#include "ir/ops/discardable.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/stablehlo.h"
#include "passes/lowering/library.h"
#include "text/text.h"

static const char *copy(hd_explaining *x, const hd_strbuf *text) {
  return hd_arena_copy(&x->arena, hd_strbuf_text(text), text->len);
}

/* ---- one fusion ---- */

static hd_loc file_position(hd_loc loc) {
  if (!loc || loc->kind == HD_ATTR_LOC_FILE) return loc;
  if (loc->kind == HD_ATTR_LOC_UNKNOWN) return NULL;
  for (uint32_t i = 0; i < loc->loc.count; ++i) {
    hd_loc found = file_position(loc->loc.children[i]);
    if (found) return found;
  }
  return NULL;
}

static const char *short_name(const hd_op *op) {
  const char *dot = strchr(op->info->name, '.');
  return dot ? dot + 1 : op->info->name;
}

static bool is_inline(const hd_op *op) { return hd_discardable_inline(op); }

static hd_dim elements_of(hd_explaining *x, hd_value *buffer) { return hd_shapes_num_elements(x->shapes, buffer); }

static hd_dim times(hd_explaining *x, hd_dim a, hd_dim b) {
  return a && b ? hd_dim_mul(&x->shapes->table, a, b) : NULL;
}

/* Arithmetic of one op, counted as multiplications and additions; null when the run decides. */
static hd_dim flops_of(hd_explaining *x, hd_op *op) {
  hd_dim_table *t = &x->shapes->table;
  hd_opcode opcode = hd_buffer_opcode(op);
  if (!hd_buffer_output_count(op) || hd_only_moves_indices(op) || opcode == HD_OP_mhlo_copy ||
      opcode == HD_OP_stablehlo_constant)
    return hd_dim_const(t, 0);
  hd_dim total = elements_of(x, hd_buffer_output(op, 0));
  if (opcode == HD_OP_stablehlo_dot_general) {
    hd_attr dims = hd_attr_stablehlo_dot_lhs_contracting_dimensions(hd_stablehlo_dot_general_dot_dimension_numbers(op));
    for (size_t i = 0; i < hd_attr_count(dims); ++i)
      total = times(x, total, hd_shapes_dim(x->shapes, hd_operand(op, 0), (uint32_t)hd_attr_int_at(dims, i)));
    return times(x, total, hd_dim_const(t, 2));
  }
  if (opcode == HD_OP_stablehlo_dot) {
    hd_value *lhs = hd_operand(op, 0);
    return times(x, times(x, total, hd_shapes_dim(x->shapes, lhs, hd_type_rank(lhs->type) - 1)), hd_dim_const(t, 2));
  }
  if (hd_is_convolution_like(op)) {
    int64_t feature = hd_attr_stablehlo_conv_kernel_output_feature_dimension(hd_convolution_like_dimension_numbers(op));
    for (uint32_t d = 0; d < hd_type_rank(hd_operand(op, 1)->type); ++d)
      if (d != (uint32_t)feature) total = times(x, total, hd_shapes_dim(x->shapes, hd_operand(op, 1), d));
    return times(x, total, hd_dim_const(t, 2));
  }
  if (opcode == HD_OP_stablehlo_reduce && hd_buffer_input_count(op)) return elements_of(x, hd_operand(op, 0));
  return total;
}

const char *hd_explaining_dim_text(hd_explaining *x, hd_dim dim) {
  hd_strbuf text;
  hd_strbuf_init(&text, &x->arena);
  hd_dim_print(&text, dim ? hd_dim_resolve(&x->shapes->table, dim) : NULL);
  return copy(x, &text);
}

static const char *shape_text(hd_explaining *x, hd_value *buffer) {
  hd_strbuf text;
  hd_strbuf_init(&text, &x->arena);
  for (uint32_t d = 0; d < hd_type_rank(buffer->type); ++d) {
    hd_dim_print(&text, hd_shapes_dim(x->shapes, buffer, d));
    hd_strbuf_putc(&text, 'x');
  }
  hd_text_print_type(hd_type_element(buffer->type), &text);
  return copy(x, &text);
}

/* Names in order of first appearance, with counts. */
static const char *op_list(hd_explaining *x, hd_op *const *ops, size_t count) {
  hd_strbuf text;
  hd_strbuf_init(&text, &x->arena);
  for (size_t i = 0; i < count; ++i) {
    size_t same = 0;
    bool seen = false;
    for (size_t k = 0; k < count; ++k) {
      bool equal = !is_inline(ops[k]) && ops[i]->info == ops[k]->info;
      seen |= equal && k < i;
      same += equal;
    }
    if (seen || is_inline(ops[i])) continue;
    hd_strbuf_printf(&text, "%s%s", text.len ? ", " : "", short_name(ops[i]));
    if (same > 1) hd_strbuf_printf(&text, " %zu", same);
  }
  return copy(x, &text);
}

static bool is_product(hd_opcode opcode) { return hd_op_info_of(opcode)->traits & HD_TRAIT(PRODUCT); }

/* Small products are loops of the CPU's kernels. */
static bool is_large_product(const hd_explaining *x, hd_op *op) {
  bool on_device = hd_target_info_of(hd_str_of(hd_target_find(x->options->target)->name))->gpu;
  return is_product(hd_buffer_opcode(op)) && (on_device || !hd_is_small_product(op));
}

static const char *route_of_product(hd_explaining *x, bool fused, hd_opcode product, hd_op *const *ops, size_t count) {
  bool conv = product == HD_OP_stablehlo_convolution || product == HD_OP_stablehlo_dynamic_conv;
  const hd_gpu_target *gpu = hd_target_info_of(hd_str_of(hd_target_find(x->options->target)->name))->gpu;
  for (size_t i = 0; i < count && gpu && gpu->generated_products; ++i)
    if (hd_buffer_opcode(ops[i]) == product && hd_gpu_tiles_product(ops[i]))
      return hd_gpu_is_small_product(x->shapes, ops[i]) ? "emitter: loop"
             : x->options->library_products             ? "library where one takes it, else tiles of the result"
                                                        : "emitter: tiles of the result";
  return hd_arena_printf(&x->arena, "library: %s%s", conv ? "convolution" : "packed GEMM",
                         fused ? ", the other ops on its tile" : "");
}

/* How the fusion of |ops|, whose first op that is not inline is |own|, comes about. */
static const char *route_of(hd_explaining *x, hd_enum_kind kind, bool fused, hd_opcode product, hd_op *own,
                            hd_op *const *ops, size_t count) {
  if (is_product(product)) return route_of_product(x, fused, product, ops, count);
  if (kind == HD_KIND_ROW) return "emitter: row reduction";
  if (kind == HD_KIND_COLUMN) return "emitter: column reduction";
  hd_opcode opcode = own ? hd_buffer_opcode(own) : HD_OP_UNREGISTERED;
  if (opcode == HD_OP_mhlo_copy) return "runtime: copy";
  if (opcode == HD_OP_stablehlo_constant && !hd_can_generate(own)) return "runtime: constant of the program";
  if (own && hd_is_collective(own)) return "runtime: collective";
  if (own && hd_is_library_op(own)) return "library: one call";
  hd_kernel_set set = {.ops = {(hd_op **)ops, count, count}};
  return !hd_target_find(x->options->target)->images && hd_is_host_arithmetic(&set) ? "host: arithmetic"
                                                                                    : "emitter: loop";
}

static void keep_node(hd_explaining *x, hd_op *op, hd_op *top, uint32_t fusion);

static void add_fusion(hd_explaining *x, hd_op *op) {
  hd_vec(hd_op *) ops = {0};
  bool fused = hd_op_is(op, HD_OP_lmhlo_fusion);
  if (fused) {
    hd_for_each_op(inner, hd_op_region(op, 0)->first)
      if (inner->info->derived_from) hd_vec_push(&x->arena, &ops, inner);
  } else {
    hd_vec_push(&x->arena, &ops, op);
  }
  hd_explain_fusion fusion = {.place = "", .why = ""};
  hd_enum_kind kind = hd_discardable_kind(op);
  if (!kind) kind = HD_KIND_LOOP;
  hd_opcode product = HD_OP_UNREGISTERED;
  hd_op *own = NULL;
  hd_dim flops = hd_dim_const(&x->shapes->table, 0), bytes = flops, functions = flops;
  hd_map seen = {0};
  hd_strbuf outputs;
  hd_strbuf_init(&outputs, &x->arena);
  uint32_t index = (uint32_t)x->e.fusions.len;
  for (size_t i = 0; i < ops.len; ++i) {
    hd_op *inner = ops.data[i];
    hd_opcode opcode = hd_buffer_opcode(inner);
    if (!is_inline(inner)) keep_node(x, inner, op, index);
    if (is_large_product(x, inner)) product = opcode, kind = HD_KIND_GEMM;
    hd_loc place = *fusion.place ? NULL : file_position(inner->loc);
    if (place)
      fusion.place = hd_arena_printf(&x->arena, "%s:%u:%u", place->loc.name->text, place->loc.line, place->loc.column);
    if (is_inline(inner)) {
      ++fusion.inline_count;
      continue;
    }
    ++fusion.op_count;
    if (!own) own = inner;
    hd_dim more = flops_of(x, inner);
    flops = flops && more ? hd_dim_add(&x->shapes->table, flops, more) : NULL;
    if (hd_explaining_is_function(inner))
      functions = functions && more ? hd_dim_add(&x->shapes->table, functions, more) : NULL;
  }
  /* A buffer counts once: written here and read elsewhere, or read here and written elsewhere. */
  hd_map made = {0}; /* buffer -> 1 when it is in memory, 0 when an inline op's */
  for (size_t i = 0; i < ops.len; ++i)
    for (uint32_t k = 0; k < hd_buffer_output_count(ops.data[i]); ++k)
      hd_map_insert(&x->arena, &made, hd_buffer_output(ops.data[i], k), NULL)->value.i64 = !is_inline(ops.data[i]);
  for (size_t i = 0; i < ops.len; ++i)
    for (uint32_t k = 0; k < ops.data[i]->operand_count; ++k) {
      hd_value *buffer = hd_operand(ops.data[i], k);
      bool is_new;
      if (buffer->type->kind != HD_TYPE_MEMREF) continue;
      hd_map_insert(&x->arena, &seen, buffer, &is_new);
      if (!is_new) continue;
      hd_map_entry *own = hd_map_find(&made, buffer);
      bool counts = !own;
      if (own && !own->value.i64) continue;
      if (counts) {
        hd_map_entry *writer = hd_map_find(&x->writers, buffer);
        if (writer) hd_vec_push(&x->arena, &fusion.reads, (uint32_t)writer->value.i64 - 1);
      } else {
        hd_for_each_use(use, buffer)
          counts |= use->owner != op && hd_op_parent(use->owner) != op && !hd_op_is(use->owner, HD_OP_memref_dealloc);
        if (counts) {
          hd_map_insert(&x->arena, &x->writers, buffer, NULL)->value.i64 = (int64_t)index + 1;
          hd_strbuf_printf(&outputs, "%s%s", outputs.len ? ", " : "", shape_text(x, buffer));
        }
      }
      hd_dim size = counts ? hd_explaining_buffer_bytes(x, index, ops.data, ops.len, buffer, own != NULL)
                           : hd_dim_const(&x->shapes->table, 0);
      bytes = bytes && size ? hd_dim_add(&x->shapes->table, bytes, size) : NULL;
    }
  fusion.kind = hd_text_of_kind(kind);
  fusion.route = route_of(x, kind, fused && fusion.op_count > 1, product, own, ops.data, ops.len);
  fusion.ops = op_list(x, ops.data, ops.len);
  fusion.outputs = copy(x, &outputs);
  int64_t number;
  bool known = flops && hd_dim_is_const(&x->shapes->table, hd_dim_resolve(&x->shapes->table, flops), &number);
  x->e.flops = known && x->e.flops >= 0 ? x->e.flops + (double)number : -1;
  fusion.flops = hd_explaining_dim_text(x, flops);
  fusion.functions = hd_explaining_dim_text(x, functions);
  fusion.bytes = hd_explaining_dim_text(x, bytes);
  hd_map_insert(&x->arena, &x->fusions, op, NULL)->value.i64 = (int64_t)index + 1;
  hd_vec_push(&x->arena, &x->ops, op);
  hd_vec_push(&x->arena, &x->e.fusions, fusion);
}

/* ---- all fusions ---- */

/* Gives |op| a location of its own, by which the kernels that it becomes are known. */
static void mark(hd_explaining *x, hd_op *op, uint32_t fusion) {
  op->loc = hd_loc_name(x->module->context, hd_str_of(hd_arena_printf(&x->arena, "fusion %u", fusion)), op->loc);
  hd_map_insert(&x->arena, &x->fusion_locs, op->loc, NULL)->value.i64 = (int64_t)fusion + 1;
}

void hd_explaining_note_fusion(hd_explaining *x, hd_loc loc, hd_explain_kernel *kernel) {
  hd_map_entry *entry = loc ? hd_map_find(&x->fusion_locs, loc) : NULL;
  if (entry) {
    uint32_t fusion = (uint32_t)(entry->value.i64 - 1);
    for (size_t i = 0; i < kernel->fusions.len; ++i)
      if (kernel->fusions.data[i] == fusion) return;
    hd_vec_push(&x->arena, &kernel->fusions, fusion);
  } else if (loc && loc->kind != HD_ATTR_LOC_UNKNOWN && loc->kind != HD_ATTR_LOC_FILE) {
    for (uint32_t i = 0; i < loc->loc.count; ++i) hd_explaining_note_fusion(x, loc->loc.children[i], kernel);
  }
}

void hd_explaining_add_fusions(hd_explaining *x, hd_region *region) {
  hd_for_each_block(block, region)
    hd_for_each_op(op, block) {
      if (hd_op_is(op, HD_OP_lmhlo_fusion) || (op->info->derived_from && !hd_is_control_flow(op))) {
        add_fusion(x, op);
        mark(x, op, (uint32_t)x->e.fusions.len - 1);
        continue;
      }
      if (hd_is_control_flow(op)) {
        hd_explain_fusion fusion = {.kind = "host",
                                    .route = "host: control flow",
                                    .ops = short_name(op),
                                    .place = "",
                                    .outputs = "",
                                    .flops = "0",
                                    .functions = "0",
                                    .bytes = "0",
                                    .why = "its regions run as kernels of their own"};
        hd_vec_push(&x->arena, &x->ops, op);
        hd_vec_push(&x->arena, &x->e.fusions, fusion);
      } else if (hd_op_is(op, HD_OP_memref_alloc)) {
        ++x->e.allocations;
      } else {
        ++x->e.host_ops;
      }
      for (uint32_t i = 0; i < op->region_count; ++i) hd_explaining_add_fusions(x, hd_op_region(op, i));
    }
}

/* The nodes of one block, as disc-fusion numbered them, and the blockers that it noted. */
typedef struct noted {
  const hd_block *block;
  int64_t node;
} noted;

static noted note_of(hd_op *op, hd_op *top) { return (noted){top->block, hd_discardable_node(op)}; }

/* The fusion that op |node| of the block is in, through |x->nodes|. */
static void keep_node(hd_explaining *x, hd_op *op, hd_op *top, uint32_t fusion) {
  noted key = note_of(op, top);
  if (key.node >= 0) hd_map_insert_bytes(&x->arena, &x->nodes, &key, sizeof key, NULL)->value.i64 = (int64_t)fusion + 1;
}

static void add_blockers(hd_explaining *x, hd_op *op, hd_op *top, uint32_t index) {
  hd_attr list = hd_discardable_fusion_blockers(op);
  hd_explain_fusion *fusion = &x->e.fusions.data[index];
  for (uint32_t i = 0; hd_attr_is(list, HD_ATTR_ARRAY) && i < list->array.count; ++i) {
    hd_attr pair = list->array.items[i];
    noted key = {top->block, pair->array.items[0]->integer};
    hd_map_entry *entry = hd_map_find_bytes(&x->nodes, &key, sizeof key);
    if (!entry || entry->value.i64 - 1 == index) continue; /* no kernel of the device */
    hd_explain_blocker blocker = {(uint32_t)(entry->value.i64 - 1), pair->array.items[1]->string->text};
    bool known = false;
    for (size_t k = 0; k < fusion->blockers.len; ++k) known |= fusion->blockers.data[k].fusion == blocker.fusion;
    if (!known) hd_vec_push(&x->arena, &fusion->blockers, blocker);
  }
}

static bool find_blockers(hd_op *op, void *user) {
  hd_explaining *x = user;
  hd_map_entry *entry = hd_map_find(&x->fusions, op);
  if (!entry) return true;
  uint32_t index = (uint32_t)(entry->value.i64 - 1);
  if (hd_op_is(op, HD_OP_lmhlo_fusion)) {
    /* Copies of inline ops have their op's blockers, which are not this kernel's. */
    hd_for_each_op(inner, hd_op_region(op, 0)->first)
      if (!is_inline(inner)) add_blockers(x, inner, op, index);
  } else {
    add_blockers(x, op, op, index);
  }
  return true;
}

/* What else than fusions uses the results of |op|, which no fusion reads. */
static const char *last_use(hd_op *op) {
  bool leaves = false, controls = false, host = false;
  hd_op *body = hd_op_is(op, HD_OP_lmhlo_fusion) ? hd_op_region(op, 0)->first->first : op;
  for (hd_op *inner = body; inner; inner = inner == op ? NULL : inner->next)
    for (uint32_t k = 0; inner->info->derived_from && k < hd_buffer_output_count(inner); ++k)
      hd_for_each_use(use, hd_buffer_root(hd_buffer_output(inner, k))) {
        hd_op *owner = use->owner;
        if (owner == op || hd_op_parent(owner) == op || hd_op_is(owner, HD_OP_memref_dealloc)) continue;
        leaves |= hd_op_is(owner, HD_OP_func_return);
        controls |= owner->region_count || hd_op_has_trait(owner, HD_TRAIT(TERMINATOR));
        host |= !owner->info->derived_from;
      }
  return leaves     ? "its result leaves the program"
         : controls ? "a loop or branch takes its result"
         : host     ? "the host reads its result"
                    : "nothing reads its result";
}

static bool reads_fusion(const hd_explain_fusion *fusion, size_t other) {
  for (size_t r = 0; r < fusion->reads.len; ++r)
    if (fusion->reads.data[r] == other) return true;
  return false;
}

void hd_explaining_say_why(hd_explaining *x, hd_op *func) {
  hd_walk_pre(func, find_blockers, x);
  for (size_t i = 0; i < x->e.fusions.len; ++i) {
    hd_explain_fusion *fusion = &x->e.fusions.data[i];
    if (*fusion->why) continue;
    for (size_t k = 0; k < x->e.fusions.len && !*fusion->why; ++k)
      for (size_t r = 0; r < x->e.fusions.data[k].blockers.len; ++r)
        if (x->e.fusions.data[k].blockers.data[r].fusion == i && reads_fusion(&x->e.fusions.data[k], i)) {
          fusion->why = hd_arena_printf(&x->arena, "fusion %zu: %s", k, x->e.fusions.data[k].blockers.data[r].why);
          break;
        }
    for (size_t k = 0; k < x->e.fusions.len && !*fusion->why; ++k)
      for (size_t r = 0; r < x->e.fusions.data[k].reads.len; ++r)
        if (x->e.fusions.data[k].reads.data[r] == i) {
          bool here = x->ops.data[k]->block == x->ops.data[i]->block;
          fusion->why = hd_arena_printf(
              &x->arena, here ? "fusion %zu reads it from memory" : "fusion %zu reads it in another block", k);
          break;
        }
    if (!*fusion->why) fusion->why = last_use(x->ops.data[i]);
  }
}

void hd_explaining_note_joined(hd_explaining *x) {
  for (size_t i = 0; i < x->e.fusions.len; ++i) {
    hd_explain_fusion *fusion = &x->e.fusions.data[i];
    bool joined = hd_op_is(x->ops.data[i], HD_OP_lmhlo_fusion) && hd_discardable_joined(x->ops.data[i]);
    for (size_t k = 0; k < x->e.fusions.len && joined; ++k) {
      if (!reads_fusion(&x->e.fusions.data[k], i)) continue;
      fusion->outputs = hd_arena_printf(&x->arena, "%s, a strip of rows at a time", fusion->outputs);
      fusion->why = hd_arena_printf(&x->arena, "fusion %zu: it takes up each strip while that is in the cache", k);
    }
  }
}
