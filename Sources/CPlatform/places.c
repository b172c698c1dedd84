#define _GNU_SOURCE
#include "cplatform.h"

#include <dirent.h>
#include <stdio.h>
#include <utmpx.h>

/* /proc/PID/stat as it was at one moment: proc_pid_stat(5). */
struct stat_line {
  char text[1024];
  /* At most 15 characters. */
  char command[16];
  /* Behind the command, which is in parentheses and may hold any character. */
  const char *fields;
};

static int read_stat(pid_t pid, struct stat_line *line) {
  char path[32];
  (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  ssize_t count = read(descriptor, line->text, sizeof line->text - 1);
  (void)close(descriptor);
  if (count <= 0) return -EIO;
  line->text[count] = 0;
  char *first = strchr(line->text, '('), *last = strrchr(line->text, ')');
  if (first == NULL || last == NULL || last <= first) return -EPROTO;
  size_t length = (size_t)(last - first - 1) < 15 ? (size_t)(last - first - 1) : 15;
  memcpy(line->command, first + 1, length);
  line->command[length] = 0;
  line->fields = last;
  return 0;
}

/* A field after the command, by its number in proc_pid_stat(5). */
static int64_t field(const struct stat_line *line, int number) {
  const char *found = line->fields;
  for (int at = 2; found != NULL && at < number; at++) found = strchr(found + 1, ' ');
  return found == NULL ? -EPROTO : strtoll(found, NULL, 10);
}

int64_t localauth_start_time(pid_t pid) {
  struct stat_line line;
  int answer = read_stat(pid, &line);
  return answer < 0 ? answer : field(&line, 22);
}

static int is_one_of(const char *command, const char *const *names) {
  for (; *names != NULL; names++)
    if (strcmp(command, *names) == 0) return 1;
  return 0;
}

static const char *const remote_logins[] = {"sshd", "sshd-session", "dropbear", "in.telnetd", "mosh-server", NULL};
/* Programs whose terminals outlive a login, and may be shown on another one: servers, and what shows them. */
static const char *const multiplexers[] = {"tmux: server", "screen", "zellij", "dtach", "abduco", NULL};
static const char *const viewers[] = {"tmux: client", "screen", "zellij", "dtach", "abduco", NULL};

/* 1 when the process or one before it has one of the names, or the chain has no end. */
static int has_ancestor(pid_t pid, const char *const *names) {
  /* Deep enough for any shell in any terminal in any session; a longer chain is nobody's sitting. */
  for (int depth = 0; depth < 64 && pid > 1; depth++) {
    struct stat_line line;
    if (read_stat(pid, &line) < 0) return 0;
    int64_t parent = field(&line, 4);
    if (parent < 0) return 0;
    if (is_one_of(line.command, names)) return 1;
    pid = (pid_t)parent;
  }
  return pid > 1;
}

int localauth_has_remote_ancestor(pid_t pid) { return has_ancestor(pid, remote_logins); }

int localauth_is_shown_elsewhere(pid_t pid) {
  if (!has_ancestor(pid, multiplexers)) return 0;
  DIR *folder = opendir("/proc");
  /* Fail closed: who watches cannot be known. */
  if (folder == NULL) return 1;
  int watched = 0, elsewhere = 0;
  for (struct dirent *entry; !elsewhere && (entry = readdir(folder)) != NULL;) {
    pid_t other = (pid_t)strtol(entry->d_name, NULL, 10);
    struct stat_line line;
    if (other <= 0 || read_stat(other, &line) < 0 || !is_one_of(line.command, viewers)) continue;
    /* Where a server has its viewer's name, only the viewer has a terminal to show it on. */
    if (field(&line, 7) <= 0) continue;
    watched = 1;
    elsewhere = has_ancestor(other, remote_logins);
  }
  (void)closedir(folder);
  return elsewhere || !watched;
}

int localauth_is_background(pid_t pid) {
  struct stat_line line;
  if (read_stat(pid, &line) < 0) return 0;
  int64_t group = field(&line, 5), terminal = field(&line, 7), front = field(&line, 8);
  /* A group of -1 in front: the terminal is that of another namespace, or nobody's. */
  return terminal > 0 && group > 0 && front != group;
}

static const char *line_of(const char *terminal) {
  return strncmp(terminal, "/dev/", 5) == 0 ? terminal + 5 : terminal;
}

int localauth_is_console(const char *terminal) {
  const char *line = line_of(terminal);
  if (strncmp(line, "tty", 3) != 0 || line[3] == 0) return 0;
  return line[3 + strspn(line + 3, "0123456789")] == 0;
}

int localauth_terminal_is_remote(const char *terminal) {
  const char *line = line_of(terminal);
  int remote = 0;
  setutxent();
  for (struct utmpx *entry; (entry = getutxent()) != NULL;) {
    if (entry->ut_type != USER_PROCESS || strncmp(entry->ut_line, line, sizeof entry->ut_line) != 0) continue;
    /* ":0" is a display of this machine; what is not a display is another machine, or cannot be told from one. */
    remote = entry->ut_host[0] != 0 && entry->ut_host[0] != ':';
  }
  endutxent();
  return remote;
}
