internal import AuthenticationCore
internal import Glibc
internal import HelperClient

/// A line on standard error.
func say(_ text: String) {
  var line = text + "\n"
  // SAFETY: the pointer and the count are the string's own.
  _ = line.withUTF8 { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Exit status of an outcome; see the usage.
func status(_ outcome: Outcome) -> Int32 {
  switch outcome {
  case .success: 0
  case .authenticationFailed, .triesExhausted, .accountRefused, .passcodeExpired, .unknownUser, .notPermitted: 1
  case .userCancel, .appCancel: 3
  default: 4
  }
}

func finish(_ verdict: HelperVerdict) -> Never {
  if verdict.outcome != .success {
    let detail = verdict.detail.isEmpty ? "" : ": " + verdict.detail
    let later = verdict.retryAfter == 0 ? "" : "; try again in \(verdict.retryAfter) s"
    say("localauth: \(verdict.outcome)\(detail)\(later)")
  }
  exit(status(verdict.outcome))
}

do throws(UsageError) {
  switch try Command(Array(CommandLine.arguments.dropFirst())) {
  case .help: print(Command.usage)
  case .canEvaluate(let policy):
    let request = HelperRequest(policy: policy, reason: "", service: "localauth")
    finish(HelperClient().preflight(request, interaction: .concurrent))
  case .unlock(let user): finish(HelperClient().unlock(user, service: "localauth"))
  case .evaluate(let policy, let reason, let seconds):
    guard let prompter = TerminalPrompter() else {
      finish(HelperVerdict(outcome: .notInteractive, detail: "there is no terminal in the foreground"))
    }
    let request = HelperRequest(policy: policy, reason: reason, service: "localauth", readerSeconds: seconds)
    finish(HelperClient().evaluate(request, prompter: prompter))
  }
} catch {
  say("localauth: \(error.message)\n\(Command.usage)")
  exit(2)
}
