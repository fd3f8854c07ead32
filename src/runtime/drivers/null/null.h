/* SPDX-License-Identifier: Apache-2.0 */
/* The null driver: host memory, streams that keep order, and no machine to run kernels. It is the smallest driver that
 * is true to the contract: copy this folder to begin a new one, add a row to drivers.def, and work until conformance/
 * passes with the capabilities that the device has. */
#ifndef HD_RUNTIME_DRIVERS_NULL_NULL_H_
#define HD_RUNTIME_DRIVERS_NULL_NULL_H_

#include "runtime/drivers/immediate/immediate.h"

hd_status hd_null_allocate(hd_driver *driver, size_t bytes, void **out_data);
void hd_null_release(hd_driver *driver, void *data, size_t bytes);
hd_status hd_null_launch(hd_driver *driver, hd_stream *stream, const hd_launch *launch);

#endif
