import AuthenticationCore
import HelperProtocol
import SecretBytes
import SystemInterface

/// Carries the helper's prompts to the person and the answers back, until there is a verdict.
///
/// It decides nothing: the helper does. It believes a success only by `Verdict.admits`.
struct Relay: ~Copyable {
  /// Milliseconds that the helper may take to say anything, and that a request may take.
  enum Limits {
    static var firstFrame: UInt64 { 3_000 }
    static var total: UInt64 { 125_000 }
    /// A confirmation, which nobody waits for but the host.
    static var confirmation: UInt64 { 5_000 }
    static var send: UInt64 { 1_000 }
    /// How often it is looked whether a prompt has stopped, while it is expected to.
    static var stopLook: UInt64 { 50 }
  }

  /// What is being asked of the person, outside of a call of the conversation.
  enum Prompt: Equatable { case none, passcode, inquiry }

  let host: PAMHost
  let request: Request
  var channel: FrameChannel
  var terminal: Terminal?
  var order = SessionOrder()
  var prompt = Prompt.none
  var child: ConversationChild?
  /// The words of the prompt that is open, for the line after a hint.
  var promptText = MessageText()
  /// What is being typed in the child.
  var typed: SecretBytes?
  /// PAM_AUTHTOK of a module before ours, until it is the answer.
  var given: SecretBytes?
  /// Only what was given may answer: there is nobody to ask.
  let promptsNobody: Bool
  /// The passcode that was answered with, for the modules after ours.
  var passcode: SecretBytes?
  var hasHeard = false
  /// A held signal that is pending, and seen to, is not waited for: its descriptor stays ready.
  var watchesEnding = true
  var watchesStopping = true
  /// SIGTSTP is pending, and the prompt has not stopped yet: misc_conv(3) does when it has read its line.
  var isStopAwaited = false

  init(
    host: PAMHost, request: consuming Request, channel: consuming FrameChannel, terminal: consuming Terminal?,
    given: consuming SecretBytes?
  ) {
    self.host = host
    self.request = request
    self.channel = channel
    self.terminal = terminal
    promptsNobody = given != nil
    self.given = given
  }

  mutating func run(_ signals: borrowing HeldSignals) -> Conclusion {
    let started = Clock.now()
    var conclusion = send(.hello, request.hello(), count: 0)
    while conclusion == nil {
      let total = request.purpose == .confirm ? Limits.confirmation : Limits.total
      let deadline = started &+ (hasHeard ? total : Limits.firstFrame)
      conclusion = wait(signals, until: deadline)
    }
    takePromptAway()
    return conclusion ?? .fault(.silent)
  }

  /// One turn. The helper is heard before the person: a verdict that is there makes an answer too late.
  private mutating func wait(_ signals: borrowing HeldSignals, until deadline: UInt64) -> Conclusion? {
    var set = PollSet()
    set.watch(0, channel.raw)
    set.watch(1, child?.raw)
    set.watch(2, watchesEnding ? signals.endingRaw : nil)
    set.watch(3, watchesStopping ? signals.stoppingRaw : nil)
    do throws(SystemError) {
      _ = try set.wait(until: isStopAwaited ? min(deadline, Clock.now() &+ Limits.stopLook) : deadline)
    } catch {
      return .fault(.system(error))
    }
    if set.isReady(0), let end = helperSpoke(signals) { return end }
    if set.isReady(1), let end = personTyped() { return end }
    if set.isReady(2), let end = endingCame(signals) { return end }
    if set.isReady(3) || isStopAwaited { stoppingCame(signals) }
    return Clock.now() >= deadline ? .fault(.silent) : nil
  }

  /// A prompt that nobody answered is killed, and the terminal is as before.
  private mutating func takePromptAway() {
    let isOpen = child.take() != nil
    terminal?.restore(endLine: isOpen)
  }

  mutating func send(_ type: FrameType, _ frame: consuming FrameWriter, count: Int) -> Conclusion? {
    if let end = takeTurn(type, count: count) { return end }
    do throws(ChannelFailure) {
      try channel.send(frame, until: Clock.now() &+ Limits.send)
      return nil
    } catch {
      return Self.conclusion(error)
    }
  }

  /// An answer goes out from the page it is in, so that no copy of it stays in the host.
  mutating func send(answer: Span<UInt8>) -> Conclusion? {
    if let end = takeTurn(.answer, count: answer.count) { return end }
    do throws(ChannelFailure) {
      try channel.send(.answer, secret: answer, until: Clock.now() &+ Limits.send)
      return nil
    } catch {
      return Self.conclusion(error)
    }
  }

  private mutating func takeTurn(_ type: FrameType, count: Int) -> Conclusion? {
    do throws(ProtocolFailure) {
      try order.frontEnd(type, count: count)
      return nil
    } catch {
      return .fault(.malformed(error))
    }
  }

  /// A helper that is gone may have left its last word to be read.
  private static func conclusion(_ failure: ChannelFailure) -> Conclusion? {
    failure == .closed ? nil : .fault(Fault(failure))
  }

  mutating func cancel(_ reason: CancelReason, _ conclusion: Conclusion) -> Conclusion {
    _ = send(.cancel, reason.frame(), count: 1)
    return conclusion
  }
}
