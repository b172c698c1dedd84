import AuthenticationCore

/// What is known of the account and its reader before anybody is asked: where the person is, what was counted, which
/// fingers are enrolled.
struct Standing: ~Copyable {
  /// Where the person is, or what the administrator allows, is why no reader is asked; empty otherwise.
  private let denial: StaticString
  /// No reader is asked whatever else there is.
  let isDenied: Bool
  let counts: Ledger.Standing
  /// The enrolled fingers, where the passcode was last right with them.
  private(set) var fingers: EnrolledFingers?
  private let enrolment: EnrolmentState

  init(_ account: Account, _ ledger: borrowing Ledger, denial: Whereabouts.Denial?, _ files: SettingsFiles?) {
    let isAllowed = files?.settings.allowsBiometry ?? true
    isDenied = denial != nil || !isAllowed
    self.denial = denial?.text ?? files?.detail ?? ""
    counts = ledger.look()
    guard let uid = account.uid, let fingers = EnrolledFingers(of: account.name) else {
      enrolment = account.uid == nil ? .none : .unreadable
      return
    }
    enrolment = fingers.state(of: uid)
    if enrolment == .confirmed { self.fingers = consume fingers }
  }

  var biometry: BiometryState {
    BiometryState(
      isDenied: isDenied, isKept: counts.isKept, enrolment: enrolment, matchesLeft: counts.matchesLeft)
  }

  /// Why there is no finger to ask for, for the log and for developers: what to do about it.
  func detail(hasPasscode: Bool) -> StaticString {
    if isDenied { return denial }
    if !counts.isKept { return "what is counted in /var/lib/localauth cannot be read" }
    switch biometry {
    case .notAvailable: return "the enrolled fingers in /var/lib/fprint cannot be read"
    case .notEnrolled: return ReaderFault.notEnrolled.detail
    case .lockedOut:
      return hasPasscode ? "too many wrong fingers: the passcode opens the reader" : "too many wrong fingers"
    case .changed:
      return hasPasscode
        ? "the enrolled fingers are new or have changed: the passcode is needed once"
        : "the enrolled fingers are new or have changed, and there is no passcode: localauth unlock"
    default: return ""
    }
  }

  /// Whether a right passcode would change anything but the request's own verdict.
  var needsPasscode: Bool { counts.isKept && (counts.hasFailedMatches || enrolment == .changed) }

  /// Seconds until what stood in the way is over; 0 where that is not a matter of time.
  func secondsLeft(_ outcome: Outcome) -> Int64 {
    switch outcome {
    case .passcodeLockout: counts.secondsLeft
    // A locked reader waits for the passcode; only without one is there a pause.
    case .biometryLockout: counts.matchesPause ? counts.secondsLeft : 0
    default: 0
    }
  }

  /// The fingers change hands: the evaluation looks at them again.
  mutating func takeFingers() -> EnrolledFingers? { fingers.take() }
}
