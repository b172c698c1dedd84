/// The legal order of messages, as each end sees it. A message out of order ends the session.
public struct SessionOrder: Sendable {
  private enum Phase: Equatable { case fresh, open, over }
  private var phase = Phase.fresh
  /// Asks that the front end has not shown yet: a second one may cross the word that the first is shown.
  private var unshown = 0
  /// Something that may be answered by bytes: a shown prompt for the passcode, or an inquiry.
  private var answerable = false
  private var wantsAnswer = false
  private var fromFrontEnd = Budget()
  private var fromHelper = Budget()

  private struct Budget: Sendable {
    var frames = 0
    var bytes = 0

    mutating func spend(_ count: Int) throws(ProtocolFailure) {
      frames &+= 1
      bytes &+= FrameLimits.header &+ count
      guard frames <= FrameLimits.frames, bytes <= FrameLimits.bytes else { throw .tooMany }
    }
  }

  public init() {}

  public var isOver: Bool { phase == .over }
  /// Whether bytes may be sent now as an answer.
  public var mayAnswer: Bool { phase == .open && answerable }

  /// A frame that the front end sends, `count` bytes of payload.
  public mutating func frontEnd(_ type: FrameType, count: Int) throws(ProtocolFailure) {
    try fromFrontEnd.spend(count)
    switch (type, phase) {
    case (.hello, .fresh): phase = .open
    case (.shown, .open) where unshown > 0:
      unshown &-= 1
      // Bytes typed for an earlier ask never answer a later one.
      answerable = unshown == 0 && wantsAnswer
    case (.answer, .open) where answerable:
      guard count <= FrameLimits.secret else { throw .tooLong }
      answerable = false
    case (.cancel, .open): break
    default: throw .outOfOrder
    }
  }

  /// A frame that the helper sends; `wantsPasscode` of an ask says whether it may be answered.
  public mutating func helper(
    _ type: FrameType, count: Int, wantsPasscode: Bool = false
  ) throws(ProtocolFailure) {
    try fromHelper.spend(count)
    switch (type, phase) {
    case (.ask, .open):
      unshown &+= 1
      wantsAnswer = wantsPasscode
      answerable = false
    case (.inquire, .open):
      unshown = 0
      answerable = true
    case (.hint, .open), (.notice, .open): break
    case (.verdict, .open): phase = .over
    default: throw .outOfOrder
    }
  }
}
