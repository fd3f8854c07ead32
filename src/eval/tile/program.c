/* SPDX-License-Identifier: Apache-2.0 */
/* What a program of a grid knows of itself, and what it says: ids, assertions, prints. */
#include <string.h>

#include "base/strbuf.h"
#include "eval/core/scalar.h"
#include "eval/core/state.h"
#include "ir/ops/tt.h"
#include "ir/tile_types.h"

static hd_status check_grid(hd_eval_frame *frame) {
  return frame->thread ? HD_STATUS_OK : hd_make_status(HD_INVALID_ARGUMENT, "is used outside of a grid");
}

HD_EVAL_HOOK(tt_get_program_id) {
  HD_TRY(check_grid(frame));
  return hd_eval_int_result(frame, op, 0, frame->thread->block[hd_tt_get_program_id_axis(op)], out);
}

HD_EVAL_HOOK(tt_get_num_programs) {
  HD_TRY(check_grid(frame));
  return hd_eval_int_result(frame, op, 0, frame->thread->blocks[hd_tt_get_num_programs_axis(op)], out);
}

HD_EVAL_HOOK(tt_assert) {
  hd_str text = hd_tt_assert_message(op);
  for (size_t i = 0; i < hd_lanes_of(in[0].type); ++i)
    if (!((const char *)hd_tensor_data(&in[0]))[i])
      return hd_make_status(HD_INVALID_ARGUMENT, "assertion failed at element %zu: %.*s", i, (int)text.len, text.data);
  return HD_STATUS_OK;
}

static void put_element(hd_strbuf *text, const hd_tensor *value, size_t at, bool hex) {
  hd_type element = hd_type_element(value->type);
  const char *data = (const char *)hd_tensor_data(value) + at * hd_type_element_bytes(element);
  double number;
  if (hd_class_of(element) == HD_CLASS_FLOAT && !hex) {
    hd_load_doubles(element, data, 1, &number);
    hd_strbuf_printf(text, "%.9g", number);
  } else {
    hd_strbuf_printf(text, hex || hd_class_of(element) != HD_CLASS_INT ? "0x%llx" : "%lld",
                     (long long)hd_element_load(element, data));
  }
}

/* A line per element, with its program and its place, as a device prints them. */
HD_EVAL_HOOK(tt_print) {
  const hd_eval_options *options = hd_frame_options(frame);
  hd_str prefix = hd_tt_print_prefix(op);
  HD_TRY(check_grid(frame));
  if (!options->print) return HD_STATUS_OK;
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  for (uint32_t k = 0; k < op->operand_count; ++k)
    for (size_t i = 0; i < hd_lanes_of(in[k].type); ++i) {
      hd_strbuf text;
      hd_strbuf_init(&text, &scratch);
      hd_strbuf_printf(&text, "pid (%lld, %lld, %lld) element %zu%.*s", (long long)frame->thread->block[0],
                       (long long)frame->thread->block[1], (long long)frame->thread->block[2], i, (int)prefix.len,
                       prefix.data);
      put_element(&text, &in[k], i, hd_tt_print_hex(op));
      options->print(options->print_user, hd_strbuf_text(&text));
    }
  hd_arena_free(&scratch);
  return HD_STATUS_OK;
}

/* Any value: zero here, so that a run does not depend on what lay there. */
HD_EVAL_HOOK(ub_poison) {
  hd_type type = hd_result_type(op, 0);
  if (hd_type_is_row(type, HD_TYPE_ROW_ttg_async_token)) {
    *out = (hd_tensor){.type = type};
    return HD_STATUS_OK;
  }
  HD_TRY(hd_eval_value(frame, type, out));
  memset(hd_tensor_data(out), 0, out->buffer->size);
  return HD_STATUS_OK;
}
