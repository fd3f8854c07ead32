/* SPDX-License-Identifier: Apache-2.0 */
/* To be loaded before the C library: allocation number FAIL_AT and the FAIL_MORE ones behind it give no memory. With
 * FAIL_COUNT set, the number of allocations goes to standard error at the end. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long made;
static long first = -1, more;

__attribute__((constructor)) static void start(void) {
  const char *at = getenv("FAIL_AT"), *behind = getenv("FAIL_MORE");
  made = 0;
  if (behind) more = atol(behind);
  if (at) first = atol(at);
}

__attribute__((destructor)) static void report(void) {
  if (getenv("FAIL_COUNT")) fprintf(stderr, "%ld allocations\n", (long)made);
}

static bool fails(void) {
  long number = made++;
  if (first < 0 || number < first || number > first + more) return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
  void *memory = fails() ? NULL : __libc_memalign(alignment, size);
  if (memory) *out = memory;
  return memory ? 0 : ENOMEM;
}
