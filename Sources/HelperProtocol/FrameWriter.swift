/// One outgoing frame in a fixed buffer. Too much is refused at `finish`, never cut.
public struct FrameWriter: ~Copyable, Sendable {
  private var bytes = InlineArray<4101, UInt8>(repeating: 0)
  private var filled = FrameLimits.header
  private var overflowed = false

  public init(_ type: FrameType) { bytes[4] = type.rawValue }

  public mutating func put(_ byte: UInt8) {
    guard filled < bytes.count else {
      overflowed = true
      return
    }
    bytes[filled] = byte
    filled &+= 1
  }

  public mutating func put(_ value: UInt16) {
    put(UInt8(truncatingIfNeeded: value))
    put(UInt8(truncatingIfNeeded: value >> 8))
  }

  public mutating func put(_ value: UInt32) {
    put(UInt16(truncatingIfNeeded: value))
    put(UInt16(truncatingIfNeeded: value >> 16))
  }

  public mutating func put(raw value: Span<UInt8>) {
    for index in 0..<value.count { put(value[index]) }
  }

  /// A `u16` length and the bytes.
  public mutating func put(text value: Span<UInt8>) {
    guard let count = UInt16(exactly: value.count) else {
      overflowed = true
      return
    }
    put(count)
    put(raw: value)
  }

  /// A text made fit for a screen: what `TextRules` refuses becomes a question mark, and what is over `most`
  /// bytes is left out at the border of a character. For names that decide something use `put(text:)`.
  public mutating func put(cleaned value: Span<UInt8>, most: Int, lines: Bool = false) {
    let place = filled
    put(0 as UInt16)
    var index = 0
    var count = 0
    while index < value.count {
      let clean = TextRules.cleanLength(value, at: index, lines: lines)
      let length = clean ?? 1
      guard count &+ length <= most else { break }
      for offset in 0..<length { put(clean == nil ? UInt8(ascii: "?") : value[index &+ offset]) }
      index &+= length
      count &+= length
    }
    guard !overflowed, let total = UInt16(exactly: count) else {
      overflowed = true
      return
    }
    bytes[place] = UInt8(truncatingIfNeeded: total)
    bytes[place &+ 1] = UInt8(truncatingIfNeeded: total >> 8)
  }

  public mutating func put(_ value: borrowing Nonce) {
    for index in 0..<16 { put(value.bytes[index]) }
  }

  /// Fills in the length; false when the frame would be too long.
  public mutating func finish() -> Bool {
    guard !overflowed, let count = UInt32(exactly: filled &- FrameLimits.header) else { return false }
    for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: count >> (8 &* UInt32(index))) }
    return true
  }

  /// The bytes to send, after `finish`.
  public func withBytes<Result: ~Copyable, Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result where Failure: Error {
    try body(bytes.span.extracting(first: filled))
  }

  /// Overwrites what was written: an answer holds a passcode.
  public mutating func wipe() {
    for index in 0..<filled { bytes[index] = 0 }
    filled = FrameLimits.header
  }
}

/// Sixteen random bytes by which a verdict belongs to one request.
public struct Nonce: Equatable, Sendable {
  public var bytes: InlineArray<16, UInt8>

  public init(_ bytes: InlineArray<16, UInt8>) { self.bytes = bytes }

  /// Every bit turned: what a verdict of success carries, so that no single flipped bit makes one.
  public var inverted: Nonce {
    var result = self
    for index in 0..<16 { result.bytes[index] = ~bytes[index] }
    return result
  }

  public static func == (left: Nonce, right: Nonce) -> Bool {
    var difference: UInt8 = 0
    for index in 0..<16 { difference |= left.bytes[index] ^ right.bytes[index] }
    return difference == 0
  }
}
