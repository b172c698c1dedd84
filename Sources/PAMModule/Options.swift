import AuthenticationCore

/// A passcode that a module before ours has asked for: PAM_AUTHTOK.
enum GivenPasscode: Equatable {
  case ignored
  /// `try_first_pass`: taken where there is one.
  case tried
  /// `use_first_pass`: nothing else is.
  case required
}

/// Who answers the prompt for the passcode.
enum Answering: Equatable {
  case person
  case given
  /// Nobody may.
  case nobody
}

/// What an option of the PAM line is wrong in.
enum OptionProblem: Equatable {
  case unknown
  /// A known name, and a value that it cannot have.
  case badValue
}

/// The options of one call, pam.conf(5): read anew each time, since a host may call with different ones.
///
/// A bad value takes what is strictest: a policy or a passcode's way that cannot be read refuses the whole call.
struct Options: ~Copyable {
  /// nil: cannot be read.
  private(set) var policy: Policy? = .owner
  private(set) var way: PasscodeWay? = .helper
  /// Seconds that the reader may listen; 0 is the helper's default.
  private(set) var readerSeconds: UInt16 = 0
  /// Finger matches that may fail; 0 is the helper's default.
  private(set) var readerTries: UInt8 = 0
  private(set) var given = GivenPasscode.ignored
  private(set) var debug = false
  private(set) var reason = MessageText()

  /// Reads one argument; nil when it is understood.
  mutating func take(_ argument: Span<UInt8>) -> OptionProblem? {
    if argument.equals("debug") {
      debug = true
    } else if argument.equals("try_first_pass") {
      if given == .ignored { given = .tried }
    } else if argument.equals("use_first_pass") {
      given = .required
    } else if let value = argument.value(of: "policy=") {
      policy = Self.policy(argument.extracting(value))
      return policy == nil ? .badValue : nil
    } else if let value = argument.value(of: "passcode=") {
      way = Self.way(argument.extracting(value))
      return way == nil ? .badValue : nil
    } else if let value = argument.value(of: "timeout=") {
      readerSeconds = argument.extracting(value).number(1...600) ?? 0
      return readerSeconds == 0 ? .badValue : nil
    } else if let value = argument.value(of: "max-tries=") {
      readerTries = UInt8(truncatingIfNeeded: argument.extracting(value).number(1...10) ?? 0)
      return readerTries == 0 ? .badValue : nil
    } else if let value = argument.value(of: "reason=") {
      reason = MessageText()
      reason.append(argument.extracting(value))
    } else {
      return .unknown
    }
    return nil
  }

  /// Who answers, where a module before ours has a passcode or has none.
  func answering(hasPasscode: Bool) -> Answering {
    // What is there already is for the stack itself to verify.
    if way == .stack && (hasPasscode || given == .required) { return .nobody }
    let isUsable = hasPasscode && policy?.allowsPasscode == true
    switch given {
    case .ignored: return .person
    case .tried: return isUsable ? .given : .person
    case .required: return isUsable ? .given : .nobody
    }
  }

  private static func policy(_ value: Span<UInt8>) -> Policy? {
    if value.equals("biometrics") { return .biometrics }
    if value.equals("owner") { return .owner }
    if value.equals("companion") { return .companion }
    if value.equals("biometrics-or-companion") { return .biometricsOrCompanion }
    return value.number(1...4).flatMap { Policy(rawValue: UInt8(truncatingIfNeeded: $0)) }
  }

  private static func way(_ value: Span<UInt8>) -> PasscodeWay? {
    if value.equals("helper") { return .helper }
    return value.equals("stack") ? .stack : nil
  }
}

extension Span<UInt8> {
  /// Where the value of `name=` lies; nil when this is another option.
  fileprivate func value(of name: StaticString) -> Range<Int>? {
    begins(with: name) ? name.utf8CodeUnitCount..<count : nil
  }
}
