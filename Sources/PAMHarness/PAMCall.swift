/// What an application asks of libpam: pam(3). The raw value is the function's name.
public enum PAMFacility: String, CaseIterable, Sendable {
  /// pam_authenticate(3): `auth` lines, pam_sm_authenticate(3).
  case authenticate = "pam_authenticate"
  /// pam_setcred(3): `auth` lines, pam_sm_setcred(3).
  case setCredentials = "pam_setcred"
  /// pam_acct_mgmt(3): `account` lines, pam_sm_acct_mgmt(3).
  case accountManagement = "pam_acct_mgmt"
  /// pam_open_session(3): `session` lines, pam_sm_open_session(3).
  case openSession = "pam_open_session"
  /// pam_close_session(3): `session` lines, pam_sm_close_session(3).
  case closeSession = "pam_close_session"
  /// pam_chauthtok(3): `password` lines, pam_sm_chauthtok(3), which runs twice.
  case changeAuthToken = "pam_chauthtok"
}

/// One call of an application, and what should come of it.
public struct PAMCall: Hashable, Sendable {
  /// The function.
  public var facility: PAMFacility
  /// Its flags.
  public var flags: PAMFlags
  /// Any other code is a problem of the run.
  public var expected: PAMResult

  /// A call by its function; the functions below say the same shorter.
  public init(_ facility: PAMFacility, flags: PAMFlags = [], expected: PAMResult) {
    self.facility = facility
    self.flags = flags
    self.expected = expected
  }

  /// pam_authenticate(3)
  public static func authenticate(_ expected: PAMResult, flags: PAMFlags = []) -> PAMCall {
    PAMCall(.authenticate, flags: flags, expected: expected)
  }

  /// pam_setcred(3), with PAM_ESTABLISH_CRED unless told otherwise. After pam_authenticate(3) on the same handle libpam
  /// goes the way through the stack that it went then: what a module returned to that call decides, not what it
  /// returns now, and after a refusal a module's success is PAM_PERM_DENIED.
  public static func setCredentials(_ expected: PAMResult, flags: PAMFlags = .establishCred) -> PAMCall {
    PAMCall(.setCredentials, flags: flags, expected: expected)
  }

  /// pam_acct_mgmt(3)
  public static func accountManagement(_ expected: PAMResult, flags: PAMFlags = []) -> PAMCall {
    PAMCall(.accountManagement, flags: flags, expected: expected)
  }

  /// pam_open_session(3)
  public static func openSession(_ expected: PAMResult, flags: PAMFlags = []) -> PAMCall {
    PAMCall(.openSession, flags: flags, expected: expected)
  }

  /// pam_close_session(3)
  public static func closeSession(_ expected: PAMResult, flags: PAMFlags = []) -> PAMCall {
    PAMCall(.closeSession, flags: flags, expected: expected)
  }

  /// pam_chauthtok(3)
  public static func changeAuthToken(_ expected: PAMResult, flags: PAMFlags = []) -> PAMCall {
    PAMCall(.changeAuthToken, flags: flags, expected: expected)
  }
}
