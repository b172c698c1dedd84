import AuthenticationCore
import Testing

@Suite struct `A host that verifies the passcode itself` {
  @Test(arguments: [Outcome.biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .biometryDisconnected])
  func `is asked nothing where there is no reader`(why: Outcome) {
    play(.stack, [.begin → .reader(.probe), .readerUnavailable(why) → .end(why)])
    play(.sequentialStack, [.begin → .reader(.probe), .readerUnavailable(why) → .end(why)])
  }

  @Test func `gets the passcode that was typed in the race`() {
    let machine = play(.stack, raceOnTerminal + [.passcodeTyped → .end(.userFallback, reader: .stop)])
    #expect(machine.mechanism == .none)
  }

  @Test func `judges an empty passcode too`() {
    play(.stack, raceOnTerminal + [.emptyPasscodeTyped → .end(.userFallback, reader: .stop)])
  }

  @Test func `keeps its prompt when the tries of the reader are used up`() {
    play(
      .stack.with { $0.readerTries = 1 },
      raceOnTerminal + [
        .readerDidNotMatch → .hint(.triesUsed, reader: .stop),
        .passcodeTyped → .end(.userFallback),
      ])
  }

  @Test func `never gets a success for a passcode from us`() {
    play(.stack, raceOnTerminal + [.passcodeAccepted → .none, .accountAllowed → .none])
  }

  @Test func `takes a finger`() {
    let machine = play(
      .stack, raceOnTerminal + [.readerMatched → .check, .accountAllowed → .end(.success)])
    #expect(machine.mechanism == .biometry)
  }
}

@Suite struct `A host whose conversation blocks` {
  private let listening: [Line] = [
    .begin → .reader(.probe),
    .readerReady(.press) → .ask(.finger),
    .promptShown → .reader(.start),
  ]

  @Test func `shows a line for the finger, which wins`() {
    play(.sequential, listening + [.readerMatched → .check, .accountAllowed → .end(.success)])
  }

  @Test func `takes no passcode while it waits for the finger`() {
    play(.sequential, listening + [.passcodeTyped → .none, .passcodeAccepted → .none])
  }

  @Test func `waits ten seconds for the finger, then asks for the passcode`() {
    play(
      .sequential,
      listening + [
        .after(9_999) → .none,
        .after(1) → .ask(.passcode, hint: .readerTimedOut, reader: .stop),
        .promptShown → .none,
        .readerMatched → .none,
        .passcodeTyped → .verify,
        .passcodeAccepted → .end(.success),
      ])
  }

  @Test func `asks for the passcode after three wrong fingers`() {
    play(
      .sequential,
      listening + [
        .readerDidNotMatch → .hint(.notRecognised, reader: .start),
        .readerDidNotMatch → .hint(.notRecognised, reader: .start),
        .readerDidNotMatch → .ask(.passcode, hint: .triesUsed, reader: .stop),
      ])
  }

  @Test func `asks for the passcode when the reader is unplugged`() {
    play(.sequential, listening + [.readerLost → .ask(.passcode, hint: .readerGone)])
  }

  @Test func `asks for the passcode when the reader goes before it was started`() {
    play(
      .sequential,
      Array(listening.dropLast()) + [
        .readerUnavailable(.biometryNotAvailable) → .ask(.passcode), .promptShown → .none,
        .passcodeTyped → .verify,
      ])
  }

  @Test func `gets the reader's outcome where its own stack asks for the passcode`() {
    play(.sequentialStack, listening + [.readerLost → .end(.biometryNotAvailable)])
    play(.sequentialStack, listening + [.after(10_000) → .end(.systemCancel, reader: .stop)])
    play(
      .sequentialStack.with { $0.readerTries = 1 },
      listening + [.readerDidNotMatch → .end(.triesExhausted, reader: .stop)])
  }
}

@Suite struct `A user with a finger only` {
  private let listening: [Line] = [
    .begin → .reader(.probe),
    .readerReady(.press) → .ask(.finger),
    .promptShown → .reader(.start),
  ]

  @Test func `is let in by it`() {
    let machine = play(
      .fingerOnly, listening + [.readerMatched → .check, .accountAllowed → .end(.success)])
    #expect(machine.mechanism == .biometry)
  }

  @Test func `has three tries`() {
    play(
      .fingerOnly,
      listening + [
        .readerDidNotMatch → .hint(.notRecognised, reader: .start),
        .readerDidNotMatch → .hint(.notRecognised, reader: .start),
        .readerDidNotMatch → .end(.triesExhausted, reader: .stop),
      ])
  }

  @Test(arguments: [Interaction.concurrent, .sequential]) func `has the whole 30 s`(interaction: Interaction) {
    play(
      Setting(passcode: false, interaction: interaction),
      listening + [.after(29_999) → .none, .after(1) → .end(.systemCancel, reader: .stop)])
  }

  @Test func `is never asked for a passcode`() {
    play(.fingerOnly, listening + [.passcodeTyped → .none, .readerLost → .end(.biometryNotAvailable)])
  }

  @Test(arguments: Outcome.allCases) func `gets the reader's reason, never a success`(why: Outcome) {
    let end = why == .success ? Outcome.systemCancel : why
    play(.fingerOnly, [.begin → .reader(.probe), .readerUnavailable(why) → .end(end)])
  }
}
