import CPlatform

/// The system log, facility authpriv: syslog(3). At most two lines a request.
enum Log {
  static func notice(_ line: Line) { write(line, LOG_NOTICE) }
  static func error(_ line: Line) { write(line, LOG_ERR) }

  static func error(_ text: StaticString) {
    var line = Line()
    line.append(text)
    error(line)
  }

  private static func write(_ line: Line, _ priority: CInt) {
    // SAFETY: the shim copies the string before it returns.
    _ = unsafe line.withCString { unsafe localauth_syslog(priority, $0) }
  }
}
