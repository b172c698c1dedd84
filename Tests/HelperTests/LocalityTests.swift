import CPlatform
import Testing

@testable import Helper

struct LocalityTests {
  @Test(arguments: ["tty1", "/dev/tty1", "tty63", "/dev/tty12"]) func `a virtual console`(terminal: String) {
    #expect(Locality.isConsole(FixedText(string: terminal)))
  }

  @Test(arguments: ["", "tty", "/dev/tty", "ttyS0", "pts/1", "/dev/pts/1", "ssh", ":0", "tty1x", "xtty1", "/dev//tty1"])
  func `anything else is none`(terminal: String) {
    #expect(!Locality.isConsole(FixedText(string: terminal)))
  }

  @Test func `a terminal that utmp does not know is not remote`() {
    // SAFETY: the shim only reads the text.
    #expect(unsafe localauth_terminal_is_remote("/dev/no-such-terminal") == 0)
  }

  @Test func `a process that does not exist has no ancestor`() {
    #expect(localauth_has_remote_ancestor(Int32.max) == 0)
    #expect(localauth_has_remote_ancestor(0) == 0)
    #expect(localauth_has_remote_ancestor(1) == 0)
  }

  @Test func `this process started after the first and not after itself`() {
    let ours = localauth_start_time(getpid())
    #expect(ours > 0)
    #expect(localauth_start_time(getppid()) <= ours)
    #expect(localauth_start_time(Int32.max) < 0)
  }

  @Test(arguments: [("/dev/pts/3", true), ("tty1", true), ("", false), (":0", false), (":1.0", false)])
  func `a host asks on a terminal where PAM_TTY names one, and not a display`(name: String, isTerminal: Bool) {
    #expect(Locality.asksOnTerminal(FixedText(string: name)) == isTerminal)
  }
}
