/// What an application tells of itself before its first call: pam_set_item(3).
///
/// PAM_SERVICE and PAM_USER are `PAMTransaction`'s own; PAM_CONV and PAM_FAIL_DELAY are the harness's. PAM_AUTHTOK and
/// PAM_OLDAUTHTOK are missing because libpam keeps them from applications: setting one is PAM_BAD_ITEM.
public enum PAMItem: Int32, CaseIterable, Sendable {
  /// PAM_TTY: the terminal, with or without `/dev/`; for graphical applications the display.
  case tty = 3
  /// PAM_RHOST: the requesting host.
  case remoteHost = 4
  /// PAM_RUSER: the requesting user, local or remote.
  case remoteUser = 8
  /// PAM_USER_PROMPT: what pam_get_user(3) asks, "login:" in the host's language unless set.
  case userPrompt = 9
  /// PAM_XDISPLAY: the name of the X display.
  case xDisplay = 11
  /// PAM_AUTHTOK_TYPE: the word before "password" in prompts for a new one.
  case authtokType = 13
}
