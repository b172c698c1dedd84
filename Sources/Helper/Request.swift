import AuthenticationCore
import HelperProtocol

/// A hello, read as what it means; codes that this version does not know are refused, never guessed.
struct Request {
  let purpose: Hello.Purpose
  let policy: Policy?
  let interaction: Interaction
  let way: PasscodeWay
  let silent: Bool
  let nonce: Nonce
  let limits: EvaluationLimits
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
    limits = Self.limits(hello)
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

  /// What a front end asks for may only narrow what is allowed.
  private static func limits(_ hello: Hello) -> EvaluationLimits {
    var limits = EvaluationLimits()
    if hello.readerSeconds > 0 {
      let asked = UInt64(hello.readerSeconds) &* 1_000
      limits.reader = min(limits.reader, asked)
      limits.readerAlone = min(limits.readerAlone, asked)
      limits.probeAlone = min(limits.probeAlone, asked)
    }
    if hello.readerTries > 0 { limits.readerTries = min(limits.readerTries, Int(hello.readerTries)) }
    return limits
  }
}
