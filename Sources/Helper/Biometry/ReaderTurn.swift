import CPlatform
import SystemInterface

/// The right to use the readers of this machine, which one request has at a time: a second prompt must not take the
/// touch that was meant for the first, CVE-2024-37408.
///
/// A lock on a file in /run that ends with the process that holds it, however it ends.
struct ReaderTurn: ~Copyable {
  private let file: Descriptor

  private init(_ file: consuming Descriptor) { self.file = file }

  enum Taken: ~Copyable {
    case turn(ReaderTurn)
    case taken
    /// /run/localauth cannot be used.
    case unusable
  }

  /// Never waits.
  static func take() -> Taken {
    // SAFETY: the shims only read the names.
    let folder = unsafe ("/run/localauth" as StaticString).withCString { unsafe localauth_trusted_folder($0, 0o755) }
    guard folder >= 0 else { return .unusable }
    defer { _ = close(folder) }
    let raw = unsafe ("reader.lock" as StaticString).withCString {
      unsafe localauth_state_file(folder, $0, O_RDWR | O_CREAT)
    }
    guard raw >= 0 else { return .unusable }
    let file = Descriptor(owning: raw)
    return localauth_lock(file.raw, 0) == 0 ? .turn(ReaderTurn(file)) : .taken
  }
}
