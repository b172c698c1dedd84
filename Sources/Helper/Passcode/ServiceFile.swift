import CPlatform
import SystemInterface

/// Where the passcode's PAM service is.
///
/// pam_start_confdir(3) is given a folder of ours that holds `localauth-passcode`, a link to the administrator's file,
/// and an `other` that denies: so a service file that is missing, or that once cannot be opened, never becomes
/// /etc/pam.d/other.
enum ServiceFile {
  static var folder: StaticString { "/usr/share/localauth/pam.d" }
  static var name: StaticString { "localauth-passcode" }

  /// Whether root wrote the service, and nobody else can.
  static func isTrusted() -> Bool {
    let path: StaticString = "/usr/share/localauth/pam.d/localauth-passcode"
    let other: StaticString = "/usr/share/localauth/pam.d/other"
    return isTrusted(path) && isTrusted(other)
  }

  private static func isTrusted(_ path: StaticString) -> Bool {
    // SAFETY: stat(2) only reads the path.
    unsafe path.withCString { unsafe localauth_is_trusted_file($0) == 1 }
  }
}
