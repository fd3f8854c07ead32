/* SPDX-License-Identifier: Apache-2.0 */
/* The door: the header, the entry and what it calls. */
#include "hlo/print.h"
#include "hlo/syntax.h"
#include "ir/program_entry.h"

static void put_donations(hd_hlo_writer *w, hd_op *entry) {
  hd_attr list = hd_op_attr_get(entry, HD_NAME_arg_attrs);
  uint32_t results = hd_op_region(entry, 0)->first->last->operand_count, count = 0;
  for (uint32_t i = 0; hd_attr_is(list, HD_ATTR_ARRAY) && i < list->array.count; ++i) {
    int64_t result = hd_attr_int_or(hd_dict_get(list->array.items[i], HD_NAME_tf_aliasing_output), -1);
    if (result < 0) continue;
    hd_strbuf_puts(w->out, count++ ? ", " : ", input_output_alias={ ");
    hd_strbuf_puts(w->out, "{");
    if (results != 1) hd_strbuf_printf(w->out, "%lld", (long long)result);
    hd_strbuf_printf(w->out, "}: (%u, {}, may-alias)", i);
  }
  if (count) hd_strbuf_puts(w->out, " }");
  count = 0;
  for (uint32_t i = 0; hd_attr_is(list, HD_ATTR_ARRAY) && i < list->array.count; ++i) {
    if (!hd_attr_bool_or(hd_dict_get(list->array.items[i], HD_NAME_jax_buffer_donor), false)) continue;
    hd_strbuf_printf(w->out, "%s(%u, {})", count++ ? ", " : ", buffer_donor={ ", i);
  }
  if (count) hd_strbuf_puts(w->out, " }");
}

static void put_header(hd_hlo_writer *w, hd_op *entry) {
  hd_str name = hd_symbol_name(w->module->op);
  hd_strbuf_puts(w->out, "HloModule ");
  hd_hlo_put_name(w->out, name.len ? name : HD_STR("module"));
  put_donations(w, entry);
  int64_t replicas = hd_op_int_attr(w->module->op, HD_NAME_mhlo_num_replicas, -1);
  int64_t partitions = hd_op_int_attr(w->module->op, HD_NAME_mhlo_num_partitions, -1);
  if (replicas >= 0) hd_strbuf_printf(w->out, ", replica_count=%lld", (long long)replicas);
  if (partitions >= 0) hd_strbuf_printf(w->out, ", num_partitions=%lld", (long long)partitions);
  hd_hlo_put_frontend_attributes(w->out, hd_op_attr_get(w->module->op, HD_NAME_mhlo_frontend_attributes));
  hd_strbuf_puts(w->out, "\n\n");
}

static hd_status print_guarded(void *user) {
  hd_hlo_writer *w = user;
  hd_op *entry = hd_program_entry(w->module, HD_STR(""), NULL);
  hd_block *block = entry && entry->region_count ? hd_op_region(entry, 0)->first : NULL;
  if (!hd_op_is(entry, HD_OP_func_func) || !block || block->next || !block->last) {
    hd_error(w->context, w->module->op->loc, "expected what HLO text can say, one public function of one block, got %s",
             block ? "several blocks" : "none");
    return hd_failed(w->context);
  }
  put_header(w, entry);
  hd_hlo_reserve_names(w);
  hd_hlo_body body = {.block = block, .func = entry, .entry = true};
  return hd_hlo_print_computation(w, &body) ? HD_STATUS_OK : hd_failed(w->context);
}

hd_status hd_hlo_print(hd_module *module, hd_strbuf *out) {
  hd_hlo_writer w = {.context = module->context, .module = module, .out = out};
  hd_scratch_init(&w.scratch, &module->context->budget);
  hd_status status = hd_guarded_call(print_guarded, &w);
  hd_arena_free(&w.scratch);
  return status;
}
