/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/communicator.h"

#include <string.h>

hd_communicator *hd_communicator_retain(hd_communicator *communicator) {
  if (communicator) atomic_fetch_add_explicit(&communicator->references, 1, memory_order_relaxed);
  return communicator;
}

void hd_communicator_release(hd_communicator *communicator) {
  if (communicator && atomic_fetch_sub_explicit(&communicator->references, 1, memory_order_acq_rel) == 1)
    communicator->vtable->destroy(communicator);
}

int32_t hd_communicator_rank(const hd_communicator *communicator) { return communicator ? communicator->rank : 0; }
int32_t hd_communicator_size(const hd_communicator *communicator) { return communicator ? communicator->size : 0; }

void hd_communicator_abort(hd_communicator *communicator, const char *reason) {
  if (communicator) communicator->vtable->abort(communicator, reason ? reason : "");
}

bool hd_communicator_takes_device(hd_communicator *communicator, const struct hd_driver *driver) {
  return communicator && communicator->vtable->takes_device && communicator->vtable->takes_device(communicator, driver);
}

hd_status hd_communicator_exchange(hd_communicator *communicator, const hd_exchange *x) {
  for (uint32_t i = 0; i < x->count; ++i)
    if (x->members[i] >= (uint32_t)communicator->size)
      return hd_make_status(HD_INVALID_ARGUMENT, "needs process %u, and the run has %d", x->members[i],
                            communicator->size);
  const hd_exchange_part *from = &x->sends[x->self], *to = &x->receives[x->self];
  if (from->bytes != to->bytes)
    return hd_make_status(HD_INTERNAL, "a process sends itself %zu bytes and takes %zu", from->bytes, to->bytes);
  if (to->bytes && to->data != from->data && !x->stream) memcpy(to->data, from->data, to->bytes);
  return x->count > 1 ? communicator->vtable->exchange(communicator, x) : HD_STATUS_OK;
}
