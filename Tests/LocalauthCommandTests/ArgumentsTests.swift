import AuthenticationCore
import Testing

@testable import localauth

@Suite struct `The command line` {
  @Test(arguments: [
    ["help"], ["--help"], ["-h"], ["help", "evaluate"],
  ])
  func `Help is a command`(words: [String]) throws {
    #expect(try Command(words) == .help)
  }

  @Test(arguments: [
    ["evaluate", "--policy", "biometrics", "--reason", "a=b", "--timeout", "7"],
    ["evaluate", "--policy=biometrics", "--reason=a=b", "--timeout=7"],
  ])
  func `A value stands behind its option or behind an equals sign`(words: [String]) throws {
    #expect(try Command(words) == .evaluate(policy: .biometrics, reason: "a=b", readerSeconds: 7))
  }

  @Test(arguments: [["evaluate", "--help"], ["can-evaluate", "-h"], ["evaluate", "--reason", "x", "-h"]])
  func `Help behind another command asks nobody and is no yes`(words: [String]) {
    #expect(throws: UsageError.self) { try Command(words) }
  }

  @Test(arguments: ["--help", "-h", "--timeout", ""])
  func `Whatever stands behind --reason is the reason`(reason: String) throws {
    let command = try Command(["evaluate", "--reason", reason])
    #expect(command == .evaluate(policy: .owner, reason: reason, readerSeconds: 0))
  }

  @Test func `Without options the owner is asked`() throws {
    #expect(try Command(["evaluate"]) == .evaluate(policy: .owner, reason: "", readerSeconds: 0))
    #expect(try Command(["can-evaluate"]) == .canEvaluate(policy: .owner))
  }

  @Test(arguments: ["alice", "Ålice", String(repeating: "a", count: 256)])
  func `One user is unlocked`(user: String) throws {
    #expect(try Command(["unlock", user]) == .unlock(user: user))
  }

  @Test(arguments: [
    ["unlock"], ["unlock", ""], ["unlock", "--all"], ["unlock", "alice", "bob"],
    ["unlock", String(repeating: "a", count: 257)], ["unlock", "--help"],
  ])
  func `Nobody else is unlocked`(words: [String]) {
    #expect(throws: UsageError.self) { try Command(words) }
  }

  @Test(arguments: [
    [], ["evaluation"], ["evaluate", "extra"], ["evaluate", "--policy"], ["evaluate", "--policy", "companion"],
    ["evaluate", "--timeout", "0"], ["evaluate", "--timeout", "601"], ["evaluate", "--timeout", "-1"],
    ["evaluate", "--timeout="], ["can-evaluate", "--reason", "x"], ["can-evaluate", "--timeout", "5"],
  ])
  func `What cannot be is wrong usage`(words: [String]) {
    #expect(throws: UsageError.self) { try Command(words) }
  }
}
