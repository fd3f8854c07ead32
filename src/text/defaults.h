/* SPDX-License-Identifier: Apache-2.0 */
/* Defaults of attributes and parameters, which rows write as text. */
#ifndef HD_TEXT_DEFAULTS_H_
#define HD_TEXT_DEFAULTS_H_

#include "text/format.h"

/* What an absent attribute or parameter means; null when there is no default, or its text is wrong. */
hd_attr hd_default_of(hd_context *context, const hd_signature_item *item);

#endif
