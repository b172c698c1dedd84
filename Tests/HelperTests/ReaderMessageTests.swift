import AuthenticationCore
import Testing

@testable import Helper

struct ReaderMessageTests {
  static let all: [ReaderMessage] =
    ScanType.allCases.map { .ready($0) } + Hint.allCases.map { .hint($0) } + [.didNotMatch, .matched]
    + ReaderFault.allCases.flatMap { [.unavailable($0), .lost($0)] }

  @Test(arguments: all) func `every message survives its two bytes`(message: ReaderMessage) {
    let (kind, value) = message.bytes
    #expect(ReaderMessage(kind, value) == message)
  }

  @Test func `of all pairs of bytes only the messages' own are messages, and one alone is a match`() {
    var known = 0
    var matches = 0
    for kind in UInt8.min...UInt8.max {
      for value in UInt8.min...UInt8.max {
        guard let message = ReaderMessage(kind, value) else { continue }
        known += 1
        if message == .matched { matches += 1 }
      }
    }
    #expect(known == Self.all.count)
    #expect(matches == 1)
  }

  @Test(arguments: ReaderFault.allCases) func `no fault is a success, and each says what to do`(fault: ReaderFault) {
    #expect(fault.outcome != .success)
    #expect(fault.detail.utf8CodeUnitCount > 5)
  }

  @Test func `nobody enrolled has its own outcome`() {
    #expect(ReaderFault.notEnrolled.outcome == .biometryNotEnrolled)
    #expect(ReaderFault.busy.outcome == .biometryNotAvailable)
  }
}
