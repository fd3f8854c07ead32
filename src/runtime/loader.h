/* SPDX-License-Identifier: Apache-2.0 */
/* The loader: relocatable ELF objects of one artifact variant to code that runs. No page is ever writable and
 * executable: the region is mapped read-write, filled and relocated, then text becomes read-execute and constants
 * read-only.
 *
 *   text of all objects | stubs for outside functions || read-only data | got | ral table || data and bss
 *
 * Accepted: x86-64 ELF64 relocatable objects; relocations NONE, 64, PC32, PLT32, 32, 32S, GOTPCREL, GOTPCRELX,
 * REX_GOTPCRELX and PC64. Refused with a status: any other relocation, thread-local
 * data, constructors, common symbols, ifuncs, symbols that are nowhere defined. The tables of an object are
 * bounds-checked; the code in it is trusted. */
#ifndef HD_RUNTIME_LOADER_H_
#define HD_RUNTIME_LOADER_H_

#include "runtime/abi.h"
#include "runtime/artifact.h"

typedef struct hd_code hd_code;

/* Loads |objects|, whose bytes are not needed afterwards. |ral_table| becomes hd_ral_table. */
hd_status hd_code_load(const hd_artifact_object *objects, uint32_t object_count, const hd_ral_fn *ral_table,
                       uint32_t ral_count, hd_code **out_code) HD_MUST_USE;
void hd_code_free(hd_code *code);

/* The address of global symbol |name|, null when there is none. Thread-safe. */
void *hd_code_symbol(const hd_code *code, const char *name);
/* Gives the function at |symbol| the name that the perf map shows, which must live as long as |code|. */
void hd_code_set_name(hd_code *code, const char *symbol, const char *name);
/* Appends all functions to /tmp/perf-PID.map, where Linux perf looks. */
hd_status hd_code_write_perf_map(const hd_code *code) HD_MUST_USE;

#endif
