/* The least a PAM module can be, to compare with. */
#include <security/pam_modules.h>

#define ENTRY(name)                                                                                \
  int name(pam_handle_t *handle, int flags, int count, const char **arguments) {                   \
    (void)handle, (void)flags, (void)count, (void)arguments;                                       \
    return PAM_IGNORE;                                                                             \
  }
ENTRY(pam_sm_authenticate)
ENTRY(pam_sm_setcred)
ENTRY(pam_sm_acct_mgmt)
ENTRY(pam_sm_open_session)
ENTRY(pam_sm_close_session)
ENTRY(pam_sm_chauthtok)
