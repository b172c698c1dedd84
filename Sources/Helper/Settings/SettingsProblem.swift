import AuthenticationCore

/// Why a settings file does not say what it was to say; the log has one line for all of them.
enum SettingsProblem {
  /// A line that inih(3) cannot read: no `=`, a bracket that is not closed.
  case syntax
  /// More than inih reads at once, or a NUL.
  case unreadableLine
  /// A key of the service's own section, or of the one for all.
  case key(SettingProblem, FixedText)
  /// The name of a section is longer than inih keeps.
  case longSection
  case untrusted(FileProblem)

  /// ": unknown key "biometri"".
  func append(to line: inout Line) {
    switch self {
    case .syntax: line.append(": neither a section nor a key and a value")
    case .unreadableLine: line.append(": too long, or it holds a NUL")
    case .longSection: line.append(": the name of the section is too long")
    case .untrusted(let problem):
      line.append(" ")
      line.append(problem.text)
    case .key(let problem, let key):
      switch problem {
      case .unknownKey: line.append(": unknown key \"")
      case .badValue: line.append(": bad value of \"")
      case .twice: line.append(": set twice, or a line goes on: \"")
      }
      key.withBytes { line.append(cleaned: $0, columns: 40) }
      line.append("\"")
    }
  }
}

/// Why a file of the administrator's is not believed.
enum FileProblem {
  case cannotBeOpened
  case isNoFile
  case isNotRoots
  case isWritable
  case isTooLong
  case folder

  var text: StaticString {
    switch self {
    case .cannotBeOpened: "cannot be opened"
    case .isNoFile: "is no regular file"
    case .isNotRoots: "is not owned by root"
    case .isWritable: "can be written by others than root"
    case .isTooLong: "is longer than 64 KiB"
    case .folder: "is in a folder that others than root own or can write"
    }
  }
}
