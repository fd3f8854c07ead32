/* SPDX-License-Identifier: Apache-2.0 */
/* The command line: rows of driver/options.def, parsed into one struct for the commands of heddle and heddle-opt. */
#ifndef HD_FRONT_CLI_OPTIONS_H_
#define HD_FRONT_CLI_OPTIONS_H_

#include <stdio.h>

#include "base/arena.h"
#include "base/option_table.h"
#include "base/status.h"

/* Exit codes, the same for every command. */
enum {
  HD_EXIT_OK = 0,
  HD_EXIT_FAILED = 1,    /* a program, tensor or file is wrong or not supported; the message says where and why */
  HD_EXIT_USAGE = 2,     /* the command line is wrong */
  HD_EXIT_DIFFERS = 3,   /* it ran, and a result is not what --expect, --reference or a check expects */
  HD_EXIT_LIMIT = 4,     /* --timeout or --memory-limit was reached, or memory ran out */
  HD_EXIT_INTERNAL = 70, /* a fault of Heddle itself */
};

/* Commands as bits, for the table of options. */
typedef enum hd_cli_command {
  HD_CLI_RUN = 1,
  HD_CLI_COMPILE = 2,
  HD_CLI_EVAL = 4,
  HD_CLI_CHECK = 8,
  HD_CLI_EXPLAIN = 16,
  HD_CLI_BISECT = 32,
  HD_CLI_REDUCE = 64,
  HD_CLI_LAYOUT = 128,
  HD_CLI_MAP = 256,
  HD_CLI_OPT = 512, /* heddle-opt */
  HD_CLI_DEVICES = 1024,
} hd_cli_command;

enum { HD_CLI_MAX_OPTIONS = 128 };

/* Strings are lent by argv; paths may be on the parser's arena. Null or zero: not given. */
typedef struct hd_cli_options {
  bool given[HD_CLI_MAX_OPTIONS]; /* by row of the table */
  const char **rest;              /* of heddle-opt, what is hd_opt's: its name, options and passes; null last */
  int rest_count;
  const char *file, *name; /* |name|: in messages; of layout and map, what is shown */
  const char *shape_text;  /* of layout, its second argument */
  hd_option_texts inputs;
  const char *outputs;
  const char *random; /* the seed, as text */
  uint64_t seed;
  uint64_t random_max;
  hd_option_texts random_scale, dims, shape;
  uint64_t repeat, threads;
  const char *target, *driver, *emit_ptx, *entry, *constant_args, *reference, *profile, *expect, *output, *dump_to,
      *pass_pipeline, *pass_options, *test, *ptxas, *math;
  const char *constants, *to, *svg, *grid, *then, *thread;
  uint64_t element_bits;
  hd_option_texts mcpu;
  double timeout;
  double tolerance; /* below 0: not given */
  uint64_t platform_index;
  uint64_t memory_limit;
  bool check_bounds;
  bool json, html, slow, split_input_file, no_cache, perf_map, no_contract, no_excess_precision, excess_precision,
      no_graph_passes, library_products, deterministic, tf32, inverse, help, version;
  bool custom_calls_later;
} hd_cli_options;

/* The tolerance of comparisons where nobody gives one. */
#define HD_CLI_TOLERANCE 1e-5

/* Parses |argv| (options of |command|, and one file; of layout, a layout and a shape; of map, a map) into |*out|;
 * options that are not given come from the environment, where a variable stands for them. --help ends it. Paths are as
 * hd_option_path gives them. A failure is INVALID_ARGUMENT and names the option or variable and what it takes, or the
 * options that do not go together. Inside an out-of-memory guard. */
hd_status hd_cli_parse(hd_arena *arena, hd_cli_command command, int argc, const char *const *argv,
                       hd_cli_options *out) HD_MUST_USE;

/* INVALID_ARGUMENT when an option is given that asks something of a program: options->file is an artifact. */
hd_status hd_cli_artifact_options(const hd_cli_options *options) HD_MUST_USE;

/* The options of |command|, aligned. */
void hd_cli_print_options(hd_arena *arena, hd_cli_command command, FILE *out);

#endif
