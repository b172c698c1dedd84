import CPlatform
import Foundation
import SystemInterface
import Testing

/// A script that is executed in the helper's place and tells what it finds, over fd 0.
/// `-p`: a setuid shell would put its effective uid back.
private func execute(_ lines: String, asRoot: Bool = false) throws -> [Substring] {
  let path = FileManager.default.temporaryDirectory.appending(path: "localauth-\(UUID().uuidString)").path
  defer { try? FileManager.default.removeItem(atPath: path) }
  try ("#!/bin/sh -p\n" + lines).write(toFile: path, atomically: false, encoding: .utf8)
  try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  let pair = try Descriptor.socketPair()
  return try pair.split { near, far in
    var answer: CInt = 0
    repeat {
      // A process that another test starts may hold the file open for writing until its own exec: ETXTBSY.
      // SAFETY: the strings live as long as the call.
      answer = unsafe localauth_execute_detached(path, "exec", far.raw, asRoot ? 1 : 0)
    } while answer == -ETXTBSY
    try SystemError.check(answer)
    close(consume far)
    _ = Descriptor.writeAll(near.raw, Array("a line\n".utf8).span)
    return try readAll(near).split(separator: "\n")
  }
}

private func close(_ descriptor: consuming Descriptor) {}

/// Everything up to the end, which comes when the program is gone.
private func readAll(_ descriptor: borrowing Descriptor) throws -> String {
  var text: [UInt8] = []
  var bytes = [UInt8](repeating: 0, count: 4_096)
  while true {
    try #require(try PollSet.wait(for: descriptor.raw, events: PollSet.readable, until: Clock.now() + 5_000))
    var span = bytes.mutableSpan
    let count = Descriptor.read(descriptor.raw, into: &span, at: 0..<4_096)
    // A script that leaves bytes of ours unread resets the connection.
    guard count > 0 else { return String(decoding: text, as: UTF8.self) }
    text += bytes.prefix(count)
  }
}

@Suite struct `A helper that is executed` {
  @Test func `has our other end as fd 0, both ways, and one argument`() throws {
    let said = try execute(#"read line; echo "$line, $#, $1" >&0"#)
    #expect(said == ["a line, 1, exec"])
  }

  @Test func `has nothing else open`() throws {
    // One that would be inherited if nothing closed it.
    let leaky = dup(2)
    defer { _ = CPlatform.close(leaky) }
    // The last one is the folder that ls itself reads.
    let said = try execute("read line; exec /bin/ls /proc/self/fd >&0")
    #expect(said == ["0", "1", "2", "3"])
  }

  @Test func `has /dev/null as fd 1 and 2`() throws {
    let said = try execute(#"read line; a=$(/bin/readlink /proc/$$/fd/1 /proc/$$/fd/2); echo "$a" >&0"#)
    #expect(said == ["/dev/null", "/dev/null"])
  }

  @Test func `has no environment`() throws {
    #expect(!ProcessInfo.processInfo.environment.isEmpty)
    let said = try execute("read line; /usr/bin/wc -c >&0 </proc/$$/environ")
    #expect(said == ["0"])
  }

  @Test func `is not our child`() throws {
    let said = try execute("read line; echo $PPID >&0")
    #expect(said.first.flatMap { pid_t($0) } != getpid() && said.count == 1)
  }

  @Test func `leaves us no child to wait for`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let pair = try Descriptor.socketPair()
      // SAFETY: literals end with a NUL.
      let answer = pair.split { _, far in unsafe localauth_execute_detached("/bin/true", "exec", far.raw, 0) }
      // __WALL: whatever signal its end would raise.
      let waited = waitpid(-1, nil, CInt(bitPattern: 0x4000_0000))
      exit(answer == 0 && waited == -1 && errno == ECHILD ? 3 : 4)
    }
  }

  @Test func `raises no SIGCHLD`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      // The default would be ignored silently; this one ends the process.
      signal(SIGCHLD) { _ in _exit(5) }
      let pair = try Descriptor.socketPair()
      // SAFETY: literals end with a NUL.
      let answer = pair.split { _, far in unsafe localauth_execute_detached("/bin/true", "exec", far.raw, 0) }
      usleep(100_000)
      exit(answer == 0 ? 3 : 4)
    }
  }

  @Test func `runs also where the host has no fds 0 to 2`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      for low: CInt in 0...2 { close(low) }
      let channel = try Roads.connect(
        socket: "/nonexistent/helper.sock", helper: "/bin/true", asRoot: false)
      exit(channel.raw > 2 ? 3 : 4)
    }
  }

  @Test func `that is missing or no program is an error, and leaves no child either`() throws {
    try Descriptor.socketPair().split { _, far in
      // SAFETY: literals end with a NUL.
      let answers = unsafe [
        localauth_execute_detached("/nonexistent", "exec", far.raw, 0),
        localauth_execute_detached("/etc/passwd", "exec", far.raw, 0),
        localauth_execute_detached("/bin/true", "exec", -1, 0),
      ]
      #expect(answers == [-ENOENT, -EACCES, -EBADF])
    }
  }

  @Test func `leaves errno and the signal mask as they were`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let pair = try Descriptor.socketPair()
      let before = blockedSignals()
      let isSame = pair.split { _, far in
        errno = 42
        // SAFETY: literals end with a NUL.
        let answer = unsafe localauth_execute_detached("/bin/true", "exec", far.raw, 0)
        return answer == 0 && errno == 42 && blockedSignals() == before
      }
      exit(isSame ? 3 : 4)
    }
  }

  @Test func `leaves nothing open, however often`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let before = openDescriptors()
      for _ in 0..<40 {
        let pair = try Descriptor.socketPair()
        // SAFETY: literals end with a NUL.
        _ = pair.split { _, far in unsafe localauth_execute_detached("/bin/true", "exec", far.raw, 0) }
      }
      // What runs the tests opens one or two of its own meanwhile.
      exit(openDescriptors() < before + 20 ? 3 : 4)
    }
  }
}

/// Like sudo and su: the caller's real ids, and effective uid 0.
private func becomeSetuidHost() -> Bool {
  var groups: [gid_t] = [1_000]
  // SAFETY: the count is the array's own.
  return unsafe setgroups(1, &groups) == 0 && setregid(1_000, 1_000) == 0 && setreuid(1_000, 0) == 0
}

@Suite(.enabled(if: geteuid() == 0, "only root can become another")) struct `A helper of a root host` {
  private static let ids =
    "read line; echo $(/usr/bin/id -ru) $(/usr/bin/id -u) $(/usr/bin/id -rg) $(/usr/bin/id -G) >&0"

  @Test func `is root in full where it is asked to be`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let became = becomeSetuidHost()
      exit(try execute(Self.ids, asRoot: true) == ["0 0 0 0"] && became ? 3 : 4)
    }
  }

  @Test func `keeps the caller's ids where it is not`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let became = becomeSetuidHost()
      exit(try execute(Self.ids) == ["1000 0 1000 1000"] && became ? 3 : 4)
    }
  }

  @Test func `is refused to a host that is not root`() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let became = setuid(1_000) == 0
      let pair = try Descriptor.socketPair()
      // SAFETY: literals end with a NUL.
      let answer = pair.split { _, far in unsafe localauth_execute_detached("/bin/true", "exec", far.raw, 1) }
      exit(answer == -EPERM && became ? 3 : 4)
    }
  }
}

private func openDescriptors() -> Int {
  // dup2(2) onto itself does nothing but say whether it is open.
  (0..<1_024).count { dup2($0, $0) == $0 }
}

/// Signals that this thread blocks.
private func blockedSignals() -> [CInt] {
  var mask = sigset_t()
  // SAFETY: both calls only fill or read the set.
  unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
  return (1..<32).filter { unsafe sigismember(&mask, $0) == 1 }
}
