/* SPDX-License-Identifier: Apache-2.0 */
/* hd_indexing_map_show: reads the maps, asks the analysis, prints. Text and JSON have the same lines. */
#include "heddle/indexing_map.h"

#include <stddef.h>
#include <string.h>

#include "analysis/indexing/access.h"
#include "base/options.h"
#include "driver/showing.h"

static const hd_warp warp = {.lanes = 32, .sector_bytes = 32, .banks = 32, .bank_bytes = 4};
enum { VECTOR_BITS = 128 };

typedef struct showing {
  hd_session session;
  hd_arena arena;
  const char *text;
  hd_indexing_map_options options;
  hd_indexing *in;
  hd_strbuf out;
  bool any; /* a line is written */
} showing;

/* ---- lines ---- */

static void begin(showing *s, const char *key) {
  if (s->options.json)
    hd_strbuf_printf(&s->out, "%s\"%s\": ", s->any ? ", " : "{", key);
  else
    hd_strbuf_printf(&s->out, "%-15s ", key);
  s->any = true;
}

static void end(showing *s) { hd_strbuf_puts(&s->out, s->options.json ? "" : "\n"); }

static void put_text(showing *s, const char *key, const char *text) {
  begin(s, key);
  if (s->options.json)
    hd_strbuf_put_json(&s->out, text);
  else
    hd_strbuf_puts(&s->out, text);
  end(s);
}

static void put_map(showing *s, const char *key, const hd_index_map *map) {
  hd_strbuf text;
  hd_strbuf_init(&text, &s->arena);
  hd_index_map_print(map, &text);
  put_text(s, key, hd_strbuf_text(&text));
}

/* |unit|: what is counted, for text. */
static void put_cost(showing *s, const char *key, bool known, const hd_access_cost *cost, const char *unit) {
  begin(s, key);
  long long least = (long long)cost->least, most = (long long)cost->most;
  if (!known)
    hd_strbuf_puts(&s->out, s->options.json ? "null" : "unknown");
  else if (s->options.json)
    hd_strbuf_printf(&s->out, "[%lld, %lld]", least, most);
  else if (least == most)
    hd_strbuf_printf(&s->out, "%lld%s", most, unit);
  else
    hd_strbuf_printf(&s->out, "%lld to %lld%s", least, most, unit);
  end(s);
}

/* ---- what accesses cost ---- */

static const char *variable_name(showing *s, const hd_index_map *map, uint32_t i) {
  if (map->variables[i].name) return map->variables[i].name;
  if (i < map->dim_count) return hd_arena_printf(&s->arena, "d%u", i);
  i -= map->dim_count;
  if (i < map->range_count) return hd_arena_printf(&s->arena, "s%u", i);
  return hd_arena_printf(&s->arena, "rt%u", i - map->range_count);
}

static hd_status find_thread(showing *s, const hd_index_map *map, uint32_t *out) {
  *out = 0;
  if (!s->options.thread) return HD_STATUS_OK;
  for (uint32_t i = 0; i < map->dim_count; ++i) {
    *out = i;
    if (!strcmp(variable_name(s, map, i), s->options.thread)) return HD_STATUS_OK;
  }
  return hd_make_status(HD_INVALID_ARGUMENT, "thread: expected a dim of the map, got '%s'", s->options.thread);
}

static void put_vectors(showing *s, const hd_index_map *position, uint32_t thread) {
  bool any = false;
  begin(s, "vectors");
  for (uint32_t i = 0; i < hd_index_variable_count(position); ++i) {
    int64_t n = i == thread ? 1 : hd_index_contiguity(position, i, VECTOR_BITS / s->options.element_bits);
    if (n < 2) continue;
    const char *name = variable_name(s, position, i);
    if (s->options.json) {
      hd_strbuf_puts(&s->out, any ? ", " : "{");
      hd_strbuf_put_json(&s->out, name);
      hd_strbuf_printf(&s->out, ": %lld", (long long)n);
    } else {
      hd_strbuf_printf(&s->out, "%s%lld elements along %s", any ? ", " : "", (long long)n, name);
    }
    any = true;
  }
  hd_strbuf_puts(&s->out, s->options.json ? any ? "}" : "{}" : any ? "" : "none");
  end(s);
}

static hd_status put_costs(showing *s, const hd_index_map *map) {
  const hd_index_map *position = map && map->result_count == 1 && !s->options.shape ? map : NULL;
  if (s->options.shape && map) {
    int64_t sizes[HD_MAX_RANK];
    uint32_t rank;
    HD_TRY(hd_read_sizes(s->options.shape, HD_MAX_RANK, sizes, &rank));
    if (rank != map->result_count)
      return hd_make_status(HD_INVALID_ARGUMENT, "shape: expected a size for each of %u results, got '%s'",
                            map->result_count, s->options.shape);
    hd_dim *dims = hd_new_array(&s->arena, hd_dim, rank);
    for (uint32_t i = 0; i < rank; ++i) dims[i] = hd_dim_const(s->in->table, sizes[i]);
    position = hd_index_map_linearize(map, dims);
    put_map(s, "position", position);
  }
  if (!position) return HD_STATUS_OK;
  uint32_t thread;
  hd_access_cost cost = {0};
  int64_t bytes = s->options.element_bits / 8;
  HD_TRY(find_thread(s, position, &thread));
  put_vectors(s, position, thread);
  bool known = hd_index_sectors(position, thread, bytes, &warp, &cost);
  put_cost(s, "sectors", known, &cost, " of 32 bytes for a request of a warp");
  known = hd_index_bank_conflicts(position, thread, bytes, &warp, &cost);
  put_cost(s, "bank conflicts", known, &cost, "");
  return HD_STATUS_OK;
}

/* ---- the door ---- */

static hd_status read_map(showing *s, const char *text, const char *name, hd_index_map **out) {
  *out = hd_index_map_parse(s->in, hd_str_of(text), name);
  return *out ? HD_STATUS_OK : hd_failed(s->session.context);
}

static void put_inverse(showing *s, const hd_index_map *map) {
  const hd_index_map *inverse = hd_index_map_inverse(map);
  if (inverse)
    put_map(s, "inverse", inverse);
  else /* several indices have one result */
    put_map(s, "converse", hd_index_map_converse(map, NULL));
}

static hd_status show(void *argument) {
  showing *s = argument;
  hd_index_map *map, *then;
  s->in = hd_indexing_create(&s->arena, s->session.context, NULL);
  HD_TRY(read_map(s, s->text, "map", &map));
  put_map(s, "map", map);
  map = hd_index_map_simplify(map);
  put_map(s, "simplified", map);
  if (s->options.then) {
    HD_TRY(read_map(s, s->options.then, "then", &then));
    if (map && then->dim_count != map->result_count)
      return hd_make_status(HD_INVALID_ARGUMENT, "then: expected a map of %u dims, as the first has results, got %u",
                            map->result_count, then->dim_count);
    map = hd_index_map_compose(map, then);
    put_map(s, "composed", map);
  }
  if (s->options.inverse) put_inverse(s, map);
  HD_TRY(put_costs(s, map));
  if (s->options.json) hd_strbuf_puts(&s->out, "}\n");
  return HD_STATUS_OK;
}

hd_status hd_indexing_map_show(const char *map, const hd_indexing_map_options *options, hd_message_sink sink,
                               hd_blob *out_text) {
  HD_REQUIRE(map);
  HD_REQUIRE(out_text);
  *out_text = (hd_blob){0};
  showing s = {.text = map};
  HD_TRY(hd_options_read("hd_indexing_map_options", options, &s.options, sizeof s.options));
  HD_TRY(hd_settle_element_bits(options, offsetof(hd_indexing_map_options, element_bits), &s.options.element_bits));
  return hd_show(&s.session, &s.arena, &s.out, show, &s, sink, out_text);
}
