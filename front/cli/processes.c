/* SPDX-License-Identifier: Apache-2.0 */
#include "processes.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

static const char *with_rank(hd_arena *arena, const char *text, int32_t rank) {
  static const char mark[] = "{rank}";
  if (!text || !strstr(text, mark)) return text;
  hd_strbuf out;
  hd_strbuf_init(&out, arena);
  for (const char *at; (at = strstr(text, mark)); text = at + sizeof mark - 1)
    hd_strbuf_printf(&out, "%.*s%d", (int)(at - text), text, rank);
  hd_strbuf_puts(&out, text);
  return hd_strbuf_text(&out);
}

hd_status hd_cli_join_processes(hd_arena *arena, const hd_cli_options *given, hd_cli_options *out,
                                hd_communicator **out_communicator) {
  const char *count = getenv("OMPI_COMM_WORLD_SIZE"); /* mpirun sets it */
  *out = *given;
  *out_communicator = NULL;
  if (!count || strtol(count, NULL, 10) < 2) return HD_STATUS_OK;
  HD_TRY(hd_communicator_create_mpi(NULL, out_communicator));
  int32_t rank = hd_communicator_rank(*out_communicator);
  for (size_t i = 0; i < out->inputs.len; ++i) out->inputs.data[i] = with_rank(arena, out->inputs.data[i], rank);
  out->outputs = with_rank(arena, out->outputs, rank);
  out->expect = with_rank(arena, out->expect, rank);
  out->profile = with_rank(arena, out->profile, rank);
  out->seed += (uint64_t)rank;
  return HD_STATUS_OK;
}
