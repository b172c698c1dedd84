import AuthenticationCore

/// What the host lets us do with the person, and so how we ask.
struct HostSituation: Equatable, Sendable {
  /// PAM_SILENT
  var isSilent = false
  /// PAM_CONV names a function.
  var hasConversation = true
  /// PAM_RHOST
  var isRemote = false
  /// The service is `sshd`: its conversation has no other end while ours runs in a child.
  var isSSH = false
  /// The service is `polkit-1`: its helper talks over two pipes and has one thread.
  var isPolkit = false
  /// /dev/tty opens.
  var hasTerminal = true
  var threads: Int32 = 1
  /// PAM_AUTHTOK answers the only prompt.
  var hasGivenPasscode = false
  var policyAllowsPasscode = true

  /// The prompt stays on the screen while the reader listens only where its conversation may run in a copy of the
  /// host: one thread, on a terminal or in polkit's helper, near the person. A copy of a host with threads has only
  /// one of them, and its locks may be held forever.
  ///
  /// PAM_SILENT forbids messages, not a prompt that is needed; sudo always sets it. There the prompt itself tells of
  /// the reader, or a line of ours on the terminal does; where neither can, there is no reader.
  var interaction: Interaction {
    if hasGivenPasscode { return .promptOnly }
    if !hasConversation { return .none }
    let isAlone = threads == 1 && !isRemote && !isSSH
    if isAlone && (hasTerminal || isPolkit) && policyAllowsPasscode { return .concurrent }
    return isSilent && !(isAlone && hasTerminal) ? .promptOnly : .sequential
  }
}
