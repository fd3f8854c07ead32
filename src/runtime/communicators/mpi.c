/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks in processes that mpirun started, over Open MPI, opened when asked for: nothing is linked. Only what the ABI of
 * Open MPI fixes is declared here: handles are pointers, the predefined ones are objects that the library exports.
 *
 * A message is a header of its sizes and then its bytes, both sent without waiting from a copy that is kept until it
 * has left. Its channel is its tag, so messages of several channels do not mix.
 *
 * An exchange is one non-blocking receive and send per other member, in the order of the members, and a wait that looks
 * at cancellation. Messages between two processes keep their order, so exchanges pair up as the program has them. A
 * part is sent in pieces of which the last is shorter than the others, empty ones too: so sizes that differ meet, and
 * show. */
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "runtime/communicator.h"

typedef void *mpi_handle; /* communicators, types, requests */

typedef struct mpi_status { /* of a request that is done */
  int source, tag, error, cancelled;
  size_t bytes;
} mpi_status;

enum { PIECE = 1 << 30, THREAD_SERIALIZED = 2, TAG = 4242, FIRST_CHANNEL_TAG = 8192, LAST_TAG = 1 << 30, HEADER = 33 };
enum { LAST_WAIT_S = 10 }; /* for messages that nobody has taken at the end */

/* X(name, result, parameters) */
#define MPI_FUNCTIONS(X)                                                             \
  X(Initialized, int, (int *))                                                       \
  X(Finalized, int, (int *))                                                         \
  X(Init_thread, int, (int *, char ***, int, int *))                                 \
  X(Finalize, int, (void))                                                           \
  X(Comm_rank, int, (mpi_handle, int *))                                             \
  X(Comm_size, int, (mpi_handle, int *))                                             \
  X(Comm_dup, int, (mpi_handle, mpi_handle *))                                       \
  X(Comm_set_errhandler, int, (mpi_handle, mpi_handle))                              \
  X(Isend, int, (const void *, int, mpi_handle, int, int, mpi_handle, mpi_handle *)) \
  X(Irecv, int, (void *, int, mpi_handle, int, int, mpi_handle, mpi_handle *))       \
  X(Test, int, (mpi_handle *, int *, mpi_status *))                                  \
  X(Cancel, int, (mpi_handle *))                                                     \
  X(Error_string, int, (int, char *, int *))

typedef struct library {
  void *handle;
  mpi_handle world, byte, errors_return, request_null;
#define FIELD_(name, result, parameters) result(*name) parameters;
  MPI_FUNCTIONS(FIELD_)
#undef FIELD_
} library;

/* A message on its way. */
typedef struct sent {
  struct sent *next;
  mpi_handle requests[2]; /* of the header and of the bytes */
  uint64_t header[HEADER];
  char bytes[];
} sent;

typedef struct mpi {
  hd_communicator base;
  library lib;
  mpi_handle group; /* a copy of the world of our own */
  sent *outbox;
  bool finalize, broken;
} mpi;

static hd_status failed(const library *lib, const char *what, int code) {
  char text[1024] = "";
  int length = 0;
  lib->Error_string(code, text, &length);
  return hd_make_status(HD_UNAVAILABLE, "%s: %s", what, *text ? text : "unknown error");
}

#define MPI_TRY(lib, what, call)                                       \
  do {                                                                 \
    int code_ = (call);                                                \
    if (code_ != 0 /* MPI_SUCCESS */) return failed(lib, what, code_); \
  } while (0)

static hd_status open_library(const char *path, library *lib) {
  lib->handle = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
  if (!lib->handle && !path) lib->handle = dlopen("libmpi.so", RTLD_NOW | RTLD_GLOBAL);
  if (!lib->handle) {
    const char *why = dlerror();
    return hd_make_status(HD_UNAVAILABLE, "no Open MPI: %s", why ? why : "library not found");
  }
  lib->world = dlsym(lib->handle, "ompi_mpi_comm_world");
  lib->byte = dlsym(lib->handle, "ompi_mpi_byte");
  lib->errors_return = dlsym(lib->handle, "ompi_mpi_errors_return");
  lib->request_null = dlsym(lib->handle, "ompi_request_null");
  bool complete = lib->world && lib->byte && lib->errors_return && lib->request_null;
#define LOAD_(name, result, parameters)                    \
  *(void **)&lib->name = dlsym(lib->handle, "MPI_" #name); \
  complete &= lib->name != NULL;
  MPI_FUNCTIONS(LOAD_)
#undef LOAD_
  return complete
             ? HD_STATUS_OK
             : hd_make_status(HD_UNAVAILABLE, "%s is not Open MPI", path ? path : "the MPI library that was found");
}

/* Frees messages that have left. */
static void clear_outbox(mpi *self) {
  for (sent **at = &self->outbox; *at && !self->broken;) {
    sent *m = *at;
    bool done = true;
    for (int i = 0; i < 2; ++i) {
      int one = 0;
      self->broken |= self->lib.Test(&m->requests[i], &one, NULL) != 0; /* a null request is done */
      done &= one != 0;
    }
    if (!done) {
      at = &m->next;
      continue;
    }
    *at = m->next;
    free(m);
  }
}

static void destroy(hd_communicator *base) {
  mpi *self = (mpi *)base;
  double end = hd_clock_seconds() + LAST_WAIT_S;
  while (self->outbox && !self->broken && hd_clock_seconds() < end) {
    clear_outbox(self);
    sched_yield();
  }
  self->broken |= self->outbox != NULL; /* what nobody has taken may still be read: its memory stays */
  /* After a failure the others may never come to a common end: leaving without one lets mpirun end them. */
  if (self->finalize && !self->broken) self->lib.Finalize();
  free(self); /* the library stays open: it cannot be initialised twice */
}

static void abort_group(hd_communicator *base, const char *reason) {
  (void)reason;
  ((mpi *)base)->broken = true;
}

/* Requests of one exchange, receives first. A request that is done is MPI's null request, which may not be cancelled.
 */
typedef struct request {
  mpi_handle handle;
  uint32_t member; /* of the exchange */
  size_t at, bytes;
} request;

typedef struct requests {
  request *items;
  size_t count, receives;
} requests;

/* Pieces keep counts within MPI's int. */
static size_t pieces(size_t bytes) { return bytes / PIECE + 1; }

static hd_status start_part(mpi *self, const hd_exchange *x, uint32_t i, bool receive, requests *r) {
  const hd_exchange_part *part = receive ? &x->receives[i] : &x->sends[i];
  const library *lib = &self->lib;
  for (size_t k = 0; k < pieces(part->bytes); ++k) {
    size_t at = k * PIECE, left = part->bytes - at;
    request *q = &r->items[r->count];
    *q = (request){.member = i, .at = at, .bytes = left < PIECE ? left : PIECE};
    void *data = part->data ? (char *)part->data + at : NULL;
    int rank = (int)x->members[i];
    if (receive)
      MPI_TRY(lib, "MPI_Irecv", lib->Irecv(data, (int)q->bytes, lib->byte, rank, TAG, self->group, &q->handle));
    else
      MPI_TRY(lib, "MPI_Isend", lib->Isend(data, (int)q->bytes, lib->byte, rank, TAG, self->group, &q->handle));
    ++r->count;
    r->receives += receive;
  }
  return HD_STATUS_OK;
}

static hd_status start(mpi *self, const hd_exchange *x, requests *r) {
  for (uint32_t i = 0; i < x->count; ++i)
    if (i != x->self) HD_TRY(start_part(self, x, i, true, r));
  for (uint32_t i = 0; i < x->count; ++i)
    if (i != x->self) HD_TRY(start_part(self, x, i, false, r));
  return HD_STATUS_OK;
}

/* Looks at request |i|. What comes must have the size that is waited for: MPI itself tells of larger messages only. */
static hd_status look_at(mpi *self, const hd_exchange *x, requests *r, size_t i, bool *out_done) {
  request *q = &r->items[i];
  mpi_status status = {0};
  int done = 0, code = self->lib.Test(&q->handle, &done, &status);
  *out_done = done != 0;
  size_t wanted = x->receives[q->member].bytes;
  if (i < r->receives && (done || code) && status.bytes != q->bytes)
    return hd_make_status(HD_INVALID_ARGUMENT, "process %u sends %s%zu bytes where process %u takes %zu",
                          x->members[q->member], status.bytes == PIECE ? "more than " : "", q->at + status.bytes,
                          x->members[x->self], wanted);
  MPI_TRY(&self->lib, "MPI_Test", code);
  return HD_STATUS_OK;
}

static hd_status finish(mpi *self, const hd_exchange *x, requests *r) {
  for (size_t left = r->count, round = 0; left; ++round) {
    left = 0;
    for (size_t i = 0; i < r->count; ++i) {
      bool done = true;
      if (r->items[i].handle != self->lib.request_null) HD_TRY(look_at(self, x, r, i, &done));
      left += !done;
    }
    if (left && round % 64 == 63) {
      if (x->go_on && !x->go_on(x->user)) return hd_make_status(HD_CANCELLED, "collective given up");
      sched_yield();
    }
  }
  return HD_STATUS_OK;
}

/* Takes receives back, whose memory goes away. Sends only read theirs; others may have gone, so the wait is short. */
static void give_up(mpi *self, request *receives, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (receives[i].handle != self->lib.request_null) self->lib.Cancel(&receives[i].handle);
  for (size_t left = count, round = 0; left && round < 100000; ++round) {
    left = 0;
    for (size_t i = 0; i < count; ++i) {
      int done = 1;
      if (receives[i].handle != self->lib.request_null && self->lib.Test(&receives[i].handle, &done, NULL)) return;
      left += !done;
    }
  }
}

static hd_status exchange(hd_communicator *base, const hd_exchange *x) {
  mpi *self = (mpi *)base;
  if (self->broken) return hd_make_status(HD_ABORTED, "collective given up: an earlier one failed");
  size_t most = 0;
  for (uint32_t i = 0; i < x->count; ++i) most += pieces(x->receives[i].bytes) + pieces(x->sends[i].bytes);
  requests r = {.items = calloc(most + 1, sizeof *r.items)};
  if (!r.items) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  hd_status status = start(self, x, &r);
  if (hd_is_ok(status)) status = finish(self, x, &r);
  if (!hd_is_ok(status)) {
    self->broken = true;
    give_up(self, r.items, r.receives);
  }
  free(r.items);
  return status;
}

/* ---- messages ---- */

/* The rank and the tag of a message. Of two processes the other one is meant where none is named. */
static hd_status address(const mpi *self, const hd_message *x, int *out_rank, int *out_tag) {
  if (self->broken) return hd_make_status(HD_ABORTED, "message given up: an earlier collective failed");
  if (x->peer < 0 && self->base.size != 2)
    return hd_make_status(HD_UNIMPLEMENTED,
                          "channel %lld names no source_target_pairs, by which %d processes would know each other",
                          (long long)x->channel, self->base.size);
  if (x->channel < 0 || x->channel > LAST_TAG - FIRST_CHANNEL_TAG || x->count > HEADER - 1)
    return hd_make_status(HD_UNIMPLEMENTED,
                          "expected a channel of 0 to %d and up to %d values, got channel %lld, %u values",
                          LAST_TAG - FIRST_CHANNEL_TAG, HEADER - 1, (long long)x->channel, x->count);
  *out_rank = x->peer < 0 ? 1 - self->base.rank : x->peer;
  *out_tag = FIRST_CHANNEL_TAG + (int)x->channel;
  return HD_STATUS_OK;
}

static size_t total_of(const hd_message *x) {
  size_t total = 0;
  for (uint32_t i = 0; i < x->count; ++i) total += x->parts[i].bytes;
  return total;
}

static hd_status send_message(hd_communicator *base, const hd_message *x) {
  mpi *self = (mpi *)base;
  int rank, tag;
  size_t total = total_of(x);
  HD_TRY(address(self, x, &rank, &tag));
  if (total > PIECE) return hd_make_status(HD_UNIMPLEMENTED, "a message of %zu bytes; up to %d go", total, PIECE);
  clear_outbox(self);
  sent *m = calloc(1, sizeof *m + total);
  if (!m) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  m->header[0] = x->count;
  char *at = m->bytes;
  for (uint32_t i = 0; i < x->count; at += x->parts[i++].bytes) {
    m->header[1 + i] = x->parts[i].bytes;
    if (x->parts[i].bytes) memcpy(at, x->parts[i].data, x->parts[i].bytes);
  }
  m->next = self->outbox;
  self->outbox = m;
  hd_status status = HD_STATUS_OK;
  const void *data[2] = {m->header, m->bytes};
  int bytes[2] = {sizeof m->header, (int)total};
  for (int i = 0; i < 2 && hd_is_ok(status); ++i) {
    int code = self->lib.Isend(data[i], bytes[i], self->lib.byte, rank, tag, self->group, &m->requests[i]);
    if (code) status = failed(&self->lib, "MPI_Isend", code);
  }
  self->broken |= !hd_is_ok(status); /* the copy stays until the end: a part of it may be on its way */
  return status;
}

/* Waits for |bytes| bytes. */
static hd_status take(mpi *self, const hd_message *x, void *to, size_t bytes, int rank, int tag) {
  request q = {.bytes = bytes};
  int done = 0;
  MPI_TRY(&self->lib, "MPI_Irecv", self->lib.Irecv(to, (int)bytes, self->lib.byte, rank, tag, self->group, &q.handle));
  for (int round = 0;; ++round) {
    MPI_TRY(&self->lib, "MPI_Test", self->lib.Test(&q.handle, &done, NULL));
    if (done) return HD_STATUS_OK;
    if (round % 64 != 63) continue;
    if (x->go_on && !x->go_on(x->user)) {
      give_up(self, &q, 1);
      return hd_make_status(HD_CANCELLED, "message given up");
    }
    clear_outbox(self);
    sched_yield();
  }
}

static hd_status open_header(const hd_message *x, const uint64_t *header) {
  if (header[0] != x->count)
    return hd_make_status(HD_INVALID_ARGUMENT, "channel %lld: expected %u values, got %llu", (long long)x->channel,
                          x->count, (unsigned long long)header[0]);
  for (uint32_t i = 0; i < x->count; ++i)
    if (header[1 + i] != x->parts[i].bytes)
      return hd_make_status(HD_INVALID_ARGUMENT, "channel %lld: expected %zu bytes, got %llu", (long long)x->channel,
                            x->parts[i].bytes, (unsigned long long)header[1 + i]);
  return HD_STATUS_OK;
}

static hd_status receive_message(hd_communicator *base, const hd_message *x) {
  mpi *self = (mpi *)base;
  int rank, tag;
  uint64_t header[HEADER];
  HD_TRY(address(self, x, &rank, &tag));
  hd_status status = take(self, x, header, sizeof header, rank, tag);
  if (hd_is_ok(status)) status = open_header(x, header);
  size_t total = total_of(x);
  char *bytes = malloc(total + 1), *at = bytes;
  if (hd_is_ok(status) && !bytes) status = hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  if (hd_is_ok(status)) status = take(self, x, bytes, total, rank, tag);
  for (uint32_t i = 0; i < x->count && hd_is_ok(status); at += x->parts[i++].bytes)
    if (x->parts[i].bytes) memcpy(x->parts[i].data, at, x->parts[i].bytes);
  free(bytes);
  self->broken |= !hd_is_ok(status);
  return status;
}

static const hd_communicator_vtable vtable = {
    .destroy = destroy, .exchange = exchange, .abort = abort_group, .send = send_message, .receive = receive_message};

static hd_status join(mpi *self) {
  library *lib = &self->lib;
  int is_initialized = 0, is_finalized = 0, provided = 0, rank = 0, size = 0;
  lib->Finalized(&is_finalized);
  if (is_finalized) return hd_make_status(HD_FAILED_PRECONDITION, "MPI is finalised already");
  lib->Initialized(&is_initialized);
  if (!is_initialized) {
    MPI_TRY(lib, "MPI_Init_thread", lib->Init_thread(NULL, NULL, THREAD_SERIALIZED, &provided));
    self->finalize = true;
  }
  MPI_TRY(lib, "MPI_Comm_dup", lib->Comm_dup(lib->world, &self->group));
  MPI_TRY(lib, "MPI_Comm_set_errhandler", lib->Comm_set_errhandler(self->group, lib->errors_return));
  MPI_TRY(lib, "MPI_Comm_rank", lib->Comm_rank(self->group, &rank));
  MPI_TRY(lib, "MPI_Comm_size", lib->Comm_size(self->group, &size));
  self->base.rank = rank;
  self->base.size = size;
  return HD_STATUS_OK;
}

hd_status hd_communicator_create_mpi(const char *path, hd_communicator **out_communicator) {
  HD_REQUIRE(out_communicator);
  *out_communicator = NULL;
  mpi *self = calloc(1, sizeof *self);
  if (!self) return hd_make_status(HD_RESOURCE_EXHAUSTED, "out of memory");
  self->base.vtable = &vtable;
  atomic_store(&self->base.references, 1);
  hd_status status = open_library(path, &self->lib);
  if (hd_is_ok(status)) status = join(self);
  if (!hd_is_ok(status)) {
    free(self);
    return status;
  }
  *out_communicator = &self->base;
  return HD_STATUS_OK;
}
