#include "cpam.h"

void localauth_pam_syslog(const pam_handle_t *pamh, int priority, const char *message) {
  pam_syslog(pamh, priority, "%s", message);
}
