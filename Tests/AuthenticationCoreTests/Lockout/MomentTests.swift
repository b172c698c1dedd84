import AuthenticationCore
import Testing

struct MomentTests {
  @Test(arguments: [
    // boot, uptime, wall of the later one; seconds since boot 1, uptime 100, wall 1000
    (1, 130, 1_030, 30),
    // Within one boot the wall clock has no say.
    (1, 130, 0, 30), (1, 130, 999_999, 30),
    // Over a restart it has.
    (2, 5, 1_030, 30),
    // Set back, it has brought nobody further.
    (2, 5, 10, 0), (2, 500, 1_000, 0),
    // The same boot cannot go back: it is another, of a machine that does not say which.
    (1, 5, 1_040, 40),
  ])
  func `Seconds are counted by the boot and over a restart by the wall clock`(
    boot: UInt64, uptime: Int64, wall: Int64, seconds: Int64
  ) {
    let earlier = Moment(boot: 1, uptime: 100, wall: 1_000)
    #expect(Moment(boot: boot, uptime: uptime, wall: wall).seconds(since: earlier) == seconds)
  }

  @Test(arguments: [(Int64.max, Int64.min), (.min, .max)])
  func `Times that no clock shows bring nobody further`(wall: Int64, earlier: Int64) {
    let seconds = Moment(boot: 2, uptime: 0, wall: wall).seconds(since: Moment(boot: 1, uptime: 0, wall: earlier))
    #expect(seconds == 0)
  }

  @Test func `After a restart a pause is counted by this boot's clock`() {
    let began = Moment(boot: 1, uptime: 100, wall: 1_000)
    let after = Moment(boot: 2, uptime: 3, wall: 1_010)
    let rebased = began.rebased(on: after)
    #expect(after.seconds(since: rebased) == 10)
    #expect(Moment(boot: 2, uptime: 23, wall: 0).seconds(since: rebased) == 30)
  }
}
