import AuthenticationCore
import CPAM
import CPlatform
import Foundation
import HelperProtocol
import Synchronization
import SystemInterface
import Testing

@testable import PAMModule

private let info = CInt(PAM_TEXT_INFO)
private let hidden = CInt(PAM_PROMPT_ECHO_OFF)
private let visible = CInt(PAM_PROMPT_ECHO_ON)
private let error = CInt(PAM_ERROR_MSG)

@Test func `a finger is asked for with a line and decides without a prompt`() throws {
  let host = ScriptedHost()
  let code = try host.authenticate { helper in
    #expect(helper.expectHello() != nil)
    helper.ask(.finger, request: "test asks for you", prompt: "Touch the reader")
    #expect(helper.expect(.shown) != nil)
    helper.hint(.tryAgain, "Try the finger again")
    helper.verdict(.success, .biometry)
  }
  #expect(code == .success)
  #expect(
    host.messages == [
      Message(style: info, text: "test asks for you\nTouch the reader"),
      Message(style: info, text: "Try the finger again"),
    ])
}

@Test func `a passcode is carried to the helper byte by byte`() throws {
  let host = ScriptedHost([.text("correct hörse")])
  let code = try host.authenticate { helper in
    _ = helper.expectHello()
    helper.ask(.passcode, request: "test asks for you")
    #expect(helper.expect(.shown) != nil)
    #expect(helper.expect(.answer) == Array("correct hörse".utf8))
    helper.verdict(.success, .passcode)
  }
  #expect(code == .success)
  #expect(host.messages == [Message(style: hidden, text: "test asks for you\nPasscode: ")])
}

@Test func `the hello states policy, way, limits and texts`() throws {
  let code = try ScriptedHost().authenticate([
    "policy=biometrics", "passcode=stack", "timeout=20", "max-tries=2", "reason=open\u{1b} the door",
  ]) { helper in
    guard let (hello, payload) = helper.expectHello() else { return #expect(Bool(false)) }
    func text(_ range: TextRange) -> String { String(decoding: payload[range.range(of: payload.count)], as: UTF8.self) }
    #expect(hello.policy == Policy.biometrics.rawValue)
    #expect(hello.passcodeWay == PasscodeWay.stack.rawValue)
    #expect(hello.interaction == Interaction.sequential.rawValue)
    #expect((hello.readerSeconds, hello.readerTries) == (20, 2))
    #expect(text(hello.service) == "test")
    #expect(text(hello.reason) == "open? the door")
    #expect(text(hello.target) == (geteuid() == 0 ? ScriptedHost.user : ""))
    #expect(hello.origin == (geteuid() == 0 ? getuid() : Hello.noOrigin))
    helper.verdict(.biometryNotEnrolled)
  }
  #expect(code == .authinfoUnavail)
}

@Test(arguments: Outcome.allCases)
func `every verdict becomes its code, and only a sealed success succeeds`(outcome: Outcome) throws {
  let code = try ScriptedHost().authenticate { helper in
    _ = helper.expectHello()
    helper.verdict(outcome, outcome == .success ? .biometry : .none)
  }
  #expect(code == outcome.pamCode(privilegedHost: geteuid() == 0))
}

@Test func `a success for another request is none`() throws {
  let code = try ScriptedHost().authenticate { helper in
    _ = helper.expectHello()
    helper.verdict(.success, .biometry, nonce: Nonce(InlineArray(repeating: 7)))
  }
  #expect(code == .authinfoUnavail)
}

@Test(arguments: [Mechanism.none, .passcode])
func `a success by a factor that the policy does not have is none`(mechanism: Mechanism) throws {
  let code = try ScriptedHost().authenticate(["policy=biometrics"]) { helper in
    _ = helper.expectHello()
    helper.verdict(.success, mechanism)
  }
  #expect(code == .authinfoUnavail)
}

@Test(arguments: [
  [], [1], [0, 0, 0, 0, 99], [255, 255, 255, 255, 20], [1, 0, 0, 0, 20, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 16],
  Array(repeating: UInt8(ascii: "A"), count: 5000),
])
func `a helper that talks nonsense is unavailable at once`(bytes: [UInt8]) throws {
  let start = Clock.now()
  let code = try ScriptedHost().authenticate { helper in
    _ = helper.expectHello()
    helper.sendRaw(bytes)
  }
  #expect(code == .authinfoUnavail)
  #expect(Clock.now() - start < 1_000)
}

@Test func `a helper that says nothing at all is given up after three seconds`() throws {
  let start = Clock.now()
  let code = try ScriptedHost().authenticate { helper in
    _ = helper.expectHello()
    _ = helper.expect(.shown)
    Thread.sleep(forTimeInterval: 1.5)
  }
  #expect(code == .authinfoUnavail)
  #expect((2_900...3_600).contains(Clock.now() - start))
}

@Test(arguments: [
  (ScriptedHost.Reply.code(PAM_CONV_ERR), PAMCode.credInsufficient, UInt8(1)), (.noResponse, .credInsufficient, 1),
  (.noText, .credInsufficient, 1), (.code(PAM_CONV_AGAIN), .authinfoUnavail, 3),
  (.code(PAM_BUF_ERR), .authinfoUnavail, 3), (.text(String(repeating: "x", count: 512)), .authErr, 3),
])
func `a conversation that gives no passcode is a cancel, or unavailable, or wrong`(
  reply: ScriptedHost.Reply, expected: PAMCode, reason: UInt8
) throws {
  let code = try ScriptedHost([reply]).authenticate { helper in
    _ = helper.expectHello()
    helper.ask(.passcode)
    #expect(helper.expect(.shown) != nil)
    #expect(helper.expect(.cancel) == [reason])
  }
  #expect(code == expected)
}

@Test(arguments: [0, 1, 511])
func `a passcode of any length up to 511 bytes is carried whole`(count: Int) throws {
  let host = ScriptedHost([.text(String(repeating: "x", count: count))])
  let code = try host.authenticate { helper in
    _ = helper.expectHello()
    helper.ask(.passcode)
    _ = helper.expect(.shown)
    #expect(helper.expect(.answer)?.count == count)
    helper.verdict(.authenticationFailed)
  }
  #expect(code == .authErr)
}

@Test func `under passcode=stack what is typed never reaches the helper`() throws {
  let code = try ScriptedHost([.text("secret")]).authenticate(["passcode=stack"]) { helper in
    _ = helper.expectHello()
    helper.ask(.passcodeOrFinger)
    _ = helper.expect(.shown)
    #expect(helper.expect(.cancel) == [CancelReason.fallback.rawValue])
  }
  #expect(code == .authinfoUnavail)
}

@Test func `questions and notices of the system's stack are carried`() throws {
  let host = ScriptedHost([.text("pass"), .text("123456"), .text("yes")])
  let code = try host.authenticate { helper in
    _ = helper.expectHello()
    helper.ask(.passcode)
    _ = helper.expect(.shown)
    _ = helper.expect(.answer)
    helper.say(.inquire, code: hidden, "One-time code: ")
    #expect(helper.expect(.answer) == Array("123456".utf8))
    helper.say(.notice, code: error, "Last chance")
    helper.say(.notice, code: info, "Two lines\nof text")
    helper.say(.inquire, code: visible, "Sure? ")
    #expect(helper.expect(.answer) == Array("yes".utf8))
    helper.verdict(.success, .passcode)
  }
  #expect(code == .success)
  #expect(host.messages.map(\.style) == [hidden, hidden, error, info, visible])
  #expect(host.isUsedUp)
}

@Test func `a silent host gets prompts and no messages`() throws {
  let host = ScriptedHost([.text("pass")])
  let code = try host.authenticate(flags: CInt(bitPattern: UInt32(PAM_SILENT)), remoteHost: "far") { helper in
    guard let (hello, _) = helper.expectHello() else { return #expect(Bool(false)) }
    #expect(hello.silent)
    #expect(hello.interaction == Interaction.promptOnly.rawValue)
    helper.say(.notice, code: info, "hello")
    helper.ask(.passcode)
    _ = helper.expect(.shown)
    _ = helper.expect(.answer)
    helper.verdict(.success, .passcode)
  }
  #expect(code == .success)
  #expect(host.messages.map(\.style) == [hidden])
}

@Test func `without a conversation nothing is asked`() throws {
  let code = try ScriptedHost().authenticate(conversation: false) { helper in
    #expect(helper.expectHello()?.hello.interaction == Interaction.none.rawValue)
    helper.ask(.passcode)
    #expect(helper.expect(.cancel) == [CancelReason.system.rawValue])
  }
  #expect(code == .authinfoUnavail)
}

@Test func `a second question under an open one, or an answer nobody asked for, ends the request`() throws {
  let code = try ScriptedHost().authenticate { helper in
    _ = helper.expectHello()
    helper.say(.inquire, code: info, "no prompt")
  }
  #expect(code == .authinfoUnavail)
}

@Test(arguments: ["policy=", "passcode=both"])
func `options that cannot be read ask nobody`(argument: String) throws {
  let code = try ScriptedHost([.text("x")]).authenticate([argument]) { helper in #expect(helper.expectHello() == nil) }
  #expect(code == .authinfoUnavail)
}

@Test func `the helper's own stack does not lead into itself`() throws {
  let host = ScriptedHost(service: "localauth-passcode")
  let code = try host.authenticate { helper in #expect(helper.expectHello() == nil) }
  #expect(code == .authinfoUnavail)
}

@Test func `a request leaves mask, descriptors and children as they were`() throws {
  func mask() -> String? {
    try? String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8).split(separator: "\n")
      .first { $0.hasPrefix("SigBlk") }.map(String.init)
  }
  let before = mask()
  _ = try ScriptedHost([.text("x")]).authenticate { helper in
    _ = helper.expectHello()
    helper.ask(.passcode)
    _ = helper.expect(.shown)
    _ = helper.expect(.answer)
    helper.verdict(.authenticationFailed)
  }
  #expect(mask() == before)
  #expect(waitpid(-1, nil, WNOHANG | __WALL) == -1)
}
