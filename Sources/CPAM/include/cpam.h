#ifndef CPAM_H
#define CPAM_H
#include <security/pam_appl.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <security/pam_modutil.h>

/* pam_syslog(3) without its C variadics, which Swift does not import. */
void localauth_pam_syslog(const pam_handle_t *pamh, int priority, const char *message);

/* The application waits after a failure itself: pam_fail_delay(3), PAM_FAIL_DELAY. */
int localauth_pam_leave_delay_to_host(pam_handle_t *pamh);
#endif
