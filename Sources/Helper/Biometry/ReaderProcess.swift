import AuthenticationCore
import CPlatform
import SystemInterface

/// The parent's end of the reader process.
struct ReaderProcess: ~Copyable {
  private let pid: pid_t
  private let link: Descriptor
  private var isReaped = false

  private init(pid: pid_t, link: consuming Descriptor) {
    self.pid = pid
    self.link = link
  }

  /// Starts looking for a reader for `user`; with `look`, only says whether there is one. nil when the system has
  /// no process or socket left.
  static func start(user: FixedText, look: Bool) -> ReaderProcess? {
    do throws(SystemError) {
      return try Descriptor.socketPair().split { (ours, theirs) throws(SystemError) -> ReaderProcess in
        var work = ReaderWork(link: theirs.raw, user: user, look: look)
        // SAFETY: the child has its own copy of `work`; the parent's lives until the call returns.
        let pid = unsafe withUnsafeMutablePointer(to: &work) { unsafe localauth_fork(runReader, $0) }
        return ReaderProcess(pid: try SystemError.check(pid), link: ours)
      }
    } catch {
      return nil
    }
  }

  deinit {
    if !isReaped {
      _ = kill(pid, SIGKILL)
      var status: CInt = 0
      _ = unsafe localauth_wait(pid, &status, 0)
    }
  }

  var raw: CInt { link.raw }

  func order(_ command: ReaderCommand) {
    let bytes: InlineArray<1, UInt8> = [command.rawValue]
    // SAFETY: one byte of a local; a dead child is noticed by `receive`.
    _ = unsafe bytes.span.withUnsafeBytes { unsafe localauth_send(link.raw, $0.baseAddress, 1) }
  }

  enum Received {
    case message(ReaderMessage)
    case ended
  }

  /// Reads one message; poll(2) has said that there is something.
  func receive() -> Received {
    var bytes = InlineArray<2, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    // The child writes both bytes at once, so that they are there together.
    guard Descriptor.read(link.raw, into: &span, at: 0..<2) == 2,
      let message = ReaderMessage(bytes[0], bytes[1])
    else { return .ended }
    return .message(message)
  }

  /// Lets the child stop and release the reader, for at most `milliseconds`; then it is killed, and the bus frees
  /// its claim.
  mutating func finish(milliseconds: UInt64) {
    order(.stop)
    let deadline = Clock.now() &+ milliseconds
    var buffer = InlineArray<64, UInt8>(repeating: 0)
    while Clock.now() < deadline {
      guard let heard = try? PollSet.wait(for: link.raw, events: PollSet.readable, until: deadline), heard else {
        break
      }
      var span = buffer.mutableSpan
      if Descriptor.read(link.raw, into: &span, at: 0..<64) <= 0 { break }
    }
    _ = kill(pid, SIGKILL)
    var status: CInt = 0
    // SAFETY: the pointer is to a local.
    _ = unsafe localauth_wait(pid, &status, 0)
    isReaped = true
  }
}

/// What the reader process needs to know.
private struct ReaderWork {
  var link: CInt
  var user: FixedText
  var look: Bool
}

/// The body of the reader process: it keeps its link, and nothing of the request that it belongs to.
private func runReader(_ context: UnsafeMutableRawPointer?) -> CInt {
  guard let context = unsafe context else { return 1 }
  // SAFETY: `start` passes a ReaderWork.
  let work = unsafe context.load(as: ReaderWork.self)
  guard let link = ChildProcess.keepOnly(work.link) else { return 1 }
  ReaderChild(link: link, user: work.user).run(look: work.look)
  return 0
}
