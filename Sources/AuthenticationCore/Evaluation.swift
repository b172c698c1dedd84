/// What bounds one evaluation. Times are milliseconds.
public struct EvaluationLimits: Equatable, Sendable {
  /// Finger matches that may fail before the reader is given up.
  public var readerTries: Int
  /// Passcodes that may be wrong before the evaluation fails.
  public var passcodeTries: Int
  /// How long the reader may take to be ready before the prompt goes out without it, and it joins later.
  public var probe: UInt64
  /// The same where it cannot join later: a prompt that blocks, or no passcode.
  public var probeAlone: UInt64
  /// How long the reader listens beside a prompt.
  public var reader: UInt64
  /// How long it listens where the passcode has to wait for it.
  public var readerAlone: UInt64
  /// How long a front end may take to show what it was told to show.
  public var showing: UInt64
  /// The whole evaluation.
  public var total: UInt64

  public init(
    readerTries: Int = 3, passcodeTries: Int = 1, probe: UInt64 = 500, probeAlone: UInt64 = 2_000,
    reader: UInt64 = 30_000, readerAlone: UInt64 = 10_000, showing: UInt64 = 10_000, total: UInt64 = 120_000
  ) {
    self.readerTries = readerTries
    self.passcodeTries = passcodeTries
    self.probe = probe
    self.probeAlone = probeAlone
    self.reader = reader
    self.readerAlone = readerAlone
    self.showing = showing
    self.total = total
  }
}

/// The evaluation machine: events go in, orders come out; no clock, no descriptor, no secret.
///
/// A late or foreign event changes nothing, and after the end nothing does.
public struct Evaluation: Sendable {
  public enum Event: Equatable, Sendable {
    case readerReady(ScanType)
    /// The reader cannot be used at all: none, nobody enrolled, busy, hung, locked.
    case readerUnavailable(Outcome)
    case readerHinted(Hint)
    case readerDidNotMatch
    case readerMatched
    /// It was listening, and is not there any more.
    case readerLost
    case accountAllowed
    case accountRefused(Outcome)
    case promptShown
    case passcodeTyped(empty: Bool)
    case passcodeAccepted
    case passcodeRefused(Outcome)
    case cancelled(Outcome)
    /// Nothing happened until the deadline.
    case timePassed
  }

  /// Orders to the reader.
  public enum ReaderOrder: Equatable, Sendable { case probe, start, stop }

  /// What is to be done after an event, in this order: hint, ask, reader, passcode, account, end.
  public struct Step: Equatable, Sendable {
    public var hint: Hint?
    public var ask: Ask?
    public var reader: ReaderOrder?
    public var verifyPasscode = false
    public var checkAccount = false
    public var end: Outcome?

    public init(
      hint: Hint? = nil, ask: Ask? = nil, reader: ReaderOrder? = nil, verifyPasscode: Bool = false,
      checkAccount: Bool = false, end: Outcome? = nil
    ) {
      self.hint = hint
      self.ask = ask
      self.reader = reader
      self.verifyPasscode = verifyPasscode
      self.checkAccount = checkAccount
      self.end = end
    }

    /// Nothing to do.
    public static var none: Step { Step() }
  }

  private enum Reader: Equatable { case unused, probing, ready, listening, matched }
  private enum Prompt: Equatable { case none, sent(Ask), shown(Ask) }

  private let finger: Bool
  private let passcode: Bool
  private let concurrent: Bool
  private let way: PasscodeWay
  private let withoutReader: Outcome?
  private let notice: Hint?
  private let limits: EvaluationLimits
  private var reader = Reader.unused
  private var prompt = Prompt.none
  private var verifying = false
  private var ended = false
  private var readerTriesLeft: Int
  private var passcodeTriesLeft: Int
  /// Why there is no finger, for the end of an evaluation that has nothing else.
  private var readerFault = Outcome.biometryNotAvailable
  private var probeDeadline = UInt64.max
  private var readerDeadline = UInt64.max
  private var showDeadline = UInt64.max
  private var totalDeadline = UInt64.max

  /// What the evaluation succeeded with; `.none` until it has.
  public private(set) var mechanism = Mechanism.none
  /// How the finger is put on the reader; known once it is ready.
  public private(set) var scan = ScanType.press

  /// An evaluation of the factors that `Preflight.decide()` allowed.
  ///
  /// `withoutReader` is what it comes to when the reader turns out to be missing and there is nothing else: nil for
  /// the reader's own reason, `passcodeNotSet` where a passcode would have done. `notice` is what the person is told
  /// before the passcode is asked for.
  public init(
    finger: Bool, passcode: Bool, interaction: Interaction, way: PasscodeWay, limits: EvaluationLimits,
    withoutReader: Outcome? = nil, notice: Hint? = nil
  ) {
    self.withoutReader = withoutReader
    self.notice = notice
    self.finger = finger
    self.passcode = passcode
    self.concurrent = interaction == .concurrent
    self.way = way
    self.limits = limits
    readerTriesLeft = limits.readerTries
    passcodeTriesLeft = limits.passcodeTries
  }

  public var hasEnded: Bool { ended }

  /// When `timePassed` is due, in the clock of `now`.
  public var nextDeadline: UInt64 { min(min(probeDeadline, readerDeadline), min(showDeadline, totalDeadline)) }

  public mutating func begin(now: UInt64) -> Step {
    totalDeadline = now &+ limits.total
    guard finger else { return passcode ? begin(withNotice: now) : end(readerFault) }
    reader = .probing
    probeDeadline = now &+ (readerMayJoinLater ? limits.probe : limits.probeAlone)
    return Step(reader: .probe)
  }

  private mutating func begin(withNotice now: UInt64) -> Step {
    var step = ask(.passcode, now)
    step.hint = notice
    return step
  }

  public mutating func receive(_ event: Event, now: UInt64) -> Step {
    if ended { return .none }
    switch event {
    case .readerReady(let scan): return readerIsReady(scan, now)
    case .readerUnavailable(let why): return readerIsUnavailable(why, now)
    case .readerHinted(let hint): return reader == .listening ? Step(hint: hint) : .none
    case .readerDidNotMatch: return readerDidNotMatch(now)
    case .readerMatched: return readerMatched()
    case .readerLost: return readerIsLost(now)
    case .accountAllowed: return accountAllowed()
    case .accountRefused(let why): return reader == .matched ? end(why) : .none
    case .promptShown: return promptShown(now)
    case .passcodeTyped(let empty): return passcodeTyped(empty: empty)
    case .passcodeAccepted: return passcodeAccepted()
    case .passcodeRefused(let why): return passcodeRefused(why, now)
    case .cancelled(let why): return end(why)
    case .timePassed: return timePassed(now)
    }
  }
}

// MARK: - The reader

extension Evaluation {
  private mutating func readerIsReady(_ scan: ScanType, _ now: UInt64) -> Step {
    guard reader == .probing else { return .none }
    self.scan = scan
    reader = .ready
    probeDeadline = .max
    switch prompt {
    case .none: return ask(!passcode || !concurrent ? .finger : .passcodeOrFinger, now)
    case .sent: return .none
    case .shown: return startReader(hint: .readerReady, now)
    }
  }

  private mutating func readerIsUnavailable(_ why: Outcome, _ now: UInt64) -> Step {
    guard reader == .probing || reader == .ready else { return .none }
    reader = .unused
    probeDeadline = .max
    readerFault = withoutReader ?? why
    return goOnWithoutReader(hint: nil, stop: false, now)
  }

  private mutating func readerDidNotMatch(_ now: UInt64) -> Step {
    guard reader == .listening else { return .none }
    readerTriesLeft -= 1
    if readerTriesLeft > 0 { return Step(hint: .notRecognised, reader: .start) }
    readerFault = .triesExhausted
    reader = .unused
    readerDeadline = .max
    return goOnWithoutReader(hint: .triesUsed, stop: true, now)
  }

  /// A match counts only while we listen, in our own claim and after our own start.
  private mutating func readerMatched() -> Step {
    guard reader == .listening else { return .none }
    reader = .matched
    readerDeadline = .max
    return Step(checkAccount: true)
  }

  private mutating func accountAllowed() -> Step {
    guard reader == .matched else { return .none }
    return succeed(.biometry)
  }

  private mutating func readerIsLost(_ now: UInt64) -> Step {
    guard reader == .listening else { return .none }
    reader = .unused
    readerDeadline = .max
    readerFault = .biometryNotAvailable
    return goOnWithoutReader(hint: .readerGone, stop: false, now)
  }

  private mutating func startReader(hint: Hint?, _ now: UInt64) -> Step {
    reader = .listening
    readerDeadline = now &+ (concurrent || !passcode ? limits.reader : limits.readerAlone)
    return Step(hint: hint, reader: .start)
  }

  /// The passcode takes over where there is one; else this is the end.
  private mutating func goOnWithoutReader(hint: Hint?, stop: Bool, _ now: UInt64) -> Step {
    var step = Step()
    if !passcode || (way == .stack && prompt == .none) {
      step = end(readerFault)
    } else {
      switch prompt {
      case .none: step = ask(.passcode, now)
      case .sent(let asked), .shown(let asked):
        if asked.wantsPasscode {
          step.hint = hint
        } else if way == .stack {
          step = end(readerFault)
        } else {
          step = ask(.passcode, now)
          step.hint = hint
        }
      }
    }
    if stop { step.reader = .stop }
    return step
  }
}

// MARK: - The passcode

extension Evaluation {
  private mutating func ask(_ what: Ask, _ now: UInt64) -> Step {
    prompt = .sent(what)
    showDeadline = now &+ limits.showing
    return Step(ask: what)
  }

  /// No match without a shown reason: the reader starts once the prompt is on the screen.
  private mutating func promptShown(_ now: UInt64) -> Step {
    guard case .sent(let asked) = prompt else { return .none }
    prompt = .shown(asked)
    showDeadline = .max
    guard reader == .ready else { return .none }
    return startReader(hint: asked == .passcode ? .readerReady : nil, now)
  }

  /// What is typed after a match is dropped: verified, it would take the place of the account check, and its
  /// refusal would leave nobody to answer.
  private mutating func passcodeTyped(empty: Bool) -> Step {
    guard case .shown(let asked) = prompt, asked.wantsPasscode, !verifying, reader != .matched else { return .none }
    if way == .stack { return end(.userFallback) }
    // An empty passcode never succeeds, whatever the system's stack would say (`nullok`).
    if empty {
      passcodeTriesLeft = 0
      return end(.authenticationFailed)
    }
    verifying = true
    return Step(verifyPasscode: true)
  }

  private mutating func passcodeAccepted() -> Step {
    guard verifying else { return .none }
    return succeed(.passcode)
  }

  private mutating func passcodeRefused(_ why: Outcome, _ now: UInt64) -> Step {
    guard verifying else { return .none }
    verifying = false
    // A match that is still being looked at decides; it was there in time.
    if reader == .matched { return .none }
    guard why == .authenticationFailed else { return end(why == .success ? .passcodeUnavailable : why) }
    passcodeTriesLeft -= 1
    if passcodeTriesLeft > 0 { return ask(reader == .listening ? .passcodeOrFinger : .passcode, now) }
    return end(limits.passcodeTries > 1 ? .triesExhausted : .authenticationFailed)
  }
}

// MARK: - Time and the end

extension Evaluation {
  private mutating func timePassed(_ now: UInt64) -> Step {
    if now >= totalDeadline || now >= showDeadline { return end(.systemCancel) }
    if now >= readerDeadline {
      readerDeadline = .max
      reader = .unused
      readerFault = .systemCancel
      return goOnWithoutReader(hint: .readerTimedOut, stop: true, now)
    }
    guard now >= probeDeadline, reader == .probing else { return .none }
    // Slow, and perhaps hung: the prompt does not wait. Beside a prompt that stays, the reader may still join.
    probeDeadline = .max
    if readerMayJoinLater { return ask(.passcode, now) }
    reader = .unused
    readerFault = withoutReader ?? .biometryNotAvailable
    return goOnWithoutReader(hint: nil, stop: true, now)
  }

  private var readerMayJoinLater: Bool { concurrent && passcode }

  private mutating func succeed(_ with: Mechanism) -> Step {
    mechanism = with
    return finish(.success)
  }

  /// Fail closed: a reason to end that calls itself success is none.
  private mutating func end(_ why: Outcome) -> Step { finish(why == .success ? .systemCancel : why) }

  private mutating func finish(_ outcome: Outcome) -> Step {
    let stop = reader == .probing || reader == .ready || reader == .listening
    ended = true
    reader = .unused
    return Step(reader: stop ? .stop : nil, end: outcome)
  }
}
