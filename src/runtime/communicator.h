/* SPDX-License-Identifier: Apache-2.0 */
/* What is behind a communicator: one operation, the exchange, from which libraries/collectives.c makes every
 * collective. An implementation is a file of communicators/ with a vtable at its end; that of GPUs (nccl.c) puts
 * grouped sends and receives on the exchange's stream. */
#ifndef HD_RUNTIME_COMMUNICATOR_H_
#define HD_RUNTIME_COMMUNICATOR_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "heddle/communicator.h"

struct hd_driver;

typedef struct hd_exchange_part {
  void *data; /* sent ones are only read; borrowed until the exchange returns */
  size_t bytes;
} hd_exchange_part;

/* Members of a group meet; each gives and takes one part to and from each. */
typedef struct hd_exchange {
  const uint32_t *members;                  /* ranks: the same list, in the same order, at each member */
  uint32_t count, self;                     /* members[self] is this rank */
  const hd_exchange_part *sends, *receives; /* |count| of each */
  int64_t channel;                          /* exchanges of other channels do not meet */
  void *stream;                             /* of device memory; null on the host */
  bool (*go_on)(void *user);                /* asked while waiting; false: give up, CANCELLED */
  void *user;
} hd_exchange;

/* Values on a channel, in order. */
typedef struct hd_message {
  int64_t channel;
  int32_t peer; /* the rank that receives, or has sent; -1: whoever does */
  const hd_exchange_part *parts;
  uint32_t count;
  bool (*go_on)(void *user); /* as of hd_exchange */
  void *user;
} hd_message;

typedef struct hd_communicator_vtable {
  void (*destroy)(hd_communicator *communicator);
  /* Does all parts but members[self]'s. A part whose sizes differ at its two ends is INVALID_ARGUMENT at the receiver.
   */
  hd_status (*exchange)(hd_communicator *communicator, const hd_exchange *exchange);
  void (*abort)(hd_communicator *communicator, const char *reason);
  /* Keeps a copy of the parts until they are received. */
  hd_status (*send)(hd_communicator *communicator, const hd_message *message);
  /* Waits for the next message of the channel and fills the parts; other counts or sizes are INVALID_ARGUMENT. */
  hd_status (*receive)(hd_communicator *communicator, const hd_message *message);
  /* Does it exchange parts in memory of |driver|'s device, on the exchange's
   * stream, which must be set then? Null: no. */
  bool (*takes_device)(hd_communicator *communicator, const struct hd_driver *driver);
} hd_communicator_vtable;

struct hd_communicator {
  const hd_communicator_vtable *vtable;
  atomic_int references;
  int32_t rank, size;
};

/* Of messages, where a program that needs others has no communicator. */
#define HD_RUNS_ALONE "this program runs alone: start all of its processes, as `mpirun -n N heddle run` does"

bool hd_communicator_takes_device(hd_communicator *communicator, const struct hd_driver *driver);

/* Checks ranks, does the own part where it is on the host, and leaves the others to the vtable. */
hd_status hd_communicator_exchange(hd_communicator *communicator, const hd_exchange *exchange) HD_MUST_USE;

#endif
