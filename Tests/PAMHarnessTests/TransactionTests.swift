import Foundation
import PAMHarness
import Testing

/// What an application tells libpam, and what it learns.
struct TransactionTests {
  @Test func `items and flags reach the module`() throws {
    let run = try Fixture.run("items", .success, [.info("pts/9 far me :7 UNIX silent")], flags: .silent) {
      $0.items = [.tty: "pts/9", .remoteHost: "far", .remoteUser: "me", .xDisplay: ":7", .authtokType: "UNIX"]
    }
    expectOK(run)
    expectOK(try Fixture.run("items", .success, [.info("- - - - - aloud")]))
  }

  @Test func `the flags of each call are its own`() throws {
    expectOK(
      try PAMTransaction(stack: Fixture.stack("items"), user: "nobody").run(
        [.authenticate(.success), .setCredentials(.success), .setCredentials(.credErr, flags: .deleteCred)],
        script: [.info(.anything)]))
  }

  @Test func `a user whom nobody named is asked for, with the application's prompt`() throws {
    let run = try Fixture.run("user", .success, [.visible("Who? ", answer: "alice")]) {
      $0.user = nil
      $0.items[.userPrompt] = "Who? "
    }
    expectOK(run)
    #expect(run.user == "alice")
    #expect(try Fixture.run("user", .success).user == "nobody")
  }

  @Test func `a user whom the module renames is the user at the end`() throws {
    #expect(try Fixture.run("rename", .success).user == "somebody-else")
  }

  @Test func `the environment is the application's and the module's`() throws {
    let run = try Fixture.run("putenv", .success) { $0.environment = ["A=b", "EMPTY="] }
    expectOK(run)
    #expect(Set(run.environment) == ["A=b", "EMPTY=", "FROM=module"])
  }

  @Test func `an environment entry that libpam refuses is a problem`() throws {
    let run = try Fixture.run("rename", .success) { $0.environment = ["=b"] }
    expectProblems(run, ["pam_putenv of =b returned PAM_BAD_ITEM"])
  }

  @Test func `without a conversation a module is told so`() throws {
    expectOK(try Fixture.run("two", .convErr) { $0.hasConversation = false })
    #expect(try Fixture.run("token", .convErr) { $0.hasConversation = false }.results.count == 1)
  }

  @Test func `the longest delay asked for is recorded, spread, and not waited for`() throws {
    let started = ContinuousClock.now
    let run = try Fixture.run("delay 1000000 20000000 3000000", .authErr)
    #expect(run.delays.count == 1)
    #expect(run.delays.allSatisfy { $0 >= .seconds(10) && $0 <= .seconds(30) }, "\(run)")
    #expect(ContinuousClock.now - started < .seconds(5))
    #expect(try Fixture.run("delay", .authErr).delays.isEmpty)
  }

  @Test func `a delay is waited for on demand`() throws {
    let started = ContinuousClock.now
    let run = try Fixture.run("delay 400000", .authErr) { $0.waitsForDelays = true }
    #expect(ContinuousClock.now - started >= .milliseconds(200))
    #expect(run.delays.isEmpty)
  }

  @Test func `a password asked for by one module is the next one's too`() throws {
    let stack = Fixture.stack("token") + "\n" + Fixture.stack("token")
    expectOK(
      try PAMTransaction(stack: stack, user: "nobody").run(
        [.authenticate(.success)], script: [.hidden("Password: ", answer: "x")]))
  }

  @Test(arguments: [-1, 32, 77]) func `a code that does not exist comes back as libpam makes it`(code: Int) throws {
    let run = try Fixture.run("code \(code)", .success)
    #expect(run.result != .success, "\(run)")
  }

  @Test(arguments: ["auth include own", "auth  substack\town", "@include own"])
  func `a service file of the transaction's is found`(line: String) throws {
    let files = [
      "own": "auth substack deeper", "deeper": Fixture.stack("rename"), "unused": "auth required pam_deny.so",
    ]
    var transaction = PAMTransaction(stack: "\(line)\nauth required pam_permit.so", user: "nobody")
    transaction.included = files
    let run = try transaction.run([.authenticate(.success)])
    expectOK(run)
    #expect(run.user == "somebody-else")
  }

  @Test(arguments: PAMFacility.allCases) func `a facility without a line is denied, not the machine's`(
    facility: PAMFacility
  ) throws {
    let run = try PAMTransaction(stack: "# nothing", user: "nobody").run([PAMCall(facility, expected: .success)])
    #expect(run.result != .success && run.problems.count == 1, "\(run)")
  }

  @Test func `an other of the transaction's decides for facilities without a line`() throws {
    var transaction = PAMTransaction(stack: "auth required pam_deny.so", user: "nobody")
    transaction.included["other"] = "account required pam_permit.so"
    expectOK(try transaction.run([.authenticate(.authErr), .accountManagement(.success)]))
  }

  @Test(arguments: ["Demo", "", "a/b", "..", "a b"]) func `a name that libpam never finds is refused`(name: String) {
    #expect(throws: PAMHarnessError.badServiceName(name)) {
      try PAMTransaction(stack: "", user: nil, service: name).run([])
    }
  }
}
