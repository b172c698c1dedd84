/// What is known of the biometry before it is asked anything.
public enum BiometryState: UInt8, CaseIterable, Sendable {
  /// Not looked at yet: an evaluation finds out while it runs.
  case unknown
  case available
  case notAvailable
  case notEnrolled
  case lockedOut
  /// The enrolled fingers are not those that the passcode was last right with.
  case changed
  case notPaired
  case disconnected

  /// What can be said before the reader is asked, in Apple's order: not available, not enrolled, lockout.
  ///
  /// `isKept`: what is counted can be read and written. `matchesLeft`: matches that may still fail.
  public init(isDenied: Bool, isKept: Bool, enrolment: EnrolmentState, matchesLeft: UInt8) {
    if isDenied || !isKept || enrolment == .unreadable {
      self = .notAvailable
    } else if enrolment == .none {
      self = .notEnrolled
    } else if matchesLeft == 0 {
      self = .lockedOut
    } else {
      self = enrolment == .confirmed ? .unknown : .changed
    }
  }

  /// What to tell the person who is asked for the passcode instead; nil where that goes without saying.
  public var notice: Hint? {
    switch self {
    case .lockedOut: .readerLocked
    case .changed: .fingersChanged
    default: nil
    }
  }

  /// Why there is no finger to ask for; nil when there may be one.
  public var refusal: Outcome? {
    switch self {
    case .unknown, .available: nil
    case .notAvailable: .biometryNotAvailable
    case .notEnrolled: .biometryNotEnrolled
    case .lockedOut, .changed: .biometryLockout
    case .notPaired: .biometryNotPaired
    case .disconnected: .biometryDisconnected
    }
  }
}

/// What shadow(5) says of a user's passcode; users of a directory have no entry there and count as `set`.
public enum PasscodeState: UInt8, CaseIterable, Sendable {
  case set
  /// An empty field: anybody could be this user, so it is no passcode.
  case empty
  /// A field that no passcode hashes to, such as `*`: only a finger or a key.
  case withoutHash
  /// `!` before the hash: the administrator locked the account.
  case locked
  /// No such user. Asked like anybody else, and refused, so that nobody learns it from the prompts.
  case unknownUser

  /// Reads the second field of a shadow entry.
  public init(shadowField field: Span<UInt8>) {
    if field.isEmpty {
      self = .empty
    } else if field[0] == UInt8(ascii: "!") {
      self = .locked
    } else if field[0] == UInt8(ascii: "*") || field.count < 13 {
      // crypt(5): the shortest hash, traditional DES, has 13 characters.
      self = .withoutHash
    } else {
      self = .set
    }
  }
}

/// Everything an evaluation has to know before it starts, and what follows from it.
public struct Preflight: Sendable {
  public var policy: Policy?
  public var interaction: Interaction
  public var way: PasscodeWay
  public var biometry: BiometryState
  public var passcode: PasscodeState
  /// Too many wrong passcodes from here: this one may not be tried yet.
  public var passcodeIsClosed: Bool

  public init(
    policy: Policy?, interaction: Interaction, way: PasscodeWay, biometry: BiometryState, passcode: PasscodeState,
    passcodeIsClosed: Bool = false
  ) {
    self.policy = policy
    self.interaction = interaction
    self.way = way
    self.biometry = biometry
    self.passcode = passcode
    self.passcodeIsClosed = passcodeIsClosed
  }

  public enum Decision: Equatable, Sendable {
    case refuse(Outcome)
    /// Go on with these factors; at least one is true.
    case ask(finger: Bool, passcode: Bool)
  }

  /// The first thing in the way, in Apple's order: programmer error, not available, not enrolled,
  /// lockout, passcode not set, not interactive.
  public func decide() -> Decision {
    guard let policy else { return .refuse(.invalidContext) }
    switch policy {
    case .companion, .biometricsOrCompanion: return .refuse(.companionNotAvailable)
    case .biometrics: return decideBiometrics()
    case .owner: return decideOwner()
    }
  }

  /// A finger needs an account in use, and a person who can be told what it is for.
  private var canShowReader: Bool { interaction == .sequential || interaction == .concurrent }
  private var accountIsUsable: Bool { passcode != .locked && passcode != .unknownUser }

  private func decideBiometrics() -> Decision {
    if passcode == .unknownUser { return .refuse(.unknownUser) }
    if let refusal = biometry.refusal { return .refuse(refusal) }
    if !accountIsUsable { return .refuse(.passcodeNotSet) }
    return canShowReader ? .ask(finger: true, passcode: false) : .refuse(.notInteractive)
  }

  private func decideOwner() -> Decision {
    let finger = biometry.refusal == nil && accountIsUsable && canShowReader
    if way == .stack { return decideStack(finger: finger) }
    let isSet = self.passcode == .set || self.passcode == .unknownUser
    if !isSet && !accountIsUsable { return .refuse(.passcodeNotSet) }
    // A reader that only a passcode opens, and no passcode.
    if !isSet && biometry.refusal == .biometryLockout { return .refuse(.biometryLockout) }
    if !isSet && biometry.refusal != nil { return .refuse(.passcodeNotSet) }
    if isSet && passcodeIsClosed && !finger { return .refuse(.passcodeLockout) }
    let passcode = isSet && !passcodeIsClosed
    guard interaction != .none else { return .refuse(.notInteractive) }
    if finger || passcode { return .ask(finger: finger, passcode: passcode) }
    return .refuse(.notInteractive)
  }

  /// The host's own stack asks for the passcode; without a finger there is nothing for us to do, except to say why a
  /// reader that is there waits for the passcode.
  private func decideStack(finger: Bool) -> Decision {
    if finger { return .ask(finger: true, passcode: true) }
    if biometry.notice != nil && passcode == .set && canShowReader { return .ask(finger: false, passcode: true) }
    if passcode == .unknownUser { return .refuse(.unknownUser) }
    if let refusal = biometry.refusal { return .refuse(refusal) }
    return .refuse(accountIsUsable ? .notInteractive : .passcodeNotSet)
  }
}
