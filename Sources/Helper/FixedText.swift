/// A short text in a fixed place, with a NUL behind it: names, terminals, hosts. At most 256 bytes.
struct FixedText: Sendable {
  private var bytes = InlineArray<257, UInt8>(repeating: 0)
  private(set) var count = 0

  init() {}

  /// nil when it is too long or holds a NUL: a name is never cut.
  init?(_ source: Span<UInt8>) {
    guard source.count <= 256 else { return nil }
    for index in 0..<source.count {
      guard source[index] != 0 else { return nil }
      bytes[index] = source[index]
    }
    count = source.count
  }

  /// nil for a NULL or too long C string.
  init?(_ source: UnsafePointer<CChar>?) {
    guard let source = unsafe source else { return nil }
    // SAFETY: a C string is read up to its NUL, and no further than 257 bytes.
    while unsafe source[count] != 0 {
      guard count < 256 else { return nil }
      bytes[count] = UInt8(bitPattern: unsafe source[count])
      count &+= 1
    }
  }

  /// A constant of this program, at most 256 bytes.
  init(_ text: StaticString) {
    while count < text.utf8CodeUnitCount, count < 256 {
      // SAFETY: below the count.
      bytes[count] = unsafe text.utf8Start[count]
      count &+= 1
    }
  }

  var isEmpty: Bool { count == 0 }

  func withBytes<Result: ~Copyable, Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result where Failure: Error {
    try body(bytes.span.extracting(first: count))
  }

  /// The text as a C string; the pointer is dead after `body`.
  @unsafe func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    // SAFETY: 257 bytes, of which the one behind the text is zero.
    unsafe bytes.span.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        guard let base = text.baseAddress else { return nil }
        return unsafe body(base)
      }
    }
  }

  func equals(_ other: StaticString) -> Bool {
    guard other.utf8CodeUnitCount == count else { return false }
    for index in 0..<count {
      // SAFETY: index is below both counts.
      let byte = unsafe other.utf8Start[index]
      if byte != bytes[index] { return false }
    }
    return true
  }

  func equals(_ other: FixedText) -> Bool {
    guard other.count == count else { return false }
    for index in 0..<count where bytes[index] != other.bytes[index] { return false }
    return true
  }
}
