import Foundation
import PAMHarness
import Testing

/// Scripts against a module of known behaviour: what is as scripted passes.
struct ScriptTests {
  @Test func `all four styles are met in their order`() throws {
    let run = try Fixture.run("styles", .success, Fixture.styles)
    expectOK(run)
    #expect(
      run.transcript == [
        #"visible "Name: ""#, #"  answer("me")"#, #"hidden "Word: ""#, #"  answer("open")"#, #"info "well""#,
        #"error "badly""#, "pam_authenticate → PAM_SUCCESS",
      ])
  }

  @Test func `two messages of one call are two steps`() throws {
    expectOK(try Fixture.run("two", .success, Fixture.two))
  }

  @Test func `a wrong answer is the module's to refuse`() throws {
    var script = Fixture.styles
    script[1] = .hidden("Word: ", answer: "close")
    expectOK(try Fixture.run("styles", .authErr, script))
  }

  @Test(arguments: [PAMText.exactly("Say: "), .prefix("Sa"), .containing("y"), .anything, "Say: "])
  func `a text may be known in part`(text: PAMText) throws {
    expectOK(try Fixture.run("echo", .success, [.hidden(text, answer: "a"), .info("a.")]))
  }

  @Test(arguments: [
    (PAMReply.answer(""), ScriptStep.info(".")), (.answer("wörd"), .info("wörd.")),
    (.answer(String(repeating: "x", count: 4096)), .info(.prefix("xxx"))),
    (.bytes([0x61, 0x62]), .info("ab.")), (.bytes([0x61, 0, 0x62]), .info("a.")), (.bytes([]), .info(".")),
    (.bytes([0xff]), .info("\u{FFFD}.")), (.nothing, .error("NULL")),
  ])
  func `a prompt may be answered with anything`(reply: PAMReply, echo: ScriptStep) throws {
    expectOK(try Fixture.run("echo", .success, [ScriptStep(.hidden, "Say: ", reply), echo]))
  }

  @Test(arguments: [PAMResult.convErr, .convAgain, .bufErr, .abort])
  func `the conversation may fail with any code, at any message of a call`(code: PAMResult) throws {
    expectOK(try Fixture.run("two", code, [ScriptStep(.info, "one", .fails(code))]))
    expectOK(try Fixture.run("two", code, [.info("one"), ScriptStep(.hidden, "two: ", .fails(code))]))
  }

  @Test func `the array of replies may be NULL`() throws {
    expectOK(try Fixture.run("two", .bufErr, [ScriptStep(.info, "one", .noArray)]))
  }

  @Test func `a line that is no prompt may be answered, against pam_conv(3)`() throws {
    expectOK(try Fixture.run("two", .authErr, [ScriptStep(.info, "one", .answer("eh?")), Fixture.two[1]]))
  }

  @Test func `an action runs when its message is shown, and then a delay is waited for`() async throws {
    let started = ContinuousClock.now
    try await confirmation { shown in
      let script: [ScriptStep] = [
        .info("one") {
          #expect(ContinuousClock.now - started < .milliseconds(120))
          shown()
        },
        .hidden("two: ", answer: "x", delay: .milliseconds(120)),
      ]
      expectOK(try Fixture.run("two", .success, script))
    }
    #expect(ContinuousClock.now - started >= .milliseconds(120))
  }

  @Test func `a conversation that a child of the module's holds is the same conversation`() async {
    // Alone in a process: fork(2) among the threads of other tests is no place for more than that.
    await #expect(processExitsWith: .success) { [stack = Fixture.stack("child") as String] in
      let transaction = PAMTransaction(stack: stack, user: "nobody")
      expectOK(try transaction.run([.authenticate(.success)], script: Fixture.two))
      expectProblems(
        try transaction.run([.authenticate(.convErr)], script: [.info("one")]),
        ["unexpected hidden \"two: \", at the end of the script"])
    }
  }
}
