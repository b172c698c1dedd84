/// A transaction of the real libpam: a stack, a user, and what the application tells of itself.
///
///     let run = try PAMTransaction(stack: "auth required pam_unix.so", user: "alice")
///       .run([.authenticate(.authErr)], script: [.hidden("Password: ", answer: "wrong")])
///     #expect(run.problems.isEmpty, "\(run)")
///
/// The script has to be used up, and every code to be as expected; `PAMRun.problems` says what is not so. Nothing of
/// the machine is changed, but the modules are real: pam_unix(8) reads the machine's passwords, pam_faillock(8) counts.
public struct PAMTransaction: Sendable {
  /// The text of the service file: pam.d(5). Modules outside the system's folder need absolute paths. A facility that
  /// has no line is denied, never looked for in the machine's /etc/pam.d/other.
  public var stack: String
  /// Texts of further service files that `stack`, or one of these, names after `include`, `substack` or `@include`.
  /// Names that are not here are files of /etc/pam.d, as ever.
  public var included: [String: String] = [:]
  /// PAM_SERVICE, in small letters.
  public var service: String
  /// PAM_USER; nil leaves the name to a prompt of the modules, pam_get_user(3).
  public var user: String?
  /// Items set before the first call.
  public var items: [PAMItem: String]
  /// The PAM environment, as pam_putenv(3) takes it: `NAME=value`.
  public var environment: [String]
  /// Without one the application passes a conversation whose function is NULL, as a daemon with nobody to ask.
  public var hasConversation = true
  /// Delays that modules ask for are recorded and not waited for, unless this is set.
  public var waitsForDelays = false

  /// A transaction of one stack; the rest has defaults and can be set.
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

  /// Makes the calls over one handle, in order, whatever each comes to. Blocks until they are done.
  public func run(_ calls: [PAMCall], script: [ScriptStep] = []) throws(PAMHarnessError) -> PAMRun {
    let folder = try writeServices()
    let conversation = try ScriptedConversation(script)
    var run = PAMRun()
    make(calls, in: folder, conversation, &run)
    conversation.report(to: &run)
    return run
  }

  private func writeServices() throws(PAMHarnessError) -> ServiceFolder {
    guard ServiceText.isName(service), service == service.lowercased() else { throw .badServiceName(service) }
    var files = included
    files[service] = stack
    var folder = try ServiceFolder()
    for (name, text) in files {
      guard ServiceText.isName(name) else { throw .badServiceName(name) }
      try folder.write(name, ServiceText.directing(included.keys, to: folder.path, in: text))
    }
    if files["other"] == nil { try folder.write("other", ServiceText.denies) }
    return folder
  }

  /// The life of the handle; what its end does is still part of the transcript.
  private func make(
    _ calls: [PAMCall], in folder: borrowing ServiceFolder, _ conversation: ScriptedConversation, _ run: inout PAMRun
  ) {
    guard var handle = PAMHandle(self, folder: folder.path, conversation) else { return }
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
  }
}
