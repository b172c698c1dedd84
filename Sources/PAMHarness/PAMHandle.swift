internal import CPAM
private import Glibc

/// A `pam_handle_t`; ended when it goes, with the code of its last call: pam_end(3).
@safe struct PAMHandle: ~Copyable {
  private let handle: OpaquePointer
  private var last = PAMResult.success

  /// Starts a transaction; nil when libpam does not, which is a problem of the run. The conversation has to outlive
  /// the handle: libpam gets it unretained.
  init?(_ transaction: PAMTransaction, folder: String, _ conversation: ScriptedConversation) {
    var handle: OpaquePointer?
    // SAFETY: libpam copies the strings and the structure; the context is alive by the contract above.
    var functions = unsafe pam_conv(
      conv: transaction.hasConversation ? ScriptedConversation.function : nil,
      appdata_ptr: Unmanaged.passUnretained(conversation).toOpaque())
    let code = unsafe pam_start_confdir(transaction.service, transaction.user, &functions, folder, &handle)
    guard code == PAM_SUCCESS, let handle = unsafe handle else {
      conversation.complain("pam_start returned \(PAMResult(rawValue: code))")
      return nil
    }
    unsafe self.handle = handle
    for (item, value) in transaction.items.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let code = unsafe PAMResult(rawValue: pam_set_item(handle, item.rawValue, value))
      if code != .success { conversation.complain("pam_set_item of \(item) returned \(code)") }
    }
    for entry in transaction.environment {
      let code = unsafe PAMResult(rawValue: pam_putenv(handle, entry))
      if code != .success { conversation.complain("pam_putenv of \(entry) returned \(code)") }
    }
    if !transaction.waitsForDelays {
      // pam_set_item(3) wants this function pointer as a `const void *`.
      let function = unsafe unsafeBitCast(ScriptedConversation.delayFunction, to: UnsafeRawPointer.self)
      _ = unsafe pam_set_item(handle, PAM_FAIL_DELAY, function)
    }
  }

  deinit {
    // SAFETY: the handle came from pam_start and is used no more.
    _ = unsafe pam_end(handle, last.rawValue)
  }

  /// Makes one call, and keeps its code for pam_end(3).
  mutating func make(_ call: PAMCall) -> PAMResult {
    let flags = call.flags.rawValue
    // SAFETY: the handle is live.
    let code =
      switch call.facility {
      case .authenticate: unsafe pam_authenticate(handle, flags)
      case .setCredentials: unsafe pam_setcred(handle, flags)
      case .accountManagement: unsafe pam_acct_mgmt(handle, flags)
      case .openSession: unsafe pam_open_session(handle, flags)
      case .closeSession: unsafe pam_close_session(handle, flags)
      case .changeAuthToken: unsafe pam_chauthtok(handle, flags)
      }
    last = PAMResult(rawValue: code)
    return last
  }

  /// PAM_USER
  var user: String? {
    var item: UnsafeRawPointer?
    // SAFETY: PAM_USER is a C string of libpam's, copied at once.
    guard unsafe pam_get_item(handle, PAM_USER, &item) == PAM_SUCCESS else { return nil }
    return unsafe item.map { unsafe String(cString: $0.assumingMemoryBound(to: CChar.self)) }
  }

  /// The PAM environment, `NAME=value` each.
  var environment: [String] {
    // SAFETY: a NULL-ended array of C strings that are ours to free.
    guard let list = unsafe pam_getenvlist(handle) else { return [] }
    var entries: [String] = []
    var next = unsafe list
    while let entry = unsafe next.pointee {
      entries.append(unsafe String(cString: entry))
      unsafe free(entry)
      unsafe next += 1
    }
    unsafe free(list)
    return entries
  }
}
