import AuthenticationCore
import Testing

private func section(_ pairs: [(String, String)]) -> SettingsSection {
  var section = SettingsSection()
  for (key, value) in pairs { _ = section.take(key: Array(key.utf8).span, value: Array(value.utf8).span) }
  return section
}

private func file(_ global: [(String, String)] = [], service: [(String, String)] = []) -> SettingsFile {
  var file = SettingsFile()
  file.global = section(global)
  file.service = section(service)
  return file
}

private func settings(_ administrator: SettingsFile, vendor: SettingsFile = SettingsFile()) -> Settings {
  Settings(vendor: vendor, administrator: administrator)
}

@Suite struct `A line of the settings` {
  private func problem(_ key: String, _ value: String) -> SettingProblem? {
    var section = SettingsSection()
    let problem = section.take(key: Array(key.utf8).span, value: Array(value.utf8).span)
    #expect(section.isFaulty == (problem != nil))
    if problem != nil {
      var untouched = SettingsSection()
      untouched.isFaulty = true
      #expect(section == untouched)
    }
    return problem
  }

  @Test(arguments: [
    ("policy", ["owner", "2", "biometrics", "1"]), ("biometry", ["on", "off"]), ("timeout", ["1", "30", "110", "007"]),
    ("max-tries", ["1", "10"]), ("passcode", ["any", "helper", "stack", "none"]),
  ])
  func `may have these values`(key: String, values: [String]) {
    for value in values { #expect(problem(key, value) == nil, "\(key) = \(value)") }
  }

  @Test(arguments: [
    ("policy", ["", "3", "4", "companion", "Owner", "owner "]), ("biometry", ["", "yes", "1", "ON", "maybe"]),
    ("timeout", ["", "0", "111", "-1", "1000", "3.5", "30 s", "abc", "\u{661}"]), ("max-tries", ["0", "11", "x", ""]),
    ("passcode", ["", "helper,stack", "all"]),
  ])
  func `may have no other`(key: String, values: [String]) {
    for value in values { #expect(problem(key, value) == .badValue, "\(key) = \(value)") }
  }

  @Test(arguments: ["biometri", "Biometry", "", "timeout ", "polic\u{443}"])
  func `has a key that there is`(key: String) {
    #expect(problem(key, "on") == .unknownKey)
  }

  @Test(arguments: ["policy", "biometry", "timeout", "max-tries", "passcode"])
  func `stands once`(key: String) {
    let values = ["policy": "owner", "biometry": "on", "passcode": "any"]
    var section = SettingsSection()
    let value = Array((values[key] ?? "5").utf8)
    let first = section.take(key: Array(key.utf8).span, value: value.span)
    let second = section.take(key: Array(key.utf8).span, value: value.span)
    #expect(first == nil)
    #expect(second == .twice)
    #expect(section.isFaulty)
  }
}

@Suite struct `Settings of several sections` {
  @Test func `say nothing where there are none`() {
    let settings = settings(SettingsFile())
    #expect(settings.allowsBiometry)
    #expect(settings.policy(.owner, .helper) == .owner)
    #expect(settings.limits(readerSeconds: 0, readerTries: 0) == EvaluationLimits())
  }

  @Test(arguments: [
    // vendor for all, vendor for the service, administrator for all, administrator for the service; what holds
    ("on", "on", "on", "off", false), ("off", "off", "off", "on", true),
    ("on", "on", "off", "", false), ("off", "off", "on", "", true),
    ("on", "off", "", "", false), ("off", "on", "", "", true), ("off", "", "", "", false), ("", "", "", "", true),
  ])
  func `the administrator before the vendor and the service before all`(
    vendorAll: String, vendorService: String, all: String, service: String, allowed: Bool
  ) {
    func pairs(_ value: String) -> [(String, String)] { value.isEmpty ? [] : [("biometry", value)] }
    let settings = settings(
      file(pairs(all), service: pairs(service)), vendor: file(pairs(vendorAll), service: pairs(vendorService)))
    #expect(settings.allowsBiometry == allowed)
  }

  @Test func `are put together key by key`() {
    let settings = settings(
      file([("timeout", "20"), ("max-tries", "2")], service: [("timeout", "5")]),
      vendor: file([("policy", "biometrics")]))
    #expect(settings.limits(readerSeconds: 0, readerTries: 0).reader == 5_000)
    #expect(settings.limits(readerSeconds: 0, readerTries: 0).readerTries == 2)
    #expect(settings.policy(.owner, .helper) == .biometrics)
  }

  @Test(arguments: 0..<4) func `with a fault anywhere have no reader and leave the passcode`(place: Int) {
    let bad = [("biometri", "on")]
    let good = [("biometry", "on")]
    let administrator = file(place == 0 ? bad : good, service: place == 1 ? bad : good)
    let vendor = file(place == 2 ? bad : good, service: place == 3 ? bad : good)
    let settings = settings(administrator, vendor: vendor)
    #expect(!settings.allowsBiometry)
    #expect(settings.isFaulty)
    #expect(settings.policy(.owner, .helper) == .owner)
    #expect(settings.policy(.owner, .stack) == .owner)
  }

  @Test func `of a file that cannot be trusted have no reader and leave the passcode`() {
    let settings = settings(.untrusted, vendor: file([("biometry", "on")]))
    #expect(!settings.allowsBiometry)
    #expect(settings.policy(.owner, .stack) == .owner)
  }
}

@Suite struct `A request within the settings` {
  @Test(
    arguments: [
      // option, setting: what holds, in seconds
      (0, nil, 30), (10, nil, 10), (600, nil, 30), (0, "60", 60), (50, "60", 50), (90, "60", 60), (0, "5", 5),
      (20, "5", 5),
    ] as [(UInt16, String?, UInt64)])
  func `may shorten its time and never lengthen it`(option: UInt16, setting: String?, seconds: UInt64) {
    let limits = settings(file(setting.map { [("timeout", $0)] } ?? [])).limits(readerSeconds: option, readerTries: 0)
    #expect(limits.reader == seconds * 1_000)
    #expect(limits.readerAlone == min(seconds, 10) * 1_000)
    #expect(limits.probeAlone == min(seconds, 2) * 1_000)
  }

  @Test(
    arguments: [(0, nil, 3), (1, nil, 1), (10, nil, 3), (0, "7", 7), (5, "7", 5), (9, "7", 7), (2, "1", 1)]
      as [(UInt8, String?, Int)])
  func `may lessen its tries and never add to them`(option: UInt8, setting: String?, tries: Int) {
    let limits = settings(file(setting.map { [("max-tries", $0)] } ?? [])).limits(readerSeconds: 0, readerTries: option)
    #expect(limits.readerTries == tries)
  }

  @Test(arguments: [
    ("any", true, true), ("helper", true, false), ("stack", false, true), ("none", false, false),
  ])
  func `asks for the passcode where that may go its way`(value: String, helper: Bool, stack: Bool) {
    let settings = settings(file([("passcode", value)]))
    #expect(settings.policy(.owner, .helper) == (helper ? .owner : .biometrics))
    #expect(settings.policy(.owner, .stack) == (stack ? .owner : .biometrics))
  }

  @Test(arguments: [Policy.biometrics, .companion, .biometricsOrCompanion, nil], PasscodeWay.allCases)
  func `never gets a policy that admits more`(policy: Policy?, way: PasscodeWay) {
    for value in ["owner", "biometrics"] { #expect(settings(file([("policy", value)])).policy(policy, way) == policy) }
  }
}
