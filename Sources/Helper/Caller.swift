import AuthenticationCore
import CPlatform
import SystemInterface

/// Who asks, as the kernel says: see `Authority`.
struct Caller: ~Copyable {
  let uid: UInt32
  /// The asking process; 0 where it is not known.
  let pid: Int32
  /// The process that the socket names, whoever made it: good for denying only.
  let connectedPID: Int32
  /// Holds the process's number, so that it cannot become another one's.
  private let hold: Descriptor?
  private let road: Road

  /// nil when the caller cannot be known; any failed look-up is a refusal.
  init?(road: Road, realUID: UInt32, connection: CInt) {
    var pid: pid_t = 0
    var peer: uid_t = 0
    // SAFETY: both pointers are to locals that outlive the call.
    let known = unsafe localauth_peer(connection, &pid, &peer) == 0
    guard let uid = Authority.caller(road: road, realUID: realUID, peer: known ? peer : nil) else { return nil }
    self.uid = uid
    self.road = road
    connectedPID = known ? pid : 0
    // On the executed road SO_PEERCRED tells who made the pair; only root's word is taken.
    guard known, pid > 0, road == .accepted || uid == 0 else {
      self.pid = 0
      hold = nil
      return
    }
    self.pid = pid
    hold = Self.hold(pid, connection)
  }

  var isRoot: Bool { uid == 0 }
  /// Executed by its front end, and so in the same control group.
  var isExecuted: Bool { road == .executed }

  /// Whether it is beyond doubt which process asks. Where it is not, there is no reader; the passcode stays.
  var processIsCertain: Bool { road == .executed || hold != nil }

  /// A pidfd of the peer: from the socket itself since Linux 6.5, SO_PEERPIDFD in unix(7). Before that by number, if
  /// the process that has it now was there before this helper, and so before the connection was accepted.
  private static func hold(_ pid: pid_t, _ connection: CInt) -> Descriptor? {
    let direct = localauth_peer_pidfd(connection)
    if direct >= 0 { return Descriptor(owning: direct) }
    let opened = localauth_pidfd_open(pid)
    guard opened >= 0 else { return nil }
    let held = Descriptor(owning: opened)
    let theirs = localauth_start_time(pid)
    let ours = localauth_start_time(getpid())
    guard theirs > 0, ours > 0, theirs <= ours else { return nil }
    return held
  }
}
