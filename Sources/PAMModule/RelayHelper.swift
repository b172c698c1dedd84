import AuthenticationCore
import CPAM
import HelperProtocol
import SystemInterface

/// A coded text of the helper.
struct Said: ~Copyable {
  let code: CInt
  let text: MessageText
}

extension Policy {
  /// Whether this policy may succeed with that factor.
  func admits(_ mechanism: Mechanism) -> Bool {
    switch mechanism {
    case .none: false
    case .biometry: self != .companion
    case .passcode: allowsPasscode
    }
  }
}

/// What the helper says.
extension Relay {
  mutating func helperSpoke(_ signals: borrowing HeldSignals) -> Conclusion? {
    do throws(ChannelFailure) {
      while let header = try channel.receive() {
        hasHeard = true
        if let end = received(header, signals) { return end }
        channel.next()
      }
      return nil
    } catch {
      return .fault(Fault(error))
    }
  }

  private mutating func received(_ header: FrameHeader, _ signals: borrowing HeldSignals) -> Conclusion? {
    do throws(ProtocolFailure) {
      switch header.type {
      case .ask: return try ask(header, signals)
      case .hint: return try hint(header, signals)
      case .inquire: return try inquire(header, signals)
      case .notice: return try notice(header, signals)
      case .verdict: return try verdict(header)
      case .hello, .shown, .answer, .cancel: throw .outOfOrder
      }
    } catch {
      return .fault(.malformed(error))
    }
  }

  private mutating func ask(
    _ header: FrameHeader, _ signals: borrowing HeldSignals
  ) throws(ProtocolFailure) -> Conclusion? {
    var text = MessageText()
    var words = MessageText()
    let ask = try channel.withPayload { payload throws(ProtocolFailure) -> Ask? in
      let message = try AskMessage(parsing: payload)
      let request = payload.extracting(message.request.range(of: payload.count))
      words.append(payload.extracting(message.prompt.range(of: payload.count)))
      text.append(request)
      if !request.isEmpty { text.append("\n") }
      text.append(words)
      return Ask(rawValue: message.ask)
    }
    guard let ask, prompt == .none else { throw .badValue }
    try order.helper(.ask, count: header.count, wantsPasscode: ask.wantsPasscode)
    if ask == .finger {
      tell(text, signals)
      return shown()
    }
    prompt = .passcode
    promptText = words
    return askPerson(PAM_PROMPT_ECHO_OFF, text, signals)
  }

  private mutating func hint(
    _ header: FrameHeader, _ signals: borrowing HeldSignals
  ) throws(ProtocolFailure) -> Conclusion? {
    try order.helper(.hint, count: header.count)
    var text = MessageText()
    var words = MessageText()
    try channel.withPayload { payload throws(ProtocolFailure) in
      let message = try HintMessage(parsing: payload)
      text.append(payload.extracting(message.text.range(of: payload.count)))
      words.append(payload.extracting(message.prompt.range(of: payload.count)))
    }
    // Under an open prompt the conversation is busy in the child; without a terminal the hint is lost.
    if child == nil {
      tell(text, signals)
    } else {
      if prompt == .passcode { promptText = words }
      terminal?.write(hint: text, prompt: promptText)
    }
    return nil
  }

  private mutating func inquire(
    _ header: FrameHeader, _ signals: borrowing HeldSignals
  ) throws(ProtocolFailure) -> Conclusion? {
    let said = try message(header)
    let isPrompt = said.code == PAM_PROMPT_ECHO_OFF || said.code == PAM_PROMPT_ECHO_ON
    guard prompt == .none, isPrompt else { throw .badValue }
    prompt = .inquiry
    promptText = MessageText()
    promptText.append(said.text)
    return askPerson(said.code, said.text, signals)
  }

  private mutating func notice(
    _ header: FrameHeader, _ signals: borrowing HeldSignals
  ) throws(ProtocolFailure) -> Conclusion? {
    let said = try message(header)
    guard said.code == PAM_ERROR_MSG || said.code == PAM_TEXT_INFO else { throw .badValue }
    if child == nil { say(said.code, said.text, signals) }
    return nil
  }

  private mutating func message(_ header: FrameHeader) throws(ProtocolFailure) -> Said {
    try order.helper(header.type, count: header.count)
    return try channel.withPayload { payload throws(ProtocolFailure) -> Said in
      let message = try TextMessage(parsing: payload)
      var text = MessageText()
      text.append(payload.extracting(message.text.range(of: payload.count)))
      return Said(code: CInt(message.code), text: text)
    }
  }

  private mutating func verdict(_ header: FrameHeader) throws(ProtocolFailure) -> Conclusion? {
    try order.helper(.verdict, count: header.count)
    let verdict = try channel.withPayload(Verdict.init(parsing:))
    guard verdict.answers(request.nonce), let outcome = Outcome(rawValue: verdict.outcome),
      let mechanism = Mechanism(rawValue: verdict.mechanism)
    else { return .fault(.foreignVerdict) }
    if outcome != .success { return .decided(outcome, mechanism) }
    // The only success there is. The factor has to be one that was asked for.
    guard verdict.admits(request.nonce), request.policy.admits(mechanism) else { return .fault(.foreignVerdict) }
    return .decided(.success, mechanism)
  }
}
