import AuthenticationCore
import CPAM

// The six functions of <security/pam_modules.h>, and the only ones the module exports.

@c @implementation
public func pam_sm_authenticate(
  _ pamh: OpaquePointer!, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>!
) -> CInt {
  // SAFETY: libpam's handle and arguments, which live as long as this call: pam_sm_authenticate(3).
  guard let pamh = unsafe pamh else { return PAMCode.authinfoUnavail.rawValue }
  let host = unsafe PAMHost(pamh)
  let arguments = unsafe Arguments(count: argc, values: argv)
  return authenticate(host, flags: flags, arguments: arguments).rawValue
}

/// Nothing to set: the verdict is all we give. The helper is told of a passcode that the host's stack found right.
@c @implementation
public func pam_sm_setcred(
  _ pamh: OpaquePointer!, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>!
) -> CInt {
  // SAFETY: libpam's handle, as above.
  if let pamh = unsafe pamh { confirmPasscode(unsafe PAMHost(pamh), flags: flags) }
  return PAM_SUCCESS
}

@c @implementation
public func pam_sm_acct_mgmt(
  _ pamh: OpaquePointer!, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>!
) -> CInt { PAM_IGNORE }

@c @implementation
public func pam_sm_open_session(
  _ pamh: OpaquePointer!, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>!
) -> CInt { PAM_IGNORE }

@c @implementation
public func pam_sm_close_session(
  _ pamh: OpaquePointer!, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>!
) -> CInt { PAM_IGNORE }

@c @implementation
public func pam_sm_chauthtok(
  _ pamh: OpaquePointer!, _ flags: CInt, _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafePointer<CChar>?>!
) -> CInt { PAM_IGNORE }
