/* SPDX-License-Identifier: Apache-2.0 */
/* What options of a command line take, read from text: one way for every program. Thread-safe. */
#ifndef HD_BASE_OPTION_VALUE_H_
#define HD_BASE_OPTION_VALUE_H_

#include <stdint.h>

#include "base/status.h"

typedef enum hd_option_kind {
  HD_OPTION_FLAG,   /* bool: takes no text and sets true */
  HD_OPTION_BOOL,   /* bool: true without text; else true, 1, false or 0 */
  HD_OPTION_TEXT,   /* const char *, lent */
  HD_OPTION_COUNT,  /* uint64_t from 1 on */
  HD_OPTION_INDEX,  /* uint64_t from 0 to INT32_MAX */
  HD_OPTION_SEED,   /* uint64_t */
  HD_OPTION_BYTES,  /* uint64_t from 1 on; K, M and G are understood */
  HD_OPTION_NUMBER, /* double above 0, at most 1e9 */
  HD_OPTION_OWN,    /* from here on: read by who has the table of options */
} hd_option_kind;

/* Reads |text| (null: none was given) into |*field|. |most|: of a count; 0: there is no limit. The failure is
 * INVALID_ARGUMENT and begins with |by|, what the user wrote the value to. */
hd_status hd_option_read(hd_option_kind kind, const char *by, const char *text, uint64_t most, void *field) HD_MUST_USE;

#endif
