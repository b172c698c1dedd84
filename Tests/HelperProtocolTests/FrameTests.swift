import HelperProtocol
import Testing

@Suite struct `A header` {
  @Test func `is not read before five bytes have come`() throws {
    for count in 0..<5 { #expect(try FrameHeader.parse([UInt8](repeating: 0xff, count: count).span) == nil) }
  }

  @Test(arguments: FrameType.allCases) func `names each type`(type: FrameType) throws {
    #expect(try FrameHeader.parse([2, 1, 0, 0, type.rawValue].span) == FrameHeader(type: type, count: 258))
  }

  @Test func `of a type that does not exist is refused`() {
    for raw in UInt8.min...UInt8.max where FrameType(rawValue: raw) == nil {
      #expect(throws: ProtocolFailure.unknownType) { try FrameHeader.parse([0, 0, 0, 0, raw].span) }
    }
  }

  @Test func `may announce 4096 bytes`() throws {
    #expect(try FrameHeader.parse([0x00, 0x10, 0, 0, 3].span)?.count == 4_096)
  }

  @Test(arguments: [[0x01, 0x10, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0x80], [0xff, 0xff, 0xff, 0xff]] as [[UInt8]])
  func `that announces more is refused`(length: [UInt8]) {
    #expect(throws: ProtocolFailure.tooLong) { try FrameHeader.parse((length + [3]).span) }
  }
}

@Suite struct `A range of text` {
  @Test(arguments: [
    (TextRange(start: 0, count: 0), 0..<0), (TextRange(start: 2, count: 3), 2..<5),
    (TextRange(start: 10, count: 0), 10..<10), (TextRange(start: 8, count: 3), 0..<0),
    (TextRange(start: 11, count: 0), 0..<0), (TextRange(start: -1, count: 2), 0..<0),
    (TextRange(start: 1, count: -1), 0..<0), (TextRange(start: 1, count: .max), 0..<0),
    (TextRange(start: .max, count: .max), 0..<0), (TextRange(start: .min, count: .min), 0..<0),
  ])
  func `never leaves its payload of ten bytes`(text: TextRange, range: Range<Int>) {
    #expect(text.range(of: 10) == range)
  }
}
