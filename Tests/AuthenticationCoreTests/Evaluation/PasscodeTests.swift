import AuthenticationCore
import Testing

@Suite struct `The passcode` {
  private let prompted: [Line] = [.begin → .ask(.passcode), .promptShown → .none]

  @Test func `alone, and right`() {
    let machine = play(
      .passcodeOnly, prompted + [.passcodeTyped → .verify, .passcodeAccepted → .end(.success)])
    #expect(machine.mechanism == .passcode)
  }

  @Test(arguments: [PasscodeWay.helper, .stack], [Hint.readerLocked, .fingersChanged])
  func `is asked for with the reason why the reader waits`(way: PasscodeWay, notice: Hint) {
    var machine = Evaluation(
      finger: false, passcode: true, interaction: .concurrent, way: way, limits: EvaluationLimits(), notice: notice)
    #expect(machine.begin(now: 0) == Evaluation.Step(hint: notice, ask: .passcode))
    #expect(machine.receive(.promptShown, now: 1) == .none)
    let typed = machine.receive(.passcodeTyped(empty: false), now: 2)
    #expect(typed == (way == .stack ? Evaluation.Step(end: .userFallback) : Evaluation.Step(verifyPasscode: true)))
  }

  @Test func `is not taken before the prompt is shown`() {
    play(.passcodeOnly, [.begin → .ask(.passcode), .passcodeTyped → .none, .passcodeAccepted → .none])
  }

  @Test func `is not accepted before one was typed`() {
    play(.passcodeOnly, prompted + [.passcodeAccepted → .none, .passcodeRefused(.authenticationFailed) → .none])
  }

  @Test func `is verified once, however often it is sent`() {
    play(.passcodeOnly, prompted + [.passcodeTyped → .verify, .passcodeTyped → .none])
  }

  @Test(arguments: [Setting.passcodeOnly, .passcodeOnly.with { $0.passcodeTries = 3 }])
  func `that is empty fails and is never verified`(setting: Setting) {
    play(setting, prompted + [.emptyPasscodeTyped → .end(.authenticationFailed)])
  }

  @Test(arguments: Outcome.allCases) func `that is refused ends with the reason, never with success`(why: Outcome) {
    let end = why == .success ? Outcome.passcodeUnavailable : why
    let machine = play(
      .passcodeOnly, prompted + [.passcodeTyped → .verify, .passcodeRefused(why) → .end(end)])
    #expect(machine.mechanism == .none)
  }

  @Test func `may be wrong as often as there are tries`() {
    play(
      .passcodeOnly.with { $0.passcodeTries = 3 },
      prompted + [
        .passcodeTyped → .verify,
        .passcodeRefused(.authenticationFailed) → .ask(.passcode),
        .passcodeTyped → .none,
        .promptShown → .none,
        .passcodeTyped → .verify,
        .passcodeRefused(.authenticationFailed) → .ask(.passcode),
        .promptShown → .none,
        .passcodeTyped → .verify,
        .passcodeRefused(.authenticationFailed) → .end(.triesExhausted),
      ])
  }

  @Test func `wrong beside a reader that listens is asked for again with it`() {
    play(
      .terminal.with { $0.passcodeTries = 2 },
      raceOnTerminal + [
        .passcodeTyped → .verify,
        .passcodeRefused(.authenticationFailed) → .ask(.passcodeOrFinger),
        .promptShown → .none,
        .readerMatched → .check,
      ])
  }

  @Test func `wrong in its only try stops the reader`() {
    play(
      .terminal,
      raceOnTerminal + [
        .passcodeTyped → .verify,
        .passcodeRefused(.authenticationFailed) → .end(.authenticationFailed, reader: .stop),
      ])
  }

  @Test func `refused without a verdict is not asked for again`() {
    play(
      .passcodeOnly.with { $0.passcodeTries = 3 },
      prompted + [
        .passcodeTyped → .verify, .passcodeRefused(.passcodeUnavailable) → .end(.passcodeUnavailable),
      ])
  }
}
