/// A return code of libpam, named as in `<security/_pam_types.h>`: pam(3), "RETURN VALUES".
///
/// A number that Linux-PAM does not have is kept as it is, so that a module's nonsense is seen and not repaired.
public struct PAMResult: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number that libpam returned.
  public var rawValue: Int32

  /// Any number, one of Linux-PAM's or not.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// PAM_SUCCESS: successful function return.
  public static let success = PAMResult(rawValue: 0)
  /// PAM_OPEN_ERR: dlopen() failure when loading a module.
  public static let openErr = PAMResult(rawValue: 1)
  /// PAM_SYMBOL_ERR: symbol not found.
  public static let symbolErr = PAMResult(rawValue: 2)
  /// PAM_SERVICE_ERR: error in service module.
  public static let serviceErr = PAMResult(rawValue: 3)
  /// PAM_SYSTEM_ERR: system error; also a call from a module that only an application may make.
  public static let systemErr = PAMResult(rawValue: 4)
  /// PAM_BUF_ERR: memory buffer error.
  public static let bufErr = PAMResult(rawValue: 5)
  /// PAM_PERM_DENIED: permission denied; also what libpam makes of a stack in which nobody decided.
  public static let permDenied = PAMResult(rawValue: 6)
  /// PAM_AUTH_ERR: authentication failure.
  public static let authErr = PAMResult(rawValue: 7)
  /// PAM_CRED_INSUFFICIENT: cannot access authentication data, for want of credentials.
  public static let credInsufficient = PAMResult(rawValue: 8)
  /// PAM_AUTHINFO_UNAVAIL: the service under the module cannot retrieve authentication information.
  public static let authinfoUnavail = PAMResult(rawValue: 9)
  /// PAM_USER_UNKNOWN: user not known to the module.
  public static let userUnknown = PAMResult(rawValue: 10)
  /// PAM_MAXTRIES: the retry count of a service has been reached.
  public static let maxTries = PAMResult(rawValue: 11)
  /// PAM_NEW_AUTHTOK_REQD: the password has to be changed.
  public static let newAuthtokReqd = PAMResult(rawValue: 12)
  /// PAM_ACCT_EXPIRED: user account has expired.
  public static let acctExpired = PAMResult(rawValue: 13)
  /// PAM_SESSION_ERR: cannot make or remove an entry for the session.
  public static let sessionErr = PAMResult(rawValue: 14)
  /// PAM_CRED_UNAVAIL: the service under the module cannot retrieve the user's credentials.
  public static let credUnavail = PAMResult(rawValue: 15)
  /// PAM_CRED_EXPIRED: user credentials expired.
  public static let credExpired = PAMResult(rawValue: 16)
  /// PAM_CRED_ERR: failure setting user credentials.
  public static let credErr = PAMResult(rawValue: 17)
  /// PAM_NO_MODULE_DATA: no module specific data is present.
  public static let noModuleData = PAMResult(rawValue: 18)
  /// PAM_CONV_ERR: conversation error.
  public static let convErr = PAMResult(rawValue: 19)
  /// PAM_AUTHTOK_ERR: authentication token manipulation error.
  public static let authtokErr = PAMResult(rawValue: 20)
  /// PAM_AUTHTOK_RECOVERY_ERR: authentication information cannot be recovered.
  public static let authtokRecoveryErr = PAMResult(rawValue: 21)
  /// PAM_AUTHTOK_LOCK_BUSY: authentication token lock busy.
  public static let authtokLockBusy = PAMResult(rawValue: 22)
  /// PAM_AUTHTOK_DISABLE_AGING: authentication token aging disabled.
  public static let authtokDisableAging = PAMResult(rawValue: 23)
  /// PAM_TRY_AGAIN: preliminary check by password service.
  public static let tryAgain = PAMResult(rawValue: 24)
  /// PAM_IGNORE: the module is left out of the stack's decision.
  public static let ignore = PAMResult(rawValue: 25)
  /// PAM_ABORT: critical error.
  public static let abort = PAMResult(rawValue: 26)
  /// PAM_AUTHTOK_EXPIRED: user's authentication token has expired.
  public static let authtokExpired = PAMResult(rawValue: 27)
  /// PAM_MODULE_UNKNOWN: module is not known; its file is missing or does not load.
  public static let moduleUnknown = PAMResult(rawValue: 28)
  /// PAM_BAD_ITEM: bad item passed to pam_set_item() or pam_get_item().
  public static let badItem = PAMResult(rawValue: 29)
  /// PAM_CONV_AGAIN: the conversation is event driven and has no data yet.
  public static let convAgain = PAMResult(rawValue: 30)
  /// PAM_INCOMPLETE: the application is to call again to complete the stack.
  public static let incomplete = PAMResult(rawValue: 31)

  /// All codes of Linux-PAM 1.5, in the order of their numbers.
  public static let all = names.indices.map { PAMResult(rawValue: Int32($0)) }

  /// `PAM_…`, or the number of a code that Linux-PAM does not have: `PAM_(77)`.
  public var description: String {
    guard let index = Int(exactly: rawValue), Self.names.indices.contains(index) else { return "PAM_(\(rawValue))" }
    return "PAM_" + Self.names[index]
  }

  private static let names = [
    "SUCCESS", "OPEN_ERR", "SYMBOL_ERR", "SERVICE_ERR", "SYSTEM_ERR", "BUF_ERR", "PERM_DENIED", "AUTH_ERR",
    "CRED_INSUFFICIENT", "AUTHINFO_UNAVAIL", "USER_UNKNOWN", "MAXTRIES", "NEW_AUTHTOK_REQD", "ACCT_EXPIRED",
    "SESSION_ERR", "CRED_UNAVAIL", "CRED_EXPIRED", "CRED_ERR", "NO_MODULE_DATA", "CONV_ERR", "AUTHTOK_ERR",
    "AUTHTOK_RECOVERY_ERR", "AUTHTOK_LOCK_BUSY", "AUTHTOK_DISABLE_AGING", "TRY_AGAIN", "IGNORE", "ABORT",
    "AUTHTOK_EXPIRED", "MODULE_UNKNOWN", "BAD_ITEM", "CONV_AGAIN", "INCOMPLETE",
  ]
}
