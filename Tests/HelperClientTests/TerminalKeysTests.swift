import Testing

@testable import HelperClient

@Suite struct `Keys at a hidden prompt` {
  /// The keys of one read(2).
  private func keys(_ bytes: [UInt8], isEmpty: Bool = false) -> [TerminalKey] {
    var keys = TerminalKeys()
    return bytes.enumerated().compactMap { keys.take($1, isLast: $0 == bytes.count - 1, isEmpty: isEmpty) }
  }

  private func typed(_ text: String) -> [TerminalKey] { text.utf8.map { .byte($0) } }

  @Test(arguments: ["passcode", "pässwörd", "with blanks", "a\u{1}b\u{9}"])
  func `What is no key of the line is part of the answer`(text: String) {
    #expect(keys(Array(text.utf8)) == typed(text))
  }

  @Test(arguments: ["\u{1b}[A", "\u{1b}[1;5C", "\u{1b}OP", "\u{1b}[3~", "\u{1b}x", "\u{13}", "\u{11}"])
  func `Arrow and function keys and flow control are no part of it and cancel nothing`(sequence: String) {
    #expect(keys(Array("ab\(sequence)cd".utf8)) == typed("abcd"))
  }

  @Test func `A bracketed paste is what was pasted`() {
    #expect(keys(Array("\u{1b}[200~abc\u{1b}[201~\r".utf8)) == typed("abc") + [.enter])
  }

  @Test(arguments: [0x1b, 0x03, 0x1c] as [UInt8])
  func `Esc alone, Ctrl-C and Ctrl-backslash cancel`(byte: UInt8) {
    #expect(keys([0x61, byte]) == [.byte(0x61), .cancel])
  }

  @Test func `Ctrl-D ends the answer, and cancels where there is none`() {
    #expect(keys([0x04], isEmpty: false) == [.enter])
    #expect(keys([0x04], isEmpty: true) == [.cancel])
  }

  @Test func `The keys that erase, end and stop are those of a line`() {
    #expect(
      keys([0x08, 0x7f, 0x15, 0x17, 0x1a, 0x0a, 0x0d])
        == [.eraseCharacter, .eraseCharacter, .eraseLine, .eraseWord, .suspend, .enter, .enter])
  }
}
