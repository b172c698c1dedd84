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

static int limit(int resource, rlim_t value, rlim_t least) {
  struct rlimit both = {value, value};
  /* Root may raise every limit; where a container forbids it, the old one stays. */
  if (setrlimit(resource, &both) == 0) return 0;
  if (getrlimit(resource, &both) != 0) return -errno;
  return both.rlim_cur >= least ? 0 : -EPERM;
}

int localauth_reset_limits(void) {
  (void)limit(RLIMIT_CORE, 0, 0);
  (void)limit(RLIMIT_FSIZE, RLIM_INFINITY, 0);
  (void)limit(RLIMIT_CPU, 30, 0);
  (void)limit(RLIMIT_STACK, 8UL << 20, 0);
  /* crypt(3) without memory or a file that cannot be opened looks like a wrong passcode to some modules. */
  int files = limit(RLIMIT_NOFILE, 256, 64);
  int space = limit(RLIMIT_AS, 512UL << 20, 128UL << 20);
  int data = limit(RLIMIT_DATA, 512UL << 20, 128UL << 20);
  return files != 0 ? files : space != 0 ? space : data;
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
