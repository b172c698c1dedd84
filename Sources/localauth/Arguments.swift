internal import AuthenticationCore

/// What the command line asks for: localauth(1).
enum Command: Equatable {
  case help
  case evaluate(policy: Policy, reason: String, readerSeconds: UInt16)
  case canEvaluate(policy: Policy)
  case unlock(user: String)
}

/// Why a command line is not one.
struct UsageError: Error, Equatable {
  var message: String
}

extension Command {
  static let usage = """
    usage: localauth evaluate [--policy POLICY] [--reason TEXT] [--timeout SECONDS]
           localauth can-evaluate [--policy POLICY]
           localauth unlock USER

      --policy    owner (a finger or the passcode; the default), biometrics
      --reason    why, in words for the person who is asked
      --timeout   seconds that the reader may listen, 1 to 600

    Exit status: 0 yes, 1 no, 2 wrong usage, 3 cancelled, 4 not available.
    """

  init(_ arguments: [String]) throws(UsageError) {
    guard let word = arguments.first else { throw UsageError(message: "a command is missing") }
    if ["help", "--help", "-h"].contains(word) {
      self = .help
      return
    }
    if word == "unlock" {
      self = .unlock(user: try Self.user(arguments.dropFirst()))
      return
    }
    let options = try Options(arguments.dropFirst())
    switch word {
    case "evaluate":
      self = .evaluate(policy: options.policy, reason: options.reason ?? "", readerSeconds: options.timeout ?? 0)
    case "can-evaluate":
      if options.reason != nil { throw UsageError(message: "can-evaluate shows nothing: it has no --reason") }
      if options.timeout != nil { throw UsageError(message: "can-evaluate waits for nobody: it has no --timeout") }
      self = .canEvaluate(policy: options.policy)
    default: throw UsageError(message: "unknown command '\(word)'; there are: evaluate, can-evaluate, unlock, help")
    }
  }

  private static func user(_ arguments: ArraySlice<String>) throws(UsageError) -> String {
    guard let user = arguments.first, !user.isEmpty else {
      throw UsageError(message: "unlock needs the name of a user")
    }
    if user.hasPrefix("-") { throw UsageError(message: "unlock has no option '\(user)', and no user has such a name") }
    // A longer name would be cut on the way, and be somebody else's.
    if user.utf8.count > 256 { throw UsageError(message: "no user has a name that long") }
    if let more = arguments.dropFirst().first {
      throw UsageError(message: "unlock takes one user, and not also '\(more)'")
    }
    return user
  }

  private struct Options {
    var policy = Policy.owner
    var reason: String?
    var timeout: UInt16?

    init(_ arguments: ArraySlice<String>) throws(UsageError) {
      var rest = arguments
      while let word = rest.popFirst() {
        // `--option value` or `--option=value`.
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let option = String(parts[0])
        // Fail closed: the exit status 0 of these commands means yes, and nothing else.
        if option == "--help" || option == "-h" { throw UsageError(message: "help, and nobody was asked") }
        guard ["--policy", "--reason", "--timeout"].contains(option) else {
          throw UsageError(message: "unknown option '\(option)'; there are: --policy, --reason, --timeout")
        }
        let attached = parts.count > 1 ? String(parts[1]) : nil
        guard let value = attached ?? rest.popFirst() else { throw UsageError(message: "\(option) needs a value") }
        switch option {
        case "--policy": policy = try Self.policy(value)
        case "--reason": reason = value
        default: timeout = try Self.seconds(value)
        }
      }
    }

    private static func policy(_ value: String) throws(UsageError) -> Policy {
      switch value {
      case "owner": .owner
      case "biometrics": .biometrics
      default: throw UsageError(message: "--policy is owner or biometrics, not '\(value)'")
      }
    }

    private static func seconds(_ value: String) throws(UsageError) -> UInt16 {
      guard let seconds = UInt16(value), (1...600).contains(seconds) else {
        throw UsageError(message: "--timeout is a number of seconds from 1 to 600, not '\(value)'")
      }
      return seconds
    }
  }
}
