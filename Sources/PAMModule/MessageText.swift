import HelperProtocol

/// Text in a fixed place with a NUL behind it: items, prompts, lines of the log. What does not fit is left out.
struct MessageText: ~Copyable {
  /// A request line, a line feed, a prompt and some words: FrameLimits.
  static var most: Int { 1023 }

  private var bytes = InlineArray<1024, UInt8>(repeating: 0)
  private(set) var count = 0
  /// Something was left out.
  private(set) var isCut = false

  func copy() -> MessageText {
    var copy = MessageText()
    copy.append(self)
    return copy
  }

  var isEmpty: Bool { count == 0 }

  mutating func append(_ byte: UInt8) {
    guard count < Self.most else {
      isCut = true
      return
    }
    bytes[count] = byte
    count &+= 1
  }

  @inline(never)
  mutating func append(_ text: Span<UInt8>) {
    for index in 0..<text.count { append(text[index]) }
  }

  @inline(never)
  mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount {
      // SAFETY: index is below the count of a text that lives forever.
      append(unsafe text.utf8Start[index])
    }
  }

  mutating func append(_ text: borrowing MessageText) { text.withBytes { append($0) } }

  /// A C string of libpam or of the host, up to its NUL; NULL is empty.
  @unsafe mutating func append(cString text: UnsafePointer<CChar>?) {
    guard var next = unsafe text else { return }
    // SAFETY: a C string is read up to its NUL, and no further than this text has room for.
    while !isCut, unsafe next.pointee != 0 {
      append(UInt8(bitPattern: unsafe next.pointee))
      unsafe next += 1
    }
  }

  /// Foreign text made fit for a log, at most `most` bytes of it.
  @inline(never)
  mutating func append(cleaned text: borrowing MessageText, most: Int = 64) {
    text.withBytes { source in
      var index = 0
      while index < min(source.count, most) {
        let length = TextRules.cleanLength(source, at: index)
        for offset in 0..<(length ?? 1) { append(length == nil ? UInt8(ascii: "?") : source[index &+ offset]) }
        index &+= length ?? 1
      }
    }
  }

  /// Foreign text as one word of a line of the log: with spaces, quotes or an equals sign it could add fields.
  mutating func append(word text: borrowing MessageText) {
    var word = MessageText()
    word.append(cleaned: text)
    word.withBytes { bytes in
      for index in 0..<bytes.count { append(TextRules.isWord(bytes[index]) ? bytes[index] : UInt8(ascii: "?")) }
    }
  }

  mutating func append(_ number: UInt32) {
    if number >= 10 { append(number / 10) }
    append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10))
  }

  func withBytes<Result: ~Copyable, Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result where Failure: Error {
    try body(bytes.span.extracting(first: count))
  }

  /// The text as a C string; the pointer is dead after `body`. nil never happens.
  @unsafe func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    // SAFETY: 1024 bytes, of which the last is never written, so that a NUL ends the text.
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
}
