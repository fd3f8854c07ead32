/* SPDX-License-Identifier: Apache-2.0 */
/* heddle: the command line. */
#include <stdio.h>
#include <string.h>

#include "../compiler/compiler.h"
#include "base/version.h"
#include "commands.h"
#include "files.h"
#include "heddle/cpu.h"
#include "inputs.h"
#include "program.h"
#include "watchdog.h"

typedef struct command_row {
  const char *name;
  hd_cli_command command;
  hd_cli_command_fn *run;
  const char *summary, *usage, *text;
  const char *subject; /* what it is given; null: a file */
} command_row;

static const command_row commands[] = {
    {"run", HD_CLI_RUN, hd_cli_run, "compile a program once and run it", "heddle run FILE [options]",
     "FILE is StableHLO or MHLO text, XLA's HLO text, MLIR bytecode as jax.export writes it, or an .hdl that\n"
     "`heddle compile` made. It is compiled once, whatever its unknown dims turn out to be, or\n"
     "taken from the cache.\n\n"
     "  heddle run gelu.mlir --random 0 --dims b=4,s=128\n"
     "  heddle run model.mlir --inputs in.npz --outputs out.npz --repeat 100\n"
     "  heddle run bert_layer.mlir --expect bert_layer.json --constant-args=0-11\n"},
    {"compile", HD_CLI_COMPILE, hd_cli_compile, "compile a program to an .hdl file",
     "heddle compile FILE [-o FILE.hdl] [options]",
     "The artifact runs with `heddle run` or libheddle_rt.so, without the compiler and without LLVM. With\n"
     "inputs or dims it is written only if it would take them. With --constants the constants go to a file\n"
     "of their own; the artifact finds it from its own folder, so the two move together.\n\n"
     "  heddle compile model.mlir -o model.hdl --mcpu=x86-64-v3 --mcpu=x86-64-v4\n"
     "  heddle compile encoder.mlir --constants weights.hdc; heddle compile decoder.mlir --constants weights.hdc\n"},
    {"eval", HD_CLI_EVAL, hd_cli_eval, "run a program on the reference evaluator", "heddle eval FILE [options]",
     "Slow and obvious: the meaning of every op.\n\n"
     "  heddle eval program.mlir --random 0 --dims n=3\n"
     "  heddle eval gelu.hlo --random 0\n"},
    {"check", HD_CLI_CHECK, hd_cli_check, "run the check ops of a program", "heddle check FILE [options]",
     "Runs every public function without arguments and counts them: N passed, N failed. With inputs, the\n"
     "entry that takes them runs too.\n\n"
     "  heddle check tests.mlir --split-input-file --target=cpu\n"},
    {"explain", HD_CLI_EXPLAIN, hd_cli_explain, "show how a program is compiled",
     "heddle explain FILE [--json | --html] [-o FILE] [options]",
     "Which ops went into which kernel, by which route and why not further; symbolic dims; FLOPs and\n"
     "bytes; host or device.\n\n"
     "With --slow and inputs it runs, and the table says for each kernel what its bytes and flops would allow\n"
     "at the speed of a copy and of multiply-adds, both measured once on this machine, and what keeps it from\n"
     "that: scalar code, one thread, re-reads, small launches, a library.\n\n"
     "Of a device: with --ptxas the registers, spills and shared memory of each kernel; with inputs and\n"
     "--target=simt it runs, and shows what each kernel did.\n\n"
     "  heddle explain bert_layer.mlir\n"
     "  heddle explain bert_layer.mlir --slow --random 0 --dims b=4,s=128\n"
     "  heddle explain bert_layer.mlir --html -o bert.html\n"},
    {"bisect", HD_CLI_BISECT, hd_cli_bisect, "find the pass or kernel that breaks a program",
     "heddle bisect FILE [options]",
     "The evaluator runs the program as it is and after every pass; then the compiled code runs. The\n"
     "first stage whose results differ ends the list.\n\n"
     "  heddle bisect model.mlir --inputs in.npz\n"},
    {"reduce", HD_CLI_REDUCE, hd_cli_reduce, "make a failing program small",
     "heddle reduce FILE --test COMMAND [-o FILE] [options]",
     "Leaves out functions, results and ops, and makes dims and constants small, as long as COMMAND exits\n"
     "as it does on FILE. What is left verifies.\n\n"
     "  heddle reduce bad.mlir --test 'heddle run {} --random 1 --reference=eval'\n"},
    {"layout", HD_CLI_LAYOUT, hd_cli_layout, "show which thread and register holds each element of a tile",
     "heddle layout LAYOUT SHAPE [--to LAYOUT] [--element-bits N] [--svg FILE | --json]",
     "LAYOUT is one of Triton's layout attributes. Layouts of registers say which threads of a block hold\n"
     "which elements of a tile (blocked, slice, dot_op, nvidia_mma, linear); those of shared memory, at which\n"
     "offset each element is (swizzled_shared, nvmma_shared, shared_linear, padded_shared). All are linear:\n"
     "each bit of register, lane, warp and block, or of the offset, adds (by xor) something to the index of\n"
     "the element, and what that is is printed first. A thread holds 0:3 when it is thread 0 and has the\n"
     "element in register 3. With --to, also: whether the tile gets there between registers of a thread, by\n"
     "warp shuffles or through shared memory, and with how many bank conflicts.\n\n"
     "  heddle layout '#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4],\n"
     "                 warpsPerCTA = [2, 1], order = [1, 0]}>' 16x16\n"
     "  heddle layout '#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2],\n"
     "                 instrShape = [16, 8]}>' 32x16 --svg mma.svg\n",
     "layout"},
    {"map", HD_CLI_MAP, hd_cli_map, "simplify, compose and invert indexing maps, and show what accesses cost",
     "heddle map MAP [--then MAP] [--inverse] [--shape DIMS] [--thread DIM] [--element-bits N] [--json]",
     "MAP is an indexing map as XLA writes it, dims in parentheses, range variables in brackets, runtime\n"
     "variables in braces and, of unknown dims, sizes in <>; as one text or as adjacent strings, with or\n"
     "without #xla_gpu.indexing_map<...> around it. It is shown as it is read and simplified. Of a map to a\n"
     "position, or to an index in a tensor of --shape, also: how many elements are contiguous along each\n"
     "variable (up to 16 bytes), how many sectors a request of a warp touches in global memory, and how often\n"
     "it conflicts in the banks of a shared tile; nothing is run.\n\n"
     "  heddle map '(th_x, bl_x)[v] -> (bl_x floordiv 8, (bl_x mod 8) * 512 + th_x * 4 + v),\n"
     "              domain: th_x in [0, 127], bl_x in [0, 63], v in [0, 3]' --shape 8x4096\n"
     "  heddle map '(d0) -> (d0 floordiv 20, d0 mod 20), domain: d0 in [0, 799]' --inverse\n",
     "map"},
    {"devices", HD_CLI_DEVICES, hd_cli_devices, "list the devices of this machine",
     "heddle devices [FILE.hdl] [--json]",
     "Lists the drivers and what each finds on this machine. Programs for a device are compiled and run\n"
     "with --target. Of an artifact: its targets in the order in which they are taken, and which of them can\n"
     "be used here, or why not.\n"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const char exit_text[] =
    "Exit codes: 0 done; 1 a program, tensor or file is wrong or not supported; 2 the command line is\n"
    "wrong; 3 a result is not as expected; 4 a time or memory limit was reached; 70 a fault of Heddle.\n"
    "A crash while compiling writes the program to heddle-crash-PID.mlir in the working folder, with the\n"
    "heddle-opt command that runs its passes again.\n";

static void print_questions(FILE *out);

static void print_help(FILE *out) {
  fprintf(out, "heddle compiles tensor programs with unknown shapes once, and runs them at any shape.\n\n");
  for (int i = 0; i < COMMAND_COUNT; ++i) fprintf(out, "  heddle %-8s  %s\n", commands[i].name, commands[i].summary);
  print_questions(out);
  fprintf(out, "\n");
  fprintf(out,
          "A program is StableHLO or MHLO text, MLIR bytecode, or XLA's HLO text, recognised by its first bytes.\n"
          "`heddle COMMAND --help` shows its options. heddle-opt runs single passes.\n\n%s",
          exit_text);
}

static void print_command_help(hd_arena *arena, const command_row *row) {
  printf("usage: %s\n\n%s\nOptions:\n", row->usage, row->text);
  hd_cli_print_options(arena, row->command, stdout);
  printf("\n%s", exit_text);
}

static const command_row *find_command(const char *name) {
  for (int i = 0; i < COMMAND_COUNT; ++i)
    if (!strcmp(name, commands[i].name)) return &commands[i];
  return NULL;
}

/* Takes |status|. */
static int report(hd_status status, int otherwise) {
  return hd_is_ok(status) ? otherwise : hd_cli_fail("heddle", status);
}

static int usage_error(hd_status status) {
  report(status, 0);
  return HD_EXIT_USAGE;
}

typedef struct command_call {
  const command_row *row;
  int argc;
  const char *const *argv;
  hd_arena arena;
  bool parsed; /* what fails before is the command line's fault */
  int exit;
} command_call;

static hd_status call_command(void *argument) {
  command_call *call = argument;
  hd_cli_options options;
  HD_TRY(hd_cli_parse(&call->arena, call->row->command, call->argc, call->argv, &options));
  if (options.help) {
    print_command_help(&call->arena, call->row);
    return HD_STATUS_OK;
  }
  if (!options.file && call->row->command != HD_CLI_DEVICES)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a %s: %s", call->row->subject ? call->row->subject : "file",
                          call->row->usage);
  if (call->row->command == HD_CLI_LAYOUT && !options.shape_text)
    return hd_make_status(HD_INVALID_ARGUMENT, "expected a shape such as 16x16: %s", call->row->usage);
  call->parsed = true;
  hd_cli_watch_time("heddle", "the command", options.timeout);
  return call->row->run(&call->arena, &options, &call->exit);
}

static int run_command(const command_row *row, int argc, const char *const *argv) {
  command_call call = {.row = row, .argc = argc, .argv = argv};
  hd_arena_init(&call.arena, NULL);
  hd_status status = hd_guarded_call(call_command, &call);
  hd_cli_watch_phase("writing what was printed"); /* to the end of the process */
  hd_arena_free(&call.arena);
  bool usage = !call.parsed && hd_status_code_of(status) == HD_INVALID_ARGUMENT;
  return usage ? usage_error(status) : report(status, call.exit);
}

static int print_version(void) {
  const hd_compiler *compiler;
  hd_status status = hd_compiler_open(&compiler);
  printf("heddle %s\n", HD_VERSION);
  if (hd_is_ok(status))
    printf("compiler: %s, targets: %s\n", compiler->hd_compiler_version(), compiler->hd_targets());
  else
    printf("compiler: none (%s)\n", hd_status_message(status));
  hd_status_free(status);
  printf("machine:  %s, %s, %d threads\n", hd_cpu_brand(), hd_cpu_level_name(hd_cpu_features()), hd_cpu_count());
  return HD_EXIT_OK;
}

static bool is_help(const char *word) { return !strcmp(word, "--help") || !strcmp(word, "-h"); }

static hd_status unknown_command(const char *name) {
  return hd_make_status(HD_INVALID_ARGUMENT, "unknown command '%s'; `heddle --help` lists them", name);
}

/* Commands without options. */
typedef struct question {
  const char *name, *summary, *text;
  int (*answer)(void);
} question;

static const question questions[] = {
    {"version", "show the version and this machine",
     "Shows the version, the compiler's targets and what this machine has.", print_version},
};
enum { QUESTION_COUNT = sizeof questions / sizeof *questions };

static const question *find_question(const char *name) {
  for (int i = 0; i < QUESTION_COUNT; ++i)
    if (!strcmp(name, questions[i].name)) return &questions[i];
  return NULL;
}

static int run_question(const question *q, const char *word) {
  if (word && is_help(word)) {
    printf("usage: heddle %s\n\n%s\n\n%s", q->name, q->text, exit_text);
    return HD_EXIT_OK;
  }
  if (word) return usage_error(hd_make_status(HD_INVALID_ARGUMENT, "%s takes no arguments, got '%s'", q->name, word));
  return q->answer();
}

static void print_questions(FILE *out) {
  for (int i = 0; i < QUESTION_COUNT; ++i) fprintf(out, "  heddle %-8s  %s\n", questions[i].name, questions[i].summary);
}

/* heddle help, or heddle help COMMAND: as COMMAND --help. */
static int run_help(const char *word) {
  const command_row *row = word ? find_command(word) : NULL;
  const question *q = word ? find_question(word) : NULL;
  if (q) return run_question(q, "--help");
  if (word && !row && !is_help(word)) return usage_error(unknown_command(word));
  if (row) return run_command(row, 1, (const char *const[]){"--help", NULL});
  print_help(stdout);
  return HD_EXIT_OK;
}

static int run_word(int argc, const char *const *argv) {
  const char *name = argv[1], *word = argv[2]; /* null at the end */
  const command_row *row = find_command(name);
  if (row) return run_command(row, argc - 2, argv + 2);
  if (is_help(name)) return run_help(NULL);
  if (!strcmp(name, "help")) return run_help(word);
  const question *q = find_question(!strcmp(name, "--version") ? "version" : name);
  if (q && word && argc > 3)
    return usage_error(hd_make_status(HD_INVALID_ARGUMENT, "%s: got '%s' as well", name, argv[3]));
  if (q) return run_question(q, word);
  return usage_error(unknown_command(name));
}

int main(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return HD_EXIT_USAGE;
  }
  int code = run_word(argc, (const char *const *)argv);
  hd_status status = hd_cli_flush();
  if (!code) return report(status, HD_EXIT_OK);
  hd_status_free(status);
  return code;
}
