import Foundation
import PAMHarness
import Testing

/// The installed module and helper in the real libpam, in the test world: there alice has the passcode
/// "correct horse", asha another hash of it, bob an empty one, carol is locked, and dora's hash is `*`.
///
/// The end-to-end suite runs these inside the world, and says there where it is.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOCALAUTH_TEST_WORLD"] != nil))
struct InstalledModuleTests {
  private static let passcode = "correct horse"

  private func authenticate(
    _ expected: PAMResult, _ script: [ScriptStep] = [], options: String = "", as user: String = "alice",
    flags: PAMFlags = [], items: [PAMItem: String] = [.remoteHost: "elsewhere"], before: String = ""
  ) throws -> PAMRun {
    // PAM_RHOST keeps the reader out of tests that are not about it.
    try PAMTransaction(stack: before + "auth required pam_localauth.so \(options)", user: user, items: items)
      .run([PAMCall(.authenticate, flags: flags, expected: expected)], script: script)
  }

  private static func asks(_ answer: PAMReply, user: String = "alice") -> [ScriptStep] {
    [ScriptStep(.hidden, .exactly("harness asks for \(user)\nPasscode: "), answer)]
  }

  @Test(arguments: ["alice", "asha"]) func `the right passcode is success`(user: String) throws {
    let run = try authenticate(.success, Self.asks(.answer(Self.passcode), user: user), as: user)
    #expect(run.problems == [], "\(run.transcript)")
    #expect(run.delays == [])
  }

  @Test(arguments: [
    PAMReply.answer("wrong"), .answer(""), .answer("correct horse "), .answer(String(repeating: "x", count: 511)),
    .answer(String(repeating: "x", count: 512)), .answer(String(repeating: "x", count: 70_000)),
    .bytes(Array("correct horse".utf8) + [0x7f]), .bytes([0xff, 0xfe]),
  ])
  func `anything else is PAM_AUTH_ERR, with a delay`(reply: PAMReply) throws {
    let run = try authenticate(.authErr, Self.asks(reply))
    #expect(run.problems == [], "\(run.transcript)")
    #expect(run.delays.count == 1)
  }

  @Test(arguments: [PAMReply.fails(.convErr), .fails(.abort), .nothing, .noArray])
  func `a conversation that does not answer is no success and no wrong passcode`(reply: PAMReply) throws {
    let run = try authenticate(.credInsufficient, Self.asks(reply))
    #expect(run.result == .credInsufficient || run.result == .authinfoUnavail, "\(run.transcript)")
  }

  @Test func `without a conversation nothing can be asked`() throws {
    let transaction = PAMTransaction(stack: "auth required pam_localauth.so", user: "alice")
    var silent = transaction
    silent.hasConversation = false
    let run = try silent.run([PAMCall(.authenticate, expected: .authinfoUnavail)])
    #expect(run.problems == [], "\(run.transcript)")
  }

  @Test(arguments: ["bob", "carol", "dora"])
  func `an empty, a locked and a missing hash are never asked for, and never right`(user: String) throws {
    let run = try authenticate(.authinfoUnavail, as: user)
    #expect(run.problems == [], "\(run.transcript)")
  }

  @Test func `somebody who does not exist is asked like anybody else, and is unknown`() throws {
    let run = try authenticate(.userUnknown, Self.asks(.answer("x"), user: "nobody-here"), as: "nobody-here")
    #expect(run.problems == [], "\(run.transcript)")
    #expect(run.delays.count == 1)
  }

  @Test func `a finger alone cannot be asked from elsewhere`() throws {
    #expect(try authenticate(.authinfoUnavail, options: "policy=biometrics").problems == [])
  }

  @Test func `the host's own stack is left to ask where no reader may be used`() throws {
    #expect(try authenticate(.authinfoUnavail, options: "passcode=stack").problems == [])
  }

  @Test(arguments: ["policy=3", "policy=companion", "policy=4", "policy=none", "policy=", "passcode=maybe"])
  func `a policy that cannot be, and a bad value, are unavailable`(option: String) throws {
    #expect(try authenticate(.authinfoUnavail, options: option).problems == [])
  }

  @Test func `an unknown option is ignored`() throws {
    let run = try authenticate(.success, Self.asks(.answer(Self.passcode)), options: "no_such_option")
    #expect(run.problems == [], "\(run.transcript)")
  }

  @Test func `under PAM_SILENT the prompt alone is shown`() throws {
    let script = [ScriptStep.hidden("Passcode: ", answer: Self.passcode)]
    #expect(try authenticate(.success, script, flags: .silent).problems == [])
  }

  @Test func `the passcode of an earlier module is used without a prompt`() throws {
    // pam_unix asks, and is not the one that decides.
    let before = "auth [default=ignore] pam_unix.so\n"
    let ask = [ScriptStep.hidden("Password: ", answer: Self.passcode)]
    for option in ["use_first_pass", "try_first_pass"] {
      let run = try authenticate(.success, ask, options: option, before: before)
      #expect(run.problems == [], "\(run.transcript)")
    }
    let wrong = [ScriptStep.hidden("Password: ", answer: "wrong")]
    #expect(try authenticate(.authErr, wrong, options: "use_first_pass", before: before).problems == [])
  }

  @Test func `use_first_pass without one asks nobody`() throws {
    #expect(try authenticate(.authinfoUnavail, options: "use_first_pass").problems == [])
  }

  /// libpam turns a stack in which everybody ignores into PAM_PERM_DENIED: that is how IGNORE is seen here.
  @Test(arguments: [("", PAMResult.permDenied), ("pam_permit.so", .success), ("pam_deny.so", .authErr)])
  func `setcred is success, and account, session and password are nobody's but the other modules'`(
    beside: String, others: PAMResult
  ) throws {
    let stack = ["auth", "account", "session", "password"].flatMap { facility in
      ["\(facility) required pam_localauth.so"] + (beside.isEmpty ? [] : ["\(facility) required \(beside)"])
    }
    let run = try PAMTransaction(stack: stack.joined(separator: "\n"), user: "alice").run([
      PAMCall(.setCredentials, flags: .establishCred, expected: .success),
      PAMCall(.setCredentials, flags: .deleteCred, expected: .success),
      PAMCall(.setCredentials, flags: .refreshCred, expected: .success),
      PAMCall(.setCredentials, flags: [.reinitializeCred, .silent], expected: .success),
      PAMCall(.accountManagement, expected: others),
      PAMCall(.openSession, expected: others),
      PAMCall(.closeSession, expected: others),
      PAMCall(.changeAuthToken, expected: others),
      PAMCall(.changeAuthToken, flags: .changeExpiredAuthtok, expected: others),
    ])
    if beside == "pam_deny.so" {
      // pam_deny has a code of its own for each.
      #expect(!run.results.dropFirst(4).contains(.success), "\(run.transcript)")
    } else {
      #expect(run.problems == [], "\(run.transcript)")
    }
  }

  @Test func `a reader's match decides in a host with threads, with a line and no prompt`() throws {
    // This process has threads: information first, then the passcode. Nobody touches the reader, which gives up.
    let run = try authenticate(
      .success,
      [
        ScriptStep(.info, .prefix("harness asks for alice\n")), .info("The reader has timed out: enter the passcode"),
        .hidden(.containing("Passcode: "), answer: Self.passcode),
      ], options: "timeout=1", items: [:])
    #expect(run.problems == [], "\(run.transcript)")
  }
}
