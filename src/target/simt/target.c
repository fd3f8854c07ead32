/* SPDX-License-Identifier: Apache-2.0 */
/* The row of the simt target among the formats of images: its name, driver and sizes of subgroups. */
#include "target/device.h"
#include "target/simt/simt.h"

static const uint32_t subgroups[] = {32, 1, 0}, usual[] = {32, 0};

static hd_status compile(hd_module *module, uint32_t architecture, hd_arena *arena, hd_str *out_image) {
  (void)architecture;
  return hd_simt_image(module, arena, out_image);
}

const hd_image_format hd_image_format_simt = {.name = "simt",
                                              .driver = "simt",
                                              .architectures = subgroups,
                                              .usual = usual,
                                              .subgroups = true,
                                              .compile = compile};
