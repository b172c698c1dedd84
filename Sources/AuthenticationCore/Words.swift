/// How a module's options and the settings are read: bytes, compared as they are.
extension Span<UInt8> {
  public func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text)
  }

  public func begins(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount {
      // SAFETY: index is below the count of a text that lives forever.
      let byte = unsafe text.utf8Start[index]
      if self[index] != byte { return false }
    }
    return true
  }

  /// One to three decimal digits within `bounds`.
  public func number(_ bounds: ClosedRange<UInt16>) -> UInt16? {
    guard count >= 1, count <= 3 else { return nil }
    var value: UInt16 = 0
    for index in 0..<count {
      let digit = self[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ UInt16(digit)
    }
    return bounds.contains(value) ? value : nil
  }
}
