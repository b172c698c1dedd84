/// The first message of a front end: everything it wants and everything it knows.
///
/// Codes are raw values of AuthenticationCore's enums; this module imports nothing, so the helper reads them.
public struct Hello: Equatable, Sendable {
  public static var version: UInt16 { 1 }
  /// "Nobody": no origin stated.
  public static var noOrigin: UInt32 { .max }

  /// What the request is.
  public enum Purpose: UInt8, CaseIterable, Sendable {
    /// Evaluate a policy.
    case evaluate = 0
    /// Say whether it could be evaluated; nothing is shown, no reader opened.
    case preflight = 1
    /// The system's own stack says that a passcode was right: verify it, if that opens a locked reader or confirms
    /// the enrolled fingers, and else do nothing.
    case confirm = 2
    /// Forget what was counted of the target. Only uid 0 may.
    case unlock = 3
  }

  public var purpose = Purpose.evaluate
  public var policy: UInt8 = 0
  public var interaction: UInt8 = 0
  public var passcodeWay: UInt8 = 0
  /// The PAM host forbids messages: PAM_SILENT.
  public var silent = false
  /// Seconds that the reader may listen; 0 is the default.
  public var readerSeconds: UInt16 = 0
  /// Finger matches that may fail; 0 is the default.
  public var readerTries: UInt8 = 0
  public var nonce: Nonce
  /// Real uid of who asks, as a uid-0 front end states it; `noOrigin` from anybody else.
  public var origin: UInt32 = noOrigin
  public var service = TextRange.empty
  /// The user to evaluate; empty for the caller itself. Only uid 0 may name one.
  public var target = TextRange.empty
  /// PAM_RHOST
  public var remoteHost = TextRange.empty
  /// PAM_TTY
  public var terminal = TextRange.empty
  /// Why it is asked, in the asking program's words.
  public var reason = TextRange.empty

  public init(nonce: Nonce) { self.nonce = nonce }

  public init(parsing payload: Span<UInt8>) throws(ProtocolFailure) {
    var fields = FieldReader()
    guard try fields.short(payload) == Self.version else { throw .badVersion }
    guard let purpose = Purpose(rawValue: try fields.byte(payload)) else { throw .badValue }
    self.purpose = purpose
    policy = try fields.byte(payload)
    interaction = try fields.byte(payload)
    passcodeWay = try fields.byte(payload)
    let flags = try fields.byte(payload)
    guard flags & ~1 == 0 else { throw .badValue }
    silent = flags & 1 != 0
    readerSeconds = try fields.short(payload)
    readerTries = try fields.byte(payload)
    nonce = try fields.nonce(payload)
    origin = try fields.long(payload)
    service = try fields.text(payload, most: FrameLimits.name)
    target = try fields.text(payload, most: FrameLimits.name)
    remoteHost = try fields.text(payload, most: FrameLimits.name)
    terminal = try fields.text(payload, most: FrameLimits.name)
    reason = try fields.text(payload, most: FrameLimits.text)
    try fields.end(payload)
  }

  /// Writes everything before the texts; the texts follow with `put(text:)` in the order of the properties.
  public func begin() -> FrameWriter {
    var frame = FrameWriter(.hello)
    frame.put(Self.version)
    frame.put(purpose.rawValue)
    frame.put(policy)
    frame.put(interaction)
    frame.put(passcodeWay)
    frame.put(silent ? 1 as UInt8 : 0)
    frame.put(readerSeconds)
    frame.put(readerTries)
    frame.put(nonce)
    frame.put(origin)
    return frame
  }
}

/// What to show: the helper's request for a prompt or a line.
public struct AskMessage: Equatable, Sendable {
  /// Raw value of `Ask`.
  public var ask: UInt8
  /// Who asks for what, one line; empty where the host forbids messages.
  public var request: TextRange
  /// The words of the prompt itself.
  public var prompt: TextRange

  public init(parsing payload: Span<UInt8>) throws(ProtocolFailure) {
    var fields = FieldReader()
    ask = try fields.byte(payload)
    request = try fields.text(payload, most: FrameLimits.text)
    prompt = try fields.text(payload, most: FrameLimits.name)
    try fields.end(payload)
  }

  public static func frame(ask: UInt8, request: Span<UInt8>, prompt: Span<UInt8>) -> FrameWriter {
    var frame = FrameWriter(.ask)
    frame.put(ask)
    frame.put(text: request)
    frame.put(text: prompt)
    return frame
  }
}

/// What the reader has to say while a prompt is open.
public struct HintMessage: Equatable, Sendable {
  /// Raw value of `Hint`.
  public var hint: UInt8
  public var text: TextRange
  /// The words of the prompt from here on: what is written again under the hint.
  public var prompt: TextRange

  public init(parsing payload: Span<UInt8>) throws(ProtocolFailure) {
    var fields = FieldReader()
    hint = try fields.byte(payload)
    text = try fields.text(payload, most: FrameLimits.text)
    prompt = try fields.text(payload, most: FrameLimits.name)
    try fields.end(payload)
  }

  public static func frame(hint: UInt8, text: Span<UInt8>, prompt: Span<UInt8>) -> FrameWriter {
    var frame = FrameWriter(.hint)
    frame.put(hint)
    frame.put(text: text)
    frame.put(text: prompt)
    return frame
  }
}

/// What the system's stack asks or says.
public struct TextMessage: Equatable, Sendable {
  /// A message style of pam_conv(3).
  public var code: UInt8
  public var text: TextRange

  public init(parsing payload: Span<UInt8>) throws(ProtocolFailure) {
    var fields = FieldReader()
    code = try fields.byte(payload)
    text = try fields.text(payload, most: FrameLimits.text, lines: true)
    try fields.end(payload)
  }

  public static func frame(_ type: FrameType, code: UInt8, text: Span<UInt8>) -> FrameWriter {
    var frame = FrameWriter(type)
    frame.put(code)
    frame.put(text: text)
    return frame
  }
}

/// Why a front end gives up.
public enum CancelReason: UInt8, CaseIterable, Sendable {
  /// Ctrl-C, Esc, Cancel: the person.
  case user = 1
  /// The program that asked.
  case host = 2
  /// The session or the system.
  case system = 3
  /// "Use the passcode": it goes another way, or nobody asks for it.
  case fallback = 4

  public init(parsing payload: Span<UInt8>) throws(ProtocolFailure) {
    var fields = FieldReader()
    guard let reason = CancelReason(rawValue: try fields.byte(payload)) else { throw .badValue }
    try fields.end(payload)
    self = reason
  }

  public func frame() -> FrameWriter {
    var frame = FrameWriter(.cancel)
    frame.put(rawValue)
    return frame
  }
}

/// The one answer to a request.
public struct Verdict: Equatable, Sendable {
  /// Raw value of `Outcome.success`. A success also carries the inverted nonce; nothing else does.
  public static var success: UInt8 { 0x5a }

  public var seal: Nonce
  /// Raw value of `Outcome`.
  public var outcome: UInt8
  /// Raw value of `Mechanism`.
  public var mechanism: UInt8
  /// Seconds until another try makes sense; 0 when any time does.
  public var retryAfter: UInt32
  /// What stood in the way, for a log or a developer.
  public var detail: TextRange

  public init(parsing payload: Span<UInt8>) throws(ProtocolFailure) {
    var fields = FieldReader()
    seal = try fields.nonce(payload)
    outcome = try fields.byte(payload)
    mechanism = try fields.byte(payload)
    retryAfter = try fields.long(payload)
    detail = try fields.text(payload, most: FrameLimits.text)
    try fields.end(payload)
  }

  /// The only place where a front end learns of a success: of an evaluation, by a factor that is named.
  public func admits(_ nonce: Nonce) -> Bool {
    outcome == Self.success && seal == nonce.inverted && mechanism != 0
  }

  /// Whether a preflight found nothing in the way, or an order was carried out; it names no factor, so that it never
  /// admits anybody.
  public func permits(_ nonce: Nonce) -> Bool {
    outcome == Self.success && seal == nonce.inverted && mechanism == 0
  }

  /// Whether the verdict answers this request, whatever it says.
  public func answers(_ nonce: Nonce) -> Bool {
    outcome == Self.success ? seal == nonce.inverted : seal == nonce
  }

  public static func frame(
    nonce: Nonce, outcome: UInt8, mechanism: UInt8, retryAfter: UInt32, detail: Span<UInt8>
  ) -> FrameWriter {
    var frame = FrameWriter(.verdict)
    frame.put(outcome == success ? nonce.inverted : nonce)
    frame.put(outcome)
    frame.put(mechanism)
    frame.put(retryAfter)
    frame.put(text: detail)
    return frame
  }
}
