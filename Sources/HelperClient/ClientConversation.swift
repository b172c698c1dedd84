internal import AuthenticationCore
internal import HelperProtocol
private import SecretBytes
internal import SystemInterface

/// The front end's side of one session.
struct ClientConversation: ~Copyable {
  private var channel: FrameChannel
  private let nonce: Nonce
  private let purpose: Hello.Purpose
  private let prompter: (any Prompter)?
  private var order = SessionOrder()

  init(channel: consuming FrameChannel, nonce: Nonce, purpose: Hello.Purpose, prompter: (any Prompter)?) {
    self.channel = channel
    self.nonce = nonce
    self.purpose = purpose
    self.prompter = prompter
  }

  /// The helper's own bound is 120 s.
  private static var patience: UInt64 { 125_000 }

  mutating func run(_ request: HelperRequest, interaction: Interaction) -> HelperVerdict {
    let deadline = Clock.now() + Self.patience
    do throws(ChannelFailure) {
      try send(hello(request, interaction))
      while true {
        while let header = try channel.receive() {
          let verdict = try take(header)
          channel.next()
          if let verdict { return verdict }
        }
        guard try wait(until: deadline) else {
          return HelperVerdict(outcome: .systemCancel, detail: "no verdict in time")
        }
      }
    } catch {
      return HelperVerdict(outcome: .systemCancel, detail: Self.detail(error))
    }
  }

  private static func detail(_ failure: ChannelFailure) -> String {
    switch failure {
    case .closed: "localauth-helper ended without a verdict"
    case .malformed: "localauth-helper sent what is no message"
    case .slow: "localauth-helper does not read"
    case .system(let error): "the connection to localauth-helper failed: errno \(error.code)"
    }
  }

  private func hello(_ request: HelperRequest, _ interaction: Interaction) -> FrameWriter {
    var hello = Hello(nonce: nonce)
    hello.purpose = purpose
    hello.policy = request.policy.rawValue
    hello.interaction = interaction.rawValue
    hello.readerSeconds = request.readerSeconds
    var frame = hello.begin()
    for (text, most) in [
      (request.service, FrameLimits.name), (request.target, FrameLimits.name), ("", 0), ("", 0),
      (request.reason, FrameLimits.text),
    ] {
      frame.put(cleaned: text.utf8.span, most: most)
    }
    return frame
  }

  private mutating func send(_ frame: consuming FrameWriter, _ type: FrameType = .hello, count: Int = 0)
    throws(ChannelFailure)
  {
    try takeTurn(type, count: count)
    try channel.send(frame, until: Clock.now() + 1_000)
  }

  private mutating func takeTurn(_ type: FrameType, count: Int) throws(ChannelFailure) {
    do throws(ProtocolFailure) { try order.frontEnd(type, count: count) } catch { throw .malformed(error) }
  }

  /// Waits for the helper or the person; false at the deadline.
  private mutating func wait(until deadline: UInt64) throws(ChannelFailure) -> Bool {
    var set = PollSet()
    set.watch(0, channel.raw)
    set.watch(1, order.mayAnswer || prompter != nil ? prompter?.descriptor : nil)
    set.watch(2, prompter?.signals)
    do throws(SystemError) {
      _ = try set.wait(until: deadline)
    } catch {
      throw .system(error)
    }
    if set.isReady(1) || set.isReady(2), let prompter { try pass(prompter.hear()) }
    return Clock.now() < deadline
  }

  private mutating func pass(_ heard: consuming Heard) throws(ChannelFailure) {
    switch consume heard {
    case .nothing: break
    case .cancel: try send(CancelReason.user.frame(), .cancel, count: 1)
    case .answer(let secret):
      guard order.mayAnswer else { return }
      // Longer than any passcode: an empty answer is wrong in the same way, and a cut one might be right.
      if secret.overflowed { return try send(FrameWriter(.answer), .answer) }
      try takeTurn(.answer, count: secret.count)
      try secret.withBytes { bytes throws(ChannelFailure) in
        try channel.send(.answer, secret: bytes, until: Clock.now() &+ 1_000)
      }
    }
  }

  private mutating func take(_ header: FrameHeader) throws(ChannelFailure) -> HelperVerdict? {
    do throws(ProtocolFailure) {
      switch header.type {
      case .ask: try takeAsk(header)
      case .hint: try takeHint(header)
      case .notice, .inquire: try takeText(header)
      case .verdict:
        try order.helper(.verdict, count: header.count)
        return try verdict()
      default: throw .outOfOrder
      }
    } catch {
      throw .malformed(error)
    }
    if header.type == .ask { try send(FrameWriter(.shown), .shown) }
    return nil
  }

  private mutating func takeAsk(_ header: FrameHeader) throws(ProtocolFailure) {
    let (message, request, prompt) = try channel.withPayload { payload throws(ProtocolFailure) in
      let message = try AskMessage(parsing: payload)
      return (message, payload.text(message.request), payload.text(message.prompt))
    }
    guard let ask = Ask(rawValue: message.ask) else { throw .badValue }
    try order.helper(.ask, count: header.count, wantsPasscode: ask.wantsPasscode)
    prompter?.show(ask, request: request, prompt: prompt)
  }

  private mutating func takeHint(_ header: FrameHeader) throws(ProtocolFailure) {
    try order.helper(.hint, count: header.count)
    let (text, prompt) = try channel.withPayload { payload throws(ProtocolFailure) in
      let message = try HintMessage(parsing: payload)
      return (payload.text(message.text), payload.text(message.prompt))
    }
    prompter?.tell(text, prompt: prompt)
  }

  private mutating func takeText(_ header: FrameHeader) throws(ProtocolFailure) {
    try order.helper(header.type, count: header.count)
    let (code, text) = try channel.withPayload { payload throws(ProtocolFailure) in
      let message = try TextMessage(parsing: payload)
      return (message.code, payload.text(message.text))
    }
    // Styles of pam_conv(3): 1 is PAM_PROMPT_ECHO_OFF.
    if header.type == .inquire { prompter?.inquire(text, hidden: code == 1) } else { prompter?.tell(text, prompt: nil) }
  }

  private func verdict() throws(ProtocolFailure) -> HelperVerdict {
    let (verdict, detail) = try channel.withPayload { payload throws(ProtocolFailure) in
      let verdict = try Verdict(parsing: payload)
      return (verdict, payload.text(verdict.detail))
    }
    guard verdict.answers(nonce), let outcome = Outcome(rawValue: verdict.outcome) else { throw .badValue }
    let granted = purpose == .evaluate ? verdict.admits(nonce) : verdict.permits(nonce)
    guard outcome != .success || granted else { throw .badValue }
    return HelperVerdict(
      outcome: outcome, mechanism: Mechanism(rawValue: verdict.mechanism) ?? .none, retryAfter: verdict.retryAfter,
      detail: detail)
  }
}

extension Span<UInt8> {
  /// A text of a payload. The parser has checked that it is UTF-8.
  fileprivate func text(_ range: TextRange) -> String {
    let bytes = extracting(range.range(of: count))
    return String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
  }
}
