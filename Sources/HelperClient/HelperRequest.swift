public import AuthenticationCore

/// What a front end of ours asks the helper. The helper knows who asks; nothing here says so.
public struct HelperRequest: Equatable, Sendable {
  public var policy: Policy
  /// Why, in words for the person; at most 512 bytes, control characters become question marks.
  public var reason: String
  /// Name of the program as the person knows it.
  public var service: String
  /// Seconds that the reader may listen; 0 is the helper's own bound, and more than that is that bound.
  public var readerSeconds: UInt16
  /// The user who is asked about; empty for the one who asks, and only root may name one.
  public var target = ""

  public init(policy: Policy, reason: String, service: String, readerSeconds: UInt16 = 0) {
    self.policy = policy
    self.reason = reason
    self.service = service
    self.readerSeconds = readerSeconds
  }
}

/// The helper's answer.
public struct HelperVerdict: Equatable, Sendable {
  public var outcome: Outcome
  public var mechanism: Mechanism
  /// Seconds until another try makes sense; 0 when any time does.
  public var retryAfter: UInt32
  /// What stood in the way, for a log or a developer.
  public var detail: String

  public init(outcome: Outcome, mechanism: Mechanism = .none, retryAfter: UInt32 = 0, detail: String = "") {
    self.outcome = outcome
    self.mechanism = mechanism
    self.retryAfter = retryAfter
    self.detail = detail
  }
}
