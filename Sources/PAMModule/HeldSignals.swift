import CPlatform
import SystemInterface

/// The signals by which a person ends a prompt or stops a job, held back while we wait, and left to the host.
///
/// Found with real hosts: misc_conv(3) (su, login, pamtester) blocks SIGINT and SIGTSTP while echo is off, but in
/// our child only; SIGINT's default action would kill su while the child holds the terminal. sudo's conversation
/// handles SIGINT and SIGTSTP itself and ends or stops. So they are blocked here, watched by descriptors that are
/// never read, and still pending when the host gets its mask back: it dies, stops or runs its handler as ever,
/// with its terminal in order.
struct HeldSignals: ~Copyable {
  enum Ending: Equatable {
    /// The person: SIGINT, SIGQUIT.
    case person
    /// SIGTERM, SIGHUP
    case system
  }

  private let before: sigset_t
  private let ending: Descriptor
  private let stopping: Descriptor

  private init(before: sigset_t, ending: consuming Descriptor, stopping: consuming Descriptor) {
    self.before = before
    self.ending = ending
    self.stopping = stopping
  }

  /// Runs `body` with the signals held; the mask is the host's own again afterwards, and what is pending acts then.
  static func hold<Result>(_ body: (borrowing HeldSignals) -> Result) -> Result? {
    var before = sigset_t()
    // SAFETY: the shim fills the mask.
    guard unsafe localauth_hold_signals(&before) == 0 else { return nil }
    let result = holding(before, body)
    _ = unsafe localauth_set_signal_mask(&before)
    return result
  }

  /// Its descriptors are closed before the mask changes, which may end the process.
  private static func holding<Result>(_ before: sigset_t, _ body: (borrowing HeldSignals) -> Result) -> Result? {
    var mask = before
    // SAFETY: the shims only read the mask.
    let ending = localauth_ending_signals()
    guard ending >= 0 else { return nil }
    let first = Descriptor(owning: ending)
    let stopping = unsafe localauth_stopping_signals(&mask)
    guard stopping >= 0 else { return nil }
    return body(HeldSignals(before: before, ending: first, stopping: Descriptor(owning: stopping)))
  }

  var endingRaw: CInt { ending.raw }
  var stoppingRaw: CInt { stopping.raw }

  /// The host's own mask: for a conversation in this process, for its child, and for a signal to be let through.
  func useHostMask() {
    var mask = before
    // SAFETY: the shim only reads the mask.
    _ = unsafe localauth_set_signal_mask(&mask)
  }

  func holdAgain() {
    var mask = sigset_t()
    // SAFETY: the shim fills the mask, which is `before` again.
    _ = unsafe localauth_hold_signals(&mask)
  }

  /// Which signal ends the request, if any.
  ///
  /// A host that blocks or ignores SIGINT, as sudo does around the whole stack, leaves it to its conversation. Where
  /// nothing is prompted there is no conversation that could see Ctrl-C, and the person means us.
  func pendingEnding(isPrompting: Bool) -> Ending? {
    if isPending(SIGINT) && !(isPrompting && isLeftToConversation(SIGINT)) { return .person }
    if isPending(SIGQUIT) && !isLeftToConversation(SIGQUIT) { return .person }
    if isPending(SIGTERM) && !isLeftToConversation(SIGTERM) { return .system }
    return isPending(SIGHUP) && !isLeftToConversation(SIGHUP) ? .system : nil
  }

  private func isLeftToConversation(_ signal: CInt) -> Bool {
    var mask = before
    // SAFETY: the shim only reads the mask.
    return unsafe localauth_mask_holds(&mask, signal) == 1 || isIgnored(signal)
  }

  private func isPending(_ signal: CInt) -> Bool { localauth_is_pending(signal) == 1 }
  private func isIgnored(_ signal: CInt) -> Bool { localauth_ignores_signal(signal) == 1 }
}
