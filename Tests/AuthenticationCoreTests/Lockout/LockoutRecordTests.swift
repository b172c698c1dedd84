import AuthenticationCore
import Testing

struct LockoutRecordTests {
  private let now = Moment(boot: 7, uptime: 50, wall: 1_800_000_000)

  private func copy(_ record: LockoutRecord) -> LockoutRecord { record.withBytes { LockoutRecord($0) } }

  private func chargesMatch(_ record: inout LockoutRecord) -> Bool { record.chargeMatch() }
  private func rebases(_ record: inout LockoutRecord, _ origin: PasscodeOrigin, _ now: Moment) -> Bool {
    record.rebase(origin, at: now)
  }
  private func charge(_ record: inout LockoutRecord, _ origin: PasscodeOrigin, _ now: Moment) -> ChargeResult {
    record.charge(origin, at: now)
  }

  /// Charges five wrong passcodes, writing the record down after each.
  private func close(_ record: inout LockoutRecord, _ origin: PasscodeOrigin) {
    for _ in 1...5 {
      guard case .charged = record.charge(origin, at: now) else {
        Issue.record("closed too early")
        return
      }
      record = copy(record)
    }
  }

  // MARK: The reader

  @Test func `Five matches in a row may fail and then the reader is locked`() {
    var record = LockoutRecord()
    for failed in 0..<5 {
      #expect(record.failedMatches == failed)
      #expect(!record.readerIsLocked)
      #expect(chargesMatch(&record))
      record = copy(record)
    }
    #expect(record.readerIsLocked)
    #expect(!chargesMatch(&record))
  }

  @Test func `A match that nobody made is given back`() {
    var record = LockoutRecord()
    #expect(chargesMatch(&record))
    record.refundMatch()
    record.refundMatch()
    #expect(copy(record).failedMatches == 0)
  }

  @Test func `A match or a passcode opens the reader`() {
    var record = LockoutRecord()
    while record.chargeMatch() {}
    record.forgetMatches()
    #expect(!copy(record).readerIsLocked)
  }

  // MARK: Passcodes

  @Test func `A closed window is the affair of its origin alone`() {
    var record = LockoutRecord()
    close(&record, .user(2006))
    #expect(record.secondsLeft(.user(2006), at: now) == 30)
    for origin in [PasscodeOrigin.user(2001), .user(0), .user(UInt32.max), .remote] {
      #expect(record.secondsLeft(origin, at: now) == 0)
      guard case .charged(let window) = record.charge(origin, at: now) else {
        Issue.record("\(origin) was shut out")
        continue
      }
      record.refund(window: window, at: now)
    }
    #expect(charge(&record, .user(2006), now) == .closed(window: 0, seconds: 30))
  }

  @Test func `A right passcode forgets the wrong ones of its own origin`() {
    var record = LockoutRecord()
    close(&record, .remote)
    for _ in 1...4 { _ = record.charge(.user(1), at: now) }
    guard case .charged(let window) = record.charge(.user(1), at: now) else { return #expect(Bool(false)) }
    record.forget(window: window, at: now)
    #expect(record.secondsLeft(.user(1), at: now) == 0)
    #expect(record.secondsLeft(.remote, at: now) == 30)
  }

  @Test func `More origins than there are windows share the last one`() {
    var record = LockoutRecord()
    for uid in 1...62 as ClosedRange<UInt32> { close(&record, .user(uid)) }
    #expect(record.secondsLeft(.user(100), at: now) == 0)
    close(&record, .user(100))
    #expect(record.secondsLeft(.user(200), at: now) == 30)
    #expect(charge(&record, .user(200), now) == .closed(window: 62, seconds: 30))
    // After a day there is room again.
    let tomorrow = Moment(boot: 7, uptime: 50 + 86_400, wall: 0)
    #expect(charge(&record, .user(200), tomorrow) == .charged(window: 0))
  }

  @Test func `A pause from before a restart is counted by the new boot once it was looked at`() {
    var record = LockoutRecord()
    close(&record, .remote)
    let restarted = Moment(boot: 8, uptime: 2, wall: 0)
    #expect(rebases(&record, .remote, restarted))
    record = copy(record)
    #expect(!rebases(&record, .remote, restarted))
    #expect(record.secondsLeft(.remote, at: Moment(boot: 8, uptime: 31, wall: 0)) == 1)
    #expect(record.secondsLeft(.remote, at: Moment(boot: 8, uptime: 32, wall: 0)) == 0)
  }

  @Test(arguments: [-1, 63, Int.max, Int.min])
  func `A window that there is not is none`(window: Int) {
    var record = LockoutRecord()
    record.refund(window: window, at: now)
    record.forget(window: window, at: now)
    #expect(record.withBytes { bytes in (32..<2048).allSatisfy { bytes[$0] == 0 } })
  }

  // MARK: Bytes

  @Test func `Without bytes nothing has been counted`() {
    let bytes: [UInt8] = []
    let record = LockoutRecord(bytes.span)
    #expect(record.failedMatches == 0)
    #expect(record.secondsLeft(.remote, at: now) == 0)
  }

  @Test(arguments: [
    [0], Array(repeating: UInt8(0xff), count: 2048), Array(repeating: 0, count: 2048), Array("LALOCK\0\u{2}".utf8),
    Array("LALOCK\0\u{1}".utf8) + Array(repeating: 0, count: 2041), Array(repeating: 0x41, count: 1),
  ])
  func `Bytes of nobody's lock the reader and leave the passcode`(bytes: [UInt8]) {
    let record = LockoutRecord(bytes.span)
    #expect(record.readerIsLocked)
    #expect(record.secondsLeft(.remote, at: now) == 0)
  }

  @Test func `Any bytes behind our own first ones can be read and written`() {
    var random = SystemRandomNumberGenerator()
    for _ in 1...2_000 {
      var bytes = Array("LALOCK\0\u{1}".utf8)
      bytes += (8..<2048).map { _ in UInt8.random(in: 0...255, using: &random) }
      var record = LockoutRecord(bytes.span)
      for origin in [PasscodeOrigin.remote, .user(0)] {
        _ = record.rebase(origin, at: now)
        #expect((0...300).contains(record.secondsLeft(origin, at: now)))
        if case .charged(let window) = record.charge(origin, at: now) { record.forget(window: window, at: now) }
      }
      _ = record.chargeMatch()
      #expect(record.failedMatches <= 5)
    }
  }

  @Test func `The bytes are those of the format`() {
    var record = LockoutRecord()
    _ = record.chargeMatch()
    _ = record.charge(.user(0x0102_0304), at: Moment(boot: 5, uptime: 6, wall: 7))
    let bytes = record.withBytes { bytes in (0..<64).map { bytes[$0] } }
    let header = Array("LALOCK\0\u{1}".utf8) + [1] + Array(repeating: 0, count: 23)
    let window: [UInt8] = [
      1, 1, 0, 0, 4, 3, 2, 1, 5, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0,
    ]
    #expect(bytes == header + window)
  }
}
