import CPlatform
import SystemInterface
import Testing

@Suite struct `An error of the kernel` {
  @Test(arguments: [0, 1, 3, CInt.max]) func `is no answer of zero or more`(answer: CInt) throws {
    #expect(try SystemError.check(answer) == answer)
  }

  @Test(arguments: [EPERM, ENOENT, EINTR, EAGAIN, ECONNREFUSED, 4_095])
  func `is kept as it is`(code: CInt) {
    #expect(throws: SystemError(code: code)) { try SystemError.check(-code) }
  }

  @Test func `leads to another road only where nobody listens`() {
    for code in CInt(0)...133 {
      #expect(SystemError(code: code).meansNobodyListens == (code == ENOENT || code == ECONNREFUSED), "\(code)")
    }
  }

  @Test func `means try again only where the call may be repeated`() {
    for code in CInt(0)...133 {
      #expect(SystemError(code: code).meansTryAgain == (code == EAGAIN || code == EINTR), "\(code)")
    }
  }
}
