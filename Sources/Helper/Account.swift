import AuthenticationCore
import CPlatform

/// The user whose presence is asked for.
struct Account {
  let name: FixedText
  /// nil when there is no such user; everything goes on as if there were, up to the refusal.
  let uid: UInt32?
  let passcode: PasscodeState

  /// Whether there is anything that could open a locked reader.
  var hasPasscode: Bool { passcode == .set || passcode == .unknownUser }

  /// The account of a uid; nil unless the name it has leads back to the same uid.
  init?(uid: UInt32) {
    // SAFETY: getpwuid(3) returns static storage or NULL; it is copied before the next look-up. One thread.
    guard let entry = unsafe getpwuid(uid), let name = unsafe FixedText(unsafe entry.pointee.pw_name) else {
      return nil
    }
    guard Self.uid(of: name) == uid else { return nil }
    self.name = name
    self.uid = uid
    passcode = Self.passcodeState(of: name)
  }

  /// The account of a name, as root asks for it.
  init(name: FixedText) {
    self.name = name
    uid = Self.uid(of: name)
    passcode = uid == nil ? .unknownUser : Self.passcodeState(of: name)
  }

  /// The name of a uid; empty when it has none.
  static func name(of uid: UInt32) -> FixedText {
    // SAFETY: as above.
    guard let entry = unsafe getpwuid(uid) else { return FixedText() }
    return unsafe FixedText(unsafe entry.pointee.pw_name) ?? FixedText()
  }

  /// passwd(5) through the name service switch.
  static func uid(of name: FixedText) -> UInt32? {
    // SAFETY: as above; the returned name must be the one that was asked for, so that an alias is nobody.
    let uid: UInt32?? = unsafe name.withCString { text in
      guard let entry = unsafe getpwnam(text), let found = unsafe FixedText(unsafe entry.pointee.pw_name),
        found.equals(name), unsafe entry.pointee.pw_uid != UInt32.max
      else { return nil }
      return unsafe entry.pointee.pw_uid
    }
    return uid ?? nil
  }

  /// shadow(5). Without an entry the passcode lives in a directory, and counts as set.
  private static func passcodeState(of name: FixedText) -> PasscodeState {
    // SAFETY: getspnam(3) returns static storage or NULL; only the first 13 characters matter.
    let state: PasscodeState? = unsafe name.withCString { text in
      guard let entry = unsafe getspnam(text), let field = unsafe entry.pointee.sp_pwdp else { return .set }
      let count = unsafe strnlen(field, 13)
      return unsafe field.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
        PasscodeState(shadowField: unsafe Span(_unsafeStart: bytes, count: count))
      }
    }
    return state ?? .set
  }
}
