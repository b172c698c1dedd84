/// What has to be shown before an evaluation succeeds: Apple's `LAPolicy`, with its raw values.
public enum Policy: UInt8, CaseIterable, Sendable {
  /// A finger (or face) and nothing else; `deviceOwnerAuthenticationWithBiometrics`.
  case biometrics = 1
  /// A finger or the device passcode, whichever comes first; `deviceOwnerAuthentication`.
  case owner = 2
  /// A registered companion device; `deviceOwnerAuthenticationWithCompanion`.
  case companion = 3
  /// A finger or a companion; `deviceOwnerAuthenticationWithBiometricsOrCompanion`.
  case biometricsOrCompanion = 4

  /// Whether the device passcode may answer in place of the finger.
  public var allowsPasscode: Bool { self == .owner }
}

/// How the front end can talk to the person, as it says of itself.
public enum Interaction: UInt8, CaseIterable, Sendable {
  /// Nothing can be shown and nothing asked.
  case none = 0
  /// A hidden prompt can be shown, but nothing else: PAM_SILENT.
  case promptOnly = 1
  /// Messages and prompts, one after the other: the conversation blocks.
  case sequential = 2
  /// One hidden prompt that stays on the screen while the reader listens.
  case concurrent = 3
}

/// Who verifies a typed passcode: the module's option `passcode=`.
public enum PasscodeWay: UInt8, CaseIterable, Sendable {
  /// The helper, through the system's own PAM stack.
  case helper = 0
  /// The PAM stack of the host that asks; the helper never sees the passcode.
  case stack = 1
}

/// Which factor an evaluation succeeded with.
public enum Mechanism: UInt8, CaseIterable, Sendable {
  case none = 0
  case biometry = 1
  case passcode = 2

  /// The name of the case, for logs.
  public var name: StaticString {
    switch self {
    case .none: "none"
    case .biometry: "biometry"
    case .passcode: "passcode"
    }
  }
}
