import CPAM
import CPlatform
import SecretBytes
import SystemInterface

/// A passcode that the host's own stack was to verify.
struct Kept: ~Copyable {
  let user: MessageText
  let passcode: SecretBytes
}

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

  /// Keeps a user's passcode until the host sets credentials, calls again or ends: pam_set_data(3), which wipes it.
  func keep(_ secret: consuming SecretBytes, of user: borrowing MessageText) {
    let page = unsafe secret.keep()
    user.withBytes { unsafe SecretBytes.put(name: $0, kept: page) }
    // SAFETY: libpam copies the name, and hands the page to `releaseKept` once.
    let code = unsafe Self.kept.withCString { unsafe pam_set_data(handle, $0, page, releaseKept) }
    if code != PAM_SUCCESS { unsafe SecretBytes.release(kept: page) }
  }

  /// Takes back what was kept, and whose it is: by now PAM_USER may be somebody else, as sudo's target is.
  func takeKept() -> Kept? {
    var data: UnsafeRawPointer?
    // SAFETY: what is stored under this name is a page of ours; it is copied before it is dropped.
    let code = unsafe Self.kept.withCString { unsafe pam_get_data(handle, $0, &data) }
    guard code == PAM_SUCCESS, let page = unsafe data else { return nil }
    let kept = unsafe UnsafeMutableRawPointer(mutating: page)
    var user = MessageText()
    unsafe user.append(cString: SecretBytes.name(kept: kept))
    let secret = unsafe SecretBytes(copying: kept)
    _ = unsafe Self.kept.withCString { unsafe pam_set_data(handle, $0, nil, nil) }
    guard let secret else { return nil }
    return Kept(user: user, passcode: secret)
  }

  private static var kept: StaticString { "localauth_passcode" }

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

/// libpam's word that the kept passcode is not needed any more: replaced, taken, or the transaction has ended.
private func releaseKept(_: OpaquePointer?, _ page: UnsafeMutableRawPointer?, _: CInt) {
  // SAFETY: the page that `keep` stored; NULL is what `takeKept` left.
  guard let page = unsafe page else { return }
  unsafe SecretBytes.release(kept: page)
}
