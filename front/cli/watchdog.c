/* SPDX-License-Identifier: Apache-2.0 */
#include "watchdog.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "options.h"

static char message[160]; /* made ahead: a handler may not format */

static void on_alarm(int signal) {
  (void)signal;
  for (size_t at = 0, size = strlen(message); at < size;) {
    ssize_t n = write(2, message + at, size - at);
    if (n <= 0) break;
    at += (size_t)n;
  }
  _exit(HD_EXIT_LIMIT);
}

void hd_cli_watch_time(const char *program, const char *what, double seconds) {
  static const double grace = 0.5;
  struct itimerval until = {0};
  setitimer(ITIMER_REAL, &until, NULL);
  if (seconds <= 0) return;
  snprintf(message, sizeof message, "%s: error: %s took longer than %.3f s\n", program, what, seconds);
  double end = seconds + grace < 1e9 ? seconds + grace : 1e9;
  until.it_value.tv_sec = (time_t)end;
  until.it_value.tv_usec = (suseconds_t)((end - (double)until.it_value.tv_sec) * 1e6);
  signal(SIGALRM, on_alarm);
  setitimer(ITIMER_REAL, &until, NULL);
}
