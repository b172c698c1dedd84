import AuthenticationCore
import CPlatform
import HelperProtocol
import SecretBytes
import SystemInterface

/// The parent's end of the process that runs the system's PAM stack.
struct PasscodeProcess: ~Copyable {
  private let pid: pid_t
  var channel: FrameChannel

  private init(pid: pid_t, channel: consuming FrameChannel) {
    self.pid = pid
    self.channel = channel
  }

  /// Starts it; nil when the system has no process or socket left.
  static func start(_ request: PasscodeRequest) -> PasscodeProcess? {
    do throws(SystemError) {
      return try Descriptor.socketPair().split { (ours, theirs) throws(SystemError) -> PasscodeProcess in
        var work = PasscodeWork(link: theirs.raw, request: request)
        // SAFETY: the child has its own copy of `work`; the parent's lives until the call returns.
        let pid = unsafe withUnsafeMutablePointer(to: &work) { unsafe localauth_fork(runPasscode, $0) }
        return PasscodeProcess(pid: try SystemError.check(pid), channel: FrameChannel(ours))
      }
    } catch {
      return nil
    }
  }

  /// Ends it: a loser counts as nothing.
  deinit {
    _ = kill(pid, SIGKILL)
    var status: CInt = 0
    // SAFETY: the pointer is to a local.
    _ = unsafe localauth_wait(pid, &status, 0)
  }

  /// Hands over what was typed.
  func send(_ secret: borrowing SecretBytes) -> Bool {
    do throws(ChannelFailure) {
      try secret.withBytes { bytes throws(ChannelFailure) in
        try channel.send(.answer, secret: bytes, until: Clock.now() &+ 1_000)
      }
      return true
    } catch {
      return false
    }
  }

  /// The outcome in a verdict of the child; anything else is unavailable.
  func outcome(count: Int) -> Outcome {
    guard count == 1 else { return .passcodeUnavailable }
    return channel.withPayload { payload in
      guard payload.count == 1 else { return .passcodeUnavailable }
      return Outcome(rawValue: payload[0]) ?? .passcodeUnavailable
    }
  }
}

/// What the passcode process needs to know.
private struct PasscodeWork {
  var link: CInt
  var request: PasscodeRequest
}

private func runPasscode(_ context: UnsafeMutableRawPointer?) -> CInt {
  guard let context = unsafe context else { return 1 }
  // SAFETY: `start` passes a PasscodeWork.
  let work = unsafe context.load(as: PasscodeWork.self)
  guard let link = ChildProcess.keepOnly(work.link) else { return 1 }
  return PasscodeChild.run(work.request, link: link)
}
