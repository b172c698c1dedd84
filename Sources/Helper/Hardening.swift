import AuthenticationCore
import CPlatform

/// What the helper does before it looks at anything that the caller controls, in this order. With the setuid bit the
/// caller chooses arguments, environment, descriptors, limits, signals and working directory.
enum Hardening {
  /// Exit codes before there is a session; the caller sees a connection that ends.
  enum Refusal: CInt {
    case arguments = 2
    case notRoot = 3
    case noConnection = 4
    case broken = 5

    /// For the log: what to do about it.
    var text: StaticString {
      switch self {
      case .arguments: "localauth-helper: not started as a front end does; nobody runs it by hand"
      case .notRoot: "localauth-helper: not root: enable localauth.socket, or install with SETUID=1"
      case .noConnection: "localauth-helper: standard input is no connection"
      case .broken: "localauth-helper: refused: a limit is too low, or a privilege is missing"
      }
    }
  }

  struct Start {
    var road: Road
    var realUID: UInt32
  }

  /// Returns how the helper was started, or why it ends at once.
  static func run(
    _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
  ) -> Result<Start, RefusalError> {
    let realUID = getuid()
    guard geteuid() == 0 else { return .failure(RefusalError(.notRoot)) }
    guard let road = unsafe road(argc, argv) else { return .failure(RefusalError(.arguments)) }
    guard openStandardDescriptors() else { return .failure(RefusalError(.noConnection)) }
    guard localauth_reset_environment() == 0, unsafe chdir("/") == 0 else { return .failure(RefusalError(.broken)) }
    _ = umask(0o077)
    localauth_reset_signals()
    guard localauth_reset_limits() == 0 else { return .failure(RefusalError(.broken)) }
    localauth_reset_scheduling()
    // Whatever happens, there is an end.
    _ = alarm(150)
    // Fails for the leader of a process group, which a person's shell makes of us; then there is a terminal, and
    // nothing here opens it.
    _ = setsid()
    // In this order: a change of gid makes the kernel set what fs.suid_dumpable says, prctl(2).
    guard localauth_become_root() == 0, localauth_forbid_dumps() == 0 else { return .failure(RefusalError(.broken)) }
    return .success(Start(road: road, realUID: realUID))
  }

  /// Exactly one argument, which names the road; no user, path or passcode is ever an argument.
  private static func road(_ argc: CInt, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> Road? {
    // SAFETY: argv has argc + 1 entries, execve(2); argc is looked at first.
    guard argc == 2, let argv = unsafe argv, let word = unsafe argv[1] else { return nil }
    if unsafe strcmp(word, "exec") == 0 { return .executed }
    if unsafe strcmp(word, "accept") == 0 { return .accepted }
    return nil
  }

  /// The connection is fd 0 and a socket, never a terminal; 1 and 2 lead nowhere, so that no module's output reaches
  /// the peer; nothing else stays open.
  private static func openStandardDescriptors() -> Bool {
    guard localauth_close_from(3) >= 0 else { return false }
    guard localauth_is_socket(0) == 1 else { return false }
    // Lowest numbers first: what open(2) returns is 1 or 2 where those are closed.
    var null = unsafe localauth_open("/dev/null", O_RDWR)
    guard null >= 0 else { return false }
    while null < 3 {
      null = localauth_duplicate(null, 3)
      guard null >= 0 else { return false }
    }
    guard dup2(null, 1) == 1, dup2(null, 2) == 2 else { return false }
    _ = close(null)
    return true
  }
}

/// A refusal as an error.
struct RefusalError: Error {
  var code: Hardening.Refusal

  init(_ code: Hardening.Refusal) { self.code = code }
}
