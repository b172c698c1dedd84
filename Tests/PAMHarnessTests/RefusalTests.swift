import PAMHarness
import Testing

/// A harness that cannot fail is worth nothing: what is not as scripted is a problem, and says which.
struct RefusalTests {
  @Test(arguments: [
    (0, #"expected hidden exactly("Word: "), got visible "Name: ""#),
    (1, #"expected info exactly("well"), got hidden "Word: ""#),
    (2, #"expected error exactly("badly"), got info "well""#),
    (3, #"unexpected error "badly", at the end of the script"#),
  ])
  func `a message without its step`(index: Int, problem: String) throws {
    var script = Fixture.styles
    script.remove(at: index)
    let run = try Fixture.run("styles", .success, script)
    #expect(run.problems.first == problem, "\(run)")
    #expect(run.unexpectedMessages.isEmpty == false)
    #expect(run.transcript.contains("! " + problem))
  }

  @Test func `a message at an empty script fails the conversation`() throws {
    let run = try Fixture.run("two", .convErr)
    expectProblems(run, [#"unexpected info "one", at the end of the script"#])
    #expect(run.unexpectedMessages == [#"info "one""#])
  }

  @Test(arguments: 0...4) func `a step whose message never comes`(index: Int) throws {
    var script = Fixture.styles
    script.insert(.info("more"), at: index)
    let run = try Fixture.run("styles", .success, script)
    #expect(run.problems.contains { $0.contains("info exactly(\"more\")") }, "\(run)")
    #expect(run.unusedSteps.first?.text == "more")
  }

  @Test func `a step too many at the end is the only problem`() throws {
    let run = try Fixture.run("styles", .success, Fixture.styles + [.info("more")])
    expectProblems(run, ["never came: info exactly(\"more\")"])
    #expect(run.unusedSteps.count == 1 && run.unexpectedMessages.isEmpty)
  }

  @Test(arguments: PAMStyle.allCases.filter { $0 != .hidden }) func `another style`(style: PAMStyle) throws {
    let run = try Fixture.run("echo", .convErr, [ScriptStep(style, "Say: ", .answer("x"))])
    #expect(run.problems.first == "expected \(style) exactly(\"Say: \"), got hidden \"Say: \"", "\(run)")
  }

  @Test(arguments: [PAMText.exactly("Say:"), .exactly("say: "), .prefix("ay"), .containing("z"), ""])
  func `another text`(text: PAMText) throws {
    let run = try Fixture.run("echo", .convErr, [.hidden(text, answer: "x")])
    expectProblems(run, ["expected hidden \(text), got hidden \"Say: \"", "never came: hidden \(text)"])
  }

  @Test func `the order of two steps`() throws {
    let run = try Fixture.run("two", .convErr, Fixture.two.reversed())
    #expect(run.problems.count == 3, "\(run)")
  }

  @Test(arguments: PAMResult.all.filter { $0 != .success }) func `another code`(code: PAMResult) throws {
    expectProblems(
      try Fixture.run("styles", code, Fixture.styles), ["pam_authenticate returned PAM_SUCCESS, expected \(code)"])
  }

  @Test func `the code of any call of a sequence`() throws {
    let run = try PAMTransaction(stack: "auth required pam_permit.so\naccount required pam_deny.so", user: "nobody")
      .run([.authenticate(.success), .accountManagement(.success), .setCredentials(.credErr)])
    expectProblems(
      run,
      [
        "pam_acct_mgmt returned PAM_AUTH_ERR, expected PAM_SUCCESS",
        "pam_setcred returned PAM_SUCCESS, expected PAM_CRED_ERR",
      ])
    #expect(run.results == [.success, .authErr, .success])
  }

  @Test(arguments: ["none", "many", "message", "text", "style", "replies", "messages"])
  func `a module that breaks pam_conv(3)`(how: String) throws {
    let run = try Fixture.run("malformed \(how)", .convErr, [.info("one")])
    #expect(run.result == .convErr && run.problems.count == 2, "\(run)")
    #expect(run.unusedSteps.count == 1)
  }

  @Test func `a run tells its problems first`() throws {
    let run = try Fixture.run("two", .success)
    #expect(
      run.description == """
        problem: unexpected info "one", at the end of the script
        problem: pam_authenticate returned PAM_CONV_ERR, expected PAM_SUCCESS
        transcript:
          info "one"
          ! unexpected info "one", at the end of the script
          pam_authenticate → PAM_CONV_ERR
          ! pam_authenticate returned PAM_CONV_ERR, expected PAM_SUCCESS
        """)
  }
}
