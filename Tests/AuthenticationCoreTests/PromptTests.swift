import AuthenticationCore
import Testing

@Suite struct `What the person reads` {
  @Test(arguments: ScanType.allCases) func `names every way that is open, and no other`(scan: ScanType) {
    let reader = scan == .press ? "ouch the reader" : "wipe"
    for ask in Ask.allCases {
      let text = ask.text(scan).description
      #expect(text.contains("Passcode") == ask.wantsPasscode)
      #expect(text.contains(reader) == (ask != .passcode))
    }
  }

  @Test func `ends with room to type where something is typed`() {
    for ask in Ask.allCases { #expect(ask.text(.press).description.hasSuffix(": ") == ask.wantsPasscode) }
  }

  @Test func `is one short line of plain text for each hint`() {
    #expect(Set(Hint.allCases.map(\.text.description)).count == Hint.allCases.count)
    for hint in Hint.allCases {
      let bytes = Array(hint.text.description.utf8)
      #expect((1...79).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7e).contains($0) }, "\(hint)")
    }
  }

  @Test func `says that the passcode is left when the reader is not`() {
    for hint in [Hint.triesUsed, .readerGone, .readerTimedOut, .readerLocked, .fingersChanged] {
      #expect(hint.text.description.contains("passcode"))
    }
  }
}
