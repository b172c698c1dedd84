/// A return code of libpam, named as in `<security/_pam_types.h>`: pam(3), "RETURN VALUES".
public struct PAMResult: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let success = PAMResult(rawValue: 0)
  public static let openErr = PAMResult(rawValue: 1)
  public static let symbolErr = PAMResult(rawValue: 2)
  public static let serviceErr = PAMResult(rawValue: 3)
  public static let systemErr = PAMResult(rawValue: 4)
  public static let bufErr = PAMResult(rawValue: 5)
  public static let permDenied = PAMResult(rawValue: 6)
  public static let authErr = PAMResult(rawValue: 7)
  public static let credInsufficient = PAMResult(rawValue: 8)
  public static let authinfoUnavail = PAMResult(rawValue: 9)
  public static let userUnknown = PAMResult(rawValue: 10)
  public static let maxTries = PAMResult(rawValue: 11)
  public static let newAuthtokReqd = PAMResult(rawValue: 12)
  public static let acctExpired = PAMResult(rawValue: 13)
  public static let sessionErr = PAMResult(rawValue: 14)
  public static let credUnavail = PAMResult(rawValue: 15)
  public static let credExpired = PAMResult(rawValue: 16)
  public static let credErr = PAMResult(rawValue: 17)
  public static let noModuleData = PAMResult(rawValue: 18)
  public static let convErr = PAMResult(rawValue: 19)
  public static let authtokErr = PAMResult(rawValue: 20)
  public static let authtokRecoveryErr = PAMResult(rawValue: 21)
  public static let authtokLockBusy = PAMResult(rawValue: 22)
  public static let authtokDisableAging = PAMResult(rawValue: 23)
  public static let tryAgain = PAMResult(rawValue: 24)
  public static let ignore = PAMResult(rawValue: 25)
  public static let abort = PAMResult(rawValue: 26)
  public static let authtokExpired = PAMResult(rawValue: 27)
  public static let moduleUnknown = PAMResult(rawValue: 28)
  public static let badItem = PAMResult(rawValue: 29)
  public static let convAgain = PAMResult(rawValue: 30)
  public static let incomplete = PAMResult(rawValue: 31)

  private static let names = [
    "SUCCESS", "OPEN_ERR", "SYMBOL_ERR", "SERVICE_ERR", "SYSTEM_ERR", "BUF_ERR", "PERM_DENIED", "AUTH_ERR",
    "CRED_INSUFFICIENT", "AUTHINFO_UNAVAIL", "USER_UNKNOWN", "MAXTRIES", "NEW_AUTHTOK_REQD", "ACCT_EXPIRED",
    "SESSION_ERR", "CRED_UNAVAIL", "CRED_EXPIRED", "CRED_ERR", "NO_MODULE_DATA", "CONV_ERR", "AUTHTOK_ERR",
    "AUTHTOK_RECOVERY_ERR", "AUTHTOK_LOCK_BUSY", "AUTHTOK_DISABLE_AGING", "TRY_AGAIN", "IGNORE", "ABORT",
    "AUTHTOK_EXPIRED", "MODULE_UNKNOWN", "BAD_ITEM", "CONV_AGAIN", "INCOMPLETE",
  ]

  /// All codes of Linux-PAM 1.5.
  public static var all: [PAMResult] { (0...31).map { PAMResult(rawValue: $0) } }

  /// `PAM_…`, or the number of a code that Linux-PAM does not have.
  public var description: String {
    guard let index = Int(exactly: rawValue), Self.names.indices.contains(index) else { return "PAM_(\(rawValue))" }
    return "PAM_" + Self.names[index]
  }
}
