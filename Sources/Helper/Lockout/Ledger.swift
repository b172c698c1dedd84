import AuthenticationCore
import CPlatform
import SystemInterface

/// What one request counts: charged on disk before a try runs, and given back unless it was wrong.
///
/// An account without a passcode has nothing that would open a locked reader, so its matches are counted as passcodes
/// are: by who asks, with a pause that ends.
struct Ledger: ~Copyable {
  private let uid: UInt32?
  private let origin: PasscodeOrigin
  private let matchesPause: Bool
  private var match = Charge.none
  private var passcode = Charge.none
  /// Shows to others that our passcode is being verified.
  private var running: Descriptor?

  private enum Charge: Equatable { case none, row, window(Int) }

  /// What an attempt to charge came to.
  enum Answer: Equatable {
    case charged
    /// Closed for so many seconds; 0 is until the passcode was right.
    case closed(seconds: Int64)
    /// It cannot be counted.
    case unkept
  }

  /// Nobody is counted for a user who does not exist.
  init(_ account: Account, origin: PasscodeOrigin) {
    uid = account.uid
    self.origin = origin
    matchesPause = !account.hasPasscode
  }

  static func now() -> Moment {
    Moment(boot: localauth_boot(), uptime: localauth_uptime(), wall: localauth_wall_clock())
  }

  /// How things stand before anything is asked.
  struct Standing {
    /// Matches that may still fail; 0 is a locked reader.
    var matchesLeft = LockoutRecord.readerTries
    /// Matches failed, and the passcode was not right since.
    var hasFailedMatches = false
    /// Seconds until this origin may try a passcode, or a finger where there is no passcode.
    var secondsLeft: Int64 = 0
    /// Matches are counted by who asks, with a pause that ends.
    var matchesPause = false
    /// It can be read what was counted.
    var isKept = true
  }

  func look() -> Standing {
    var standing = Standing()
    standing.matchesPause = matchesPause
    guard let uid else { return standing }
    switch LockoutFile.open(uid, make: false) {
    case .missing: break
    case .file(let file): look(file, &standing)
    default: standing.isKept = false
    }
    return standing
  }

  private func look(_ file: borrowing LockoutFile, _ standing: inout Standing) {
    var record = file.read()
    let now = Self.now()
    if record.rebase(origin, at: now) { _ = file.write(record) }
    let look = record.look(origin, at: now)
    // Tries that run are not wrong yet: who comes now waits for them when it is charged.
    standing.secondsLeft = file.isRunning(window: look.window) ? 0 : look.seconds
    standing.hasFailedMatches = record.failedMatches > 0
    standing.matchesLeft = matchesPause ? look.triesLeft : LockoutRecord.readerTries &- record.failedMatches
  }

  // MARK: Matches

  /// Before each time the reader listens.
  mutating func chargeMatch() -> Answer {
    guard let uid, case .file(let file) = LockoutFile.open(uid, make: true) else { return .unkept }
    var record = file.read()
    if matchesPause {
      switch record.charge(origin, at: Self.now()) {
      case .closed(_, let seconds): return .closed(seconds: seconds)
      case .charged(let window): match = .window(window)
      }
    } else {
      guard record.chargeMatch() else { return .closed(seconds: 0) }
      match = .row
    }
    if file.write(record) {
      if file.sync() { return .charged }
    }
    match = .none
    return .unkept
  }

  /// It did not match: the charge stays.
  mutating func matchFailed() { match = .none }

  /// It matched, and all that failed before is forgotten.
  mutating func matchSucceeded() {
    switch match {
    case .none: return
    case .row: change { record, _ in record.forgetMatches() }
    case .window(let number): change { record, now in record.forget(window: number, at: now) }
    }
    match = .none
  }

  /// Nobody touched the reader, or nobody heard what it said.
  mutating func refundMatch() {
    switch match {
    case .none: return
    case .row: change { record, _ in record.refundMatch() }
    case .window(let number): change { record, now in record.refund(window: number, at: now) }
    }
    match = .none
  }

  // MARK: Passcodes

  /// Before a passcode is verified. Where five are running already, waits for one of them, at most five seconds: a
  /// try that runs is not a wrong one.
  mutating func chargePasscode() -> Answer {
    guard let uid else { return .unkept }
    let deadline = Clock.now() &+ 5_000
    while true {
      switch LockoutFile.open(uid, make: true) {
      // Fail closed: a crowd of tries must not go uncounted.
      case .busy: return .closed(seconds: 1)
      case .missing: return .unkept
      case .unusable: return .unkept
      case .file(let file): if let answer = charge(file, mayWait: Clock.now() < deadline) { return answer }
      }
      _ = usleep(10_000)
    }
  }

  /// nil to try again in a moment.
  private mutating func charge(_ file: consuming LockoutFile, mayWait: Bool) -> Answer? {
    var record = file.read()
    switch record.charge(origin, at: Self.now()) {
    case .charged(let number):
      guard file.write(record) else { return .unkept }
      passcode = .window(number)
      running = file.markRunning(window: number)
      return running == nil ? .unkept : .charged
    case .closed(let number, let seconds):
      return mayWait && file.isRunning(window: number) ? nil : .closed(seconds: seconds)
    }
  }

  /// It was wrong: the charge stays.
  mutating func passcodeFailed() { settlePasscode() }

  /// It was neither right nor wrong.
  mutating func refundPasscode() {
    if case .window(let number) = passcode { change { record, now in record.refund(window: number, at: now) } }
    settlePasscode()
  }

  /// It was right: this origin's wrong ones are forgotten, and the reader is open.
  mutating func passcodeSucceeded() {
    let window = passcode
    change { record, now in
      if case .window(let number) = window { record.forget(window: number, at: now) }
      record.forgetMatches()
    }
    match = .none
    settlePasscode()
  }

  private mutating func settlePasscode() {
    passcode = .none
    running = nil
  }

  /// root's word: nothing is left of what was counted. False when that could not be written.
  consuming func forgetAll() -> Bool {
    guard let uid else { return false }
    switch LockoutFile.open(uid, make: false) {
    case .missing: return true
    case .file(let file):
      guard file.write(LockoutRecord()) else { return false }
      return file.sync()
    default: return false
    }
  }

  /// Changes the record where there is one; what cannot be written stays charged, which is the strict side.
  private func change(_ body: (inout LockoutRecord, Moment) -> Void) {
    guard let uid, case .file(let file) = LockoutFile.open(uid, make: false) else { return }
    var record = file.read()
    body(&record, Self.now())
    _ = file.write(record)
  }
}
