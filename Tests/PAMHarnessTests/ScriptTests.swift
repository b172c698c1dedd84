import Foundation
import PAMHarness
import Testing

/// Scripts against a module of known behaviour: that what should pass passes, and that what should fail fails.
struct ScriptTests {
  private static let styles: [ScriptStep] = [
    .visible("Name: ", answer: "me"), .hidden("Word: ", answer: "open"), .info("well"), .error("badly"),
  ]

  private func run(
    _ argument: String, _ expected: PAMResult, _ script: [ScriptStep] = [],
    change: (inout PAMTransaction) -> Void = { _ in }
  ) throws -> PAMRun {
    var transaction = PAMTransaction(stack: Fixture.stack(argument), user: "nobody")
    change(&transaction)
    return try transaction.run([PAMCall(.authenticate, expected: expected)], script: script)
  }

  @Test func `all four styles are answered in their order`() throws {
    let run = try run("styles", .success, Self.styles)
    #expect(run.problems == [], "\(run.transcript)")
    #expect(run.transcript.last == "pam_authenticate → PAM_SUCCESS")
  }

  @Test func `two messages at once are two steps`() throws {
    #expect(try run("two", .success, [.info("one"), .hidden("two: ", answer: "x")]).problems == [])
  }

  @Test func `a wrong answer is the module's to refuse`() throws {
    var script = Self.styles
    script[1] = .hidden("Word: ", answer: "close")
    #expect(try run("styles", .authErr, script).problems == [])
  }

  @Test(arguments: 0..<4) func `a missing step is a problem`(index: Int) throws {
    var script = Self.styles
    script.remove(at: index)
    #expect(try run("styles", .success, script).problems.isEmpty == false)
  }

  @Test func `a step that is not used is a problem`() throws {
    let run = try run("styles", .success, Self.styles + [.info("more")])
    #expect(run.problems == ["never came: info exactly(\"more\")"])
  }

  @Test func `a wrong style, a wrong text and a wrong code are problems`() throws {
    var script = Self.styles
    script[0] = .hidden("Name: ", answer: "me")
    #expect(try run("styles", .success, script).problems.first?.hasPrefix("expected hidden") == true)
    script[0] = .visible("Nome: ", answer: "me")
    #expect(try run("styles", .success, script).problems.isEmpty == false)
    #expect(
      try run("styles", .authErr, Self.styles).problems
        == ["pam_authenticate returned PAM_SUCCESS, expected PAM_AUTH_ERR"])
  }

  @Test(arguments: [PAMResult.convErr, .convAgain, .bufErr, .abort])
  func `the conversation may fail with any code`(code: PAMResult) throws {
    let run = try run("two", code, [ScriptStep(.info, "one", .fails(code))])
    #expect(run.problems == [], "\(run.transcript)")
  }

  @Test func `the array of replies, and a reply, may be NULL`() throws {
    #expect(try run("two", .bufErr, [ScriptStep(.info, "one", .noArray)]).problems == [])
    #expect(try run("two", .authErr, [.info("one"), ScriptStep(.hidden, "two: ", .nothing)]).problems == [])
  }

  @Test func `bytes are answered as they are`() throws {
    let script = [
      ScriptStep.visible("Name: ", answer: "me"), ScriptStep(.hidden, "Word: ", .bytes(Array("open".utf8))),
    ]
    #expect(try run("styles", .success, script + Self.styles.suffix(2)).problems == [])
  }

  @Test func `without a conversation the module is told so`() throws {
    #expect(try run("two", .convErr) { $0.hasConversation = false }.problems == [])
  }

  @Test func `an action runs when its message is shown, and a delay is waited for`() throws {
    let seen = Counter()
    let started = ContinuousClock.now
    let script = [
      ScriptStep(.info, "one", whenShown: { seen.add() }),
      ScriptStep(.hidden, "two: ", .answer("x"), delay: .milliseconds(120)),
    ]
    #expect(try run("two", .success, script).problems == [])
    #expect(seen.count == 1)
    #expect(ContinuousClock.now - started >= .milliseconds(120))
  }

  @Test func `a delay that a module asks for is kept`() throws {
    let run = try run("delay", .authErr)
    // libpam spreads it by up to half.
    #expect(run.delays.count == 1)
    #expect(run.delays.first.map { $0 >= .seconds(1) && $0 <= .seconds(3) } == true)
  }

  @Test func `items, flags and the user at the end are the transaction's`() throws {
    let transaction = PAMTransaction(
      stack: Fixture.stack("items"), user: "nobody", items: [.tty: "pts/9", .remoteHost: "far", .remoteUser: "me"],
      environment: ["A=b"])
    let run = try transaction.run(
      [PAMCall(.authenticate, flags: .silent, expected: .success)], script: [.info("pts/9 far me silent")])
    #expect(run.problems == [], "\(run.transcript)")
    #expect(run.environment == ["A=b"])
    #expect(try self.run("rename", .success).user == "somebody-else")
  }

  @Test func `a thousand transactions leave no descriptor open and no folder behind`() throws {
    func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    _ = try run("two", .success, [.info("one"), .hidden("two: ", answer: "x")])
    let before = try open()
    for _ in 0..<1000 { _ = try run("two", .success, [.info("one"), .hidden("two: ", answer: "x")]) }
    // Other tests of this process open and close theirs meanwhile.
    #expect(abs(try open() - before) < 50)
  }
}

/// Counts from whatever thread.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0

  func add() { lock.withLock { value += 1 } }
  var count: Int { lock.withLock { value } }
}
