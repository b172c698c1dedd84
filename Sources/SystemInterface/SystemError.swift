internal import CPlatform

/// An error of the kernel: errno(3), kept as it is.
public struct SystemError: Error, Equatable, Sendable {
  public var code: CInt

  public init(code: CInt) { self.code = code }

  /// The one place where a shim's answer, zero or more or -errno, becomes a Swift error.
  @discardableResult
  public static func check(_ answer: CInt) throws(SystemError) -> CInt {
    guard answer >= 0 else { throw SystemError(code: 0 &- answer) }
    return answer
  }

  /// The errno of a call that failed just now.
  public static var last: SystemError { SystemError(code: localauth_errno()) }

  /// Nobody listens there: the only two errors that lead to another road.
  public var meansNobodyListens: Bool { code == ENOENT || code == ECONNREFUSED }
  public var meansTryAgain: Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}
