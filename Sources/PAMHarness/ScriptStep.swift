/// How a message is shown: pam_conv(3).
public enum PAMStyle: Int32, CaseIterable, Sendable {
  case hidden = 1  // PAM_PROMPT_ECHO_OFF
  case visible = 2  // PAM_PROMPT_ECHO_ON
  case error = 3  // PAM_ERROR_MSG
  case info = 4  // PAM_TEXT_INFO
}

/// Which text a step of the script expects.
public enum PAMText: Sendable, Equatable, ExpressibleByStringLiteral {
  case exactly(String)
  case prefix(String)
  case containing(String)
  case anything

  public init(stringLiteral value: String) { self = .exactly(value) }

  public func matches(_ text: String) -> Bool {
    switch self {
    case .exactly(let expected): text == expected
    case .prefix(let expected): text.hasPrefix(expected)
    case .containing(let expected): text.contains(expected)
    case .anything: true
    }
  }
}

/// What the scripted person does at a message.
public enum PAMReply: Sendable, Equatable {
  /// Types this; the text may be empty.
  case answer(String)
  /// Types these bytes, which end at the first NUL, as any C string does.
  case bytes([UInt8])
  /// Answers nothing: `resp` is NULL. What a message that is no prompt gets.
  case nothing
  /// The conversation function returns this code.
  case fails(PAMResult)
  /// The conversation function returns success, and no array of replies.
  case noArray
}

/// One message that has to come, and what is done about it.
public struct ScriptStep: Sendable {
  public var style: PAMStyle
  public var text: PAMText
  public var reply: PAMReply
  /// How long the person takes.
  public var delay: Duration
  /// Runs when the message is shown, before the delay: a test touches the reader here.
  public var whenShown: (@Sendable () -> Void)?

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
  public static func hidden(_ text: PAMText, answer: String) -> ScriptStep {
    ScriptStep(.hidden, text, .answer(answer))
  }
  /// A prompt whose answer is seen.
  public static func visible(_ text: PAMText, answer: String) -> ScriptStep {
    ScriptStep(.visible, text, .answer(answer))
  }
  /// A line of information.
  public static func info(_ text: PAMText) -> ScriptStep { ScriptStep(.info, text) }
  /// A line that tells of an error.
  public static func error(_ text: PAMText) -> ScriptStep { ScriptStep(.error, text) }
}
