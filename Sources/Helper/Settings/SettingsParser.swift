import AuthenticationCore
import CInih
import CPlatform

/// Reads one settings file with inih(3), line by line out of memory, so that each problem has a line and nothing is
/// split that is too long.
///
/// Problems of other services' sections are none of ours: they are reported where they matter.
struct SettingsParser {
  private let text: [UInt8]
  private let service: FixedText
  private var position = 0
  private var line = 0
  private(set) var file = SettingsFile()
  private(set) var problems = 0
  private(set) var first: (problem: SettingsProblem, line: Int)?

  /// inih's INI_MAX_LINE without room for what ends a line.
  private static var mostColumns: Int { 197 }
  /// inih keeps 49 bytes of a section's name, and says nothing of the rest.
  private static var mostName: Int { 48 }

  static func parse(_ text: [UInt8], service: FixedText) -> SettingsParser {
    var parser = SettingsParser(text: text, service: service)
    // SAFETY: `parser` does not move while inih holds the pointer: it is used within this closure only.
    let bad = unsafe withUnsafeMutablePointer(to: &parser) { parser in
      unsafe ini_parse_stream(nextLine, parser, takePair, parser)
    }
    if bad != 0 {
      // What the line was to be is not known, so it might have been anything for anybody.
      parser.file.global.isFaulty = true
      parser.note(.syntax, at: Int(bad))
    }
    return parser
  }

  private init(text: [UInt8], service: FixedText) {
    self.text = text
    self.service = service
  }

  private mutating func note(_ problem: SettingsProblem, at line: Int) {
    problems &+= 1
    if first.map({ $0.line > line }) ?? true { first = (problem, line) }
  }

  /// Copies the next line with its line feed; false at the end. A line that cannot be one becomes a comment.
  @unsafe fileprivate mutating func next(_ buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> Bool {
    guard position < text.count, size > Self.mostColumns &+ 2 else { return false }
    line &+= 1
    var end = position
    var isLine = true
    while end < text.count, text[end] != UInt8(ascii: "\n") {
      if text[end] == 0 { isLine = false }
      end &+= 1
    }
    if end &- position > Self.mostColumns { isLine = false }
    // SAFETY: at most 197 bytes, a line feed and a NUL, in a buffer that was measured above.
    var count = 0
    if isLine {
      while position < end {
        unsafe buffer[count] = CChar(bitPattern: text[position])
        count &+= 1
        position &+= 1
      }
    } else {
      file.global.isFaulty = true
      note(.unreadableLine, at: line)
    }
    unsafe buffer[count] = CChar(bitPattern: UInt8(ascii: "\n"))
    unsafe buffer[count &+ 1] = 0
    position = min(end &+ 1, text.count)
    return true
  }

  fileprivate mutating func take(section: FixedText, key: FixedText, value: FixedText) {
    if section.count > Self.mostName {
      file.global.isFaulty = true
      return note(.longSection, at: line)
    }
    let isGlobal = section.isEmpty || section.equals("global")
    guard isGlobal || section.equals(service) else { return }
    let problem = key.withBytes { key in
      value.withBytes { value in
        isGlobal ? file.global.take(key: key, value: value) : file.service.take(key: key, value: value)
      }
    }
    if let problem { note(.key(problem, key), at: line) }
  }
}

/// fgets(3) for inih.
private func nextLine(
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: CInt, _ stream: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<CChar>? {
  // SAFETY: `parse` passes a SettingsParser, and inih a buffer of that size.
  guard let buffer = unsafe buffer, let stream = unsafe stream else { return nil }
  let parser = unsafe stream.assumingMemoryBound(to: SettingsParser.self)
  return unsafe parser.pointee.next(buffer, Int(size)) ? buffer : nil
}

/// A pair of a key and a value.
private func takePair(
  _ user: UnsafeMutableRawPointer?, _ section: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?,
  _ value: UnsafePointer<CChar>?
) -> CInt {
  // SAFETY: as above; the three texts are C strings of fewer bytes than a line has.
  guard let user = unsafe user, let section = unsafe FixedText(section), let key = unsafe FixedText(key),
    let value = unsafe FixedText(value)
  else { return 0 }
  unsafe user.assumingMemoryBound(to: SettingsParser.self).pointee.take(section: section, key: key, value: value)
  return 1
}
