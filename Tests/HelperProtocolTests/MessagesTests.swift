import HelperProtocol
import Testing

@Suite struct `Every message comes back as it was sent` {
  @Test func `hello`() throws {
    let bytes = payload(helloFrame())
    let read = try Hello(parsing: bytes.span)
    #expect(read.purpose == .evaluate && read.policy == 2 && read.interaction == 3 && read.passcodeWay == 1)
    #expect(read.silent && read.readerSeconds == 0x1234 && read.readerTries == 3)
    #expect(read.nonce == nonce && read.origin == 0xfedc_ba98)
    let texts = [read.service, read.target, read.remoteHost, read.terminal, read.reason].map { text($0, of: bytes) }
    #expect(texts == ["sudo", "ada", "", "/dev/pts/1", "Größe ändern"])
  }

  @Test(arguments: Hello.Purpose.allCases) func `the purpose of a hello`(purpose: Hello.Purpose) throws {
    var hello = Hello(nonce: nonce)
    hello.purpose = purpose
    var frame = hello.begin()
    for _ in 0..<5 { frame.put(0 as UInt16) }
    let read = try Hello(parsing: payload(frame).span)
    #expect(read.purpose == purpose && !read.silent && read.origin == Hello.noOrigin)
  }

  @Test func `ask`() throws {
    let bytes = payload(AskMessage.frame(ask: 2, request: Array("sudo".utf8).span, prompt: Array("PIN: ".utf8).span))
    let read = try AskMessage(parsing: bytes.span)
    #expect(read.ask == 2 && text(read.request, of: bytes) == "sudo" && text(read.prompt, of: bytes) == "PIN: ")
  }

  @Test func `hint`() throws {
    let bytes = payload(
      HintMessage.frame(hint: 7, text: Array("gone…".utf8).span, prompt: Array("Passcode: ".utf8).span))
    let read = try HintMessage(parsing: bytes.span)
    #expect(read.hint == 7 && text(read.text, of: bytes) == "gone…" && text(read.prompt, of: bytes) == "Passcode: ")
  }

  @Test(arguments: [FrameType.inquire, .notice]) func `inquiry and notice`(type: FrameType) throws {
    let frame = wire(TextMessage.frame(type, code: 7, text: Array("two\nlines\t…".utf8).span)) ?? []
    let bytes = Array(frame.dropFirst(5))
    let read = try TextMessage(parsing: bytes.span)
    #expect(try FrameHeader.parse(frame.span) == FrameHeader(type: type, count: bytes.count))
    #expect(read.code == 7 && text(read.text, of: bytes) == "two\nlines\t…")
  }

  @Test(arguments: CancelReason.allCases) func `cancel`(reason: CancelReason) throws {
    #expect(try CancelReason(parsing: payload(reason.frame()).span) == reason)
  }

  @Test(arguments: [UInt8(1), 2, 21, Verdict.success]) func `verdict`(outcome: UInt8) throws {
    let bytes = payload(
      Verdict.frame(
        nonce: nonce, outcome: outcome, mechanism: 1, retryAfter: 0x8000_0001, detail: Array("why".utf8).span))
    let read = try Verdict(parsing: bytes.span)
    #expect(read.outcome == outcome && read.mechanism == 1 && read.retryAfter == 0x8000_0001)
    #expect(text(read.detail, of: bytes) == "why" && read.answers(nonce))
  }
}

@Suite struct `What is not a message` {
  @Test(arguments: Sample.all) func `every truncation is refused`(sample: Sample) throws {
    try sample.parse(sample.payload)
    for count in sample.payload.indices {
      #expect(throws: ProtocolFailure.self) { try sample.parse(Array(sample.payload.prefix(count))) }
    }
  }

  @Test(arguments: Sample.all) func `a byte too many is refused`(sample: Sample) {
    for extra: UInt8 in [0, 1, 0x41, 0xff] {
      #expect(throws: ProtocolFailure.wrongSize) { try sample.parse(sample.payload + [extra]) }
    }
  }

  @Test(arguments: Sample.all) func `any value in any byte is taken or refused, and never traps`(sample: Sample) {
    for position in sample.payload.indices {
      for value in UInt8.min...UInt8.max {
        var bytes = sample.payload
        bytes[position] = value
        try? sample.parse(bytes)
      }
    }
  }

  @Test(arguments: Sample.all) func `random bytes are taken or refused, and never trap`(sample: Sample) {
    var random = SplitMix(state: 1)
    for _ in 0..<2_000 { try? sample.parse(random.bytes(Int.random(in: 0...64, using: &random))) }
    try? sample.parse(random.bytes(FrameLimits.payload))
  }

  @Test(arguments: [0, 2, 0x0100, 0x0101, UInt16.max]) func `another version`(version: UInt16) {
    var bytes = payload(helloFrame())
    bytes.replaceSubrange(0..<2, with: [UInt8(truncatingIfNeeded: version), UInt8(version >> 8)])
    #expect(throws: ProtocolFailure.badVersion) { try Hello(parsing: bytes.span) }
  }

  @Test(arguments: [(2, UInt8(4)), (2, 0xff), (6, 2), (6, 3), (6, 0x80)])
  func `an unknown purpose or flag of a hello`(position: Int, value: UInt8) {
    var bytes = payload(helloFrame())
    bytes[position] = value
    #expect(throws: ProtocolFailure.badValue) { try Hello(parsing: bytes.span) }
  }

  @Test(arguments: [0, 5, 0xff] as [UInt8]) func `an unknown reason to cancel`(value: UInt8) {
    #expect(throws: ProtocolFailure.badValue) { try CancelReason(parsing: [value].span) }
  }
}

@Suite struct `Bounds of a text` {
  private func parse(_ frame: consuming FrameWriter) throws(ProtocolFailure) {
    _ = try Hello(parsing: payload(frame).span)
  }

  @Test func `a name may have 256 bytes and no more`() throws {
    try parse(helloFrame(service: String(repeating: "s", count: 256)))
    try parse(helloFrame(terminal: String(repeating: "t", count: 256)))
    #expect(throws: ProtocolFailure.tooLong) { try parse(helloFrame(service: String(repeating: "s", count: 257))) }
    #expect(throws: ProtocolFailure.tooLong) { try parse(helloFrame(target: String(repeating: "u", count: 257))) }
    #expect(throws: ProtocolFailure.tooLong) { try parse(helloFrame(host: String(repeating: "h", count: 257))) }
    #expect(throws: ProtocolFailure.tooLong) { try parse(helloFrame(terminal: String(repeating: "t", count: 257))) }
  }

  @Test func `a reason may have 512 bytes and no more`() throws {
    try parse(helloFrame(reason: String(repeating: "r", count: 512)))
    #expect(throws: ProtocolFailure.tooLong) { try parse(helloFrame(reason: String(repeating: "r", count: 513))) }
  }

  @Test func `lines may stand in a hint, never in a name, a prompt or a verdict`() throws {
    let lines = Array("a\nb".utf8)
    _ = try TextMessage(parsing: payload(TextMessage.frame(.notice, code: 1, text: lines.span)).span)
    #expect(throws: ProtocolFailure.badText) { try parse(helloFrame(service: "a\nb")) }
    let ask = payload(AskMessage.frame(ask: 1, request: Array("a".utf8).span, prompt: lines.span))
    #expect(throws: ProtocolFailure.badText) { try AskMessage(parsing: ask.span) }
    let verdict = Verdict.frame(nonce: nonce, outcome: 1, mechanism: 0, retryAfter: 0, detail: lines.span)
    let bytes = payload(verdict)
    #expect(throws: ProtocolFailure.badText) { try Verdict(parsing: bytes.span) }
  }
}

@Suite struct `A verdict` {
  private func verdict(_ outcome: UInt8, for nonce: Nonce) -> [UInt8] {
    let detail: [UInt8] = []
    return payload(Verdict.frame(nonce: nonce, outcome: outcome, mechanism: 1, retryAfter: 0, detail: detail.span))
  }

  @Test func `admits with success and the inverted nonce`() throws {
    #expect(try Verdict(parsing: verdict(Verdict.success, for: nonce).span).admits(nonce))
  }

  @Test func `of success for another request admits nobody and answers nothing`() throws {
    let other = Nonce(InlineArray(repeating: 9))
    let read = try Verdict(parsing: verdict(Verdict.success, for: other).span)
    #expect(!read.admits(nonce) && !read.answers(nonce))
  }

  @Test func `of success under the plain nonce admits nobody`() throws {
    let read = try Verdict(parsing: verdict(Verdict.success, for: nonce.inverted).span)
    #expect(!read.admits(nonce) && !read.answers(nonce))
  }

  @Test func `of failure admits nobody, under either nonce`() throws {
    for outcome in UInt8.min...UInt8.max where outcome != Verdict.success {
      for seal in [nonce, nonce.inverted] {
        #expect(try !Verdict(parsing: verdict(outcome, for: seal).span).admits(nonce))
      }
    }
  }

  @Test func `of failure admits nobody whichever bit is flipped`() {
    for outcome in UInt8.min...UInt8.max where outcome != Verdict.success {
      let bytes = verdict(outcome, for: nonce)
      for bit in 0..<bytes.count * 8 {
        var flipped = bytes
        flipped[bit / 8] ^= 1 << UInt8(bit % 8)
        if let read = try? Verdict(parsing: flipped.span), read.admits(nonce) {
          Issue.record("outcome \(outcome), bit \(bit)")
        }
      }
    }
  }

  @Test func `of success admits nobody when a bit of seal or outcome is flipped`() throws {
    let bytes = verdict(Verdict.success, for: nonce)
    for bit in 0..<17 * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try !Verdict(parsing: flipped.span).admits(nonce), "bit \(bit)")
    }
  }
}

@Suite struct `A nonce` {
  @Test func `inverted differs in every bit, and twice inverted is itself`() {
    for index in 0..<16 { #expect(nonce.bytes[index] ^ nonce.inverted.bytes[index] == 0xff) }
    #expect(nonce.inverted.inverted == nonce)
  }

  @Test func `equals only what has every bit the same`() {
    for bit in 0..<128 {
      var other = nonce
      other.bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(other != nonce, "bit \(bit)")
    }
  }
}
