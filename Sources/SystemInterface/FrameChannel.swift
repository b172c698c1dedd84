internal import CPlatform
public import HelperProtocol

/// Why a connection is over.
public enum ChannelFailure: Error, Equatable, Sendable {
  /// The other end closed it, between two frames.
  case closed
  case malformed(ProtocolFailure)
  case system(SystemError)
  /// The other end did not take our bytes in time.
  case slow
}

/// Frames over a connected stream; neither reading nor writing waits longer than it is told to.
public struct FrameChannel: ~Copyable, Sendable {
  private let descriptor: Descriptor
  private var buffer = FrameBuffer()

  /// Makes the descriptor non-blocking, and owns it from here on.
  public init(_ descriptor: consuming Descriptor) {
    _ = localauth_set_nonblocking(descriptor.raw, 1)
    self.descriptor = descriptor
  }

  public var raw: CInt { descriptor.raw }

  /// Reads what has come; the header of a frame that is whole, or nil while it is not.
  ///
  /// Reads no byte past the frame: what follows stays in the kernel, so that poll(2) tells of it.
  public mutating func receive() throws(ChannelFailure) -> FrameHeader? {
    while true {
      if let header = try whole() { return header }
      let count = try read()
      if count == 0 { throw buffer.isEmpty ? .closed : .malformed(.cutOff) }
      if count < 0 {
        let error = SystemError(code: CInt(truncatingIfNeeded: 0 &- count))
        if error.meansTryAgain { return nil }
        // The other end died with bytes of ours unread: unix(7).
        throw error.code == ECONNRESET ? .closed : .system(error)
      }
    }
  }

  /// The payload of the frame that `receive` told of.
  public func withPayload<Result: ~Copyable, Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result where Failure: Error {
    try buffer.withPayload(body)
  }

  /// Makes room for the next frame; the bytes of this one are overwritten.
  public mutating func next() { buffer.clear() }

  /// Sends a whole frame, and wipes it. A frame that would be too long is refused.
  public func send(_ frame: consuming FrameWriter, until deadline: UInt64) throws(ChannelFailure) {
    var frame = frame
    let fits = frame.finish()
    let failure = fits ? frame.withBytes { send(bytes: $0, until: deadline) } : .malformed(.tooLong)
    frame.wipe()
    if let failure { throw failure }
  }

  /// Sends a passcode straight from the page that holds it. A FrameWriter is copied wherever it is handed on, and each
  /// copy would stay on the stack of a host that lives on.
  public func send(_ type: FrameType, secret: Span<UInt8>, until deadline: UInt64) throws(ChannelFailure) {
    guard secret.count <= FrameLimits.secret else { throw .malformed(.tooLong) }
    let low = UInt8(truncatingIfNeeded: secret.count)
    let high = UInt8(truncatingIfNeeded: secret.count >> 8)
    let header: InlineArray<5, UInt8> = [low, high, 0, 0, type.rawValue]
    if let failure = send(bytes: header.span, until: deadline) { throw failure }
    if let failure = send(bytes: secret, until: deadline) { throw failure }
  }

  private func send(bytes: Span<UInt8>, until deadline: UInt64) -> ChannelFailure? {
    var sent = 0
    while sent < bytes.count {
      let rest = bytes.extracting(sent..<bytes.count)
      // SAFETY: the pointer and the count are the span's own.
      let count = unsafe rest.withUnsafeBytes { unsafe localauth_send(raw, $0.baseAddress, $0.count) }
      if count > 0 {
        sent &+= count
        continue
      }
      let error = SystemError(code: CInt(truncatingIfNeeded: 0 &- count))
      if error.code == EPIPE || error.code == ECONNRESET { return .closed }
      guard error.meansTryAgain else { return .system(error) }
      do throws(SystemError) {
        guard try PollSet.wait(for: raw, events: PollSet.writable, until: deadline) else { return .slow }
      } catch {
        return .system(error)
      }
    }
    return nil
  }

  private func whole() throws(ChannelFailure) -> FrameHeader? {
    do throws(ProtocolFailure) { return try buffer.header() } catch { throw .malformed(error) }
  }

  private mutating func read() throws(ChannelFailure) -> Int {
    let raw = descriptor.raw
    do throws(ProtocolFailure) {
      return try buffer.fill { span, range in Descriptor.read(raw, into: &span, at: range) }
    } catch {
      throw .malformed(error)
    }
  }
}
