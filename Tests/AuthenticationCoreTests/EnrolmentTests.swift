import AuthenticationCore
import Testing

struct EnrolmentTests {
  private static let thumb = "driver/0/1\t900\t1000.000000001\n"
  private static let index = "driver/0/7\t900\t1000.000000002\n"

  private func state(_ now: String, _ confirmed: String) -> EnrolmentState {
    EnrolledList.state(now: Array(now.utf8).span, confirmed: Array(confirmed.utf8).span)
  }

  private func haveSameFingers(_ left: String, _ right: String) -> Bool {
    EnrolledList.haveSameFingers(Array(left.utf8).span, Array(right.utf8).span)
  }

  @Test(arguments: [
    ("", "", EnrolmentState.none), ("", thumb, .none),
    (thumb, thumb, .confirmed), (thumb + index, thumb + index, .confirmed),
    // The passcode was never right yet; a finger more, a finger less, another one.
    (thumb, "", .changed), (thumb + index, thumb, .changed), (thumb, thumb + index, .changed), (thumb, index, .changed),
    // The same finger, deleted and enrolled again: another time, or another size.
    (thumb, "driver/0/1\t900\t1001.000000001\n", .changed), (thumb, "driver/0/1\t901\t1000.000000001\n", .changed),
    // A record that was cut.
    (thumb, String(thumb.dropLast()), .changed),
  ])
  func `The fingers are those of the last right passcode or they are others`(
    now: String, confirmed: String, state: EnrolmentState
  ) {
    #expect(self.state(now, confirmed) == state)
  }

  @Test(arguments: [
    (thumb, thumb, true), (thumb, "driver/0/1\t5\t9.000000000\n", true), (thumb + index, thumb + index, true),
    (thumb, index, false), (thumb, thumb + index, false), (thumb + index, thumb, false), ("", thumb, false),
    (thumb, "", false), ("driver/0/1", "driver/0/11", false), ("driver/0/1", "driver/0/1", true), ("\n\n", "\n", false),
  ])
  func `A reader that learns from a match changes its print and not its fingers`(
    left: String, right: String, same: Bool
  ) {
    #expect(haveSameFingers(left, right) == same)
    #expect(haveSameFingers(right, left) == same)
  }
}
