/// Where a text lies in a payload.
public struct TextRange: Equatable, Sendable {
  public var start: Int
  public var count: Int

  public init(start: Int, count: Int) {
    self.start = start
    self.count = count
  }

  public static var empty: TextRange { TextRange(start: 0, count: 0) }

  /// Where the text is in a payload of `total` bytes, for `extracting`; empty when it cannot be of that payload.
  public func range(of total: Int) -> Range<Int> {
    guard start >= 0, count >= 0, start <= total, count <= total &- start else { return 0..<0 }
    return start..<(start &+ count)
  }
}

/// Reads the fields of a payload in order; every read is bounded and may fail, none traps.
struct FieldReader {
  private var position = 0

  mutating func byte(_ payload: Span<UInt8>) throws(ProtocolFailure) -> UInt8 {
    guard position < payload.count else { throw .wrongSize }
    defer { position &+= 1 }
    return payload[position]
  }

  mutating func short(_ payload: Span<UInt8>) throws(ProtocolFailure) -> UInt16 {
    let low = try byte(payload)
    return UInt16(low) | UInt16(try byte(payload)) << 8
  }

  mutating func long(_ payload: Span<UInt8>) throws(ProtocolFailure) -> UInt32 {
    let low = try short(payload)
    return UInt32(low) | UInt32(try short(payload)) << 16
  }

  mutating func nonce(_ payload: Span<UInt8>) throws(ProtocolFailure) -> Nonce {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    for index in 0..<16 { bytes[index] = try byte(payload) }
    return Nonce(bytes)
  }

  /// A text of at most `most` bytes that is fit for a screen: see `TextRules`.
  mutating func text(
    _ payload: Span<UInt8>, most: Int, lines: Bool = false
  ) throws(ProtocolFailure) -> TextRange {
    let count = Int(try short(payload))
    guard count <= most else { throw .tooLong }
    guard count <= payload.count &- position else { throw .wrongSize }
    let range = TextRange(start: position, count: count)
    guard TextRules.isClean(payload.extracting(range.range(of: payload.count)), lines: lines) else { throw .badText }
    position &+= count
    return range
  }

  func end(_ payload: Span<UInt8>) throws(ProtocolFailure) {
    guard position == payload.count else { throw .wrongSize }
  }
}
