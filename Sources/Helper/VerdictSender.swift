import AuthenticationCore
import HelperProtocol
import SystemInterface

/// What a request came to.
struct Conclusion {
  var outcome: Outcome
  var mechanism = Mechanism.none
  /// Seconds until another try makes sense; 0 when any time does.
  var retryAfter: Int64 = 0
  /// What stood in the way, for the log and for developers.
  var detail: StaticString = ""
}

/// The last frame of a session, and its line in the log.
enum VerdictSender {
  static func send(
    _ client: borrowing FrameChannel, _ request: Request, _ caller: borrowing Caller, _ user: FixedText?,
    _ verdict: Conclusion, quietly: Bool = false
  ) {
    var text = Line()
    text.append(verdict.detail)
    let frame = text.withBytes {
      Verdict.frame(
        nonce: request.nonce, outcome: verdict.outcome.rawValue, mechanism: verdict.mechanism.rawValue,
        retryAfter: UInt32(clamping: verdict.retryAfter), detail: $0)
    }
    do throws(ChannelFailure) {
      try client.send(frame, until: Clock.now() &+ 500)
    } catch {
      // Nobody hears it any more.
    }
    if !quietly { log(request, caller, user, verdict) }
  }

  /// What an evaluation came to, also where nobody waits for the verdict any more.
  ///
  /// `key=value`, one line; never a passcode, and no reason, which is the asking program's own text.
  static func log(
    _ request: Request, _ caller: borrowing Caller, _ user: FixedText?, _ verdict: Conclusion
  ) {
    if request.purpose == .preflight { return }
    var line = Line()
    line.append("localauth: service=")
    line.append(word: request.service)
    line.append(" user=")
    if let user { line.append(word: user) }
    line.append(" uid=")
    line.append(request.origin ?? caller.uid)
    line.append(" pid=")
    line.append(caller.pid)
    switch request.purpose {
    case .evaluate, .preflight: break
    case .confirm: line.append(" purpose=confirm")
    case .unlock: line.append(" purpose=unlock")
    }
    line.append(" outcome=")
    line.append(verdict.outcome.name)
    line.append(" mechanism=")
    line.append(verdict.mechanism.name)
    if verdict.retryAfter > 0 {
      line.append(" retry-after=")
      line.append(UInt32(clamping: verdict.retryAfter))
    }
    if verdict.detail.utf8CodeUnitCount > 1 {
      line.append(" detail=\"")
      line.append(verdict.detail)
      line.append("\"")
    }
    Log.notice(line)
  }
}
