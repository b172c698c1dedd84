import AuthenticationCore

/// Why the reader cannot be used, as the reader process found out.
enum ReaderFault: UInt8, CaseIterable {
  case noBus = 1
  /// fprintd is not installed, or cannot be started.
  case noService
  /// Somebody owns fprintd's name who is not root.
  case impostor
  case noDevice
  case notEnrolled
  case busy
  /// fprintd did not answer in time.
  case silent
  case refused
  case broken
  /// Another request of ours has the reader.
  case taken
  /// It cannot be known whether another request has it.
  case noTurn

  var outcome: Outcome { self == .notEnrolled ? .biometryNotEnrolled : .biometryNotAvailable }

  /// For the log and for developers: what to do about it.
  var detail: StaticString {
    switch self {
    case .noBus: "no system bus"
    case .noService: "fprintd is not installed or does not start"
    case .impostor: "net.reactivated.Fprint is not owned by root"
    case .noDevice: "no fingerprint reader"
    case .notEnrolled: "no finger enrolled; see fprintd-enroll(1)"
    case .busy: "the fingerprint reader is in use"
    case .silent: "fprintd does not answer"
    case .refused: "fprintd refused"
    case .broken: "the fingerprint reader failed"
    case .taken: "another request is using the fingerprint reader"
    case .noTurn: "/run/localauth is not a folder of root's"
    }
  }
}

/// What the reader process tells its parent: two bytes each, decoded without trust.
enum ReaderMessage: Equatable {
  case ready(ScanType)
  case unavailable(ReaderFault)
  case hint(Hint)
  case didNotMatch
  case matched
  case lost(ReaderFault)

  var bytes: (UInt8, UInt8) {
    switch self {
    case .ready(let scan): (1, scan.rawValue)
    case .unavailable(let fault): (2, fault.rawValue)
    case .hint(let hint): (3, hint.rawValue)
    case .didNotMatch: (4, 0)
    case .matched: (5, 0xa5)
    case .lost(let fault): (6, fault.rawValue)
    }
  }

  init?(_ kind: UInt8, _ value: UInt8) {
    switch (kind, value) {
    case (1, _):
      guard let scan = ScanType(rawValue: value) else { return nil }
      self = .ready(scan)
    case (2, _):
      guard let fault = ReaderFault(rawValue: value) else { return nil }
      self = .unavailable(fault)
    case (3, _):
      guard let hint = Hint(rawValue: value) else { return nil }
      self = .hint(hint)
    case (4, 0): self = .didNotMatch
    case (5, 0xa5): self = .matched
    case (6, _):
      guard let fault = ReaderFault(rawValue: value) else { return nil }
      self = .lost(fault)
    default: return nil
    }
  }
}

/// What the parent tells the reader process: one byte each.
enum ReaderCommand: UInt8 {
  case start = 1
  case stop = 2
}
