import HelperProtocol

/// A line of text that is put together, for the screen or the log; at most 512 bytes, the rest is left out.
struct Line {
  private var bytes = InlineArray<513, UInt8>(repeating: 0)
  private(set) var count = 0

  init() {}

  mutating func append(_ byte: UInt8) {
    guard count < 512 else { return }
    bytes[count] = byte
    count &+= 1
  }

  mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount {
      // SAFETY: index is below the count.
      append(unsafe text.utf8Start[index])
    }
  }

  mutating func append(_ text: FixedText) { text.withBytes { append(cleaned: $0) } }

  /// Appends a name as one word of a line of the log: with spaces, quotes or an equals sign it could add fields.
  mutating func append(word name: FixedText) {
    name.withBytes { bytes in
      var word = Line()
      word.append(cleaned: bytes)
      for index in 0..<word.count {
        append(TextRules.isWord(word.bytes[index]) ? word.bytes[index] : UInt8(ascii: "?"))
      }
    }
  }

  mutating func append(_ number: UInt32) {
    if number >= 10 { append(number / 10) }
    append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
  }

  mutating func append(_ number: Int32) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(number.magnitude)
  }

  /// Appends a text made fit for a screen, at most `columns` characters, an ellipsis for the rest.
  mutating func append(cleaned text: Span<UInt8>, columns: Int = .max) {
    var index = 0
    var column = 0
    while index < text.count {
      if column >= columns {
        append("…")
        return
      }
      let length = TextRules.cleanLength(text, at: index)
      // Whole characters only, also at the end of the line.
      guard count &+ (length ?? 1) <= 512 else { return }
      for offset in 0..<(length ?? 1) { append(length == nil ? UInt8(ascii: "?") : text[index &+ offset]) }
      index &+= length ?? 1
      column &+= 1
    }
  }

  /// Leaves room for `more` bytes, by whole characters from the end.
  mutating func shorten(toFit more: Int) {
    while count > 0, count &+ more > 512 {
      // A character ends where the first byte that is no continuation, UTF-8's 10xxxxxx, was taken away.
      var byte: UInt8 = 0x80
      while count > 0, byte & 0xc0 == 0x80 {
        count &-= 1
        byte = bytes[count]
        bytes[count] = 0
      }
    }
  }

  func withBytes<Result: ~Copyable, Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result where Failure: Error {
    try body(bytes.span.extracting(first: count))
  }

  /// The line as a C string; the pointer is dead after `body`.
  @unsafe func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    // SAFETY: 513 bytes, of which the one behind the text is zero.
    unsafe bytes.span.withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        guard let base = text.baseAddress else { return nil }
        return unsafe body(base)
      }
    }
  }
}
