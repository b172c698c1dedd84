#include "cpam.h"

#include <string.h>

void localauth_pam_syslog(const pam_handle_t *pamh, int priority, const char *message) {
  pam_syslog(pamh, priority, "%s", message);
}

static void no_delay(int status, unsigned microseconds, void *appdata) {
  (void)status;
  (void)microseconds;
  (void)appdata;
}

int localauth_pam_leave_delay_to_host(pam_handle_t *pamh) {
  void (*delay)(int, unsigned, void *) = no_delay;
  const void *item;
  /* ISO C has no conversion of a function pointer to void *; POSIX has, and pam_set_item(3) wants it. */
  memcpy(&item, &delay, sizeof item);
  return pam_set_item(pamh, PAM_FAIL_DELAY, item);
}
