/* transaction SERVICE USER PASSCODE: one pam_start, pam_authenticate and pam_end; its status is PAM's code. */
#define _GNU_SOURCE
#include <security/pam_appl.h>
#include <stdlib.h>
#include <string.h>

static int converse(int count, const struct pam_message **messages, struct pam_response **responses, void *passcode) {
  *responses = calloc(count, sizeof **responses);
  for (int index = 0; index < count; index++)
    if (messages[index]->msg_style == PAM_PROMPT_ECHO_OFF) (*responses)[index].resp = strdup(passcode);
  return PAM_SUCCESS;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  struct pam_conv conversation = {converse, argv[3]};
  pam_handle_t *handle;
  if (pam_start(argv[1], argv[2], &conversation, &handle) != PAM_SUCCESS) return 200;
  int code = pam_authenticate(handle, 0);
  pam_end(handle, code);
  return code;
}
