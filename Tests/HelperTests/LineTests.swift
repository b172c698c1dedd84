import Testing

@testable import Helper

extension Line {
  /// The line as a string, for comparisons.
  var string: String { withBytes { bytes in String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self) } }
}

extension FixedText {
  init(string: String) { self = FixedText(string.utf8.span) ?? FixedText() }
  var string: String { withBytes { bytes in String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self) } }
}

struct LineTests {
  @Test(arguments: [(0, "0"), (7, "7"), (10, "10"), (4_294_967_295, "4294967295")] as [(UInt32, String)])
  func `numbers are written in decimal`(number: UInt32, text: String) {
    var line = Line()
    line.append(number)
    #expect(line.string == text)
  }

  @Test func `control characters, escapes and bidirectional marks become question marks`() {
    var line = Line()
    line.append(cleaned: "a\u{1b}[31mb\u{7}c\u{202e}d\n".utf8.span)
    #expect(line.string == "a?[31mb?c???d?")
  }

  @Test func `a name adds no field to a line of the log`() {
    var line = Line()
    line.append(word: FixedText(string: "sudo user=root \"é\u{1b}"))
    #expect(line.string == "sudo?user?root??é?")
  }

  @Test func `what is past the columns is an ellipsis`() {
    var line = Line()
    line.append(cleaned: "éééééé".utf8.span, columns: 4)
    #expect(line.string == "éééé…")
  }

  @Test func `a line takes 512 bytes and no half character`() {
    var line = Line()
    for _ in 0..<511 { line.append(UInt8(ascii: "x")) }
    line.append(cleaned: "é".utf8.span)
    #expect(line.count == 511)
    for _ in 0..<10 { line.append(UInt8(ascii: "y")) }
    #expect(line.count == 512)
  }
}

struct RoomInALineTests {
  @Test(arguments: [(0, 512), (1, 510), (2, 510), (3, 508), (512, 0), (600, 0)])
  func `a full line makes room by whole characters`(more: Int, left: Int) {
    var line = Line()
    for _ in 0..<256 { line.append(cleaned: "é".utf8.span) }
    line.shorten(toFit: more)
    #expect(line.count == left)
    #expect(line.string == String(repeating: "é", count: left / 2))
  }

  @Test func `a short line loses nothing`() {
    var line = Line()
    line.append("sudo")
    line.shorten(toFit: 400)
    #expect(line.string == "sudo")
  }
}

struct FixedTextTests {
  @Test func `a name is never cut, and holds no NUL`() {
    #expect(FixedText(String(repeating: "a", count: 256).utf8.span)?.count == 256)
    #expect(FixedText(String(repeating: "a", count: 257).utf8.span) == nil)
    #expect(FixedText("a\0b".utf8.span) == nil)
  }

  @Test func `equality looks at every byte and the length`() {
    #expect(FixedText(string: "alice").equals(FixedText(string: "alice")))
    #expect(!FixedText(string: "alice").equals(FixedText(string: "alicf")))
    #expect(!FixedText(string: "alice").equals(FixedText(string: "alic")))
    #expect(FixedText(string: "sudo").equals("sudo" as StaticString))
    #expect(!FixedText(string: "sudo").equals("sud" as StaticString))
  }
}
