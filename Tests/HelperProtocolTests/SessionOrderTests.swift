import HelperProtocol
import Testing

/// One message of a session, by who sends it.
private enum Message: Hashable, Sendable {
  case frontEnd(FrameType)
  case helper(FrameType)
  case ask(passcode: Bool)

  static let all: [Message] =
    FrameType.allCases.map { .frontEnd($0) } + FrameType.allCases.filter { $0 != .ask }.map { .helper($0) }
    + [.ask(passcode: true), .ask(passcode: false)]
}

extension SessionOrder {
  fileprivate mutating func pass(_ message: Message, count: Int = 1) throws(ProtocolFailure) {
    switch message {
    case .frontEnd(let type): try frontEnd(type, count: count)
    case .helper(let type): try helper(type, count: count)
    case .ask(let passcode): try helper(.ask, count: count, wantsPasscode: passcode)
    }
  }

  fileprivate init(after messages: [Message]) throws(ProtocolFailure) {
    self.init()
    for message in messages { try pass(message) }
  }
}

/// Where a session can be: how it got there, and what may come next.
private struct Phase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var path: [Message]
  var legal: Set<Message>
  var mayAnswer = false

  private static let fromHelper: Set<Message> = [
    .ask(passcode: true), .ask(passcode: false), .helper(.hint), .helper(.inquire), .helper(.notice),
    .helper(.verdict),
  ]
  private static let idle = fromHelper.union([.frontEnd(.cancel)])
  private static let open: [Message] = [.frontEnd(.hello)]
  private static let prompted = open + [.ask(passcode: true), .frontEnd(.shown)]

  static let all: [Phase] = [
    Phase(testDescription: "fresh", path: [], legal: [.frontEnd(.hello)]),
    Phase(testDescription: "open", path: open, legal: idle),
    Phase(
      testDescription: "asked, not shown", path: open + [.ask(passcode: true)],
      legal: idle.union([.frontEnd(.shown)])),
    Phase(
      testDescription: "asked twice, shown once",
      path: open + [.ask(passcode: false), .ask(passcode: true), .frontEnd(.shown)],
      legal: idle.union([.frontEnd(.shown)])),
    Phase(
      testDescription: "asked twice, shown twice",
      path: open + [.ask(passcode: false), .ask(passcode: true), .frontEnd(.shown), .frontEnd(.shown)],
      legal: idle.union([.frontEnd(.answer)]), mayAnswer: true),
    Phase(
      testDescription: "passcode prompt on the screen", path: prompted, legal: idle.union([.frontEnd(.answer)]),
      mayAnswer: true),
    Phase(
      testDescription: "finger line on the screen", path: open + [.ask(passcode: false), .frontEnd(.shown)],
      legal: idle),
    Phase(testDescription: "answered", path: prompted + [.frontEnd(.answer)], legal: idle),
    Phase(
      testDescription: "asked anew before the answer", path: prompted + [.ask(passcode: true)],
      legal: idle.union([.frontEnd(.shown)])),
    Phase(
      testDescription: "the stack inquires", path: prompted + [.frontEnd(.answer), .helper(.inquire)],
      legal: idle.union([.frontEnd(.answer)]), mayAnswer: true),
    Phase(
      testDescription: "the inquiry is answered",
      path: prompted + [.frontEnd(.answer), .helper(.inquire), .frontEnd(.answer)], legal: idle),
    Phase(
      testDescription: "a hint beside the prompt", path: prompted + [.helper(.hint), .helper(.notice)],
      legal: idle.union([.frontEnd(.answer)]), mayAnswer: true),
    Phase(
      testDescription: "cancelled", path: prompted + [.frontEnd(.cancel)], legal: idle.union([.frontEnd(.answer)]),
      mayAnswer: true),
    Phase(testDescription: "over", path: prompted + [.helper(.verdict)], legal: []),
  ]
}

@Suite struct `The order of messages` {
  @Test(arguments: Phase.all) private func `is legal or ends the session`(phase: Phase) throws {
    for message in Message.all {
      var order = try SessionOrder(after: phase.path)
      if phase.legal.contains(message) {
        #expect(throws: Never.self) { try order.pass(message) }
      } else {
        #expect(throws: ProtocolFailure.outOfOrder, "\(message)") { try order.pass(message) }
      }
    }
  }

  @Test(arguments: Phase.all) private func `says when an answer may be sent`(phase: Phase) throws {
    let order = try SessionOrder(after: phase.path)
    #expect(order.mayAnswer == phase.mayAnswer)
    #expect(order.isOver == (phase.testDescription == "over"))
  }

  @Test(arguments: Phase.all) private func `holds at every step of the way there`(phase: Phase) throws {
    var order = SessionOrder()
    for message in phase.path { #expect(throws: Never.self) { try order.pass(message) } }
  }
}

@Suite struct `A session's bounds` {
  private func open() throws(ProtocolFailure) -> SessionOrder { try SessionOrder(after: [.frontEnd(.hello)]) }

  @Test func `an answer may have 511 bytes and no more`() throws {
    let prompted: [Message] = [.frontEnd(.hello), .ask(passcode: true), .frontEnd(.shown)]
    for (count, fits) in [(0, true), (511, true), (512, false), (4_096, false)] {
      var order = try SessionOrder(after: prompted)
      if fits {
        #expect(throws: Never.self) { try order.frontEnd(.answer, count: count) }
      } else {
        #expect(throws: ProtocolFailure.tooLong) { try order.frontEnd(.answer, count: count) }
      }
    }
  }

  @Test func `96 frames from the helper and no more`() throws {
    var order = try open()
    for _ in 0..<96 { try order.helper(.hint, count: 0) }
    #expect(throws: ProtocolFailure.tooMany) { try order.helper(.hint, count: 0) }
    #expect(throws: ProtocolFailure.tooMany) { try order.helper(.verdict, count: 0) }
  }

  @Test func `96 frames from the front end and no more`() throws {
    var order = try open()
    for _ in 0..<95 { try order.frontEnd(.cancel, count: 1) }
    #expect(throws: ProtocolFailure.tooMany) { try order.frontEnd(.cancel, count: 1) }
  }

  @Test func `64 KiB each way, headers counted`() throws {
    var order = try open()
    for _ in 0..<15 { try order.helper(.notice, count: 4_096) }
    // 15 · 4101 bytes are spent; 4021 are left, 5 of them for the header.
    var whole = order
    #expect(throws: Never.self) { try whole.helper(.notice, count: 4_016) }
    #expect(throws: ProtocolFailure.tooMany) { try order.helper(.notice, count: 4_017) }
  }

  @Test func `one end's frames are not charged to the other`() throws {
    var order = try open()
    for _ in 0..<96 { try order.helper(.hint, count: 0) }
    #expect(throws: Never.self) { try order.frontEnd(.cancel, count: 1) }
  }
}
