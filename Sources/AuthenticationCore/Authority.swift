/// How the helper was reached, which decides whose word on the caller counts.
public enum Road: UInt8, CaseIterable, Sendable {
  /// Executed by a front end, by root or through the setuid bit: getuid(2) alone says who asks.
  case executed
  /// On a connection that the listener accepted: SO_PEERCRED of that connection says who asks.
  case accepted
}

/// Who asks, as the kernel says.
public enum Authority: Sendable {
  /// The caller's uid, or nil when it cannot be known and the request is refused.
  ///
  /// `peer` is the uid of SO_PEERCRED; on the executed road it proves nothing and is not looked at.
  public static func caller(road: Road, realUID: UInt32, peer: UInt32?) -> UInt32? {
    switch road {
    case .executed: return valid(realUID)
    case .accepted:
      // Only the service manager, root, may say that fd 0 came from accept(2).
      guard realUID == 0, let peer else { return nil }
      return valid(peer)
    }
  }

  /// Whether `caller` may have `target` evaluated: itself, or anybody for root.
  public static func permits(caller: UInt32, target: UInt32) -> Bool { caller == 0 || caller == target }

  /// uid 2³²−1 is "no user" to the kernel: setresuid(2).
  private static func valid(_ uid: UInt32) -> UInt32? { uid == UInt32.max ? nil : uid }
}
