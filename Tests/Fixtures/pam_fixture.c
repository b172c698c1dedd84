/* A module for calibrating the harness: its argument says what it does in pam_sm_authenticate. */
#include <security/pam_ext.h>
#include <security/pam_modules.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int converse(pam_handle_t *pamh, int count, const struct pam_message **messages, struct pam_response **replies) {
  const struct pam_conv *conversation = NULL;
  if (pam_get_item(pamh, PAM_CONV, (const void **)&conversation) != PAM_SUCCESS || conversation == NULL ||
      conversation->conv == NULL)
    return PAM_CONV_ERR;
  return conversation->conv(count, messages, replies, conversation->appdata_ptr);
}

/* Asks in each style; succeeds for "me" and "open". */
static int styles(pam_handle_t *pamh) {
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

/* Sends two messages in one call; succeeds when the second alone is answered. */
static int two(pam_handle_t *pamh) {
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

/* Says back what one hidden prompt was answered, or that it was not. */
static int echo(pam_handle_t *pamh) {
  char *answer = NULL;
  int code = pam_prompt(pamh, PAM_PROMPT_ECHO_OFF, &answer, "Say: ");
  if (code == PAM_SUCCESS) code = answer ? pam_info(pamh, "%s.", answer) : pam_error(pamh, "NULL");
  free(answer);
  return code;
}

/* Breaks pam_conv(3): a count, a message, a text or a style that may not be. */
static int malformed(pam_handle_t *pamh, const char *how) {
  struct pam_message message = {PAM_TEXT_INFO, "one"};
  const struct pam_message *messages[33];
  struct pam_response *replies = NULL;
  int count = 1;
  for (int index = 0; index < 33; index++) messages[index] = &message;
  if (strcmp(how, "none") == 0) count = 0;
  if (strcmp(how, "many") == 0) count = 33;
  if (strcmp(how, "message") == 0) messages[0] = NULL;
  if (strcmp(how, "text") == 0) message.msg = NULL;
  if (strcmp(how, "style") == 0) message.msg_style = PAM_RADIO_TYPE;
  if (strcmp(how, "replies") == 0) return converse(pamh, count, messages, NULL);
  return converse(pamh, count, strcmp(how, "messages") == 0 ? NULL : messages, &replies);
}

/* Asks from a child, as a module does that waits for something else meanwhile. */
static int child(pam_handle_t *pamh) {
  int status = 0;
  pid_t pid = fork();
  if (pid == 0) _exit(two(pamh));
  if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return PAM_SYSTEM_ERR;
  return WEXITSTATUS(status);
}

static int items(pam_handle_t *pamh, int flags) {
  static const int types[] = {PAM_TTY, PAM_RHOST, PAM_RUSER, PAM_XDISPLAY, PAM_AUTHTOK_TYPE};
  const char *texts[5];
  for (int index = 0; index < 5; index++) {
    const void *item = NULL;
    pam_get_item(pamh, types[index], &item);
    texts[index] = item ? item : "-";
  }
  return pam_info(pamh, "%s %s %s %s %s %s", texts[0], texts[1], texts[2], texts[3], texts[4],
                  flags & PAM_SILENT ? "silent" : "aloud");
}

int pam_sm_authenticate(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  const char *what = argc > 0 ? argv[0] : "", *text = NULL;
  if (strcmp(what, "styles") == 0) return styles(pamh);
  if (strcmp(what, "two") == 0) return two(pamh);
  if (strcmp(what, "echo") == 0) return echo(pamh);
  if (strcmp(what, "child") == 0) return child(pamh);
  if (strcmp(what, "items") == 0) return items(pamh, flags);
  if (strcmp(what, "malformed") == 0 && argc > 1) return malformed(pamh, argv[1]);
  if (strcmp(what, "token") == 0) return pam_get_authtok(pamh, PAM_AUTHTOK, &text, NULL);
  if (strcmp(what, "user") == 0) return pam_get_user(pamh, &text, NULL);
  if (strcmp(what, "rename") == 0) return pam_set_item(pamh, PAM_USER, "somebody-else");
  if (strcmp(what, "putenv") == 0) return pam_putenv(pamh, "FROM=module");
  if (strcmp(what, "code") == 0 && argc > 1) return atoi(argv[1]);
  if (strcmp(what, "delay") == 0) {
    for (int index = 1; index < argc; index++) pam_fail_delay(pamh, strtoul(argv[index], NULL, 10));
    return PAM_AUTH_ERR;
  }
  return PAM_SERVICE_ERR;
}

int pam_sm_setcred(pam_handle_t *pamh, int flags, int argc, const char **argv) {
  (void)pamh, (void)argc, (void)argv;
  return flags & PAM_DELETE_CRED ? PAM_CRED_ERR : PAM_SUCCESS;
}
