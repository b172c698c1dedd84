import CPlatform

/// argv of a PAM line.
@safe struct Arguments {
  private let count: CInt
  private let values: UnsafeMutablePointer<UnsafePointer<CChar>?>?

  /// `values` are libpam's `count` C strings, which outlive the call.
  @unsafe init(count: CInt, values: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
    self.count = count
    unsafe self.values = values
  }

  func forEach(_ body: (Span<UInt8>) -> Void) {
    guard let values = unsafe values else { return }
    for index in 0..<Int(max(count, 0)) {
      // SAFETY: index is below libpam's count; each is a C string.
      guard let argument = unsafe values[index] else { continue }
      let bytes = unsafe UnsafeRawBufferPointer(start: argument, count: strlen(argument)).bindMemory(to: UInt8.self)
      unsafe body(bytes.span)
    }
  }
}
