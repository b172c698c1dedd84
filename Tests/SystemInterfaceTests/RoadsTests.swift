import CPlatform
import Foundation
import HelperProtocol
import SystemInterface
import Testing

/// A folder that goes with the test, reachable as /proc/self/fd/987: `Roads` takes paths that are literals.
private struct Folder: ~Copyable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "localauth-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // SAFETY: the string lives as long as the call.
    let folder = Descriptor(owning: try SystemError.check(unsafe localauth_open(path, O_RDONLY)))
    #expect(dup2(folder.raw, 987) == 987)
  }

  deinit {
    close(987)
    try? FileManager.default.removeItem(atPath: path)
  }

  static var socket: StaticString { "/proc/self/fd/987/helper.sock" }

  /// Listens at `socket`, or only binds it where `backlog` is nil.
  func listen(backlog: CInt?) throws -> Descriptor {
    let listener = Descriptor(owning: try SystemError.check(localauth_unix_socket()))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array((path + "/helper.sock").utf8)
    try #require(bytes.count < 108)
    // SAFETY: the path and its NUL fit, which was checked; the pointers stay inside the closures.
    let bound = unsafe withUnsafeMutableBytes(of: &address) { buffer in
      for (offset, byte) in bytes.enumerated() { unsafe buffer[2 + offset] = byte }
      return unsafe buffer.withMemoryRebound(to: sockaddr.self) {
        unsafe bind(listener.raw, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
    if let backlog { try #require(CPlatform.listen(listener.raw, backlog) == 0) }
    return listener
  }
}

private let missing: StaticString = "/proc/self/fd/987/no-such-helper"

/// How the way to a helper fails, and in how many milliseconds.
private func failure(
  socket: StaticString = Folder.socket, helper: StaticString = missing
) -> (why: RoadFailure?, took: UInt64) {
  let start = Clock.now()
  do throws(RoadFailure) {
    let channel = try Roads.connect(socket: socket, helper: helper, asRoot: false)
    _ = channel.raw
    return (nil, Clock.now() - start)
  } catch {
    return (error, Clock.now() - start)
  }
}

@Suite(.serialized) struct `The road by the socket` {
  @Test func `is taken where somebody listens, and the helper is not executed`() throws {
    let folder = try Folder()
    let listener = try folder.listen(backlog: 4)
    let channel = try Roads.connect(socket: Folder.socket, helper: missing, asRoot: false)
    let peer = Descriptor(owning: accept(listener.raw, nil, nil))
    try channel.send(CancelReason.user.frame(), until: Clock.now() + 1_000)
    var accepted = FrameChannel(peer)
    let header = try accepted.receive()
    #expect(header?.type == .cancel && channel.raw > 2)
  }

  @Test func `where there is none, a missing helper is told`() throws {
    _ = try Folder()
    #expect(failure().why == .noHelper(SystemError(code: ENOENT)))
  }

  @Test func `where nobody listens any more, a missing helper is told`() throws {
    let folder = try Folder()
    _ = try folder.listen(backlog: nil)
    #expect(failure().why == .noHelper(SystemError(code: ENOENT)))
  }

  @Test func `a helper that may not be executed is told`() throws {
    _ = try Folder()
    #expect(failure(helper: "/etc/passwd").why == .noHelper(SystemError(code: EACCES)))
  }

  @Test func `that is full is a refusal within a second, and no other road is taken`() throws {
    let folder = try Folder()
    let listener = try folder.listen(backlog: 0)
    let first = try Roads.connect(socket: Folder.socket, helper: missing, asRoot: false)
    let second = failure(helper: "/bin/true")
    #expect(second.why == .refused(SystemError(code: EAGAIN)))
    #expect(second.took <= 1_200, "\(second.took) ms")
    _ = (listener.raw, first.raw)
  }

  @Test(
    arguments: [
      ("/etc/passwd/helper.sock", ENOTDIR),
      (
        "/run/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/socket",
        ENAMETOOLONG
      ),
    ] as [(StaticString, CInt)])
  func `that cannot be a socket is a refusal, and no other road is taken`(socket: StaticString, code: CInt) throws {
    #expect(failure(socket: socket, helper: "/bin/true").why == .refused(SystemError(code: code)))
  }
}
