/* SPDX-License-Identifier: Apache-2.0 */
/* The last resort of --timeout: what does not look at the clock itself (a pipe that gives or takes nothing, one row
 * that never ends) ends with the program. What does look has half a second to say so better and to tidy up. From the
 * command line to the end of the process there is always a phase that is watched; each has the time for itself. */
#ifndef HD_FRONT_CLI_WATCHDOG_H_
#define HD_FRONT_CLI_WATCHDOG_H_

/* From now on |program| has |seconds| for each phase, the first of which is |what| ("the command"), as is what is
 * between later ones; strings that stay. 0: as long as it takes. Past them it says so and ends with HD_EXIT_LIMIT. */
void hd_cli_watch_time(const char *program, const char *what, double seconds);
/* Begins the phase |what| ("reading the inputs"); null: what is between. */
void hd_cli_watch_phase(const char *what);
/* Nothing is watched until the next phase: what runs divides the time itself. */
void hd_cli_watch_pause(void);

#endif
