/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of hd_opt: opt_options.c reads what it is to do, opt.c does it part by part, opt_observe.c prints around
 * passes, opt_roundtrip.c reads back what is written. */
#ifndef HD_DRIVER_OPT_H_
#define HD_DRIVER_OPT_H_

#include "bytecode/bytecode.h"
#include "driver/expected.h"
#include "driver/passes.h"
#include "driver/session.h"
#include "text/text.h"

typedef struct hd_opt_dump {
  bool before_all, after_all, after_change;
  hd_vec(hd_str) before, after; /* pass names */
  hd_vec(hd_str) notes;         /* passes whose decisions are printed */
} hd_opt_dump;

typedef struct hd_opt_state {
  hd_arena arena;
  hd_message_sink sink;
  const char *name;
  hd_strbuf out;
  /* Options */
  bool split_input_file, verify_diagnostics, verify_each, verify_preserved, allow_unregistered, timing, emit_bytecode,
      emit_hlo, verify_roundtrip, print_indexing_maps, print_alignment, no_graph_passes, emit_simt, emit_spirv;
  uint64_t emit_ptx; /* an architecture; 0: none */
  uint64_t elide_larger_than;
  double timeout; /* seconds; 0: none */
  hd_text_print_options print;
  hd_bytecode_options bytecode;
  hd_strbuf pipeline;
  hd_str target; /* of passes that ask for one; none: "" */
  hd_opt_dump dump;
  hd_pipeline passes;
  /* Of the part being read */
  hd_context *context;
  hd_expectations *expected;
  hd_str source;
  hd_module *module;
  double *seconds; /* by pass */
  double deadline; /* hd_clock_seconds; 0: none */
} hd_opt_state;

/* The words of the command line: options of driver/options.def, and passes. */
hd_status hd_opt_read_options(hd_opt_state *opt, int count, const char *const *words) HD_MUST_USE;
void hd_opt_print_help(hd_strbuf *out);

void hd_opt_say(hd_opt_state *opt, const char *severity, const char *text);
/* Prints, verifies and times as the options say. */
hd_pass_observer hd_opt_observer(hd_opt_state *opt);
/* The sink of the context's diagnostics: met with what was expected, or said. |user| is the state. */
void hd_opt_receive(void *user, const hd_diagnostic *diagnostic);
void hd_opt_print_timing(hd_opt_state *opt);

/* What is printed or written of the program must read back as the same one. */
hd_status hd_opt_check_roundtrip(hd_opt_state *opt) HD_MUST_USE;

#endif
