import AuthenticationCore
import Testing

@Suite struct `Time` {
  @Test func `ends everything when the total budget is used up`() {
    play(
      .terminal,
      raceOnTerminal + [
        .after(30_000) → .hint(.readerTimedOut, reader: .stop),
        .after(89_999) → .none,
        .after(1) → .end(.systemCancel),
      ])
  }

  @Test func `ends a passcode that is still being verified`() {
    play(
      .passcodeOnly,
      [
        .begin → .ask(.passcode),
        .promptShown → .none,
        .passcodeTyped → .verify,
        .after(120_000) → .end(.systemCancel),
        .passcodeAccepted → .none,
      ])
  }

  @Test func `ends a match whose account is still being looked at`() {
    play(
      .terminal,
      raceOnTerminal + [
        .readerMatched → .check,
        .after(120_000) → .end(.systemCancel),
        .accountAllowed → .none,
      ])
  }

  @Test func `ends a front end that does not show the prompt, and stops the reader`() {
    play(
      .terminal,
      [
        .begin → .reader(.probe),
        .readerReady(.press) → .ask(.passcodeOrFinger),
        .after(9_999) → .none,
        .after(1) → .end(.systemCancel, reader: .stop),
      ])
  }

  @Test func `does not count against a prompt that is shown`() {
    play(.passcodeOnly, [.begin → .ask(.passcode), .promptShown → .none, .after(10_000) → .none])
  }

  @Test func `is due at the nearest deadline`() {
    var machine = Setting.terminal.makeEvaluation()
    _ = machine.begin(now: 1_000)
    #expect(machine.nextDeadline == 1_500)
    _ = machine.receive(.readerReady(.press), now: 1_100)
    #expect(machine.nextDeadline == 11_100)
    _ = machine.receive(.promptShown, now: 1_200)
    #expect(machine.nextDeadline == 31_200)
    _ = machine.receive(.readerMatched, now: 1_300)
    #expect(machine.nextDeadline == 121_000)
  }
}

@Suite struct `A cancel` {
  @Test(arguments: [Outcome.userCancel, .appCancel, .systemCancel, .userFallback])
  func `ends with its own kind and stops the reader`(why: Outcome) {
    play(.terminal, raceOnTerminal + [.cancelled(why) → .end(why, reader: .stop)])
  }

  @Test(arguments: [Outcome.userCancel, .userFallback])
  func `while the reader is probed stops it as well`(why: Outcome) {
    play(.terminal, [.begin → .reader(.probe), .cancelled(why) → .end(why, reader: .stop)])
  }

  @Test func `without a reader stops none`() {
    play(.passcodeOnly, [.begin → .ask(.passcode), .cancelled(.userCancel) → .end(.userCancel)])
  }

  @Test func `beats a passcode that is being verified`() {
    play(
      .passcodeOnly,
      [
        .begin → .ask(.passcode),
        .promptShown → .none,
        .passcodeTyped → .verify,
        .cancelled(.userCancel) → .end(.userCancel),
        .passcodeAccepted → .none,
      ])
  }

  @Test func `that calls itself success is none`() {
    play(.terminal, raceOnTerminal + [.cancelled(.success) → .end(.systemCancel, reader: .stop)])
  }
}

@Test func `an evaluation of no factor ends at once`() {
  play(Setting(finger: false, passcode: false), [.begin → .end(.biometryNotAvailable)])
}
