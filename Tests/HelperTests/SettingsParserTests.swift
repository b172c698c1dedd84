import AuthenticationCore
import Testing

@testable import Helper

/// A file, read for sudo by the real inih.
private func parse(_ text: String, service: StaticString = "sudo") -> SettingsParser {
  SettingsParser.parse(Array(text.utf8), service: FixedText(service))
}

private func words(_ parser: SettingsParser) -> String? {
  guard let first = parser.first else { return nil }
  var line = Line()
  first.problem.append(to: &line)
  let text = line.withBytes { bytes in String(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self) }
  return "\(first.line)\(text)"
}

@Suite struct `The settings file` {
  @Test(arguments: [
    "", "\n", "# biometry = off\n;biometry = off\n   # more\n", "[sudo]", "[global]\n[sudo]\n", "\u{feff}timeout = 5\n",
    "timeout=5", "timeout = 5\r\n[sudo]\r\nbiometry = on\r\n", "timeout: 5\n", "timeout = 5 ; five seconds\n",
    "[su]\nbiometri = off\ntimeout = x\n", "[/usr/bin/app]\nanything = 1\n",
  ])
  func `is well as it is`(text: String) {
    #expect(words(parse(text)) == nil)
    #expect(!parse(text).file.global.isFaulty && !parse(text).file.service.isFaulty)
  }

  @Test func `has sections for all and for one`() {
    let file = parse("timeout = 5\n[su]\nmax-tries = 9\n[sudo]\ntimeout = 6\n[global]\nmax-tries = 2\n").file
    #expect(file.global.readerSeconds == 5)
    #expect(file.global.readerTries == 2)
    #expect(file.service.readerSeconds == 6)
    #expect(file.service.readerTries == nil)
  }

  @Test(arguments: [
    ("biometri = off", "1: unknown key \"biometri\"", true), ("\n\ntimeout = x\n", "3: bad value of \"timeout\"", true),
    ("[sudo]\nbiometry = off\nbiometry = on\n", "3: set twice, or a line goes on: \"biometry\"", false),
    // To inih an indented line goes on with the value before it.
    ("[sudo]\ntimeout = 5\n  biometry = off\n", "3: set twice, or a line goes on: \"timeout\"", false),
    ("[sudo]\nwhat\n", "2: neither a section nor a key and a value", true),
    ("[sudo\nbiometry = off\n", "1: neither a section nor a key and a value", true),
    ("= on\n", "1: unknown key \"\"", true),
    ("[sudo]\nbiometry = off\u{1b}[2J\n", "2: bad value of \"biometry\"", false),
    ("[sudo]\n\u{1b}[2J\"x = off\n", "2: unknown key \"?[2J\"x\"", false),
    ("x = \(String(repeating: "y", count: 300))\n", "1: too long, or it holds a NUL", true),
    ("# \(String(repeating: "y", count: 300))\n", "1: too long, or it holds a NUL", true),
    ("timeout = 5\0\n", "1: too long, or it holds a NUL", true),
    ("[\(String(repeating: "s", count: 49))]\nbiometry = off\n", "2: the name of the section is too long", true),
    ("a = 1\nb = 2\nc = 3\n", "1: unknown key \"a\"", true),
  ])
  func `with a fault is faulty where the fault is, and names it`(text: String, said: String, all: Bool) {
    let parser = parse(text)
    #expect(words(parser) == said)
    #expect(parser.file.global.isFaulty == all)
    #expect(parser.file.service.isFaulty == !all)
  }

  @Test func `counts every fault`() {
    #expect(parse("a = 1\nb = 2\n[su]\nc = 3\n[sudo]\nd = 4\n").problems == 3)
  }

  @Test(arguments: [196, 197, 198, 199, 200, 201, 400])
  func `never splits a line`(length: Int) {
    // Behind so many bytes an inih that splits would find this key.
    let comment = "#" + String(repeating: "x", count: length - 1)
    let parser = parse(comment + "biometry = off\n")
    #expect(parser.file.global.biometry == nil)
    #expect((parser.first == nil) == (length + 14 <= 197))
    let alone = parse(comment + "\nbiometry = off\n")
    #expect(alone.file.global.biometry == false)
  }

  @Test func `may hold anything`() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("[]=;:# \t\r\n\0abiometryoff\u{ff}".utf8)
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...600, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      let parser = SettingsParser.parse(text, service: FixedText("sudo"))
      #expect((parser.problems == 0) == (parser.first == nil))
    }
  }
}
