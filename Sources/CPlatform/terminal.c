#define _GNU_SOURCE
#include "cplatform.h"

int localauth_open_terminal(struct termios *modes) {
  int descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  descriptor = localauth_raise(descriptor);
  if (descriptor < 0 || tcgetattr(descriptor, modes) == 0) return descriptor;
  int error = errno;
  (void)close(descriptor);
  return -error;
}

/* A background job must not touch a terminal that belongs to the shell by now. */
static int is_foreground(int descriptor) { return tcgetpgrp(descriptor) == getpgrp(); }

/* SIGTTOU may still come where the job is sent to the background in between. */
static void block_ttou(sigset_t *before) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGTTOU);
  (void)pthread_sigmask(SIG_BLOCK, &only, before);
}

int localauth_write_terminal(int descriptor, const void *bytes, size_t count) {
  sigset_t before;
  if (!is_foreground(descriptor)) return 0;
  block_ttou(&before);
  ssize_t written = write(descriptor, bytes, count);
  int answer = written < 0 ? -errno : (int)written;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return answer;
}

int localauth_restore_terminal(int descriptor, const struct termios *modes) {
  struct termios now;
  sigset_t before;
  if (tcgetattr(descriptor, &now) != 0) return -errno;
  int same = now.c_iflag == modes->c_iflag && now.c_oflag == modes->c_oflag && now.c_cflag == modes->c_cflag &&
             now.c_lflag == modes->c_lflag && memcmp(now.c_cc, modes->c_cc, sizeof now.c_cc) == 0;
  if (same || !is_foreground(descriptor)) return 0;
  block_ttou(&before);
  /* TCSAFLUSH in two steps: it would wait for output that ^S has stopped. */
  int answer = tcsetattr(descriptor, TCSANOW, modes) == 0 ? 1 : -errno;
  (void)tcflush(descriptor, TCIFLUSH);
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return answer;
}
