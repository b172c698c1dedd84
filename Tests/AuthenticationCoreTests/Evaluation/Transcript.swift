import AuthenticationCore
import Testing

/// `event → step`: what comes in, and what is ordered for it.
infix operator → : AssignmentPrecedence

func → (input: Input, step: Evaluation.Step) -> Line { Line(input: input, step: step) }

struct Line: Sendable {
  var input: Input
  var step: Evaluation.Step
}

/// What happens in a transcript: the begin, an event, or a stretch of time in which nothing does.
enum Input: Sendable {
  case begin
  case event(Evaluation.Event)
  case after(UInt64)

  static func readerReady(_ scan: ScanType) -> Input { .event(.readerReady(scan)) }
  static func readerUnavailable(_ why: Outcome) -> Input { .event(.readerUnavailable(why)) }
  static func readerHinted(_ hint: Hint) -> Input { .event(.readerHinted(hint)) }
  static var readerDidNotMatch: Input { .event(.readerDidNotMatch) }
  static var readerMatched: Input { .event(.readerMatched) }
  static var readerLost: Input { .event(.readerLost) }
  static var accountAllowed: Input { .event(.accountAllowed) }
  static func accountRefused(_ why: Outcome) -> Input { .event(.accountRefused(why)) }
  static var promptShown: Input { .event(.promptShown) }
  static var passcodeTyped: Input { .event(.passcodeTyped(empty: false)) }
  static var emptyPasscodeTyped: Input { .event(.passcodeTyped(empty: true)) }
  static var passcodeAccepted: Input { .event(.passcodeAccepted) }
  static func passcodeRefused(_ why: Outcome) -> Input { .event(.passcodeRefused(why)) }
  static func cancelled(_ why: Outcome) -> Input { .event(.cancelled(why)) }
}

extension Evaluation.Step {
  static func hint(_ hint: Hint, reader: Evaluation.ReaderOrder? = nil) -> Self { Self(hint: hint, reader: reader) }
  static func ask(_ ask: Ask, hint: Hint? = nil, reader: Evaluation.ReaderOrder? = nil) -> Self {
    Self(hint: hint, ask: ask, reader: reader)
  }
  static func reader(_ order: Evaluation.ReaderOrder) -> Self { Self(reader: order) }
  static var verify: Self { Self(verifyPasscode: true) }
  static var check: Self { Self(checkAccount: true) }
  static func end(_ outcome: Outcome, reader: Evaluation.ReaderOrder? = nil) -> Self {
    Self(reader: reader, end: outcome)
  }
}

/// One kind of request, ready to begin.
struct Setting: Sendable {
  var finger = true
  var passcode = true
  var interaction = Interaction.concurrent
  var way = PasscodeWay.helper
  var limits = EvaluationLimits()

  /// A terminal: one prompt that names both ways.
  static var terminal: Setting { Setting() }
  /// A terminal whose host verifies the passcode itself.
  static var stack: Setting { Setting(way: .stack) }
  /// A conversation that blocks.
  static var sequential: Setting { Setting(interaction: .sequential) }
  static var sequentialStack: Setting { Setting(interaction: .sequential, way: .stack) }
  /// Policy `biometrics`, or a user without passcode.
  static var fingerOnly: Setting { Setting(passcode: false) }
  static var passcodeOnly: Setting { Setting(finger: false) }

  func with(_ change: (inout EvaluationLimits) -> Void) -> Setting {
    var copy = self
    change(&copy.limits)
    return copy
  }

  func makeEvaluation() -> Evaluation {
    Evaluation(finger: finger, passcode: passcode, interaction: interaction, way: way, limits: limits)
  }
}

/// Every event there is, with each kind of payload that could make a difference.
let everyEvent: [Evaluation.Event] = [
  .readerReady(.press), .readerUnavailable(.biometryNotEnrolled), .readerUnavailable(.success),
  .readerHinted(.tooShort), .readerDidNotMatch, .readerMatched, .readerLost, .accountAllowed,
  .accountRefused(.accountRefused), .accountRefused(.success), .promptShown, .passcodeTyped(empty: false),
  .passcodeTyped(empty: true), .passcodeAccepted, .passcodeRefused(.authenticationFailed),
  .passcodeRefused(.passcodeUnavailable), .passcodeRefused(.success), .cancelled(.userCancel), .cancelled(.success),
  .timePassed,
]

/// A terminal, up to the moment when both ways are open.
let raceOnTerminal: [Line] = [
  .begin → .reader(.probe),
  .readerReady(.press) → .ask(.passcodeOrFinger),
  .promptShown → .reader(.start),
]

/// Plays the lines and expects each step; if the evaluation ended, expects as well that nothing changes it any more.
@discardableResult
func play(
  _ setting: Setting, _ lines: [Line], sourceLocation: SourceLocation = #_sourceLocation
) -> Evaluation {
  var machine = setting.makeEvaluation()
  var now: UInt64 = 1_000_000
  var ended = false
  for (number, line) in lines.enumerated() {
    let step: Evaluation.Step
    switch line.input {
    case .begin: step = machine.begin(now: now)
    case .event(let event): step = machine.receive(event, now: now)
    case .after(let milliseconds):
      now += milliseconds
      step = machine.receive(.timePassed, now: now)
    }
    #expect(step == line.step, "line \(number + 1): \(line.input)", sourceLocation: sourceLocation)
    ended = ended || step.end != nil
    #expect(machine.hasEnded == ended, "line \(number + 1)", sourceLocation: sourceLocation)
  }
  if ended { expectDead(machine, now, sourceLocation) }
  return machine
}

private func expectDead(_ machine: Evaluation, _ now: UInt64, _ sourceLocation: SourceLocation) {
  for event in everyEvent {
    var late = machine
    #expect(late.receive(event, now: now + 200_000) == .none, "\(event)", sourceLocation: sourceLocation)
    #expect(late.mechanism == machine.mechanism && late.hasEnded, "\(event)", sourceLocation: sourceLocation)
  }
}
