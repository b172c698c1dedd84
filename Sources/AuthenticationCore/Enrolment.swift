/// What is known of a user's enrolled fingers beside the ones that the passcode was last right with.
public enum EnrolmentState: UInt8, CaseIterable, Sendable {
  /// Nothing is stored for this user.
  case none
  /// The same as when the passcode was last right.
  case confirmed
  /// Enrolled, deleted or enrolled again since; or the passcode was never right yet.
  case changed
  /// It cannot be found out.
  case unreadable
}

/// Lists of enrolled fingers: one line for each stored print, `path TAB size TAB seconds.nanoseconds`, sorted.
///
/// fprintd writes a print anew whenever it changes, and nobody but root can choose the time of that: the same finger,
/// deleted and enrolled again, is another line.
public enum EnrolledList: Sendable {
  /// More is no list of ours.
  public static var most: Int { 8_191 }

  /// What follows from the list of now and the one that was confirmed, which is empty where none was.
  public static func state(now: Span<UInt8>, confirmed: Span<UInt8>) -> EnrolmentState {
    if now.isEmpty { return .none }
    return equal(now, confirmed) ? .confirmed : .changed
  }

  /// Whether both lists hold the same fingers of the same readers, however often their prints were written: some
  /// readers learn from a match and store what they learned.
  public static func haveSameFingers(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    var from = 0
    var to = 0
    while from < left.count && to < right.count {
      let leftName = nameEnd(left, from)
      let rightName = nameEnd(right, to)
      guard equal(left.extracting(from..<leftName), right.extracting(to..<rightName)) else { return false }
      from = lineEnd(left, leftName)
      to = lineEnd(right, rightName)
    }
    return from >= left.count && to >= right.count
  }

  private static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in 0..<left.count where left[index] != right[index] { return false }
    return true
  }

  private static func nameEnd(_ list: Span<UInt8>, _ start: Int) -> Int {
    var end = start
    while end < list.count, list[end] != UInt8(ascii: "\t"), list[end] != UInt8(ascii: "\n") { end += 1 }
    return end
  }

  private static func lineEnd(_ list: Span<UInt8>, _ start: Int) -> Int {
    var end = start
    while end < list.count, list[end] != UInt8(ascii: "\n") { end += 1 }
    return min(end + 1, list.count)
  }
}
