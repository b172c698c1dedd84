import AuthenticationCore
import CPAM
import CPlatform
import HelperProtocol
import SecretBytes
import SystemInterface

/// One call of the host: who is asked about, and what libpam is told at the end.
struct Call: ~Copyable {
  let host: PAMHost
  let flags: CInt
  let service: MessageText
  let user: MessageText
  /// The effective uid is 0.
  let isPrivileged: Bool

  /// Why nobody may be asked. Only root's hosts ask about others; anybody else is refused alike, whether or not the
  /// other exists.
  var refusal: Outcome? {
    // To the helper an empty target is the caller itself, which for a root host would be root.
    if isPrivileged { return user.isEmpty ? .unknownUser : nil }
    return host.userID(of: user) == getuid() ? nil : .notPermitted
  }

  /// What can be known without options.
  var situation: HostSituation {
    var situation = HostSituation()
    situation.isSilent = UInt32(bitPattern: flags) & UInt32(PAM_SILENT) != 0
    situation.hasConversation = host.conversation() != nil
    situation.isRemote = !host.text(PAM_RHOST).isEmpty
    situation.isSSH = service.equals("sshd")
    situation.isPolkit = service.equals("polkit-1")
    situation.threads = localauth_thread_count()
    return situation
  }

  /// Asks the helper to verify a passcode that was right in the host's stack, should that matter to it.
  func confirmation(_ nonce: Nonce) -> Request {
    Request(
      purpose: .confirm, policy: .owner, way: .helper, interaction: .promptOnly, isSilent: true, readerSeconds: 0,
      readerTries: 0, nonce: nonce, origin: isPrivileged ? getuid() : nil, service: service.copy(),
      target: isPrivileged ? user.copy() : MessageText(), remoteHost: host.text(PAM_RHOST),
      terminal: host.text(PAM_TTY), reason: MessageText())
  }

  func request(
    _ policy: Policy, _ way: PasscodeWay, _ situation: HostSituation, _ options: borrowing Options, _ nonce: Nonce
  ) -> Request {
    Request(
      purpose: .evaluate, policy: policy, way: way, interaction: situation.interaction,
      isSilent: situation.isSilent || situation.hasGivenPasscode, readerSeconds: options.readerSeconds,
      readerTries: options.readerTries, nonce: nonce, origin: isPrivileged ? getuid() : nil, service: service.copy(),
      target: isPrivileged ? user.copy() : MessageText(), remoteHost: host.text(PAM_RHOST),
      terminal: host.text(PAM_TTY), reason: options.reason.copy())
  }

  /// The one place where a conclusion becomes the host's code.
  func finish(_ conclusion: Conclusion, passcode: consuming SecretBytes?) -> PAMCode {
    var code = PAMCode.authinfoUnavail
    Log.write(conclusion, user: user, service: service, to: host)
    // SIGTERM or SIGHUP told the host to end. A stack that went on would prompt again, in a host that is to go.
    if conclusion == .fault(.hostEnding) { return .credInsufficient }
    guard case .decided(let outcome, let mechanism) = conclusion else { return code }
    code = outcome.pamCode(privilegedHost: isPrivileged)
    switch code {
    case .success where mechanism == .passcode: hand(passcode)
    case .authinfoUnavail where outcome == .userFallback: handAndKeep(passcode)
    case .success, .authinfoUnavail, .credInsufficient: break
    case .authErr, .userUnknown, .maxTries:
      // For others than root the helper's stack has waited already, unless it was never asked.
      if isPrivileged || outcome == .notPermitted { host.delayFailure() }
    }
    return code
  }

  /// Whether it is right, the modules after ours decide; `confirm` hears of it when the host sets credentials.
  private func handAndKeep(_ passcode: consuming SecretBytes?) {
    guard let passcode = consume passcode else { return }
    _ = host.setPasscode(passcode)
    host.keep(passcode, of: user)
  }

  /// The modules after ours find the passcode in PAM_AUTHTOK. Without it they ask again, which is no failure.
  private func hand(_ passcode: consuming SecretBytes?) {
    if let passcode = consume passcode { _ = host.setPasscode(passcode) }
  }
}
