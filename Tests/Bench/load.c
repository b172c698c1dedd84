/* load MODULE: prints the microseconds that dlopen(3) takes, with everything resolved, in a new process that has
 * libpam already, as every host of a module has. */
#include <dlfcn.h>
#include <security/pam_appl.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

int main(int argc, char **argv) {
  if (argc != 2 || pam_strerror(NULL, 0) == NULL) return 2;
  double start = now();
  void *module = dlopen(argv[1], RTLD_NOW);
  printf("%.1f", now() - start);
  return module == NULL || dlsym(module, "pam_sm_authenticate") == NULL;
}
