/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/float_env.h"

/* An arena that has grown large takes its memory in huge pages: a page fault for each 4 KiB would be a third of the
 * time that reading a large program takes. */
enum { ALIGNMENT = 16, FIRST_CHUNK = 1 << 14, HUGE_CHUNK = 1 << 21 };

enum { NO_MEMORY = 1, NO_TIME = 2, NO_SENSE = 3 }; /* why control leaves through a guard */

struct hd_arena_chunk {
  struct hd_arena_chunk *next;
  size_t size;
};

struct hd_arena_owned {
  struct hd_arena_owned *next;
  void (*release)(void *);
  void *thing;
};

typedef struct oom_guard {
  jmp_buf env;
  struct oom_guard *outer;
  hd_arena *scratch; /* the innermost when the guard was entered */
} oom_guard;

static _Thread_local oom_guard *innermost_guard;
static _Thread_local hd_arena *innermost_scratch;

_Noreturn static void leave(int why) {
  /* Only a door that forgot its guard gets here without one; there is no status to give it. */
  if (!innermost_guard) __builtin_trap();
  while (innermost_scratch != innermost_guard->scratch) hd_arena_free(innermost_scratch);
  longjmp(innermost_guard->env, why);
}

_Noreturn void hd_out_of_memory(void) { leave(NO_MEMORY); }

_Noreturn void hd_internal_error(void) { leave(NO_SENSE); }

void hd_budget_check_deadline(const hd_budget *budget) {
  if (!budget->deadline) return;
  if (hd_clock_seconds() > budget->deadline) leave(NO_TIME);
}

/* The innermost guard was left through. */
static hd_status left(unsigned float_env, hd_status_code code, const char *why) {
  innermost_guard = innermost_guard->outer;
  hd_float_env_leave(float_env);
  return hd_make_status(code, "%s", why);
}

hd_status hd_guarded_call(hd_status (*fn)(void *), void *argument) {
  oom_guard guard;
  guard.outer = innermost_guard;
  guard.scratch = innermost_scratch;
  unsigned float_env = hd_float_env_enter();
  switch (setjmp(guard.env)) {
    case NO_MEMORY:
      return left(float_env, HD_RESOURCE_EXHAUSTED, "out of memory");
    case NO_TIME:
      return left(float_env, HD_DEADLINE_EXCEEDED, "took longer than the time limit");
    case NO_SENSE:
      return left(float_env, HD_INTERNAL, "internal error");
    default:
      break;
  }
  innermost_guard = &guard;
  hd_status status = fn(argument);
  innermost_guard = guard.outer;
  hd_float_env_leave(float_env);
  return status;
}

void hd_arena_init(hd_arena *arena, hd_budget *budget) {
  memset(arena, 0, sizeof *arena);
  arena->budget = budget;
}

void hd_scratch_init(hd_arena *arena, hd_budget *budget) {
  hd_arena_init(arena, budget);
  arena->is_scratch = true;
  arena->next = innermost_scratch;
  innermost_scratch = arena;
}

static void forget_scratch(hd_arena *arena) {
  hd_arena **at = &innermost_scratch;
  while (*at && *at != arena) at = &(*at)->next;
  if (*at) *at = arena->next;
}

static void release_owned(hd_arena *arena) {
  for (struct hd_arena_owned *owned = arena->owned; owned; owned = owned->next)
    if (owned->thing) owned->release(owned->thing);
  arena->owned = NULL;
}

void hd_arena_poison(hd_arena *arena) {
  release_owned(arena);
  for (struct hd_arena_chunk *chunk = arena->chunk; chunk; chunk = chunk->next)
    memset(chunk + 1, 0xdb, chunk->size - sizeof *chunk);
  arena->at = arena->end = NULL;
}

void hd_arena_free(hd_arena *arena) {
  if (arena->is_scratch) forget_scratch(arena);
#ifdef NDEBUG
  release_owned(arena);
#else
  hd_arena_poison(arena);
#endif
  for (struct hd_arena_chunk *chunk = arena->chunk, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  if (arena->budget) arena->budget->used -= arena->reserved;
  hd_arena_init(arena, arena->budget);
}

static void grow(hd_arena *arena, size_t size) {
  size_t want = arena->chunk ? arena->chunk->size * 2 : FIRST_CHUNK;
  if (want > HUGE_CHUNK) want = HUGE_CHUNK;
  if (want < size + sizeof(struct hd_arena_chunk) + ALIGNMENT) want = size + sizeof(struct hd_arena_chunk) + ALIGNMENT;
  bool huge = want == HUGE_CHUNK;
  hd_budget *budget = arena->budget;
  if (budget) hd_budget_check_deadline(budget);
  if (budget && budget->limit && (want > budget->limit || budget->used > budget->limit - want)) hd_out_of_memory();
  struct hd_arena_chunk *chunk = huge ? aligned_alloc(HUGE_CHUNK, want) : malloc(want);
  if (!chunk) hd_out_of_memory();
  if (huge) (void)madvise(chunk, want, MADV_HUGEPAGE); /* a wish: nothing depends on it */
  chunk->next = arena->chunk;
  chunk->size = want;
  arena->chunk = chunk;
  arena->at = (char *)(((uintptr_t)(chunk + 1) + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
  arena->end = (char *)chunk + want;
  arena->reserved += want;
  if (budget) budget->used += want;
}

void *hd_arena_alloc(hd_arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) hd_out_of_memory();
  size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if ((size_t)(arena->end - arena->at) < size || !arena->at) grow(arena, size);
  void *result = arena->at;
  arena->at += size;
  return result;
}

void *hd_arena_zalloc(hd_arena *arena, size_t size) {
  void *result = hd_arena_alloc(arena, size);
  memset(result, 0, size);
  return result;
}

void *hd_arena_calloc(hd_arena *arena, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) hd_out_of_memory();
  return hd_arena_zalloc(arena, bytes);
}

void **hd_arena_on_free(hd_arena *arena, void (*release)(void *)) {
  struct hd_arena_owned *owned = hd_new(arena, struct hd_arena_owned);
  owned->release = release;
  owned->next = arena->owned;
  arena->owned = owned;
  return &owned->thing;
}

char *hd_arena_copy(hd_arena *arena, const void *data, size_t size) {
  char *result = hd_arena_alloc(arena, size + 1);
  if (size) memcpy(result, data, size);
  result[size] = 0;
  return result;
}

char *hd_arena_printf(hd_arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length < 0) length = 0;
  char *result = hd_arena_alloc(arena, (size_t)length + 1);
  va_start(args, format);
  vsnprintf(result, (size_t)length + 1, format, args);
  va_end(args);
  return result;
}
