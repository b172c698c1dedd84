internal import CPAM
private import Glibc

extension ScriptedConversation {
  typealias Function =
    @convention(c) (
      Int32, UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, UnsafeMutableRawPointer?
    ) -> Int32

  /// The conversation function: pam_conv(3). Its context is a `ScriptedConversation`, unretained.
  static let function: Function = { count, messages, responses, context in
    // SAFETY: the context is what `PAMHandle` gave to libpam, and outlives the handle.
    guard let context = unsafe context else { return PAMResult.convErr.rawValue }
    let conversation = unsafe Unmanaged<ScriptedConversation>.fromOpaque(context).takeUnretainedValue()
    return unsafe conversation.converse(count, messages, responses).rawValue
  }

  /// The function for PAM_FAIL_DELAY, pam_fail_delay(3), which gets the same context. libpam calls it after every call,
  /// with zero when no module asked for a delay.
  static let delayFunction: @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Void = { code, delay, context in
    // SAFETY: as above.
    guard code != PAM_SUCCESS, delay > 0, let context = unsafe context else { return }
    let conversation = unsafe Unmanaged<ScriptedConversation>.fromOpaque(context).takeUnretainedValue()
    conversation.delay(.microseconds(Int64(delay)))
  }

  /// What a module passes is not believed: a count, an array, a message or a text that breaks pam_conv(3) is a problem.
  @unsafe private func converse(
    _ count: Int32, _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
    _ responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?
  ) -> PAMResult {
    // SAFETY: `count` is checked first, and says how many pointers there are; texts are C strings, copied at once. The
    // array belongs to the module once it is handed over.
    guard (1...PAM_MAX_NUM_MSG).contains(count), let messages = unsafe messages, let responses = unsafe responses else {
      complain("the conversation was called with \(count) messages, or with a NULL array")
      return .convErr
    }
    unsafe responses.pointee = nil
    guard var replies = ResponseArray(count: Int(count)) else { return .bufErr }
    for index in 0..<Int(count) {
      guard let message = unsafe messages[index], let text = unsafe message.pointee.msg else {
        complain("message \(index + 1) of \(count), or its text, is NULL")
        return .convErr
      }
      switch unsafe meet(message.pointee.msg_style, String(cString: text)) {
      case .answer(let answer): guard replies.fill(index, answer.utf8) else { return .bufErr }
      case .bytes(let bytes): guard replies.fill(index, bytes) else { return .bufErr }
      case .nothing: break
      case .fails(let code): return code
      case .noArray: return .success
      }
    }
    unsafe responses.pointee = replies.handOver()
    return .success
  }

  /// Waits as a person does: in full, whatever signals come.
  func pause(_ delay: Duration) {
    guard delay > .zero else { return }
    let (seconds, attoseconds) = delay.components
    var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    var rest = timespec()
    // SAFETY: both pointers are to locals.
    while unsafe nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
  }
}
