import AuthenticationCore
import CPAM
import Testing

/// DESIGN.md §5, written out a second time: outcome, LAError.Code, PAM.
private let table: [(outcome: Outcome, errorCode: Int32?, pam: CInt)] = [
  (.success, nil, PAM_SUCCESS),
  (.authenticationFailed, -1, PAM_AUTH_ERR),
  (.triesExhausted, -1, PAM_MAXTRIES),
  (.userCancel, -2, PAM_CRED_INSUFFICIENT),
  (.userFallback, -3, PAM_AUTHINFO_UNAVAIL),
  (.systemCancel, -4, PAM_AUTHINFO_UNAVAIL),
  (.passcodeNotSet, -5, PAM_AUTHINFO_UNAVAIL),
  (.biometryNotAvailable, -6, PAM_AUTHINFO_UNAVAIL),
  (.biometryNotEnrolled, -7, PAM_AUTHINFO_UNAVAIL),
  (.biometryLockout, -8, PAM_AUTHINFO_UNAVAIL),
  (.appCancel, -9, PAM_AUTHINFO_UNAVAIL),
  (.invalidContext, -10, PAM_AUTHINFO_UNAVAIL),
  (.companionNotAvailable, -11, PAM_AUTHINFO_UNAVAIL),
  (.biometryNotPaired, -12, PAM_AUTHINFO_UNAVAIL),
  (.biometryDisconnected, -13, PAM_AUTHINFO_UNAVAIL),
  (.invalidDimensions, -14, PAM_AUTHINFO_UNAVAIL),
  (.notInteractive, -1004, PAM_AUTHINFO_UNAVAIL),
  (.unknownUser, nil, PAM_USER_UNKNOWN),
  (.accountRefused, nil, PAM_AUTHINFO_UNAVAIL),
  (.passcodeExpired, nil, PAM_AUTHINFO_UNAVAIL),
  (.passcodeUnavailable, nil, PAM_AUTHINFO_UNAVAIL),
  (.notPermitted, nil, PAM_AUTH_ERR),
  (.passcodeLockout, nil, PAM_AUTHINFO_UNAVAIL),
]

@Suite struct `The table outcome, LAError, PAM` {
  @Test func `holds every outcome once`() {
    #expect(table.map(\.outcome) == Outcome.allCases)
  }

  @Test func `is what the code says`() {
    for row in table {
      #expect(row.outcome.row.errorCode == row.errorCode, "\(row.outcome)")
      #expect(row.outcome.row.pam.rawValue == row.pam, "\(row.outcome)")
      #expect(row.outcome.pamCode(privilegedHost: true).rawValue == row.pam, "\(row.outcome)")
    }
  }

  @Test func `an unprivileged host cannot tell an unknown user from a wrong passcode`() {
    for row in table where row.outcome != .unknownUser {
      #expect(row.outcome.pamCode(privilegedHost: false).rawValue == row.pam, "\(row.outcome)")
    }
    #expect(Outcome.unknownUser.pamCode(privilegedHost: false) == .authErr)
    #expect(Outcome.unknownUser.appErrorCode == Outcome.authenticationFailed.appErrorCode)
  }

  @Test func `leads back from every LAError code`() {
    for row in table where row.outcome != .triesExhausted {
      if let code = row.errorCode { #expect(Outcome(errorCode: code) == row.outcome) }
    }
  }

  @Test(arguments: [0, 1, -15, -1000, -1003, -1005, Int32.min, Int32.max])
  func `knows no code that Apple does not have`(code: Int32) {
    #expect(Outcome(errorCode: code) == nil)
  }

  @Test func `gives an app an error for everything but success`() {
    for row in table { #expect(row.outcome.appErrorCode == (row.outcome == .success ? nil : row.errorCode ?? -1)) }
  }
}

@Suite struct `PAM codes` {
  @Test func `are those of the C header`() {
    #expect(
      PAMCode.allCases.map(\.rawValue) == [
        PAM_SUCCESS, PAM_AUTH_ERR, PAM_CRED_INSUFFICIENT, PAM_AUTHINFO_UNAVAIL, PAM_USER_UNKNOWN, PAM_MAXTRIES,
      ])
  }

  @Test(arguments: PAMCode.allCases) func `stand for an outcome that leads back to them`(code: PAMCode) {
    #expect(Outcome(code).pamCode(privilegedHost: true) == code)
  }

  @Test func `say success for success only, both ways`() {
    for outcome in Outcome.allCases {
      for privileged in [false, true] {
        #expect((outcome.pamCode(privilegedHost: privileged) == .success) == (outcome == .success), "\(outcome)")
      }
    }
    for code in PAMCode.allCases { #expect((Outcome(code) == .success) == (code == .success), "\(code)") }
  }
}

@Suite struct `What the system's stack answers` {
  private static let verdicts: [CInt: Outcome] = [
    PAM_SUCCESS: .success,
    PAM_PERM_DENIED: .accountRefused,
    PAM_AUTH_ERR: .authenticationFailed,
    PAM_USER_UNKNOWN: .unknownUser,
    PAM_MAXTRIES: .triesExhausted,
    PAM_NEW_AUTHTOK_REQD: .passcodeExpired,
    PAM_ACCT_EXPIRED: .accountRefused,
    PAM_AUTHTOK_EXPIRED: .passcodeExpired,
  ]

  @Test func `is a verdict about the person, or unavailable`() {
    #expect(_PAM_RETURN_VALUES == 32)
    for code in 0..<CInt(_PAM_RETURN_VALUES) {
      #expect(Outcome(systemStack: code) == Self.verdicts[code] ?? .passcodeUnavailable, "code \(code)")
    }
  }

  @Test(arguments: [-1, -7, 32, 33, 256, 263, 0x1_0000, 0x1_0007, Int32.min, Int32.max])
  func `is unavailable where the code is none of PAM's`(code: Int32) {
    #expect(Outcome(systemStack: code) == .passcodeUnavailable)
  }
}

@Suite struct `Raw values` {
  @Test func `differ`() {
    #expect(Set(Outcome.allCases.map(\.rawValue)).count == Outcome.allCases.count)
  }

  @Test func `no single flipped bit makes a success`() {
    for outcome in Outcome.allCases where outcome != .success {
      #expect((outcome.rawValue ^ Outcome.success.rawValue).nonzeroBitCount > 1, "\(outcome)")
    }
  }

  @Test func `zeroed memory is no outcome, and all ones is none`() {
    #expect(Outcome(rawValue: 0) == nil)
    #expect(Outcome(rawValue: 0xff) == nil)
  }
}
