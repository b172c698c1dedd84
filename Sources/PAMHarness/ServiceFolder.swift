private import Glibc

/// A private folder for pam_start_confdir(3), gone when it goes.
///
/// What files it holds decides which stacks libpam can find by the service's name; only root and its maker can read it.
struct ServiceFolder: ~Copyable {
  let path: String
  private var files: [String] = []

  init() throws(PAMHarnessError) {
    // SAFETY: getenv(3) and mkdtemp(3) work on C strings that outlive the calls; the result is copied at once.
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array((parent + "/pamharness-XXXXXX").utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else { return nil }
      return unsafe String(cString: made)
    }
    guard let made else { throw .cannotWrite(Self.reason(parent)) }
    path = made
  }

  /// Writes one file. A name that is there already is refused.
  mutating func write(_ name: String, _ text: String) throws(PAMHarnessError) {
    let target = path + "/" + name
    let bytes = Array((text + "\n").utf8)
    // SAFETY: the stream is opened, used and closed here.
    guard let stream = unsafe fopen(target, "wxe") else { throw .cannotWrite(Self.reason(target)) }
    files.append(name)
    let written = unsafe fwrite(bytes, 1, bytes.count, stream)
    guard unsafe fclose(stream) == 0, written == bytes.count else { throw .cannotWrite(Self.reason(target)) }
  }

  deinit {
    // SAFETY: the C strings outlive the calls.
    for name in files { _ = unsafe unlink(path + "/" + name) }
    _ = unsafe rmdir(path)
  }

  private static func reason(_ path: String) -> String {
    // SAFETY: strerror(3) returns a C string, copied at once.
    unsafe "\(path): " + String(cString: strerror(errno))
  }
}
