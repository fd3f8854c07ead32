/* SPDX-License-Identifier: Apache-2.0 */
/* The words, on the host, that a program hands to ral_collective, and those of a channel. */
#ifndef HD_RUNTIME_COLLECTIVES_ABI_H_
#define HD_RUNTIME_COLLECTIVES_ABI_H_

#include "runtime/words_abi.h"

typedef struct hd_collective_descriptor {
  int64_t kind;       /* hd_collective_kind */
  int64_t grouping;   /* hd_collective_grouping */
  int64_t partitions; /* of a replica */
  int64_t channel;
  int64_t bytes;   /* of the operand */
  int64_t members; /* of a group, as the compiler knows it */
  int64_t rows;    /* of the matrix of ids that follows, row by row; 0: one group of all */
  int64_t columns;
  int64_t place; /* the message that says where a failure is, -1: none */
} hd_collective_descriptor;
HD_ABI_LAYOUT(hd_collective_descriptor, 9, place);

typedef enum hd_collective_kind {
  HD_COLLECTIVE_GATHER,
  HD_COLLECTIVE_EXCHANGE,
  HD_COLLECTIVE_PERMUTE,
  HD_COLLECTIVE_BROADCAST,
  HD_COLLECTIVE_GATHER_OR_ZEROS, /* zeros for who is in no group */
} hd_collective_kind;

/* What ids stand for, as the StableHLO specification has it. */
typedef enum hd_collective_grouping {
  HD_GROUP_REPLICAS,   /* replicas, of this process's partition */
  HD_GROUP_PARTITIONS, /* partitions, of this process's replica */
  HD_GROUP_BOTH,       /* replicas, all partitions of each */
  HD_GROUP_FLATTENED,  /* replica * partitions + partition */
} hd_collective_grouping;

/* The channel of a message (runtime/libraries/channels.h); as many pairs as there are follow. */
typedef struct hd_channel_descriptor {
  int64_t channel;
  int64_t partitions; /* of a replica */
} hd_channel_descriptor;
HD_ABI_LAYOUT(hd_channel_descriptor, 2, partitions);

/* Who sends to whom: partitions of one replica where there are several, else replicas. */
typedef struct hd_channel_pair {
  int64_t source, target;
} hd_channel_pair;
HD_ABI_LAYOUT(hd_channel_pair, 2, target);

#endif
