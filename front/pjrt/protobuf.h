/* SPDX-License-Identifier: Apache-2.0 */
/* Protocol buffers, as far as they are met here: fields read one by one, messages written from the inside out.
 * Thread-compatible. */
#ifndef HD_FRONT_PJRT_PROTOBUF_H_
#define HD_FRONT_PJRT_PROTOBUF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- reading --------------------------------------------------------------------------------------------------- */

typedef struct hd_proto_reader {
  const uint8_t *at, *end;
} hd_proto_reader;

typedef struct hd_proto_field {
  uint64_t number;
  unsigned wire;         /* 0: a number, 2: bytes, 1 and 5: bytes of fixed size */
  uint64_t value;        /* of a number */
  hd_proto_reader bytes; /* of the others */
} hd_proto_field;

bool hd_proto_number(hd_proto_reader *r, uint64_t *out);
/* The next field; false at the end, and with |*bad| when the bytes are no message. */
bool hd_proto_next(hd_proto_reader *r, hd_proto_field *out, bool *bad);

/* ---- writing --------------------------------------------------------------------------------------------------- */

/* A message that grows. Zeroed it is empty; hd_proto_free empties it. When memory is short it fails and stays so. */
typedef struct hd_proto_message {
  uint8_t *data;
  size_t size, room;
  bool failed;
} hd_proto_message;

void hd_proto_put_number(hd_proto_message *m, uint32_t field, uint64_t value);
void hd_proto_put_text(hd_proto_message *m, uint32_t field, const char *text);
/* |inner| as a field, and empties it. */
void hd_proto_put_message(hd_proto_message *m, uint32_t field, hd_proto_message *inner);
void hd_proto_free(hd_proto_message *m);

#endif
