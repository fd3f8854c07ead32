/* SPDX-License-Identifier: Apache-2.0 */
/* Arenas: memory that is freed all at once.
 *
 *   lives in         what                                            freed by
 *   context arena    uniqued types, attributes, strings, locations   hd_context_release
 *   module arena     ops, regions, blocks, values                    hd_module_free, else hd_context_release
 *   scratch arena    what a pass, reader or analysis needs           its owner, at its end, or the guard that is left
 *                                                                    through
 *
 * Never store a pointer into an arena in an object that outlives the arena.
 *
 * Allocation never returns null. When the machine has no memory or the arena's budget is spent, control leaves
 * through the innermost hd_guarded_call of the thread, which answers RESOURCE_EXHAUSTED. So every
 * door into the compiler runs inside hd_guarded_call, and code that holds anything but arena memory (an LLVM
 * object, a file, a lock) makes no arena allocation while LLVM's frames are on the stack below the guard.
 * Thread-compatible: one arena is used by one thread at a time. */
#ifndef HD_BASE_ARENA_H_
#define HD_BASE_ARENA_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct hd_arena hd_arena;

/* A count of bytes that several arenas share and may not exceed. |limit| 0 means no limit. */
typedef struct hd_budget {
  size_t limit;
  size_t used;
  double deadline; /* hd_clock_seconds past which arenas grow no more; 0: none */
} hd_budget;

struct hd_arena {
  struct hd_arena_chunk *chunk; /* newest first */
  char *at, *end;
  hd_budget *budget;            /* may be null */
  size_t reserved;              /* bytes taken from the machine */
  struct hd_arena_owned *owned; /* newest first */
  bool is_scratch;              /* of this thread's frames; |next| the one before */
  hd_arena *next;
};

void hd_arena_init(hd_arena *arena, hd_budget *budget);
/* The same for an arena that lives in a frame of this thread, which hd_arena_free ends: when control leaves through a
 * guard that was entered before, what this holds is freed too. */
void hd_scratch_init(hd_arena *arena, hd_budget *budget);
/* Runs what hd_arena_on_free was given, the newest first, and frees all memory; the arena may be used again. */
void hd_arena_free(hd_arena *arena);
/* Runs what hd_arena_on_free was given and overwrites all memory, which stays until the arena is freed: whoever still
 * reads it finds no plausible value. */
void hd_arena_poison(hd_arena *arena);

/* |size| bytes aligned to 16, uninitialised. */
void *hd_arena_alloc(hd_arena *arena, size_t size);
/* The same, zeroed. */
void *hd_arena_zalloc(hd_arena *arena, size_t size);
/* |count| * |size| with overflow treated as out of memory, zeroed. */
void *hd_arena_calloc(hd_arena *arena, size_t count, size_t size);
/* A place, null at first, for something that is no arena memory and ends with the arena: |release| gets what is
 * there when the arena is freed, unless that is null. Asked for before the thing is acquired, so that running out of
 * memory loses nothing. */
void **hd_arena_on_free(hd_arena *arena, void (*release)(void *));
/* A NUL-terminated copy of |size| bytes. */
char *hd_arena_copy(hd_arena *arena, const void *data, size_t size);
/* A formatted, NUL-terminated string. */
char *hd_arena_printf(hd_arena *arena, const char *format, ...) HD_PRINTF(2, 3);

#define hd_new(arena, T) ((T *)hd_arena_zalloc((arena), sizeof(T)))
#define hd_new_array(arena, T, n) ((T *)hd_arena_calloc((arena), (size_t)(n), sizeof(T)))

/* Runs |fn| so that running out of memory anywhere inside becomes a RESOURCE_EXHAUSTED status, passing the deadline of
 * a budget a DEADLINE_EXCEEDED one, and an error of the compiler's own an INTERNAL one. |fn| has the floating-point
 * environment of base/float_env.h. Nests. */
hd_status hd_guarded_call(hd_status (*fn)(void *), void *argument) HD_MUST_USE;

/* Leaves to the innermost guard of this thread when the deadline has passed. */
void hd_budget_check_deadline(const hd_budget *budget);

/* Leaves to the innermost guard of this thread; for containers that cannot grow. Does not return. */
_Noreturn void hd_out_of_memory(void);
/* The same where the compiler itself is wrong, once that has been reported: the guard answers INTERNAL. */
_Noreturn void hd_internal_error(void);

#endif
