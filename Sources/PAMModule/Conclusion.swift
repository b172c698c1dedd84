import AuthenticationCore
import HelperProtocol
import SystemInterface

/// Why there is no verdict.
enum Fault: Equatable {
  /// The helper ended without one.
  case noVerdict
  /// It said nothing at all, or nothing within the request's time.
  case silent
  case malformed(ProtocolFailure)
  case system(SystemError)
  /// A verdict of another request, or one that cannot be.
  case foreignVerdict
  /// The host's conversation cannot be run.
  case noConversation
  /// A signal told the host to end.
  case hostEnding

  init(_ failure: ChannelFailure) {
    switch failure {
    case .closed, .malformed(.cutOff): self = .noVerdict
    case .malformed(let failure): self = .malformed(failure)
    case .system(let error): self = .system(error)
    case .slow: self = .silent
    }
  }
}

/// What one request came to.
enum Conclusion: Equatable {
  /// The helper's verdict, or what the person did here; success only by the helper's.
  case decided(Outcome, Mechanism)
  case fault(Fault)
}
