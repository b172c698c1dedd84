import HelperProtocol
import Testing

let nonce = Nonce([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16])

/// The whole frame as it goes over the wire; nil when it was refused.
func wire(_ frame: consuming FrameWriter) -> [UInt8]? {
  var frame = frame
  guard frame.finish() else { return nil }
  return frame.withBytes { copy($0) }
}

func payload(_ frame: consuming FrameWriter) -> [UInt8] {
  Array((wire(frame) ?? []).dropFirst(FrameLimits.header))
}

func copy(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }

func text(_ range: TextRange, of payload: [UInt8]) -> String {
  String(decoding: payload[range.range(of: payload.count)], as: UTF8.self)
}

func helloFrame(
  service: String = "sudo", target: String = "ada", host: String = "", terminal: String = "/dev/pts/1",
  reason: String = "Größe ändern"
) -> FrameWriter {
  var hello = Hello(nonce: nonce)
  hello.policy = 2
  hello.interaction = 3
  hello.passcodeWay = 1
  hello.silent = true
  hello.readerSeconds = 0x1234
  hello.readerTries = 3
  hello.origin = 0xfedc_ba98
  var frame = hello.begin()
  for field in [service, target, host, terminal, reason] { frame.put(text: Array(field.utf8).span) }
  return frame
}

/// One message of each kind that has a payload, and its parser.
struct Sample: Sendable, CustomTestStringConvertible {
  var name: String
  var payload: [UInt8]
  var parse: @Sendable ([UInt8]) throws(ProtocolFailure) -> Void
  var testDescription: String { name }

  static let all: [Sample] = [
    Sample(name: "hello", payload: HelperProtocolTests.payload(helloFrame())) { (bytes) throws(ProtocolFailure) in
      _ = try Hello(parsing: bytes.span)
    },
    Sample(
      name: "ask",
      payload: HelperProtocolTests.payload(
        AskMessage.frame(ask: 2, request: Array("sudo: deploy".utf8).span, prompt: Array("Passcode: ".utf8).span))
    ) { (bytes) throws(ProtocolFailure) in _ = try AskMessage(parsing: bytes.span) },
    Sample(
      name: "hint",
      payload: HelperProtocolTests.payload(
        HintMessage.frame(hint: 5, text: Array("Too short…".utf8).span, prompt: Array("Passcode: ".utf8).span))
    ) { (bytes) throws(ProtocolFailure) in _ = try HintMessage(parsing: bytes.span) },
    Sample(
      name: "notice",
      payload: HelperProtocolTests.payload(TextMessage.frame(.notice, code: 4, text: Array("Two\n\tlines…".utf8).span))
    ) { (bytes) throws(ProtocolFailure) in _ = try TextMessage(parsing: bytes.span) },
    Sample(name: "cancel", payload: HelperProtocolTests.payload(CancelReason.user.frame())) {
      (bytes) throws(ProtocolFailure) in _ = try CancelReason(parsing: bytes.span)
    },
    Sample(
      name: "verdict",
      payload: HelperProtocolTests.payload(
        Verdict.frame(
          nonce: nonce, outcome: 8, mechanism: 0, retryAfter: 0x0102_0304, detail: Array("locked".utf8).span))
    ) { (bytes) throws(ProtocolFailure) in _ = try Verdict(parsing: bytes.span) },
  ]
}

/// SplitMix64: the same bytes in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}
