/// How a message is shown: pam_conv(3).
public enum PAMStyle: Int32, CaseIterable, Sendable {
  /// PAM_PROMPT_ECHO_OFF: a prompt whose answer is not seen.
  case hidden = 1
  /// PAM_PROMPT_ECHO_ON: a prompt whose answer is seen.
  case visible = 2
  /// PAM_ERROR_MSG: a line that tells of an error.
  case error = 3
  /// PAM_TEXT_INFO: a line of information.
  case info = 4
}

/// Which text a step of the script expects. A string literal is the exact text, a prompt's last blank included.
public enum PAMText: Sendable, Equatable, ExpressibleByStringInterpolation {
  /// This text and no other.
  case exactly(String)
  /// A text that starts so.
  case prefix(String)
  /// A text in which this occurs.
  case containing(String)
  /// Any text.
  case anything

  /// The exact text.
  public init(stringLiteral value: String) { self = .exactly(value) }

  /// Whether a message is as expected.
  public func matches(_ text: String) -> Bool {
    switch self {
    case .exactly(let expected): text == expected
    case .prefix(let expected): text.hasPrefix(expected)
    case .containing(let expected): text.contains(expected)
    case .anything: true
    }
  }
}

/// What the scripted person, or the application that stands for them, does at a message.
public enum PAMReply: Sendable, Equatable {
  /// Types this; the text may be empty.
  case answer(String)
  /// Types these bytes, which need not be UTF-8. A module sees them up to the first NUL, as any C string.
  case bytes([UInt8])
  /// Answers nothing: `resp` is NULL. It is what a message that is no prompt gets; at a prompt modules must survive it.
  case nothing
  /// The conversation function returns this code, and no reply to this or any message of the same call.
  case fails(PAMResult)
  /// The conversation function returns success and leaves the array NULL, which pam_conv(3) forbids and bad
  /// applications do.
  case noArray
}

/// One message that has to come, and what is done about it.
public struct ScriptStep: Sendable {
  /// The message's style.
  public var style: PAMStyle
  /// The message's text.
  public var text: PAMText
  /// What is done once the delay is over.
  public var reply: PAMReply
  /// How long the person takes.
  public var delay: Duration
  /// Runs when the message is shown, before the delay: a test touches the reader here.
  public var whenShown: (@Sendable () -> Void)?

  /// Any message and any reply; the functions below say the common ones shorter.
  public init(
    _ style: PAMStyle, _ text: PAMText, _ reply: PAMReply = .nothing, delay: Duration = .zero,
    whenShown: (@Sendable () -> Void)? = nil
  ) {
    self.style = style
    self.text = text
    self.reply = reply
    self.delay = delay
    self.whenShown = whenShown
  }

  /// A hidden prompt that is answered.
  public static func hidden(
    _ text: PAMText, answer: String, delay: Duration = .zero, whenShown: (@Sendable () -> Void)? = nil
  ) -> ScriptStep {
    ScriptStep(.hidden, text, .answer(answer), delay: delay, whenShown: whenShown)
  }

  /// A prompt whose answer is seen.
  public static func visible(
    _ text: PAMText, answer: String, delay: Duration = .zero, whenShown: (@Sendable () -> Void)? = nil
  ) -> ScriptStep {
    ScriptStep(.visible, text, .answer(answer), delay: delay, whenShown: whenShown)
  }

  /// A line of information.
  public static func info(_ text: PAMText, whenShown: (@Sendable () -> Void)? = nil) -> ScriptStep {
    ScriptStep(.info, text, whenShown: whenShown)
  }

  /// A line that tells of an error.
  public static func error(_ text: PAMText, whenShown: (@Sendable () -> Void)? = nil) -> ScriptStep {
    ScriptStep(.error, text, whenShown: whenShown)
  }
}

extension ScriptStep: CustomStringConvertible {
  /// As in transcripts: `hidden exactly("Password: ")`.
  public var description: String { "\(style) \(text)" }
}
