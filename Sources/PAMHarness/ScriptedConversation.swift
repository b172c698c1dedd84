internal import CPAM
private import Glibc

/// The conversation function of a script: pam_conv(3). Everything said is kept.
@safe final class ScriptedConversation {
  private var steps: ArraySlice<ScriptStep>
  private(set) var transcript: [String] = []
  private(set) var problems: [String] = []

  init(_ script: [ScriptStep]) { steps = script[...] }

  /// What was expected and never came.
  var unusedSteps: [ScriptStep] { Array(steps) }

  /// Delays that modules asked for after failed calls.
  private(set) var delays: [Duration] = []

  func delay(_ duration: Duration) { delays.append(duration) }
  func note(_ line: String) { transcript.append(line) }
  func complain(_ problem: String) {
    problems.append(problem)
    transcript.append("! " + problem)
  }

  /// One message; what the person does about it. Without a matching step the conversation fails, as it would with
  /// a person who is gone.
  fileprivate func meet(_ styleCode: Int32, _ text: String) -> PAMReply {
    guard let style = PAMStyle(rawValue: styleCode) else {
      complain("a message of the unknown style \(styleCode): \(text.debugDescription)")
      return .fails(.convErr)
    }
    note("\(style): \(text.debugDescription)")
    guard let step = steps.first else {
      complain("unexpected \(style): \(text.debugDescription)")
      return .fails(.convErr)
    }
    guard step.style == style, step.text.matches(text) else {
      complain("expected \(step.style) \(step.text), got \(style) \(text.debugDescription)")
      return .fails(.convErr)
    }
    steps.removeFirst()
    step.whenShown?()
    if step.delay > .zero { pause(step.delay) }
    note("  \(step.reply)")
    return step.reply
  }

  private func pause(_ delay: Duration) {
    let (seconds, attoseconds) = delay.components
    var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var rest = timespec()
    // SAFETY: both pointers are to locals.
    while unsafe nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
  }

  /// The C side. The context that pam_start(3) gets is unretained: a transaction outlives its handle.
  static let function:
    @convention(c) (
      Int32, UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?,
      UnsafeMutableRawPointer?
    ) -> Int32 = { count, messages, responses, context in
      // SAFETY: libpam passes `count` messages and the context we gave it; the array made here has `count` zeroed
      // entries, and belongs to the module once this returns PAM_SUCCESS, and to nobody otherwise.
      guard count > 0, count <= 32, let messages = unsafe messages, let responses = unsafe responses,
        let context = unsafe context
      else { return PAMResult.convErr.rawValue }
      let conversation = unsafe Unmanaged<ScriptedConversation>.fromOpaque(context).takeUnretainedValue()
      guard let block = unsafe calloc(Int(count), MemoryLayout<pam_response>.stride) else {
        return PAMResult.bufErr.rawValue
      }
      let replies = unsafe block.bindMemory(to: pam_response.self, capacity: Int(count))
      unsafe responses.pointee = nil
      for index in 0..<Int(count) {
        guard let message = unsafe messages[index] else {
          conversation.complain("message \(index) of \(count) is NULL")
          return unsafe discard(replies, Int(count), .convErr)
        }
        let text = unsafe message.pointee.msg.map { unsafe String(cString: $0) } ?? "(NULL)"
        switch unsafe conversation.meet(message.pointee.msg_style, text) {
        case .answer(let answer): unsafe replies[index].resp = strdup(answer)
        case .bytes(let bytes): unsafe replies[index].resp = copy(bytes)
        case .nothing: break
        case .fails(let code): return unsafe discard(replies, Int(count), code)
        case .noArray: return unsafe discard(replies, Int(count), .success)
        }
      }
      unsafe responses.pointee = unsafe replies
      return PAMResult.success.rawValue
    }
}

@available(*, unavailable)
extension ScriptedConversation: Sendable {}

/// Gives back an array that nobody gets; the code is the conversation's.
@unsafe private func discard(_ replies: UnsafeMutablePointer<pam_response>, _ count: Int, _ code: PAMResult) -> Int32 {
  // SAFETY: each text came from malloc, or is NULL.
  for index in 0..<count { unsafe free(replies[index].resp) }
  unsafe free(replies)
  return code.rawValue
}

/// Bytes as a C string of their own.
@unsafe private func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
  // SAFETY: one more byte than there is to copy, and zeroed.
  guard let text = unsafe calloc(bytes.count + 1, 1)?.assumingMemoryBound(to: CChar.self) else { return nil }
  for (index, byte) in bytes.enumerated() { unsafe text[index] = CChar(bitPattern: byte) }
  return unsafe text
}
