/* SPDX-License-Identifier: Apache-2.0 */
/* The check dialect: expectations. One that does not hold is reported at its op with the worst element, counted, and
 * the run goes on. */
#include "eval/graph/check.h"

#include "eval/core/state.h"
#include "ir/ops/check.h"
#include "ir/ops/interfaces.h"
#include "ir/ops/interpreter.h"

/* Appends |value| to the sights of probe |name|. */
static hd_status keep_probe(hd_eval_frame *frame, hd_str name, const hd_tensor *value) {
  hd_evaluator *e = frame->evaluator;
  hd_vec_push(&e->arena, &e->probes, (hd_probe){hd_ident_get(e->context, name), hd_tensor_retain(*value)});
  return HD_STATUS_OK;
}

/* Sight number |iteration| of probe |name| (1 is the first, 0 the latest), borrowed; null when there is none. */
static const hd_tensor *probe_at(hd_eval_frame *frame, hd_str name, int64_t iteration) {
  hd_evaluator *e = frame->evaluator;
  const hd_tensor *found = NULL;
  int64_t seen = 0;
  for (size_t i = 0; i < e->probes.len; ++i) {
    if (!hd_str_equal(hd_ident_str(e->probes.data[i].name), name)) continue;
    ++seen;
    if (iteration == 0 || seen == iteration) found = &e->probes.data[i].value;
  }
  return found;
}

#include <math.h>
#include <string.h>

/* How far two elements are apart, and whether that is allowed. */
typedef struct rule {
  hd_expectation kind;
  double tolerance;
  int64_t min_ulp, max_ulp;
} rule;

/* Patterns of a float format as integers that count steps: ... -denormal, 0, +denormal ... */
static int64_t float_steps(hd_float_kind kind, uint64_t bits) {
  const hd_float_format *format = &hd_float_formats[kind];
  if (format->special == HD_FLOAT_E8M0) return (int64_t)bits;
  uint64_t sign = 1ull << (format->bits - 1), magnitude = bits & (sign - 1);
  return bits & sign ? -(int64_t)magnitude : (int64_t)magnitude;
}

static bool floats_hold(const rule *r, hd_float_kind kind, uint64_t a_bits, uint64_t b_bits) {
  double a = hd_float_decode(kind, a_bits), b = hd_float_decode(kind, b_bits);
  switch (r->kind) {
    case HD_EXPECT_EQ:
      return a == b;
    case HD_EXPECT_ALMOST_EQ:
      if (a == b || (isnan(a) && isnan(b))) return true;
      return isfinite(a) && isfinite(b) && fabs(a - b) <= r->tolerance;
    case HD_EXPECT_CLOSE: {
      if (isnan(a) && isnan(b)) return r->min_ulp <= 0;
      if (isfinite(a) != isfinite(b) || isnan(a) || isnan(b) || (isinf(a) && a != b)) return false;
      uint64_t x = (uint64_t)float_steps(kind, a_bits), y = (uint64_t)float_steps(kind, b_bits);
      uint64_t distance = (int64_t)x > (int64_t)y ? x - y : y - x;
      return distance <= (uint64_t)r->max_ulp && (r->min_ulp < 0 || distance >= (uint64_t)r->min_ulp);
    }
  }
  return false;
}

static bool element_holds(const rule *r, hd_type element, const char *a, const char *b) {
  size_t bytes = hd_type_element_bytes(element);
  switch (hd_class_of(element)) {
    case HD_CLASS_INT: {
      int64_t x, y;
      hd_load_ints(element, a, 1, &x);
      hd_load_ints(element, b, 1, &y);
      if (r->kind != HD_EXPECT_CLOSE) return x == y;
      uint64_t distance = (hd_is_unsigned(element) ? (uint64_t)x > (uint64_t)y : x > y) ? (uint64_t)x - (uint64_t)y
                                                                                        : (uint64_t)y - (uint64_t)x;
      return distance <= (uint64_t)r->max_ulp && (r->min_ulp < 0 || distance >= (uint64_t)r->min_ulp);
    }
    case HD_CLASS_FLOAT: {
      uint64_t x = 0, y = 0;
      memcpy(&x, a, bytes);
      memcpy(&y, b, bytes);
      return floats_hold(r, element->float_kind, x, y);
    }
    case HD_CLASS_COMPLEX: {
      hd_type part = element->shaped.element;
      size_t half = bytes / 2;
      if (r->kind == HD_EXPECT_CLOSE) {
        /* the larger of the two distances counts for the lower bound */
        rule upper = *r;
        upper.min_ulp = 0;
        bool re = element_holds(&upper, part, a, b), im = element_holds(&upper, part, a + half, b + half);
        return re && im &&
               (r->min_ulp <= 0 || element_holds(r, part, a, b) || element_holds(r, part, a + half, b + half));
      }
      return element_holds(r, part, a, b) && element_holds(r, part, a + half, b + half);
    }
    default:
      return memcmp(a, b, bytes) == 0;
  }
}

static void write_element(hd_type element, const char *data, char *out, size_t room) {
  switch (hd_class_of(element)) {
    case HD_CLASS_INT: {
      int64_t x;
      hd_load_ints(element, data, 1, &x);
      if (hd_is_unsigned(element))
        snprintf(out, room, "%llu", (unsigned long long)x);
      else
        snprintf(out, room, "%lld", (long long)x);
      return;
    }
    case HD_CLASS_FLOAT: {
      double x;
      hd_load_doubles(element, data, 1, &x);
      snprintf(out, room, "%.9g", x);
      return;
    }
    case HD_CLASS_COMPLEX: {
      double complex z;
      hd_load_complex(element, data, 1, &z);
      snprintf(out, room, "(%.9g, %.9g)", creal(z), cimag(z));
      return;
    }
    default:
      snprintf(out, room, "?");
      return;
  }
}

static hd_status judge(hd_eval_frame *frame, hd_op *op, const rule *r, const hd_tensor *a, const hd_tensor *b,
                       bool *holds) {
  *holds = false;
  if (!hd_tensor_is_tensor(a) || !hd_tensor_is_tensor(b))
    return hd_make_status(HD_INVALID_ARGUMENT, "expected tensors");
  if (hd_tensor_element(a) != hd_tensor_element(b) || hd_tensor_rank(a) != hd_tensor_rank(b) ||
      !hd_dims_equal(hd_tensor_rank(a), hd_tensor_dims(a), hd_tensor_dims(b))) {
    hd_eval_check_failed(frame, op, "expected %s, got %s%s", hd_dims_text(hd_tensor_rank(b), hd_tensor_dims(b)),
                         hd_dims_text(hd_tensor_rank(a), hd_tensor_dims(a)),
                         hd_tensor_element(a) == hd_tensor_element(b) ? "" : " of another element type");
    return HD_STATUS_OK;
  }
  hd_type element = hd_tensor_element(a);
  size_t bytes = hd_type_element_bytes(element), count = hd_tensor_count(a), failed = 0, first = 0;
  const char *x = hd_tensor_data(a), *y = hd_tensor_data(b);
  for (size_t i = 0; i < count; ++i)
    if (!element_holds(r, element, x + i * bytes, y + i * bytes) && !failed++) first = i;
  if (!failed) {
    *holds = true;
    return HD_STATUS_OK;
  }
  char got[96], want[96];
  write_element(element, x + first * bytes, got, sizeof got);
  write_element(element, y + first * bytes, want, sizeof want);
  int64_t index[HD_MAX_RANK];
  size_t rest = first;
  for (uint32_t i = hd_tensor_rank(a); i-- > 0;) {
    index[i] = (int64_t)(rest % (size_t)hd_tensor_dims(a)[i]);
    rest /= (size_t)hd_tensor_dims(a)[i];
  }
  char place[256];
  size_t at = 0;
  place[0] = 0;
  for (uint32_t i = 0; i < hd_tensor_rank(a) && at < 200; ++i)
    at += (size_t)snprintf(place + at, sizeof place - at, "%s%lld", i ? ", " : "", (long long)index[i]);
  hd_eval_check_failed(frame, op, "%zu of %zu elements differ: at [%s] expected %s, got %s", failed, count, place, want,
                       got);
  return HD_STATUS_OK;
}

static hd_status expect(hd_eval_frame *frame, hd_op *op, const rule *r, const hd_tensor *a, const hd_tensor *b) {
  bool holds;
  return judge(frame, op, r, a, b, &holds);
}

hd_status hd_eval_expect(hd_eval_frame *frame, hd_op *op, hd_expectation kind, double tolerance, int64_t min_ulp,
                         int64_t max_ulp, const hd_tensor *actual, const hd_tensor *expected, bool *out_holds) {
  return judge(frame, op, &(rule){kind, tolerance, min_ulp, max_ulp}, actual, expected, out_holds);
}

/* Attribute `value` as a tensor, then the comparison. */
static hd_status expect_const(hd_eval_frame *frame, hd_op *op, const rule *r, const hd_tensor *actual) {
  hd_tensor expected;
  HD_TRY(hd_tensor_from_attr(hd_frame_heap(frame), hd_expecting_const_value(op), &expected));
  hd_status status = expect(frame, op, r, actual, &expected);
  hd_tensor_release(&expected);
  return status;
}

static rule almost(hd_op *op) {
  hd_attr tolerance = hd_with_tolerance_tolerance(op);
  return (rule){HD_EXPECT_ALMOST_EQ, hd_attr_is(tolerance, HD_ATTR_FLOAT) ? tolerance->floating.value : 1e-4, 0, 0};
}

static rule close_to(hd_op *op) {
  return (rule){HD_EXPECT_CLOSE, 0, hd_with_ulp_difference_min_ulp_difference(op),
                hd_with_ulp_difference_max_ulp_difference(op)};
}

static const rule equal = {HD_EXPECT_EQ, 0, 0, 0};

HD_EVAL_HOOK(check_expect_eq) { return expect(frame, op, &equal, &in[0], &in[1]); }
HD_EVAL_HOOK(check_expect_eq_const) { return expect_const(frame, op, &equal, &in[0]); }
HD_EVAL_HOOK(check_expect_almost_eq) {
  rule r = almost(op);
  return expect(frame, op, &r, &in[0], &in[1]);
}
HD_EVAL_HOOK(check_expect_almost_eq_const) {
  rule r = almost(op);
  return expect_const(frame, op, &r, &in[0]);
}
HD_EVAL_HOOK(check_expect_close) {
  rule r = close_to(op);
  return expect(frame, op, &r, &in[0], &in[1]);
}
HD_EVAL_HOOK(check_expect_close_const) {
  rule r = close_to(op);
  return expect_const(frame, op, &r, &in[0]);
}

/* A value against the one that the probe of the same name saw in its |iteration|-th execution. */
HD_EVAL_HOOK(check_expect_serialized_eq) {
  hd_str probe = hd_check_expect_serialized_eq_probe_id(op);
  int64_t iteration = hd_check_expect_serialized_eq_iteration(op);
  const hd_tensor *seen = probe_at(frame, probe, iteration);
  if (!seen)
    return hd_make_status(HD_NOT_FOUND, "no probe '%.*s' with iteration %lld has run", (int)probe.len, probe.data,
                          (long long)iteration);
  return expect(frame, op, &equal, seen, &in[0]);
}

HD_EVAL_HOOK(interpreter_probe) {
  HD_TRY(keep_probe(frame, hd_interpreter_probe_probe_id(op), &in[0]));
  out[0] = hd_tensor_retain(in[0]);
  return HD_STATUS_OK;
}

/* As ral_print has it: f64 to its last digit. */
static void print_element(hd_type element, const char *data, char *out, size_t room) {
  double parts[2] = {0};
  bool complexes = hd_type_is(element, HD_TYPE_COMPLEX);
  hd_type real = complexes ? element->shaped.element : element;
  if (hd_type_is_integer(element, 1)) {
    snprintf(out, room, "%s", *data ? "true" : "false");
  } else if (hd_type_is_float(real, HD_F64)) {
    memcpy(parts, data, (complexes ? 2 : 1) * sizeof *parts);
    if (complexes)
      snprintf(out, room, "(%.17g, %.17g)", parts[0], parts[1]);
    else
      snprintf(out, room, "%.17g", parts[0]);
  } else {
    write_element(element, data, out, room);
  }
}

HD_EVAL_HOOK(interpreter_print) {
  const hd_eval_options *options = hd_frame_options(frame);
  if (!options->print || !hd_tensor_is_tensor(&in[0])) return HD_STATUS_OK;
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  if (in[0].type->context->print_type)
    in[0].type->context->print_type(&text, in[0].type);
  else
    hd_strbuf_puts(&text, hd_dims_text(hd_tensor_rank(&in[0]), hd_tensor_dims(&in[0])));
  hd_strbuf_puts(&text, " [");
  size_t count = hd_tensor_count(&in[0]), bytes = hd_tensor_element_bytes(&in[0]);
  for (size_t i = 0; i < count && i < 10000; ++i) {
    char one[96];
    print_element(hd_tensor_element(&in[0]), (const char *)hd_tensor_data(&in[0]) + i * bytes, one, sizeof one);
    hd_strbuf_printf(&text, "%s%s", i ? ", " : "", one);
  }
  hd_strbuf_puts(&text, count > 10000 ? ", ...]" : "]");
  options->print(options->print_user, hd_strbuf_text(&text));
  hd_arena_free(&scratch);
  return HD_STATUS_OK;
}
