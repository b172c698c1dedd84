import Foundation
import PAMHarness
import Testing

struct LeakTests {
  @Test func `a thousand transactions leave no descriptor, folder, mapping or memory behind`() async {
    // Alone in a process, so that everything can be counted.
    await #expect(processExitsWith: .success) {
      [stack = Fixture.stack("styles") as String, refused = Fixture.stack("two") as String] in
      let folder = NSTemporaryDirectory() + "leaks-\(getpid())"
      // So long that one that is kept each time is seen.
      let long = String(repeating: "x", count: 4096)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      // SAFETY: nobody else reads the environment now.
      unsafe setenv("TMPDIR", folder, 1)
      func run(_ count: Int) throws {
        for _ in 0..<count / 2 {
          expectOK(
            try PAMTransaction(stack: stack, user: "nobody", environment: ["A=\(long)"])
              .run([.authenticate(.success)], script: Fixture.styles))
          expectOK(
            try PAMTransaction(stack: refused, user: "nobody").run(
              [.authenticate(.convErr)],
              script: [ScriptStep(.info, "one", .answer(long)), ScriptStep(.hidden, "two: ", .fails(.convErr))]))
        }
      }
      try run(100)
      let before = try Holdings()
      try run(1000)
      let after = try Holdings()
      #expect(after.descriptors == before.descriptors)
      #expect(after.mappings <= before.mappings + 20)
      #expect(isSanitized || after.pages <= before.pages + 250, "\(after.pages - before.pages) pages in 1000 runs")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      try FileManager.default.removeItem(atPath: folder)
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

/// Sanitizers keep freed memory for a while.
private var isSanitized: Bool {
  // SAFETY: the names are C strings; nothing is called.
  unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
}
