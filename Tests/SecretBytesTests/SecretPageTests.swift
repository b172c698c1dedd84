import CPlatform
import Foundation
import SecretBytes
import Testing

private struct NoPage: Error {}

/// A secret of 511 letters, and where it is.
private func with<Result>(_ body: (inout SecretBytes, UInt) throws -> Result) throws -> Result {
  guard var secret = SecretBytes() else { throw NoPage() }
  for _ in 0..<SecretBytes.most { secret.append(UInt8(ascii: "s")) }
  // SAFETY: the pointer becomes a number; it is followed by the kernel only, or while the page is mapped.
  let address = unsafe secret.withCString { UInt(bitPattern: $0) }
  return try body(&secret, address)
}

/// A page of this process as the kernel sees it; nil where nothing is mapped.
private func page(at address: UInt) -> [UInt8]? {
  // SAFETY: a literal ends with a NUL.
  let descriptor = unsafe localauth_open("/proc/self/mem", O_RDONLY)
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0xff, count: 4_096)
  // SAFETY: pread writes into the array, at most as many bytes as it has.
  let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, 4_096, off_t(address)) }
  return count == 4_096 ? bytes : nil
}

/// One mapping of this process and its flags: proc_pid_smaps(5), VmFlags.
private struct Mapping {
  var range: Range<UInt>
  var flags: [Substring]

  static func all() throws -> [Mapping] {
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
    var mappings: [Mapping] = []
    var range: Range<UInt> = 0..<0
    for line in String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n") {
      let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      if bounds.count == 2 { range = bounds[0]..<bounds[1] }
      if line.hasPrefix("VmFlags:") { mappings.append(Mapping(range: range, flags: line.split(separator: " "))) }
    }
    return mappings
  }
}

/// How many bytes of a page, at most 200, a forked child finds that are not zero.
private func bytesSeenByChild(at address: UInt) -> CInt {
  // SAFETY: the child is a copy of this process, only loads from a page that is mapped here, and leaves by _exit.
  let pid = unsafe localauth_clone_child(
    { context in
      guard let context = unsafe context else { return 255 }
      var seen: CInt = 0
      for offset in 0..<200 where unsafe context.load(fromByteOffset: offset, as: UInt8.self) != 0 { seen += 1 }
      return seen
    }, UnsafeMutableRawPointer(bitPattern: address))
  var status: CInt = 0
  // SAFETY: waitpid writes one int.
  guard unsafe localauth_wait(pid, &status, 0) == pid else { return -1 }
  return localauth_exit_code(status)
}

@Suite struct `The page of a secret` {
  @Test func `holds nothing once it is wiped`() throws {
    try with { secret, address in
      #expect(page(at: address)?.count { $0 == UInt8(ascii: "s") } == 511)
      secret.wipe()
      #expect(page(at: address) == [UInt8](repeating: 0, count: 4_096))
    }
  }

  @Test func `is gone when the secret is`() throws {
    let address = try with { _, address in address }
    // Something else may have been mapped there since; the secret is not in it.
    #expect(page(at: address)?.starts(with: [UInt8](repeating: UInt8(ascii: "s"), count: 511)) != true)
  }

  @Test func `is given back when the secret is gone`() throws {
    for _ in 0..<500 { try with { _, _ in } }
    let pages = try Mapping.all().filter { $0.flags.contains("wf") }.reduce(0) { $0 + $1.range.count / 4_096 }
    // Other tests hold a few.
    #expect(pages < 100)
  }

  @Test func `is one whole page of its own`() throws {
    try with { _, address in #expect(address % 4_096 == 0) }
  }

  @Test func `is left out of dumps and of children`() throws {
    try with { _, address in
      let flags = try Mapping.all().first { $0.range.contains(address) }?.flags ?? []
      #expect(flags.contains("dd") && flags.contains("wf"), "\(flags)")
    }
  }

  @Test func `reads as zeroes in a forked child, where another page reads as it is`() throws {
    try with { _, address in #expect(bytesSeenByChild(at: address) == 0) }
    let plain = [UInt8](repeating: UInt8(ascii: "s"), count: 4_096)
    // SAFETY: the array lives as long as the closure, in which the child ends.
    let seen = unsafe plain.withUnsafeBytes { bytesSeenByChild(at: UInt(bitPattern: $0.baseAddress)) }
    #expect(seen == 200)
  }
}
