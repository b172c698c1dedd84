/* A module for calibrating the harness: its argument says what it does in pam_sm_authenticate. */
#define PAM_SM_AUTH
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int converse(pam_handle_t *pamh, int count, const struct pam_message **messages, struct pam_response **replies) {
  const struct pam_conv *conversation = NULL;
  if (pam_get_item(pamh, PAM_CONV, (const void **)&conversation) != PAM_SUCCESS || conversation == NULL ||
      conversation->conv == NULL)
    return PAM_CONV_ERR;
  return conversation->conv(count, messages, replies, conversation->appdata_ptr);
}

int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  const char *what = argc > 0 ? argv[0] : "";
  (void)flags;
  if (strcmp(what, "styles") == 0) {
    char *seen = NULL, *hidden = NULL;
    int code = pam_prompt(pamh, PAM_PROMPT_ECHO_ON, &seen, "Name: ");
    if (code == PAM_SUCCESS) code = pam_prompt(pamh, PAM_PROMPT_ECHO_OFF, &hidden, "Word: ");
    if (code == PAM_SUCCESS) code = pam_info(pamh, "well");
    if (code == PAM_SUCCESS) code = pam_error(pamh, "badly");
    int right = seen != NULL && hidden != NULL && strcmp(seen, "me") == 0 && strcmp(hidden, "open") == 0;
    free(seen);
    free(hidden);
    if (code != PAM_SUCCESS) return code;
    return right ? PAM_SUCCESS : PAM_AUTH_ERR;
  }
  if (strcmp(what, "two") == 0) {
    struct pam_message first = {PAM_TEXT_INFO, "one"}, second = {PAM_PROMPT_ECHO_OFF, "two: "};
    const struct pam_message *messages[] = {&first, &second};
    struct pam_response *replies = NULL;
    int code = converse(pamh, 2, messages, &replies);
    if (code != PAM_SUCCESS) return code;
    if (replies == NULL) return PAM_BUF_ERR;
    code = replies[0].resp == NULL && replies[1].resp != NULL ? PAM_SUCCESS : PAM_AUTH_ERR;
    free(replies[0].resp);
    free(replies[1].resp);
    free(replies);
    return code;
  }
  if (strcmp(what, "delay") == 0) {
    pam_fail_delay(pamh, 2000000);
    return PAM_AUTH_ERR;
  }
  if (strcmp(what, "rename") == 0) return pam_set_item(pamh, PAM_USER, "somebody-else");
  if (strcmp(what, "items") == 0) {
    const void *tty = NULL, *host = NULL, *user = NULL;
    pam_get_item(pamh, PAM_TTY, &tty);
    pam_get_item(pamh, PAM_RHOST, &host);
    pam_get_item(pamh, PAM_RUSER, &user);
    return pam_info(pamh, "%s %s %s %s", tty ? (const char *)tty : "-", host ? (const char *)host : "-",
                    user ? (const char *)user : "-", (flags & PAM_SILENT) ? "silent" : "aloud");
  }
  return PAM_SERVICE_ERR;
}

int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  (void)pamh;
  (void)argc;
  (void)argv;
  return flags & PAM_DELETE_CRED ? PAM_CRED_ERR : PAM_SUCCESS;
}
