import AuthenticationCore
import CPAM
import CPlatform
import HelperProtocol
import SecretBytes
import SystemInterface

/// A way to the helper; `asRoot` for a host whose effective uid is 0.
typealias Road = (_ asRoot: Bool) throws(RoadFailure) -> FrameChannel

/// pam_sm_authenticate(3), from the host's call to its code. Whatever is not decided is "unavailable".
func authenticate(
  _ host: PAMHost, flags: CInt, arguments: Arguments,
  road: Road = { asRoot throws(RoadFailure) in try Roads.connect(asRoot: asRoot) }
) -> PAMCode {
  let service = host.text(PAM_SERVICE)
  // The helper's own stack may lead back to us.
  if service.equals("localauth-passcode") { return .authinfoUnavail }
  // Before anything else: login(1) crashes on a module that never asks for its user.
  guard let user = host.user() else { return .authinfoUnavail }
  _ = host.takeKept()
  let call = Call(host: host, flags: flags, service: service, user: user, isPrivileged: geteuid() == 0)
  let options = readOptions(arguments, host)
  guard let policy = options.policy, let way = options.way else { return .authinfoUnavail }
  if let refusal = call.refusal { return call.finish(.decided(refusal, .none), passcode: nil) }
  let answering = options.answering(hasPasscode: host.hasPasscode)
  let given = answering == .given ? host.passcode() : nil
  if answering == .nobody || (answering == .given && given == nil) { return .authinfoUnavail }
  // polkit's agent keeps its own terminal in order; a given passcode needs none.
  let terminal = call.service.equals("polkit-1") || given != nil ? nil : Terminal()
  var situation = call.situation
  situation.hasTerminal = terminal != nil
  situation.hasGivenPasscode = given != nil
  situation.policyAllowsPasscode = policy.allowsPasscode
  guard let nonce = try? Random.bytes16() else { return .authinfoUnavail }
  let request = call.request(policy, way, situation, options, Nonce(nonce))
  if options.debug { Log.write(request, to: host) }
  do throws(RoadFailure) {
    return relay(call, request, try road(call.isPrivileged), terminal, given)
  } catch {
    Log.write(error, to: host)
    return .authinfoUnavail
  }
}

private func readOptions(_ arguments: Arguments, _ host: PAMHost) -> Options {
  var options = Options()
  arguments.forEach { argument in
    if let problem = options.take(argument) { Log.write(problem, argument, to: host) }
  }
  return options
}

/// Everything of ours is closed and logged before the host gets its signals back.
private func relay(
  _ call: borrowing Call, _ request: consuming Request, _ channel: consuming FrameChannel,
  _ terminal: consuming Terminal?, _ given: consuming SecretBytes?
) -> PAMCode {
  var ready = Optional(Relay(host: call.host, request: request, channel: channel, terminal: terminal, given: given))
  let code = HeldSignals.hold { signals -> PAMCode in
    guard var relay = ready.take() else { return .authinfoUnavail }
    let conclusion = relay.run(signals)
    let passcode = relay.passcode.take()
    _ = consume relay
    return call.finish(conclusion, passcode: passcode)
  }
  return code ?? .authinfoUnavail
}

/// pam_sm_setcred(3) is called once the whole stack has succeeded. The passcode that we collected for it was right,
/// unless something else in the stack was content: so the helper verifies it again, where a locked reader or new
/// fingers wait for that. What comes of it changes nothing here.
func confirmPasscode(
  _ host: PAMHost, flags: CInt,
  road: Road = { asRoot throws(RoadFailure) in try Roads.connect(asRoot: asRoot) }
) {
  guard let kept = host.takeKept(), UInt32(bitPattern: flags) & UInt32(PAM_DELETE_CRED) == 0,
    let nonce = try? Random.bytes16()
  else { return }
  let service = host.text(PAM_SERVICE)
  let call = Call(host: host, flags: flags, service: service, user: kept.user.copy(), isPrivileged: geteuid() == 0)
  guard call.refusal == nil, let channel = try? road(call.isPrivileged) else { return }
  var ready = Optional(
    Relay(host: host, request: call.confirmation(Nonce(nonce)), channel: channel, terminal: nil, given: kept.passcode))
  _ = HeldSignals.hold { signals in
    guard var relay = ready.take() else { return }
    _ = relay.run(signals)
  }
}
