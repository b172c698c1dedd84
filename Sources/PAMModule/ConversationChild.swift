import CPAM
import CPlatform
import SecretBytes
import SystemInterface

/// What the child is to do; on the parent's stack, of which the child has its copy.
@safe private struct ChildTask {
  let conversation: Conversation
  let style: CInt
  let text: UnsafePointer<MessageText>
  let signals: UnsafePointer<HeldSignals>
  let answers: CInt
  /// Descriptors that are not the host's.
  let ours: InlineArray<5, CInt>
}

/// One prompt of the host's conversation in a copy of the host, so that it can be taken away.
///
/// The host cannot see it: no exit signal, not in its waitpid(-1). The child keeps the host's own descriptors, since
/// sudo -S and -A and polkit's helper talk over them, and none of ours but a pipe. It dies with the host.
struct ConversationChild: ~Copyable {
  private let pid: pid_t
  private let answers: Descriptor
  private var isReaped = false
  private var end = ConversationEnd.unavailable

  private init(pid: pid_t, answers: consuming Descriptor) {
    self.pid = pid
    self.answers = answers
  }

  /// nil when there can be none. Only for a host with one thread: looked at again, since it may have changed.
  static func start(
    _ conversation: Conversation, _ style: CInt, _ text: borrowing MessageText, signals: borrowing HeldSignals,
    channel: CInt, terminal: CInt?
  ) -> ConversationChild? {
    guard localauth_thread_count() == 1, let pipe = try? Descriptor.pipe() else { return nil }
    return pipe.split { (reading, writing) -> ConversationChild? in
      let ours: InlineArray<5, CInt> = [
        channel, terminal ?? -1, reading.raw, signals.endingRaw, signals.stoppingRaw,
      ]
      let pid = clone(conversation, style, text, signals, writing.raw, ours)
      guard pid > 0 else { return nil }
      _ = localauth_set_nonblocking(reading.raw, 1)
      return ConversationChild(pid: pid, answers: reading)
    }
  }

  private static func clone(
    _ conversation: Conversation, _ style: CInt, _ text: borrowing MessageText, _ signals: borrowing HeldSignals,
    _ answers: CInt, _ ours: InlineArray<5, CInt>
  ) -> pid_t {
    // SAFETY: the child reads the task and what it points to in its own copy of this stack, which is there as long
    // as it runs.
    unsafe withUnsafePointer(to: text) { text in
      unsafe withUnsafePointer(to: signals) { signals in
        var task = unsafe ChildTask(
          conversation: conversation, style: style, text: text, signals: signals, answers: answers, ours: ours)
        return unsafe withUnsafeMutablePointer(to: &task) { unsafe localauth_clone_child(converse, $0) }
      }
    }
  }

  var raw: CInt { answers.raw }

  /// What has become of the prompt.
  enum State: Equatable {
    case open
    case ended(ConversationEnd)
  }

  /// Reads what the child has written; at its end the child is reaped.
  mutating func read(into secret: inout SecretBytes) -> State {
    while true {
      let count = secret.append(readingFrom: answers.raw)
      if count > 0 { continue }
      if count == 0 { return .ended(reap()) }
      let error = SystemError(code: CInt(truncatingIfNeeded: 0 &- count))
      if error.code == EINTR { continue }
      return error.meansTryAgain ? .open : .ended(.unavailable)
    }
  }

  /// Whether the child ends, or its pipe, within a time: sudo's conversation ends itself on Ctrl-C.
  func ends(within milliseconds: UInt64) -> Bool {
    (try? PollSet.wait(for: answers.raw, events: PollSet.readable, until: Clock.now() &+ milliseconds)) ?? false
  }

  /// Whether the child has stopped; it says so once.
  mutating func hasStopped() -> Bool {
    if isReaped { return false }
    var status: CInt = 0
    // SAFETY: the shim fills the status.
    let changed = unsafe localauth_wait(pid, &status, WNOHANG | WUNTRACED)
    if changed == pid && localauth_exit_code(status) < 0 { return true }
    // It ended, or somebody else has reaped it.
    if changed == pid { end = Self.end(status) }
    isReaped = changed != 0
    return false
  }

  /// For a child that stopped with the host.
  func goOn() { _ = kill(pid, SIGCONT) }

  private mutating func reap() -> ConversationEnd {
    if isReaped { return end }
    isReaped = true
    var status: CInt = 0
    // SAFETY: the shim fills the status.
    return unsafe localauth_wait(pid, &status, 0) == pid ? Self.end(status) : .unavailable
  }

  /// Ctrl-C kills the child where the conversation leaves SIGINT alone, as su's does. Any other signal, and anything
  /// that no child of ours says, is no answer.
  private static func end(_ status: CInt) -> ConversationEnd {
    switch localauth_exit_code(status) {
    case 128 &+ SIGINT, 128 &+ SIGQUIT: .cancelled
    case let code: ConversationEnd(rawValue: code) ?? .unavailable
    }
  }

  deinit {
    if isReaped { return }
    // The window of sudo -A's askpass program is part of the prompt.
    localauth_end_children(pid)
    _ = kill(pid, SIGKILL)
    var status: CInt = 0
    // SAFETY: the shim fills the status. ECHILD is fine.
    _ = unsafe localauth_wait(pid, &status, 0)
  }
}

/// The child's whole life: the host's own mask, one message, the answer into the pipe.
private func converse(_ context: UnsafeMutableRawPointer?) -> CInt {
  // SAFETY: the parent's task, in this process's copy of its stack.
  guard let task = unsafe context?.assumingMemoryBound(to: ChildTask.self).pointee else {
    return ConversationEnd.unavailable.rawValue
  }
  for index in 0..<task.ours.count where task.ours[index] >= 0 { _ = close(task.ours[index]) }
  unsafe task.signals.pointee.useHostMask()
  var isWritten = true
  let end = unsafe task.conversation.send(task.style, task.text.pointee) { answer in
    isWritten = Descriptor.writeAll(task.answers, answer)
  }
  return (isWritten ? end : .unavailable).rawValue
}
