internal import CPlatform

/// A passcode, in the one place it may be: a locked page that is never dumped or given to a child, wiped at the end.
///
/// It has no description and cannot be copied. At most 511 bytes, the bound of pam_unix; more is refused, never cut.
@frozen @safe public struct SecretBytes: ~Copyable {
  /// A page on every machine Debian runs on; locking works by pages.
  private static var size: Int { 4096 }
  public static var most: Int { 511 }

  private let page: UnsafeMutableRawPointer
  public private(set) var count = 0
  /// More bytes came than a passcode may have.
  public private(set) var overflowed = false

  /// nil when the kernel gives no page.
  public init?() {
    // SAFETY: the shim maps a fresh page of this size or returns NULL; `deinit` is its only release.
    guard let page = unsafe localauth_secret_page(Self.size) else { return nil }
    unsafe self.page = page
  }

  deinit {
    // SAFETY: `page` came from localauth_secret_page with the same size, and nothing points into it any more.
    unsafe localauth_release_page(page, Self.size)
  }

  public var isEmpty: Bool { count == 0 }

  public mutating func append(_ byte: UInt8) {
    guard count < Self.most else {
      overflowed = true
      return
    }
    // SAFETY: count < 511, and the page has 4096 bytes.
    unsafe page.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  public mutating func append(contentsOf bytes: Span<UInt8>) {
    for index in 0..<bytes.count { append(bytes[index]) }
  }

  /// Takes the last byte away, as a backspace does; after an overflow nothing is right any more but to start again.
  public mutating func removeLast() {
    guard count > 0, !overflowed else { return wipe() }
    count &-= 1
    // SAFETY: count is below 511 now, and the page has 4096 bytes.
    unsafe page.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
  }

  /// Takes the last character of UTF-8 away, whole.
  public mutating func removeLastCharacter() {
    while let byte = last, byte & 0xc0 == 0x80 { removeLast() }
    removeLast()
  }

  /// Takes the last word away with the blanks behind it, as Ctrl-W does: VWERASE in termios(3).
  public mutating func removeLastWord() {
    while last == UInt8(ascii: " ") { removeLast() }
    while let byte = last, byte != UInt8(ascii: " ") { removeLast() }
  }

  private var last: UInt8? { count > 0 ? self[count &- 1] : nil }

  /// Reads once from a descriptor, straight into the page. Returns the count, 0 at the end, -errno on failure.
  public mutating func append(readingFrom raw: CInt) -> Int {
    // One byte past the most tells a passcode that is too long.
    let room = Self.most &+ 1 &- count
    // SAFETY: count <= 511, and at most 512 bytes of the page's 4096 are written.
    let got = unsafe read(raw, page + count, room)
    if got < 0 { return 0 &- Int(localauth_errno()) }
    if got > Self.most &- count { overflowed = true }
    count = min(count &+ got, Self.most)
    return got
  }

  /// A C string ends at its first NUL, so that pam_unix would accept what merely begins with the passcode.
  public var containsNUL: Bool {
    for index in 0..<count where self[index] == 0 { return true }
    return false
  }

  /// Whether the system's stack may be asked with it.
  public var isUsable: Bool { !isEmpty && !overflowed && !containsNUL }

  private subscript(index: Int) -> UInt8 {
    // SAFETY: callers stay below `count`, which stays below 512.
    unsafe page.load(fromByteOffset: index, as: UInt8.self)
  }

  public func withBytes<Result: ~Copyable, Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result where Failure: Error {
    // SAFETY: the first `count` bytes of the page are initialised, and it lives as long as `self`.
    let bytes = unsafe UnsafeRawBufferPointer(start: page, count: count).bindMemory(to: UInt8.self)
    return try body(unsafe bytes.span)
  }

  /// The bytes with a NUL behind them; the pointer is dead after `body`.
  @unsafe public func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // SAFETY: count <= 511, so that the NUL is in the page, which was zeroed when it was mapped and by `wipe`.
    let text = unsafe page.assumingMemoryBound(to: CChar.self)
    unsafe text[count] = 0
    return unsafe body(UnsafePointer(text))
  }

  public mutating func wipe() {
    // SAFETY: the page has exactly this size.
    unsafe explicit_bzero(page, Self.size)
    count = 0
    overflowed = false
  }
}

extension SecretBytes {
  /// Where whose it is stands in a page that is given away.
  private static var nameOffset: Int { 1024 }

  /// Gives the page away, with two C strings in it, the secret and whose it is; a process that the host forks sees
  /// zeros. It is wiped by `release(kept:)`, and by nothing else.
  @unsafe public consuming func keep() -> UnsafeMutableRawPointer {
    // SAFETY: `withCString` puts the NUL behind the secret; the page goes to the caller instead of to `deinit`.
    unsafe withCString { _ in }
    let kept = unsafe page
    discard self
    return unsafe kept
  }

  /// Writes down whose it is.
  @unsafe public static func put(name: Span<UInt8>, kept: UnsafeMutableRawPointer) {
    // SAFETY: the name ends below 1024 + 1024, in a page whose rest is zero.
    for index in 0..<min(name.count, 1_023) {
      unsafe kept.storeBytes(of: name[index], toByteOffset: nameOffset &+ index, as: UInt8.self)
    }
  }

  /// The name in such a page, which lives as long as the page does.
  @unsafe public static func name(kept: UnsafeMutableRawPointer) -> UnsafePointer<CChar> {
    // SAFETY: `keep` left a NUL within the page.
    unsafe UnsafePointer(kept.advanced(by: nameOffset).assumingMemoryBound(to: CChar.self))
  }

  /// What is in such a page.
  @unsafe public init?(copying kept: UnsafeMutableRawPointer) {
    self.init()
    // SAFETY: the caller's page came from `keep()`, which put a NUL behind at most 511 bytes.
    let count = unsafe strnlen(kept.assumingMemoryBound(to: CChar.self), Self.most)
    unsafe append(contentsOf: UnsafeRawBufferPointer(start: kept, count: count).bindMemory(to: UInt8.self).span)
  }

  @unsafe public static func release(kept: UnsafeMutableRawPointer) {
    // SAFETY: as for `deinit`; the page came from `keep()`.
    unsafe localauth_release_page(kept, size)
  }
}

@available(*, unavailable)
extension SecretBytes: Sendable {}
