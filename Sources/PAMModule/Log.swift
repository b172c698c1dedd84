import AuthenticationCore
import CPlatform
import SystemInterface

/// What goes to the system log: key=value, one line for a request's end, one more for what an administrator has to
/// do something about.
enum Log {
  static func write(
    _ conclusion: Conclusion, user: borrowing MessageText, service: borrowing MessageText, to host: PAMHost
  ) {
    switch conclusion {
    case .decided(let outcome, let mechanism):
      var line = MessageText()
      line.append("outcome=")
      line.append(outcome.name)
      line.append(" mechanism=")
      line.append(mechanism.name)
      append(user, service, to: &line)
      host.log(outcome.row.pam == .authinfoUnavail ? LOG_INFO : LOG_NOTICE, line)
    case .fault(let fault):
      var line = MessageText()
      line.append(fault.text)
      line.append(":")
      append(user, service, to: &line)
      host.log(LOG_ERR, line)
    }
  }

  /// For the option `debug`: what is asked, in the codes of AuthenticationCore.
  static func write(_ request: borrowing Request, to host: PAMHost) {
    var line = MessageText()
    line.append("policy=")
    line.append(UInt32(request.policy.rawValue))
    line.append(" way=")
    line.append(UInt32(request.way.rawValue))
    line.append(" interaction=")
    line.append(UInt32(request.interaction.rawValue))
    line.append(" silent=")
    line.append(UInt32(request.isSilent ? 1 : 0))
    host.log(LOG_DEBUG, line)
  }

  static func write(_ problem: OptionProblem, _ argument: Span<UInt8>, to host: PAMHost) {
    var option = MessageText()
    option.append(argument)
    var line = MessageText()
    line.append(problem == .unknown ? "unknown option: " : "bad value of an option: ")
    line.append(cleaned: option)
    host.log(LOG_ERR, line)
  }

  static func write(_ failure: RoadFailure, to host: PAMHost) {
    var line = MessageText()
    line.append("cannot reach localauth-helper: ")
    switch failure {
    case .refused(let error):
      line.append(Places.socket)
      line.append(": ")
      line.append(error)
      line.append("; is localauth.socket overloaded, or its access denied?")
    case .noHelper(let error):
      line.append("nobody listens on ")
      line.append(Places.socket)
      line.append(", and ")
      line.append(Places.helper)
      line.append(": ")
      line.append(error)
      line.append("; is localauth installed, and localauth.socket enabled?")
    }
    host.log(LOG_ERR, line)
  }

  private static func append(
    _ user: borrowing MessageText, _ service: borrowing MessageText, to line: inout MessageText
  ) {
    line.append(" user=")
    line.append(word: user)
    line.append(" service=")
    line.append(word: service)
  }
}

extension MessageText {
  fileprivate mutating func append(_ error: SystemError) {
    // SAFETY: a constant C string of the C library.
    unsafe append(cString: localauth_error_text(error.code))
  }
}

extension Fault {
  fileprivate var text: StaticString {
    switch self {
    case .noVerdict: "localauth-helper ended without a verdict; the lines before say why"
    case .silent: "localauth-helper did not answer in time"
    case .malformed, .foreignVerdict: "localauth-helper and this module do not fit together; reinstall localauth"
    case .system: "a system call failed"
    case .noConversation: "the host's conversation cannot be run"
    case .hostEnding: "the host was told to end"
    }
  }
}
