/* SPDX-License-Identifier: Apache-2.0 */
/* The last resort of --timeout: what does not look at the clock itself (a pipe that gives nothing, one row that never
 * ends) ends with the program. What does look has half a second to say so better and to tidy up. */
#ifndef HD_FRONT_CLI_WATCHDOG_H_
#define HD_FRONT_CLI_WATCHDOG_H_

/* From now on |seconds| for |what| ("reading inputs"), a string that stays; 0: as long as it takes. Past them |program|
 * says so and ends with HD_EXIT_LIMIT. The watch before is over. */
void hd_cli_watch_time(const char *program, const char *what, double seconds);

#endif
