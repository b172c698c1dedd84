import Foundation
import PAMHarness
import Testing

struct ResultTests {
  /// `#define PAM_… n` of the header, in sections that start with a comment.
  private static func defined(after section: String, until end: String) throws -> [String: Int32] {
    let header = try String(contentsOfFile: "/usr/include/security/_pam_types.h", encoding: .utf8)
    let lines = header.split(separator: "\n").drop { !$0.contains(section) }.prefix { !$0.contains(end) }
    return lines.reduce(into: [:]) { values, line in
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count >= 3, words[0] == "#define" else { return }
      let number =
        words[2].hasPrefix("0x") ? Int32(words[2].dropFirst(2).prefix { $0 != "U" }, radix: 16) : Int32(words[2])
      values[String(words[1])] = number
    }
  }

  @Test func `codes have the names and numbers of the header`() throws {
    let defined = try Self.defined(after: "return values ---", until: "_PAM_RETURN_VALUES")
    #expect(Dictionary(uniqueKeysWithValues: PAMResult.all.map { ($0.description, $0.rawValue) }) == defined)
    #expect(PAMResult.all.count == 32)
  }

  @Test func `named codes are the codes of their names`() {
    let samples: [(PAMResult, String)] = [
      (.success, "PAM_SUCCESS"), (.authErr, "PAM_AUTH_ERR"), (.maxTries, "PAM_MAXTRIES"),
      (.authinfoUnavail, "PAM_AUTHINFO_UNAVAIL"), (.credInsufficient, "PAM_CRED_INSUFFICIENT"),
      (.convErr, "PAM_CONV_ERR"), (.authtokRecoveryErr, "PAM_AUTHTOK_RECOVERY_ERR"), (.ignore, "PAM_IGNORE"),
      (.moduleUnknown, "PAM_MODULE_UNKNOWN"), (.incomplete, "PAM_INCOMPLETE"),
    ]
    for (code, name) in samples { #expect(code.description == name) }
  }

  @Test(arguments: [-1, 32, 77, Int32.max]) func `a code that does not exist is kept`(number: Int32) {
    #expect(PAMResult(rawValue: number).rawValue == number)
    #expect(PAMResult(rawValue: number).description == "PAM_(\(number))")
  }

  @Test func `flags, items and styles have the numbers of the header`() throws {
    let flags = try Self.defined(after: "The Linux-PAM flags", until: "The Linux-PAM item types")
    let named: [String: PAMFlags] = [
      "PAM_SILENT": .silent, "PAM_DISALLOW_NULL_AUTHTOK": .disallowNullAuthtok, "PAM_ESTABLISH_CRED": .establishCred,
      "PAM_DELETE_CRED": .deleteCred, "PAM_REINITIALIZE_CRED": .reinitializeCred, "PAM_REFRESH_CRED": .refreshCred,
      "PAM_CHANGE_EXPIRED_AUTHTOK": .changeExpiredAuthtok,
    ]
    #expect(named.mapValues(\.rawValue) == flags)
    let items = try Self.defined(after: "The Linux-PAM item types", until: "Special defines")
    #expect(PAMItem.tty.rawValue == items["PAM_TTY"] && PAMItem.remoteHost.rawValue == items["PAM_RHOST"])
    #expect(PAMItem.remoteUser.rawValue == items["PAM_RUSER"] && PAMItem.xDisplay.rawValue == items["PAM_XDISPLAY"])
    #expect(PAMItem.userPrompt.rawValue == items["PAM_USER_PROMPT"])
    #expect(PAMItem.authtokType.rawValue == items["PAM_AUTHTOK_TYPE"])
    let styles = try Self.defined(after: "Message styles", until: "Linux-PAM specific types")
    #expect(PAMStyle.hidden.rawValue == styles["PAM_PROMPT_ECHO_OFF"])
    #expect(PAMStyle.visible.rawValue == styles["PAM_PROMPT_ECHO_ON"])
    #expect(PAMStyle.error.rawValue == styles["PAM_ERROR_MSG"] && PAMStyle.info.rawValue == styles["PAM_TEXT_INFO"])
  }
}
