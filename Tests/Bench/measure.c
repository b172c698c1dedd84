/* measure [-n N] [-u UID] [-z MS] [-p SOCKET COMMAND]... -- PROGRAM [ARG...]
 *
 * Runs a program N times and prints the microseconds and the status of each run. A small static launcher: a larger
 * one would add its own page tables to every fork.
 *
 * -z sleeps MS before each run: fprintd closes the reader a little after its client has gone, and commands that came
 *    before that are eaten by the close.
 * -p sends a command to the virtual reader before each run; repeatable.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS = 8 };

static void die(const char *what) {
  perror(what);
  exit(3);
}

static void tell(const char *path, const char *command) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char answer[256];
  int link = socket(AF_UNIX, SOCK_STREAM, 0);
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (connect(link, (struct sockaddr *)&address, sizeof address) != 0) die(path);
  if (write(link, command, strlen(command)) < 0) die("write");
  while (read(link, answer, sizeof answer) > 0) {}
  close(link);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void become(long uid) {
  int null = open("/dev/null", O_RDWR);
  dup2(null, 0);
  dup2(null, 2);
  /* No terminal: the module asks in turn, as pam_fprintd does. */
  setsid();
  if (uid >= 0 && (setgroups(0, NULL) != 0 || setgid(uid) != 0 || setuid(uid) != 0)) _exit(126);
}

int main(int argc, char **argv) {
  const char *sockets[COMMANDS], *commands[COMMANDS];
  int runs = 1, count = 0, option;
  long uid = -1, pause = 0;
  while ((option = getopt(argc, argv, "+n:u:z:p:")) != -1) switch (option) {
      case 'n': runs = atoi(optarg); break;
      case 'u': uid = atol(optarg); break;
      case 'z': pause = atol(optarg); break;
      case 'p':
        if (count == COMMANDS) return 2;
        sockets[count] = optarg;
        commands[count++] = argv[optind++];
        break;
      default: return 2;
    }
  for (int run = 0; run < runs; run++) {
    usleep(pause * 1000);
    for (int index = 0; index < count; index++) tell(sockets[index], commands[index]);
    int out[2], status;
    char inside[64] = "";
    if (pipe(out) != 0) die("pipe");
    double start = now();
    pid_t child = fork();
    if (child == 0) {
      become(uid);
      dup2(out[1], 1);
      close(out[0]);
      close(out[1]);
      execv(argv[optind], argv + optind);
      _exit(127);
    }
    close(out[1]);
    waitpid(child, &status, 0);
    double took = now() - start;
    if (read(out[0], inside, sizeof inside - 1) < 0) die("read");
    close(out[0]);
    printf("%.0f %d %s\n", took, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), inside);
  }
}
