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

static bool calls(const hd_executable *e, int32_t i, const char *api) {
  return !strncmp(hd_executable_call_name(e, i), api, strlen(api));
}

static bool calls_out(const hd_executable *e) {
  for (int32_t i = 0; i < hd_executable_call_count(e); ++i)
    if (calls(e, i, "ral_custom_call_")) return true;
  return false;
}

static bool copies(const hd_executable *e) {
  for (int32_t i = 0; i < hd_executable_call_count(e); ++i)
    if (!calls(e, i, "ral_recv_input_") && !calls(e, i, "ral_send_output_")) return false;
  return true;
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
  code->calls_out = hd_is_ok(status) && calls_out(code->executable);
  code->copies = hd_is_ok(status) && copies(code->executable);
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

/* ---- how code fits --------------------------------------------------------------------------------------------- */

typedef struct fit_head {
  uint64_t dim_count, lifted_count, lifted_size; /* then dims, then bytes */
} fit_head;

void hd_pjrt_fit_free(hd_pjrt_fit *fit) {
  free(fit->dims);
  free(fit->lifted);
  *fit = (hd_pjrt_fit){0};
}

void *hd_pjrt_fit_write(const hd_pjrt_fit *fit, size_t *out_size) {
  fit_head head = {fit->dim_count, fit->lifted_count, fit->lifted_size};
  size_t dims = fit->dim_count * sizeof *fit->dims;
  *out_size = sizeof head + dims + fit->lifted_size;
  char *bytes = malloc(*out_size);
  if (!bytes) return NULL;
  memcpy(bytes, &head, sizeof head);
  if (dims) memcpy(bytes + sizeof head, fit->dims, dims);
  if (fit->lifted_size) memcpy(bytes + sizeof head + dims, fit->lifted, fit->lifted_size);
  return bytes;
}

/* The dims are as many as |code|'s inputs have, and give what is lifted the size that there is. */
static bool is_fit(const hd_pjrt_fit *fit, const hd_pjrt_code *code) {
  int64_t count = hd_executable_input_count(code->executable);
  size_t dims = 0, size = 0;
  if (fit->lifted_count > (size_t)count) return false;
  for (int32_t i = 0; i < count; ++i) {
    hd_tensor_info info = hd_executable_input(code->executable, i);
    size_t bytes = hd_element_bytes(info.type);
    for (int32_t d = 0; d < info.rank; ++d, ++dims)
      if (fit->dims && (dims >= fit->dim_count || fit->dims[dims] < 0 ||
                        __builtin_mul_overflow(bytes, (size_t)fit->dims[dims], &bytes)))
        return false;
    if ((size_t)i + fit->lifted_count >= (size_t)count && __builtin_add_overflow(size, bytes, &size)) return false;
  }
  return fit->dims ? dims == fit->dim_count && size == fit->lifted_size : !fit->lifted_count;
}

bool hd_pjrt_fit_read(const void *bytes, size_t size, const hd_pjrt_code *code, hd_pjrt_fit *out) {
  fit_head head;
  *out = (hd_pjrt_fit){0};
  if (size < sizeof head) return false;
  memcpy(&head, bytes, sizeof head);
  size -= sizeof head;
  if (head.dim_count > size / sizeof *out->dims || head.lifted_size != size - head.dim_count * sizeof *out->dims)
    return false;
  if (!head.dim_count) return !head.lifted_count && !head.lifted_size;
  const char *at = (const char *)bytes + sizeof head;
  size_t dims = head.dim_count * sizeof *out->dims;
  *out = (hd_pjrt_fit){malloc(dims), head.dim_count, head.lifted_count, malloc(head.lifted_size + 1), head.lifted_size};
  if (out->dims && out->lifted) {
    memcpy(out->dims, at, dims);
    memcpy(out->lifted, at + dims, head.lifted_size);
    if (is_fit(out, code)) return true;
  }
  hd_pjrt_fit_free(out);
  return false;
}

/* ---- records on disk ------------------------------------------------------------------------------------------- */

typedef struct record {
  char magic[8];
  uint8_t artifact[16]; /* then how it fits */
} record;

static const char record_magic[8] = "HDPJRE2";

void hd_pjrt_record_write(PJRT_Client *client, const uint8_t key[16], const hd_pjrt_code *code,
                          const hd_pjrt_fit *fit) {
  if (!client->cache) return;
  size_t size;
  void *fits = hd_pjrt_fit_write(fit, &size);
  record *r = fits ? malloc(sizeof *r + size) : NULL;
  if (r) {
    memcpy(r->magic, record_magic, sizeof r->magic);
    memcpy(r->artifact, code->key, sizeof r->artifact);
    memcpy(r + 1, fits, size);
    hd_status_ignore(hd_cache_put(client->cache, key, r, sizeof *r + size));
  }
  free(fits);
  free(r);
}

static bool load_record(PJRT_Client *client, const record *r, size_t size, hd_pjrt_code **out, hd_pjrt_fit *out_fit) {
  if (size < sizeof *r || memcmp(r->magic, record_magic, sizeof r->magic)) return false;
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
  if (hd_pjrt_fit_read(r + 1, size - sizeof *r, *out, out_fit)) return true;
  hd_pjrt_code_release(client, *out);
  *out = NULL;
  return false;
}

bool hd_pjrt_record_find(PJRT_Client *client, const uint8_t key[16], hd_pjrt_code **out, hd_pjrt_fit *out_fit) {
  const void *data;
  size_t size;
  if (!client->cache) return false;
  hd_status status = hd_cache_get(client->cache, key, &data, &size);
  bool found = false;
  if (hd_is_ok(status)) {
    found = load_record(client, data, size, out, out_fit);
    hd_cache_unmap(data, size);
  }
  hd_status_free(status);
  return found;
}
