/// From where a passcode is tried.
public enum PasscodeOrigin: Equatable, Hashable, Sendable {
  /// The real uid of who asks.
  case user(UInt32)
  /// Another host: PAM_RHOST.
  case remote
}

/// What a charge came to.
public enum ChargeResult: Equatable, Sendable {
  /// Charged, to the window of this number.
  case charged(window: Int)
  /// Nothing was charged; the window of this number is closed.
  case closed(window: Int, seconds: Int64)
}

/// What is counted of one user over all requests, as the bytes of its file.
///
/// Little-endian: the eight bytes "LALOCK\0\u{1}" (the last is the version), one for the failed matches, and zeros up to
/// byte 32; then 63 windows of 32 bytes: `u8 kind, u8 charged, u8 closings, u8 0, u32 uid, u64 boot, i64 uptime,
/// i64 wall`. Any bytes can be read: what no version of ours wrote is taken for the strictest.
public struct LockoutRecord: Sendable {
  public static var size: Int { 2048 }
  /// Matches that may fail in a row until the passcode was right.
  public static var readerTries: UInt8 { 5 }
  /// The last window is shared by everybody for whom there is no other.
  static var windows: Int { 63 }

  private enum Kind: UInt8 { case unused = 0, user = 1, remote = 2 }
  private static var header: Int { 32 }
  private static var stride: Int { 32 }
  private static var magic: InlineArray<8, UInt8> { [0x4c, 0x41, 0x4c, 0x4f, 0x43, 0x4b, 0, 1] }

  private var bytes = InlineArray<2048, UInt8>(repeating: 0)

  /// Nothing has been counted.
  public init() {
    let magic = Self.magic
    for index in 0..<8 { bytes[index] = magic[index] }
  }

  /// A record as it was read. Without bytes nothing has been counted; bytes that are none of ours lock the reader, and
  /// leave the passcode.
  public init(_ source: Span<UInt8>) {
    self.init()
    if source.isEmpty { return }
    let magic = Self.magic
    var isOurs = source.count == Self.size
    for index in 0..<8 where isOurs { isOurs = source[index] == magic[index] }
    guard isOurs else {
      bytes[8] = Self.readerTries
      return
    }
    for index in 0..<Self.size { bytes[index] = source[index] }
  }

  public func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result { try body(bytes.span) }

  // MARK: The reader

  /// Matches that failed in a row, with those that are running.
  public var failedMatches: UInt8 { min(bytes[8], Self.readerTries) }
  public var readerIsLocked: Bool { failedMatches >= Self.readerTries }

  /// Charges one match; false when the reader is locked.
  public mutating func chargeMatch() -> Bool {
    if readerIsLocked { return false }
    bytes[8] = failedMatches + 1
    return true
  }

  /// Gives one match back: nobody touched the reader.
  public mutating func refundMatch() {
    if failedMatches > 0 { bytes[8] = failedMatches - 1 }
  }

  /// A match, or a right passcode.
  public mutating func forgetMatches() { bytes[8] = 0 }

  // MARK: Passcodes

  /// The window of an origin: its number, seconds until a try, and how many there are until the next pause.
  public func look(_ origin: PasscodeOrigin, at now: Moment) -> (window: Int, seconds: Int64, triesLeft: UInt8) {
    let number = number(of: origin, at: now)
    let window = window(number, at: now)
    return (number, window.secondsLeft(at: now), window.triesLeft(at: now))
  }

  /// Seconds until this origin may try a passcode; 0 when it may.
  public func secondsLeft(_ origin: PasscodeOrigin, at now: Moment) -> Int64 { look(origin, at: now).seconds }

  /// Lets this boot's clock count a pause that began before it; true when that changed the record. Left as it was, a
  /// pause would never end under a clock that was set back.
  public mutating func rebase(_ origin: PasscodeOrigin, at now: Moment) -> Bool {
    let number = number(of: origin, at: now)
    let window = window(number, at: now)
    guard window.secondsLeft(at: now) > 0, window.last.boot != now.boot else { return false }
    let moved = PasscodeWindow(charged: window.charged, closings: window.closings, last: window.last.rebased(on: now))
    write(moved, for: origin, number)
    return true
  }

  public mutating func charge(_ origin: PasscodeOrigin, at now: Moment) -> ChargeResult {
    let number = number(of: origin, at: now)
    var window = window(number, at: now)
    let isCharged = window.charge(at: now)
    write(window, for: origin, number)
    return isCharged ? .charged(window: number) : .closed(window: number, seconds: window.secondsLeft(at: now))
  }

  /// Gives back what was charged to a window.
  public mutating func refund(window number: Int, at now: Moment) {
    guard (0..<Self.windows).contains(number) else { return }
    var window = window(number, at: now)
    window.refund()
    write(counts: window, number)
  }

  /// The passcode was right: this window's wrong ones are forgotten. Other origins keep theirs.
  public mutating func forget(window number: Int, at now: Moment) {
    guard (0..<Self.windows).contains(number) else { return }
    var window = window(number, at: now)
    window.forget()
    write(counts: window, number)
  }

  /// The window of an origin, or the one it would get: its own, an unused one, one that is forgotten, the shared one.
  private func number(of origin: PasscodeOrigin, at now: Moment) -> Int {
    var free: Int?
    for number in 0..<(Self.windows - 1) {
      if holds(number, origin) { return number }
      if free == nil, kind(number) == .unused || window(number, at: now).isForgotten(at: now) { free = number }
    }
    return free ?? Self.windows - 1
  }

  private func start(_ number: Int) -> Int { Self.header + number * Self.stride }

  private func kind(_ number: Int) -> Kind { Kind(rawValue: bytes[start(number)]) ?? .remote }

  private func holds(_ number: Int, _ origin: PasscodeOrigin) -> Bool {
    switch origin {
    case .user(let uid): kind(number) == .user && UInt32(truncatingIfNeeded: read(start(number) + 4, 4)) == uid
    case .remote: kind(number) == .remote
    }
  }

  private func window(_ number: Int, at now: Moment) -> PasscodeWindow {
    if kind(number) == .unused { return PasscodeWindow(last: now) }
    let start = start(number)
    let last = Moment(
      boot: read(start + 8, 8), uptime: Int64(bitPattern: read(start + 16, 8)),
      wall: Int64(bitPattern: read(start + 24, 8)))
    return PasscodeWindow(charged: bytes[start + 1], closings: bytes[start + 2], last: last)
  }

  private mutating func write(_ window: PasscodeWindow, for origin: PasscodeOrigin, _ number: Int) {
    let start = start(number)
    switch origin {
    case .user(let uid):
      bytes[start] = Kind.user.rawValue
      put(UInt64(uid), start + 4, 4)
    case .remote:
      bytes[start] = Kind.remote.rawValue
      put(0, start + 4, 4)
    }
    write(counts: window, number)
    put(window.last.boot, start + 8, 8)
    put(UInt64(bitPattern: window.last.uptime), start + 16, 8)
    put(UInt64(bitPattern: window.last.wall), start + 24, 8)
  }

  private mutating func write(counts window: PasscodeWindow, _ number: Int) {
    bytes[start(number) + 1] = window.charged
    bytes[start(number) + 2] = window.closings
  }

  private func read(_ start: Int, _ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[start + index]) << UInt64(8 * index) }
    return value
  }

  private mutating func put(_ value: UInt64, _ start: Int, _ count: Int) {
    for index in 0..<count { bytes[start + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index)) }
  }
}
