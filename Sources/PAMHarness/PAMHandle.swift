internal import CPAM
private import Glibc

/// A `pam_handle_t`; ended when it goes, with the code of its last call: pam_end(3).
@safe struct PAMHandle: ~Copyable {
  private let handle: OpaquePointer
  private var last = PAMResult.success

  /// Starts the transaction; nil when libpam does not, which is a problem of the run.
  init?(_ transaction: PAMTransaction, folder: String, _ conversation: ScriptedConversation) {
    var handle: OpaquePointer?
    // SAFETY: libpam copies the strings and the structure; the conversation outlives this handle, as its owner, the
    // running transaction, does.
    var functions = unsafe pam_conv(
      conv: transaction.hasConversation ? ScriptedConversation.function : nil,
      appdata_ptr: Unmanaged.passUnretained(conversation).toOpaque())
    let code = unsafe pam_start_confdir(transaction.service, transaction.user, &functions, folder, &handle)
    guard code == 0, let handle = unsafe handle else {
      conversation.complain("pam_start returned \(PAMResult(rawValue: code))")
      return nil
    }
    unsafe self.handle = handle
    for (item, value) in transaction.items where unsafe pam_set_item(handle, item.rawValue, value) != 0 {
      conversation.complain("pam_set_item refused \(item)")
    }
    for entry in transaction.environment where unsafe pam_putenv(handle, entry) != 0 {
      conversation.complain("pam_putenv refused \(entry)")
    }
    if !transaction.waitsForDelays { unsafe recordDelays() }
  }

  deinit {
    // SAFETY: the handle came from pam_start and is used no more.
    _ = unsafe pam_end(handle, last.rawValue)
  }

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

  var user: String? {
    var item: UnsafeRawPointer?
    // SAFETY: PAM_USER is a C string of libpam's, copied at once.
    guard unsafe pam_get_item(handle, PAM_USER, &item) == 0 else { return nil }
    return unsafe item.map { unsafe String(cString: $0.assumingMemoryBound(to: CChar.self)) }
  }

  var environment: [String] {
    // SAFETY: a NULL-ended array of C strings that are ours to free.
    guard let list = unsafe pam_getenvlist(handle) else { return [] }
    var entries: [String] = []
    var index = 0
    while let entry = unsafe list[index] {
      entries.append(unsafe String(cString: entry))
      unsafe free(entry)
      index += 1
    }
    unsafe free(list)
    return entries
  }

  /// Delays are told to the conversation and not waited for: PAM_FAIL_DELAY gets its application data.
  @unsafe private func recordDelays() {
    let function: @convention(c) (Int32, UInt32, UnsafeMutableRawPointer?) -> Void = { code, microseconds, context in
      guard code != 0, let context = unsafe context else { return }
      // SAFETY: the context is the conversation that `init` gave to libpam.
      let conversation = unsafe Unmanaged<ScriptedConversation>.fromOpaque(context).takeUnretainedValue()
      conversation.delay(.microseconds(Int64(microseconds)))
    }
    // SAFETY: pam_set_item(3) wants this function pointer as a `const void *`.
    _ = unsafe pam_set_item(handle, PAM_FAIL_DELAY, unsafeBitCast(function, to: UnsafeRawPointer.self))
  }
}
