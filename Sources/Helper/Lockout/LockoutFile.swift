import AuthenticationCore
import CPlatform
import SystemInterface

/// /var/lib/localauth/UID/lockout, locked as long as this is open.
///
/// The file keeps its size and is written in place, in one go of less than a page: a kill leaves the old record or
/// the new one, and a full disk takes nothing away. Without a file nothing has been counted.
struct LockoutFile: ~Copyable {
  private let file: Descriptor

  private init(_ file: consuming Descriptor) { self.file = file }

  private static var name: StaticString { "lockout" }
  /// Others hold it for as long as one write to memory takes, and sixty-four may wait.
  private static var patience: CInt { 3_000 }

  enum Opened: ~Copyable {
    case file(LockoutFile)
    /// Nothing has been counted yet.
    case missing
    /// It cannot be read or not be written: /var/lib is full or read-only, or somebody changed what is there.
    case unusable
    /// Others held it all the time.
    case busy
  }

  /// With `make` it is made where it is missing.
  static func open(_ uid: UInt32, make: Bool) -> Opened {
    let folder = localauth_state_folder(uid, make ? 1 : 0)
    guard folder >= 0 else { return folder == 0 &- ENOENT ? .missing : .unusable }
    defer { _ = close(folder) }
    // SAFETY: the shim only reads the name.
    let raw = unsafe name.withCString { unsafe localauth_state_file(folder, $0, O_RDWR | (make ? O_CREAT : 0)) }
    guard raw >= 0 else { return raw == 0 &- ENOENT ? .missing : .unusable }
    let file = Descriptor(owning: raw)
    let locked = localauth_lock(file.raw, patience)
    guard locked == 0 else { return locked == 0 &- EWOULDBLOCK ? .busy : .unusable }
    return .file(LockoutFile(file))
  }

  func read() -> LockoutRecord {
    var bytes = InlineArray<2049, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    // SAFETY: pread(2) writes at most the span's bytes. One byte more than a record shows that it is none.
    let count = unsafe span.withUnsafeMutableBytes { unsafe pread(file.raw, $0.baseAddress, $0.count, 0) }
    // Fail closed: what cannot be read is a record of nobody's.
    guard count >= 0 else { return LockoutRecord(bytes.span) }
    return LockoutRecord(bytes.span.extracting(first: count))
  }

  /// Writes the record; others see it from now on, and `sync` puts it on the disk.
  func write(_ record: LockoutRecord) -> Bool {
    let count = record.withBytes { bytes in
      // SAFETY: pwrite(2) reads the span's bytes.
      unsafe bytes.withUnsafeBytes { unsafe pwrite(file.raw, $0.baseAddress, $0.count, 0) }
    }
    guard count == LockoutRecord.size else { return false }
    // Whatever was longer there is none of ours.
    return ftruncate(file.raw, off_t(LockoutRecord.size)) == 0
  }

  /// Gives the lock back, and waits for the disk. What was charged is charged whatever happens from here on.
  consuming func sync() -> Bool {
    _ = localauth_unlock(file.raw)
    return fdatasync(file.raw) == 0
  }

  /// Whether tries of this window run in other processes now.
  func isRunning(window number: Int) -> Bool { localauth_is_running(file.raw, CUnsignedInt(number)) == 1 }

  /// Shows, as long as the answer is open, that a try of this window runs; gives the lock back, and waits for the
  /// disk. nil when the charge is not on it.
  consuming func markRunning(window number: Int) -> Descriptor? {
    let isMarked = localauth_mark_running(file.raw, CUnsignedInt(number)) == 0
    _ = localauth_unlock(file.raw)
    guard isMarked, fdatasync(file.raw) == 0 else { return nil }
    return file
  }
}
