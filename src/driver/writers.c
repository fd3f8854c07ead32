/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/writers.h"

#include <string.h>

#include "analysis/buffer_deps.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "ir/ops/discardable.h"
#include "ir/ops/hd.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/llvm.h"
#include "runtime/libraries/gemm_abi.h"

static bool is_api(const hd_op *op, const char *prefix) {
  return hd_op_is(op, HD_OP_hd_ral_call) && hd_str_starts(hd_hd_ral_call_api(op), prefix);
}

static bool gives_the_same(const hd_op *op) {
  return hd_op_has_trait(op, HD_TRAIT(VIEW_LIKE)) || hd_op_is(op, HD_OP_memref_extract_aligned_pointer_as_index) ||
         hd_op_is(op, HD_OP_arith_index_cast) || hd_op_is(op, HD_OP_hd_memref) || hd_op_is(op, HD_OP_scf_while);
}

/* Values that stand for the memory of one output: views, pointers, and word lists that hold one. */
typedef struct family {
  hd_map known; /* hd_value -> itself */
  hd_vec(hd_value *) queue;
  hd_arena *arena;
} family;

static void add(family *f, hd_value *value) {
  if (hd_map_get(&f->known, value)) return;
  hd_map_set(f->arena, &f->known, value, value);
  hd_vec_push(f->arena, &f->queue, value);
}

static void gather(family *f, hd_value *value) {
  add(f, value);
  for (size_t at = 0; at < f->queue.len; ++at) {
    hd_value *v = f->queue.data[at];
    hd_op *def = hd_value_op(v);
    if (def && gives_the_same(def))
      for (uint32_t i = 0; i < def->operand_count; ++i)
        if (hd_operand_type(def, i) == v->type || !hd_op_is(def, HD_OP_scf_while))
          if (i == 0 || hd_op_is(def, HD_OP_scf_while)) add(f, hd_operand(def, i));
    hd_for_each_use(use, v) {
      hd_op *user = use->owner;
      if (gives_the_same(user) && use->index == 0 && !hd_op_is(user, HD_OP_scf_while)) add(f, hd_result(user, 0));
      if (hd_op_is(user, HD_OP_memref_store) && use->index == 0) add(f, hd_operand(user, 1));
    }
  }
}

typedef struct search {
  const family *f;
  hd_op *entry, *found;
} search;

/* Does the kernel store to its argument |value|? */
static bool is_stored_to(hd_value *value) {
  hd_for_each_use(use, value) {
    hd_op *user = use->owner;
    bool source = hd_op_is(user, HD_OP_memref_copy) && use->index == 0;
    if (hd_op_has_trait(user, HD_TRAIT(WRITES)) && !source) return true;
    if (gives_the_same(user) && use->index == 0 && is_stored_to(hd_result(user, 0))) return true;
  }
  return false;
}

static hd_op *kernel_of(hd_op *entry, hd_op *op) {
  bool names =
      hd_op_is(op, HD_OP_hd_launch) || hd_op_is(op, HD_OP_gpu_launch_func) || hd_op_is(op, HD_OP_hd_kernel_index);
  hd_attr symbol = names ? hd_launch_like_kernel(op) : NULL;
  for (uint32_t i = 0; !symbol && i < op->operand_count; ++i) {
    hd_op *def = hd_value_op(hd_operand(op, i));
    if (hd_op_is(def, HD_OP_hd_kernel_index)) symbol = hd_launch_like_kernel(def);
  }
  return hd_attr_is(symbol, HD_ATTR_SYMBOL) ? hd_symbol_resolve(entry, symbol) : NULL;
}

static bool stores_to_argument(hd_op *kernel, uint64_t index) {
  hd_block *body = kernel && kernel->region_count ? hd_op_region(kernel, 0)->first : NULL;
  return body && index < body->arg_count && is_stored_to(body->args[index]);
}

/* Does |op| write to the family's memory? Kernels by what they store to, library calls to their output, or by the words
 * that they give to their epilogue, whose own follow those of hd_gemm_epilogue. */
static bool writes_to(const search *s, hd_op *op) {
  enum { LAUNCH_OWN = 2, CALL_OUTPUT = 3, ATTENTION_OUTPUT = 4, CALL_WORDS = 8 };
  bool launch = hd_op_is(op, HD_OP_hd_launch);
  bool library = is_api(op, "ral_dot_general") || is_api(op, "ral_convolution");
  bool attention = is_api(op, "ral_attention");
  hd_op *kernel = kernel_of(s->entry, op);
  for (uint32_t i = 0; i < op->operand_count; ++i) {
    hd_value *value = hd_operand(op, i);
    if (!hd_map_get(&s->f->known, value)) continue;
    if (launch) {
      if (i >= LAUNCH_OWN && stores_to_argument(kernel, i - LAUNCH_OWN)) return true;
    } else if (attention) {
      if (i == ATTENTION_OUTPUT) return true;
    } else if (library && i == CALL_WORDS) {
      hd_for_each_use(use, value) {
        hd_op *store = use->owner;
        if (!hd_op_is(store, HD_OP_memref_store) || use->index != 1 || store->operand_count != 3 ||
            !hd_map_get(&s->f->known, hd_operand(store, 0)))
          continue;
        hd_attr number = hd_value_constant(hd_operand(store, 2));
        if (hd_attr_is(number, HD_ATTR_INTEGER) &&
            stores_to_argument(kernel, HD_WORDS(hd_gemm_epilogue) + (uint64_t)number->integer))
          return true;
      }
    } else if (library) {
      if (i == CALL_OUTPUT && !kernel) return true;
    } else if (is_api(op, "ral_copy")) {
      if (i == 1) return true;
    } else if (hd_op_is(op, HD_OP_hd_ral_call)) {
      if (!is_api(op, "ral_free") && !is_api(op, "ral_retain") && !is_api(op, "ral_send_output") &&
          !is_api(op, "ral_alloc") && !is_api(op, "ral_recv") && i + 1 == op->operand_count)
        return true;
    } else if (op->info->derived_from && i + (uint32_t)hd_discardable_outputs(op) >= op->operand_count) {
      return true;
    }
  }
  return false;
}

static bool look(hd_op *op, void *user) {
  search *s = user;
  if (writes_to(s, op)) s->found = op;
  return true;
}

static void write_places(hd_loc loc, hd_strbuf *out, unsigned *count) {
  if (!loc || *count >= 4) return;
  if (loc->kind == HD_ATTR_LOC_FILE) {
    hd_strbuf_printf(out, "%s%s:%u:%u", (*count)++ ? ", " : "", loc->loc.name->text, loc->loc.line, loc->loc.column);
    return;
  }
  if (loc->kind == HD_ATTR_LOC_UNKNOWN) return;
  for (uint32_t i = 0; i < loc->loc.count; ++i) write_places(loc->loc.children[i], out, count);
}

/* The memref that |entry| gives as output |index|. */
typedef struct output_search {
  size_t index;
  hd_value *found;
} output_search;

static bool find_output(hd_op *op, void *user) {
  output_search *s = user;
  if (hd_op_is(op, HD_OP_func_return) && s->index < op->operand_count) s->found = hd_operand(op, (uint32_t)s->index);
  if (!is_api(op, "ral_send_output") || op->operand_count != 2) return true;
  hd_attr value = hd_value_constant(hd_operand(op, 0));
  if (hd_attr_is(value, HD_ATTR_INTEGER) && value->integer == (int64_t)s->index) s->found = hd_operand(op, 1);
  return true;
}

/* What |op| runs, by the attributes and names that the passes leave. */
static hd_str name_of(hd_op *op) {
  hd_op *kernel = kernel_of(op, op);
  hd_str name = hd_discardable_kernel_name(op);
  if (kernel) return hd_symbol_name(kernel);
  if (name.len) return name;
  name = hd_op_is(op, HD_OP_hd_ral_call) ? hd_hd_ral_call_api(op) : HD_STR("");
  if (hd_str_starts(name, "ral_gpu_launch") && op->operand_count > 1) {
    hd_op *address = hd_value_op(hd_operand(op, 1));
    hd_op *text = hd_op_is(address, HD_OP_llvm_mlir_addressof)
                      ? hd_symbol_resolve(op, hd_llvm_mlir_addressof_global_name(address))
                      : NULL;
    hd_str value = hd_op_is(text, HD_OP_llvm_mlir_global) ? hd_attr_text(hd_llvm_mlir_global_value(text)) : HD_STR("");
    if (value.len) return (hd_str){value.data, value.len - 1}; /* without the 0 at its end */
  }
  for (size_t n = 0; n + 3 <= name.len; ++n)
    if (!memcmp(name.data + n, "___", 3)) return (hd_str){name.data, n};
  return name.len ? name : hd_ident_str(op->name);
}

hd_writer hd_writer_of_op(hd_op *op, hd_arena *arena) {
  hd_strbuf place;
  unsigned count = 0;
  hd_strbuf_init(&place, arena);
  write_places(op->loc, &place, &count);
  hd_str name = name_of(op);
  return (hd_writer){hd_arena_copy(arena, name.data, name.len), hd_strbuf_text(&place)};
}

hd_writer hd_writer_of_origin(hd_op *origin, hd_arena *arena) {
  if (is_api(origin, "ral_constant")) return (hd_writer){"constant", hd_writer_of_op(origin, arena).place};
  if (!is_api(origin, "ral_recv_input") || !origin->operand_count) return (hd_writer){NULL, ""};
  hd_attr value = hd_value_constant(hd_operand(origin, 0));
  if (!hd_attr_is(value, HD_ATTR_INTEGER)) return (hd_writer){NULL, ""};
  return (hd_writer){hd_arena_printf(arena, "argument %lld", (long long)value->integer), ""};
}

hd_writer hd_writer_of_output(hd_op *entry, size_t index, hd_arena *arena) {
  output_search output = {index, NULL};
  hd_walk_pre(entry, find_output, &output);
  if (!output.found || !hd_type_is(output.found->type, HD_TYPE_MEMREF)) return (hd_writer){NULL, ""};
  family f = {.arena = arena};
  gather(&f, output.found);
  search s = {&f, entry, NULL};
  hd_walk_pre(entry, look, &s);
  if (!s.found) return (hd_writer){NULL, ""};
  return hd_writer_of_op(s.found, arena);
}
