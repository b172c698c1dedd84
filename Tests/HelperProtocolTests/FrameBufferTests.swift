import HelperProtocol
import Testing

@Suite struct `Bytes become a frame` {
  private let frame = wire(CancelReason.host.frame()) ?? []

  @Test func `one at a time`() throws {
    var buffer = FrameBuffer()
    for (index, byte) in frame.enumerated() {
      #expect(try buffer.header() == nil)
      #expect(try buffer.wanted() == (index < 5 ? 5 - index : 6 - index))
      #expect(try buffer.take([byte].span) == 1)
    }
    #expect(try buffer.header() == FrameHeader(type: .cancel, count: 1))
    #expect(try buffer.wanted() == 0)
    #expect(buffer.withPayload { copy($0) } == [2])
  }

  @Test func `and nothing of the next one is taken`() throws {
    var buffer = FrameBuffer()
    #expect(try buffer.take((frame + frame).span) == frame.count)
    #expect(try buffer.take(frame.span) == 0)
    buffer.clear()
    #expect(try buffer.take(frame.span) == frame.count)
  }

  @Test func `every truncation is no frame`() throws {
    for count in frame.indices {
      var buffer = FrameBuffer()
      _ = try buffer.take(Array(frame.prefix(count)).span)
      #expect(try buffer.header() == nil)
      #expect(try buffer.wanted() > 0)
      let isEmpty = buffer.isEmpty
      #expect(isEmpty == (count == 0))
    }
  }

  @Test func `of the greatest size`() throws {
    var writer = FrameWriter(.notice)
    writer.put(raw: [UInt8](repeating: 0xa5, count: 4_096).span)
    let bytes = wire(writer) ?? []
    var buffer = FrameBuffer()
    #expect(try buffer.take(bytes.span) == 4_101)
    #expect(try buffer.header() == FrameHeader(type: .notice, count: 4_096))
    #expect(buffer.withPayload { copy($0) } == [UInt8](repeating: 0xa5, count: 4_096))
  }

  @Test func `a byte more than that is refused before it is read`() throws {
    var buffer = FrameBuffer()
    #expect(try buffer.take([0x01, 0x10, 0, 0, 19].span) == 5)
    #expect(throws: ProtocolFailure.tooLong) { try buffer.wanted() }
    #expect(throws: ProtocolFailure.tooLong) { try buffer.header() }
    #expect(throws: ProtocolFailure.tooLong) { try buffer.take([0].span) }
  }

  @Test func `is overwritten when it is cleared`() throws {
    var buffer = FrameBuffer()
    var answer = FrameWriter(.answer)
    answer.put(raw: Array("secret".utf8).span)
    let bytes = wire(answer) ?? []
    #expect(try buffer.take(bytes.span) == 11)
    buffer.clear()
    // A header alone: what stands behind it is what the buffer kept.
    _ = try buffer.take([6, 0, 0, 0, 3].span)
    let kept = try buffer.fill { span, range in
      for index in range where span[index] != 0 { return -index }
      return range.count
    }
    #expect(kept == 6)
  }
}

@Suite struct `A buffer filled by read` {
  @Test func `is asked for just what is wanted`() throws {
    var buffer = FrameBuffer()
    var asked: [Range<Int>] = []
    for chunk: [UInt8] in [[1, 0], [0, 0, 4], [2]] {
      let count = try buffer.fill { span, range in
        asked.append(range)
        for (offset, byte) in chunk.enumerated() { span[range.lowerBound + offset] = byte }
        return chunk.count
      }
      #expect(count == chunk.count)
    }
    #expect(asked == [0..<5, 2..<5, 5..<6])
    #expect(try buffer.header() == FrameHeader(type: .cancel, count: 1))
  }

  @Test(arguments: [0, -11, -104, Int.min]) func `keeps nothing at the end or on an error`(answer: Int) throws {
    var buffer = FrameBuffer()
    #expect(try buffer.fill { _, _ in answer } == answer)
    let isEmpty = buffer.isEmpty
    #expect(isEmpty)
  }

  @Test(arguments: [6, 4_101, Int.max]) func `believes no count beyond what it asked for`(answer: Int) throws {
    var buffer = FrameBuffer()
    _ = try buffer.fill { span, range in
      span[4] = FrameType.cancel.rawValue
      return answer
    }
    #expect(try buffer.header() == FrameHeader(type: .cancel, count: 0))
  }

  @Test func `reads nothing more once the frame is whole`() throws {
    var buffer = FrameBuffer()
    _ = try buffer.take([0, 0, 0, 0, 2].span)
    #expect(try buffer.fill { _, _ in 99 } == 0)
  }
}

@Suite struct `Garbage` {
  /// All parsers and both ends' order, over whatever a stream holds.
  private func swallow(_ stream: [UInt8]) {
    var buffer = FrameBuffer()
    var (near, far) = (SessionOrder(), SessionOrder())
    var rest = stream[...]
    do throws(ProtocolFailure) {
      while !rest.isEmpty {
        rest = rest.dropFirst(try buffer.take(Array(rest.prefix(4_101)).span))
        guard let header = try buffer.header() else { continue }
        let bytes = buffer.withPayload { copy($0) }
        for sample in Sample.all { try? sample.parse(bytes) }
        try? near.frontEnd(header.type, count: header.count)
        try? far.helper(header.type, count: header.count, wantsPasscode: header.count & 1 == 0)
        buffer.clear()
      }
    } catch {
      // The stream ends here, as the channel does.
      return
    }
  }

  @Test func `a hundred thousand random bytes never trap`() {
    var random = SplitMix(state: 2)
    for _ in 0..<1_000 { swallow(random.bytes(100)) }
  }

  @Test func `random payloads in good frames never trap`() {
    var random = SplitMix(state: 3)
    for _ in 0..<100 {
      var stream: [UInt8] = []
      for _ in 0..<20 {
        let count = Int.random(in: 0...40, using: &random)
        let type = FrameType.allCases.randomElement(using: &random) ?? .hello
        stream += [UInt8(count), 0, 0, 0, type.rawValue] + random.bytes(count)
      }
      swallow(stream)
    }
  }

  @Test func `a good frame with any byte changed never traps`() throws {
    for sample in Sample.all {
      let frame = [UInt8(sample.payload.count), 0, 0, 0, 1] + sample.payload
      for position in 0..<5 {
        for value in UInt8.min...UInt8.max {
          var changed = frame
          changed[position] = value
          swallow(changed)
        }
      }
    }
  }
}
