import AuthenticationCore
import HelperProtocol

/// A hint in words, for the person.
struct Notice {
  private let hint: Hint
  private var text = Line()

  /// `seconds` end the words of `tryLater`.
  init(_ hint: Hint, seconds: Int64 = 0) {
    self.hint = hint
    text.append(hint.text)
    guard hint == .tryLater else { return }
    text.append(UInt32(clamping: seconds))
    text.append(" s")
  }

  var count: Int { text.count }

  func frame(_ scan: ScanType) -> FrameWriter {
    var prompt = Line()
    prompt.append(hint.leaves.text(scan))
    return text.withBytes { text in
      prompt.withBytes { HintMessage.frame(hint: hint.rawValue, text: text, prompt: $0) }
    }
  }
}
