/// Which texts may cross the protocol and reach a screen: valid UTF-8 (RFC 3629) without C0 and C1 controls,
/// DEL, and the bidirectional controls of UAX #9, by which a text could look like another one.
public enum TextRules: Sendable {
  /// Whether a text is clean; with `lines`, line feed and tab are allowed.
  public static func isClean(_ bytes: Span<UInt8>, lines: Bool = false) -> Bool {
    var index = 0
    while index < bytes.count {
      guard let (scalar, length) = scalar(bytes, at: index) else { return false }
      guard isClean(scalar, lines: lines) else { return false }
      index &+= length
    }
    return true
  }

  /// Length of the clean character at `index`, or nil where a cleaner puts a question mark for one byte.
  public static func cleanLength(_ bytes: Span<UInt8>, at index: Int, lines: Bool = false) -> Int? {
    guard let (scalar, length) = scalar(bytes, at: index), isClean(scalar, lines: lines) else { return nil }
    return length
  }

  /// Whether a byte may be in a value of a `key=value` line of the log.
  public static func isWord(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != UInt8(ascii: "=") && byte != UInt8(ascii: "\"")
  }

  private static func isClean(_ scalar: UInt32, lines: Bool) -> Bool {
    switch scalar {
    case 0x09, 0x0a: lines
    case 0x00...0x1f, 0x7f...0x9f: false
    case 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: false
    default: true
    }
  }

  /// Decodes one scalar; nil for anything that is not shortest-form UTF-8.
  private static func scalar(_ bytes: Span<UInt8>, at index: Int) -> (UInt32, Int)? {
    guard index >= 0, index < bytes.count else { return nil }
    let first = UInt32(bytes[index])
    let (length, smallest, bits): (Int, UInt32, UInt32)
    switch first {
    case 0x00...0x7f: return (first, 1)
    case 0xc2...0xdf: (length, smallest, bits) = (2, 0x80, first & 0x1f)
    case 0xe0...0xef: (length, smallest, bits) = (3, 0x800, first & 0x0f)
    case 0xf0...0xf4: (length, smallest, bits) = (4, 0x1_0000, first & 0x07)
    default: return nil
    }
    guard length <= bytes.count &- index else { return nil }
    var value = bits
    for offset in 1..<length {
      let next = UInt32(bytes[index &+ offset])
      guard next & 0xc0 == 0x80 else { return nil }
      value = value << 6 | next & 0x3f
    }
    guard value >= smallest, value <= 0x10_ffff, !(0xd800...0xdfff).contains(value) else { return nil }
    return (value, length)
  }
}
