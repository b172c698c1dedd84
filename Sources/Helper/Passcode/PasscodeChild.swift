import AuthenticationCore
import CPAM
import CPlatform
import HelperProtocol
import SecretBytes
import SystemInterface

/// The process that runs the system's PAM stack: one transaction, whatever its modules do.
@safe struct PasscodeChild: ~Copyable {
  private let request: PasscodeRequest
  private var channel: FrameChannel
  private let secret: SecretBytes
  private var secretIsUsed = false
  private var relayed = 0

  init(request: PasscodeRequest, channel: consuming FrameChannel, secret: consuming SecretBytes) {
    self.request = request
    self.channel = channel
    self.secret = secret
  }

  /// The body of the process: reads the passcode, asks the stack, tells the parent the outcome.
  static func run(_ request: PasscodeRequest, link: CInt) -> CInt {
    var channel = FrameChannel(Descriptor(owning: link))
    guard var secret = SecretBytes() else { return 1 }
    if !request.accountOnly {
      guard let header = wait(&channel), header.type == .answer else { return 1 }
      channel.withPayload { secret.append(contentsOf: $0) }
      channel.next()
      guard secret.isUsable else { return 1 }
    }
    guard ServiceFile.isTrusted() else {
      Log.error(
        "localauth-helper: no passcode: /etc/pam.d/localauth-passcode is missing, not root's or writable by others")
      return report(.passcodeUnavailable, &channel)
    }
    var child = PasscodeChild(request: request, channel: channel, secret: secret)
    let outcome = child.transact()
    return report(outcome, &child.channel)
  }

  private static func report(_ outcome: Outcome, _ channel: inout FrameChannel) -> CInt {
    var frame = FrameWriter(.verdict)
    frame.put(outcome.rawValue)
    do throws(ChannelFailure) {
      try channel.send(frame, until: Clock.now() &+ 1_000)
      return 0
    } catch {
      return 1
    }
  }

  /// The next frame from the parent; nil when it is gone or silent for two minutes.
  private static func wait(_ channel: inout FrameChannel) -> FrameHeader? {
    let deadline = Clock.now() &+ 120_000
    do throws(ChannelFailure) {
      while true {
        if let header = try channel.receive() { return header }
        guard let ready = try? PollSet.wait(for: channel.raw, events: PollSet.readable, until: deadline), ready else {
          return nil
        }
      }
    } catch {
      return nil
    }
  }

  // MARK: The transaction

  private mutating func transact() -> Outcome {
    // SAFETY: `self` does not move while libpam holds the pointer: it is used within this closure only.
    unsafe withUnsafeMutablePointer(to: &self) { me in
      var conversation = unsafe pam_conv(conv: converse, appdata_ptr: UnsafeMutableRawPointer(me))
      guard let handle = unsafe Self.start(me.pointee.request.user, &conversation) else { return .passcodeUnavailable }
      let outcome = unsafe me.pointee.ask(handle)
      _ = unsafe pam_end(handle, outcome == .success ? PAM_SUCCESS : PAM_AUTH_ERR)
      return outcome
    }
  }

  @unsafe private static func start(_ user: FixedText, _ conversation: inout pam_conv) -> OpaquePointer? {
    var handle: OpaquePointer? = nil
    // SAFETY: libpam copies the strings and the conversation.
    let code: CInt? = unsafe user.withCString { user in
      unsafe ServiceFile.name.withCString { service in
        unsafe ServiceFile.folder.withCString { unsafe pam_start_confdir(service, user, &conversation, $0, &handle) }
      }
    }
    return code == PAM_SUCCESS ? unsafe handle : nil
  }

  @unsafe private mutating func ask(_ handle: OpaquePointer) -> Outcome {
    guard unsafe describeHost(handle) else { return .passcodeUnavailable }
    let flags = CInt(PAM_DISALLOW_NULL_AUTHTOK) | (request.silent ? CInt(bitPattern: PAM_SILENT) : 0)
    if !request.accountOnly {
      let code = unsafe pam_authenticate(handle, flags)
      // libpam's word for a stack in which nobody decided: nothing is said of the account.
      guard code != PAM_PERM_DENIED else { return .passcodeUnavailable }
      guard code == PAM_SUCCESS else { return Outcome(systemStack: code) }
      // A stack that was content without a passcode, such as one with pam_rootok, has verified none.
      guard secretIsUsed else { return .passcodeUnavailable }
      guard unsafe userIsUnchanged(handle) else { return .passcodeUnavailable }
    }
    let code = unsafe pam_acct_mgmt(handle, flags)
    guard unsafe userIsUnchanged(handle) else { return .passcodeUnavailable }
    let outcome = Outcome(systemStack: code)
    // A uid-0 host asks the same question itself and then has the passcode changed, which we cannot; to refuse here
    // would lock out at a login prompt whoever has to change it.
    if outcome == .passcodeExpired && request.isRootHost { return .success }
    // pam_acct_mgmt has no "wrong passcode".
    return outcome == .authenticationFailed ? .accountRefused : outcome
  }

  @unsafe private func describeHost(_ handle: OpaquePointer) -> Bool {
    unsafe set(handle, PAM_TTY, request.terminal) && set(handle, PAM_RHOST, request.remoteHost)
      && set(handle, PAM_RUSER, request.askingUser)
      && (!request.isRootHost || localauth_pam_leave_delay_to_host(handle) == PAM_SUCCESS)
  }

  @unsafe private func set(_ handle: OpaquePointer, _ item: CInt, _ text: FixedText) -> Bool {
    if text.isEmpty { return true }
    // SAFETY: pam_set_item(3) copies the string.
    return unsafe text.withCString { unsafe pam_set_item(handle, item, $0) } == PAM_SUCCESS
  }

  /// PAM_USER after the stack must be the same user, by uid: modules may change it.
  @unsafe private func userIsUnchanged(_ handle: OpaquePointer) -> Bool {
    var item: UnsafeRawPointer? = nil
    guard unsafe pam_get_item(handle, PAM_USER, &item) == PAM_SUCCESS, let item = unsafe item else { return false }
    // SAFETY: PAM_USER is a C string of libpam's.
    guard let name = unsafe FixedText(item.assumingMemoryBound(to: CChar.self)), let uid = request.uid else {
      return false
    }
    return Account.uid(of: name) == uid
  }

  // MARK: The conversation

  /// Answers one message: the first hidden prompt with the passcode, the rest is the person's to answer. False when
  /// there is no answer.
  @unsafe fileprivate mutating func answer(_ message: pam_message, _ reply: inout pam_response) -> Bool {
    switch unsafe message.msg_style {
    case PAM_PROMPT_ECHO_OFF where !secretIsUsed && !request.accountOnly:
      secretIsUsed = true
      // SAFETY: strdup copies; libpam frees its copy after use, pam_conv(3).
      unsafe reply.resp = secret.withCString { unsafe strdup($0) }
      return unsafe reply.resp != nil
    case PAM_PROMPT_ECHO_OFF, PAM_PROMPT_ECHO_ON: return unsafe inquire(message, &reply)
    case PAM_ERROR_MSG, PAM_TEXT_INFO:
      // A message that cannot be shown is no failure.
      _ = unsafe send(.notice, message)
      return true
    default: return false
    }
  }

  @unsafe private mutating func inquire(_ message: pam_message, _ reply: inout pam_response) -> Bool {
    relayed &+= 1
    guard relayed <= 16, unsafe send(.inquire, message) else { return false }
    guard let header = Self.wait(&channel), header.type == .answer, var answer = SecretBytes() else { return false }
    channel.withPayload { answer.append(contentsOf: $0) }
    channel.next()
    guard !answer.overflowed, !answer.containsNUL else { return false }
    // SAFETY: as above.
    unsafe reply.resp = answer.withCString { unsafe strdup($0) }
    return unsafe reply.resp != nil
  }

  @unsafe private func send(_ type: FrameType, _ message: pam_message) -> Bool {
    var frame = FrameWriter(type)
    frame.put(UInt8(truncatingIfNeeded: unsafe message.msg_style))
    guard let text = unsafe message.msg else { return false }
    // SAFETY: a C string, looked at up to 2048 bytes.
    let count = unsafe strnlen(text, 2_048)
    unsafe text.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
      frame.put(cleaned: unsafe Span(_unsafeStart: bytes, count: count), most: FrameLimits.text, lines: true)
    }
    do throws(ChannelFailure) {
      try channel.send(frame, until: Clock.now() &+ 1_000)
      return true
    } catch {
      return false
    }
  }
}

/// pam_conv(3): the array and its texts belong to libpam once this returns PAM_SUCCESS, and to nobody otherwise.
private func converse(
  _ count: CInt, _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
  _ responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, _ context: UnsafeMutableRawPointer?
) -> CInt {
  // SAFETY: libpam passes `count` message pointers and our own context; the array that is allocated here has `count`
  // entries, all zero at first.
  guard count > 0, count <= PAM_MAX_NUM_MSG, let messages = unsafe messages, let responses = unsafe responses,
    let context = unsafe context
  else { return PAM_CONV_ERR }
  let child = unsafe context.assumingMemoryBound(to: PasscodeChild.self)
  guard let block = unsafe calloc(Int(count), MemoryLayout<pam_response>.stride) else { return PAM_BUF_ERR }
  let replies = unsafe block.bindMemory(to: pam_response.self, capacity: Int(count))
  for index in 0..<Int(count) {
    guard let message = unsafe messages[index], unsafe child.pointee.answer(message.pointee, &replies[index]) else {
      return unsafe discard(replies, Int(count))
    }
  }
  unsafe responses.pointee = unsafe replies
  return PAM_SUCCESS
}

@unsafe private func discard(_ replies: UnsafeMutablePointer<pam_response>, _ count: Int) -> CInt {
  for index in 0..<count {
    // SAFETY: each text came from strdup, or is NULL.
    guard let text = unsafe replies[index].resp else { continue }
    unsafe explicit_bzero(text, strlen(text))
    unsafe free(text)
  }
  unsafe free(replies)
  return PAM_CONV_ERR
}
