/// Bytes of a connection as they come in, until they are a frame. Fixed size, nothing on the heap.
public struct FrameBuffer: ~Copyable, Sendable {
  private var bytes = InlineArray<4101, UInt8>(repeating: 0)
  private var filled = 0

  public init() {}

  /// Bytes that are still wanted: first the header's, then the payload's. Never zero before the frame is whole,
  /// and never past it, so that a reader that asks for just these never takes a byte of the next frame.
  public func wanted() throws(ProtocolFailure) -> Int {
    guard let header = try FrameHeader.parse(bytes.span.extracting(first: filled)) else {
      return FrameLimits.header &- filled
    }
    return FrameLimits.header &+ header.count &- filled
  }

  /// Whether anything of a frame has come.
  public var isEmpty: Bool { filled == 0 }

  /// Copies bytes in; takes at most what is wanted and says how many.
  public mutating func take(_ source: Span<UInt8>) throws(ProtocolFailure) -> Int {
    var taken = 0
    while taken < source.count, try wanted() > 0 {
      bytes[filled] = source[taken]
      filled &+= 1
      taken &+= 1
    }
    return taken
  }

  /// Lets `body` write the wanted bytes into a part of the buffer, as read(2) does, and keeps as many as it
  /// says it wrote; a count of zero or less is handed back as it is.
  public mutating func fill(_ body: (inout MutableSpan<UInt8>, Range<Int>) -> Int) throws(ProtocolFailure) -> Int {
    let count = try wanted()
    guard count > 0 else { return 0 }
    var span = bytes.mutableSpan
    let written = body(&span, filled..<(filled &+ count))
    if written > 0 { filled &+= min(written, count) }
    return written
  }

  /// The whole frame, once there is one.
  public func header() throws(ProtocolFailure) -> FrameHeader? {
    guard let header = try FrameHeader.parse(bytes.span.extracting(first: filled)) else { return nil }
    return filled == FrameLimits.header &+ header.count ? header : nil
  }

  /// The payload of a whole frame.
  public func withPayload<Result: ~Copyable, Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result where Failure: Error {
    let start = min(FrameLimits.header, filled)
    return try body(bytes.span.extracting(start..<filled))
  }

  /// Forgets the frame: overwritten, since it may have held a secret.
  public mutating func clear() {
    for index in 0..<filled { bytes[index] = 0 }
    filled = 0
  }
}
