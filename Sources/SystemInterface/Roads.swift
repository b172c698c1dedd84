internal import CPlatform

/// Where the installed parts are. See hier(7); the Makefile installs to the same places.
public enum Places: Sendable {
  public static var socket: StaticString { "/run/localauth/helper.sock" }
  public static var helper: StaticString { "/usr/libexec/localauth/localauth-helper" }
  /// argv[1] of the helper on each road.
  public static var executed: StaticString { "exec" }
  public static var accepted: StaticString { "accept" }
}

/// Why the helper cannot be reached.
public enum RoadFailure: Error, Equatable, Sendable {
  /// Somebody listens, and does not take us: never a reason to try another road.
  case refused(SystemError)
  /// Nobody listens, and the helper cannot be executed.
  case noHelper(SystemError)
}

/// The ways to a helper process.
public enum Roads: Sendable {
  /// Connects to the socket, for at most a second; only if nobody listens there, executes the helper.
  ///
  /// `asRoot` is for a host whose effective uid is 0: its helper becomes root in full before exec, since sudo and su
  /// run with the caller's real uid. Others execute it through its setuid bit.
  public static func connect(
    socket: StaticString = Places.socket, helper: StaticString = Places.helper, asRoot: Bool
  ) throws(RoadFailure) -> FrameChannel {
    do throws(SystemError) {
      return FrameChannel(try connect(socket: socket))
    } catch {
      guard error.meansNobodyListens else { throw .refused(error) }
    }
    do throws(SystemError) {
      return FrameChannel(try execute(helper, asRoot: asRoot))
    } catch {
      throw .noHelper(error)
    }
  }

  private static func connect(socket: StaticString) throws(SystemError) -> Descriptor {
    // fds 0 to 2 may be closed in the host; ours never takes their place.
    let low = Descriptor(owning: try SystemError.check(localauth_unix_socket()))
    let descriptor = Descriptor(owning: try SystemError.check(localauth_duplicate(low.raw, 3)))
    // SAFETY: the shim copies the path.
    let answer = unsafe socket.withCString { unsafe localauth_connect(descriptor.raw, $0) }
    if answer == 0 { return descriptor }
    let error = SystemError(code: 0 &- answer)
    // AF_UNIX says EAGAIN at once where the backlog is full; that is a refusal.
    guard error.code == EINPROGRESS else { throw error }
    guard try PollSet.wait(for: descriptor.raw, events: PollSet.writable, until: Clock.now() &+ 1_000) else {
      throw SystemError(code: ETIMEDOUT)
    }
    let pending = localauth_socket_error(descriptor.raw)
    guard pending == 0 else { throw SystemError(code: pending) }
    return descriptor
  }

  private static func execute(_ helper: StaticString, asRoot: Bool) throws(SystemError) -> Descriptor {
    try Descriptor.socketPair().split { (ours, theirs) throws(SystemError) -> Descriptor in
      let high = Descriptor(owning: try SystemError.check(localauth_duplicate(ours.raw, 3)))
      let argument = Places.executed
      // SAFETY: both strings live forever.
      let answer = unsafe helper.withCString { path in
        unsafe argument.withCString { unsafe localauth_execute_detached(path, $0, theirs.raw, asRoot ? 1 : 0) }
      }
      try SystemError.check(answer)
      return high
    }
  }
}
