import HelperProtocol
import Testing

@Suite struct `A written frame` {
  @Test func `is the length, the type and the payload, little-endian`() {
    var frame = FrameWriter(.verdict)
    frame.put(0x01 as UInt8)
    frame.put(0x0203 as UInt16)
    frame.put(0x0405_0607 as UInt32)
    frame.put(text: [0x41, 0x42].span)
    #expect(wire(frame) == [11, 0, 0, 0, 20, 1, 3, 2, 7, 6, 5, 4, 2, 0, 0x41, 0x42])
  }

  @Test func `may have 4096 bytes of payload, and with one more is refused whole`() {
    for (count, fits) in [(4_095, true), (4_096, true), (4_097, false), (10_000, false)] {
      var frame = FrameWriter(.notice)
      frame.put(raw: [UInt8](repeating: 1, count: count).span)
      #expect((wire(frame) != nil) == fits, "\(count)")
    }
  }

  @Test(arguments: [4_095, 65_535, 65_536, 70_000]) func `with a text that does not fit is refused whole`(count: Int) {
    var frame = FrameWriter(.notice)
    frame.put(text: [UInt8](repeating: 0x41, count: count).span)
    #expect(wire(frame) == nil)
  }

  @Test func `stays refused when something short follows`() {
    var frame = FrameWriter(.notice)
    frame.put(text: [UInt8](repeating: 0x41, count: 70_000).span)
    frame.put(1 as UInt8)
    #expect(wire(frame) == nil)
  }

  @Test func `holds nothing any more once it is wiped`() {
    var frame = FrameWriter(.answer)
    frame.put(raw: Array("secret".utf8).span)
    let before = holds(Array("secret".utf8), frame)
    frame.wipe()
    let after = holds(Array("secret".utf8), frame)
    #expect(before && !after)
  }

  /// Whether the writer's own memory has these bytes in it.
  private func holds(_ needle: [UInt8], _ frame: borrowing FrameWriter) -> Bool {
    // SAFETY: the bytes of a value that is alive are only copied.
    let memory = unsafe withUnsafeBytes(of: frame) { unsafe [UInt8]($0) }
    return memory.indices.contains { memory[$0...].starts(with: needle) }
  }
}

@Suite struct `A cleaned text` {
  private func cleaned(_ bytes: [UInt8], most: Int = 100, lines: Bool = false) -> String {
    var frame = FrameWriter(.hint)
    frame.put(cleaned: bytes.span, most: most, lines: lines)
    let payload = payload(frame)
    #expect(Int(payload[0]) | Int(payload[1]) << 8 == payload.count - 2)
    return String(decoding: payload.dropFirst(2), as: UTF8.self)
  }

  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("ends\u{1b}[2J", "ends?[2J"), ("a\u{0}b", "a?b"), ("a\nb\tc\rd", "a?b?c?d"),
    ("Größe €", "Größe €"), ("\u{202e}txt", "???txt"), ("\u{85}", "??"), ("\u{feff}x", "???x"),
  ])
  func `has a question mark for each byte that may not be shown`(dirty: String, clean: String) {
    #expect(cleaned(Array(dirty.utf8)) == clean)
  }

  @Test func `keeps line feed and tab where lines are allowed, and no other control`() {
    #expect(cleaned(Array("a\nb\tc\rd".utf8), lines: true) == "a\nb\tc?d")
  }

  @Test(arguments: [(0, ""), (1, ""), (2, ""), (3, "€"), (5, "€"), (6, "€€")])
  func `ends at the border of a character`(most: Int, text: String) {
    #expect(cleaned(Array("€€".utf8), most: most) == text)
  }

  @Test func `of random bytes is always clean and never over its bound`() {
    var random = SplitMix(state: 4)
    for _ in 0..<3_000 {
      let bytes = random.bytes(Int.random(in: 0...40, using: &random))
      let most = Int.random(in: 0...40, using: &random)
      let lines = Bool.random(using: &random)
      let text = Array(cleaned(bytes, most: most, lines: lines).utf8)
      #expect(text.count <= most && TextRules.isClean(text.span, lines: lines), "\(bytes)")
    }
  }

  @Test func `that has no room left is refused whole`() {
    var frame = FrameWriter(.notice)
    frame.put(raw: [UInt8](repeating: 1, count: 4_090).span)
    frame.put(cleaned: Array("too long".utf8).span, most: 100)
    #expect(wire(frame) == nil)
  }

  @Test(arguments: [4_095, 4_096]) func `whose length has no room is refused whole`(used: Int) {
    var frame = FrameWriter(.notice)
    frame.put(raw: [UInt8](repeating: 1, count: used).span)
    let empty: [UInt8] = []
    frame.put(cleaned: empty.span, most: 100)
    #expect(wire(frame) == nil)
  }
}
