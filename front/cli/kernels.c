/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels.h"

#include <inttypes.h>
#include <string.h>

#include "commands.h"
#include "driver/targets.h"
#include "execute.h"
#include "inputs.h"
#include "program.h"

/* What a multiprocessor of sm_90 has (sm_80 differs in shared memory alone): figures of CUDA's programming guide. */
enum { WARPS = 64, BLOCKS = 32, REGISTERS = 65536, REGISTER_UNIT = 256, SHARED = 228 << 10, SHARED_RESERVED = 1 << 10 };

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Warps that a multiprocessor holds of kernels like |report|; registers count where they are known. */
static uint32_t warps_held(const hd_kernel_report *report) {
  uint32_t threads = report->block[0] * report->block[1] * report->block[2], warps = (threads + 31) / 32;
  if (!warps) return 0;
  uint32_t blocks = least(BLOCKS, WARPS / warps);
  blocks = least(blocks, SHARED / (report->shared_static + report->shared_dynamic + SHARED_RESERVED));
  if (report->registers != HD_KERNEL_NOT_KNOWN && report->registers) {
    uint32_t of_warp = (report->registers * 32 + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
    blocks = least(blocks, REGISTERS / of_warp / warps);
  }
  return blocks * warps;
}

static double per(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 0; }

static uint64_t all_instructions(const hd_kernel_counters *c) {
  uint64_t sum = 0;
  for (int i = 0; i < HD_KERNEL_CLASSES; ++i) sum += c->instructions[i];
  return sum;
}

static const char *const classes[HD_KERNEL_CLASSES] = {"move",   "integer", "float",   "convert", "memory",
                                                       "atomic", "barrier", "shuffle", "control"};

static const char *number(hd_arena *arena, uint32_t value) {
  return value == HD_KERNEL_NOT_KNOWN ? "-" : hd_arena_printf(arena, "%" PRIu32, value);
}

static int name_width(const hd_kernel_report *reports, size_t count) {
  int width = 6;
  for (size_t i = 0; i < count; ++i)
    if ((int)strlen(reports[i].name) > width) width = (int)strlen(reports[i].name);
  return width;
}

static void put_text(hd_arena *arena, const hd_kernel_report *reports, size_t count, hd_strbuf *out) {
  int width = name_width(reports, count);
  hd_strbuf_printf(out,
                   "\nkernels of the device that ran, as simt counts (occupancy of sm_90%s)\n  %-*s %8s %6s %9s %6s "
                   "%7s %9s %9s %8s %8s %7s %6s %5s %9s\n",
                   count && reports[0].registers == HD_KERNEL_NOT_KNOWN ? ", registers not known" : "", width, "kernel",
                   "launches", "block", "sectors/r", "lanes", "diverge", "conflicts", "shuffles", "atomics", "barriers",
                   "shared", "regs", "spill", "occupancy");
  for (size_t i = 0; i < count; ++i) {
    const hd_kernel_report *r = &reports[i];
    const hd_kernel_counters *c = &r->counters;
    hd_strbuf_printf(out,
                     "  %-*s %8" PRIu64 " %6" PRIu32 " %9.2f %5.0f%% %7" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8" PRIu64
                     " %8" PRIu64 " %7" PRIu32 " %6s %5s %8.0f%%\n",
                     width, r->name, r->launches, r->block[0] * r->block[1] * r->block[2],
                     per(c->global_sectors, c->global_requests), 100 * per(c->lanes, 32 * all_instructions(c)),
                     c->divergent_branches, c->bank_conflicts, c->shuffles, c->atomics, c->barriers,
                     r->shared_static + r->shared_dynamic, number(arena, r->registers), number(arena, r->spill_bytes),
                     100 * per(warps_held(r), WARPS));
  }
  hd_strbuf_printf(out, "\ninstructions of warps\n  %-*s", width, "kernel");
  for (int k = 0; k < HD_KERNEL_CLASSES; ++k) hd_strbuf_printf(out, " %9s", classes[k]);
  for (size_t i = 0; i < count; ++i) {
    hd_strbuf_printf(out, "\n  %-*s", width, reports[i].name);
    for (int k = 0; k < HD_KERNEL_CLASSES; ++k)
      hd_strbuf_printf(out, " %9" PRIu64, reports[i].counters.instructions[k]);
  }
  hd_strbuf_putc(out, '\n');
}

/* What is known of a kernel before it runs. */
static void put_code_json(const hd_kernel_report *r, hd_strbuf *out) {
  hd_strbuf_printf(out, ", \"threads\": %" PRIu32 ", \"shared_bytes\": %" PRIu32,
                   r->block[0] * r->block[1] * r->block[2], r->shared_static + r->shared_dynamic);
  if (r->registers != HD_KERNEL_NOT_KNOWN) hd_strbuf_printf(out, ", \"registers\": %" PRIu32, r->registers);
  if (r->spill_bytes != HD_KERNEL_NOT_KNOWN) hd_strbuf_printf(out, ", \"spill_bytes\": %" PRIu32, r->spill_bytes);
  hd_strbuf_printf(out, ", \"occupancy\": %.4f", per(warps_held(r), WARPS));
}

/* |ran|: with what the run counted. */
static void put_json(const hd_kernel_report *reports, size_t count, bool ran, hd_strbuf *out) {
  hd_strbuf_puts(out, ", \"device_kernels\": [");
  for (size_t i = 0; i < count; ++i) {
    const hd_kernel_report *r = &reports[i];
    const hd_kernel_counters *c = &r->counters;
    const struct {
      const char *key;
      uint64_t value;
    } members[] = {{"launches", r->launches},
                   {"instructions", all_instructions(c)},
                   {"lanes", c->lanes},
                   {"branches", c->branches},
                   {"divergent_branches", c->divergent_branches},
                   {"global_requests", c->global_requests},
                   {"global_sectors", c->global_sectors},
                   {"global_bytes", c->global_bytes},
                   {"shared_requests", c->shared_requests},
                   {"bank_conflicts", c->bank_conflicts},
                   {"shuffles", c->shuffles},
                   {"atomics", c->atomics},
                   {"barriers", c->barriers}};
    hd_strbuf_puts(out, i ? ",\n {\"name\": " : "\n {\"name\": ");
    hd_strbuf_put_json(out, r->name);
    hd_strbuf_puts(out, ", \"source\": ");
    hd_strbuf_put_json(out, r->source);
    put_code_json(r, out);
    for (size_t k = 0; ran && k < sizeof members / sizeof *members; ++k)
      hd_strbuf_printf(out, ", \"%s\": %" PRIu64, members[k].key, members[k].value);
    if (ran) hd_strbuf_puts(out, ", \"by_class\": {");
    for (int k = 0; ran && k < HD_KERNEL_CLASSES; ++k)
      hd_strbuf_printf(out, "%s\"%s\": %" PRIu64, k ? ", " : "", classes[k], c->instructions[k]);
    hd_strbuf_puts(out, ran ? "}}" : "}");
  }
  hd_strbuf_puts(out, "]");
}

static void put_code_text(hd_arena *arena, const hd_kernel_report *reports, size_t count, hd_strbuf *out) {
  int width = name_width(reports, count);
  hd_strbuf_printf(out,
                   "\nkernels of the device, as ptxas made them (occupancy of sm_90)\n  %-*s %6s %7s %6s %5s %9s\n",
                   width, "kernel", "block", "shared", "regs", "spill", "occupancy");
  for (size_t i = 0; i < count; ++i) {
    const hd_kernel_report *r = &reports[i];
    hd_strbuf_printf(out, "  %-*s %6" PRIu32 " %7" PRIu32 " %6s %5s %8.0f%%\n", width, r->name,
                     r->block[0] * r->block[1] * r->block[2], r->shared_static + r->shared_dynamic,
                     number(arena, r->registers), number(arena, r->spill_bytes), 100 * per(warps_held(r), WARPS));
  }
}

/* Reports of the program's kernels: |ran|, of those that a run has launched. The host's have none. */
static hd_kernel_report *read_reports(hd_arena *arena, const hd_cli_program *program, bool ran, size_t *out_count) {
  int32_t count = hd_executable_kernel_count(program->executable);
  hd_kernel_report *reports = hd_new_array(arena, hd_kernel_report, count + 1);
  *out_count = 0;
  for (int32_t i = 0; i < count; ++i) {
    hd_kernel_report *report = &reports[*out_count];
    hd_status status = hd_executable_kernel_report(program->executable, i, report);
    *out_count += hd_is_ok(status) && (!ran || report->launches);
    hd_status_free(status);
  }
  return reports;
}

hd_status hd_cli_count_kernels(hd_arena *arena, const hd_cli_options *options, hd_strbuf *out) {
  hd_cli_program *program;
  hd_cli_signature signature;
  hd_cli_tensor *inputs;
  hd_cli_options run = *options;
  run.driver = hd_target_driver(options->target);
  if (options->ptxas) run.target = hd_arena_printf(arena, "%s+cuda:90", options->target); /* which tells registers */
  HD_TRY(hd_cli_load(arena, &run, &program));
  HD_TRY_MSG(hd_runtime_count_kernels(program->runtime, true), "counters of a run with these inputs");
  HD_TRY(hd_cli_execute_for_figures(arena, program, &run, 1, &signature, &inputs));
  size_t ran;
  hd_kernel_report *reports = read_reports(arena, program, true, &ran);
  if (options->json)
    put_json(reports, ran, true, out);
  else
    put_text(arena, reports, ran, out);
  return HD_STATUS_OK;
}

hd_status hd_cli_show_kernels(hd_arena *arena, const hd_cli_options *options, hd_strbuf *out) {
  hd_cli_program *program;
  hd_cli_options load = *options;
  bool simt = options->target && hd_target_is(options->target, "simt");
  if (!simt && !(options->target && hd_target_is(options->target, "cuda")))
    return hd_make_status(HD_INVALID_ARGUMENT, "--ptxas: expected the target cuda or simt, got '%s'",
                          options->target ? options->target : hd_default_target());
  /* simt is on every machine, so that the artifact can be loaded; its rows are beside those of the PTX. */
  load.driver = "simt";
  load.target =
      simt ? hd_arena_printf(arena, "%s+cuda:90", options->target) : hd_arena_printf(arena, "simt+%s", options->target);
  HD_TRY(hd_cli_load(arena, &load, &program));
  size_t known;
  hd_kernel_report *reports = read_reports(arena, program, false, &known);
  if (options->json)
    put_json(reports, known, false, out);
  else
    put_code_text(arena, reports, known, out);
  return HD_STATUS_OK;
}
