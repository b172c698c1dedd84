import CPlatform
import Foundation
import SystemInterface
import Testing

@Suite struct `A descriptor` {
  @Test func `is closed when it goes, and its peer sees the end`() throws {
    try Descriptor.socketPair().split { near, far in
      drop(far)
      let count = read(near.raw, 10).count
      #expect(count == 0)
    }
  }

  private func drop(_ descriptor: consuming Descriptor) {}

  private func read(_ raw: CInt, _ most: Int) -> (count: Int, bytes: [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: most)
    var span = bytes.mutableSpan
    let count = Descriptor.read(raw, into: &span, at: 0..<most)
    return (count, bytes)
  }

  @Test func `reads into the part it is told, and nowhere else`() throws {
    try Descriptor.pipe().split { reader, writer in
      let wrote = Descriptor.writeAll(writer.raw, [1, 2, 3, 4].span)
      var bytes = [UInt8](repeating: 9, count: 6)
      var span = bytes.mutableSpan
      let count = Descriptor.read(reader.raw, into: &span, at: 2..<4)
      #expect(wrote && count == 2 && bytes == [9, 9, 1, 2, 9, 9])
    }
  }

  @Test(arguments: [0..<7, -1..<3, 6..<9, 0..<Int.max])
  func `refuses a part that is not of the buffer`(range: Range<Int>) throws {
    try Descriptor.pipe().split { reader, writer in
      _ = Descriptor.writeAll(writer.raw, [1].span)
      var bytes = [UInt8](repeating: 9, count: 6)
      var span = bytes.mutableSpan
      let count = Descriptor.read(reader.raw, into: &span, at: range)
      #expect(count == -Int(EINVAL) && bytes == [UInt8](repeating: 9, count: 6))
    }
  }

  @Test func `that is not open says so`() {
    let count = read(-1, 4).count
    #expect(count == -Int(EBADF))
    let wrote = Descriptor.writeAll(-1, [1].span)
    #expect(!wrote)
  }

  @Test func `is not inherited by programs`() throws {
    try Descriptor.pipe().split { reader, writer throws in
      for raw in [reader.raw, writer.raw] { #expect(try isCloseOnExec(raw)) }
    }
    try Descriptor.socketPair().split { near, far throws in
      for raw in [near.raw, far.raw] { #expect(try isCloseOnExec(raw)) }
    }
  }

  /// proc_pid_fdinfo(5): the flags of open(2), octal.
  private func isCloseOnExec(_ raw: CInt) throws -> Bool {
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/fdinfo/\(raw)"))
    let lines = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    let flags = try #require(lines.first { $0.hasPrefix("flags:") }?.split(separator: "\t").last)
    return try #require(CInt(flags, radix: 8)) & O_CLOEXEC != 0
  }
}

@Suite struct `Randomness and time` {
  @Test func `two nonces differ`() throws {
    let (one, other) = (try Random.bytes16(), try Random.bytes16())
    #expect(one.indices.contains { one[$0] != other[$0] })
  }

  @Test func `no byte of a nonce is always the same`() throws {
    var seen = [Set<UInt8>](repeating: [], count: 16)
    for _ in 0..<20 {
      let bytes = try Random.bytes16()
      for index in 0..<16 { seen[index].insert(bytes[index]) }
    }
    #expect(seen.allSatisfy { $0.count > 1 })
  }

  @Test func `the clock counts milliseconds and never goes back`() {
    let start = Clock.now()
    usleep(20_000)
    let took = Clock.now() - start
    #expect((19..<1_000).contains(took), "\(took) ms")
  }
}
