import AuthenticationCore
import Testing

@Suite struct `The race on a terminal` {
  @Test func `the finger wins`() {
    let machine = play(
      .terminal,
      raceOnTerminal + [
        .readerMatched → .check,
        .accountAllowed → .end(.success),
      ])
    #expect(machine.mechanism == .biometry)
  }

  @Test func `the passcode wins, and the reader is stopped`() {
    let machine = play(
      .terminal,
      raceOnTerminal + [
        .passcodeTyped → .verify,
        .passcodeAccepted → .end(.success, reader: .stop),
      ])
    #expect(machine.mechanism == .passcode)
  }

  @Test func `a passcode that comes after the finger won changes nothing`() {
    let machine = play(
      .terminal,
      raceOnTerminal + [
        .readerMatched → .check,
        .accountAllowed → .end(.success),
        .passcodeTyped → .none,
        .passcodeAccepted → .none,
        .passcodeRefused(.authenticationFailed) → .none,
      ])
    #expect(machine.mechanism == .biometry)
  }

  @Test func `a match after the end changes nothing`() {
    let machine = play(
      .terminal,
      raceOnTerminal + [
        .cancelled(.userCancel) → .end(.userCancel, reader: .stop),
        .readerMatched → .none,
        .accountAllowed → .none,
      ])
    #expect(machine.mechanism == .none)
  }

  @Test func `a match before the prompt is on the screen is ignored`() {
    play(
      .terminal,
      [
        .begin → .reader(.probe),
        .readerReady(.press) → .ask(.passcodeOrFinger),
        .readerMatched → .none,
        .accountAllowed → .none,
        .promptShown → .reader(.start),
        .accountAllowed → .none,
      ])
  }

  @Test func `a match before the reader was even ready is ignored`() {
    play(
      .terminal,
      [
        .begin → .reader(.probe),
        .readerMatched → .none,
        .accountAllowed → .none,
        .readerReady(.press) → .ask(.passcodeOrFinger),
      ])
  }

  @Test func `how the finger is put on the reader is known once it is ready`() {
    let machine = play(
      .terminal, [.begin → .reader(.probe), .readerReady(.swipe) → .ask(.passcodeOrFinger)])
    #expect(machine.scan == .swipe)
  }

  @Test(arguments: [Hint.tryAgain, .tooShort, .notCentred, .removeAndRetry])
  func `a hint of the reader is passed on and ends nothing`(hint: Hint) {
    play(
      .terminal,
      raceOnTerminal + [
        .readerHinted(hint) → .hint(hint),
        .readerMatched → .check,
        .readerHinted(hint) → .none,
      ])
  }

  @Test func `a hint before the reader listens is dropped`() {
    play(.terminal, Array(raceOnTerminal.dropLast()) + [.readerHinted(.tooShort) → .none])
  }

  @Test func `three wrong fingers, then the passcode`() {
    let machine = play(
      .terminal,
      raceOnTerminal + [
        .readerDidNotMatch → .hint(.notRecognised, reader: .start),
        .readerDidNotMatch → .hint(.notRecognised, reader: .start),
        .readerDidNotMatch → .hint(.triesUsed, reader: .stop),
        .readerMatched → .none,
        .passcodeTyped → .verify,
        .passcodeAccepted → .end(.success),
      ])
    #expect(machine.mechanism == .passcode)
  }

  @Test func `a wrong finger, then the right one`() {
    play(
      .terminal,
      raceOnTerminal + [
        .readerDidNotMatch → .hint(.notRecognised, reader: .start),
        .readerMatched → .check,
        .accountAllowed → .end(.success),
      ])
  }

  @Test(arguments: 1...6) func `the reader starts as often as there are tries`(tries: Int) {
    var machine = Setting.terminal.with { $0.readerTries = tries }.makeEvaluation()
    _ = machine.begin(now: 0)
    _ = machine.receive(.readerReady(.press), now: 0)
    var starts = machine.receive(.promptShown, now: 0).reader == .start ? 1 : 0
    while machine.receive(.readerDidNotMatch, now: 0).reader == .start { starts += 1 }
    #expect(starts == tries)
  }
}

@Suite struct `After a match` {
  @Test(arguments: [Outcome.accountRefused, .passcodeExpired, .passcodeUnavailable, .authenticationFailed])
  func `an account that is refused ends it with that reason`(why: Outcome) {
    let machine = play(
      .terminal, raceOnTerminal + [.readerMatched → .check, .accountRefused(why) → .end(why)])
    #expect(machine.mechanism == .none)
  }

  @Test func `a refusal that calls itself success is none`() {
    let machine = play(
      .terminal,
      raceOnTerminal + [.readerMatched → .check, .accountRefused(.success) → .end(.systemCancel)])
    #expect(machine.mechanism == .none)
  }

  @Test func `a passcode found wrong meanwhile does not undo it`() {
    let machine = play(
      .terminal,
      raceOnTerminal + [
        .passcodeTyped → .verify,
        .readerMatched → .check,
        .passcodeRefused(.authenticationFailed) → .none,
        .accountAllowed → .end(.success),
      ])
    #expect(machine.mechanism == .biometry)
  }

  @Test func `a passcode found wrong meanwhile does not save it`() {
    play(
      .terminal,
      raceOnTerminal + [
        .passcodeTyped → .verify,
        .readerMatched → .check,
        .passcodeRefused(.authenticationFailed) → .none,
        .accountRefused(.accountRefused) → .end(.accountRefused),
      ])
  }

  @Test(arguments: [Setting.terminal, .stack]) func `what is typed while it is looked at is dropped`(setting: Setting) {
    play(
      setting,
      raceOnTerminal + [
        .readerMatched → .check,
        .passcodeTyped → .none,
        .emptyPasscodeTyped → .none,
        .accountAllowed → .end(.success),
      ])
  }

  @Test func `the reader's time and the reader's end are over`() {
    play(
      .terminal,
      raceOnTerminal + [
        .readerMatched → .check,
        .readerLost → .none,
        .readerDidNotMatch → .none,
        .after(30_000) → .none,
        .accountAllowed → .end(.success),
      ])
  }
}
