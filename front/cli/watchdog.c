/* SPDX-License-Identifier: Apache-2.0 */
#include "watchdog.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "options.h"

static const char *watched, *between;
static double limit;
static char message[160]; /* made ahead: a handler may not format */

/* A terminal or pipe that takes nothing, which may be what the program waits for, is not written to. */
static void on_alarm(int signal) {
  (void)signal;
  struct pollfd errors = {.fd = 2, .events = POLLOUT};
  bool takes = poll(&errors, 1, 0) > 0 && errors.revents & POLLOUT;
  ssize_t written = takes ? write(2, message, strlen(message)) : 0;
  (void)written;
  _exit(HD_EXIT_LIMIT);
}

void hd_cli_watch_pause(void) {
  struct itimerval until = {0};
  setitimer(ITIMER_REAL, &until, NULL);
}

void hd_cli_watch_phase(const char *what) {
  static const double grace = 0.5;
  hd_cli_watch_pause();
  if (limit <= 0) return;
  snprintf(message, sizeof message, "%s: error: %s took longer than %.3f s\n", watched, what ? what : between, limit);
  double end = limit + grace < 1e9 ? limit + grace : 1e9;
  struct itimerval until = {0};
  until.it_value.tv_sec = (time_t)end;
  until.it_value.tv_usec = (suseconds_t)((end - (double)until.it_value.tv_sec) * 1e6);
  signal(SIGALRM, on_alarm);
  setitimer(ITIMER_REAL, &until, NULL);
}

void hd_cli_watch_time(const char *program, const char *what, double seconds) {
  watched = program;
  between = what;
  limit = seconds;
  hd_cli_watch_phase(NULL);
}
