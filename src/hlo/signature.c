/* SPDX-License-Identifier: Apache-2.0 */
/* What text says twice: the shape of an operand before its name, the signature of a computation and the
 * entry_computation_layout of the module. Layouts may differ, since they say how a caller has the memory; a bound and a
 * size agree where they are the same number. */
#include "hlo/syntax.h"
#include "ir/infer.h"

static int64_t most(hd_type type, uint32_t i) {
  int64_t dim = hd_type_dim(type, i);
  return dim != HD_DYNAMIC ? dim : hd_attr_int_at_or(hd_type_bounds(type), i, HD_DYNAMIC);
}

static bool same_array(hd_type a, hd_type b) {
  if (a == b) return true;
  if (!hd_type_is(a, HD_TYPE_TENSOR) || !hd_type_is(b, HD_TYPE_TENSOR)) return false;
  bool same = hd_type_element(a) == hd_type_element(b) && hd_type_rank(a) == hd_type_rank(b);
  for (uint32_t i = 0; same && i < hd_type_rank(a); ++i) same = most(a, i) == most(b, i);
  return same;
}

static bool same_shape(const hd_hlo_shape *a, const hd_hlo_shape *b) {
  if (a->type || b->type) return a->type && b->type && same_array(a->type, b->type);
  bool same = a->count == b->count;
  for (uint32_t i = 0; same && i < a->count; ++i) same = same_shape(&a->elements[i], &b->elements[i]);
  return same;
}

const char *hd_hlo_type_text(hd_hlo_reader *r, hd_type type) {
  hd_strbuf text;
  hd_strbuf_init(&text, &r->scratch);
  return hd_hlo_put_array(type, &text) ? hd_strbuf_text(&text) : "another type";
}

static void put_shape(const hd_hlo_shape *shape, hd_strbuf *out) {
  if (shape->type) {
    hd_hlo_put_array(shape->type, out);
    return;
  }
  hd_strbuf_putc(out, '(');
  for (uint32_t i = 0; i < shape->count && out->len < 400; ++i) {
    if (i) hd_strbuf_puts(out, ", ");
    put_shape(&shape->elements[i], out);
  }
  hd_strbuf_puts(out, out->len < 400 ? ")" : " ...");
}

const char *hd_hlo_shape_text(hd_hlo_reader *r, const hd_hlo_shape *shape) {
  hd_strbuf text;
  hd_strbuf_init(&text, &r->scratch);
  put_shape(shape, &text);
  return hd_strbuf_text(&text);
}

static bool contradicts(hd_hlo_reader *r, const char *at, const hd_hlo_shape *is, const char *whose,
                        const hd_hlo_shape *said) {
  return hd_hlo_fail(r, at, "expected %s, the shape of %s, got %s", hd_hlo_shape_text(r, is), whose,
                     hd_hlo_shape_text(r, said));
}

bool hd_hlo_check_shape(hd_hlo_reader *r, const char *at, const hd_hlo_inst *inst, const hd_hlo_shape *said) {
  if (same_shape(&inst->shape, said)) return true;
  return contradicts(r, at, &inst->shape, hd_arena_printf(&r->scratch, "'%.*s'", (int)inst->name.len, inst->name.data),
                     said);
}

/* x: f32[] or f32[] */
static bool parse_parameter(hd_hlo_cursor *c, hd_hlo_said *out) {
  hd_hlo_cursor look = *c;
  hd_hlo_accept(&look, '%');
  if (hd_hlo_word(&look).len && hd_hlo_accept(&look, ':')) *c = look;
  hd_hlo_more(c);
  out->at = c->at;
  return hd_hlo_parse_shape(c, &out->shape);
}

bool hd_hlo_parse_signature(hd_hlo_cursor *c, hd_hlo_signature *out) {
  *out = (hd_hlo_signature){.at = c->at, .given = true};
  if (!hd_hlo_accept(c, ')')) {
    do {
      hd_hlo_said param;
      if (!parse_parameter(c, &param)) return false;
      hd_vec_push(&c->r->scratch, &out->params, param);
    } while (hd_hlo_accept(c, ','));
    if (!hd_hlo_expect(c, ')')) return false;
  }
  if (!hd_hlo_accept(c, '-') || !hd_hlo_accept(c, '>')) return hd_hlo_expected(c, "'->'");
  hd_hlo_more(c);
  out->result.at = c->at;
  return hd_hlo_parse_shape(c, &out->result.shape);
}

bool hd_hlo_check_signature(hd_hlo_reader *r, const hd_hlo_computation *computation, const hd_hlo_signature *said) {
  if (!said->given) return true;
  if (said->params.len != computation->params.len)
    return hd_hlo_fail(r, said->at, "expected %zu parameters, got %zu", computation->params.len, said->params.len);
  for (size_t i = 0; i < said->params.len; ++i) {
    const hd_hlo_shape *is = &computation->insts.data[computation->params.data[i]].shape;
    const hd_hlo_said *param = &said->params.data[i];
    if (!same_shape(is, &param->shape))
      return contradicts(r, param->at, is, hd_arena_printf(&r->scratch, "parameter %zu", i), &param->shape);
  }
  return hd_hlo_check_shape(r, said->result.at, &computation->insts.data[computation->root], &said->result.shape);
}
