#define _GNU_SOURCE
#include "cplatform.h"

#include <sys/signalfd.h>

int localauth_signal_descriptor(const sigset_t *signals) {
  int descriptor = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
  return descriptor < 0 ? -errno : descriptor;
}

int localauth_block_terminal_signals(sigset_t *blocked, sigset_t *before) {
  sigemptyset(blocked);
  sigaddset(blocked, SIGINT);
  sigaddset(blocked, SIGQUIT);
  sigaddset(blocked, SIGTSTP);
  sigaddset(blocked, SIGTTOU);
  return -pthread_sigmask(SIG_BLOCK, blocked, before);
}

int localauth_set_signal_mask(const sigset_t *mask) { return -pthread_sigmask(SIG_SETMASK, mask, NULL); }

int localauth_ignores_signal(int signal) {
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0) return -errno;
  return now.sa_handler == SIG_IGN;
}
