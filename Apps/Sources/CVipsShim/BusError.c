#include "CVipsShim.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *message;
static size_t message_length;
static int exit_status;

// Only calls that are safe in a signal handler.
static void explain(int number)
{
  (void) number;
  ssize_t written = write(STDERR_FILENO, message, message_length);
  (void) written;
  _exit(exit_status);
}

void cs_explain_bus_errors(const char *text, int status)
{
  // Elsewhere than on Linux the signal has other causes as well.
#if defined(__linux__)
  message = text;
  message_length = strlen(text);
  exit_status = status;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = explain;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGBUS, &action, NULL);
#else
  (void) text;
  (void) status;
#endif
}
