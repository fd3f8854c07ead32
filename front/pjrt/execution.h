/* SPDX-License-Identifier: Apache-2.0 */
/* One execution on one device. */
#ifndef HD_FRONT_PJRT_EXECUTION_H_
#define HD_FRONT_PJRT_EXECUTION_H_

#include "plugin.h"

typedef struct hd_execution {
  hd_pjrt_program *program; /* retained */
  PJRT_Device *device;
  hd_communicator *communicator; /* retained; null on one device. It is let go with the execution: who waits for it in
                                  * a collective then gets an error */
  hd_promise *end;
  hd_promise **inputs;  /* retained */
  hd_promise **outputs; /* retained */
  bool *donated;      /* per input: its memory may be written; what is lifted is not; then per input: it was donated */
  int64_t *dims;      /* of all outputs, in order */
  bool dynamic;       /* some of them are known by the run alone */
  bool reads_host;    /* an input is memory that the host lends */
  hd_buffer **values; /* inputs, what is lifted, then outputs */
} hd_execution;

/* Everything that follows from the call: |*out| is ready to run, its outputs are buffers. On failure too it is the
 * caller's to free, unless null. */
hd_status hd_execution_prepare(PJRT_Device *device, hd_pjrt_program *program, const PJRT_ExecuteOptions *options,
                               PJRT_Buffer *const *arguments, PJRT_Buffer **outputs, hd_execution **out) HD_MUST_USE;
/* Runs |x| here or sends it off; takes it. */
hd_status hd_execution_start(hd_execution *x, PJRT_Buffer **outputs) HD_MUST_USE;
void hd_execution_free(hd_execution *x);

#endif
