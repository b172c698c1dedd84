/// How often one origin may be wrong about one user's passcode: five tries, then a pause.
///
/// Each try is charged before it runs and given back unless it was wrong, so that killing it gains nothing.
public struct PasscodeWindow: Equatable, Sendable {
  /// Tries of one window.
  public static var tries: UInt8 { 5 }
  /// The last window's pause is forgotten after a day.
  public static var memory: Int64 { 24 * 60 * 60 }
  private static var mostClosings: UInt8 { 4 }

  /// Tries that are charged, at most `tries`.
  public private(set) var charged: UInt8
  /// Windows that were closed before this one, at most 4.
  public private(set) var closings: UInt8
  /// When the last try was charged.
  public private(set) var last: Moment

  /// A window as it was written down; values that cannot be are taken for the strictest.
  public init(charged: UInt8 = 0, closings: UInt8 = 0, last: Moment) {
    self.charged = min(charged, Self.tries)
    self.closings = min(closings, Self.mostClosings)
    self.last = last
  }

  /// Seconds that a closed window stays closed: 30, and twice as long each time, at most 300.
  public var pause: Int64 { min(30 << Int64(closings), 300) }

  /// Seconds until a try is possible; 0 when one is.
  public func secondsLeft(at now: Moment) -> Int64 {
    if charged < Self.tries { return 0 }
    return max(pause - now.seconds(since: last), 0)
  }

  /// Tries until the next pause; 0 during one.
  public func triesLeft(at now: Moment) -> UInt8 {
    if secondsLeft(at: now) > 0 { return 0 }
    return isForgotten(at: now) || charged >= Self.tries ? Self.tries : Self.tries - charged
  }

  /// Whether nothing of it matters any more.
  public func isForgotten(at now: Moment) -> Bool {
    (charged == 0 && closings == 0) || now.seconds(since: last) >= Self.memory
  }

  /// Charges one try; false, and nothing is charged, while the window is closed.
  public mutating func charge(at now: Moment) -> Bool {
    if isForgotten(at: now) {
      charged = 0
      closings = 0
    } else if secondsLeft(at: now) > 0 {
      // After a restart the seconds are counted by this boot's clock, whatever the wall clock is set to.
      last = last.rebased(on: now)
      return false
    } else if charged >= Self.tries {
      charged = 0
      closings = min(closings + 1, Self.mostClosings)
    }
    charged += 1
    last = now
    return true
  }

  /// Gives one try back: it was neither right nor wrong.
  public mutating func refund() {
    if charged > 0 { charged -= 1 }
  }

  /// A right passcode: nothing is left of the wrong ones.
  public mutating func forget() {
    charged = 0
    closings = 0
  }
}
