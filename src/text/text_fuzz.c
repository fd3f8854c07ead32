/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a program: read, verified, printed; what was printed reads again and prints the same. */
#include <stdlib.h>

#include "ir/op.h"
#include "text/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct attempt {
  hd_context *context;
  hd_str source;
  hd_arena arena; /* of what is printed */
} attempt;

static void print(attempt *a, hd_module *module, hd_strbuf *out) {
  hd_strbuf_init(out, &a->arena);
  hd_text_print(module->op, &(hd_text_print_options){.locations = true}, out);
}

static hd_status round_trip(void *argument) {
  attempt *a = argument;
  hd_module *first, *second;
  hd_strbuf one, two;
  hd_text_install(a->context);
  HD_TRY(hd_text_parse(a->context, a->source, "fuzz", &first));
  if (hd_verify(first->op)) {
    print(a, first, &one);
    hd_status status = hd_text_parse(a->context, (hd_str){one.data, one.len}, "printed", &second);
    if (hd_is_ok(status)) {
      print(a, second, &two);
      if (one.len != two.len || memcmp(one.data, two.data, one.len)) abort(); /* printing is not a fixed point */
      hd_module_free(second);
    } else if (hd_status_code_of(status) != HD_RESOURCE_EXHAUSTED) {
      abort(); /* what a verified module prints does not read */
    }
    hd_status_ignore(status);
  }
  hd_module_free(first);
  return HD_STATUS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  attempt a = {.source = {(const char *)data, size}};
  hd_status status = hd_context_create(256u << 20, &a.context);
  hd_arena_init(&a.arena, NULL);
  if (hd_is_ok(status)) status = hd_guarded_call(round_trip, &a);
  hd_status_free(status);
  hd_arena_free(&a.arena);
  hd_context_release(a.context);
  return 0;
}
