import AuthenticationCore
import Testing

struct PasscodeWindowTests {
  /// Seconds of one boot.
  private func at(_ uptime: Int64) -> Moment { Moment(boot: 1, uptime: uptime, wall: 1_000_000 + uptime) }

  private func window(_ charged: UInt8, _ closings: UInt8 = 0, last: Int64 = 0) -> PasscodeWindow {
    PasscodeWindow(charged: charged, closings: closings, last: at(last))
  }

  private func charges(_ window: inout PasscodeWindow, _ now: Moment) -> Bool { window.charge(at: now) }

  @Test func `Five tries, and then none until the pause is over`() {
    var window = PasscodeWindow(last: at(0))
    for _ in 1...5 {
      #expect(window.secondsLeft(at: at(0)) == 0)
      #expect(charges(&window, at(0)))
    }
    #expect(!charges(&window, at(0)))
    #expect(window.secondsLeft(at: at(1)) == 29)
    #expect(!charges(&window, at(29)))
    #expect(charges(&window, at(30)))
  }

  @Test func `Each pause is twice the last one and none is longer than five minutes`() {
    var window = PasscodeWindow(last: at(0))
    var now: Int64 = 0
    var pauses: [Int64] = []
    for _ in 1...7 {
      for _ in 1...5 { #expect(charges(&window, at(now))) }
      let pause = window.secondsLeft(at: at(now))
      pauses.append(pause)
      now += pause
    }
    #expect(pauses == [30, 60, 120, 240, 300, 300, 300])
  }

  @Test func `A try that was neither right nor wrong is given back`() {
    var window = PasscodeWindow(last: at(0))
    for _ in 1...100 {
      #expect(charges(&window, at(0)))
      window.refund()
    }
    #expect(window.charged == 0)
    window.refund()
    #expect(window.charged == 0)
  }

  @Test func `A right passcode forgets the wrong ones and the pauses`() {
    var window = window(4, 3)
    window.forget()
    #expect(window.charged == 0)
    #expect(window.pause == 30)
  }

  @Test(arguments: [(UInt8(5), UInt8(4)), (3, 0), (0, 2)])
  func `After a day all is forgotten and not a second before`(charged: UInt8, closings: UInt8) {
    let window = window(charged, closings)
    #expect(!window.isForgotten(at: at(86_399)))
    #expect(window.isForgotten(at: at(86_400)))
    var next = window
    #expect(charges(&next, at(86_400)))
    #expect(next.charged == 1)
    #expect(next.pause == 30)
  }

  @Test func `A clock that was set back over a restart costs one pause and not forever`() {
    var window = window(5, last: 0)
    let back = Moment(boot: 2, uptime: 10, wall: 5)
    #expect(window.secondsLeft(at: back) == 30)
    #expect(!charges(&window, back))
    #expect(window.secondsLeft(at: Moment(boot: 2, uptime: 40, wall: 1)) == 0)
    #expect(charges(&window, Moment(boot: 2, uptime: 40, wall: 1)))
  }

  @Test func `A clock that is set in between changes nothing`() {
    let window = window(5, last: 0)
    #expect(window.secondsLeft(at: Moment(boot: 1, uptime: 10, wall: .max)) == 20)
    #expect(window.secondsLeft(at: Moment(boot: 1, uptime: 10, wall: 0)) == 20)
  }

  @Test func `What was never written by us is taken for the strictest`() {
    let window = window(255, 255)
    #expect(window.charged == 5)
    #expect(window.pause == 300)
  }
}
