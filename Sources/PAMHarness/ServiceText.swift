/// The text of a service file: pam.d(5).
enum ServiceText {
  /// What a folder's `other` holds, so that a service or a facility that is missing is denied and never the machine's.
  static let denies = ["auth", "account", "password", "session"].map { "\($0) required pam_deny.so" }
    .joined(separator: "\n")

  /// Sends `include`, `substack` and `@include` of the given names to a folder: libpam looks for a relative name in
  /// /etc/pam.d, and never in the folder of pam_start_confdir(3).
  static func directing(_ names: some Collection<String>, to folder: String, in text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var words = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
      guard words.count >= 2, let name = words.last, names.contains(name),
        ["include", "substack", "@include"].contains(words[words.count - 2])
      else { return String(line) }
      words[words.count - 1] = folder + "/" + name
      return words.joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// Whether libpam finds a file of this name in a folder.
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.contains { $0 == "/" || $0 == "\0" || $0.isWhitespace }
  }
}
