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
  uint32_t architecture;         /* unless asked for another */
  /* All gpu.modules of |module|, in machine form (verify-machine-form), as one image in |arena|. */
  hd_status (*compile)(hd_module *module, uint32_t architecture, hd_arena *arena, hd_str *out_image);
} hd_image_format;

extern const hd_image_format hd_image_format_ptx;

/* Images and kernel rows of |artifact|, on |arena|: one image for each of |count| |architectures| (none: the format's
 * own), none when |module| has no gpu.module. INVALID_ARGUMENT for an architecture that the format does not know. */
hd_status hd_device_images(hd_module *module, const hd_image_format *format, const uint32_t *architectures,
                           size_t count, hd_arena *arena, hd_artifact *artifact) HD_MUST_USE;

/* "model.mlir:12:8" of the first place that |loc| tells, "" where it tells none. */
const char *hd_source_place(hd_loc loc, hd_arena *arena);

#endif
