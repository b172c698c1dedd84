/// What the passcode process is told: whom to verify, and what the system's stack may know of the asking host.
struct PasscodeRequest {
  var user: FixedText
  var uid: UInt32?
  /// Only a uid-0 caller's word on these counts; empty otherwise.
  var terminal: FixedText
  var remoteHost: FixedText
  /// Name of who asks: PAM_RUSER.
  var askingUser: FixedText
  /// A root host waits after a failure itself; for others the stack's own delay runs here.
  var isRootHost: Bool
  /// The host forbids messages: PAM_SILENT.
  var silent: Bool
  /// After a finger: the account only, no passcode.
  var accountOnly: Bool
}
