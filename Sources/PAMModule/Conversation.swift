import CPAM
import CPlatform

/// How a conversation ended.
enum ConversationEnd: CInt {
  /// For a prompt: what was typed was handed over.
  case done = 0
  /// No answer. misc_conv(3) and sudo's conversation say so on Ctrl-D, sudo's on Ctrl-C as well.
  case cancelled = 1
  /// More than a passcode may have.
  case tooLong = 2
  /// The host cannot talk now: no function, no memory, an event-driven host.
  case unavailable = 3
}

/// The host's conversation function: pam_conv(3).
@safe struct Conversation {
  private let function:
    @convention(c) (
      CInt, UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, UnsafeMutableRawPointer?
    ) -> CInt
  private let context: UnsafeMutableRawPointer?

  /// nil when there is no function.
  @unsafe init?(_ conversation: pam_conv) {
    guard let function = unsafe conversation.conv else { return nil }
    unsafe self.function = function
    unsafe context = conversation.appdata_ptr
  }

  /// Sends one message, and lets `take` see what was typed; the host's copy is wiped and freed.
  ///
  /// Always one message: with one, an array of pointers and a pointer to an array are the same, and hosts differ.
  func send(_ style: CInt, _ text: borrowing MessageText, _ take: (Span<UInt8>) -> Void) -> ConversationEnd {
    // SAFETY: message and text live until the function returns; the answer is the host's until `finish` frees it.
    let end = unsafe text.withCString { text -> ConversationEnd in
      var message = unsafe pam_message(msg_style: style, msg: text)
      return unsafe withUnsafePointer(to: &message) { pointer in
        var one: UnsafePointer<pam_message>? = unsafe pointer
        var response: UnsafeMutablePointer<pam_response>?
        switch unsafe function(1, &one, &response, context) {
        case PAM_SUCCESS: return unsafe Self.finish(response, isPrompt: Self.isPrompt(style), take)
        // On failure the host has freed what it had: pam_conv(3).
        case PAM_BUF_ERR, PAM_CONV_AGAIN: return .unavailable
        default: return .cancelled
        }
      }
    }
    return end ?? .unavailable
  }

  private static func isPrompt(_ style: CInt) -> Bool { style == PAM_PROMPT_ECHO_OFF || style == PAM_PROMPT_ECHO_ON }

  /// Frees the response and its text once each, the text wiped first.
  @unsafe private static func finish(
    _ response: UnsafeMutablePointer<pam_response>?, isPrompt: Bool, _ take: (Span<UInt8>) -> Void
  ) -> ConversationEnd {
    guard let response = unsafe response else { return isPrompt ? .cancelled : .done }
    // SAFETY: after success the response and its text are malloc'ed and ours, pam_conv(3); the text is a C string.
    defer { unsafe free(response) }
    guard let answer = unsafe response.pointee.resp else { return isPrompt ? .cancelled : .done }
    defer { unsafe free(answer) }
    let count = unsafe strlen(answer)
    defer { unsafe explicit_bzero(answer, count) }
    if !isPrompt { return .done }
    guard count <= 511 else { return .tooLong }
    let bytes = unsafe UnsafeRawBufferPointer(start: answer, count: count).bindMemory(to: UInt8.self)
    unsafe take(bytes.span)
    return .done
  }
}
