/// Flags of a call: pam_authenticate(3), pam_setcred(3), pam_chauthtok(3).
public struct PAMFlags: OptionSet, Hashable, Sendable {
  /// The bits as libpam takes them.
  public var rawValue: Int32

  /// Any bits; libpam hands them to the modules as they are, except for those that are its own.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// PAM_SILENT: emit no messages. A module that prompts nevertheless breaks no rule.
  public static let silent = PAMFlags(rawValue: 0x8000)
  /// PAM_DISALLOW_NULL_AUTHTOK: an empty password is an authentication failure.
  public static let disallowNullAuthtok = PAMFlags(rawValue: 0x1)
  /// PAM_ESTABLISH_CRED: initialize the user's credentials.
  public static let establishCred = PAMFlags(rawValue: 0x2)
  /// PAM_DELETE_CRED: delete the user's credentials.
  public static let deleteCred = PAMFlags(rawValue: 0x4)
  /// PAM_REINITIALIZE_CRED: fully reinitialize the user's credentials.
  public static let reinitializeCred = PAMFlags(rawValue: 0x8)
  /// PAM_REFRESH_CRED: extend the lifetime of the existing credentials.
  public static let refreshCred = PAMFlags(rawValue: 0x10)
  /// PAM_CHANGE_EXPIRED_AUTHTOK: change only those passwords that have aged.
  public static let changeExpiredAuthtok = PAMFlags(rawValue: 0x20)
}
