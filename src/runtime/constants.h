/* SPDX-License-Identifier: Apache-2.0 */
/* Constants files `.hdc`: constants of any number of artifacts, found by the hash of their content and their type.
 *
 *   header (64 bytes)   magic, format version, total size, size of the index, hash of header and index
 *   index               for each constant: hash, type, memory, place, size; in the order of memory, hash and type
 *   constants           each 64-byte aligned: those of the host, then, from a new page on, those of the device
 *
 * A file is mapped and shared by all executables of a runtime. Opening it reads header and index; the bytes of a
 * constant are compared with its hash when a program first asks for it, once per runtime. A file must not change while
 * it is open: hd_constants_update replaces it. Reading trusts no byte: any input gives a status in time linear in the
 * size of the index. */
#ifndef HD_RUNTIME_CONSTANTS_H_
#define HD_RUNTIME_CONSTANTS_H_

#include <pthread.h>
#include <stdatomic.h>

#include "base/fork.h"
#include "heddle/constants.h"
#include "runtime/artifact.h"
#include "runtime/driver.h"

#define HD_CONSTANTS_VERSION 1

typedef struct hd_constants {
  uint32_t count;
  const hd_artifact_constant *items; /* in the order of hd_constant_order */
} hd_constants;

/* <, =, > 0: the order by memory, hash and type. */
int hd_constant_order(const hd_artifact_constant *a, const hd_artifact_constant *b);
/* The one of |in| that is equal to |wanted| in that order; null when there is none. */
const hd_artifact_constant *hd_constants_search(const hd_constants *in, const hd_artifact_constant *wanted);
/* "HASH_TYPE" in |arena|. */
const char *hd_constant_name(hd_arena *arena, const hd_artifact_constant *constant);

/* The bytes of a file of |constants|, malloc'ed; free() them. Equal ones are stored once, and equal sets give equal
 * bytes. */
hd_status hd_constants_write(const hd_artifact_constant *constants, size_t count, void **out_data,
                             size_t *out_size) HD_MUST_USE;
/* Views into |data|, which must be 64-byte aligned and outlive |out_constants|, as |arena| must. DATA_LOSS for what is
 * no constants file or is damaged, FAILED_PRECONDITION for another version. Hashes of the constants are not checked. */
hd_status hd_constants_read(const void *data, size_t size, hd_arena *arena, hd_constants *out_constants) HD_MUST_USE;

/* A constant as runs use it, in its file or artifact. */
typedef struct hd_constant_slot {
  const hd_artifact_constant *constant; /* with its bytes */
  atomic_bool is_good;                  /* has its content been compared with its hash, or is it trusted? */
  _Atomic(void *) device;               /* its copy in the memory of the device, null before it is asked for */
} hd_constant_slot;

/* An open file, one per runtime and file. */
typedef struct hd_constants_file {
  struct hd_constants_file *next;
  int references; /* guarded by the runtime's list */
  uint64_t identity[5];
  void *bytes;
  size_t size;
  hd_arena arena;
  hd_constants constants;
  hd_constant_slot *slots; /* one per constant */
} hd_constants_file;

/* The open files of a runtime. A forked child finds the list whole and the locks free. */
typedef struct hd_constants_list {
  pthread_mutex_t lock;
  hd_constants_file *files;
  pthread_mutex_t upload;
  hd_fork_guard guard;
} hd_constants_list;

/* |list| is zeroed and stays where it is. It is freed also when this fails; no file is open then. */
hd_status hd_constants_list_init(hd_constants_list *list) HD_MUST_USE;
void hd_constants_list_free(hd_constants_list *list);

/* Opens |path|, or finds it open. Errors name the file. */
hd_status hd_constants_open(hd_constants_list *list, const char *path, hd_constants_file **out_file) HD_MUST_USE;
/* |driver| releases what is on the device. */
void hd_constants_close(hd_constants_list *list, hd_driver *driver, hd_constants_file *file);
/* The slot of |wanted|: NOT_FOUND unless the file has its hash, DATA_LOSS where it has it as another type, for another
 * memory or of another size. */
hd_status hd_constants_find(hd_constants_file *file, const hd_artifact_constant *wanted,
                            hd_constant_slot **out_slot) HD_MUST_USE;

/* Compares the content with the hash the first time. DATA_LOSS where it differs. Thread-safe. */
hd_status hd_constant_check(hd_constant_slot *slot) HD_MUST_USE;
/* The constant in the memory of |driver|'s device, where the first call puts it. It has been checked. Thread-safe. */
hd_status hd_constant_upload(hd_constants_list *list, hd_driver *driver, hd_constant_slot *slot,
                             void **out_data) HD_MUST_USE;
void hd_constant_unload(hd_driver *driver, hd_constant_slot *slot);

#endif
