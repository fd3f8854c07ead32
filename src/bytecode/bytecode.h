/* SPDX-License-Identifier: Apache-2.0 */
/* MLIR bytecode: reading and writing. Thread-compatible, see ir/context.h. */
#ifndef HD_BYTECODE_BYTECODE_H_
#define HD_BYTECODE_BYTECODE_H_

#include "ir/op.h"

/* True when |data| starts as bytecode does ("ML\xefR"). */
bool hd_bytecode_is(const void *data, size_t size);

/* Reads bytecode of versions 0 to 6: portable artifacts of StableHLO 0.9 to 1.20 (the vhlo dialect, which becomes func,
 * stablehlo and chlo; sharding ops and attributes are left out, they say nothing for one device) and bytecode of any
 * dialect that has rows, or of others where the context allows unregistered ops. Any bytes may be given: wrong ones
 * give a diagnostic with the offset of the byte and an error status, in time and memory linear in |size|. |data| is
 * borrowed during the call only. What ops demand is hd_verify's. On success the caller owns |*out_module|
 * (hd_module_free). */
hd_status hd_bytecode_parse(hd_context *context, const void *data, size_t size, const char *name,
                            hd_module **out_module) HD_MUST_USE;

typedef struct hd_bytecode_options {
  /* Of a portable artifact, "1.10.0"; null: the current one. */
  const char *target_version;
  bool plain; /* the ops as they are, whatever dialects there are */
} hd_bytecode_options;

/* Appends |module| to |out|: as a portable artifact when it has func and stablehlo ops only, else as plain bytecode,
 * which other readers of MLIR accept when they know the dialects. Fails with a diagnostic at the op that the target
 * version cannot express. Null |options| are defaults. */
hd_status hd_bytecode_write(hd_module *module, const hd_bytecode_options *options, hd_strbuf *out) HD_MUST_USE;

#endif
