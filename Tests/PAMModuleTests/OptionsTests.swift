import AuthenticationCore
import Testing

@testable import PAMModule

/// What options say after some arguments; options themselves cannot be copied.
private struct Read {
  var policy: Policy?
  var way: PasscodeWay?
  var readerSeconds: UInt16
  var readerTries: UInt8
  var given: GivenPasscode
  var debug: Bool
  var reason: String
  var problems: [OptionProblem?]

  init(_ arguments: String...) { self.init(arguments) }

  init(_ arguments: [String]) {
    var options = Options()
    problems = []
    for argument in arguments { problems.append(options.take(Array(argument.utf8).span)) }
    (policy, way, given, debug) = (options.policy, options.way, options.given, options.debug)
    (readerSeconds, readerTries) = (options.readerSeconds, options.readerTries)
    var bytes: [UInt8] = []
    options.reason.withBytes { for index in 0..<$0.count { bytes.append($0[index]) } }
    reason = String(decoding: bytes, as: UTF8.self)
  }
}

@Test(arguments: [
  ("policy=biometrics", Policy.biometrics), ("policy=owner", .owner), ("policy=companion", .companion),
  ("policy=biometrics-or-companion", .biometricsOrCompanion), ("policy=1", .biometrics), ("policy=2", .owner),
  ("policy=3", .companion), ("policy=4", .biometricsOrCompanion),
])
func `a policy is named or numbered`(argument: String, policy: Policy) {
  let options = Read(argument)
  #expect(options.policy == policy)
  #expect(options.problems == [nil])
}

@Test(arguments: ["policy=", "policy=0", "policy=5", "policy=Owner", "policy=owner ", "policy=1000", "policy=-1"])
func `a policy that cannot be read refuses the call`(argument: String) {
  let options = Read(argument)
  #expect(options.policy == nil)
  #expect(options.problems == [.badValue])
}

@Test(arguments: [("passcode=helper", PasscodeWay.helper), ("passcode=stack", .stack)])
func `the passcode goes one of two ways`(argument: String, way: PasscodeWay) {
  let options = Read(argument)
  #expect(options.way == way)
  #expect(options.problems == [nil])
}

@Test func `a way that cannot be read refuses the call`() {
  let options = Read("passcode=both")
  #expect(options.way == nil)
  #expect(options.problems == [.badValue])
}

@Test(arguments: [
  ("timeout=1", UInt16(1), true), ("timeout=600", 600, true), ("timeout=0", 0, false), ("timeout=601", 0, false),
  ("timeout=1000", 0, false), ("timeout=-1", 0, false), ("timeout=", 0, false), ("timeout=3s", 0, false),
])
func `a time is 1 to 600 seconds, else the default`(argument: String, seconds: UInt16, good: Bool) {
  let options = Read(argument)
  #expect(options.readerSeconds == seconds)
  #expect((options.problems == [nil]) == good)
}

@Test(arguments: [
  ("max-tries=1", UInt8(1), true), ("max-tries=10", 10, true), ("max-tries=0", 0, false), ("max-tries=11", 0, false),
  ("max-tries=266", 0, false),
])
func `tries are 1 to 10, else the default`(argument: String, tries: UInt8, good: Bool) {
  let options = Read(argument)
  #expect(options.readerTries == tries)
  #expect((options.problems == [nil]) == good)
}

@Test(arguments: ["", "nullok", "Debug", "debug=1", "policy", "try_first_pass=yes"])
func `an unknown option changes nothing`(argument: String) {
  let options = Read(argument)
  #expect(options.problems == [.unknown])
  #expect(options.policy == .owner)
  #expect(options.way == .helper)
  #expect(!options.debug)
  #expect(options.given == .ignored)
}

@Test func `use_first_pass is stronger than try_first_pass`() {
  for order in [["try_first_pass", "use_first_pass"], ["use_first_pass", "try_first_pass"]] {
    #expect(Read(order).given == .required)
  }
}

@Test func `the last reason counts, spaces and all`() {
  #expect(Read("reason=one", "reason=deploy to production").reason == "deploy to production")
}

@Test(arguments: [
  ([], true, Answering.person), ([], false, .person),
  (["try_first_pass"], true, .given), (["try_first_pass"], false, .person),
  (["use_first_pass"], true, .given), (["use_first_pass"], false, .nobody),
  (["passcode=stack"], true, .nobody), (["passcode=stack"], false, .person),
  (["passcode=stack", "use_first_pass"], false, .nobody),
  (["passcode=stack", "try_first_pass"], true, .nobody),
  (["policy=biometrics", "use_first_pass"], true, .nobody),
  (["policy=biometrics", "try_first_pass"], true, .person),
])
func `who answers for a passcode that is there already`(arguments: [String], has: Bool, answering: Answering) {
  var options = Options()
  for argument in arguments { _ = options.take(Array(argument.utf8).span) }
  let found = options.answering(hasPasscode: has)
  #expect(found == answering)
}
