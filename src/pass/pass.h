/* SPDX-License-Identifier: Apache-2.0 */
/* Passes: how they are described, run, verified, dumped and timed. The rows are in passes/passes.def.
 *
 * A pass is a function over one op (the module, or functions of it: hd_pass_level). It returns false after reporting
 * errors, says in |changed| whether it changed anything, and takes its scratch memory from |arena|, which is freed
 * after it. Options come from the pipeline's text; a pass reads no environment. */
#ifndef HD_PASS_PASS_H_
#define HD_PASS_PASS_H_

#include "base/vec.h"
#include "ir/builder.h"
#include "pass/target.h"

typedef struct hd_pass hd_pass;

/* What a pass is run on: the module; each func.func of it; or each function of any op that has a body, in the module or
 * in one of its gpu.modules. A pass of the last two may add functions and globals, and changes nothing else outside of
 * the function that it is given. */
typedef enum hd_pass_level { HD_PASS_MODULE, HD_PASS_FUNCTION, HD_PASS_KERNEL } hd_pass_level;
/* "module", "function", "kernel" */
const char *hd_pass_level_name(hd_pass_level level);

/* What a pass rewrites: a program of ops on tensors, of ops on buffers, or either (pass/takes.h). */
typedef enum hd_pass_takes { HD_PASS_ANY, HD_PASS_TENSORS, HD_PASS_BUFFERS } hd_pass_takes;

/* Analyses that are still valid after a pass has changed something: a set of bits (passes/analyses.def). */
typedef uint32_t hd_analyses;

typedef struct hd_analysis_info hd_analysis_info; /* pass/analyses.h */
typedef struct hd_analysis_cache hd_analysis_cache;

typedef struct hd_pass_info {
  const char *name, *aliases; /* "disc-fusion", "disc-fuse-on-buffer dhlo-fuse-on-buffer" */
  hd_pass_level level;
  hd_pass_takes takes;
  bool only_faster; /* on tensors: a program without it is the same */
  hd_analyses preserves;
  bool (*run)(hd_pass *pass, hd_op *op);
  /* "max-rank: int = 4, target: target": types and defaults (hd_option_int), and for --help. A target has no default:
   * one that has blocks of threads (device), any (target), or none too (target?). */
  const char *options;
  const char *doc;
} hd_pass_info;

typedef struct hd_pass_option {
  hd_str name, value;
} hd_pass_option;

struct hd_pass {
  const hd_pass_info *info;
  hd_context *context;
  hd_module *module;
  hd_arena arena;
  const hd_pass_option *options;
  size_t option_count;
  const hd_target_info *target; /* that its option of type target, device or target? names; null: there is none */
  hd_analysis_cache *analyses;  /* null: nothing is cached */
  bool changed;
  void *driver;                            /* what the driver hands to its own passes; null under heddle-opt */
  const struct hd_pass_observer *observer; /* may be null */
};

/* An option's value: what the pipeline's text gives, else the default of the pass's row, else "", 0 or false. */
hd_str hd_option_string(const hd_pass *pass, const char *name);
int64_t hd_option_int(const hd_pass *pass, const char *name);
bool hd_option_bool(const hd_pass *pass, const char *name);
/* Does the pipeline's text give it? For options whose default the pass works out. */
bool hd_option_given(const hd_pass *pass, const char *name);

bool hd_pass_has_option(const hd_pass_info *info, const char *name);

/* A pass says what it decides, a line of text without its end: who watches the pass gets it between `before` and
 * `after`.
 * Does anybody listen? Then what is costly to say is worth computing. */
void hd_pass_note(hd_pass *pass, const char *format, ...) HD_PRINTF(2, 3);
bool hd_pass_is_watched(const hd_pass *pass);

/* One step of a pipeline. */
typedef struct hd_pass_step {
  const hd_pass_info *info;
  const hd_pass_option *options;
  size_t option_count;
} hd_pass_step;

typedef struct hd_pipeline {
  hd_vec(hd_pass_step) steps;
} hd_pipeline;

/* The table of passes. */
typedef struct hd_pass_table {
  const hd_pass_info *rows;
  size_t count;
} hd_pass_table;

const hd_pass_info *hd_pass_find(const hd_pass_table *table, hd_str name); /* by name or an alias; null */

/* Reads "builtin.module(inline,func.func(canonicalize{max-iterations=3},cse))" or a bare list, after the steps
 * that |out| has. Errors name the column. */
hd_status hd_pipeline_parse(const hd_pass_table *table, hd_str text, hd_arena *arena, hd_pipeline *out) HD_MUST_USE;

/* Steps that ask for a target and have none get |name| (lent), a row of pass/target.h. */
void hd_pipeline_set_target(hd_pipeline *pipeline, hd_arena *arena, hd_str name);

/* What happens around each pass. */
typedef struct hd_pass_observer {
  void *user;
  void (*before)(void *user, const hd_pass_info *info, hd_op *op);
  /* |seconds| of wall time; |changed| as the pass said. */
  void (*after)(void *user, const hd_pass_info *info, hd_op *op, bool changed, double seconds);
  /* What a pass says of its decisions (hd_pass_note). May be null; |is_watched| (null: of all passes) tells of which.
   */
  void (*note)(void *user, const hd_pass_info *info, const char *text);
  bool (*is_watched)(void *user, const hd_pass_info *info);
  /* After each pass: is the program valid where it changed, and the same where the pass says that it changed nothing?
   */
  bool verify_each;
  /* Before each pass: is the program of the form that the pass takes? For pipelines that a user has written; those of
   * the targets are known to be in order, and save the walks. */
  bool check_takes;
  /* After each pass that changed something: are the analyses that it preserves what they would be if computed anew?
   * Those that it does not preserve are poisoned. And is the program the same after one that says that it changed
   * nothing? */
  bool verify_preserved;
} hd_pass_observer;

/* Runs the steps in order; the module is verified after each one when asked for. The failure says which
 * pass it was; errors are in the context's diagnostics. */
hd_status hd_pipeline_run(const hd_pipeline *pipeline, hd_module *module, const hd_pass_observer *observer,
                          void *driver) HD_MUST_USE;

#endif
