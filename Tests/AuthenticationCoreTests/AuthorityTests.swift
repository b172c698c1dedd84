import AuthenticationCore
import Testing

@Suite struct `Who asks` {
  static let uids: [UInt32] = [0, 1, 1_000, 65_534, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe]

  @Test(arguments: uids) func `executed: the real uid, whatever the socket says`(uid: UInt32) {
    #expect(Authority.caller(road: .executed, realUID: uid, peer: nil) == uid)
    #expect(Authority.caller(road: .executed, realUID: uid, peer: 0) == uid)
  }

  @Test(arguments: uids) func `accepted: the peer of the connection`(uid: UInt32) {
    #expect(Authority.caller(road: .accepted, realUID: 0, peer: uid) == uid)
  }

  @Test func `accepted without a peer is nobody`() {
    #expect(Authority.caller(road: .accepted, realUID: 0, peer: nil) == nil)
  }

  @Test(arguments: uids.dropFirst()) func `accepted by anybody but root is nobody`(uid: UInt32) {
    #expect(Authority.caller(road: .accepted, realUID: uid, peer: 0) == nil)
    #expect(Authority.caller(road: .accepted, realUID: uid, peer: uid) == nil)
  }

  @Test func `the uid that means none is nobody on every road`() {
    #expect(Authority.caller(road: .executed, realUID: .max, peer: 0) == nil)
    #expect(Authority.caller(road: .accepted, realUID: 0, peer: .max) == nil)
    #expect(Authority.caller(road: .accepted, realUID: .max, peer: .max) == nil)
  }
}

@Suite struct `About whom` {
  @Test func `itself or anybody for root, and nothing else`() {
    for caller in `Who asks`.uids {
      for target in `Who asks`.uids {
        #expect(Authority.permits(caller: caller, target: target) == (caller == target || caller == 0))
      }
    }
  }

  @Test func `nobody but root may ask about root`() {
    #expect(!Authority.permits(caller: 1_000, target: 0))
    #expect(!Authority.permits(caller: 0x8000_0000, target: 0))
  }
}
