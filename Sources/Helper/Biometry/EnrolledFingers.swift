import AuthenticationCore
import CPlatform
import SystemInterface

/// The prints that fprintd stores for a user, as they are now.
struct EnrolledFingers: ~Copyable {
  private var bytes = InlineArray<8192, UInt8>(repeating: 0)
  private var count = 0

  private static var confirmed: StaticString { "enrolment" }

  /// nil when they cannot be told: another place of storage, a link, more than anybody has.
  init?(of user: FixedText) {
    var span = bytes.mutableSpan
    // SAFETY: the shim writes at most the span's bytes, and reads the name.
    let count = unsafe span.withUnsafeMutableBytes { buffer -> Int in
      guard let base = buffer.baseAddress else { return -1 }
      return unsafe user.withCString {
        unsafe localauth_list_prints($0, base.assumingMemoryBound(to: CChar.self), EnrolledList.most)
      } ?? -1
    }
    guard count >= 0, count <= EnrolledList.most else { return nil }
    self.count = count
  }

  /// The fingers that the passcode of this user was last right with.
  private init?(confirmedOf uid: UInt32) {
    let folder = localauth_state_folder(uid, 0)
    guard folder >= 0 else { return nil }
    defer { _ = close(folder) }
    // SAFETY: the shim only reads the name.
    let file = unsafe Self.confirmed.withCString { unsafe localauth_state_file(folder, $0, O_RDONLY) }
    guard file >= 0 else { return nil }
    defer { _ = close(file) }
    var span = bytes.mutableSpan
    // SAFETY: read(2) writes at most the span's bytes. A longer file is cut, and equals no list.
    count = unsafe span.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    if count < 0 { return nil }
  }

  var isEmpty: Bool { count == 0 }

  private func compare<Result>(_ other: borrowing EnrolledFingers, _ body: (Span<UInt8>, Span<UInt8>) -> Result)
    -> Result
  { body(bytes.span.extracting(first: count), other.bytes.span.extracting(first: other.count)) }

  func state(of uid: UInt32) -> EnrolmentState {
    guard let confirmed = EnrolledFingers(confirmedOf: uid) else { return isEmpty ? .none : .changed }
    return compare(confirmed) { EnrolledList.state(now: $0, confirmed: $1) }
  }

  func equals(_ other: borrowing EnrolledFingers) -> Bool {
    compare(other) { EnrolledList.state(now: $0, confirmed: $1) == .confirmed }
  }

  func haveSameFingers(as other: borrowing EnrolledFingers) -> Bool {
    compare(other) { EnrolledList.haveSameFingers($0, $1) }
  }

  /// Writes down that these are the owner's: the passcode was right, or root says so. False when that failed; then
  /// the passcode comes first again.
  func confirm(for uid: UInt32) -> Bool {
    switch LockoutFile.open(uid, make: true) {
    case .file(let lock): return write(for: uid, under: lock)
    default: return false
    }
  }

  /// One writer at a time: the lock is held until this returns.
  private func write(for uid: UInt32, under lock: borrowing LockoutFile) -> Bool {
    let folder = localauth_state_folder(uid, 1)
    guard folder >= 0 else { return false }
    defer { _ = close(folder) }
    // SAFETY: the shim reads the names and the list.
    let answer = unsafe bytes.span.extracting(first: count).withUnsafeBytes { bytes in
      unsafe Self.confirmed.withCString { name in
        unsafe ("enrolment.new" as StaticString).withCString {
          unsafe localauth_replace_file(folder, name, $0, bytes.baseAddress, bytes.count)
        }
      }
    }
    return answer == 0
  }
}
