/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_value.h"
#include "driver/targets.h"
#include "files.h"
#include "heddle/runtime.h"

/* The kinds of base/option_value.h, and those of this table. JOINED: given several times, its values with + between. */
enum {
  FLAG = HD_OPTION_FLAG,
  TEXT = HD_OPTION_TEXT,
  COUNT = HD_OPTION_COUNT,
  INDEX = HD_OPTION_INDEX,
  BYTES = HD_OPTION_BYTES,
  NUMBER = HD_OPTION_NUMBER,
  JOINED = HD_OPTION_OWN,
  PATH,
  VALUES,
  PATHS,
  SEED,
};

typedef struct option_row {
  const char *name, *value; /* |value|: what it takes, null for flags */
  int kind;
  size_t offset;
  unsigned commands;
  const char *help;           /* lines separated by '\n' */
  uint64_t most;              /* of a COUNT; 0: as many as there are */
  const char *(*names)(void); /* of what the value may be, told after |help| */
  bool of_program;            /* asks something of a program, which an artifact has no more */
  /* Names of options, separated by spaces: those that it cannot go with, and those of which it needs one. */
  const char *not_with, *needs;
} option_row;

#define AT(field) offsetof(hd_cli_options, field)
#define DATA (HD_CLI_EXPLAIN | HD_CLI_RUN | HD_CLI_EVAL | HD_CLI_BISECT | HD_CLI_COMPILE | HD_CLI_CHECK)
#define BUILD (HD_CLI_RUN | HD_CLI_COMPILE | HD_CLI_EXPLAIN | HD_CLI_BISECT)

static const option_row rows[] = {
    {"inputs", "FILE", PATHS, AT(inputs), DATA,
     "arrays arg0, arg1, ... (or named like the arguments) from an npz, npy or\n"
     "safetensors file; may be given several times",
     .not_with = "expect"},
    {"random", "SEED", SEED, AT(random), DATA, "make the inputs: floats in [-1, 1), integers below --random-max",
     .not_with = "expect"},
    {"random-max", "N", COUNT, AT(random_max), DATA, "integers of --random are in [0, N); 16 unless given",
     .not_with = "expect", .needs = "random"},
    {"random-scale", "A=X,..", VALUES, AT(random_scale), DATA,
     "multiply random floats of arguments by X: 2=0.02,4-7=0.5", .not_with = "expect", .needs = "random"},
    {"dims", "NAME=N,..", VALUES, AT(dims), DATA, "sizes of the program's named dims: b=4,s=128", .not_with = "expect"},
    {"shape", "argN=DIMS", VALUES, AT(shape), DATA, "the dims of one argument: arg0=4x128", .not_with = "expect"},
    {"outputs", "FILE.npz", PATH, AT(outputs), HD_CLI_RUN | HD_CLI_EVAL, "write the results as out0, out1, ...",
     .not_with = "expect"},
    {"expect", "FILE.json", PATH, AT(expect), HD_CLI_RUN,
     "run every case of an expectation file and compare; it also gives the inputs"},
    {"reference", "eval", TEXT, AT(reference), HD_CLI_RUN, "compare the results with the reference evaluator's",
     .of_program = true, .not_with = "expect"},
    {"tolerance", "X", NUMBER, AT(tolerance), HD_CLI_RUN | HD_CLI_BISECT,
     "largest error allowed, relative to an output's largest magnitude;\nwhat the expectation file says, else 1e-5 of "
     "f32,\n"
     "1e-11 of f64, 4 units of narrower floats, none of integers",
     .needs = "reference expect"},
    {"repeat", "N", COUNT, AT(repeat), HD_CLI_RUN, "run N times and report median and minimum", 10000000},
    {"threads", "N", COUNT, AT(threads), HD_CLI_RUN | HD_CLI_COMPILE | HD_CLI_EXPLAIN | HD_CLI_BISECT | HD_CLI_CHECK,
     "threads to compile and run with; HEDDLE_NUM_THREADS, else what the machine allows", HD_MAX_THREADS},
    {"constant-args", "LIST", TEXT, AT(constant_args), BUILD,
     "arguments that stay the same between runs, packed ahead: 0-11,14"},
    {"constants", "FILE", PATH, AT(constants), HD_CLI_COMPILE | HD_CLI_RUN,
     "compile: put the constants into FILE, which several artifacts may share, not into the\n"
     "artifact; run: where that file of an artifact is now, if it has moved"},
    {"target", "NAME", JOINED, AT(target), HD_CLI_COMPILE,
     "what to compile for; of cuda with architectures too, as cuda:80,90; given several times, all go into one\n"
     "artifact; a run takes the first whose device is here, what is not on every machine first. One of",
     .names = hd_target_names},
    {"target", "NAME", JOINED, AT(target), HD_CLI_RUN,
     "what to compile for, or which target of an artifact to run; given several times, or of an artifact\n"
     "without it, the first whose device is here. One of",
     .names = hd_target_names},
    {"driver", "NAME", TEXT, AT(driver), HD_CLI_RUN,
     "the device to run on, one of those of heddle devices; the target's unless given. guarded runs what is made for "
     "simt,\n"
     "with memory that the host cannot touch and work done late, and checks its kernels; slow. simt:16 has\nsubgroups "
     "of 16 (or 8, 4, 2, 1), and runs what is made for --target=simt:1"},
    {"target", "NAME", TEXT, AT(target), HD_CLI_EXPLAIN | HD_CLI_BISECT, "whose passes to take",
     .names = hd_target_names},
    {"target", "NAME", TEXT, AT(target), HD_CLI_EVAL,
     "eval (default), or simt: checked kernels, which must be in machine form; simt:16 has subgroups of 16 (or 8, 4, "
     "2, 1)"},
    {"target", "NAME", TEXT, AT(target), HD_CLI_CHECK, "eval (default), or what to compile for",
     .names = hd_targets_here},
    {"ptxas", "PROGRAM", TEXT, AT(ptxas), HD_CLI_RUN | HD_CLI_COMPILE | HD_CLI_EXPLAIN,
     "of cuda: the program that makes machine code of PTX, which goes beside it into the artifact; nvJitLink: the "
     "library",
     .of_program = true},
    {"emit-ptx", "FILE", PATH, AT(emit_ptx), HD_CLI_COMPILE,
     "write the PTX of the kernels too, of the first architecture", .of_program = true},
    {"mcpu", "NAME", VALUES, AT(mcpu), BUILD,
     "native, x86-64-v3, x86-64-v4; several give several variants; a run uses what these have"},
    {"entry", "NAME", TEXT, AT(entry), BUILD | HD_CLI_EVAL | HD_CLI_CHECK,
     "the function to take; main or tao_main, else the only public one"},
    {"grid", "X[,Y[,Z]]", TEXT, AT(grid), HD_CLI_EVAL,
     "programs of a Triton kernel, run one after the other; 1 unless given"},
    {"platform-index", "N", INDEX, AT(platform_index), BUILD | HD_CLI_EVAL,
     "the place of the CPU among the platforms of a JAX export, which the program does not say; 0", .of_program = true},
    {"custom-calls-later", NULL, FLAG, AT(custom_calls_later), HD_CLI_COMPILE | HD_CLI_EXPLAIN,
     "custom calls may name functions that whoever loads the artifact provides"},
    {"profile", "FILE.json", PATH, AT(profile), HD_CLI_RUN, "write a timeline that Perfetto opens"},
    {"perf-map", NULL, FLAG, AT(perf_map), HD_CLI_RUN, "write /tmp/perf-PID.map, so that Linux perf names kernels"},
    {"json", NULL, FLAG, AT(json), HD_CLI_RUN | HD_CLI_EXPLAIN | HD_CLI_BISECT | HD_CLI_LAYOUT | HD_CLI_MAP,
     "print one JSON object"},
    {"svg", "FILE.svg", PATH, AT(svg), HD_CLI_LAYOUT,
     "write a picture: a cell per element, coloured by warp or by bank", .not_with = "json"},
    {"to", "LAYOUT", TEXT, AT(to), HD_CLI_LAYOUT,
     "what it costs to bring the tile to this layout, or into this layout of shared memory"},
    {"then", "MAP", TEXT, AT(then), HD_CLI_MAP,
     "a map of what the first one gives: show them as one, and what that costs"},
    {"inverse", NULL, FLAG, AT(inverse), HD_CLI_MAP,
     "the way back; where several indices have one result, the converse, whose range variables are all of them"},
    {"shape", "DIMS", TEXT, AT(shape_text), HD_CLI_MAP,
     "512x4096: the results are an index in a row-major tensor of these dims; one result\nis a position without it"},
    {"thread", "DIM", TEXT, AT(thread), HD_CLI_MAP, "the dim that counts threads; the first unless given"},
    {"element-bits", "N", COUNT, AT(element_bits), HD_CLI_LAYOUT | HD_CLI_MAP,
     "size of an element: 8, 16, 32 (unless given) or 64", 64},
    {"html", NULL, FLAG, AT(html), HD_CLI_EXPLAIN, "write one self-contained page", .not_with = "json"},
    {"slow", NULL, FLAG, AT(slow), HD_CLI_EXPLAIN,
     "run it and show the kernels that are furthest from what the machine allows, and why", .not_with = "html"},
    {"test", "COMMAND", TEXT, AT(test), HD_CLI_REDUCE,
     "a shell command with {} for the file of a program; a program still fails when it exits as on FILE"},
    {"output", "FILE", PATH, AT(output), HD_CLI_COMPILE | HD_CLI_EXPLAIN | HD_CLI_REDUCE,
     "where to write; -o FILE is the same"},
    {"split-input-file", NULL, FLAG, AT(split_input_file), HD_CLI_CHECK, "each part between // ----- is a program",
     .not_with = "inputs random dims shape"},
    {"timeout", "SECONDS", NUMBER, AT(timeout), BUILD | HD_CLI_EVAL | HD_CLI_CHECK | HD_CLI_REDUCE,
     "give up after that long"},
    {"memory-limit", "BYTES", BYTES, AT(memory_limit), BUILD | HD_CLI_EVAL | HD_CLI_CHECK,
     "most memory for data; K, M and G are understood"},
    {"check-bounds", NULL, FLAG, AT(check_bounds), HD_CLI_RUN,
     "put every buffer between guards, and name the kernel that writes into them; slow"},
    {"no-cache", NULL, FLAG, AT(no_cache), BUILD, "neither read nor write the cache of compiled code"},
    {"dump-to", "DIR", PATH, AT(dump_to), BUILD, "write the IR after every pass, LLVM IR and assembly there",
     .of_program = true},
    {"pass-pipeline", "TEXT", TEXT, AT(pass_pipeline), BUILD, "passes instead of the target's own", .of_program = true},
    {"pass-options", "TEXT", TEXT, AT(pass_options), BUILD,
     "options of passes of the target's pipeline: 'disc-dot-rewriter{align=8}'", .of_program = true},
    {"no-graph-passes", NULL, FLAG, AT(no_graph_passes), BUILD,
     "only make buffers of the graph: its ops and fusions stay as they are written", .of_program = true},
    {"library-products", NULL, FLAG, AT(library_products), BUILD,
     "products of a device by a library where one takes them (cuBLASLt on cuda), else by kernels", .of_program = true},
    {"no-contract", NULL, FLAG, AT(no_contract), BUILD, "never fuse a multiplication and an addition",
     .of_program = true},
    {"no-excess-precision", NULL, FLAG, AT(no_excess_precision), BUILD,
     "round floats below f32 after every op and every step of a reduction;\nsums of matrix products stay f32",
     .of_program = true},
    {"excess-precision", NULL, FLAG, AT(excess_precision), HD_CLI_EVAL,
     "carry floats below f32 through reductions and scans in f32, as compiled code does", .of_program = true},
    {"deterministic", NULL, FLAG, AT(deterministic), BUILD, "no operation whose order could change the result",
     .of_program = true},
    {"math", "exact|fast", TEXT, AT(math), BUILD,
     "functions on devices: exact gives the CPU's bits; fast (unless given) may use the device's\ninstructions and, "
     "for bf16 and f16, shorter polynomials",
     .of_program = true},
    {"tf32", NULL, FLAG, AT(tf32), BUILD, "let matrix products of f32 use TF32, where the target has it",
     .of_program = true},
    {"help", NULL, FLAG, AT(help), ~0u, "show this text"},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };
_Static_assert(ROW_COUNT <= 64, "hd_cli_options.given has a bit per row");

static bool is_given(const hd_cli_options *options, const option_row *row) {
  return options->given >> (row - rows) & 1;
}

/* The option of |command| whose name is the |len| bytes at |name|, or null. */
static const option_row *find_row(hd_cli_command command, const char *name, size_t len) {
  for (int i = 0; i < ROW_COUNT; ++i)
    if ((rows[i].commands & command) && strlen(rows[i].name) == len && !memcmp(rows[i].name, name, len))
      return &rows[i];
  return NULL;
}

static hd_status set_value(hd_arena *arena, const option_row *row, const char *text, hd_cli_options *out) {
  void *field = (char *)out + row->offset;
  char by[64];
  snprintf(by, sizeof by, "--%s", row->name);
  if (row->kind == PATH || row->kind == PATHS) text = hd_cli_path(arena, text);
  out->given |= (uint64_t)1 << (row - rows);
  switch (row->kind) {
    case PATH:
      *(const char **)field = text;
      return HD_STATUS_OK;
    case JOINED: {
      const char **joined = field;
      *joined = *joined ? hd_arena_printf(arena, "%s+%s", *joined, text) : text;
      return HD_STATUS_OK;
    }
    case VALUES:
    case PATHS: {
      hd_cli_values *values = field;
      if (values->len == HD_CLI_MAX_VALUES)
        return hd_make_status(HD_INVALID_ARGUMENT, "--%s: given more than %d times", row->name, HD_CLI_MAX_VALUES);
      values->data[values->len++] = text;
      return HD_STATUS_OK;
    }
    case SEED:
      *(const char **)field = text;
      return hd_option_read(HD_OPTION_SEED, by, text, 0, &out->seed);
    default:
      return hd_option_read((hd_option_kind)row->kind, by, text, row->most, field);
  }
}

/* Few edits between two names: for "did you mean". */
static size_t distance(const char *a, const char *b) {
  size_t n = strlen(b), row[64];
  if (n >= 63) return 99;
  for (size_t j = 0; j <= n; ++j) row[j] = j;
  for (size_t i = 1; a[i - 1]; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= n; ++j) {
      size_t change = diagonal + (a[i - 1] != b[j - 1]), best = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
      diagonal = row[j];
      row[j] = change < best ? change : best;
    }
  }
  return row[n];
}

/* |dashes|: as they were typed. */
static hd_status unknown_option(hd_cli_command command, int dashes, const char *name) {
  const option_row *near = NULL;
  size_t least = SIZE_MAX;
  for (int i = 0; i < ROW_COUNT; ++i) {
    if (!(rows[i].commands & command)) continue;
    size_t d = distance(name, rows[i].name);
    if (d < least && d <= 1 + strlen(rows[i].name) / 5) least = d, near = &rows[i];
  }
  if (near)
    return hd_make_status(HD_INVALID_ARGUMENT, "unknown option '%.*s%s'; did you mean '--%s'?", dashes, "--", name,
                          near->name);
  return hd_make_status(HD_INVALID_ARGUMENT, "unknown option '%.*s%s'; --help lists them", dashes, "--", name);
}

/* Variables stand for options that are not given. */
static hd_status read_environment(hd_cli_command command, hd_cli_options *out) {
  const char *threads = getenv("HEDDLE_NUM_THREADS");
  if (out->threads || !threads || !*threads) return HD_STATUS_OK;
  const option_row *row = find_row(command, "threads", strlen("threads"));
  return row ? hd_option_read(HD_OPTION_COUNT, "HEDDLE_NUM_THREADS", threads, row->most, &out->threads) : HD_STATUS_OK;
}

/* The next name of |*list|, and its option for |command| (null: it has none); false at the end. */
static bool next_name(hd_cli_command command, const char **list, const option_row **out) {
  const char *name = *list;
  if (!name || !*name) return false;
  size_t len = strcspn(name, " ");
  *list = name + len + (name[len] == ' ');
  *out = find_row(command, name, len);
  return true;
}

/* Are one of those given that |row| needs? Options that the command does not have are not asked for. */
static hd_status check_needs(hd_arena *arena, hd_cli_command command, const option_row *row,
                             const hd_cli_options *options) {
  const char *wanted = NULL;
  const option_row *other;
  for (const char *list = row->needs; next_name(command, &list, &other);) {
    if (!other) continue;
    if (is_given(options, other)) return HD_STATUS_OK;
    wanted = wanted ? hd_arena_printf(arena, "%s or --%s", wanted, other->name)
                    : hd_arena_printf(arena, "--%s", other->name);
  }
  return wanted ? hd_make_status(HD_INVALID_ARGUMENT, "--%s: expected %s with it", row->name, wanted) : HD_STATUS_OK;
}

static hd_status check_combinations(hd_arena *arena, hd_cli_command command, const hd_cli_options *options) {
  for (int i = 0; i < ROW_COUNT; ++i) {
    const option_row *other;
    if (!is_given(options, &rows[i])) continue;
    for (const char *list = rows[i].not_with; next_name(command, &list, &other);)
      if (other && is_given(options, other))
        return hd_make_status(HD_INVALID_ARGUMENT, "--%s: expected none with --%s", rows[i].name, other->name);
    HD_TRY(check_needs(arena, command, &rows[i], options));
  }
  return HD_STATUS_OK;
}

hd_status hd_cli_artifact_options(const hd_cli_options *options) {
  for (int i = 0; i < ROW_COUNT; ++i)
    if (rows[i].of_program && is_given(options, &rows[i]))
      return hd_make_status(HD_INVALID_ARGUMENT, "--%s: %s is an artifact: give the program that it was compiled from",
                            rows[i].name, options->name);
  return HD_STATUS_OK;
}

hd_status hd_cli_parse(hd_arena *arena, hd_cli_command command, int argc, const char *const *argv,
                       hd_cli_options *out) {
  *out = (hd_cli_options){.random_max = 16};
  bool only_files = false;
  for (int i = 0; i < argc; ++i) {
    const char *arg = argv[i];
    if (!only_files && !strcmp(arg, "--")) {
      only_files = true;
      continue;
    }
    if (only_files || arg[0] != '-' || !arg[1]) {
      if (command == HD_CLI_LAYOUT) {
        if (out->shape_text)
          return hd_make_status(HD_INVALID_ARGUMENT, "expected a layout and a shape, got '%s' as well", arg);
        *(out->file ? &out->shape_text : &out->file) = arg;
        continue;
      }
      if (command == HD_CLI_MAP) {
        if (out->file) return hd_make_status(HD_INVALID_ARGUMENT, "expected one map, got '%s' as well", arg);
        out->file = out->name = arg;
        continue;
      }
      if (out->file) return hd_make_status(HD_INVALID_ARGUMENT, "expected one file, got '%s' and '%s'", out->file, arg);
      if (!*arg) return hd_make_status(HD_INVALID_ARGUMENT, "expected a file, got ''");
      out->file = hd_cli_path(arena, arg);
      out->name = hd_cli_name(out->file);
      continue;
    }
    if (!strcmp(arg, "-o")) arg = "--output";
    if (!strcmp(arg, "-h")) arg = "--help";
    const char *name = arg + (arg[1] == '-' ? 2 : 1), *equals = strchr(name, '=');
    size_t len = equals ? (size_t)(equals - name) : strlen(name);
    const option_row *row = find_row(command, name, len);
    if (!row) {
      char text[64];
      snprintf(text, sizeof text, "%.*s", len > 60 ? 60 : (int)len, name);
      return unknown_option(command, (int)(name - arg), text);
    }
    if (row->kind == FLAG && equals)
      return hd_make_status(HD_INVALID_ARGUMENT, "--%s takes no value, got '%s'", row->name, equals + 1);
    const char *value = NULL;
    if (row->kind != FLAG) {
      if (!equals && i + 1 == argc)
        return hd_make_status(HD_INVALID_ARGUMENT, "--%s: expected %s", row->name, row->value);
      value = equals ? equals + 1 : argv[++i];
    }
    if (value && !*value)
      return hd_make_status(HD_INVALID_ARGUMENT, "--%s: expected %s, got ''", row->name, row->value);
    HD_TRY(set_value(arena, row, value, out));
    if (out->help) return HD_STATUS_OK; /* what follows is not looked at */
  }
  HD_TRY(check_combinations(arena, command, out));
  return read_environment(command, out);
}

void hd_cli_print_options(FILE *out, hd_cli_command command) {
  int width = 0;
  char left[64];
  for (int i = 0; i < ROW_COUNT; ++i) {
    if (!(rows[i].commands & command)) continue;
    int n = rows[i].value ? snprintf(left, sizeof left, "--%s %s", rows[i].name, rows[i].value)
                          : snprintf(left, sizeof left, "--%s", rows[i].name);
    if (n > width) width = n;
  }
  for (int i = 0; i < ROW_COUNT; ++i) {
    if (!(rows[i].commands & command)) continue;
    if (rows[i].value)
      snprintf(left, sizeof left, "--%s %s", rows[i].name, rows[i].value);
    else
      snprintf(left, sizeof left, "--%s", rows[i].name);
    for (const char *line = rows[i].help; line;) {
      const char *next = strchr(line, '\n');
      bool names = !next && rows[i].names;
      fprintf(out, "  %-*s  %.*s%s%s\n", width, line == rows[i].help ? left : "",
              (int)(next ? next - line : (long)strlen(line)), line, names ? ": " : "", names ? rows[i].names() : "");
      line = next ? next + 1 : NULL;
    }
  }
}
