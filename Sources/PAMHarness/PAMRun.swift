/// What came of a transaction. A test passes when `problems` is empty:
///
///     #expect(run.problems.isEmpty, "\(run)")
public struct PAMRun: Sendable {
  /// The code of each call, in order; empty when pam_start(3) failed.
  public internal(set) var results: [PAMResult] = []
  /// Everything said and done, a line each; what is a problem starts with `!`. Answers are in it as typed, so that a
  /// script is no place for a real password.
  public internal(set) var transcript: [String] = []
  /// What was not as the script and the calls say. Empty is a pass.
  public internal(set) var problems: [String] = []
  /// Messages that no step of the script fits: `hidden "Password: "`. Each is a problem too.
  public internal(set) var unexpectedMessages: [String] = []
  /// Steps whose message never came. Each is a problem too.
  public internal(set) var unusedSteps: [ScriptStep] = []
  /// The delay after each failed call for which a module asked for one with pam_fail_delay(3). libpam takes the
  /// longest that was asked for and spreads it at random from a half to one and a half of that; nobody waited for it
  /// unless `PAMTransaction.waitsForDelays` is set, and then nothing is recorded.
  public internal(set) var delays: [Duration] = []
  /// PAM_USER at the end; nil when no module asked for a name.
  public internal(set) var user: String?
  /// The PAM environment at the end: pam_getenvlist(3).
  public internal(set) var environment: [String] = []

  /// The first result, for transactions of one call.
  public var result: PAMResult? { results.first }
}

extension PAMRun: CustomStringConvertible {
  /// Problems first, then the transcript; for the comment of a failing test.
  public var description: String {
    let verdict = problems.isEmpty ? ["as scripted"] : problems.map { "problem: " + $0 }
    return (verdict + ["transcript:"] + transcript.map { "  " + $0 }).joined(separator: "\n")
  }
}
