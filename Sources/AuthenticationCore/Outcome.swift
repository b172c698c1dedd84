/// What one evaluation came to. The raw value is what a verdict frame carries.
public enum Outcome: UInt8, CaseIterable, Sendable {
  /// The owner is here and agrees.
  case success = 0x5a
  /// Wrong finger, passcode or PIN.
  case authenticationFailed = 1
  /// Wrong too often in this call.
  case triesExhausted = 2
  /// Ctrl-C, Esc, Cancel.
  case userCancel = 3
  /// "Use the passcode" where the policy, or the way the passcode goes, leaves that to somebody else.
  case userFallback = 4
  /// The system ended it: session locked, suspended, a newer request, the time budget.
  case systemCancel = 5
  /// No usable passcode: empty, locked or without a hash.
  case passcodeNotSet = 6
  /// No reader, no fprintd, or this service or session may not use it.
  case biometryNotAvailable = 7
  /// A reader, and nothing enrolled for this user.
  case biometryNotEnrolled = 8
  /// Too many failed matches in a row; the passcode opens it.
  case biometryLockout = 9
  /// The front end went away or invalidated its context.
  case appCancel = 10
  /// A malformed request, or a context that was invalidated.
  case invalidContext = 11
  /// No registered companion is present.
  case companionNotAvailable = 12
  /// A removable reader that was never set up.
  case biometryNotPaired = 13
  /// A removable reader that is set up, and not plugged in.
  case biometryDisconnected = 14
  /// Kept for source compatibility with Apple's list; never raised.
  case invalidDimensions = 15
  /// A prompt is needed and cannot be shown.
  case notInteractive = 16
  /// There is no such user.
  case unknownUser = 17
  /// The factor was right, and the account may not be used: pam_acct_mgmt(3) refused.
  case accountRefused = 18
  /// The factor was right, and the passcode has expired and must be changed first.
  case passcodeExpired = 19
  /// The system's own stack could not be asked, or did not ask for a passcode.
  case passcodeUnavailable = 20
  /// The caller asked about somebody else.
  case notPermitted = 21
  /// Too many wrong passcodes from there: none is tried until the pause is over.
  case passcodeLockout = 22
}

/// The only codes `pam_sm_authenticate` may return; raw values as in `<security/_pam_types.h>`.
public enum PAMCode: Int32, CaseIterable, Sendable {
  case success = 0  // PAM_SUCCESS
  case authErr = 7  // PAM_AUTH_ERR
  case credInsufficient = 8  // PAM_CRED_INSUFFICIENT
  case authinfoUnavail = 9  // PAM_AUTHINFO_UNAVAIL
  case userUnknown = 10  // PAM_USER_UNKNOWN
  case maxTries = 11  // PAM_MAXTRIES
}

/// One row of the table: an outcome, Apple's code for it, and the module's answer.
public struct OutcomeRow: Equatable, Sendable {
  /// Raw value of `LAError.Code`; nil for success and for what Apple has no code for.
  public var errorCode: Int32?
  public var pam: PAMCode

  fileprivate init(_ errorCode: Int32?, _ pam: PAMCode) {
    self.errorCode = errorCode
    self.pam = pam
  }
}

extension Outcome {
  /// The name of the case, for logs.
  public var name: StaticString {
    switch self {
    case .success: "success"
    case .authenticationFailed: "authenticationFailed"
    case .triesExhausted: "triesExhausted"
    case .userCancel: "userCancel"
    case .userFallback: "userFallback"
    case .systemCancel: "systemCancel"
    case .passcodeNotSet: "passcodeNotSet"
    case .biometryNotAvailable: "biometryNotAvailable"
    case .biometryNotEnrolled: "biometryNotEnrolled"
    case .biometryLockout: "biometryLockout"
    case .appCancel: "appCancel"
    case .invalidContext: "invalidContext"
    case .companionNotAvailable: "companionNotAvailable"
    case .biometryNotPaired: "biometryNotPaired"
    case .biometryDisconnected: "biometryDisconnected"
    case .invalidDimensions: "invalidDimensions"
    case .notInteractive: "notInteractive"
    case .unknownUser: "unknownUser"
    case .accountRefused: "accountRefused"
    case .passcodeExpired: "passcodeExpired"
    case .passcodeUnavailable: "passcodeUnavailable"
    case .notPermitted: "notPermitted"
    case .passcodeLockout: "passcodeLockout"
    }
  }

  /// The table outcome ↔ LAError ↔ PAM.
  ///
  /// `pam` is for a uid-0 host; see `pamCode(privilegedHost:)`.
  public var row: OutcomeRow {
    switch self {
    case .success: OutcomeRow(nil, .success)
    case .authenticationFailed: OutcomeRow(-1, .authErr)
    case .triesExhausted: OutcomeRow(-1, .maxTries)
    case .userCancel: OutcomeRow(-2, .credInsufficient)
    case .userFallback: OutcomeRow(-3, .authinfoUnavail)
    case .systemCancel: OutcomeRow(-4, .authinfoUnavail)
    case .passcodeNotSet: OutcomeRow(-5, .authinfoUnavail)
    case .biometryNotAvailable: OutcomeRow(-6, .authinfoUnavail)
    case .biometryNotEnrolled: OutcomeRow(-7, .authinfoUnavail)
    case .biometryLockout: OutcomeRow(-8, .authinfoUnavail)
    case .appCancel: OutcomeRow(-9, .authinfoUnavail)
    case .invalidContext: OutcomeRow(-10, .authinfoUnavail)
    case .companionNotAvailable: OutcomeRow(-11, .authinfoUnavail)
    case .biometryNotPaired: OutcomeRow(-12, .authinfoUnavail)
    case .biometryDisconnected: OutcomeRow(-13, .authinfoUnavail)
    case .invalidDimensions: OutcomeRow(-14, .authinfoUnavail)
    case .notInteractive: OutcomeRow(-1004, .authinfoUnavail)
    case .unknownUser: OutcomeRow(nil, .userUnknown)
    case .accountRefused: OutcomeRow(nil, .authinfoUnavail)
    case .passcodeExpired: OutcomeRow(nil, .authinfoUnavail)
    case .passcodeUnavailable: OutcomeRow(nil, .authinfoUnavail)
    case .notPermitted: OutcomeRow(nil, .authErr)
    case .passcodeLockout: OutcomeRow(nil, .authinfoUnavail)
    }
  }

  /// What the module returns. An unprivileged host never learns whether a user exists.
  public func pamCode(privilegedHost: Bool) -> PAMCode {
    self == .unknownUser && !privilegedHost ? .authErr : row.pam
  }

  /// The raw `LAError.Code` that an app sees, nil for success only: what Apple has no code for is
  /// authenticationFailed, the code that tells least.
  public var appErrorCode: Int32? { self == .success ? nil : row.errorCode ?? -1 }

  /// The outcome that stands for an `LAError.Code`; nil for a raw value that Apple's list does not hold.
  public init?(errorCode: Int32) {
    for outcome in Self.allCases where outcome.row.errorCode == errorCode {
      self = outcome
      return
    }
    return nil
  }

  /// The outcome that stands for one of the module's own codes.
  public init(_ code: PAMCode) {
    switch code {
    case .success: self = .success
    case .authErr: self = .authenticationFailed
    case .credInsufficient: self = .userCancel
    case .authinfoUnavail: self = .passcodeUnavailable
    case .userUnknown: self = .unknownUser
    case .maxTries: self = .triesExhausted
    }
  }

  /// What an answer of the *system's* stack means for a passcode: pam_authenticate(3), pam_acct_mgmt(3).
  ///
  /// Total over every code; what is not a verdict about the person is unavailable, never a wrong passcode.
  public init(systemStack code: Int32) {
    switch code {
    case 0: self = .success
    case 7: self = .authenticationFailed  // PAM_AUTH_ERR
    case 8: self = .passcodeUnavailable  // PAM_CRED_INSUFFICIENT
    case 10: self = .unknownUser  // PAM_USER_UNKNOWN
    case 11: self = .triesExhausted  // PAM_MAXTRIES
    case 12, 27: self = .passcodeExpired  // PAM_NEW_AUTHTOK_REQD, PAM_AUTHTOK_EXPIRED
    case 6, 13: self = .accountRefused  // PAM_PERM_DENIED, PAM_ACCT_EXPIRED
    default: self = .passcodeUnavailable
    }
  }
}
