/* SPDX-License-Identifier: Apache-2.0 */
/* The content of a function as one hash: the walk writes every op (name, operands, attributes, result types,
 * successors, regions) as bytes in which values, blocks and called functions are numbers in the order of their first
 * mention, and types and attributes are written out once and are numbers from then on. So names, symbols and locations
 * do not count, and equal content gives equal bytes in every process. */
#include "ir/content_hash.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"

typedef struct writer {
  hd_arena arena;
  hd_hash128_state hash;
  hd_map numbers; /* value, block, type, attribute or function -> number + 1 */
  int64_t next;
  hd_vec(hd_op *) pending; /* functions and globals mentioned, still to be written */
  hd_op *root;
  bool (*is_hole)(const hd_op *op); /* its attributes are left out; null: no op */
} writer;

static void put_u64(writer *w, uint64_t value) { hd_hash128_add(&w->hash, &value, sizeof value); }
static void put_text(writer *w, const char *text) { hd_hash128_add_string(&w->hash, text); }
static void put_bytes(writer *w, const void *data, size_t size) {
  put_u64(w, size);
  hd_hash128_add(&w->hash, data, size);
}

/* Writes the number of |key|; true when it is new, and its content must follow. */
static bool put_number(writer *w, const void *key) {
  bool is_new;
  hd_map_entry *entry = hd_map_insert(&w->arena, &w->numbers, key, &is_new);
  if (is_new) entry->value.i64 = ++w->next;
  put_u64(w, (uint64_t)entry->value.i64);
  return is_new;
}

static void put_attr(writer *w, hd_attr attr);

static void put_type(writer *w, hd_type type) {
  if (!type) {
    put_u64(w, 0);
    return;
  }
  if (!put_number(w, type)) return;
  put_u64(w, type->kind);
  switch (type->kind) {
    case HD_TYPE_INTEGER:
      put_u64(w, type->integer.width);
      put_u64(w, type->integer.signedness);
      break;
    case HD_TYPE_FLOAT:
      put_u64(w, type->float_kind);
      break;
    case HD_TYPE_FUNCTION:
    case HD_TYPE_TUPLE:
      put_u64(w, type->function.in_count);
      for (uint32_t i = 0; i < type->function.in_count; ++i) put_type(w, type->function.ins[i]);
      put_u64(w, type->kind == HD_TYPE_FUNCTION ? type->function.out_count : 0);
      for (uint32_t i = 0; type->kind == HD_TYPE_FUNCTION && i < type->function.out_count; ++i)
        put_type(w, type->function.outs[i]);
      break;
    case HD_TYPE_COMPLEX:
    case HD_TYPE_VECTOR:
    case HD_TYPE_TENSOR:
    case HD_TYPE_UNRANKED_TENSOR:
    case HD_TYPE_MEMREF:
    case HD_TYPE_UNRANKED_MEMREF:
      put_type(w, type->shaped.element);
      put_u64(w, type->shaped.rank);
      for (uint32_t i = 0; i < type->shaped.rank; ++i) put_u64(w, (uint64_t)type->shaped.dims[i]);
      put_attr(w, type->shaped.encoding);
      put_attr(w, type->shaped.layout);
      put_attr(w, type->shaped.space);
      break;
    case HD_TYPE_DIALECT: {
      const hd_attr_row_info *row = hd_type_row_info_of(type->dialect.row);
      put_text(w, row->dialect);
      put_text(w, row->name);
      for (uint32_t i = 0; i < type->dialect.param_count; ++i) put_attr(w, type->dialect.params[i]);
      break;
    }
    case HD_TYPE_OPAQUE:
      put_text(w, type->opaque.dialect->text);
      put_text(w, type->opaque.text->text);
      break;
    case HD_TYPE_QUANT: /* kernels have none; two of them never count as equal */
      put_u64(w, (uint64_t)(uintptr_t)type);
      break;
    default:
      break;
  }
}

static void put_affine(writer *w, hd_affine e) {
  put_u64(w, e ? (uint64_t)e->kind + 1 : 0);
  if (!e) return;
  put_u64(w, (uint64_t)e->value);
  put_affine(w, e->lhs);
  put_affine(w, e->rhs);
}

static void put_attr(writer *w, hd_attr attr) {
  if (!attr) {
    put_u64(w, 0);
    return;
  }
  if (!put_number(w, attr)) return;
  put_u64(w, attr->kind);
  put_type(w, attr->type);
  switch (attr->kind) {
    case HD_ATTR_INTEGER:
      put_u64(w, (uint64_t)attr->integer);
      if (attr->wide) put_bytes(w, attr->wide, hd_type_element_bytes(attr->type));
      break;
    case HD_ATTR_FLOAT:
      put_u64(w, attr->floating.bits);
      if (attr->wide) put_bytes(w, attr->wide, hd_type_element_bytes(attr->type));
      break;
    case HD_ATTR_STRING:
      put_text(w, attr->string->text);
      break;
    case HD_ATTR_TYPE:
      put_type(w, attr->type_value);
      break;
    case HD_ATTR_SYMBOL:
      put_text(w, attr->symbol.root->text);
      for (uint32_t i = 0; i < attr->symbol.count; ++i) put_text(w, attr->symbol.nested[i]->text);
      break;
    case HD_ATTR_ARRAY:
    case HD_ATTR_DENSE_STRINGS:
      put_u64(w, attr->array.count);
      for (uint32_t i = 0; i < attr->array.count; ++i) put_attr(w, attr->array.items[i]);
      break;
    case HD_ATTR_DICT:
      put_u64(w, attr->dict.count);
      for (uint32_t i = 0; i < attr->dict.count; ++i) {
        put_text(w, attr->dict.items[i].name->text);
        put_attr(w, attr->dict.items[i].value);
      }
      break;
    case HD_ATTR_DENSE:
    case HD_ATTR_DENSE_ARRAY:
      put_type(w, attr->dense.element);
      put_u64(w, attr->dense.splat);
      put_bytes(w, attr->dense.data, attr->dense.size);
      break;
    case HD_ATTR_AFFINE_MAP:
    case HD_ATTR_AFFINE_SET:
      put_u64(w, attr->affine.dims);
      put_u64(w, attr->affine.symbols);
      put_u64(w, attr->affine.count);
      for (uint32_t i = 0; i < attr->affine.count; ++i) {
        put_affine(w, attr->affine.results[i]);
        put_u64(w, attr->kind == HD_ATTR_AFFINE_SET && attr->affine.equality[i]);
      }
      break;
    case HD_ATTR_STRIDED:
      put_u64(w, (uint64_t)attr->strided.offset);
      put_u64(w, attr->strided.rank);
      for (uint32_t i = 0; i < attr->strided.rank; ++i) put_u64(w, (uint64_t)attr->strided.strides[i]);
      break;
    case HD_ATTR_ENUM: {
      const hd_attr_row_info *row = hd_attr_row_info_of(attr->enumerant.row);
      put_text(w, row->dialect);
      put_text(w, row->name);
      put_u64(w, (uint64_t)attr->enumerant.value);
      break;
    }
    case HD_ATTR_STRUCT: {
      const hd_attr_row_info *row = hd_attr_row_info_of(attr->structure.row);
      put_text(w, row->dialect);
      put_text(w, row->name);
      for (uint32_t i = 0; i < attr->structure.count; ++i) put_attr(w, attr->structure.params[i]);
      break;
    }
    case HD_ATTR_OPAQUE:
      put_text(w, attr->opaque.dialect->text);
      put_text(w, attr->opaque.text->text);
      break;
    case HD_ATTR_UNIT:
      break;
    default: /* resources, sparse and distinct attributes: never equal to another one */
      put_u64(w, (uint64_t)(uintptr_t)attr);
      break;
  }
}

/* What is said of people only: names, places. */
static bool is_decoration(const hd_context *context, hd_ident name) {
  static const hd_name names[] = {HD_NAME_sym_name, HD_NAME_sym_visibility, HD_NAME_hd_name, HD_NAME_hd_source};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (name == hd_name_ident(context, names[i])) return true;
  return false;
}

static void put_op(writer *w, hd_op *op);

static void put_region(writer *w, hd_region *region) {
  uint64_t blocks = 0;
  hd_for_each_block(block, region) ++blocks;
  put_u64(w, blocks);
  hd_for_each_block(block, region) {
    put_number(w, block);
    put_u64(w, block->arg_count);
    for (uint32_t i = 0; i < block->arg_count; ++i) {
      put_number(w, block->args[i]);
      put_type(w, block->args[i]->type);
    }
    hd_for_each_op(op, block) put_op(w, op);
    put_u64(w, UINT64_MAX);
  }
}

static void put_op(writer *w, hd_op *op) {
  put_text(w, op->name->text);
  put_u64(w, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; ++i) put_number(w, hd_operand(op, i));
  bool is_hole = w->is_hole && w->is_hole(op);
  hd_for_each_attr(attr, op) {
    hd_attr value = attr.value;
    if (is_hole || is_decoration(hd_op_context(op), attr.name)) continue;
    put_text(w, attr.name->text);
    /* A symbol stands for what it names. */
    hd_op *target = hd_attr_is(value, HD_ATTR_SYMBOL) ? hd_symbol_resolve(op, value) : NULL;
    if (!target)
      put_attr(w, value);
    else if (put_number(w, target))
      hd_vec_push(&w->arena, &w->pending, target);
  }
  put_u64(w, op->result_count);
  for (uint32_t i = 0; i < op->result_count; ++i) {
    put_number(w, hd_result(op, i));
    put_type(w, hd_result_type(op, i));
  }
  put_u64(w, op->successor_count);
  for (uint32_t i = 0; i < op->successor_count; ++i) put_number(w, op->successors[i]);
  put_u64(w, op->region_count);
  for (uint32_t i = 0; i < op->region_count; ++i) put_region(w, hd_op_region(op, i));
}

static hd_status write_all(void *user) {
  writer *w = user;
  put_number(w, w->root);
  put_op(w, w->root);
  while (w->pending.len) put_op(w, hd_vec_pop(&w->pending));
  return HD_STATUS_OK;
}

hd_hash128 hd_content_hash(hd_op *func) { return hd_content_hash_without(func, NULL); }

hd_hash128 hd_content_hash_without(hd_op *func, bool (*is_hole)(const hd_op *op)) {
  writer *w = calloc(1, sizeof *w);
  hd_hash128 none = {{0}};
  if (!w) hd_out_of_memory();
  hd_arena_init(&w->arena, NULL);
  hd_hash128_init(&w->hash);
  w->root = func;
  w->is_hole = is_hole;
  hd_status status = hd_guarded_call(write_all, w);
  hd_hash128 result = hd_is_ok(status) ? hd_hash128_finish(&w->hash) : none;
  bool failed = !hd_is_ok(status);
  hd_status_free(status);
  hd_arena_free(&w->arena);
  free(w);
  if (failed) hd_out_of_memory();
  return result;
}
