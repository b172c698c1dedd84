/// What one frame may be. On the wire: little-endian `u32 length | u8 type | payload`, where the length
/// counts the payload only.
public enum FrameLimits: Sendable {
  public static var header: Int { 5 }
  public static var payload: Int { 4096 }
  /// Frames of one session, each way.
  public static var frames: Int { 96 }
  /// Bytes of one session, each way.
  public static var bytes: Int { 65_536 }
  /// pam_unix's bound and ours; a longer passcode is refused, never cut.
  public static var secret: Int { 511 }
  public static var text: Int { 512 }
  public static var name: Int { 256 }
}

/// The types of frames.
public enum FrameType: UInt8, CaseIterable, Sendable {
  // From the front end.
  case hello = 1
  case shown = 2
  case answer = 3
  case cancel = 4
  // From the helper.
  case ask = 16
  case hint = 17
  case inquire = 18
  case notice = 19
  case verdict = 20
}

/// Why bytes are not a frame, or a frame is not a message.
public enum ProtocolFailure: UInt8, Error, CaseIterable, Sendable {
  case tooLong = 1
  case unknownType
  /// Fewer or more bytes than the message has.
  case wrongSize
  case badValue
  /// Not UTF-8, or with control characters.
  case badText
  case badVersion
  /// A legal message at the wrong time.
  case outOfOrder
  case tooMany
  /// The connection ended inside a frame.
  case cutOff
}

/// The first five bytes of a frame.
public struct FrameHeader: Equatable, Sendable {
  public var type: FrameType
  public var count: Int

  public init(type: FrameType, count: Int) {
    self.type = type
    self.count = count
  }

  /// Reads a header; nil while there are fewer than five bytes.
  public static func parse(_ bytes: Span<UInt8>) throws(ProtocolFailure) -> FrameHeader? {
    guard bytes.count >= FrameLimits.header else { return nil }
    let length = UInt32(bytes[0]) | UInt32(bytes[1]) << 8 | UInt32(bytes[2]) << 16 | UInt32(bytes[3]) << 24
    guard let count = Int(exactly: length), count <= FrameLimits.payload else { throw .tooLong }
    guard let type = FrameType(rawValue: bytes[4]) else { throw .unknownType }
    return FrameHeader(type: type, count: count)
  }
}
