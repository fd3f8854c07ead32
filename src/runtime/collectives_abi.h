/* SPDX-License-Identifier: Apache-2.0 */
/* The facts that a program hands to ral_collective: words on the host. */
#ifndef HD_RUNTIME_COLLECTIVES_ABI_H_
#define HD_RUNTIME_COLLECTIVES_ABI_H_

typedef enum hd_collective_fact {
  HD_COLLECTIVE_KIND,       /* hd_collective_kind */
  HD_COLLECTIVE_GROUPING,   /* hd_collective_grouping */
  HD_COLLECTIVE_PARTITIONS, /* of a replica */
  HD_COLLECTIVE_CHANNEL,
  HD_COLLECTIVE_BYTES,   /* of the operand */
  HD_COLLECTIVE_MEMBERS, /* of a group, as the compiler knows it */
  HD_COLLECTIVE_ROWS,    /* of the matrix of ids that follows, row by row; 0: one group of all */
  HD_COLLECTIVE_COLUMNS,
  HD_COLLECTIVE_IDS,
} hd_collective_fact;

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

#endif
