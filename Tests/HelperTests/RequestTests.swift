import AuthenticationCore
import HelperProtocol
import Testing

@testable import Helper

/// A hello as a front end writes it, read as the helper reads it.
private func request(
  service: String = "sudo", target: String = "", reason: String = "", remoteHost: String = "", isRoot: Bool = true,
  _ change: (inout Hello) -> Void = { _ in }
) -> Request? {
  var hello = Hello(nonce: Nonce(InlineArray(repeating: 7)))
  hello.policy = Policy.owner.rawValue
  hello.interaction = Interaction.concurrent.rawValue
  change(&hello)
  var frame = hello.begin()
  for text in [service, target, remoteHost, "", reason] { frame.put(text: text.utf8.span) }
  guard frame.finish() else { return nil }
  return frame.withBytes { bytes in
    let payload = bytes.extracting(5..<bytes.count)
    guard let parsed = try? Hello(parsing: payload) else { return nil }
    return Request(parsed, payload, isRoot: isRoot)
  }
}

private let unbounded = Settings(vendor: SettingsFile(), administrator: SettingsFile())

struct RequestTests {
  @Test func `what is asked for may narrow the limits`() {
    let limits = request {
      $0.readerSeconds = 5
      $0.readerTries = 1
    }?.bounded(by: unbounded).limits
    #expect(limits?.reader == 5_000)
    #expect(limits?.readerAlone == 5_000)
    #expect(limits?.readerTries == 1)
  }

  @Test func `and never widens them`() {
    let limits = request {
      $0.readerSeconds = 600
      $0.readerTries = 200
    }?.bounded(by: unbounded).limits
    #expect(limits == EvaluationLimits())
  }

  @Test(arguments: UInt8.min...UInt8.max) func `codes that are not known are refused or no policy`(code: UInt8) {
    #expect((request { $0.interaction = code } == nil) == (Interaction(rawValue: code) == nil))
    #expect((request { $0.passcodeWay = code } == nil) == (PasscodeWay(rawValue: code) == nil))
    #expect(request { $0.policy = code }?.policy == Policy(rawValue: code))
  }

  @Test func `an empty target is the caller, and no origin is nobody`() {
    #expect(request()?.target == nil)
    #expect(request(target: "alice")?.target?.string == "alice")
    #expect(request()?.origin == nil)
    #expect(request { $0.origin = 4_000_000_000 }?.origin == 4_000_000_000)
  }

  @Test func `nobody but root says for whom it asks`() throws {
    let asked = try #require(request(isRoot: false) { $0.origin = 0 })
    #expect(asked.origin == nil)
  }

  @Test(arguments: ["\u{1b}[2J", "a\nb", "x\u{202e}y"]) func `a target with control characters is refused`(name: String)
  {
    #expect(request(target: name) == nil)
  }
}
