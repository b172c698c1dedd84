public import AuthenticationCore
private import CPlatform
private import SecretBytes
private import SystemInterface

/// Prompts on the controlling terminal: echo off, finger and passcode racing, Ctrl-C or Esc to cancel.
public final class TerminalPrompter: Prompter {
  private let terminal: Descriptor
  private let before: termios
  private var prompt = ""
  private var typed: SecretBytes?
  private var isOpen = false
  private var echoes = false

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
    var bytes = InlineArray<64, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let count = Descriptor.read(terminal.raw, into: &span, at: 0..<64)
    // A hang-up: nobody is there any more.
    guard count > 0 else { return .cancel }
    defer { for index in 0..<64 { bytes[index] = 0 } }
    for index in 0..<min(count, 64) {
      switch bytes[index] {
      case 0x03, 0x1b: return .cancel
      case 0x04 where typed?.isEmpty != false: return .cancel
      case 0x0a, 0x0d:
        guard let answer = typed.take() else { break }
        write("\r\n")
        return .answer(answer)
      case 0x15:
        typed?.wipe()
      case 0x08, 0x7f:
        typed?.removeLast()
      case 0x1a: suspend()
      default:
        typed?.append(bytes[index])
        if echoes { write(String(decoding: [bytes[index]], as: UTF8.self)) }
      }
    }
    return .nothing
  }

  public func end() {
    guard isOpen else { return }
    isOpen = false
    typed = nil
    var modes = before
    // What was typed and not used must not become the shell's.
    _ = unsafe tcsetattr(terminal.raw, TCSAFLUSH, &modes)
    write("\n")
  }

  /// No echo, no signals from keys: they come as bytes and are ours to act on.
  private func open() {
    guard !isOpen else { return }
    var modes = before
    modes.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
    modes.c_iflag &= ~tcflag_t(ICRNL)
    isOpen = unsafe tcsetattr(terminal.raw, TCSAFLUSH, &modes) == 0
  }

  /// Ctrl-Z: everything as it was while the shell is in front, then the prompt again.
  private func suspend() {
    var modes = before
    _ = unsafe tcsetattr(terminal.raw, TCSAFLUSH, &modes)
    isOpen = false
    _ = kill(0, SIGTSTP)
    open()
    write("\r\n" + prompt)
  }

  private func write(_ text: String) { _ = Descriptor.writeAll(terminal.raw, text.utf8.span) }
}

@available(*, unavailable)
extension TerminalPrompter: Sendable {}
