#define _GNU_SOURCE
#include "cplatform.h"

#include <sched.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

static int result(long value) { return value < 0 ? -errno : (int)value; }

int localauth_errno(void) { return errno; }

const char *localauth_error_text(int error) {
  const char *text = strerrordesc_np(error);
  return text != NULL ? text : "unknown error";
}

int localauth_socketpair(int ends[2]) { return result(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)); }

int localauth_raise(int descriptor) {
  if (descriptor > 2) return descriptor;
  int answer = result(fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
  (void)close(descriptor);
  return answer;
}

int localauth_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  for (int index = 0; index < 2; index++) {
    int high = localauth_raise(ends[index]);
    if (high < 0) {
      (void)close(ends[1 - index]);
      return high;
    }
    ends[index] = high;
  }
  return 0;
}

int localauth_unix_socket(void) { return result(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)); }

int localauth_connect(int descriptor, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t count = strnlen(path, sizeof address.sun_path);
  if (count >= sizeof address.sun_path) return -ENAMETOOLONG;
  memcpy(address.sun_path, path, count);
  return result(connect(descriptor, (struct sockaddr *)&address, sizeof address));
}

int localauth_socket_error(int descriptor) {
  int error = 0;
  socklen_t count = sizeof error;
  if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &count) != 0) return errno;
  return error;
}

ssize_t localauth_send(int descriptor, const void *bytes, size_t count) {
  ssize_t sent;
  do {
    sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

int localauth_open(const char *path, int flags) { return result(open(path, flags | O_CLOEXEC)); }

int localauth_duplicate(int descriptor, int least) { return result(fcntl(descriptor, F_DUPFD_CLOEXEC, least)); }

int localauth_replace(int number, int descriptor) { return result(dup3(descriptor, number, O_CLOEXEC)); }

int localauth_set_nonblocking(int descriptor, int on) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return -errno;
  return result(fcntl(descriptor, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK));
}

int localauth_close_from(unsigned first) { return result(syscall(SYS_close_range, first, ~0U, 0U)); }

int localauth_peer(int descriptor, pid_t *pid, uid_t *uid) {
  struct ucred credentials;
  socklen_t count = sizeof credentials;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &count) != 0) return -errno;
  if (count != sizeof credentials) return -EPROTO;
  *pid = credentials.pid;
  *uid = credentials.uid;
  return 0;
}

int localauth_peer_pidfd(int descriptor) {
  int pidfd = -1;
  socklen_t count = sizeof pidfd;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &count) != 0) return -errno;
  return pidfd;
}

int localauth_pidfd_open(pid_t pid) { return result(syscall(SYS_pidfd_open, pid, 0U)); }

uint64_t localauth_now(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * 1000U + (uint64_t)now.tv_nsec / 1000000U;
}

int localauth_random(void *bytes, size_t count) {
  ssize_t got;
  do {
    got = getrandom(bytes, count, 0);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return -errno;
  return (size_t)got == count ? 0 : -EIO;
}

pid_t localauth_clone_child(int (*body)(void *), void *context) {
  pid_t parent = getpid();
  long pid = syscall(SYS_clone, 0UL, NULL, NULL, NULL, 0UL);
  if (pid < 0) return -errno;
  if (pid == 0) {
    if (localauth_die_with(parent) != 0) _exit(127);
    _exit(body(context));
  }
  return (pid_t)pid;
}

int localauth_wait(pid_t pid, int *status, int flags) {
  for (;;) {
    pid_t changed = waitpid(pid, status, flags | __WALL);
    if (changed >= 0) return changed;
    if (errno != EINTR) return -errno;
  }
}

void localauth_end_children(pid_t pid) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ssize_t count = read(descriptor, text, sizeof text);
  (void)close(descriptor);
  pid_t child = 0;
  for (ssize_t index = 0; index < count; index++) {
    if (text[index] >= '0' && text[index] <= '9') {
      child = child * 10 + (text[index] - '0');
    } else {
      if (child > 1) (void)kill(child, SIGTERM);
      child = 0;
    }
  }
}

int localauth_exit_code(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : -1;
}

struct execution {
  const char *path;
  const char *argument;
  int descriptor;
  int as_root;
  int error;
  char *stack;
};

enum { stack_size = 16384 };

/* Shares memory with the host, which is suspended until exec: system calls only, and nothing that touches its
   state. Raw set*id calls, since the C library's would signal every thread of the host. */
static int execute(void *context) {
  struct execution *this = context;
  int null = open("/dev/null", O_RDWR);
  if (null < 0) goto failed;
  /* A descriptor below 3 would be overwritten by the moves below. */
  int high = fcntl(this->descriptor, F_DUPFD, 3);
  int null_high = fcntl(null, F_DUPFD, 3);
  if (high < 0 || null_high < 0) goto failed;
  if (dup2(high, 0) < 0 || dup2(null_high, 1) < 0 || dup2(null_high, 2) < 0) goto failed;
  if (syscall(SYS_close_range, 3U, ~0U, 0U) != 0) goto failed;
  if (this->as_root) {
    if (syscall(SYS_setresgid, 0, 0, 0) != 0 || syscall(SYS_setgroups, 0, NULL) != 0 ||
        syscall(SYS_setresuid, 0, 0, 0) != 0)
      goto failed;
  }
  const char *arguments[] = {this->path, this->argument, NULL};
  char *environment[] = {NULL};
  execve(this->path, (char *const *)arguments, environment);
failed:
  this->error = errno == 0 ? EIO : errno;
  _exit(127);
}

static int launch(void *context) {
  struct execution *this = context;
  int pid = clone(execute, this->stack + stack_size, CLONE_VM | CLONE_VFORK | SIGCHLD, this);
  if (pid < 0) this->error = errno;
  _exit(0);
}

int localauth_execute_detached(const char *path, const char *argument, int descriptor, int as_root) {
  _Alignas(16) char outer[stack_size];
  _Alignas(16) char inner[stack_size];
  struct execution this = {path, argument, descriptor, as_root, 0, inner};
  sigset_t all, before;
  /* A handler of the host must not run in a process that shares its memory. */
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return -EINVAL;
  /* errno is shared as well. */
  int saved = errno;
  int pid = clone(launch, outer + stack_size, CLONE_VM | CLONE_VFORK, &this);
  int failure = pid < 0 ? errno : 0;
  if (pid >= 0) {
    int status;
    (void)localauth_wait(pid, &status, 0);
    failure = this.error;
  }
  errno = saved;
  (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  return -failure;
}

int localauth_thread_count(void) {
  /* The link count of a task folder is its threads and 2; readdir would allocate. */
  struct stat info;
  if (stat("/proc/self/task", &info) != 0) return -errno;
  return info.st_nlink > 2 ? (int)info.st_nlink - 2 : -EIO;
}

int localauth_forbid_dumps(void) {
  struct rlimit none = {0, 0};
  if (prctl(PR_SET_DUMPABLE, 0) != 0) return -errno;
  return result(setrlimit(RLIMIT_CORE, &none));
}

int localauth_die_with(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return -errno;
  return getppid() == parent ? 0 : -ESRCH;
}

void localauth_syslog(int priority, const char *message) { syslog(LOG_AUTHPRIV | priority, "%s", message); }

int localauth_reset_environment(void) {
  if (clearenv() != 0) return -EINVAL;
  if (setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1) != 0) return -errno;
  return result(setenv("LC_ALL", "C.UTF-8", 1));
}

void localauth_reset_signals(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  struct sigaction ignored = {.sa_handler = SIG_IGN};
  sigset_t none;
  /* Fails for SIGKILL, SIGSTOP and the C library's own two, which cannot be changed anyway. */
  for (int signal = 1; signal < NSIG; signal++) (void)sigaction(signal, &usual, NULL);
  (void)sigaction(SIGPIPE, &ignored, NULL);
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

void *localauth_secret_page(size_t count) {
  void *page = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return NULL;
  /* Best effort: RLIMIT_MEMLOCK may be 0 in a service. */
  (void)mlock(page, count);
  (void)madvise(page, count, MADV_DONTDUMP);
  (void)madvise(page, count, MADV_WIPEONFORK);
  return page;
}

void localauth_release_page(void *page, size_t count) {
  explicit_bzero(page, count);
  (void)munmap(page, count);
}
