/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an indexing map: read in bounded memory; what reads prints as text that reads back to the same map, and
 * can be simplified, turned round and composed; simplifying does not change what it maps the ends of its ranges to. */
#include "analysis/indexing/map.h"
#include "ir/fuzzing.h"

static hd_str text_of(hd_indexing *in, const hd_index_map *map) {
  hd_strbuf out;
  hd_strbuf_init(&out, in->arena);
  hd_index_map_print(map, &out);
  return (hd_str){hd_strbuf_text(&out), out.len};
}

/* Are the results of |a| at the least, or greatest, indices of its dims those of |b|? */
static bool same_at_end(const hd_index_map *a, const hd_index_map *b, bool greatest) {
  int64_t at[HD_INDEX_MAX_VARIABLES], *x, *y;
  if (a->range_count || a->runtime_count || a->in->sizes.len) return true;
  x = hd_new_array(a->in->arena, int64_t, a->result_count);
  y = hd_new_array(a->in->arena, int64_t, a->result_count);
  for (uint32_t i = 0; i < a->dim_count; ++i)
    at[i] = greatest ? a->variables[i].range.upper : a->variables[i].range.lower;
  hd_index_outcome before = hd_index_map_eval(a, at, NULL, x);
  if (before == HD_INDEX_UNDEFINED) return true;
  hd_index_outcome after = hd_index_map_eval(b, at, NULL, y);
  if (after == HD_INDEX_UNDEFINED) return true; /* a number on the way may have become larger */
  return before == after && (before || !a->result_count || !memcmp(x, y, a->result_count * sizeof *x));
}

static hd_status run(hd_fuzz_job *j) {
  hd_indexing *in = hd_indexing_create(&j->context->arena, j->context, NULL);
  hd_index_map *map = hd_index_map_parse(in, hd_fuzz_text(j), "fuzz");
  if (!map) return HD_STATUS_OK;
  hd_str text = text_of(in, map);
  bool has_sizes = in->sizes.len != 0;
  hd_index_map *again = hd_index_map_parse(in, text, "again");
  if (!again || !hd_str_equal(text_of(in, again), text))
    return hd_make_status(HD_INTERNAL, "reads back as another map");
  hd_index_map *simple = hd_index_map_simplify(hd_index_map_copy(map, 0));
  if (simple && !has_sizes && !(same_at_end(map, simple, false) && same_at_end(map, simple, true)))
    return hd_make_status(HD_INTERNAL, "simplifies to another map");
  hd_index_map *converse = hd_index_map_converse(map, NULL);
  text_of(in, converse);
  if (converse) text_of(in, hd_index_map_compose(map, converse));
  return HD_STATUS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return size > 4096 ? 0 : hd_fuzz_in_context(data, size, NULL, run);
}
