/* SPDX-License-Identifier: Apache-2.0 */
/* Where addresses of kernels are for the host, and what is found on the way there. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runtime/drivers/simt/warp.h"

/* ---- findings ---- */

static const char *const kind_names[HD_SIMT_FINDING_KINDS] = {
    "data race",     "out of bounds", "uninitialised read", "barrier under divergence",
    "inactive lane", "misaligned",    "unreachable",        "undefined value"};

const char *hd_simt_finding_name(hd_simt_finding_kind kind) { return kind_names[kind]; }

static hd_simt_finding *finding_at(hd_simt_report *report, hd_simt_finding_kind kind, const char *source) {
  for (uint32_t i = 0; i < report->count; ++i)
    if (report->findings[i].kind == kind && report->findings[i].source == source) return &report->findings[i];
  if (report->count == report->capacity) return NULL;
  hd_simt_finding *made = &report->findings[report->count++];
  *made = (hd_simt_finding){.kind = kind, .source = source};
  return made;
}

void hd_simt_find(hd_simt_machine *m, const hd_simt_warp *warp, uint32_t lane, uint32_t pc, hd_simt_finding_kind kind,
                  bool fatal, const char *format, ...) {
  hd_simt_grid *grid = m->grid;
  const hd_simt_kernel *kernel = m->kernel;
  const char *source = kernel->sources[kernel->origins[pc]];
  const uint32_t *n = grid->launch->block, thread = warp->first + lane;
  uint32_t id[3] = {thread % n[0], thread / n[0] % n[1], thread / n[0] / n[1]};
  char text[200];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  pthread_mutex_lock(&grid->lock);
  hd_simt_finding *finding = finding_at(grid->report, kind, source);
  if (!finding) {
    ++grid->report->lost;
  } else if (!finding->count++) {
    finding->kernel = kernel->name;
    memcpy(finding->block, m->block, sizeof finding->block);
    memcpy(finding->thread, id, sizeof finding->thread);
    memcpy(finding->text, text, sizeof text);
  }
  if (fatal && hd_is_ok(grid->status))
    grid->status = hd_make_status(
        HD_INVALID_ARGUMENT, "simt: %s: kernel '%s', block (%u, %u, %u), thread (%u, %u, %u): %s: %s", source,
        kernel->name, m->block[0], m->block[1], m->block[2], id[0], id[1], id[2], kind_names[kind], text);
  pthread_mutex_unlock(&grid->lock);
  m->failed |= fatal;
}

/* ---- places ---- */

bool hd_simt_find_allocation(hd_simt_machine *m, uint64_t address, uint32_t bytes) {
  const hd_simt_launch *launch = m->grid->launch;
  if (m->near.size >= bytes && address - m->near.address <= m->near.size - bytes) return true;
  size_t low = 0, high = launch->allocation_count;
  while (low < high) { /* the last that begins at |address| or before */
    size_t middle = (low + high) / 2;
    if (launch->allocations[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return false;
  const hd_simt_allocation *found = &launch->allocations[low - 1];
  if (found->size < bytes || address - found->address > found->size - bytes) return false;
  m->near = *found;
  m->near_index = (uint32_t)(low - 1);
  if (!m->near.data) m->near.data = (void *)(uintptr_t)found->address;
  return true;
}

static char *place_of(hd_simt_machine *m, uint32_t thread, const hd_simt_access *access, uint64_t address) {
  uint32_t space = address >= HD_SIMT_PRIVATE && address < HD_SIMT_PRIVATE + (1ull << 32) ? HD_SIMT_SPACE_PRIVATE
                   : address >= HD_SIMT_SHARED && address < HD_SIMT_SHARED + (1ull << 32) ? HD_SIMT_SPACE_SHARED
                                                                                          : HD_SIMT_SPACE_GLOBAL;
  if (access->space != HD_SIMT_SPACE_GENERIC && access->space != space) return NULL;
  if (space == HD_SIMT_SPACE_SHARED) {
    uint64_t at = address - HD_SIMT_SHARED, size = m->grid->shared_bytes;
    return size >= access->bytes && at <= size - access->bytes ? m->shared + at : NULL;
  }
  if (space == HD_SIMT_SPACE_PRIVATE) {
    uint64_t at = address - HD_SIMT_PRIVATE, size = m->kernel->private_bytes;
    return size >= access->bytes && at <= size - access->bytes ? m->private_memory + thread * size + at : NULL;
  }
  if (!m->grid->launch->allocations) return (char *)(uintptr_t)address;
  if (!hd_simt_find_allocation(m, address, access->bytes)) return NULL;
  return (char *)m->near.data + (address - m->near.address);
}

static const char *space_name(uint32_t space) {
  return space == HD_SIMT_SPACE_GLOBAL    ? "global"
         : space == HD_SIMT_SPACE_SHARED  ? "shared"
         : space == HD_SIMT_SPACE_PRIVATE ? "private"
                                          : "any";
}

uint32_t hd_simt_reach(hd_simt_machine *m, const hd_simt_warp *warp, hd_simt_access *access) {
  uint32_t found = 0;
  for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
    uint32_t lane = (uint32_t)__builtin_ctz(rest);
    access->places[lane] = place_of(m, warp->first + lane, access, access->addresses[lane]);
    if (access->places[lane])
      found |= 1u << lane;
    else
      hd_simt_find(m, warp, lane, access->pc, HD_SIMT_OUT_OF_BOUNDS, !m->checks,
                   "%s %u bytes at 0x%llx, which are not in %s memory",
                   access->kind == HD_SIMT_READ ? "reads" : "writes", access->bytes,
                   (unsigned long long)access->addresses[lane], space_name(access->space));
  }
  access->mask = found;
  if (m->checks) hd_simt_check_access(m, warp, access);
  return found;
}
