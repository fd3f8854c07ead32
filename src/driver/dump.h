/* SPDX-License-Identifier: Apache-2.0 */
/* The IR after every pass, as files of a folder (--dump-to). */
#ifndef HD_DRIVER_DUMP_H_
#define HD_DRIVER_DUMP_H_

#include "pass/pass.h"

typedef struct hd_dump {
  const char *folder; /* null: nothing is written */
  unsigned next;      /* the number of the next pass */
  hd_status failed;   /* the first file that could not be written, after which none is tried */
} hd_dump;

/* Makes the folder where there is none. */
hd_status hd_dump_open(const char *folder, hd_dump *out_dump) HD_MUST_USE;
/* Writes |module| to DIR/NN-pass.mlir after |info| has run on |op|. A pass that runs on one function after the other
 * has one file: what the last has left. */
void hd_dump_after(hd_dump *dump, const hd_pass_info *info, hd_module *module, hd_op *op);
/* What could not be written. Of a zeroed dump too; taken once. */
hd_status hd_dump_close(hd_dump *dump) HD_MUST_USE;

#endif
