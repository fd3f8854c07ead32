/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries that are opened when they are first asked for, and their functions. */
#ifndef HD_BASE_LIBRARY_H_
#define HD_BASE_LIBRARY_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct hd_library_function {
  const char *symbol;
  void **function; /* receives its address */
} hd_library_function;

/* Opens the first of |names|, ended by null, that the loader finds, for the life of the process, and finds all
 * |functions| in it;
 * False with the reason in |failure|, which is untouched otherwise: |what| that is missing and the loader's message of
 * the first name, or the function that the library has not, and |expected|, the version that has it. */
bool hd_library_open(const char *what, const char *const *names, const hd_library_function *functions, size_t count,
                     const char *expected, char *failure, size_t size);

#endif
