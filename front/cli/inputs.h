/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs of a program from files or made at random, and outputs back to files: shared by run, eval and bisect. */
#ifndef HD_FRONT_CLI_INPUTS_H_
#define HD_FRONT_CLI_INPUTS_H_

#include "base/arena.h"
#include "heddle/compile.h"
#include "heddle/runtime.h"
#include "options.h"

/* A dense, row-major tensor. */
typedef struct hd_cli_tensor {
  hd_element_type type;
  int32_t rank;
  const int64_t *dims;
  void *data;
  size_t bytes;
} hd_cli_tensor;

typedef struct hd_cli_arg {
  const char *name; /* may be "" */
  hd_element_type type;
  int32_t rank;
  const char *const *dim_texts; /* "768", "b", "2*n+1" */
} hd_cli_arg;

/* What a program takes. */
typedef struct hd_cli_signature {
  int32_t arg_count, symbol_count;
  const hd_cli_arg *args;
  const char *const *symbols;
  /* The dims of argument |i| when the symbols have |values|. */
  hd_status (*dims_of)(void *user, int32_t i, const int64_t *values, int64_t *out_dims);
  void *user;
} hd_cli_signature;

/* Do the options say anything of inputs? */
bool hd_cli_has_inputs(const hd_cli_options *options);

/* What an expectation file says of the inputs of one case, beside options->random. */
typedef struct hd_cli_variation {
  const char *by;           /* who says it, for messages */
  const double *scales;     /* per argument; null: as --random says */
  const uint32_t *limits;   /* per argument, 0: --random-max; may be null */
  const hd_named_dim *dims; /* sizes of named dims, as --dims gives them */
  size_t dim_count;
} hd_cli_variation;

/* Makes |signature|->arg_count tensors into |out|, which live as long as |arena|, and so do the files that arrays are
 * mapped from. |variation| may be null. Inside an out-of-memory guard. */
hd_status hd_cli_make_inputs(hd_arena *arena, const hd_cli_options *options, const hd_cli_signature *signature,
                             const hd_cli_variation *variation, hd_cli_tensor *out) HD_MUST_USE;

/* Writes out0, out1, ... to an npz file; tokens are skipped. */
hd_status hd_cli_write_outputs(const char *path, const hd_cli_tensor *tensors, int32_t count) HD_MUST_USE;

#endif
