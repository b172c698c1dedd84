import CPlatform
import SystemInterface

/// The host's controlling terminal: what a prompt that is taken away leaves behind is put right, and hints are
/// written past the conversation.
struct Terminal: ~Copyable {
  private let descriptor: Descriptor
  private let modes: termios

  /// nil when there is none.
  init?() {
    var modes = termios()
    // SAFETY: the shim fills the structure, or fails.
    let raw = unsafe localauth_open_terminal(&modes)
    guard raw >= 0 else { return nil }
    descriptor = Descriptor(owning: raw)
    self.modes = modes
  }

  var raw: CInt { descriptor.raw }

  /// One write, which leaves the input alone; a stopped terminal, or one of somebody else's, loses it.
  func write(_ text: borrowing MessageText) {
    // SAFETY: pointer and count are the span's own.
    text.withBytes { bytes in
      _ = unsafe bytes.withUnsafeBytes { unsafe localauth_write_terminal(raw, $0.baseAddress, $0.count) }
    }
  }

  func write(line: borrowing MessageText) {
    var text = MessageText()
    text.append(line)
    text.append("\r\n")
    write(text)
  }

  /// Under a prompt that stays: the hint, and the prompt again. "\r\n", since a prompt may run in raw mode.
  func write(hint: borrowing MessageText, prompt: borrowing MessageText) {
    var text = MessageText()
    text.append("\r\n")
    text.append(hint)
    text.append("\r\n")
    text.append(prompt)
    write(text)
  }

  /// Brings the modes of our start back, should a prompt that was taken away have left others: the input that was
  /// half typed under them is dropped, and its line ended.
  func restore(endLine: Bool) {
    var modes = self.modes
    // SAFETY: the shim only reads the structure.
    let hadChanged = unsafe localauth_restore_terminal(raw, &modes) == 1
    guard endLine || hadChanged else { return }
    var line = MessageText()
    line.append("\r\n")
    write(line)
  }
}
