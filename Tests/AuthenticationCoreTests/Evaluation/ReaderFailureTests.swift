import AuthenticationCore
import Testing

@Suite struct `A reader that fails` {
  @Test func `none at all: the passcode at once`() {
    play(
      .terminal,
      [
        .begin → .reader(.probe),
        .readerUnavailable(.biometryNotAvailable) → .ask(.passcode),
        .promptShown → .none,
        .passcodeTyped → .verify,
        .passcodeAccepted → .end(.success),
      ])
  }

  @Test func `unplugged while it listens: a hint, and the prompt stays`() {
    play(
      .terminal,
      raceOnTerminal + [
        .readerLost → .hint(.readerGone),
        .readerMatched → .none,
        .passcodeTyped → .verify,
        .passcodeAccepted → .end(.success),
      ])
  }

  @Test func `unplugged while the passcode is verified: the passcode decides`() {
    play(
      .terminal,
      raceOnTerminal + [
        .passcodeTyped → .verify,
        .readerLost → .hint(.readerGone),
        .passcodeAccepted → .end(.success),
      ])
  }

  @Test func `gone between ready and shown: the prompt stays, the reader is not started`() {
    play(
      .terminal,
      [
        .begin → .reader(.probe),
        .readerReady(.press) → .ask(.passcodeOrFinger),
        .readerUnavailable(.biometryNotAvailable) → .none,
        .promptShown → .none,
        .readerMatched → .none,
      ])
  }

  @Test func `hung at the probe: the prompt goes out after 500 ms, and the reader joins later`() {
    let machine = play(
      .terminal,
      [
        .begin → .reader(.probe),
        .after(499) → .none,
        .after(1) → .ask(.passcode),
        .promptShown → .none,
        .readerReady(.press) → .hint(.readerReady, reader: .start),
        .readerMatched → .check,
        .accountAllowed → .end(.success),
      ])
    #expect(machine.mechanism == .biometry)
  }

  @Test func `a reader that joins before the prompt is shown starts with it`() {
    play(
      .terminal,
      [
        .begin → .reader(.probe),
        .after(500) → .ask(.passcode),
        .readerReady(.press) → .none,
        .promptShown → .hint(.readerReady, reader: .start),
      ])
  }

  @Test func `a hung reader that turns out unusable behind the prompt says nothing`() {
    play(
      .terminal,
      [
        .begin → .reader(.probe),
        .after(500) → .ask(.passcode),
        .promptShown → .none,
        .readerUnavailable(.biometryNotAvailable) → .none,
        .readerReady(.press) → .none,
      ])
  }

  @Test func `hung for good: the passcode still decides, and the reader is stopped`() {
    play(
      .terminal,
      [
        .begin → .reader(.probe),
        .after(500) → .ask(.passcode),
        .promptShown → .none,
        .passcodeTyped → .verify,
        .passcodeAccepted → .end(.success, reader: .stop),
      ])
  }

  @Test func `hung where it cannot join later: stopped after two seconds, and the passcode alone`() {
    play(
      .sequential,
      [
        .begin → .reader(.probe),
        .after(1_999) → .none,
        .after(1) → .ask(.passcode, reader: .stop),
        .readerReady(.press) → .none,
        .promptShown → .none,
        .readerMatched → .none,
      ])
  }

  @Test func `hung, and there is no passcode: the end after two seconds`() {
    play(
      .fingerOnly,
      [
        .begin → .reader(.probe),
        .after(2_000) → .end(.biometryNotAvailable, reader: .stop),
      ])
  }

  @Test func `nobody uses it for 30 s: stopped, and the prompt stays`() {
    play(
      .terminal,
      raceOnTerminal + [
        .after(29_999) → .none,
        .after(1) → .hint(.readerTimedOut, reader: .stop),
        .readerMatched → .none,
        .passcodeTyped → .verify,
        .passcodeAccepted → .end(.success),
      ])
  }

  @Test func `wrong fingers do not lengthen its time`() {
    play(
      .terminal,
      raceOnTerminal + [
        .after(29_000) → .none,
        .readerDidNotMatch → .hint(.notRecognised, reader: .start),
        .after(1_000) → .hint(.readerTimedOut, reader: .stop),
      ])
  }
}
