import AuthenticationCore
import CPAM
import HelperProtocol
import SystemInterface
import Testing

@testable import PAMModule

@Test func `the core's codes are libpam's`() {
  let constants: [PAMCode: CInt] = [
    .success: PAM_SUCCESS, .authErr: PAM_AUTH_ERR, .credInsufficient: PAM_CRED_INSUFFICIENT,
    .authinfoUnavail: PAM_AUTHINFO_UNAVAIL, .userUnknown: PAM_USER_UNKNOWN, .maxTries: PAM_MAXTRIES,
  ]
  for code in PAMCode.allCases { #expect(constants[code] == code.rawValue) }
}

@Test func `the byte of a success is the same in core and protocol`() {
  #expect(Outcome.success.rawValue == Verdict.success)
}

@Test func `a policy is met by its own factors only`() {
  #expect(Policy.allCases.filter { $0.admits(.passcode) } == [.owner])
  #expect(Policy.allCases.filter { $0.admits(.biometry) } == [.biometrics, .owner, .biometricsOrCompanion])
  #expect(Policy.allCases.filter { $0.admits(.none) } == [])
}

@Test func `every fault of a channel is a fault without a verdict`() {
  #expect(Fault(.closed) == .noVerdict)
  #expect(Fault(.malformed(.cutOff)) == .noVerdict)
  #expect(Fault(.slow) == .silent)
  for failure in ProtocolFailure.allCases where failure != .cutOff {
    #expect(Fault(.malformed(failure)) == .malformed(failure))
  }
}
