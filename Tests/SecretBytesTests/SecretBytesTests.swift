import CPlatform
import SecretBytes
import Testing

private struct NoPage: Error {}

private func with<Result>(
  _ bytes: [UInt8], _ body: (inout SecretBytes) throws -> Result
) throws -> Result {
  guard var secret = SecretBytes() else { throw NoPage() }
  secret.append(contentsOf: bytes.span)
  return try body(&secret)
}

private func copy(_ secret: borrowing SecretBytes) -> [UInt8] {
  secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
}

@Suite struct `A secret` {
  @Test func `gives back what was put in, byte by byte or at once`() throws {
    let bytes = try with(Array("corr".utf8)) { secret in
      for byte in "ect".utf8 { secret.append(byte) }
      return copy(secret)
    }
    #expect(bytes == Array("correct".utf8))
  }

  @Test(arguments: [(0, false, 0), (1, true, 1), (510, true, 510), (511, true, 511), (512, false, 511)])
  func `may have 511 bytes; one more makes it unusable, not shorter`(given: Int, usable: Bool, kept: Int) throws {
    try with([UInt8](repeating: 0x41, count: given)) { secret in
      #expect(secret.isUsable == usable)
      #expect(secret.count == kept)
      #expect(secret.overflowed == (given > 511))
      #expect(secret.isEmpty == (given == 0))
    }
  }

  @Test func `stays unusable when it overflowed, however little comes after`() throws {
    try with([UInt8](repeating: 0x41, count: 5_000)) { secret in
      secret.append(contentsOf: Array("end".utf8).span)
      #expect(secret.overflowed && !secret.isUsable && secret.count == 511)
    }
  }

  @Test(arguments: [[0], [0, 0x41], [0x41, 0], [0x41, 0, 0x42]] as [[UInt8]])
  func `with a NUL is unusable`(bytes: [UInt8]) throws {
    try with(bytes) { secret in #expect(secret.containsNUL && !secret.isUsable) }
  }

  @Test func `is any other byte as it came`() throws {
    let bytes = Array(UInt8(1)...255)
    try with(bytes) { secret in #expect(secret.isUsable && copy(secret) == bytes) }
  }

  @Test(arguments: [0, 1, 511]) func `is a C string that ends behind its last byte`(count: Int) throws {
    try with([UInt8](repeating: 0x41, count: count)) { secret in
      // SAFETY: the pointer stays inside the closure.
      let length = unsafe secret.withCString { unsafe strlen($0) }
      #expect(length == count)
    }
  }

  @Test(arguments: [
    ("ab", "a"), ("aü", "a"), ("a€", "a"), ("a😀", "a"), ("a", ""), ("", ""), ("😀", ""),
  ]) func `loses its last character whole`(before: String, after: String) throws {
    try with(Array(before.utf8)) { secret in
      secret.removeLastCharacter()
      #expect(copy(secret) == Array(after.utf8))
    }
  }

  @Test(arguments: [("one two", "one "), ("one two  ", "one "), ("one", ""), ("  ", ""), ("", "")])
  func `loses its last word with the blanks behind it`(before: String, after: String) throws {
    try with(Array(before.utf8)) { secret in
      secret.removeLastWord()
      #expect(copy(secret) == Array(after.utf8))
    }
  }

  @Test func `starts again when something is taken from too much`() throws {
    try with([UInt8](repeating: 0x80, count: 600)) { secret in
      secret.removeLastCharacter()
      #expect(secret.isEmpty && !secret.overflowed)
    }
  }

  @Test func `grows on after it was read as a C string`() throws {
    try with(Array("ab".utf8)) { secret in
      // SAFETY: nothing is read.
      unsafe secret.withCString { _ in }
      secret.append(UInt8(ascii: "c"))
      #expect(copy(secret) == Array("abc".utf8))
    }
  }

  @Test func `starts anew when it was wiped`() throws {
    try with([UInt8](repeating: 0x41, count: 600)) { secret in
      secret.wipe()
      #expect(secret.isEmpty && !secret.overflowed && !secret.containsNUL)
      secret.append(UInt8(ascii: "b"))
      #expect(copy(secret) == Array("b".utf8))
    }
  }
}
