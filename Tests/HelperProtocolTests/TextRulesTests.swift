import HelperProtocol
import Testing

@Suite struct `A text that may be shown` {
  private func isClean(_ bytes: [UInt8], lines: Bool = false) -> Bool { TextRules.isClean(bytes.span, lines: lines) }

  @Test(arguments: ["", " ~", "Größe", "日本語", "👍🏽", "e\u{301}", "\u{a0}", "\u{10ffff}", "\u{fffd}"])
  func `is any other UTF-8`(text: String) {
    #expect(isClean(Array(text.utf8)))
  }

  @Test func `has no control characters, C0, DEL or C1`() {
    for scalar in Array(0x00...0x1f) + Array(0x7f...0x9f) {
      let bytes = Array(String(UnicodeScalar(scalar).map(Character.init) ?? " ").utf8)
      #expect(!isClean([0x41] + bytes + [0x42]), "U+\(String(scalar, radix: 16))")
    }
  }

  @Test func `has line feed and tab only where lines are allowed, and other controls never`() {
    for control: UInt8 in 0...0x1f { #expect(isClean([control], lines: true) == [0x09, 0x0a].contains(control)) }
    #expect(!isClean([0x09]) && !isClean([0x0a]))
  }

  @Test(
    arguments: [
      0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
      0xfeff,
    ] as [UInt32])
  func `has nothing that turns the direction of writing`(scalar: UInt32) throws {
    let character = Character(try #require(UnicodeScalar(scalar)))
    #expect(!isClean(Array("a\(character)b".utf8)))
    #expect(!isClean(Array("a\(character)b".utf8), lines: true))
  }

  @Test func `has every scalar that no rule forbids, and no other, in one encoding`() {
    let ranges: [ClosedRange<UInt32>] = [
      0x00...0x1f, 0x7f...0x9f, 0x061c...0x061c, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff...0xfeff,
    ]
    let forbidden = Set(ranges.joined())
    let tried: [ClosedRange<UInt32>] = [0...0x2fff, 0xd700...0x1_0010, 0x1_f600...0x1_f610, 0x10_fff0...0x10_ffff]
    for scalar in tried.joined().compactMap(UnicodeScalar.init) {
      let bytes = Array(String(scalar).utf8)
      let length = TextRules.cleanLength(bytes.span, at: 0)
      let expected = forbidden.contains(scalar.value) ? nil : bytes.count
      if length != expected || isClean(bytes) == forbidden.contains(scalar.value) { Issue.record("\(scalar.value)") }
    }
  }

  @Test(
    arguments: [
      [0x80], [0xbf], [0xc0, 0x80], [0xc0, 0xaf], [0xc1, 0xbf], [0xe0, 0x80, 0xaf], [0xe0, 0x9f, 0xbf],
      [0xf0, 0x80, 0x80, 0xaf], [0xf0, 0x8f, 0xbf, 0xbf], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf],
      [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80],
      [0xf8, 0x88, 0x80, 0x80, 0x80], [0xff], [0xfe], [0xc3], [0xc3, 0x28], [0xe2, 0x82], [0xe2, 0x28, 0xa1],
      [0xf0, 0x9f, 0x98], [0xf0, 0x9f, 0x28, 0x80], [0xe2, 0x82, 0xac, 0xac],
    ] as [[UInt8]])
  func `is no overlong, cut, surrogate or stray encoding`(bytes: [UInt8]) {
    #expect(!isClean(bytes) && !isClean([0x41] + bytes + [0x42], lines: true))
  }

  @Test(arguments: [-1, 1, 2, Int.max, Int.min]) func `has no character outside itself`(index: Int) {
    #expect(TextRules.cleanLength([0x41].span, at: index) == nil)
  }

  @Test func `is what the standard library calls UTF-8, less what the rules forbid`() {
    var random = SplitMix(state: 5)
    for _ in 0..<20_000 {
      let bytes = random.bytes(Int.random(in: 1...4, using: &random))
      if isClean(bytes) && String(validating: bytes, as: UTF8.self) == nil { Issue.record("\(bytes)") }
    }
  }
}
