import AuthenticationCore
import CPlatform
import HelperProtocol
import SystemInterface

/// The line that says who asks for what: no match without a shown reason.
enum RequestLine {
  /// "sudo -k id asks for alice", "login asks for alice", "screen locker: unlock asks for alice".
  static func make(_ request: Request, _ caller: borrowing Caller, _ account: Account) -> Line {
    var line = Line()
    let isSudo = request.service.equals("sudo") || request.service.equals("sudo-i")
    if !(isSudo && caller.isRoot && appendCommand(of: caller.pid, to: &line)) {
      if request.service.isEmpty { line.append("A program") } else { line.append(request.service) }
    }
    if request.reason.count > 0 {
      line.append(": ")
      request.reason.withBytes { line.append(cleaned: $0, columns: 200) }
    }
    // For whom is never left out, however long the rest is.
    var name = Line()
    name.append(" asks for ")
    account.name.withBytes { name.append(cleaned: $0, columns: 64) }
    line.shorten(toFit: name.count)
    name.withBytes { line.append(cleaned: $0) }
    return line
  }

  /// The asking process's command line, cleaned, at most 80 columns: proc(5). Whether there was one.
  private static func appendCommand(of pid: Int32, to line: inout Line) -> Bool {
    guard pid > 0 else { return false }
    var path = Line()
    path.append("/proc/")
    path.append(UInt32(bitPattern: pid))
    path.append("/cmdline")
    // SAFETY: open(2) only reads the path.
    let raw = unsafe path.withCString { unsafe localauth_open($0, O_RDONLY | O_NONBLOCK) } ?? -1
    guard raw >= 0 else { return false }
    let file = Descriptor(owning: raw)
    var bytes = InlineArray<512, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    let count = Descriptor.read(file.raw, into: &span, at: 0..<512)
    guard count > 0 else { return false }
    // Arguments end with a NUL each; the last one's is dropped.
    var last = min(count, 512)
    while last > 0, bytes[last &- 1] == 0 { last &-= 1 }
    for index in 0..<last where bytes[index] == 0 { bytes[index] = UInt8(ascii: " ") }
    guard last > 0 else { return false }
    line.append(cleaned: bytes.span.extracting(first: last), columns: 80)
    return true
  }
}
