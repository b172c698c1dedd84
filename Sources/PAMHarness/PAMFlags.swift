/// Flags of a facility: pam_authenticate(3), pam_setcred(3), pam_chauthtok(3).
public struct PAMFlags: OptionSet, Hashable, Sendable {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// PAM_SILENT
  public static let silent = PAMFlags(rawValue: 0x8000)
  /// PAM_DISALLOW_NULL_AUTHTOK
  public static let disallowNullAuthtok = PAMFlags(rawValue: 0x1)
  /// PAM_ESTABLISH_CRED
  public static let establishCred = PAMFlags(rawValue: 0x2)
  /// PAM_DELETE_CRED
  public static let deleteCred = PAMFlags(rawValue: 0x4)
  /// PAM_REINITIALIZE_CRED
  public static let reinitializeCred = PAMFlags(rawValue: 0x8)
  /// PAM_REFRESH_CRED
  public static let refreshCred = PAMFlags(rawValue: 0x10)
  /// PAM_CHANGE_EXPIRED_AUTHTOK
  public static let changeExpiredAuthtok = PAMFlags(rawValue: 0x20)
}

/// What an application asks of libpam: pam(3).
public enum PAMFacility: String, CaseIterable, Sendable {
  case authenticate = "pam_authenticate"
  case setCredentials = "pam_setcred"
  case accountManagement = "pam_acct_mgmt"
  case openSession = "pam_open_session"
  case closeSession = "pam_close_session"
  case changeAuthToken = "pam_chauthtok"
}

/// One call of an application, and what should come of it.
public struct PAMCall: Hashable, Sendable {
  public var facility: PAMFacility
  public var flags: PAMFlags
  public var expected: PAMResult

  public init(_ facility: PAMFacility, flags: PAMFlags = [], expected: PAMResult) {
    self.facility = facility
    self.flags = flags
    self.expected = expected
  }
}

/// What the application tells of itself before the first call: pam_set_item(3).
public enum PAMItem: Int32, CaseIterable, Sendable {
  case tty = 3  // PAM_TTY
  case remoteHost = 4  // PAM_RHOST
  case remoteUser = 8  // PAM_RUSER
  case userPrompt = 9  // PAM_USER_PROMPT
  case xDisplay = 11  // PAM_XDISPLAY
}
