/* SPDX-License-Identifier: Apache-2.0 */
/* Targets that are devices: kernels in machine form in, images with a row per kernel out. Thread-safe. */
#ifndef HD_TARGET_DEVICE_H_
#define HD_TARGET_DEVICE_H_

#include "ir/op.h"
#include "runtime/artifact.h"

/* One kind of image. */
typedef struct hd_image_format {
  const char *name;              /* "ptx", as hd_artifact_image.format */
  const char *driver;            /* that loads it */
  const uint32_t *architectures; /* that images are made for, ended by 0; null: they are not told apart */
  const uint32_t *usual;         /* of these, those of which images are made unless asked for others, ended by 0 */
  /* An architecture is the number of threads of a subgroup on which kernels count: 32, or 1, on none
   * (subgroups-to-shared). Kernels that do not go by lanes are of 1. */
  bool subgroups;
  /* All gpu.modules of |module|, in machine form (verify-machine-form), as one image in |arena|. */
  hd_status (*compile)(hd_module *module, uint32_t architecture, hd_arena *arena, hd_str *out_image);
  /* Machine code of such an image by |assembler|, an outside program, as an image of format |assembled|: fills
   * registers and spills of the |count| |rows|. Null: there is nothing to assemble. */
  hd_status (*assemble)(const char *assembler, hd_str image, uint32_t architecture, hd_arena *arena,
                        hd_artifact_device_kernel *rows, size_t count, hd_str *out_image);
  const char *assembled;
} hd_image_format;

extern const hd_image_format hd_image_format_ptx, hd_image_format_simt, hd_image_format_spirv;

typedef struct hd_device_request {
  const hd_image_format *format;
  const uint32_t *architectures; /* none: the format's own */
  size_t architecture_count;
  const char *assembler; /* null: none */
} hd_device_request;

/* Images and kernel rows of |code|, on |arena|, of the |count| |requests| in their order: one image for each
 * architecture (where architectures are subgroups and no kernel goes by lanes, one of 1 for all), with an assembler a
 * second one after it; none when |module| has no gpu.module. Of architectures that the request does not name, those
 * that cannot be made are left out with a warning where one can. INVALID_ARGUMENT for an architecture that the format
 * does not know, and for an assembler where there is nothing to assemble. */
hd_status hd_device_images(hd_module *module, const hd_device_request *requests, size_t count, hd_arena *arena,
                           hd_artifact_program *code) HD_MUST_USE;

/* "model.mlir:12:8" of the first place that |loc| tells, "" where it tells none. */
const char *hd_source_place(hd_loc loc, hd_arena *arena);

#endif
