import Foundation
import PAMHarness
import Testing

/// The harness against modules that everybody knows, before it is trusted on others.
struct CalibrationTests {
  private func authenticate(
    _ stack: String, _ expected: PAMResult, _ script: [ScriptStep] = [], user: String = "nobody"
  ) throws -> PAMRun {
    try PAMTransaction(stack: stack, user: user).run([PAMCall(.authenticate, expected: expected)], script: script)
  }

  @Test func `pam_permit permits without a word`() throws {
    let run = try authenticate("auth required pam_permit.so", .success)
    #expect(run.problems == [])
    #expect(run.result == .success)
  }

  @Test func `pam_deny denies`() throws {
    #expect(try authenticate("auth required pam_deny.so", .authErr).problems == [])
  }

  /// pam_debug(8) names its codes in small letters.
  @Test(arguments: PAMResult.all.filter { ![.ignore, .success].contains($0) })
  func `pam_debug returns every code it is told`(code: PAMResult) throws {
    let word = code == .authtokRecoveryErr ? "authtok_recover_err" : code.description.dropFirst(4).lowercased()
    let run = try authenticate("auth required pam_debug.so auth=\(word)", code, [.info(.containing("auth=\(word)"))])
    // PAM_INCOMPLETE stops the stack, and pam_debug knows no name for two codes.
    #expect(run.result == code || ["conv_again", "incomplete"].contains(word), "\(run.transcript)")
  }

  @Test func `pam_debug answers each facility by its own argument`() throws {
    let stack = """
      auth required pam_debug.so auth=success cred=cred_expired
      account required pam_debug.so acct=acct_expired
      session required pam_debug.so open_session=success close_session=session_err
      """
    let run = try PAMTransaction(stack: stack, user: "nobody").run(
      [
        PAMCall(.authenticate, expected: .success),
        PAMCall(.setCredentials, flags: .establishCred, expected: .credExpired),
        PAMCall(.accountManagement, expected: .acctExpired),
        PAMCall(.openSession, expected: .success),
        PAMCall(.closeSession, expected: .sessionErr),
      ],
      script: (0..<5).map { _ in .info(.anything) })
    #expect(run.problems == [], "\(run.transcript)")
    #expect(run.results == [.success, .credExpired, .acctExpired, .success, .sessionErr])
  }

  @Test func `pam_unix refuses somebody who does not exist, and asks for a delay that nobody waits for`() throws {
    let started = ContinuousClock.now
    let run = try authenticate(
      "auth required pam_unix.so", .userUnknown, [.hidden("Password: ", answer: "x")], user: "nobody-of-this-name")
    #expect(run.result == .userUnknown || run.result == .authErr, "\(run.transcript)")
    #expect(ContinuousClock.now - started < .seconds(1.5))
  }

  @Test func `pam_echo's file comes as information`() throws {
    let file = NSTemporaryDirectory() + "echo-\(UUID().uuidString)"
    try "hello %u".write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let run = try authenticate(
      "auth optional pam_echo.so file=\(file)\nauth required pam_permit.so", .success, [.info("hello nobody")])
    #expect(run.problems == [], "\(run.transcript)")
  }

  @Test func `a module that is missing is PAM_MODULE_UNKNOWN`() throws {
    #expect(try authenticate("auth required /nowhere/pam_nothing.so", .moduleUnknown).problems == [])
  }

  @Test func `an empty service never falls back to the machine's other`() throws {
    let run = try authenticate("# nothing", .authErr)
    #expect(run.result != .success)
  }

  @Test func `a service name with capitals is refused, since libpam would never find it`() {
    #expect(throws: PAMHarnessError.badServiceName("Demo")) {
      try PAMTransaction(stack: "", user: nil, service: "Demo").run([])
    }
  }
}
