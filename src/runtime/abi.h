/* SPDX-License-Identifier: Apache-2.0 */
/* The contract between generated code and the runtime. Whoever changes a line here changes HD_ABI_VERSION, which an
 * artifact carries and the loader compares.
 *
 * KERNELS (CPU)
 *   void kernel(const uint64_t *args, int64_t begin, int64_t end)
 *   - |args| are 64-bit words, as many as the launch said: pointers, i64 (dims, index values), or the bits of a smaller
 *     scalar in the low end of its word. The kernel's own metadata gives them no names; compiler and kernel agree.
 *   - It does the items [begin, end) of its parallel iteration space. Any split of [0, extent) into such ranges, in any
 *     order and on any threads, must give the same bits.
 *   - It calls nothing but memcpy, memmove, memset and other symbols of the artifact, does not throw and does not fail.
 *   - Stack: at most 256 KiB.
 *
 * HOST ENTRIES
 *   void entry(void *ctx)
 *   One per compiled public function, named by the artifact. It receives inputs, allocates, launches, sends outputs,
 * all by RAL calls. |ctx| starts with an hd_ral_head: after each RAL call the code loads the i32 at offset 0 and, when
 * it is not zero, branches to its clean-up and returns. It may free what it allocated; what it does not free after a
 *   failure the runtime frees.
 *
 * RAL CALLS
 *   The artifact lists encoded names (ral_names.h has the grammar). An object that calls them declares
 *     extern void *const hd_ral_table[];        // defined by the loader, entry k = function of name k
 *   and calls  ((hd_ral_fn)hd_ral_table[k])(ctx, args).
 *   - args[i] points to argument i, in the order of the encoded name. Argument 0 of every API is the context (the first
 *     `pvoid`): args[0] is never read and may be null; the context is passed as |ctx|.
 *   - i1 is one byte 0/1; integers and floats their own size; `pvoid` a pointer; a memref MLIR's strided descriptor:
 *       { void *allocated; void *aligned; int64_t offset; int64_t sizes[rank]; int64_t strides[rank]; }
 *     with offset and strides counted in elements; rank 0 ends after offset.
 *   - the result, unless void, is written to what args[n] points to, n being the number of arguments.
 *   - After a failure the result slot is zeroed, so that clean-up code may free what it holds (ral_free of null is
 *     allowed).
 *
 * SYMBOLS
 *   Objects may refer to symbols of other objects of the same artifact variant, to hd_ral_table, and to memcpy, memmove
 *   and memset. Any other undefined symbol is refused when the artifact is loaded.
 *   Objects hold no thread-local data, no constructors, no ifuncs. Writable data is shared by all runs at once.
 *
 * BUFFERS
 *   A buffer from ral_alloc has one reference, owned by the program; ral_retain adds one, ral_free drops one.
 *   Pointers that the runtime lends (inputs, constants) are never freed by ral_free: retaining or freeing them does
 *   nothing, so code that holds "an input or an own buffer" need not know which.
 *   ral_recv_input lends. ral_send_output takes one reference of the buffer that it is given (nothing when lent).
 *   ral_alloc_output(i) gives a buffer for output i with one reference: the caller's own memory where the caller gave
 *   some of at least that many bytes. A program that writes its result there and sends it makes no copy.
 *   ral_alloc_donated(i) may lend the memory of input i, with what it holds: a program asks for it only where it reads
 *   the input no more, or copies it there first. ral_copy onto the same memory does nothing. */
#ifndef HD_RUNTIME_ABI_H_
#define HD_RUNTIME_ABI_H_

#include <stdint.h>

#include "base/limits.h"
#include "heddle/ral.h"

#define HD_ABI_VERSION 3

/* Starts every context that generated code sees. */
typedef struct hd_ral_head {
  int32_t failed; /* 0, or the hd_status_code of the first error */
  int32_t reserved;
} hd_ral_head;

typedef void (*hd_kernel_fn)(const uint64_t *args, int64_t begin, int64_t end);
typedef void (*hd_entry_fn)(void *ctx);

/* What ral_check holds its first value against its second one to. */
typedef enum hd_check_relation {
  HD_CHECK_EQUAL = 0,
  HD_CHECK_AT_MOST = 1,
  HD_CHECK_SPREADS = 2, /* 1 or equal */
  HD_CHECK_PRODUCT = 3, /* their product is at most HD_MAX_EXTENT (base/limits.h), either way */
} hd_check_relation;

/* The APIs that generated code may call now; `{R}` is a rank 0 to HD_MAX_RANK, `{T}` any element type. They are
 * defined by HD_RAL_API, in the tables that ral_tables.def lists.
 *
 * ral_recv_input___pvoid_i64___m{R}d{T}
 *     (ctx, index) -> descriptor of input |index|, always dense row major and aligned to its element, on a device to 64
 *     bytes as all of its memory; the rank must be the signature's
 * ral_send_output___pvoid_i64_m{R}d{T}___void
 *     (ctx, index, descriptor); may be strided (then it is copied)
 * ral_alloc_donated___pvoid_i64_i64_i64_i64___pvoid
 *     (ctx, input, output or -1, bytes, place) -> the memory of an input that the caller donated, or as
 *     ral_alloc_output or ral_alloc
 * ral_alloc___pvoid_i64_i64___pvoid
 *     (ctx, bytes, place) -> 64-byte aligned; 0 bytes gives a unique non-null pointer. |place| is the number of the
 *     artifact's message that says where in the program a failure is, -1 for none
 * ral_alloc_output___pvoid_i64_i64_i64___pvoid
 *     (ctx, output index, bytes, place) -> the same for what output |index| will be
 * ral_retain___pvoid_pvoid___void
 *     (ctx, pointer)
 * ral_free___pvoid_pvoid___void
 *     (ctx, pointer); null is allowed
 * ral_host_alloc___pvoid_i64_i64___pvoid, ral_host_free___pvoid_pvoid___void
 *     ral_alloc and ral_free from the host allocator
 * ral_rng_call___pvoid_pvoid___void
 *     (ctx, where to put the u64): the number of this rng in the run
 * ral_constant___pvoid_i64___pvoid
 *     (ctx, position in the artifact's list) -> 64-byte aligned, read only
 * ral_constant_host___pvoid_pvoid___pvoid
 *     (ctx, name): "<32 hex digits of the content hash>_<type>", such as "..._i32_2x3", NUL-terminated
 * ral_constant_device___pvoid_pvoid___pvoid
 *     (ctx, name) -> in the device's memory, where the first call puts it
 * ral_launch___pvoid_pvoid_i64_pvoid_i64_i64_i64___void
 *     (ctx, stream, kernel index, words, word count, extent, grain): runs the kernel over [0, extent); chunks are
 *     multiples of |grain| items, except the last, and extent <= grain runs on the caller. Choose the grain so that it
 *     is about 1 us of work. The words may be reused after the call.
 * ral_gpu_launch___pvoid_pvoid_pvoid_i64_i64_i64_i64_i64_i64_i64_pvoid_i64___void
 *     (ctx, stream, kernel's name, blocks along x, y, z, threads along x, y, z, bytes of dynamic shared memory, words,
 *     word count): the grid runs in the order of the stream. The words may be reused after the call.
 * ral_h2d___pvoid_pvoid_pvoid_pvoid_i64___void, ral_d2h___pvoid_pvoid_pvoid_pvoid_i64___void
 *     (ctx, stream, destination, source, bytes): to the device, whose source may change after the call; to the host,
 *     where the bytes are after the call
 * ral_copy___pvoid_pvoid_pvoid_pvoid_i64___void
 *     (ctx, stream, destination, source, bytes); must not overlap
 * ral_error___pvoid_i64_pvoid_i64___void
 *     (ctx, message index, values, count): fails the run with that message of the artifact; `{k}` in it becomes
 *     values[k] (i64)
 * ral_check___pvoid_i64_i64_i64_i64___void
 *     (ctx, hd_check_relation, lhs, rhs, message index): ral_error with {lhs, rhs} unless the relation holds
 * ral_print___pvoid_i64_i64_m{R}d{T}___void
 *     (ctx, message index, hd_element_type, descriptor): to the caller's sink; after an empty message the type is
 *     before the elements
 * ral_stream___pvoid___pvoid
 *     (ctx) -> the stream of this run; null on the CPU
 * ral_stream_bytes___pvoid___i64
 *     (ctx) -> what a launch must move to store past the caches */

#endif
