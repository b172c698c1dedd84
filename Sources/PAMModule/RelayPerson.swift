import AuthenticationCore
import CPAM
import HelperProtocol
import SecretBytes
import SystemInterface

/// What the person is asked, and does.
extension Relay {
  /// What the person must see to use the reader: through the conversation, or on the terminal where the host
  /// forbids messages.
  mutating func tell(_ text: borrowing MessageText, _ signals: borrowing HeldSignals) {
    if request.isSilent { terminal?.write(line: text) } else { say(PAM_TEXT_INFO, text, signals) }
  }

  /// A message without an answer, unless the host forbids them: PAM_SILENT.
  func say(_ style: CInt, _ text: borrowing MessageText, _ signals: borrowing HeldSignals) {
    guard !request.isSilent, let conversation = host.conversation() else { return }
    signals.useHostMask()
    _ = conversation.send(style, text) { _ in }
    signals.holdAgain()
  }

  mutating func shown() -> Conclusion? { send(.shown, FrameWriter(.shown), count: 0) }

  /// Gets an answer to `prompt`, from whoever may give it.
  mutating func askPerson(
    _ style: CInt, _ text: borrowing MessageText, _ signals: borrowing HeldSignals
  ) -> Conclusion? {
    if promptsNobody { return answerGiven() }
    guard let conversation = host.conversation(), let secret = SecretBytes() else {
      return cancel(.system, .fault(.noConversation))
    }
    if request.interaction == .concurrent { return askInChild(conversation, style, text, secret, signals) }
    return askHere(conversation, style, text, secret, signals)
  }

  /// The first prompt for the passcode is answered by the one that was given; nothing else is.
  private mutating func answerGiven() -> Conclusion? {
    guard prompt == .passcode, let secret = given.take() else {
      return cancel(.system, .decided(.notInteractive, .none))
    }
    if let end = shown() { return end }
    return answered(.done, secret)
  }

  private mutating func askInChild(
    _ conversation: Conversation, _ style: CInt, _ text: borrowing MessageText, _ secret: consuming SecretBytes,
    _ signals: borrowing HeldSignals
  ) -> Conclusion? {
    child = ConversationChild.start(
      conversation, style, text, signals: signals, channel: channel.raw, terminal: terminal?.raw)
    if child == nil { return cancel(.system, .fault(.noConversation)) }
    typed = consume secret
    watchesEnding = true
    watchesStopping = true
    return prompt == .passcode ? shown() : nil
  }

  /// Blocks until the person has answered; the helper waits, and its last word is read afterwards.
  private mutating func askHere(
    _ conversation: Conversation, _ style: CInt, _ text: borrowing MessageText, _ secret: consuming SecretBytes,
    _ signals: borrowing HeldSignals
  ) -> Conclusion? {
    if prompt == .passcode, let end = shown() { return end }
    var secret = secret
    signals.useHostMask()
    let end = conversation.send(style, text) { secret.append(contentsOf: $0) }
    signals.holdAgain()
    return answered(end, secret)
  }

  /// The child has written, or is gone.
  mutating func personTyped() -> Conclusion? {
    guard var secret = typed.take() else { return nil }
    switch child?.read(into: &secret) {
    case .ended(let end):
      child = nil
      watchesEnding = true
      watchesStopping = true
      isStopAwaited = false
      return answered(end, secret)
    case .open, nil:
      typed = consume secret
      return nil
    }
  }

  private mutating func answered(_ end: ConversationEnd, _ secret: consuming SecretBytes) -> Conclusion? {
    let asked = prompt
    prompt = .none
    switch end {
    case .done where !secret.overflowed: return asked == .passcode ? deliver(secret) : answer(secret)
    // Longer than any passcode: wrong, and never cut to one that might be right.
    case .done, .tooLong: return cancel(.system, .decided(.authenticationFailed, .none))
    case .cancelled: return cancel(.user, .decided(.userCancel, .none))
    case .unavailable: return cancel(.system, .fault(.noConversation))
    }
  }

  /// A passcode goes to the helper, or under `passcode=stack` to the modules after ours.
  private mutating func deliver(_ secret: consuming SecretBytes) -> Conclusion? {
    let end =
      request.way == .stack ? cancel(.fallback, .decided(.userFallback, .none)) : answer(secret)
    passcode = consume secret
    return end
  }

  private mutating func answer(_ secret: borrowing SecretBytes) -> Conclusion? {
    secret.withBytes { send(answer: $0) }
  }

  /// A held signal that ends a prompt is there. It stays pending, and the host gets it when we are done.
  mutating func endingCame(_ signals: borrowing HeldSignals) -> Conclusion? {
    guard let ending = signals.pendingEnding(isPrompting: child != nil) else {
      watchesEnding = false
      return nil
    }
    // sudo's conversation ends itself, and tidies up better than we could.
    if let ends = child?.ends(within: 100), ends { return nil }
    switch ending {
    case .person: return cancel(.user, .decided(.userCancel, .none))
    case .system: return cancel(.system, .fault(.hostEnding))
    }
  }

  /// SIGTSTP is pending. The host stops when its prompt has: sudo's at once, misc_conv(3)'s once it has read a line,
  /// as it does without us. After `fg` both go on.
  mutating func stoppingCame(_ signals: borrowing HeldSignals) {
    watchesStopping = false
    isStopAwaited = child != nil
    if isStopAwaited, !(child?.hasStopped() ?? true) { return }
    signals.useHostMask()
    child?.goOn()
    signals.holdAgain()
    watchesStopping = true
    isStopAwaited = false
  }
}
