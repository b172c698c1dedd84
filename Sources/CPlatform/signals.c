#define _GNU_SOURCE
#include "cplatform.h"

#include <sys/signalfd.h>

/* What ends a prompt. SIGTERM and SIGHUP are among them, since they would kill the host while echo is off. */
static const int ending[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

int localauth_hold_signals(sigset_t *before) {
  sigset_t held;
  sigemptyset(&held);
  for (size_t index = 0; index < sizeof ending / sizeof *ending; index++) sigaddset(&held, ending[index]);
  sigaddset(&held, SIGTSTP);
  return -pthread_sigmask(SIG_BLOCK, &held, before);
}

static int descriptor_for(const sigset_t *signals) {
  int descriptor = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
  return descriptor < 0 ? -errno : localauth_raise(descriptor);
}

int localauth_ending_signals(void) {
  sigset_t watched;
  sigemptyset(&watched);
  for (size_t index = 0; index < sizeof ending / sizeof *ending; index++) sigaddset(&watched, ending[index]);
  return descriptor_for(&watched);
}

int localauth_prompt_signals(sigset_t *before) {
  static const int others[] = {SIGTSTP, SIGCONT};
  sigset_t taken;
  sigemptyset(&taken);
  /* Blocked, an ignored signal would not be ignored any more: nohup(1). */
  for (size_t index = 0; index < sizeof ending / sizeof *ending; index++)
    if (localauth_ignores_signal(ending[index]) == 0) sigaddset(&taken, ending[index]);
  for (size_t index = 0; index < sizeof others / sizeof *others; index++)
    if (localauth_ignores_signal(others[index]) == 0) sigaddset(&taken, others[index]);
  int descriptor = descriptor_for(&taken);
  if (descriptor < 0) return descriptor;
  int error = pthread_sigmask(SIG_BLOCK, &taken, before);
  if (error == 0) return descriptor;
  (void)close(descriptor);
  return -error;
}

int localauth_read_signal(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

int localauth_mask_holds(const sigset_t *mask, int signal) { return sigismember(mask, signal) == 1; }

int localauth_stopping_signals(const sigset_t *before) {
  sigset_t watched;
  sigemptyset(&watched);
  if (sigismember(before, SIGTSTP) == 0) sigaddset(&watched, SIGTSTP);
  return descriptor_for(&watched);
}

int localauth_is_pending(int signal) {
  sigset_t pending;
  if (sigpending(&pending) != 0) return -errno;
  return sigismember(&pending, signal) == 1;
}

int localauth_set_signal_mask(const sigset_t *mask) { return -pthread_sigmask(SIG_SETMASK, mask, NULL); }

int localauth_ignores_signal(int signal) {
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0) return -errno;
  return now.sa_handler == SIG_IGN;
}
