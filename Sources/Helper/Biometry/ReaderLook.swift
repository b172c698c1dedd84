import AuthenticationCore
import SystemInterface

/// Whether there is a reader and a finger for it, found out without opening it.
enum ReaderLook {
  /// Takes two seconds at the most.
  static func find(for user: FixedText) -> (BiometryState, StaticString) {
    guard var reader = ReaderProcess.start(user: user, look: true) else {
      return (.notAvailable, ReaderFault.broken.detail)
    }
    let deadline = Clock.now() &+ 2_000
    var found = (BiometryState.notAvailable, ReaderFault.silent.detail)
    if let heard = try? PollSet.wait(for: reader.raw, events: PollSet.readable, until: deadline), heard,
      case .message(let message) = reader.receive()
    {
      found = state(message)
    }
    reader.finish(milliseconds: 0)
    return found
  }

  private static func state(_ message: ReaderMessage) -> (BiometryState, StaticString) {
    switch message {
    case .ready: (.available, "")
    case .unavailable(let fault): (fault == .notEnrolled ? .notEnrolled : .notAvailable, fault.detail)
    default: (.notAvailable, ReaderFault.broken.detail)
    }
  }
}
