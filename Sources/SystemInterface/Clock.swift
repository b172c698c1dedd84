internal import CPlatform

/// CLOCK_MONOTONIC: it cannot be set, and stands still while the machine sleeps, so that a prompt that was open at
/// the lid is still open at the next.
public enum Clock: Sendable {
  /// Milliseconds since some start.
  public static func now() -> UInt64 { localauth_now() }
}

/// A random nonce from getrandom(2).
public enum Random: Sendable {
  public static func bytes16() throws(SystemError) -> InlineArray<16, UInt8> {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    // SAFETY: the shim writes exactly the span's 16 bytes.
    let answer = unsafe span.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 &- EINVAL }
      return unsafe localauth_random(base, buffer.count)
    }
    try SystemError.check(answer)
    return bytes
  }
}
