import SystemInterface
import Testing

@Suite struct `Waiting` {
  private let write: @Sendable (borrowing Descriptor) -> Bool = { Descriptor.writeAll($0.raw, [1].span) }

  @Test(arguments: [UInt64(0), 1, 60]) func `lasts to the deadline and not much longer`(wait: UInt64) throws {
    try Descriptor.pipe().split { reader, writer in
      var set = PollSet()
      set.watch(0, reader.raw)
      let start = Clock.now()
      let happened = try set.wait(until: start + wait)
      let took = Clock.now() - start
      #expect(!happened && took >= wait && took < wait + 500, "\(took) ms")
      close(writer)
    }
  }

  @Test func `a deadline that is over does not wait`() throws {
    try Descriptor.pipe().split { reader, writer in
      let start = Clock.now()
      let happened = try PollSet.wait(for: reader.raw, events: PollSet.readable, until: 0)
      #expect(!happened && Clock.now() - start < 500)
      close(writer)
    }
  }

  @Test func `ends at once when there is something to read, and tells where`() throws {
    try Descriptor.pipe().split { reader, writer in
      let wrote = write(writer)
      var set = PollSet()
      set.watch(2, reader.raw)
      set.watch(5, writer.raw)
      let happened = try set.wait(until: .max)
      let ready = (0..<6).filter { set.isReady($0) }
      #expect(wrote && happened && ready == [2])
    }
  }

  @Test func `ends at once when the other end is gone`() throws {
    var set = PollSet()
    try Descriptor.pipe().split { reader, writer in
      set.watch(0, reader.raw)
      close(writer)
      let happened = try set.wait(until: .max)
      let ready = set.isReady(0)
      #expect(happened && ready)
    }
  }

  private func close(_ descriptor: consuming Descriptor) {}

  @Test func `a slot that is switched off wakes nobody`() throws {
    try Descriptor.pipe().split { reader, writer in
      let wrote = write(writer)
      var set = PollSet()
      set.watch(0, reader.raw)
      set.watch(0, nil)
      let happened = try set.wait(until: 0)
      let ready = set.isReady(0)
      #expect(wrote && !happened && !ready)
    }
  }

  @Test(arguments: [-1, 6, Int.max, Int.min]) func `a slot that does not exist is none`(slot: Int) {
    var set = PollSet()
    set.watch(slot, 0)
    let ready = set.isReady(slot)
    #expect(!ready)
  }

  @Test func `for room to write ends when there is some`() throws {
    try Descriptor.pipe().split { reader, writer in
      let happened = try PollSet.wait(for: writer.raw, events: PollSet.writable, until: .max)
      #expect(happened)
      close(reader)
    }
  }
}
