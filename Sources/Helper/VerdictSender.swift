import AuthenticationCore
import HelperProtocol
import SystemInterface

/// The last frame of a session, and its line in the log.
enum VerdictSender {
  static func send(
    _ client: borrowing FrameChannel, _ request: Request, _ caller: borrowing Caller, _ user: FixedText?,
    _ verdict: (outcome: Outcome, mechanism: Mechanism), _ detail: StaticString
  ) {
    var text = Line()
    text.append(detail)
    let frame = text.withBytes {
      Verdict.frame(
        nonce: request.nonce, outcome: verdict.outcome.rawValue, mechanism: verdict.mechanism.rawValue, retryAfter: 0,
        detail: $0)
    }
    do throws(ChannelFailure) {
      try client.send(frame, until: Clock.now() &+ 500)
    } catch {
      // Nobody hears it any more.
    }
    log(request, caller, user, verdict, detail)
  }

  /// What an evaluation came to, also where nobody waits for the verdict any more.
  ///
  /// `key=value`, one line; never a passcode, and no reason, which is the asking program's own text.
  static func log(
    _ request: Request, _ caller: borrowing Caller, _ user: FixedText?,
    _ verdict: (outcome: Outcome, mechanism: Mechanism), _ detail: StaticString
  ) {
    guard request.purpose == .evaluate else { return }
    var line = Line()
    line.append("localauth: service=")
    line.append(word: request.service)
    line.append(" user=")
    if let user { line.append(word: user) }
    line.append(" uid=")
    line.append(request.origin ?? caller.uid)
    line.append(" pid=")
    line.append(caller.pid)
    line.append(" outcome=")
    line.append(verdict.outcome.name)
    line.append(" mechanism=")
    line.append(verdict.mechanism.name)
    if detail.utf8CodeUnitCount > 1 {
      line.append(" detail=\"")
      line.append(detail)
      line.append("\"")
    }
    Log.notice(line)
  }
}
