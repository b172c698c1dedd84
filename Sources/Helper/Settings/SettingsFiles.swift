import AuthenticationCore
import CPlatform
import SystemInterface

/// /etc/security/localauth.conf over /usr/share/localauth/localauth.conf, as far as one service is concerned:
/// localauth.conf(5).
struct SettingsFiles {
  let settings: Settings
  /// Why the reader is not asked, where a setting says so.
  private(set) var detail: StaticString = ""

  private static var administrators: StaticString { "/etc/security/localauth.conf" }
  private static var vendors: StaticString { "/usr/share/localauth/localauth.conf" }
  private static var most: Int { 65_536 }

  /// Says in the log what is wrong with the files, in one line for each.
  static func read(for service: FixedText) -> SettingsFiles {
    let settings = Settings(vendor: read(vendors, service), administrator: read(administrators, service))
    var files = SettingsFiles(settings: settings)
    if settings.isFaulty {
      files.detail = "a fault in localauth.conf; the log says where"
    } else if !settings.allowsBiometry {
      files.detail = "biometry is switched off in localauth.conf"
    }
    return files
  }

  private init(settings: Settings) { self.settings = settings }

  private static func read(_ path: StaticString, _ service: FixedText) -> SettingsFile {
    // SAFETY: the shim only reads the path.
    let raw = unsafe path.withCString { unsafe localauth_open_settings($0) }
    if raw == 0 &- ENOENT { return SettingsFile() }
    guard raw >= 0 else { return distrust(path, problem(of: raw)) }
    let file = Descriptor(owning: raw)
    guard let text = contents(of: file) else { return distrust(path, .cannotBeOpened) }
    if text.count > most { return distrust(path, .isTooLong) }
    let parsed = SettingsParser.parse(text, service: service)
    if let first = parsed.first { report(path, first.problem, line: first.line, of: parsed.problems) }
    return parsed.file
  }

  private static func problem(of error: CInt) -> FileProblem {
    switch 0 &- error {
    case EPERM: .isNotRoots
    case EACCES: .isWritable
    case ENOTDIR: .folder
    case EINVAL, ELOOP: .isNoFile
    default: .cannotBeOpened
    }
  }

  /// The whole file, and one byte more than it may have if it has more; nil when it cannot be read.
  private static func contents(of file: borrowing Descriptor) -> [UInt8]? {
    var text: [UInt8] = []
    var buffer = InlineArray<4096, UInt8>(repeating: 0)
    while text.count <= most {
      var span = buffer.mutableSpan
      let count = Descriptor.read(file.raw, into: &span, at: 0..<4096)
      if count < 0 { return nil }
      if count == 0 { break }
      for index in 0..<count { text.append(buffer[index]) }
    }
    return text
  }

  private static func distrust(_ path: StaticString, _ problem: FileProblem) -> SettingsFile {
    report(path, .untrusted(problem), line: 0, of: 1)
    return .untrusted
  }

  private static func report(_ path: StaticString, _ problem: SettingsProblem, line number: Int, of count: Int) {
    var line = Line()
    line.append("localauth-helper: ")
    line.append(path)
    if number > 0 {
      line.append(", line ")
      line.append(UInt32(clamping: number))
    }
    problem.append(to: &line)
    line.append("; the reader is not asked")
    if count > 1 {
      line.append(", and ")
      line.append(UInt32(clamping: count &- 1))
      line.append(" more")
    }
    Log.error(line)
  }
}
