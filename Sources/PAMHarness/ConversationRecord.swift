private import Glibc

/// How far a script is, and everything said, in memory that children share.
///
/// A module may hold its conversation in a child, as pam_localauth does: what the child's copy of the application
/// would learn is lost with it. Here it is not. Two processes must not write at the same time, as two people in one
/// conversation do not.
@safe struct ConversationRecord: ~Copyable {
  enum Kind: UInt8 { case note = 1, problem, unexpected }

  /// A header of two numbers, then entries: kind, text, NUL.
  private let memory: UnsafeMutableRawBufferPointer
  private static let header = 2 * MemoryLayout<Int>.stride
  private static let capacity = 1 << 20

  init() throws(PAMHarnessError) {
    // SAFETY: a new mapping, zeroed by the kernel, of the size that the buffer says.
    let start = unsafe mmap(
      nil, Self.capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let start = unsafe start, Int(bitPattern: start) != -1 else { throw .outOfMemory }
    unsafe memory = UnsafeMutableRawBufferPointer(start: start, count: Self.capacity)
  }

  deinit {
    // SAFETY: the mapping is ours alone and used no more.
    _ = unsafe munmap(memory.baseAddress, memory.count)
  }

  /// Steps of the script that are used up.
  var stepsTaken: Int {
    get { number(0) }
    nonmutating set { setNumber(0, newValue) }
  }

  /// Adds a line. What does not fit is left out: a megabyte of transcript is a module in a loop.
  func append(_ kind: Kind, _ text: String) {
    let start = Self.header + number(1)
    let bytes = text.utf8.map { $0 == 0 ? UInt8(ascii: "?") : $0 }
    guard bytes.count + 2 <= Self.capacity - start else { return }
    // SAFETY: the guard keeps kind, text and NUL inside the mapping.
    unsafe memory[start] = kind.rawValue
    unsafe memory[(start + 1)...].copyBytes(from: bytes)
    unsafe memory[start + 1 + bytes.count] = 0
    setNumber(1, number(1) + bytes.count + 2)
  }

  /// All lines so far.
  var entries: [(kind: Kind, text: String)] {
    // SAFETY: `append` left whole entries, and the sum of their lengths; they are copied before they are read.
    let used = unsafe [UInt8](memory[Self.header..<Self.header + number(1)])
    return used.split(separator: 0).compactMap { entry in
      guard let kind = entry.first.flatMap(Kind.init) else { return nil }
      return (kind, String(decoding: entry.dropFirst(), as: UTF8.self))
    }
  }

  private func number(_ index: Int) -> Int {
    // SAFETY: the header holds two numbers, aligned as the page is.
    unsafe memory.load(fromByteOffset: index * MemoryLayout<Int>.stride, as: Int.self)
  }

  private func setNumber(_ index: Int, _ value: Int) {
    // SAFETY: as above.
    unsafe memory.storeBytes(of: value, toByteOffset: index * MemoryLayout<Int>.stride, as: Int.self)
  }
}
