/// What a key means at a hidden prompt.
enum TerminalKey: Equatable {
  /// A byte of the answer.
  case byte(UInt8)
  case enter
  case eraseCharacter
  case eraseWord
  case eraseLine
  case cancel
  case suspend
}

/// Keys from the bytes of a terminal without canonical mode: the usual characters of termios(3), and the sequences
/// of arrow keys, function keys and a bracketed paste, which are no part of an answer.
struct TerminalKeys {
  private enum Sequence {
    case none
    /// After Esc.
    case begun
    /// After Esc `[`: parameters, up to a final byte.
    case control
    /// After Esc `O`: one byte.
    case single
  }
  private var sequence = Sequence.none

  /// `isLast`: nothing came with it. A key's sequence comes at once; Esc alone is the person's.
  mutating func take(_ byte: UInt8, isLast: Bool, isEmpty: Bool) -> TerminalKey? {
    switch sequence {
    case .none: break
    case .begun:
      sequence = byte == UInt8(ascii: "[") ? .control : byte == UInt8(ascii: "O") ? .single : .none
      return nil
    case .control:
      if (0x40...0x7e).contains(byte) { sequence = .none }
      return nil
    case .single:
      sequence = .none
      return nil
    }
    switch byte {
    case 0x1b:
      if isLast { return .cancel }
      sequence = .begun
      return nil
    case 0x03, 0x1c: return .cancel
    // It ends a line as Enter does, and the input where there is none: VEOF.
    case 0x04: return isEmpty ? .cancel : .enter
    case 0x0a, 0x0d: return .enter
    case 0x08, 0x7f: return .eraseCharacter
    case 0x15: return .eraseLine
    case 0x17: return .eraseWord
    case 0x1a: return .suspend
    // Ctrl-S and Ctrl-Q stop nothing here.
    case 0x11, 0x13: return nil
    default: return .byte(byte)
    }
  }
}
