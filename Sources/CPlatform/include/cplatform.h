#ifndef CPLATFORM_H
#define CPLATFORM_H
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <shadow.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* GNU and Linux calls, macros and variadics that Swift does not import. Every function returns a value of
   zero or more, or -errno; none keeps state. */

int localauth_errno(void);
/* strerrordesc_np(3): the text of an errno, in English whatever the locale. Never NULL. */
const char *localauth_error_text(int error);

/* socketpair(2), AF_UNIX SOCK_STREAM SOCK_CLOEXEC. */
int localauth_socketpair(int ends[2]);
/* pipe2(2), O_CLOEXEC, neither end below 3. */
int localauth_pipe(int ends[2]);
/* socket(2) AF_UNIX SOCK_STREAM, CLOEXEC and NONBLOCK. */
int localauth_unix_socket(void);
/* connect(2) to a path; -ENAMETOOLONG when it does not fit. */
int localauth_connect(int descriptor, const char *path);
/* getsockopt(2) SO_ERROR: the pending error, 0 for none. */
int localauth_socket_error(int descriptor);
/* send(2) with MSG_NOSIGNAL. */
ssize_t localauth_send(int descriptor, const void *bytes, size_t count);
/* open(2) of an existing file, O_CLOEXEC. */
int localauth_open(const char *path, int flags);
/* fcntl(2) F_DUPFD_CLOEXEC: a copy that is `least` or more. */
int localauth_duplicate(int descriptor, int least);
/* dup3(2), O_CLOEXEC: `descriptor` becomes `number` as well. */
int localauth_replace(int number, int descriptor);
/* Moves a descriptor of ours out of 0 to 2, which may be closed in a host and stand for something there. */
int localauth_raise(int descriptor);
/* fcntl(2) O_NONBLOCK on or off. */
int localauth_set_nonblocking(int descriptor, int on);
/* close_range(2) of everything from `first` on. */
int localauth_close_from(unsigned first);
/* SO_PEERCRED, unix(7). */
int localauth_peer(int descriptor, pid_t *pid, uid_t *uid);
/* SO_PEERPIDFD (77, Linux 6.5); -ENOPROTOOPT where the kernel has none. */
int localauth_peer_pidfd(int descriptor);
int localauth_pidfd_open(pid_t pid);

/* Milliseconds of CLOCK_MONOTONIC, which stands still while the machine sleeps: clock_gettime(2). */
uint64_t localauth_now(void);
/* getrandom(2), all of it. */
int localauth_random(void *bytes, size_t count);

/* Runs `body(context)` in a copy of this process made by the raw clone(2) call without exit signal: the host's
   SIGCHLD handler and its waitpid(-1) never see it. It dies with its parent. Returns the pid. For processes with
   one thread only. */
pid_t localauth_clone_child(int (*body)(void *), void *context);
/* fork(2) for our own processes: runs `body(context)` in a child that dies with its parent. Returns the pid. */
pid_t localauth_fork(int (*body)(void *), void *context);
/* waitpid(2) with __WALL, repeated on EINTR. Returns the pid, or 0 under WNOHANG when nothing changed. */
int localauth_wait(pid_t pid, int *status, int flags);
/* SIGTERM to the children of a child of ours: proc(5), /proc/PID/task/TID/children, where the kernel has it. */
void localauth_end_children(pid_t pid);
/* The status of waitpid(2): exit code, 128 + signal, or -1 when it is stopped. */
int localauth_exit_code(int status);

/* Executes `path` with one argument in a process that is nobody's child: a grandchild by vfork-like clone(2), so
   that hosts with threads are safe and the host has no child to reap. `descriptor` becomes fd 0; fds 1 and 2 are
   /dev/null; everything else is closed; the environment is empty; with `as_root` every uid and gid becomes 0.
   Returns 0 when the program was executed. */
int localauth_execute_detached(const char *path, const char *argument, int descriptor, int as_root);

/* Entries of /proc/self/task, that is threads of this process. */
int localauth_thread_count(void);
/* prctl(2) PR_SET_DUMPABLE 0, and RLIMIT_CORE 0. */
int localauth_forbid_dumps(void);
/* Limits of a privileged process, whatever the caller's are: setrlimit(2). -EPERM where they stay too low to verify
   a passcode. */
int localauth_reset_limits(void);
/* Timers, priorities, processors and the kernel's choice of victims as usual, as far as they can be changed. */
void localauth_reset_scheduling(void);
/* Start of a process in clock ticks since boot: field 22 of proc_pid_stat(5). */
int64_t localauth_start_time(pid_t pid);
/* 1 when the process or one before it is a remote login daemon, or the chain has no end. */
int localauth_has_remote_ancestor(pid_t pid);
/* 1 when the process is below a terminal multiplexer (tmux, screen ...) that somebody shows on a remote login, or that
   nobody shows at all. Any such viewer on the machine counts, of whatever user: a name may deny, never grant. */
int localauth_is_shown_elsewhere(pid_t pid);
/* 1 when the process has a controlling terminal, and another group of processes is in its foreground: tcgetpgrp(3). */
int localauth_is_background(pid_t pid);
/* 1 for a virtual console, "tty1" or "/dev/tty1". */
int localauth_is_console(const char *terminal);
/* 1 when utmp(5) has another machine for this terminal. */
int localauth_terminal_is_remote(const char *terminal);
/* Every uid and gid 0, no supplementary group; checked. */
int localauth_become_root(void);
/* 1 for a socket, 0 for anything else. */
int localauth_is_socket(int descriptor);
/* 1 for a regular file of root that nobody else may write. */
int localauth_is_trusted_file(const char *path);
/* prctl(2) PR_SET_PDEATHSIG SIGKILL; -ESRCH when `parent` is gone already. */
int localauth_die_with(pid_t parent);
/* One line to syslog(3), facility LOG_AUTHPRIV. */
void localauth_syslog(int priority, const char *message);
/* clearenv(3), then PATH and LC_ALL. */
int localauth_reset_environment(void);
/* Every signal: default disposition, none blocked; SIGPIPE ignored. */
void localauth_reset_signals(void);
/* A private page that is never swapped or dumped nor given to children, as far as the limits allow. */
void *localauth_secret_page(size_t count);
void localauth_release_page(void *page, size_t count);

/* The folder /var/lib/localauth/UID; with `make` it is made where it is missing. -EPERM for one that others could have
   written in. */
int localauth_state_folder(uid_t uid, int make);
/* Any other folder of root's that nobody else may write, made with this mode where it is missing. */
int localauth_trusted_folder(const char *path, mode_t mode);
/* A file of settings, by its whole path: opened for reading if it is a regular file of root's that nobody else may
   write, in folders of which the same holds, and never through a link at its end. -ENOENT where there is none; -EPERM
   another owner, -EACCES others may write, -EINVAL no regular file, -ENOTDIR a folder that is not root's alone. */
int localauth_open_settings(const char *path);
/* openat(2) of a file in such a folder, O_CLOEXEC, never through a link and never blocking; -EPERM for anything but a
   regular file of root's that nobody else may open and that has one name. */
int localauth_state_file(int folder, const char *name, int flags);
/* Writes a file in such a folder: the old one or the new one is there whatever happens, and the new one is on the disk
   when this returns 0. `fresh` is the name it has until then; only one process may use that at a time. */
int localauth_replace_file(int folder, const char *name, const char *fresh, const void *bytes, size_t count);
/* flock(2), exclusive, waiting at most so long; -EWOULDBLOCK when it is not to be had. */
int localauth_lock(int descriptor, int milliseconds);
int localauth_unlock(int descriptor);
/* fcntl(2) F_OFD_SETLK: shows that a try of window `number` is running, for as long as the descriptor is open. */
int localauth_mark_running(int descriptor, unsigned number);
/* Whether anybody else shows that. */
int localauth_is_running(int descriptor, unsigned number);
/* A number for this boot of the machine, from proc_sys_kernel(5) random/boot_id; 0 when it cannot be read. */
uint64_t localauth_boot(void);
/* Seconds of CLOCK_BOOTTIME and of the wall clock: clock_gettime(2), time(2). */
int64_t localauth_uptime(void);
int64_t localauth_wall_clock(void);
/* The prints that fprintd stores for a user below /var/lib/fprint, as a text without NUL: one line for each file,
   "path TAB size TAB seconds.nanoseconds", sorted. Returns the number of bytes, 0 when there are none. */
ssize_t localauth_list_prints(const char *user, char *text, size_t size);

/* Blocks in this thread what ends a prompt (SIGINT, SIGQUIT, SIGTERM, SIGHUP) and what stops a job (SIGTSTP);
   `before` gets the mask that was. */
int localauth_hold_signals(sigset_t *before);
/* signalfd(2), CLOEXEC and NONBLOCK, never below 3, for the held signals: all that end a prompt, and SIGTSTP unless
   it was blocked `before`. They are only looked at, never read, so that the host still gets them. */
int localauth_ending_signals(void);
int localauth_stopping_signals(const sigset_t *before);
/* For a program of ours while its prompt hides what is typed: blocks in this thread what ends or stops it, and
   SIGCONT, except what it ignores. Returns a signalfd(2) to read them from; `before` gets the mask that was. */
int localauth_prompt_signals(sigset_t *before);
/* One signal from such a descriptor; 0 when there is none. */
int localauth_read_signal(int descriptor);
/* sigismember(3) */
int localauth_mask_holds(const sigset_t *mask, int signal);
/* sigpending(2) */
int localauth_is_pending(int signal);
int localauth_set_signal_mask(const sigset_t *mask);
/* Whether the process ignores this signal: sigaction(2), only read. */
int localauth_ignores_signal(int signal);

/* Opens /dev/tty for writing that never waits, not below 3; `modes` gets its modes. */
int localauth_open_terminal(struct termios *modes);
/* One write by the foreground job; 0 when it is not, or not any more. */
int localauth_write_terminal(int descriptor, const void *bytes, size_t count);
/* Brings the modes back if they differ, and drops what was typed under the others. 1 when it did. */
int localauth_restore_terminal(int descriptor, const struct termios *modes);
#endif
