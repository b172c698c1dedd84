import Foundation

/// A C module of Tests/Fixtures, compiled once for all tests of this process.
enum Fixture {
  static let module: String = {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let source = tests.appending(path: "Fixtures/pam_fixture.c").path
    let output = NSTemporaryDirectory() + "pam_fixture-\(getpid()).so"
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/gcc")
    compiler.arguments = ["-shared", "-fPIC", "-Wall", "-Werror", "-o", output, source, "-lpam"]
    try? compiler.run()
    compiler.waitUntilExit()
    // SAFETY: a path of our own.
    atexit { unsafe unlink(NSTemporaryDirectory() + "pam_fixture-\(getpid()).so") }
    return output
  }()

  static func stack(_ argument: String) -> String { "auth required \(module) \(argument)" }
}
