internal import CPlatform

/// An open file descriptor; closed once, when it goes.
public struct Descriptor: ~Copyable, Sendable {
  public let raw: CInt

  /// Takes over a descriptor that is open and that nobody else closes.
  public init(owning raw: CInt) { self.raw = raw }

  deinit { _ = close(raw) }

  /// A pair of connected AF_UNIX streams.
  public static func socketPair() throws(SystemError) -> DescriptorPair {
    var ends: (CInt, CInt) = (-1, -1)
    // SAFETY: a tuple of two CInt has the layout of the int[2] that the shim fills.
    let answer = unsafe withUnsafeMutablePointer(to: &ends) { pointer in
      unsafe pointer.withMemoryRebound(to: CInt.self, capacity: 2) { unsafe localauth_socketpair($0) }
    }
    try SystemError.check(answer)
    return DescriptorPair(first: Descriptor(owning: ends.0), second: Descriptor(owning: ends.1))
  }

  /// A pipe: `first` is read, `second` is written.
  public static func pipe() throws(SystemError) -> DescriptorPair {
    var ends: (CInt, CInt) = (-1, -1)
    // SAFETY: as in `socketPair`.
    let answer = unsafe withUnsafeMutablePointer(to: &ends) { pointer in
      unsafe pointer.withMemoryRebound(to: CInt.self, capacity: 2) { unsafe localauth_pipe($0) }
    }
    try SystemError.check(answer)
    return DescriptorPair(first: Descriptor(owning: ends.0), second: Descriptor(owning: ends.1))
  }

  /// Reads once into a part of `bytes`. Returns the count, 0 at the end, -errno on failure.
  public static func read(_ raw: CInt, into bytes: inout MutableSpan<UInt8>, at range: Range<Int>) -> Int {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return 0 &- Int(EINVAL) }
    // SAFETY: the range was checked against the span, which outlives the call.
    return unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      while true {
        let count = unsafe CPlatform.read(raw, base + range.lowerBound, range.count)
        if count >= 0 { return count }
        let code = localauth_errno()
        if code != EINTR { return 0 &- Int(code) }
      }
    }
  }

  /// Writes all bytes to something that takes them at once: a pipe's first few hundred, a terminal.
  public static func writeAll(_ raw: CInt, _ bytes: Span<UInt8>) -> Bool {
    // SAFETY: the pointer stays inside the span's bytes.
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return true }
      var done = 0
      while done < buffer.count {
        let count = unsafe write(raw, base + done, buffer.count &- done)
        if count > 0 {
          done &+= count
        } else if localauth_errno() != EINTR {
          return false
        }
      }
      return true
    }
  }
}

/// Two ends of one channel.
public struct DescriptorPair: ~Copyable, Sendable {
  public var first: Descriptor
  public var second: Descriptor

  init(first: consuming Descriptor, second: consuming Descriptor) {
    self.first = first
    self.second = second
  }

  public consuming func split<Result: ~Copyable, Failure>(
    _ body: (consuming Descriptor, consuming Descriptor) throws(Failure) -> Result
  ) throws(Failure) -> Result where Failure: Error {
    try body(first, second)
  }
}
