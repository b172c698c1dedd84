/// A point in time that outlives restarts and clocks that are set: seconds since the boot that it names, which go on
/// while the machine sleeps (CLOCK_BOOTTIME), and the wall clock beside them, for after the next boot.
public struct Moment: Equatable, Sendable {
  /// Stands for one boot of the machine; 0 when it is not known.
  public var boot: UInt64
  public var uptime: Int64
  public var wall: Int64

  public init(boot: UInt64, uptime: Int64, wall: Int64) {
    self.boot = boot
    self.uptime = uptime
    self.wall = wall
  }

  /// Seconds from `earlier` until here, never less than 0.
  ///
  /// Within one boot the wall clock has no say. Over a restart it has, and a clock that was set back has brought
  /// nobody any further.
  public func seconds(since earlier: Moment) -> Int64 {
    let sameBoot = boot == earlier.boot && uptime >= earlier.uptime
    let (difference, overflow) =
      sameBoot
      ? uptime.subtractingReportingOverflow(earlier.uptime) : wall.subtractingReportingOverflow(earlier.wall)
    return overflow ? 0 : max(difference, 0)
  }

  /// The same distance from `now`, told in the boot of `now`: from there on its clock counts.
  public func rebased(on now: Moment) -> Moment {
    let elapsed = now.seconds(since: self)
    return Moment(boot: now.boot, uptime: now.uptime &- elapsed, wall: now.wall &- elapsed)
  }
}
