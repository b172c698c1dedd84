import AuthenticationCore
import Testing

/// What may follow, in one word each; `own` is the biometry's own refusal.
private enum Word {
  case both, finger, passcode, silent, noPasscode, unknown, own

  func decision(_ biometry: BiometryState) -> Preflight.Decision {
    switch self {
    case .both: .ask(finger: true, passcode: true)
    case .finger: .ask(finger: true, passcode: false)
    case .passcode: .ask(finger: false, passcode: true)
    case .silent: .refuse(.notInteractive)
    case .noPasscode: .refuse(.passcodeNotSet)
    case .unknown: .refuse(.unknownUser)
    case .own: .refuse(refusals[biometry] ?? .success)
    }
  }
}

private let refusals: [BiometryState: Outcome] = [
  .notAvailable: .biometryNotAvailable, .notEnrolled: .biometryNotEnrolled, .lockedOut: .biometryLockout,
  .changed: .biometryLockout, .notPaired: .biometryNotPaired, .disconnected: .biometryDisconnected,
]

/// One row: these passcodes, with a usable reader, without one, and with one that waits for the passcode, under each
/// interaction (none, promptOnly, sequential, concurrent).
private struct Row {
  var passcodes: [PasscodeState]
  var reader: [Word]
  var noReader: [Word]
  /// As without a reader, where it says nothing else.
  var waiting: [Word]?
}

private let biometrics: [Row] = [
  Row(
    passcodes: [.set, .empty, .withoutHash], reader: [.silent, .silent, .finger, .finger],
    noReader: [.own, .own, .own, .own]),
  Row(
    passcodes: [.locked], reader: [.noPasscode, .noPasscode, .noPasscode, .noPasscode],
    noReader: [.own, .own, .own, .own]),
  Row(
    passcodes: [.unknownUser], reader: [.unknown, .unknown, .unknown, .unknown],
    noReader: [.unknown, .unknown, .unknown, .unknown]),
]

private let ownerByHelper: [Row] = [
  Row(
    passcodes: [.set], reader: [.silent, .passcode, .both, .both],
    noReader: [.silent, .passcode, .passcode, .passcode]),
  Row(
    passcodes: [.empty, .withoutHash], reader: [.silent, .silent, .finger, .finger],
    noReader: [.noPasscode, .noPasscode, .noPasscode, .noPasscode], waiting: [.own, .own, .own, .own]),
  Row(
    passcodes: [.locked], reader: [.noPasscode, .noPasscode, .noPasscode, .noPasscode],
    noReader: [.noPasscode, .noPasscode, .noPasscode, .noPasscode]),
  // Asked like somebody who has a passcode and no finger.
  Row(
    passcodes: [.unknownUser], reader: [.silent, .passcode, .passcode, .passcode],
    noReader: [.silent, .passcode, .passcode, .passcode]),
]

private let ownerByStack: [Row] = [
  // Only to say why the reader waits; where nothing can be said, the host's own prompt is the same as ever.
  Row(
    passcodes: [.set], reader: [.silent, .silent, .both, .both], noReader: [.own, .own, .own, .own],
    waiting: [.own, .own, .passcode, .passcode]),
  Row(
    passcodes: [.empty, .withoutHash], reader: [.silent, .silent, .both, .both],
    noReader: [.own, .own, .own, .own]),
  Row(
    passcodes: [.locked], reader: [.noPasscode, .noPasscode, .noPasscode, .noPasscode],
    noReader: [.own, .own, .own, .own]),
  Row(
    passcodes: [.unknownUser], reader: [.unknown, .unknown, .unknown, .unknown],
    noReader: [.unknown, .unknown, .unknown, .unknown]),
]

/// Every request that the types can state.
private func everyRequest(_ body: (Preflight) -> Void) {
  for policy in Policy.allCases + [nil] {
    for interaction in Interaction.allCases {
      for way in PasscodeWay.allCases {
        for biometry in BiometryState.allCases {
          for passcode in PasscodeState.allCases {
            body(
              Preflight(policy: policy, interaction: interaction, way: way, biometry: biometry, passcode: passcode))
          }
        }
      }
    }
  }
}

private func expected(_ request: Preflight) -> Preflight.Decision? {
  let rows: [Row]
  switch request.policy {
  case nil: return .refuse(.invalidContext)
  case .companion, .biometricsOrCompanion: return .refuse(.companionNotAvailable)
  case .biometrics: rows = biometrics
  case .owner: rows = request.way == .helper ? ownerByHelper : ownerByStack
  }
  let row = rows.first { $0.passcodes.contains(request.passcode) }
  let isWaiting = request.biometry == .lockedOut || request.biometry == .changed
  let without = isWaiting ? row?.waiting ?? row?.noReader : row?.noReader
  let words = refusals[request.biometry] == nil ? row?.reader : without
  return words?[Int(request.interaction.rawValue)].decision(request.biometry)
}

@Suite struct `Every request` {
  @Test func `decides every request as the table says`() {
    everyRequest { request in #expect(request.decide() == expected(request), "\(request)") }
  }

  @Test func `always asks for something or says why not`() {
    everyRequest { request in
      #expect(request.decide() != .ask(finger: false, passcode: false))
      #expect(request.decide() != .refuse(.success))
    }
  }

  @Test func `never offers a passcode under a policy that has none`() {
    everyRequest { request in
      guard request.policy?.allowsPasscode != true, case .ask(_, let passcode) = request.decide() else { return }
      #expect(!passcode, "\(request)")
    }
  }

  @Test func `never offers the finger of an account that is locked or not there`() {
    everyRequest { request in
      guard request.passcode == .locked || request.passcode == .unknownUser else { return }
      if case .ask(let finger, _) = request.decide() { #expect(!finger, "\(request)") }
    }
  }
}

@Suite struct `The first thing in the way is told` {
  private func decide(
    _ policy: Policy?, _ interaction: Interaction, _ biometry: BiometryState, _ passcode: PasscodeState
  ) -> Preflight.Decision {
    Preflight(policy: policy, interaction: interaction, way: .helper, biometry: biometry, passcode: passcode).decide()
  }

  @Test func `an unknown policy before everything`() {
    #expect(decide(nil, .none, .notAvailable, .empty) == .refuse(.invalidContext))
  }

  @Test func `no reader before a missing passcode and a missing screen`() {
    #expect(decide(.biometrics, .none, .notAvailable, .locked) == .refuse(.biometryNotAvailable))
  }

  @Test func `nobody enrolled before a missing screen`() {
    #expect(decide(.biometrics, .none, .notEnrolled, .set) == .refuse(.biometryNotEnrolled))
  }

  @Test func `a locked reader before a locked account`() {
    #expect(decide(.biometrics, .concurrent, .lockedOut, .locked) == .refuse(.biometryLockout))
  }

  @Test func `a missing passcode before a missing screen`() {
    #expect(decide(.owner, .none, .notEnrolled, .empty) == .refuse(.passcodeNotSet))
  }

  @Test func `a missing screen last`() {
    #expect(decide(.owner, .none, .available, .set) == .refuse(.notInteractive))
  }

  @Test func `a locked reader leaves the owner the passcode`() {
    #expect(decide(.owner, .concurrent, .lockedOut, .set) == .ask(finger: false, passcode: true))
  }
}

@Suite struct `The passcode field of shadow` {
  @Test(arguments: [
    ("", PasscodeState.empty), ("!", .locked), ("!!", .locked), ("!*", .locked), ("!$y$j9T$abc$def", .locked),
    ("*", .withoutHash), ("*LK*", .withoutHash), ("*$y$j9T$abc$defghijkl", .withoutHash), ("x", .withoutHash),
    ("abcdefghijkl", .withoutHash), ("abcdefghijklm", .set), ("$1$salt$hash12345", .set),
    ("$6$salt$qwertyuiopasdfgh", .set), ("$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd", .set),
  ])
  func `says what it is`(field: String, state: PasscodeState) {
    #expect(PasscodeState(shadowField: Array(field.utf8).span) == state)
  }
}

@Suite struct `Too many wrong passcodes` {
  private func decide(
    _ biometry: BiometryState, _ passcode: PasscodeState = .set, way: PasscodeWay = .helper,
    interaction: Interaction = .concurrent, policy: Policy = .owner
  ) -> Preflight.Decision {
    Preflight(
      policy: policy, interaction: interaction, way: way, biometry: biometry, passcode: passcode,
      passcodeIsClosed: true
    ).decide()
  }

  @Test func `leave the finger`() {
    #expect(decide(.available) == .ask(finger: true, passcode: false))
    #expect(decide(.available, policy: .biometrics) == .ask(finger: true, passcode: false))
  }

  @Test(arguments: [BiometryState.notAvailable, .notEnrolled, .lockedOut, .changed, .notPaired, .disconnected])
  func `are why there is nothing to ask for where there is no finger`(biometry: BiometryState) {
    #expect(decide(biometry) == .refuse(.passcodeLockout))
    #expect(decide(biometry, .unknownUser) == .refuse(.passcodeLockout))
  }

  @Test func `come before a person who cannot be asked`() {
    #expect(decide(.notEnrolled, interaction: .none) == .refuse(.passcodeLockout))
    #expect(decide(.available, interaction: .promptOnly) == .refuse(.passcodeLockout))
  }

  @Test func `are no matter of the host's own stack`() {
    #expect(decide(.available, way: .stack) == .ask(finger: true, passcode: true))
    #expect(decide(.changed, way: .stack) == .ask(finger: false, passcode: true))
  }
}

@Suite struct `What is known before the reader is asked` {
  @Test(arguments: [
    // denied, kept, enrolment, matches left
    (true, true, EnrolmentState.confirmed, UInt8(5), BiometryState.notAvailable),
    (false, false, .confirmed, 5, .notAvailable), (false, true, .unreadable, 5, .notAvailable),
    (true, true, .none, 0, .notAvailable),
    (false, true, .none, 0, .notEnrolled), (false, true, .confirmed, 0, .lockedOut),
    (false, true, .changed, 0, .lockedOut),
    (false, true, .changed, 5, .changed), (false, true, .confirmed, 1, .unknown),
  ])
  func `is the first thing in the way`(
    isDenied: Bool, isKept: Bool, enrolment: EnrolmentState, left: UInt8, state: BiometryState
  ) {
    #expect(BiometryState(isDenied: isDenied, isKept: isKept, enrolment: enrolment, matchesLeft: left) == state)
  }

  @Test(arguments: BiometryState.allCases)
  func `is told to the person where the passcode helps`(state: BiometryState) {
    let notices: [BiometryState: Hint] = [.lockedOut: .readerLocked, .changed: .fingersChanged]
    #expect(state.notice == notices[state])
  }
}
