/// A script being played: it meets each message and says what is done about it.
final class ScriptedConversation {
  private let script: [ScriptStep]
  private let record: ConversationRecord
  /// Delays that modules asked for after failed calls.
  private(set) var delays: [Duration] = []

  init(_ script: [ScriptStep]) throws(PAMHarnessError) {
    self.script = script
    record = try ConversationRecord()
  }

  /// What was expected and never came.
  var unusedSteps: [ScriptStep] { Array(script.dropFirst(record.stepsTaken)) }

  /// One message; what the person does about it. Without a fitting step the conversation fails, as it does with a
  /// person who is gone, and the step stays.
  func meet(_ styleCode: Int32, _ text: String) -> PAMReply {
    let shown = text.debugDescription
    guard let style = PAMStyle(rawValue: styleCode) else {
      return refuse("style \(styleCode) \(shown)", "a message of the unknown style \(styleCode): \(shown)")
    }
    note("\(style) \(shown)")
    guard let step = script.dropFirst(record.stepsTaken).first else {
      return refuse("\(style) \(shown)", "unexpected \(style) \(shown), at the end of the script")
    }
    guard step.style == style, step.text.matches(text) else {
      return refuse("\(style) \(shown)", "expected \(step), got \(style) \(shown)")
    }
    record.stepsTaken += 1
    step.whenShown?()
    pause(step.delay)
    if step.reply != .nothing || style == .hidden || style == .visible { note("  \(step.reply)") }
    return step.reply
  }

  /// A call after which nothing is as expected any more.
  private func refuse(_ message: String, _ problem: String) -> PAMReply {
    record.append(.unexpected, message)
    complain(problem)
    return .fails(.convErr)
  }

  func note(_ line: String) { record.append(.note, line) }

  func complain(_ problem: String) { record.append(.problem, problem) }

  func delay(_ duration: Duration) {
    delays.append(duration)
    note("delay of \(duration) asked for")
  }

  /// Moves what was said and asked into a run.
  func report(to run: inout PAMRun) {
    run.unusedSteps = unusedSteps
    for step in run.unusedSteps { complain("never came: \(step)") }
    for entry in record.entries {
      switch entry.kind {
      case .note: run.transcript.append(entry.text)
      case .unexpected: run.unexpectedMessages.append(entry.text)
      case .problem:
        run.problems.append(entry.text)
        run.transcript.append("! " + entry.text)
      }
    }
    run.delays = delays
  }
}

@available(*, unavailable)
extension ScriptedConversation: Sendable {}
