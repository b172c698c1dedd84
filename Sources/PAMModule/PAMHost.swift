import CPAM
import CPlatform
import SecretBytes

/// The host's transaction with libpam: items, users, the log. The handle is libpam's, and outlives the call.
@safe struct PAMHost {
  private let handle: OpaquePointer

  /// `handle` is the one that libpam hands to a module, and is used during that call only.
  @unsafe init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  /// A text item; empty when it is not set.
  func text(_ item: CInt) -> MessageText {
    var text = MessageText()
    var value: UnsafeRawPointer?
    // SAFETY: the text items are C strings of libpam's; copied before anything could change them.
    guard unsafe pam_get_item(handle, item, &value) == PAM_SUCCESS, let value = unsafe value else { return text }
    unsafe text.append(cString: value.assumingMemoryBound(to: CChar.self))
    return text
  }

  /// PAM_USER, asked for where the host has not set it; nil when there is none.
  func user() -> MessageText? {
    var name: UnsafePointer<CChar>?
    // SAFETY: libpam's own string, copied at once.
    guard unsafe pam_get_user(handle, &name, nil) == PAM_SUCCESS, unsafe name != nil else { return nil }
    var text = MessageText()
    unsafe text.append(cString: name)
    if text.isCut { return nil }
    return text
  }

  /// The uid of a user; nil when there is no such user.
  func userID(of name: borrowing MessageText) -> uid_t? {
    // SAFETY: pam_modutil's entry belongs to the handle, and only its number is taken.
    let found: uid_t?? = unsafe name.withCString { name in
      guard let entry = unsafe pam_modutil_getpwnam(handle, name) else { return nil }
      return unsafe entry.pointee.pw_uid
    }
    return found ?? nil
  }

  /// PAM_CONV as it is now; nil when there is no function.
  func conversation() -> Conversation? {
    var value: UnsafeRawPointer?
    // SAFETY: the item is libpam's own copy of a `struct pam_conv`.
    guard unsafe pam_get_item(handle, PAM_CONV, &value) == PAM_SUCCESS, let value = unsafe value else { return nil }
    return unsafe Conversation(value.load(as: pam_conv.self))
  }

  var hasPasscode: Bool {
    var value: UnsafeRawPointer?
    // SAFETY: only its presence is looked at.
    return unsafe pam_get_item(handle, PAM_AUTHTOK, &value) == PAM_SUCCESS && value != nil
  }

  /// PAM_AUTHTOK; nil when it is not set, or there is no place to put it.
  func passcode() -> SecretBytes? {
    guard var secret = SecretBytes() else { return nil }
    var value: UnsafeRawPointer?
    // SAFETY: a C string of libpam's, read up to its NUL or the bound of a passcode.
    guard unsafe pam_get_item(handle, PAM_AUTHTOK, &value) == PAM_SUCCESS, let value = unsafe value else { return nil }
    let count = unsafe strnlen(value.assumingMemoryBound(to: CChar.self), SecretBytes.most &+ 1)
    let bytes = unsafe UnsafeRawBufferPointer(start: value, count: count).bindMemory(to: UInt8.self)
    unsafe secret.append(contentsOf: bytes.span)
    return secret
  }

  /// Hands a passcode to the modules after ours; libpam copies it, and wipes its copy.
  func setPasscode(_ secret: borrowing SecretBytes) -> Bool {
    // SAFETY: libpam copies the C string before it returns.
    unsafe secret.withCString { unsafe pam_set_item(handle, PAM_AUTHTOK, $0) } == PAM_SUCCESS
  }

  /// Asks libpam for a pause of two seconds, should the stack fail: pam_fail_delay(3).
  func delayFailure() {
    // SAFETY: only the handle is passed.
    _ = unsafe pam_fail_delay(handle, 2_000_000)
  }

  func log(_ priority: CInt, _ line: borrowing MessageText) {
    // SAFETY: the shim formats the text as "%s" and keeps no pointer.
    _ = unsafe line.withCString { unsafe localauth_pam_syslog(handle, priority, $0) }
  }
}
