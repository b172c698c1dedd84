internal import CPAM
private import Glibc

/// A transaction of the real libpam: a stack, a user, and what the application tells of itself.
///
///     let run = try PAMTransaction(stack: "auth required pam_unix.so", user: "alice")
///       .run([PAMCall(.authenticate, expected: .authErr)], script: [.hidden("Password: ", answer: "wrong")])
///     #expect(run.problems == [], "\(run.transcript)")
///
/// The script has to be used up, and every code to be as expected; `PAMRun.problems` says what is not so. Delays that
/// modules ask for are kept and not waited for, unless `waitsForDelays` is set.
public struct PAMTransaction: Sendable {
  /// The text of the service file: pam.d(5). What it includes by a relative name is of /etc/pam.d: that is libpam's.
  public var stack: String
  /// PAM_SERVICE
  public var service: String
  /// nil leaves the name to a prompt of the modules.
  public var user: String?
  public var items: [PAMItem: String]
  /// The PAM environment, as pam_putenv(3) takes it: `NAME=value`.
  public var environment: [String]
  /// Without one the application passes a conversation whose function is NULL.
  public var hasConversation = true
  public var waitsForDelays = false

  /// The stack is the text of a service file: pam.d(5). Modules outside the system's folder need absolute paths.
  public init(
    stack: String, user: String?, service: String = "harness", items: [PAMItem: String] = [:],
    environment: [String] = []
  ) {
    self.stack = stack
    self.service = service
    self.user = user
    self.items = items
    self.environment = environment
  }

  /// Makes the calls over one handle, in order, whatever each comes to.
  public func run(_ calls: [PAMCall], script: [ScriptStep] = []) throws(PAMHarnessError) -> PAMRun {
    guard service == service.lowercased(), !service.isEmpty, !service.contains("/") else {
      throw .badServiceName(service)
    }
    let folder = try ServiceFolder(service: service, stack: stack)
    let conversation = ScriptedConversation(script)
    var run = PAMRun()
    perform(calls, in: folder.path, conversation, &run)
    for step in conversation.unusedSteps { conversation.complain("never came: \(step.style) \(step.text)") }
    run.transcript = conversation.transcript
    run.problems += conversation.problems
    return run
  }

  private func perform(_ calls: [PAMCall], in folder: String, _ conversation: ScriptedConversation, _ run: inout PAMRun)
  {
    guard var handle = PAMHandle(self, folder: folder, conversation) else { return }
    for call in calls {
      let result = handle.make(call)
      run.results.append(result)
      conversation.note("\(call.facility.rawValue) → \(result)")
      if result != call.expected {
        conversation.complain("\(call.facility.rawValue) returned \(result), expected \(call.expected)")
      }
    }
    run.user = handle.user
    run.environment = handle.environment
    run.delays = conversation.delays
  }
}
