import AuthenticationCore
import CPlatform

/// Who asks, as the kernel says: see `Authority`.
struct Caller {
  let uid: UInt32
  /// The asking process, for words on the screen and in the log; 0 where it is not known.
  let pid: Int32

  /// nil when the caller cannot be known; any failed look-up is a refusal.
  init?(road: Road, realUID: UInt32, connection: CInt) {
    var pid: pid_t = 0
    var peer: uid_t = 0
    // SAFETY: both pointers are to locals that outlive the call.
    let known = unsafe localauth_peer(connection, &pid, &peer) == 0
    guard let uid = Authority.caller(road: road, realUID: realUID, peer: known ? peer : nil) else { return nil }
    self.uid = uid
    // On the executed road SO_PEERCRED tells who made the pair; only root's word is taken even for words.
    self.pid = known && (road == .accepted || uid == 0) ? pid : 0
  }

  var isRoot: Bool { uid == 0 }
}
