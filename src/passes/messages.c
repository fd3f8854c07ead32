/* SPDX-License-Identifier: Apache-2.0 */
#include "passes/messages.h"

#include "ir/ops/discardable.h"
#include "shape/place.h"

static int64_t number_of(hd_messages *m, hd_attr message) {
  hd_map_entry *entry = hd_map_insert(&m->pass->arena, &m->numbers, message, NULL);
  if (!entry->value.i64) {
    hd_vec_push(&m->pass->arena, &m->list, message);
    entry->value.i64 = (int64_t)m->list.len;
  }
  return entry->value.i64 - 1;
}

void hd_messages_begin(hd_messages *m, hd_pass *pass, hd_op *func) {
  *m = (hd_messages){.pass = pass, .func = func};
  hd_attr before = hd_discardable_messages(func);
  for (size_t i = 0; before && i < hd_attr_count(before); ++i) {
    hd_attr message = before->array.items[i];
    hd_vec_push(&pass->arena, &m->list, message);
    hd_map_entry *entry = hd_map_insert(&pass->arena, &m->numbers, message, NULL);
    if (!entry->value.i64) entry->value.i64 = (int64_t)i + 1;
  }
}

void hd_messages_end(hd_messages *m) {
  hd_attr before = hd_discardable_messages(m->func);
  if (m->list.len > (before ? hd_attr_count(before) : 0))
    hd_discardable_set_messages(m->func, hd_attr_array(m->pass->context, m->list.data, m->list.len));
}

int64_t hd_message_add(hd_messages *m, const char *text) {
  return number_of(m, hd_attr_cstring(m->pass->context, text));
}

int64_t hd_message_add_at(hd_messages *m, hd_loc loc, const char *text) {
  hd_strbuf whole;
  hd_strbuf_init(&whole, &m->pass->arena);
  hd_shape_place_print(&whole, loc);
  if (whole.len) hd_strbuf_puts(&whole, ": ");
  hd_strbuf_puts(&whole, text);
  return hd_message_add(m, hd_strbuf_text(&whole));
}

int64_t hd_message_add_place(hd_messages *m, hd_loc loc) {
  hd_strbuf place;
  hd_strbuf_init(&place, &m->pass->arena);
  hd_shape_place_print(&place, loc);
  return place.len ? hd_message_add(m, hd_strbuf_text(&place)) : -1;
}
