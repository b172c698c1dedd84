import CPlatform
import Foundation
import HelperProtocol
import SystemInterface
import Testing

/// A channel, and the raw other end of it, which the body may close.
private func withChannel(_ body: (inout FrameChannel, inout Descriptor?) throws -> Void) throws {
  try Descriptor.socketPair().split { near, far in
    var channel = FrameChannel(near)
    var peer: Descriptor? = far
    try body(&channel, &peer)
  }
}

private func send(_ bytes: [UInt8], _ peer: borrowing Descriptor?) {
  let wrote = Descriptor.writeAll(raw(peer), bytes.span)
  #expect(wrote)
}

private func raw(_ peer: borrowing Descriptor?) -> CInt {
  switch peer {
  case .some(let descriptor): descriptor.raw
  case .none: -1
  }
}

private func notice(_ count: Int) -> FrameWriter {
  var frame = FrameWriter(.notice)
  frame.put(raw: [UInt8](repeating: 0x41, count: count).span)
  return frame
}

private let cancel: [UInt8] = [1, 0, 0, 0, FrameType.cancel.rawValue, 2]

/// What goes wrong while a channel reads until something does.
private func failure(_ channel: inout FrameChannel, frames: inout Int) -> ChannelFailure? {
  do throws(ChannelFailure) {
    while true {
      if try channel.receive() == nil {
        guard (try? PollSet.wait(for: channel.raw, events: PollSet.readable, until: Clock.now() + 2_000)) == true
        else { return nil }
        continue
      }
      frames += 1
      channel.next()
    }
  } catch {
    return error
  }
}

private func failure(_ channel: inout FrameChannel) -> ChannelFailure? {
  var frames = 0
  return failure(&channel, frames: &frames)
}

@Suite struct `Receiving` {
  @Test func `nothing yet is no frame`() throws {
    try withChannel { channel, _ in
      let received = try channel.receive()
      #expect(received == nil)
    }
  }

  @Test func `every half of a frame waits for the rest`() throws {
    for half in 1..<cancel.count {
      try withChannel { channel, peer in
        send(Array(cancel.prefix(half)), peer)
        let early = try channel.receive()
        send(Array(cancel.dropFirst(half)), peer)
        let whole = try channel.receive()
        let payload = channel.withPayload { bytes in bytes.indices.map { bytes[$0] } }
        #expect(early == nil && whole == FrameHeader(type: .cancel, count: 1) && payload == [2])
      }
    }
  }

  @Test func `what follows a frame stays in the kernel, so that poll tells of it`() throws {
    try withChannel { channel, peer in
      send(cancel + [0, 0], peer)
      let first = try channel.receive()
      let again = try channel.receive()
      let more = try PollSet.wait(for: channel.raw, events: PollSet.readable, until: 0)
      channel.next()
      let second = try channel.receive()
      #expect(first != nil && again == first && more && second == nil)
    }
  }

  @Test func `the end between two frames is a close`() throws {
    try withChannel { channel, peer in
      send(cancel, peer)
      peer = nil
      var frames = 0
      let end = failure(&channel, frames: &frames)
      #expect(end == .closed && frames == 1)
    }
  }

  @Test func `the end inside a frame is a fault`() throws {
    for half in 1..<cancel.count {
      try withChannel { channel, peer in
        send(Array(cancel.prefix(half)), peer)
        peer = nil
        let end = failure(&channel)
        #expect(end == .malformed(.cutOff), "after \(half) bytes")
      }
    }
  }

  @Test func `a peer that died with our bytes unread is a close`() throws {
    try withChannel { channel, peer in
      try channel.send(notice(10), until: Clock.now() + 1_000)
      peer = nil
      let end = failure(&channel)
      #expect(end == .closed)
    }
  }

  @Test(arguments: [([0xff, 0xff, 0xff, 0xff, 3], ProtocolFailure.tooLong), ([0, 0, 0, 0, 99], .unknownType)])
  func `a bad header is refused as soon as it is there`(header: [UInt8], why: ProtocolFailure) throws {
    try withChannel { channel, peer in
      send(header, peer)
      let end = failure(&channel)
      #expect(end == .malformed(why))
    }
  }
}

@Suite struct `Ten megabytes` {
  /// Writes from another thread until the other end has enough of it, and says how much was taken.
  private func flood(_ chunk: [UInt8], _ body: (inout FrameChannel) -> Void) throws -> Int {
    let pair = try Descriptor.socketPair()
    return pair.split { near, far in
      let raw = far.raw
      let done = DispatchSemaphore(value: 0)
      let taken = Box()
      Thread.detachNewThread {
        while taken.bytes < 10 << 20 {
          // SAFETY: the pointer and the count are the array's own.
          let sent = unsafe chunk.withUnsafeBytes { unsafe localauth_send(raw, $0.baseAddress, $0.count) }
          if sent <= 0 { break }
          taken.bytes += sent
        }
        done.signal()
      }
      var channel = FrameChannel(near)
      body(&channel)
      close(consume channel)
      #expect(done.wait(timeout: .now() + 5) == .success)
      return taken.bytes
    }
  }

  private func close(_ channel: consuming FrameChannel) {}

  /// Written by one thread, read after it is done.
  private final class Box: @unchecked Sendable { var bytes = 0 }

  @Test func `of garbage end at the first header`() throws {
    let taken = try flood([UInt8](repeating: 0xff, count: 65_536)) { channel in
      var frames = 0
      let end = failure(&channel, frames: &frames)
      #expect(end == .malformed(.tooLong) && frames == 0)
    }
    #expect(taken < 10 << 20)
  }

  @Test func `of good frames end at the session's bound`() throws {
    let chunk = [0x00, 0x10, 0, 0, FrameType.notice.rawValue] + [UInt8](repeating: 0x41, count: 4_096)
    let taken = try flood(chunk) { channel in
      var order = SessionOrder()
      try? order.frontEnd(.hello, count: 0)
      var frames = 0
      let end = readAll(&channel, &order, &frames)
      #expect(end == .tooMany && frames == 15)
    }
    #expect(taken < 10 << 20)
  }

  private func readAll(
    _ channel: inout FrameChannel, _ order: inout SessionOrder, _ frames: inout Int
  ) -> ProtocolFailure? {
    while (try? PollSet.wait(for: channel.raw, events: PollSet.readable, until: Clock.now() + 2_000)) == true {
      guard let header = try? channel.receive() else { continue }
      do throws(ProtocolFailure) { try order.helper(header.type, count: header.count) } catch { return error }
      channel.next()
      frames += 1
    }
    return nil
  }
}

@Suite struct `Sending` {
  /// What goes wrong when frames are sent until something does.
  private func fill(_ channel: borrowing FrameChannel, wait: UInt64) -> ChannelFailure? {
    do throws(ChannelFailure) {
      for _ in 0..<10_000 { try channel.send(notice(4_096), until: Clock.now() + wait) }
    } catch {
      return error
    }
    return nil
  }

  @Test func `arrives as it was written`() throws {
    try Descriptor.socketPair().split { near, far in
      let sender = FrameChannel(near)
      var receiver = FrameChannel(far)
      try sender.send(notice(300), until: Clock.now() + 1_000)
      let header = try receiver.receive()
      let payload = receiver.withPayload { bytes in bytes.indices.map { bytes[$0] } }
      #expect(header == FrameHeader(type: .notice, count: 300))
      #expect(payload == [UInt8](repeating: 0x41, count: 300))
    }
  }

  @Test func `a frame that is too long is refused, and nothing of it goes out`() throws {
    try Descriptor.socketPair().split { near, far in
      let sender = FrameChannel(near)
      var receiver = FrameChannel(far)
      #expect(throws: ChannelFailure.malformed(.tooLong)) { try send(notice(4_097), sender) }
      let received = try receiver.receive()
      #expect(received == nil)
    }
  }

  private func send(_ frame: consuming FrameWriter, _ channel: borrowing FrameChannel) throws(ChannelFailure) {
    try channel.send(frame, until: Clock.now() + 1_000)
  }

  @Test func `to one that does not read gives up at the deadline`() throws {
    try withChannel { channel, _ in
      let start = Clock.now()
      let end = fill(channel, wait: 100)
      let took = Clock.now() - start
      #expect(end == .slow && (100..<1_000).contains(took), "\(took) ms")
    }
  }

  @Test func `to one that reads late succeeds before the deadline`() throws {
    try Descriptor.socketPair().split { near, far in
      let channel = FrameChannel(near)
      let raw = far.raw
      while try PollSet.wait(for: channel.raw, events: PollSet.writable, until: 0) {
        guard fill(channel, wait: 0) == .slow else { break }
      }
      Thread.detachNewThread {
        usleep(50_000)
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<3 {
          var span = bytes.mutableSpan
          _ = Descriptor.read(raw, into: &span, at: 0..<span.count)
        }
      }
      #expect(throws: Never.self) { try send(notice(10), channel) }
    }
  }

  @Test func `to one that is gone is a close`() throws {
    try withChannel { channel, peer in
      peer = nil
      let end = fill(channel, wait: 100)
      #expect(end == .closed)
    }
  }

  @Test func `to one that is gone raises no SIGPIPE, even where that would kill`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      signal(SIGPIPE, SIG_DFL)
      let pair = try Descriptor.socketPair()
      pair.split { near, far in
        let channel = FrameChannel(near)
        close(far.raw)
        do throws(ChannelFailure) {
          try channel.send(FrameWriter(.shown), until: Clock.now() + 100)
        } catch {
          exit(error == .closed ? 3 : 4)
        }
      }
    }
  }
}
