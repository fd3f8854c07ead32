/* SPDX-License-Identifier: Apache-2.0 */
/* Storages: the memory of programs below the graph.
 *
 * A storage is a block of bytes at a real address, so that programs may compute with addresses; every access is checked
 * against the storage that it goes to. It lives from its allocation to its deallocation, an automatic one (alloca) to
 * the end of the call that made it. */
#ifndef HD_EVAL_CORE_STORAGE_H_
#define HD_EVAL_CORE_STORAGE_H_

#include "base/map.h"
#include "base/vec.h"
#include "eval/core/hooks.h"

/* Vectors may be read, not used, beyond the last element: the runtime's buffers have room there, and so have these. */
enum { HD_STORAGE_SLACK = 256 };

typedef struct hd_storage {
  hd_tensor_buffer *buffer; /* null once it is freed */
  char *data;
  size_t size;
  bool automatic, lent; /* lent: of an argument or a constant, not the program's to free, */
  bool writable;        /* nor to write, unless this says so */
  size_t references;
  hd_op *origin; /* what allocated it; null for arguments */
  hd_type shape; /* the tensor type of what is there, as the first memref of all of it says; null: not known */
  hd_op *writer; /* the last unit that wrote to it */
} hd_storage;

typedef struct hd_memory {
  hd_vec(hd_storage *) storages; /* live ones */
  hd_map typed_calls;            /* calls with erased types -> hd.ral_call */
  hd_op *unit;                   /* the op of the host being run that is a kernel or call as a whole; null: another */
} hd_memory;

hd_memory *hd_frame_memory(hd_eval_frame *frame);

/* |size| bytes filled with a pattern, so that reads before the first write are seen. */
hd_status hd_storage_create(hd_eval_frame *frame, size_t size, hd_op *origin, bool automatic,
                            hd_storage **out_storage) HD_MUST_USE;
/* To be asked before writing; an error when it is lent. */
hd_status hd_storage_write(hd_eval_frame *frame, hd_storage *storage) HD_MUST_USE;
hd_status hd_storage_free(hd_eval_frame *frame, hd_storage *storage) HD_MUST_USE;
/* The live storage that has |address| inside or at its end; null when there is none. */
hd_storage *hd_storage_find(hd_eval_frame *frame, uint64_t address);
/* Frees the automatic storages among those after the first |mark|. */
void hd_storage_drop_automatic(hd_eval_frame *frame, size_t mark);

#endif
