/* SPDX-License-Identifier: Apache-2.0 */
#include "driver/dump.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "text/text.h"

hd_status hd_dump_open(const char *folder, hd_dump *out) {
  *out = (hd_dump){.folder = folder};
  if (folder && mkdir(folder, 0777) && errno != EEXIST)
    return hd_make_status(HD_NOT_FOUND, "cannot make the folder '%s': %s", folder, strerror(errno));
  return HD_STATUS_OK;
}

static bool is_later_function(hd_module *module, hd_op *op) {
  if (!hd_op_is(op, HD_OP_func_func)) return false;
  hd_for_each_op(each, hd_module_body(module))
    if (hd_op_is(each, HD_OP_func_func)) return each != op;
  return false;
}

void hd_dump_after(hd_dump *dump, const hd_pass_info *info, hd_module *module, hd_op *op) {
  if (!dump->folder || !hd_is_ok(dump->failed)) return;
  if (!is_later_function(module, op)) ++dump->next;
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/%02u-%s.mlir", dump->folder, dump->next - 1, info->name);
  if (length < 0 || (size_t)length >= sizeof path) {
    dump->failed = hd_make_status(HD_INVALID_ARGUMENT, "the dump folder's name is too long");
    return;
  }
  hd_arena scratch;
  hd_scratch_init(&scratch, NULL);
  hd_strbuf text;
  hd_strbuf_init(&text, &scratch);
  hd_text_print(module->op, NULL, &text);
  dump->failed = hd_file_write(path, hd_strbuf_text(&text), text.len);
  hd_arena_free(&scratch);
}

hd_status hd_dump_close(hd_dump *dump) {
  hd_status failed = dump->failed;
  dump->failed = HD_STATUS_OK;
  return failed;
}
