import Foundation
import PAMHarness
import Testing

struct LeakTests {
  @Test func `a thousand transactions leave no descriptor, folder, mapping or memory behind`() async {
    // Alone in a process, so that everything can be counted.
    await #expect(processExitsWith: .success) {
      let folder = NSTemporaryDirectory() + "leaks-\(getpid())"
      let stack = Fixture.stack("styles")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      // SAFETY: nobody else reads the environment now.
      unsafe setenv("TMPDIR", folder, 1)
      let transaction = PAMTransaction(stack: stack, user: "nobody", environment: ["A=b"])
      func run(_ count: Int) throws {
        for _ in 0..<count { expectOK(try transaction.run([.authenticate(.success)], script: Fixture.styles)) }
      }
      try run(100)
      let before = try Holdings()
      try run(1000)
      let after = try Holdings()
      #expect(after.descriptors == before.descriptors)
      #expect(after.mappings <= before.mappings + 20)
      #expect(after.pages <= before.pages + 250, "\(after.pages - before.pages) pages in 1000 runs")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }
}

/// What this process holds of the system's.
private struct Holdings {
  var descriptors: Int
  var mappings: Int
  var pages: Int

  init() throws {
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    mappings = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n").count
    let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    pages = sizes.dropFirst().first.flatMap { Int($0) } ?? .max
  }
}
