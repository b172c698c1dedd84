extension StaticString {
  /// The text as a C string, without a copy. The text must have more than one character.
  @unsafe public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // SAFETY: a StaticString that is no single scalar is UTF-8 with a NUL behind it, and lives forever.
    unsafe utf8Start.withMemoryRebound(to: CChar.self, capacity: utf8CodeUnitCount &+ 1) { unsafe body($0) }
  }
}
