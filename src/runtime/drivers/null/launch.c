/* SPDX-License-Identifier: Apache-2.0 */
/* Launches fail: the null driver runs no kernels. */
#include "runtime/drivers/null/null.h"

hd_status hd_null_launch(hd_driver *driver, hd_stream *stream, const hd_launch *launch) {
  (void)driver, (void)stream, (void)launch;
  return hd_make_status(HD_UNIMPLEMENTED, "driver 'null' runs no kernels");
}
