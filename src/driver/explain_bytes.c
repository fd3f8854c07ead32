/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes a fusion and each of its kernels move: of what is read in part (a slice, rows that are gathered), that
 * part. These are the least bytes: what a kernel reads twice counts once, and a buffer of unknown size between two
 * kernels of a fusion not at all. */
#include "analysis/buffer_deps.h"
#include "analysis/buffer_op.h"
#include "driver/explaining.h"
#include "ir/ops/interfaces.h"

static hd_dim elements_of(hd_explaining *x, hd_value *buffer) { return hd_shapes_num_elements(x->shapes, buffer); }

/* Does |op| read of operand |i| no more elements than its result has? */
static bool reads_a_part(const hd_op *op, uint32_t i) {
  bool once = hd_op_info_of(hd_buffer_opcode(op))->traits & HD_TRAIT(READS_ONCE);
  return i == 0 && (once || hd_is_gather_like(op));
}

/* Elements of |buffer|, which is made elsewhere, that |ops| read: parts may be the same ones, so at most all. */
static hd_dim elements_read(hd_explaining *x, hd_op *const *ops, size_t count, hd_value *buffer) {
  hd_dim_table *table = &x->shapes->table;
  hd_dim all = elements_of(x, buffer), read = hd_dim_const(table, 0);
  for (size_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < hd_buffer_input_count(ops[i]); ++k) {
      if (hd_operand(ops[i], k) != buffer) continue;
      hd_dim part = reads_a_part(ops[i], k) ? elements_of(x, hd_buffer_output(ops[i], 0)) : NULL;
      if (!part || !all) return all;
      read = hd_dim_add(table, read, part);
    }
  return hd_dim_min(table, read, all);
}

static hd_dim bytes_of(hd_explaining *x, hd_value *buffer, hd_dim elements) {
  hd_dim_table *table = &x->shapes->table;
  int64_t size = (int64_t)hd_type_element_bytes(hd_type_element(buffer->type));
  return elements ? hd_dim_mul(table, elements, hd_dim_const(table, size)) : NULL;
}

typedef struct traffic {
  hd_value *buffer;
  uint64_t fusion;
} traffic;

hd_dim hd_explaining_buffer_bytes(hd_explaining *x, uint32_t fusion, hd_op *const *ops, size_t count, hd_value *buffer,
                                  bool is_made_here) {
  hd_dim elements = is_made_here ? elements_of(x, buffer) : elements_read(x, ops, count, buffer);
  hd_dim bytes = bytes_of(x, buffer, elements);
  traffic key = {hd_buffer_root(buffer), fusion};
  hd_map_insert_bytes(&x->arena, &x->traffic, &key, sizeof key, NULL)->value.ptr = (void *)bytes;
  return bytes;
}

/* Bytes of |buffer| that a kernel of |fusions| moves; null: not known. */
static hd_dim launch_bytes(hd_explaining *x, const hd_explain_kernel *fusions, hd_value *buffer) {
  hd_dim sum = NULL;
  for (size_t i = 0; i < fusions->fusions.len; ++i) {
    traffic key = {hd_buffer_root(buffer), fusions->fusions.data[i]};
    hd_map_entry *entry = hd_map_find_bytes(&x->traffic, &key, sizeof key);
    hd_dim bytes = entry ? entry->value.ptr : NULL;
    if (bytes) sum = sum ? hd_dim_max(&x->shapes->table, sum, bytes) : bytes;
    if (entry && !bytes) return NULL;
  }
  if (sum) return sum;
  int64_t known = hd_type_num_elements(buffer->type); /* between kernels of the fusion */
  return hd_dim_const(&x->shapes->table,
                      known < 0 ? 0 : known * (int64_t)hd_type_element_bytes(buffer->type->shaped.element));
}

void hd_explaining_add_launch_bytes(hd_explaining *x, const hd_op *launch, hd_explain_kernel *kernel) {
  hd_explain_kernel fusions = {0};
  hd_map seen = {0};
  hd_explaining_note_fusion(x, launch->loc, &fusions);
  if (kernel->launches == 1) kernel->bytes = hd_dim_const(&x->shapes->table, 0);
  for (uint32_t i = 0; i < launch->operand_count; ++i) {
    hd_value *buffer = hd_operand(launch, i);
    bool is_new;
    if (buffer->type->kind != HD_TYPE_MEMREF) continue;
    hd_map_insert(&x->arena, &seen, hd_buffer_root(buffer), &is_new);
    if (!is_new) continue;
    hd_dim bytes = launch_bytes(x, &fusions, buffer);
    kernel->bytes = bytes && kernel->bytes ? hd_dim_add(&x->shapes->table, kernel->bytes, bytes) : NULL;
  }
}
