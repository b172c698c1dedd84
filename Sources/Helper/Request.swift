import AuthenticationCore
import HelperProtocol

/// A hello, read as what it means; codes that this version does not know are refused, never guessed.
struct Request {
  let purpose: Hello.Purpose
  private(set) var policy: Policy?
  let interaction: Interaction
  let way: PasscodeWay
  let silent: Bool
  let nonce: Nonce
  private(set) var limits: EvaluationLimits
  private let readerSeconds: UInt16
  private let readerTries: UInt8
  /// Real uid of who asks, as a root host says; nil when it says nothing.
  let origin: UInt32?
  let service: FixedText
  /// nil for the caller itself.
  let target: FixedText?
  let remoteHost: FixedText
  let terminal: FixedText
  private(set) var reason = Line()

  /// What only root's word counts for is not even read from anybody else.
  init?(_ hello: Hello, _ payload: Span<UInt8>, isRoot: Bool) {
    func text(_ range: TextRange) -> FixedText? { FixedText(payload.extracting(range.range(of: payload.count))) }
    guard let interaction = Interaction(rawValue: hello.interaction),
      let way = PasscodeWay(rawValue: hello.passcodeWay),
      let service = text(hello.service), let target = text(hello.target), let remoteHost = text(hello.remoteHost),
      let terminal = text(hello.terminal)
    else { return nil }
    purpose = hello.purpose
    policy = Policy(rawValue: hello.policy)
    self.interaction = interaction
    self.way = way
    silent = hello.silent
    nonce = hello.nonce
    limits = EvaluationLimits()
    readerSeconds = hello.readerSeconds
    readerTries = hello.readerTries
    origin = isRoot && hello.origin != Hello.noOrigin ? hello.origin : nil
    self.service = service
    self.target = target.isEmpty ? nil : target
    self.remoteHost = remoteHost
    self.terminal = terminal
    reason.append(cleaned: payload.extracting(hello.reason.range(of: payload.count)))
  }

  /// From where a passcode is tried. Only a uid-0 host knows of anybody but itself.
  func passcodeOrigin(_ caller: borrowing Caller) -> PasscodeOrigin {
    if !caller.isRoot { return .user(caller.uid) }
    if !remoteHost.isEmpty || service.equals("sshd") { return .remote }
    return .user(origin ?? 0)
  }

  /// Settings are the bound; what a front end asks for may only narrow it.
  func bounded(by settings: Settings) -> Request {
    var bounded = self
    bounded.policy = settings.policy(policy, way)
    bounded.limits = settings.limits(readerSeconds: readerSeconds, readerTries: readerTries)
    return bounded
  }
}
