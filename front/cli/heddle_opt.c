/* SPDX-License-Identifier: Apache-2.0 */
/* heddle-opt: reads a program, hands options and bytes to the compiler's hd_opt, writes what it gives.
 *   heddle-opt [FILE] [-o FILE] [options of passes and printing] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/compiler.h"
#include "crash.h"
#include "files.h"
#include "options.h"

/* Options of heddle-opt that take a value, which may follow as the next word. */
static bool takes_value(const char *option) {
  static const char *const names[] = {"pass-pipeline",
                                      "disc-pipeline",
                                      "target-version",
                                      "mlir-print-ir-before",
                                      "mlir-print-ir-after",
                                      "debug-only",
                                      "mlir-elide-elementsattrs-if-larger"};
  const char *name = option + strspn(option, "-");
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(name, names[i])) return true;
  return false;
}

/* |code| where the status does not tell more. */
static int fail(hd_status status, int code) {
  int told = hd_cli_fail("heddle-opt", status);
  return told == HD_EXIT_FAILED ? code : told;
}

static int show_help(const hd_compiler *compiler) {
  hd_blob text;
  hd_status status = compiler->hd_opt_help(&text);
  if (!hd_is_ok(status)) return fail(status, HD_EXIT_FAILED);
  printf("usage: heddle-opt [FILE] [-o FILE] [options]\n\n");
  fwrite(text.data, 1, text.size, stdout);
  printf(
      "\nExit codes: 0 done; 1 a program or file is wrong or not supported, or diagnostics differ from what was\n"
      "expected; 2 the command line is wrong; 4 a memory limit was reached; 70 a fault of Heddle.\n"
      "A crash writes the program to heddle-crash-PID.mlir in the working folder, with the command to run again.\n");
  compiler->hd_blob_free(&text);
  return HD_EXIT_OK;
}

int main(int argc, char **argv) {
  const char *input = NULL, *output = "-";
  const char **rest = calloc((size_t)argc + 1, sizeof *rest);
  int count = 0;
  bool help = false, version = false;
  if (!rest) return HD_EXIT_LIMIT;
  rest[count++] = argv[0];
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "-o")) {
      if (++i == argc) return fail(hd_make_status(HD_INVALID_ARGUMENT, "-o: expected a file"), HD_EXIT_USAGE);
      output = argv[i];
    } else if (argv[i][0] == '-' && argv[i][1]) {
      help |= !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h");
      version |= !strcmp(argv[i], "--version");
      if (takes_value(argv[i])) {
        if (i + 1 == argc)
          return fail(hd_make_status(HD_INVALID_ARGUMENT, "%s: expected a value", argv[i]), HD_EXIT_USAGE);
        char *joined = malloc(strlen(argv[i]) + strlen(argv[i + 1]) + 2); /* as long as the process */
        if (!joined) return HD_EXIT_LIMIT;
        sprintf(joined, "%s=%s", argv[i], argv[i + 1]);
        rest[count++] = joined;
        ++i;
      } else {
        rest[count++] = argv[i];
      }
    } else if (input) {
      return fail(hd_make_status(HD_INVALID_ARGUMENT, "expected one file, got '%s' and '%s'", input, argv[i]),
                  HD_EXIT_USAGE);
    } else {
      input = argv[i];
    }
  }
  const hd_compiler *compiler;
  hd_blob bytes, out;
  hd_status status = hd_compiler_open(&compiler);
  if (!hd_is_ok(status)) return fail(status, HD_EXIT_FAILED);
  if (version) return printf("%s\n", compiler->hd_compiler_version()), HD_EXIT_OK;
  if (help) return show_help(compiler);
  if (!input) input = "-";
  status = hd_cli_read_file(input, &bytes);
  if (!hd_is_ok(status)) return fail(status, HD_EXIT_FAILED);
  hd_cli_watch_crashes(&bytes, rest + 1);
  status = compiler->hd_opt(count, rest, bytes.data, bytes.size, strcmp(input, "-") ? input : "<stdin>", hd_cli_sink(),
                            &out);
  hd_cli_watch_crashes(NULL, NULL);
  /* What was made before a failure is printed all the same: dumps and the parts that were good. */
  hd_status written = out.data ? hd_cli_write_file(output, out.data, out.size) : HD_STATUS_OK;
  compiler->hd_blob_free(&out);
  free(bytes.data);
  free(rest);
  status = hd_status_join(status, written);
  return hd_is_ok(status) ? HD_EXIT_OK : fail(status, HD_EXIT_FAILED);
}
