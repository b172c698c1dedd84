public import AuthenticationCore
private import CPlatform
private import SecretBytes
private import SystemInterface

/// Prompts on the controlling terminal: echo off, finger and passcode racing, Ctrl-C or Esc to cancel.
///
/// However it ends, also by a signal, the terminal is as it was before.
public final class TerminalPrompter: Prompter {
  private let terminal: Descriptor
  private let before: termios
  private var prompt = ""
  private var typed: SecretBytes?
  private var isOpen = false
  private var echoes = false
  private var keys = TerminalKeys()
  /// Signals that would end or stop us while the terminal hides what is typed; open while it does.
  private var held: Descriptor?
  private var maskBefore = sigset_t()

  /// nil without a controlling terminal, or in the background: whoever is in front would be asked otherwise.
  public init?() {
    // SAFETY: the calls only read the path and fill a local of the right type; so everywhere in this file.
    let raw = unsafe localauth_open("/dev/tty", O_RDWR | O_NOCTTY)
    guard raw >= 0 else { return nil }
    let terminal = Descriptor(owning: raw)
    var modes = termios()
    guard tcgetpgrp(raw) == getpgrp(), unsafe tcgetattr(raw, &modes) == 0 else { return nil }
    self.terminal = terminal
    before = modes
  }

  deinit { end() }

  public var interaction: Interaction { .concurrent }
  public var descriptor: CInt { terminal.raw }
  public var signals: CInt {
    switch held {
    case nil: -1
    case .some(let held): held.raw
    }
  }

  public func show(_ ask: Ask, request: String, prompt: String) {
    open()
    self.prompt = prompt
    echoes = false
    typed = ask.wantsPasscode ? SecretBytes() : nil
    write(request.isEmpty ? prompt : request + "\r\n" + prompt)
  }

  /// One write, and the half-typed answer stays.
  public func tell(_ text: String, prompt words: String?) {
    if let words, typed != nil { prompt = words }
    write("\r\n" + text + "\r\n" + prompt)
  }

  public func inquire(_ text: String, hidden: Bool) {
    open()
    prompt = text
    echoes = !hidden
    typed = SecretBytes()
    write("\r\n" + text)
  }

  public func hear() -> Heard {
    let signal = localauth_read_signal(signals)
    if signal > 0 { return act(on: signal) }
    guard let ready = try? PollSet.wait(for: terminal.raw, events: PollSet.readable, until: Clock.now()), ready else {
      return .nothing
    }
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let count = Descriptor.read(terminal.raw, into: &span, at: 0..<64)
    // A hang-up: nobody is there any more.
    guard count > 0 else { return .cancel }
    defer { for index in 0..<64 { bytes[index] = 0 } }
    for index in 0..<min(count, 64) {
      let isEmpty = typed?.isEmpty != false
      switch keys.take(bytes[index], isLast: index == count - 1, isEmpty: isEmpty) {
      case nil: break
      case .cancel: return .cancel
      case .enter:
        guard let answer = typed.take() else { break }
        write("\r\n")
        return .answer(answer)
      case .suspend: suspend(group: true)
      case .byte(let byte): append(byte)
      case .eraseCharacter:
        typed?.removeLastCharacter()
        if echoes, !isEmpty { write("\u{8} \u{8}") }
      case .eraseWord:
        typed?.removeLastWord()
        if echoes { showAgain() }
      case .eraseLine:
        typed?.wipe()
        if echoes { showAgain() }
      }
    }
    return .nothing
  }

  public func end() {
    guard isOpen else { return }
    close()
    typed = nil
    write("\n")
  }

  private func append(_ byte: UInt8) {
    typed?.append(byte)
    guard echoes, byte >= 0x20 else { return }
    let one = InlineArray<1, UInt8>(repeating: byte)
    _ = Descriptor.writeAll(terminal.raw, one.span)
  }

  /// No echo, no signals from keys: they come as bytes and are ours to act on. Nor do keys stop the output, which
  /// would stop us. What was typed ahead was typed for somebody else.
  private func open() {
    guard !isOpen else { return }
    hold()
    var modes = before
    modes.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
    modes.c_iflag &= ~tcflag_t(ICRNL | IXON)
    // In two steps: TCSAFLUSH would wait for output that Ctrl-S has stopped.
    isOpen = unsafe tcsetattr(terminal.raw, TCSANOW, &modes) == 0
    _ = tcflush(terminal.raw, TCIFLUSH)
    keys = TerminalKeys()
  }

  /// What was typed and not used must not become the shell's.
  private func close() {
    isOpen = false
    var modes = before
    // SAFETY: the shims only read the modes and the mask.
    _ = unsafe localauth_restore_terminal(terminal.raw, &modes)
    guard held.take() != nil else { return }
    var mask = maskBefore
    _ = unsafe localauth_set_signal_mask(&mask)
  }

  private func hold() {
    guard held == nil else { return }
    let raw = unsafe localauth_prompt_signals(&maskBefore)
    if raw >= 0 { held = Descriptor(owning: raw) }
  }

  /// The terminal first; then the signal does what it would have done, and has its own exit status.
  private func act(on signal: CInt) -> Heard {
    switch signal {
    case SIGTSTP: suspend(group: false)
    case SIGCONT: showAfterStop()
    default:
      close()
      _ = kill(getpid(), signal)
      return .cancel
    }
    return .nothing
  }

  /// Ctrl-Z: everything as it was while the shell is in front, then the prompt again, for a whole answer.
  private func suspend(group: Bool) {
    close()
    _ = kill(group ? 0 : getpid(), SIGTSTP)
    open()
    typed?.wipe()
    showAgain()
  }

  /// Stopped by SIGSTOP, with no word before; the shell has taken the terminal back meanwhile, and shows what is typed.
  private func showAfterStop() {
    var modes = termios()
    guard unsafe tcgetattr(terminal.raw, &modes) == 0, modes.c_lflag & tcflag_t(ECHO) != 0 else { return }
    isOpen = false
    open()
    typed?.wipe()
    showAgain()
  }

  private func showAgain() { write("\r\n" + prompt) }

  private func write(_ text: String) { _ = Descriptor.writeAll(terminal.raw, text.utf8.span) }
}

@available(*, unavailable)
extension TerminalPrompter: Sendable {}
