/// Which ways of the passcode may be used for a service: the setting `passcode`.
public enum PasscodeWays: UInt8, CaseIterable, Sendable {
  case any = 0
  /// Only the helper verifies; what is typed for the host's own stack is not asked for by us.
  case helper = 1
  /// Only the host's own stack verifies.
  case stack = 2
  case none = 3

  public func allow(_ way: PasscodeWay) -> Bool {
    switch self {
    case .any: true
    case .helper: way == .helper
    case .stack: way == .stack
    case .none: false
    }
  }
}

/// What is wrong with one line of a settings file.
public enum SettingProblem: UInt8, CaseIterable, Sendable {
  case unknownKey
  /// A known key, and a value that it cannot have.
  case badValue
  /// The key was set before in the same section of the same file, or the line goes on with the one before it.
  case twice
}

/// The settings of one section: nil where it says nothing. localauth.conf(5).
public struct SettingsSection: Equatable, Sendable {
  public private(set) var policy: Policy?
  public private(set) var biometry: Bool?
  /// Seconds that the reader may listen.
  public private(set) var readerSeconds: UInt16?
  /// Finger matches of one call that may fail.
  public private(set) var readerTries: UInt8?
  public private(set) var passcode: PasscodeWays?
  /// A line of it could not be read: what it was to forbid is not known, so the reader is not used.
  public var isFaulty = false

  public init() {}

  /// Takes one line; a problem makes the section faulty, and changes nothing else.
  public mutating func take(key: Span<UInt8>, value: Span<UInt8>) -> SettingProblem? {
    let problem = read(key, value)
    if problem != nil { isFaulty = true }
    return problem
  }

  private mutating func read(_ key: Span<UInt8>, _ value: Span<UInt8>) -> SettingProblem? {
    if key.equals("policy") { return Self.set(&policy, Self.policy(value)) }
    if key.equals("biometry") { return Self.set(&biometry, Self.flag(value)) }
    if key.equals("timeout") { return Self.set(&readerSeconds, value.number(1...110)) }
    if key.equals("max-tries") {
      return Self.set(&readerTries, value.number(1...10).map { UInt8(truncatingIfNeeded: $0) })
    }
    if key.equals("passcode") { return Self.set(&passcode, Self.ways(value)) }
    return .unknownKey
  }

  private static func set<Value>(_ place: inout Value?, _ value: Value?) -> SettingProblem? {
    if place != nil { return .twice }
    guard let value else { return .badValue }
    place = value
    return nil
  }

  private static func policy(_ value: Span<UInt8>) -> Policy? {
    if value.equals("owner") || value.equals("2") { return .owner }
    return value.equals("biometrics") || value.equals("1") ? .biometrics : nil
  }

  private static func flag(_ value: Span<UInt8>) -> Bool? {
    if value.equals("on") { return true }
    return value.equals("off") ? false : nil
  }

  private static func ways(_ value: Span<UInt8>) -> PasscodeWays? {
    if value.equals("any") { return .any }
    if value.equals("helper") { return .helper }
    if value.equals("stack") { return .stack }
    return value.equals("none") ? PasscodeWays.none : nil
  }

  /// This section over another one, key by key; a fault of either stays.
  fileprivate func over(_ other: SettingsSection) -> SettingsSection {
    var merged = other
    merged.policy = policy ?? other.policy
    merged.biometry = biometry ?? other.biometry
    merged.readerSeconds = readerSeconds ?? other.readerSeconds
    merged.readerTries = readerTries ?? other.readerTries
    merged.passcode = passcode ?? other.passcode
    merged.isFaulty = isFaulty || other.isFaulty
    return merged
  }
}

/// One settings file, as far as one service is concerned.
public struct SettingsFile: Equatable, Sendable {
  /// Lines before any section, and those of `[global]`.
  public var global = SettingsSection()
  /// The section of the service.
  public var service = SettingsSection()

  public init() {}

  /// A file that cannot be trusted says nothing, and forbids the reader.
  public static var untrusted: SettingsFile {
    var file = SettingsFile()
    file.global.isFaulty = true
    return file
  }
}

/// What the administrator allows one service: the bound of every request.
public struct Settings: Equatable, Sendable {
  private let effective: SettingsSection

  /// The administrator's word over the vendor's, and within each the service's over the one for all.
  public init(vendor: SettingsFile, administrator: SettingsFile) {
    let all = administrator.global.over(vendor.service.over(vendor.global))
    effective = administrator.service.over(all)
  }

  /// Whether the reader may be asked at all.
  public var allowsBiometry: Bool { !effective.isFaulty && effective.biometry != false }
  public var isFaulty: Bool { effective.isFaulty }

  /// The policy of a request that asks for this one, and goes this way with the passcode.
  ///
  /// Where the passcode may not go that way there is the finger alone; the stack behind a module of ours asks then.
  public func policy(_ asked: Policy?, _ way: PasscodeWay) -> Policy? {
    guard asked == .owner else { return asked }
    let ways = effective.passcode ?? .any
    return effective.policy == .biometrics || !ways.allow(way) ? .biometrics : .owner
  }

  /// The limits of a request that asks for so many seconds and tries, 0 where it asks for none: a setting may allow
  /// more than the default, a request only less.
  public func limits(readerSeconds: UInt16, readerTries: UInt8) -> EvaluationLimits {
    var limits = EvaluationLimits()
    if let seconds = effective.readerSeconds {
      limits.reader = UInt64(seconds) * 1_000
      limits.readerAlone = min(limits.readerAlone, limits.reader)
      limits.probeAlone = min(limits.probeAlone, limits.reader)
    }
    if let tries = effective.readerTries { limits.readerTries = Int(tries) }
    if readerSeconds > 0 {
      let asked = UInt64(readerSeconds) * 1_000
      limits.reader = min(limits.reader, asked)
      limits.readerAlone = min(limits.readerAlone, asked)
      limits.probeAlone = min(limits.probeAlone, asked)
    }
    if readerTries > 0 { limits.readerTries = min(limits.readerTries, Int(readerTries)) }
    return limits
  }
}
