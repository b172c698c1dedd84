import Foundation
import PAMHarness
import Testing

/// The harness against modules that everybody knows, before it is trusted on others.
struct CalibrationTests {
  private func authenticate(
    _ stack: String, _ expected: PAMResult, _ script: [ScriptStep] = [], user: String? = "nobody"
  ) throws -> PAMRun {
    try PAMTransaction(stack: stack, user: user).run([.authenticate(expected)], script: script)
  }

  @Test func `pam_permit permits without a word`() throws {
    let run = try authenticate("auth required pam_permit.so", .success)
    expectOK(run)
    #expect(run.results == [.success])
    #expect(run.transcript == ["pam_authenticate → PAM_SUCCESS"])
  }

  @Test func `pam_permit names a user whom nobody named`() throws {
    let run = try authenticate(
      "auth required pam_permit.so", .success, [.visible(.prefix("login:"), answer: "")], user: nil)
    expectOK(run)
    #expect(run.user == "nobody")
  }

  @Test func `pam_deny denies every facility by its own code`() throws {
    let stack = ["auth", "account", "session", "password"].map { "\($0) required pam_deny.so" }.joined(separator: "\n")
    expectOK(
      try PAMTransaction(stack: stack, user: "nobody").run([
        .authenticate(.authErr), .setCredentials(.credErr), .accountManagement(.authErr), .openSession(.sessionErr),
        .closeSession(.sessionErr), .changeAuthToken(.authtokErr),
      ]))
  }

  @Test(arguments: PAMResult.all) func `pam_debug returns every code from authenticate`(code: PAMResult) throws {
    let word = Self.word(code)
    expectOK(try authenticate("auth required pam_debug.so auth=\(word)", Self.stacked(code), [.info("auth=\(word)")]))
  }

  @Test(arguments: PAMResult.all.filter { $0 != .incomplete })
  func `pam_debug returns every code from the other facilities`(code: PAMResult) throws {
    let word = Self.word(code)
    let stack = """
      auth required pam_debug.so auth=success cred=\(word)
      account required pam_debug.so acct=\(word)
      session required pam_debug.so open_session=\(word) close_session=\(word)
      password required pam_debug.so prechauthtok=success chauthtok=\(word)
      """
    let expected = Self.stacked(code)
    let said = [
      "auth=success", "cred=\(word)", "acct=\(word)", "open_session=\(word)", "close_session=\(word)",
      "prechauthtok=success", "chauthtok=\(word)",
    ]
    expectOK(
      try PAMTransaction(stack: stack, user: "nobody").run(
        [
          .authenticate(.success), .setCredentials(expected), .accountManagement(expected), .openSession(expected),
          .closeSession(expected), .changeAuthToken(expected),
        ], script: said.map { .info("\($0)") }))
  }

  @Test func `PAM_INCOMPLETE holds the handle for the same call again`() throws {
    let stack = "auth required pam_debug.so auth=incomplete\naccount required pam_permit.so"
    expectOK(
      try PAMTransaction(stack: stack, user: "nobody").run(
        [.authenticate(.incomplete), .accountManagement(.abort), .authenticate(.incomplete)],
        script: [.info("auth=incomplete"), .info("auth=incomplete")]))
  }

  @Test func `pam_setcred goes the way that pam_authenticate went`() throws {
    let transaction = PAMTransaction(
      stack: "auth required pam_debug.so auth=authinfo_unavail cred=success", user: "nobody")
    expectOK(try transaction.run([.setCredentials(.success)], script: [.info("cred=success")]))
    expectOK(
      try transaction.run(
        [.authenticate(.authinfoUnavail), .setCredentials(.permDenied)],
        script: [.info("auth=authinfo_unavail"), .info("cred=success")]))
  }

  /// pam_debug(8) takes libpam's names, which are the constants' in small letters but for one.
  private static func word(_ code: PAMResult) -> String {
    code == .authtokRecoveryErr ? "authtok_recover_err" : code.description.dropFirst(4).lowercased()
  }

  /// A stack whose only module is ignored has decided nothing, which is a refusal.
  private static func stacked(_ code: PAMResult) -> PAMResult { code == .ignore ? .permDenied : code }

  @Test func `pam_unix asks for a user who does not exist as for any other, and for a delay`() throws {
    let started = ContinuousClock.now
    let stack = "auth [default=die] pam_unix.so"
    let run = try authenticate(stack, .userUnknown, [.hidden("Password: ", answer: "x")], user: "nobody-of-this-name")
    #expect(run.unusedSteps.isEmpty && run.unexpectedMessages.isEmpty, "\(run)")
    #expect(run.result == .userUnknown || run.result == .authErr, "\(run)")
    #expect(run.delays.count == 1, "\(run)")
    #expect(ContinuousClock.now - started < .seconds(1))
  }

  @Test func `pam_unix refuses the locked password of nobody`() throws {
    expectOK(try authenticate("auth required pam_unix.so", .authErr, [.hidden("Password: ", answer: "x")]))
  }

  @Test func `pam_unix with nodelay asks for no delay`() throws {
    let run = try authenticate("auth required pam_unix.so nodelay", .authErr, [.hidden("Password: ", answer: "x")])
    #expect(run.delays.isEmpty, "\(run)")
  }

  @Test func `pam_warn says nothing, and nothing depends on it`() throws {
    expectOK(try authenticate("auth required pam_warn.so\nauth required pam_permit.so", .success))
  }

  @Test func `pam_echo's file comes as information`() throws {
    let file = NSTemporaryDirectory() + "echo-\(UUID().uuidString)"
    try "hello %u".write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    expectOK(
      try authenticate(
        "auth optional pam_echo.so file=\(file)\nauth required pam_permit.so", .success, [.info("hello nobody")]))
  }

  @Test func `pam_exec tells what its program printed`() throws {
    expectOK(try authenticate("auth required pam_exec.so stdout /bin/echo hello", .success, [.info("hello")]))
  }

  @Test func `a module that is missing is PAM_MODULE_UNKNOWN`() throws {
    expectOK(try authenticate("auth required /nowhere/pam_nothing.so", .moduleUnknown))
  }
}
