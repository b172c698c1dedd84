import AuthenticationCore
import HelperProtocol

/// What we ask the helper, and what we know of the host.
struct Request: ~Copyable {
  let purpose: Hello.Purpose
  let policy: Policy
  let way: PasscodeWay
  let interaction: Interaction
  /// PAM_SILENT: no message goes through the conversation.
  let isSilent: Bool
  let readerSeconds: UInt16
  let readerTries: UInt8
  let nonce: Nonce
  /// Real uid of who asks; only a uid-0 host's word counts.
  let origin: UInt32?
  let service: MessageText
  /// PAM_USER, named by a uid-0 host only; anybody else is asked about itself.
  let target: MessageText
  let remoteHost: MessageText
  let terminal: MessageText
  let reason: MessageText

  func hello() -> FrameWriter {
    var hello = Hello(nonce: nonce)
    hello.purpose = purpose
    hello.policy = policy.rawValue
    hello.passcodeWay = way.rawValue
    hello.interaction = interaction.rawValue
    // Elsewhere what has to be said has a place.
    hello.silent = interaction == .promptOnly
    hello.readerSeconds = readerSeconds
    hello.readerTries = readerTries
    hello.origin = origin ?? Hello.noOrigin
    var frame = hello.begin()
    service.withBytes { frame.put(cleaned: $0, most: FrameLimits.name) }
    target.withBytes { frame.put(text: $0) }
    remoteHost.withBytes { frame.put(cleaned: $0, most: FrameLimits.name) }
    terminal.withBytes { frame.put(cleaned: $0, most: FrameLimits.name) }
    reason.withBytes { frame.put(cleaned: $0, most: FrameLimits.text) }
    return frame
  }
}
