/* SPDX-License-Identifier: Apache-2.0 */
/* Code, one object for each artifact of a client, and the records on disk that name the artifact of a program and its
 * dims, so that programs which share code share it there too. */
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

/* ---- code ------------------------------------------------------------------------------------------------------ */

static void code_destroy(hd_pjrt_code *code) {
  hd_executable_release(code->executable);
  free(code->artifact);
  free(code);
}

hd_pjrt_code *hd_pjrt_code_retain_locked(hd_pjrt_code *code) {
  ++code->references;
  return code;
}

void hd_pjrt_code_release(PJRT_Client *client, hd_pjrt_code *code) {
  pthread_mutex_lock(&client->mutex);
  bool last = --code->references == 0;
  if (last) {
    hd_pjrt_code **at = &client->codes;
    while (*at != code) at = &(*at)->next;
    *at = code->next;
  }
  pthread_mutex_unlock(&client->mutex);
  if (last) code_destroy(code);
}

static hd_pjrt_code *find_code_locked(PJRT_Client *client, const uint8_t key[16]) {
  hd_pjrt_code *code = client->codes;
  while (code && memcmp(code->key, key, 16)) code = code->next;
  return code ? hd_pjrt_code_retain_locked(code) : NULL;
}

static hd_pjrt_code *find_code(PJRT_Client *client, const uint8_t key[16]) {
  pthread_mutex_lock(&client->mutex);
  hd_pjrt_code *code = find_code_locked(client, key);
  pthread_mutex_unlock(&client->mutex);
  return code;
}

hd_status hd_pjrt_code_load(PJRT_Client *client, const uint8_t key[16], const void *data, size_t size,
                            hd_pjrt_code **out) {
  if ((*out = find_code(client, key))) return HD_STATUS_OK;
  hd_pjrt_code *code = calloc(1, sizeof *code);
  if (!code) return hd_pjrt_out_of_memory();
  code->references = 1;
  memcpy(code->key, key, 16);
  code->artifact_size = size;
  code->artifact = malloc(size + 1);
  hd_status status = code->artifact ? HD_STATUS_OK : hd_pjrt_out_of_memory();
  if (hd_is_ok(status)) {
    memcpy(code->artifact, data, size);
    status = hd_executable_load(client->runtime, data, size, NULL, &code->executable);
  }
  if (!hd_is_ok(status)) {
    code_destroy(code);
    return status;
  }
  pthread_mutex_lock(&client->mutex);
  *out = find_code_locked(client, key); /* another thread may have loaded it meanwhile */
  if (!*out) {
    code->next = client->codes;
    *out = client->codes = code;
  }
  pthread_mutex_unlock(&client->mutex);
  if (*out != code) code_destroy(code);
  return HD_STATUS_OK;
}

/* ---- records on disk ------------------------------------------------------------------------------------------- */

typedef struct record {
  char magic[8];
  uint8_t artifact[16];
  uint64_t dim_count; /* 0: as the code has them */
  int64_t dims[];
} record;

static const char record_magic[8] = "HDPJREC";

void hd_pjrt_record_write(PJRT_Client *client, const uint8_t key[16], const hd_pjrt_code *code, const int64_t *dims,
                          size_t dim_count) {
  if (!client->cache) return;
  record *r = calloc(1, sizeof *r + dim_count * sizeof *dims);
  if (!r) return;
  memcpy(r->magic, record_magic, sizeof r->magic);
  memcpy(r->artifact, code->key, sizeof r->artifact);
  r->dim_count = dim_count;
  if (dim_count) memcpy(r->dims, dims, dim_count * sizeof *dims);
  hd_status_ignore(hd_cache_put(client->cache, key, r, sizeof *r + dim_count * sizeof *dims));
  free(r);
}

size_t hd_pjrt_code_dims(const hd_pjrt_code *code) {
  size_t count = 0;
  for (int32_t i = 0; i < hd_executable_input_count(code->executable); ++i)
    count += (size_t)hd_executable_input(code->executable, i).rank;
  return count;
}

static bool load_record(PJRT_Client *client, const record *r, size_t size, hd_pjrt_code **out, int64_t **out_dims) {
  if (size < sizeof *r || memcmp(r->magic, record_magic, sizeof r->magic) ||
      r->dim_count != (size - sizeof *r) / sizeof(int64_t))
    return false;
  *out = find_code(client, r->artifact);
  const void *data;
  size_t artifact_size;
  if (!*out) {
    hd_status status = hd_cache_get(client->cache, r->artifact, &data, &artifact_size);
    if (hd_is_ok(status)) {
      status = hd_pjrt_code_load(client, r->artifact, data, artifact_size, out);
      hd_cache_unmap(data, artifact_size);
    }
    hd_status_free(status);
    if (!*out) return false;
  }
  if (!r->dim_count) return true;
  *out_dims = r->dim_count == hd_pjrt_code_dims(*out) ? malloc(r->dim_count * sizeof(int64_t)) : NULL;
  if (*out_dims) {
    memcpy(*out_dims, r->dims, r->dim_count * sizeof(int64_t));
    return true;
  }
  hd_pjrt_code_release(client, *out);
  *out = NULL;
  return false;
}

bool hd_pjrt_record_find(PJRT_Client *client, const uint8_t key[16], hd_pjrt_code **out, int64_t **out_dims) {
  const void *data;
  size_t size;
  if (!client->cache) return false;
  hd_status status = hd_cache_get(client->cache, key, &data, &size);
  bool found = false;
  if (hd_is_ok(status)) {
    found = load_record(client, data, size, out, out_dims);
    hd_cache_unmap(data, size);
  }
  hd_status_free(status);
  return found;
}
