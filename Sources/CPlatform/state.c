#define _GNU_SOURCE
#include "cplatform.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/file.h>

/* A folder of root's that nobody else may write, below `parent`; made where it is missing, unless `mode` is 0. */
static int folder_at(int parent, const char *name, mode_t mode) {
  struct stat facts;
  if (mode != 0) {
    if (mkdirat(parent, name, mode) == 0) {
      /* Whatever the mask of this process takes away. */
      if (fchmodat(parent, name, mode, 0) < 0) return -errno;
    } else if (errno != EEXIST) {
      return -errno;
    }
  }
  int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  if (fstat(descriptor, &facts) == 0 && facts.st_uid == 0 && (facts.st_mode & 022) == 0) return descriptor;
  (void)close(descriptor);
  return -EPERM;
}

int localauth_state_folder(uid_t uid, int make) {
  char name[16];
  (void)snprintf(name, sizeof name, "%u", (unsigned)uid);
  int all = folder_at(AT_FDCWD, "/var/lib/localauth", make ? 0700 : 0);
  if (all < 0) return all;
  int one = folder_at(all, name, make ? 0700 : 0);
  (void)close(all);
  return one;
}

int localauth_trusted_folder(const char *path, mode_t mode) { return folder_at(AT_FDCWD, path, mode); }

int localauth_state_file(int folder, const char *name, int flags) {
  struct stat facts;
  /* O_NONBLOCK: a FIFO in its place blocks nobody. */
  int descriptor = openat(folder, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (descriptor < 0) return -errno;
  if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == 0 && facts.st_nlink == 1 &&
      (facts.st_mode & 077) == 0)
    return descriptor;
  (void)close(descriptor);
  return -EPERM;
}

/* Whether every folder on the way is root's alone. */
static int folders_are_trusted(const char *path) {
  char folder[256];
  struct stat facts;
  for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    if ((size_t)(slash - path) >= sizeof folder) return -ENAMETOOLONG;
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = 0;
    if (stat(folder, &facts) < 0) return -errno;
    if (!S_ISDIR(facts.st_mode) || facts.st_uid != 0 || (facts.st_mode & 022) != 0) return -ENOTDIR;
  }
  return 0;
}

int localauth_open_settings(const char *path) {
  struct stat facts;
  int answer = folders_are_trusted(path);
  if (answer < 0) return answer;
  /* O_NONBLOCK: a FIFO in its place blocks nobody. */
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return errno == EACCES ? -EIO : -errno;
  if (fstat(file, &facts) < 0)
    answer = -EIO;
  else if (!S_ISREG(facts.st_mode))
    answer = -EINVAL;
  else if (facts.st_uid != 0)
    answer = -EPERM;
  else if ((facts.st_mode & 022) != 0)
    answer = -EACCES;
  if (answer == 0) return file;
  (void)close(file);
  return answer;
}

static int write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? -errno : -EIO;
    bytes += written;
    count -= (size_t)written;
  }
  return 0;
}

int localauth_replace_file(int folder, const char *name, const char *fresh, const void *bytes, size_t count) {
  int file = localauth_state_file(folder, fresh, O_WRONLY | O_CREAT | O_TRUNC);
  if (file < 0) return file;
  int answer = write_all(file, bytes, count);
  if (answer == 0 && fsync(file) < 0) answer = -errno;
  if (close(file) < 0 && answer == 0) answer = -errno;
  if (answer == 0 && renameat(folder, fresh, folder, name) < 0) answer = -errno;
  if (answer == 0 && fsync(folder) < 0) answer = -errno;
  if (answer < 0) (void)unlinkat(folder, fresh, 0);
  return answer;
}

int localauth_lock(int descriptor, int milliseconds) {
  for (int waited = 0;; waited += 5) {
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return 0;
    if (errno != EWOULDBLOCK && errno != EINTR) return -errno;
    if (waited >= milliseconds) return -EWOULDBLOCK;
    (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
}

int localauth_unlock(int descriptor) { return flock(descriptor, LOCK_UN) < 0 ? -errno : 0; }

/* Octets of the file that no record reaches stand for tries that are running. */
static struct flock octet(short type, unsigned number) {
  return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = 1 << 20 | (off_t)number, .l_len = 1};
}

int localauth_mark_running(int descriptor, unsigned number) {
  struct flock lock = octet(F_RDLCK, number);
  return fcntl(descriptor, F_OFD_SETLK, &lock) < 0 ? -errno : 0;
}

int localauth_is_running(int descriptor, unsigned number) {
  struct flock lock = octet(F_WRLCK, number);
  return fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

uint64_t localauth_boot(void) {
  char text[17] = {0};
  int descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  /* 16 of its 32 digits, past the first hyphen: version and variant are the same in every one. */
  char id[37] = {0};
  ssize_t count = read(descriptor, id, 36);
  (void)close(descriptor);
  if (count != 36) return 0;
  memcpy(text, id, 8);
  memcpy(text + 8, id + 28, 8);
  return strtoull(text, NULL, 16);
}

int64_t localauth_uptime(void) {
  struct timespec now;
  return clock_gettime(CLOCK_BOOTTIME, &now) == 0 ? (int64_t)now.tv_sec : 0;
}

int64_t localauth_wall_clock(void) { return (int64_t)time(NULL); }

/* Where a list of prints is written. */
struct list {
  char *text;
  size_t size, count;
};

static int no_dots(const struct dirent *entry) {
  return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* strcmp(3) and no locale. */
static int by_name(const struct dirent **left, const struct dirent **right) {
  return strcmp((*left)->d_name, (*right)->d_name);
}

static int list_folder(struct list *list, int folder, const char *path, int depth);

static int list_entry(struct list *list, int folder, const char *path, const char *name, int depth) {
  char inner[512];
  struct stat facts;
  if (fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) < 0) return -errno;
  if ((size_t)snprintf(inner, sizeof inner, "%s%s%s", path, *path == 0 ? "" : "/", name) >= sizeof inner)
    return -ENAMETOOLONG;
  if (strpbrk(inner, "\t\n") != NULL) return -EPROTO;
  if (S_ISREG(facts.st_mode)) {
    int more = snprintf(list->text + list->count, list->size - list->count, "%s\t%lld\t%lld.%09ld\n", inner,
                        (long long)facts.st_size, (long long)facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
    if (more < 0 || (size_t)more >= list->size - list->count) return -EFBIG;
    list->count += (size_t)more;
    return 0;
  }
  if (!S_ISDIR(facts.st_mode) || depth == 0) return -EPROTO;
  int next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (next < 0) return -errno;
  int answer = list_folder(list, next, inner, depth - 1);
  (void)close(next);
  return answer;
}

static int list_folder(struct list *list, int folder, const char *path, int depth) {
  struct dirent **names;
  int count = scandirat(folder, ".", &names, no_dots, by_name), answer = count < 0 ? -errno : 0;
  for (int at = 0; at < count; at++) {
    if (answer == 0) answer = list_entry(list, folder, path, names[at]->d_name, depth);
    free(names[at]);
  }
  if (count >= 0) free(names);
  return answer;
}

ssize_t localauth_list_prints(const char *user, char *text, size_t size) {
  if (*user == 0 || *user == '.' || strchr(user, '/') != NULL) return -EINVAL;
  int all = open("/var/lib/fprint", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (all < 0) return errno == ENOENT ? 0 : -errno;
  int folder = openat(all, user, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int error = errno;
  (void)close(all);
  if (folder < 0) return error == ENOENT ? 0 : -error;
  struct list list = {.text = text, .size = size, .count = 0};
  /* USER/DRIVER/DEVICE/FINGER */
  int answer = list_folder(&list, folder, "", 2);
  (void)close(folder);
  return answer < 0 ? answer : (ssize_t)list.count;
}
