private import Foundation

/// Why a transaction could not be set up.
public enum PAMHarnessError: Error, Equatable, Sendable {
  /// libpam lower-cases service names, so that a file with capitals is never found.
  case badServiceName(String)
  /// The private folder, and the reason.
  case cannotWrite(String)
}

/// A private folder for pam_start_confdir(3), gone when it goes.
///
/// It holds an `other` that denies everything, so that a service that is missing never becomes the machine's own.
/// A relative `@include` still finds /etc/pam.d: that is libpam's.
struct ServiceFolder: ~Copyable {
  let path: String

  init(service: String, stack: String) throws(PAMHarnessError) {
    path = NSTemporaryDirectory() + "pamharness-" + UUID().uuidString
    let denies = ["auth", "account", "password", "session"].map { "\($0) required pam_deny.so\n" }.joined()
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
      for (name, text) in [("other", denies), (service, stack)] {
        try (text + "\n").write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
      }
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw .cannotWrite("\(path): \(error)")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
