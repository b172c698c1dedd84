#define _GNU_SOURCE
#include "cplatform.h"

#include <sched.h>
#include <sys/syscall.h>
#include <sys/time.h>

pid_t localauth_fork(int (*body)(void *), void *context) {
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid < 0) return -errno;
  if (pid == 0) {
    if (localauth_die_with(parent) != 0) _exit(127);
    _exit(body(context));
  }
  return pid;
}

static void limit(int resource, rlim_t value) {
  struct rlimit both = {value, value};
  /* Root may raise every limit; where a container forbids it, the old one stays. */
  (void)setrlimit(resource, &both);
}

void localauth_reset_limits(void) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_NOFILE, 256);
  limit(RLIMIT_FSIZE, RLIM_INFINITY);
  limit(RLIMIT_CPU, 30);
  limit(RLIMIT_AS, 512UL << 20);
  limit(RLIMIT_STACK, 8UL << 20);
}

void localauth_reset_scheduling(void) {
  struct itimerval none = {0};
  (void)setitimer(ITIMER_REAL, &none, NULL);
  (void)setitimer(ITIMER_VIRTUAL, &none, NULL);
  (void)setitimer(ITIMER_PROF, &none, NULL);
  struct sched_param usual = {0};
  (void)sched_setscheduler(0, SCHED_OTHER, &usual);
  (void)setpriority(PRIO_PROCESS, 0, 0);
  /* ioprio_set(2), IOPRIO_WHO_PROCESS: no priority of its own. */
  (void)syscall(SYS_ioprio_set, 1, 0, 0);
  /* Every processor that there is: the kernel leaves out those that are not ours. */
  cpu_set_t all;
  memset(&all, 0xff, sizeof all);
  (void)sched_setaffinity(0, sizeof all, &all);
  /* The caller may have chosen us as the first to be killed when memory is short. */
  int descriptor = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (descriptor >= 0) {
    (void)!write(descriptor, "0", 1);
    (void)close(descriptor);
  }
}

int localauth_become_root(void) {
  if (setgroups(0, NULL) != 0 || setresgid(0, 0, 0) != 0 || setresuid(0, 0, 0) != 0) return -errno;
  uid_t real, effective, saved;
  if (getresuid(&real, &effective, &saved) != 0) return -errno;
  return real == 0 && effective == 0 && saved == 0 ? 0 : -EPERM;
}

int localauth_is_socket(int descriptor) {
  struct stat info;
  if (fstat(descriptor, &info) != 0) return -errno;
  return S_ISSOCK(info.st_mode);
}

int localauth_is_trusted_file(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) return -errno;
  return S_ISREG(info.st_mode) && info.st_uid == 0 && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}
