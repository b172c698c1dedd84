public import AuthenticationCore
private import CPlatform
private import HelperProtocol
private import SecretBytes
private import SystemInterface

/// One request to localauth-helper, from hello to verdict.
///
/// Whatever goes wrong on the way is an outcome, and never success.
public struct HelperClient: Sendable {
  public init() {}

  /// Whether the policy could be evaluated now; shows nothing, opens no reader. `success` means yes.
  public func preflight(_ request: HelperRequest, interaction: Interaction) -> HelperVerdict {
    run(request, purpose: .preflight, prompter: nil, interaction: interaction)
  }

  /// Forgets what was counted of a user: wrong fingers and wrong passcodes. For root; `success` means done.
  public func unlock(_ user: String, service: String) -> HelperVerdict {
    var request = HelperRequest(policy: .owner, reason: "", service: service)
    request.target = user
    return run(request, purpose: .unlock, prompter: nil, interaction: .none)
  }

  /// Evaluates the policy, with the prompts of `prompter`.
  public func evaluate(_ request: HelperRequest, prompter: any Prompter) -> HelperVerdict {
    defer { prompter.end() }
    return run(request, purpose: .evaluate, prompter: prompter, interaction: prompter.interaction)
  }

  private func run(
    _ request: HelperRequest, purpose: Hello.Purpose, prompter: (any Prompter)?, interaction: Interaction
  ) -> HelperVerdict {
    let channel: FrameChannel
    let nonce: Nonce
    do throws(SystemError) {
      nonce = Nonce(try Random.bytes16())
    } catch {
      return HelperVerdict(outcome: .systemCancel, detail: "no random numbers: errno \(error.code)")
    }
    do throws(RoadFailure) {
      channel = try Roads.connect(asRoot: geteuid() == 0)
    } catch {
      return HelperVerdict(outcome: .biometryNotAvailable, detail: Self.detail(error))
    }
    var conversation = ClientConversation(channel: channel, nonce: nonce, purpose: purpose, prompter: prompter)
    return conversation.run(request, interaction: interaction)
  }

  private static func detail(_ failure: RoadFailure) -> String {
    let (what, code) =
      switch failure {
      case .refused(let error): ("\(Places.socket) refused the connection", error.code)
      case .noHelper(let error):
        ("nobody listens on \(Places.socket), and \(Places.helper) cannot be executed", error.code)
      }
    // SAFETY: strerror(3) returns a C string; it is copied at once.
    return "\(what): \(unsafe String(cString: strerror(code)))"
  }
}
