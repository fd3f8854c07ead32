/* SPDX-License-Identifier: Apache-2.0 */
/* What artifacts (.hdl) and constants files (.hdc) have in common: a header of 64 bytes, fields (runtime/fields.h)
 * after it, payloads after these, and a hash of header, fields and what else a format says. Integers are little-endian.
 *
 *   0   magic                     8   format version      12  ABI version, where the format has one
 *   16  bytes in all              then, as the format says: where the fields begin, how many bytes they have, the hash
 *
 * The hash covers the header up to itself. Thread-compatible. */
#ifndef HD_RUNTIME_CONTAINER_H_
#define HD_RUNTIME_CONTAINER_H_

#include "base/status.h"
#include "runtime/fields.h"

enum { HD_CONTAINER_HEADER = 64, HD_CONTAINER_ALIGNMENT = 64 };

typedef struct hd_container_format {
  const char *a_name, *name, *suffix; /* for messages: "an artifact", "artifact", ".hdl" */
  const char *fields;                 /* what its fields are: "metadata" */
  uint8_t magic[8];
  uint32_t version, abi;                /* abi 0: none */
  uint8_t start_at, length_at, hash_at; /* places in the header; start_at 0: fields begin after it */
} hd_container_format;

extern const hd_container_format hd_artifact_format, hd_constants_format;

static inline uint64_t hd_container_align(uint64_t at) {
  return (at + HD_CONTAINER_ALIGNMENT - 1) & ~(uint64_t)(HD_CONTAINER_ALIGNMENT - 1);
}

/* Does |data| begin as the format does? */
bool hd_container_is(const hd_container_format *format, const void *data, size_t size);

/* |total| zeroed bytes, the caller's to free, that begin with the header (but its hash) and the |length| bytes of
 * fields; |state| has hashed both. RESOURCE_EXHAUSTED. */
hd_status hd_container_begin(const hd_container_format *format, const void *fields, size_t length, uint64_t total,
                             uint8_t **out_bytes, hd_hash128_state *state) HD_MUST_USE;
/* Writes the hash into the header. */
void hd_container_end(const hd_container_format *format, uint8_t *bytes, hd_hash128_state *state);

/* The fields of the container |data|, ready to be read into |arena|; |state| has hashed header and fields. DATA_LOSS
 * for what is none or is damaged, FAILED_PRECONDITION for another version. */
hd_status hd_container_open(const hd_container_format *format, const void *data, size_t size, hd_arena *arena,
                            hd_fields *out_fields, hd_hash128_state *state) HD_MUST_USE;
/* DATA_LOSS unless all fields were read and made sense. */
hd_status hd_container_check_fields(const hd_container_format *format, const hd_fields *fields) HD_MUST_USE;
/* Does the header say the hash of |state|? It goes to |out_hash|. */
bool hd_container_check_hash(const hd_container_format *format, const void *data, hd_hash128_state *state,
                             hd_hash128 *out_hash);

#endif
