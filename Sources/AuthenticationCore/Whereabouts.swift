/// What logind says of one session: sd_session_is_remote(3), sd_session_is_active(3).
public struct SessionFacts: Equatable, Hashable, Sendable {
  public var isRemote: Bool
  public var isActive: Bool

  public init(isRemote: Bool, isActive: Bool) {
    self.isRemote = isRemote
    self.isActive = isActive
  }

  /// Somebody sits in front of it.
  public var isInFront: Bool { !isRemote && isActive }
}

/// What logind says of the asking process.
public enum LoginState: Equatable, Hashable, Sendable {
  /// There is no logind on this machine.
  case noManager
  case session(SessionFacts)
  /// The process belongs to no session: terminals and units under user@.service, greeters, daemons. `display` is the
  /// user's main session, if there is one.
  case noSession(display: SessionFacts?)
  /// It could not be found out.
  case unknown
}

/// Where the person is who asks, as far as the kernel, logind and the PAM host tell; the environment is never asked.
public struct Whereabouts: Equatable, Hashable, Sendable {
  /// The host names another machine: PAM_RHOST. Any name does, also "localhost".
  public var namesRemoteHost = false
  /// The host is a remote login: its service is sshd.
  public var isRemoteLogin = false
  /// It is beyond doubt which process asks.
  public var isCertain = true
  public var login = LoginState.noManager
  public var isRootHost = false
  /// The host's terminal is a virtual console of this machine: PAM_TTY.
  public var isOnConsole = false
  /// utmp(5) knows another machine for the host's terminal.
  public var terminalIsRemote = false
  /// An ancestor of the asking process is a remote login daemon.
  public var descendsFromRemoteLogin = false
  /// The terminal is one of a multiplexer that is shown on a remote login, or nowhere.
  public var isShownElsewhere = false
  /// Another job is in the foreground of the asking process's terminal: whoever touches the reader means that one.
  public var isBackground = false

  public init() {}

  /// Why the reader is not asked here.
  public enum Denial: UInt8, CaseIterable, Error, Sendable {
    case remote, notInFront, noSession, unknown, shownElsewhere, background
  }

  /// Whether the reader in front of the machine may be asked for this person; nil means that it may.
  ///
  /// Any sign of somewhere else denies; a sign of here grants nothing that logind does not.
  public func denial() -> Denial? {
    if namesRemoteHost || isRemoteLogin || terminalIsRemote || descendsFromRemoteLogin { return .remote }
    if isShownElsewhere { return .shownElsewhere }
    if isBackground { return .background }
    if !isCertain { return .unknown }
    switch login {
    case .noManager: return nil
    case .session(let session): return denial(of: session)
    case .noSession(let display):
      if let display { return denial(of: display) }
      // A greeter or login(1) has no session yet, and stands on a console of this machine.
      return isRootHost && isOnConsole ? nil : .noSession
    case .unknown: return .unknown
    }
  }

  private func denial(of session: SessionFacts) -> Denial? {
    if session.isRemote { return .remote }
    return session.isActive ? nil : .notInFront
  }
}

extension Whereabouts.Denial {
  /// For the log and for developers.
  public var text: StaticString {
    switch self {
    case .remote: "the request comes from another host"
    case .notInFront: "the session is not the one in front"
    case .noSession: "the asking process belongs to no session"
    case .unknown: "it is not known where the request comes from"
    case .shownElsewhere: "tmux or screen, shown on a remote login or nowhere"
    case .background: "the asking process is a background job"
    }
  }
}
