import AuthenticationCore
import CPlatform
import CSystemd
import SystemInterface

/// Gathers what `Whereabouts` decides by.
enum Locality {
  static func find(_ request: Request, _ caller: borrowing Caller) -> Whereabouts {
    var facts = Whereabouts()
    // Only a uid-0 host's word counts, and it can only deny.
    facts.namesRemoteHost = !request.remoteHost.isEmpty
    facts.isRemoteLogin = request.service.equals("sshd")
    facts.isCertain = caller.processIsCertain
    facts.isRootHost = caller.isRoot
    facts.isOnConsole = isConsole(request.terminal)
    facts.terminalIsRemote = terminalIsRemote(request.terminal)
    facts.descendsFromRemoteLogin = localauth_has_remote_ancestor(caller.connectedPID) == 1
    facts.isShownElsewhere = localauth_is_shown_elsewhere(caller.connectedPID) == 1
    facts.isBackground = asksOnTerminal(request.terminal) && localauth_is_background(caller.connectedPID) == 1
    facts.login = login(request, caller)
    return facts
  }

  /// "tty1" and "/dev/tty1", but not "ttyS0" and not a pseudo-terminal.
  static func isConsole(_ terminal: FixedText) -> Bool {
    // SAFETY: the shim only reads the text.
    unsafe terminal.withCString { unsafe localauth_is_console($0) == 1 } ?? false
  }

  /// PAM_TTY names a terminal. A locker or an agent has a window, whatever terminal its desktop was started from.
  static func asksOnTerminal(_ terminal: FixedText) -> Bool {
    terminal.withBytes { bytes in !bytes.isEmpty && bytes[0] != UInt8(ascii: ":") }
  }

  private static func terminalIsRemote(_ terminal: FixedText) -> Bool {
    if terminal.isEmpty { return false }
    // SAFETY: as above.
    return unsafe terminal.withCString { unsafe localauth_terminal_is_remote($0) == 1 } ?? false
  }

  // MARK: logind

  private static func login(_ request: Request, _ caller: borrowing Caller) -> LoginState {
    // sd_booted(3) asks for another folder; this one is logind's own, and is what sd-login(3) names.
    guard unsafe access("/run/systemd/seats", F_OK) == 0 else { return .noManager }
    var session: UnsafeMutablePointer<CChar>? = nil
    // An executed helper is in its caller's control group; 0 is this process.
    // SAFETY: sd_pid_get_session(3) fills the pointer with a string that is ours to free.
    let code = unsafe sd_pid_get_session(caller.isExecuted ? 0 : caller.pid, &session)
    defer { unsafe free(session) }
    if code >= 0 { return unsafe facts(session).map { .session($0) } ?? .unknown }
    guard code == 0 &- ENODATA else { return .unknown }
    return display(of: request.origin ?? caller.uid)
  }

  private static func display(of uid: UInt32) -> LoginState {
    var session: UnsafeMutablePointer<CChar>? = nil
    // SAFETY: as above, sd_uid_get_display(3).
    let code = unsafe sd_uid_get_display(uid, &session)
    defer { unsafe free(session) }
    if code == 0 &- ENODATA || code == 0 &- ENXIO { return .noSession(display: nil) }
    guard code >= 0, let facts = unsafe facts(session) else { return .unknown }
    return .noSession(display: facts)
  }

  @unsafe private static func facts(_ session: UnsafeMutablePointer<CChar>?) -> SessionFacts? {
    guard let session = unsafe session else { return nil }
    // SAFETY: a C string of sd-login's.
    let remote = unsafe sd_session_is_remote(session)
    let active = unsafe sd_session_is_active(session)
    guard remote >= 0, active >= 0 else { return nil }
    return SessionFacts(isRemote: remote > 0, isActive: active > 0)
  }
}
