/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernel or library call writes an output of a program in kernel form, and where in the source it comes from. */
#ifndef HD_DRIVER_WRITERS_H_
#define HD_DRIVER_WRITERS_H_

#include "ir/op.h"

typedef struct hd_writer {
  const char *name;  /* of the kernel, else of the runtime call; null when none was found */
  const char *place; /* "file:line:column" of the ops that it computes, comma-separated; "" when unknown */
} hd_writer;

/* |op| of a program at any level: a launch's kernel, a runtime call by its name up to the types, else the op's name. */
hd_writer hd_writer_of_op(hd_op *op, hd_arena *arena);
/* What gave memory to the program: "argument 0", "constant"; no name for memory of its own. */
hd_writer hd_writer_of_origin(hd_op *origin, hd_arena *arena);
/* The last writer of output |index| of |entry|, an entry after disc-lower-to-kernels (its result) or
 * disc-inject-execution-context (what it sends). Texts live in |arena|. */
hd_writer hd_writer_of_output(hd_op *entry, size_t index, hd_arena *arena);

#endif
