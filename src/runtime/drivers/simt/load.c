/* SPDX-License-Identifier: Apache-2.0 */
/* Images of the driver are programs of the interpreter (program.c). */
#include "runtime/drivers/simt/simt.h"

hd_status hd_simt_image_load(hd_driver *driver, const void *data, size_t size, hd_device_image **out_image) {
  (void)driver;
  hd_simt_program *program;
  HD_TRY(hd_simt_program_load(data, size, &program));
  *out_image = (hd_device_image *)(void *)program;
  return HD_STATUS_OK;
}

void hd_simt_image_unload(hd_driver *driver, hd_device_image *image) {
  (void)driver;
  hd_simt_program_free(hd_simt_program_of(image));
}

hd_status hd_simt_kernel_find(hd_driver *driver, hd_device_image *image, const char *symbol, uint32_t *out_kernel) {
  (void)driver;
  return hd_simt_program_find(hd_simt_program_of(image), symbol, out_kernel);
}
