/// What came of a transaction.
public struct PAMRun: Sendable {
  /// The code of each call, in order; calls after pam_start(3) failed are missing.
  public internal(set) var results: [PAMResult] = []
  /// Everything said and done, a line each; to be printed where a test fails.
  public internal(set) var transcript: [String] = []
  /// What was not as the script and the calls say. Empty is a pass.
  public internal(set) var problems: [String] = []
  /// The delay that modules asked for, pam_fail_delay(3), after each failed call; nobody waited for it.
  public internal(set) var delays: [Duration] = []
  /// PAM_USER at the end.
  public internal(set) var user: String?
  /// The PAM environment at the end: pam_getenvlist(3).
  public internal(set) var environment: [String] = []

  /// The first result, for transactions of one call.
  public var result: PAMResult? { results.first }
}
