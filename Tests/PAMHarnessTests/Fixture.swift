import Foundation
import PAMHarness
import Testing

/// The C module of Tests/Fixtures, compiled once for all tests of this process.
enum Fixture {
  static let module: String = {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let output = NSTemporaryDirectory() + "pam_fixture-\(getpid()).so"
    let source = tests.appending(path: "Fixtures/pam_fixture.c").path
    // SAFETY: a command of our own; the paths are a checkout's and a temporary folder's.
    let status = unsafe system("cc -shared -fPIC -Wall -Wextra -Werror -o '\(output)' '\(source)' -lpam")
    if status != 0 { Issue.record("the fixture does not compile") }
    // SAFETY: a path of our own.
    atexit { unsafe unlink(NSTemporaryDirectory() + "pam_fixture-\(getpid()).so") }
    return output
  }()

  static func stack(_ argument: String) -> String { "auth required \(module) \(argument)" }

  /// One pam_authenticate of the fixture.
  static func run(
    _ argument: String, _ expected: PAMResult, _ script: [ScriptStep] = [], flags: PAMFlags = [],
    change: (inout PAMTransaction) -> Void = { _ in }
  ) throws -> PAMRun {
    var transaction = PAMTransaction(stack: stack(argument), user: "nobody")
    change(&transaction)
    return try transaction.run([.authenticate(expected, flags: flags)], script: script)
  }

  /// The script that the fixture's `styles` wants, and the one of its `two`.
  static let styles: [ScriptStep] = [
    .visible("Name: ", answer: "me"), .hidden("Word: ", answer: "open"), .info("well"), .error("badly"),
  ]
  static let two: [ScriptStep] = [.info("one"), .hidden("two: ", answer: "x")]
}

/// Fails the test unless a run is as scripted, and says all that is known of it.
func expectOK(_ run: PAMRun, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(run.problems.isEmpty, "\(run)", sourceLocation: sourceLocation)
}

/// Fails the test unless a run has exactly these problems: what a harness is for.
func expectProblems(_ run: PAMRun, _ problems: [String], sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(run.problems == problems, "\(run)", sourceLocation: sourceLocation)
}
