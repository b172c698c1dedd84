import AuthenticationCore
import Testing

@testable import PAMModule

/// A terminal near the person, with one change.
private func interaction(_ change: (inout HostSituation) -> Void) -> Interaction {
  var situation = HostSituation()
  change(&situation)
  return situation.interaction
}

@Test func `one thread on a terminal near the person races`() {
  #expect(interaction { _ in } == .concurrent)
}

@Test func `each part of the fence keeps the race out`() {
  #expect(interaction { $0.threads = 2 } == .sequential)
  #expect(interaction { $0.threads = -5 } == .sequential)
  #expect(interaction { $0.isRemote = true } == .sequential)
  #expect(interaction { $0.isSSH = true } == .sequential)
  #expect(interaction { $0.hasTerminal = false } == .sequential)
  #expect(interaction { $0.policyAllowsPasscode = false } == .sequential)
}

@Test func `polkit races without a terminal, but not with threads`() {
  #expect(interaction { ($0.isPolkit, $0.hasTerminal) = (true, false) } == .concurrent)
  #expect(interaction { ($0.isPolkit, $0.hasTerminal, $0.threads) = (true, false, 2) } == .sequential)
}

@Test func `a silent host races where the prompt can tell of the reader`() {
  #expect(interaction { $0.isSilent = true } == .concurrent)
  #expect(interaction { ($0.isSilent, $0.isPolkit, $0.hasTerminal) = (true, true, false) } == .concurrent)
  #expect(interaction { ($0.isSilent, $0.policyAllowsPasscode) = (true, false) } == .sequential)
}

@Test func `a silent host that nothing can be shown in has a prompt only`() {
  #expect(interaction { ($0.isSilent, $0.hasTerminal) = (true, false) } == .promptOnly)
  #expect(interaction { ($0.isSilent, $0.threads) = (true, 3) } == .promptOnly)
  #expect(interaction { ($0.isSilent, $0.isRemote) = (true, true) } == .promptOnly)
}

@Test func `no conversation is no interaction, and a given passcode needs none`() {
  #expect(interaction { $0.hasConversation = false } == .none)
  #expect(interaction { ($0.hasConversation, $0.hasGivenPasscode) = (false, true) } == .promptOnly)
}
