#ifndef CPAM_H
#define CPAM_H
#include <security/pam_appl.h>
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <security/pam_modutil.h>

/* pam_syslog(3) without its C variadics, which Swift does not import. */
void localauth_pam_syslog(const pam_handle_t *pamh, int priority, const char *message);
#endif
